// Package vtec is the paper's experiment on the ionosphere. Six methods, and two that are
// not in the paper, learn the vertical total electron content (vTEC) over a net of
// stations, every minute anew. They are tested on a station that they have not seen.
//
// Package sky provides the observations. A [sky.Snapshot] becomes a [Window]: the encodings
// of its pierce points and their double differences. A [Method] is fitted to those of the
// training stations and predicts those of the test station. Package position tells how
// useful the predictions are. An [Experiment] does that for every window and method.
// Windows share nothing, so they may run at once and in any order, and give the same bits.
//
// Units are those of package sky. A window begins with its minute.
//
// # What comes out
//
// The paper's real-world claim is its Table 1. Its data is not public. So the protocol runs
// on a simulator, on IONEX maps with or without simulated disturbances, or on a table of
// pierce points. "go run ./core/cmd/ifm table1" prints it. Numbers are metres of delay at
// L1, averaged over nine days, with a window every 20 minutes. The last column counts the
// days on which iFM beats Ridge:
//
//	                           zero    Ridge   LASSO   elastic kernel  FM      iFM     days
//	simulated, seed 1          .03018  .01636  .01658  .01661  .01601  .01533  .01465  9 of 9
//	… stride=1&fixes=0         .03041  .01637  .01660  .01663  .01596  .01532  .01448  9
//	… seed 2                   .03655  .01625  .01662  .01667  .01603  .01511  .01423  9
//	… seed 3                   .03405  .01705  .01737  .01746  .01677  .01562  .01455  9
//	… seed 4                   .03600  .01584  .01607  .01612  .01555  .01468  .01423  7
//	… seed 1, no disturbances  .02228  .00942  .00933  .00933  .00968  .00959  .00952
//	IGS map of 4 Dec 2010      .02488  .01065  .01066  .01067  .01070  .01051  .00994
//	… with disturbances        .02899  .01414  .01432  .01433  .01387  .01335  .01252
//
// Two methods are not in the paper: gFM and kriging. Kriging beat all six in every trial.
// A cubic in latitude and longitude for each satellite was between them in each
// (.01241 with seed 1) and is left out.
//
//	                           gFM     kriging
//	simulated, seed 1          .01473  .00935
//	… seed 2                   .01371  .00909
//	… seed 3                   .01401  .00945
//	… seed 4                   .01393  .00905
//	… seed 1, no disturbances          .00777
//	IGS map of 4 Dec 2010              .00781
//	… with disturbances                .00851
//
// The tables above are for the station in the middle of the net, 75 km, 30° N, one system
// of satellites. iFM's lead holds there only. "ifm table1 stations=all" leaves out each
// station in turn (seed 1, stride=120; 95 % intervals with days as blocks):
//
//	                           Ridge   iFM     kriging  iFM less Ridge
//	S01, in the middle         .01705  .01514  .00911   −.00191 ± .00146
//	S02 of the inner ring      .01902  .02967  .01114   +.01065 ± .01384
//	S03 of it                  .01840  .01988  .01107   +.00148 ± .00243
//	S12 of the outer ring      .02151  .04240  .01052   +.02089 ± .00959
//	S17 at the edge            .31182  .65028  .01665   +.33846 ± .61675
//	all 17                     .08418  .24013  .01130   +.15596 ± .12133
//
// The penalties were tuned in the middle and fail at the edge. "tune=own" chooses them for
// the stations that are left out: on the first third of a file, which is not tested on, or
// on the simulator's five days before the test days.
// So tuned, over all 17: Ridge .02036, FM .03673, iFM .03273, kriging .01133; iFM is .00168
// below Ridge at S02, ± .00189, and .00515 above it at S12, ± .00539.
// At 48° N, in the middle, iFM is .00091 below Ridge, ± .00100.
//
// Why iFM gains: the field is curved, and the zero diagonal forbids the squares of
// displacements. Products of a displacement and an angle, which changes with the
// displacement, replace them. Without the eight angles ("angles=no") its gain nearly
// vanishes. gFM keeps the diagonal and still gains (stride=60):
//
//	                           Ridge   FM      iFM     gFM
//	seed 1                     .01630  .01528  .01426  .01434
//	… without angles           .01714  .01662  .01664  .01537
//	seed 5                     .01649  .01523  .01440  .01380
//	… without angles           .01730  .01690  .01690  .01554
//	seed 6                     .01487  .01400  .01326  .01411
//	… without angles           .01576  .01540  .01540  .01425
//
// The paper does not say how many instants a minute's window holds (here one), whether
// features are scaled (here they are), how K-means starts (here from each satellite's own
// centre), and the least elevation (here 15° at every station).
//
// Table 1 and positions:
//
//	                                   Ridge   LASSO   elastic kernel  FM      iFM     days
//	quoted from the paper              .01621  .01650  .01635  .01895  .01617  .01599  8
//	positions fixed, %                 49.7    49.0    48.9    49.1    50.3    50.2
//	… each believed as its own errors  51.6    51.4    51.3    51.6    51.6    51.7
//	… quoted from the paper            62.7    62.2    63.1    52.1    63.1    64.4
//
// The simulator's level was chosen so that Ridge is near the paper's. So the agreement of
// the levels is no result. Two things are results. In the middle of the net iFM is ahead of
// Ridge and FM if travelling disturbances bend the field, and it gains nothing without
// them. Kernel ridge is not the worst here, as it is in the paper.
//
// Positions are simulated, the mean of four seeds, instead of the paper's commercial
// engine: one epoch, two frequencies, two systems of satellites, from each neighbour of the
// test station in turn, ambiguities by integer least squares. The float solution assumes a
// standard deviation for a predicted delay: 15 mm for all methods, or ("trust=own") the
// error of each method on days 1 to 5. That is 22 mm for Ridge, 18 mm for iFM and FM, 11 mm
// for kriging. Over four seeds iFM is .6 points ahead of Ridge, ± 1.1 at 95 %, and .1
// points, ± .9, with own errors. So the row does not tell the paper's six apart. Without a
// correction 9.6 % are fixed, with the true delays 66.9 %.
//
// Penalties and ranks were chosen on the first five days from the paper's grid: penalties
// of 1e-6 to 1e6, ranks of 1 to 10. The linear methods take the least penalty. A ridge of
// 1e-3 (ifm table1 ridge=0.001) is .0004 worse on seed 1 and fixes a point less. So the
// tuning of the others can explain that much of a lead. Real maps are read from
// $IFMLAB_DATA/ionex/igrg3380.10i.
package vtec

import "ifmlab/core/vtec/sky"

// Method is one of the six that the paper compares, or one of two for reference.
type Method int

// The methods of the paper's Table 1, in its order, then two others. The paper has gFM,
// its iFM with the diagonal, but does not try it here. Kriging is the standard method of
// the field.
const (
	Ridge Method = iota
	LASSO
	ElasticNet
	Kernel
	FM
	IFM
	GFM
	Kriging
	Methods // how many there are
)

// String returns the method's name in links.
func (m Method) String() string {
	return [Methods]string{"ridge", "lasso", "elasticnet", "kernel", "fm", "ifm", "gfm", "kriging"}[m]
}

// InPaper reports whether the paper's Table 1 has the method.
func (m Method) InPaper() bool { return m <= IFM }

// Parameters are the parameters of a method. Each method ignores those that it does not
// have.
type Parameters struct {
	// Penalty is
	//
	//	ridge                λ of ‖Zw − y‖² + λ‖w‖²
	//	LASSO, elastic net   α of ‖Zw − y‖²/(2n) + αρ‖w‖₁ + α(1−ρ)‖w‖²/2
	//	kernel               α of (K + αI)c = y
	//	FM, iFM, gFM         λ of the factors
	//	kriging              the noise, in standard deviations of the field
	Penalty float64
	Linear  float64 // of FM, iFM and gFM: λ of w
	Rank    int     // of FM, iFM and gFM
	// Shape is ρ of the elastic net, γ of the kernel exp(−γ‖z − z′‖²), or the length L of
	// kriging's covariance, km.
	Shape float64
}

// Tuning has the parameters of each method.
type Tuning [Methods]Parameters

// Settings are those of an [Experiment].
type Settings struct {
	Seed    uint64
	Stride  int // minutes between two windows
	Fixes   int // minutes between two attempts to fix a position, 0 for none
	Days    int // at most, from the first of the source's
	Methods []Method
	All     bool       // leave out stations in turn, not only the source's test station
	Blind   bool       // encodings have no angles
	Own     bool       // tune on the first part of the source, and do not test on it
	Before  sky.Source // with Own, the source to tune on instead of that part; or nil
	Tuning  Tuning
	Fixing  Tuning // for the windows in which positions are tried
	// OwnErrors: positions assume each method's error on the simulator's days 1 to 5, not
	// the same error for all.
	OwnErrors bool
}
