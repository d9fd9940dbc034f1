// Package solve fits the models of package fm. A [Solver] is started once and then
// stepped. The caller decides when to stop ([Stop]).
//
// # Which solver to choose
//
// Choose als for a table with noise, and auto for simulated rows, unless you want to see
// the curves themselves. auto takes gauss-newton for dense rows of at most 500 columns, and
// scaled otherwise.
//
//	als           any rows                   tables: penalties of their own for weights and factors, warm starts
//	gauss-newton  dense rows, d ≤ 500        the truth without noise, with nothing to tune but the rank
//	scaled        any rows                   many columns, sparse rows, one penalty
//	agd           any rows                   the paper's curves
//	algorithm1    drawn, independent columns the theorem itself
//	centred       drawn, independent columns the same with less noise in its first iterations
//	printed       drawn, independent columns Algorithm 1 as the paper prints it: it diverges
//
// als, scaled and agd take row weights and classes. The others refuse both.
//
// Passes over the data until the test RMSE is 1e-6 of the target's standard deviation, for
// d = 100, k = 5 and n = 15000, as median / worst of the seeds. "never" means more than
// 120. ρ is the correlation of neighbouring columns.
//
//	              a, b iFM  c iFM    c, ρ = .3  ρ = .6   ρ = .9   a FM
//	gauss-newton  20 / 28   20 / 20  20 / 20    20 / 20  35 / 50  22 / 22
//	scaled        never     24 / 24  53 / 54    never    never    21 / 21
//	agd           never     33 / 35  71 / 80    never    never    34 / 43
//	algorithm1    22        62       refused    refused  refused  refused
//
// FM's passes are over [w|U] and so half as long. To 1e-10 Gauss–Newton takes 32 / 34
// passes in a and b, 32 / 32 in c and 42 / 57 at ρ = .9. Algorithm 1 needs twice the rank
// in c, because UVᵀ is not symmetric there.
//
// The page draws its first figure with agd, because that is the paper's Figure 1. There
// iFM's error falls like 1/t in a and b, because the truth needs only half of its factors.
// Gauss–Newton works on M's eigenvectors and has no such trouble. So the trouble is the
// solver's, not the model's.
//
// Gauss–Newton works for columns of other kinds too. If a fit ends or is slow, it tries more
// eigenvalues, for iFM with enough rows all of them, which leads out of bad minima. With ten
// rows a parameter and no noise it missed the truth in none of 1600 problems of ten kinds of
// columns. Where neighbours correlate at .97 it was 5 of 160, and 1 of 700 smaller ones. With
// 1.5 rows a parameter it found the truth if each pair of columns meets in more than a few
// rows. It says if more eigenvalues would fit better. With noise the escapes by one
// eigenvalue cost 10 to 30 % more passes in the median, and up to three times as many if the
// rank is below the truth's. Trying all of them adds 8 % at 12 columns and half at 36
// (core/cmd/bench/README.md).
//
// A fit that has converged does not always predict better. On a table, use validation rows
// to choose λ, the rank and when to stop, as the page does.
//
// core/cmd/bench/README.md says how long a sweep of als over a million ratings takes.
package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// Solver fits one model to one problem.
type Solver interface {
	// Start sets the model's factors and returns iteration 0. A descent starts from B
	// and W of the model; Gauss–Newton and Algorithm 1 set them. From here on the model
	// belongs to the solver, which changes it in every Step.
	Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error)
	// Step takes the model one iteration further. After an error it returns
	// that error again.
	Step() (Progress, error)
}

// Problem asks for the minimum of Loss over the rows of Source, each times its weight, plus
// Penalty.
type Problem struct {
	Source  Batches
	Loss    Loss
	Penalty Penalty
}

// Batch has the rows of one iteration. Z is n×d and Y has n targets. Weight is nil, for 1
// each, or has n finite numbers of at least 0. A row of weight 2 counts as two rows.
type Batch struct {
	Z      design.Design
	Y      []float64
	Weight []float64
}

// Batches gives each iteration its rows.
type Batches interface {
	// Next returns the rows of the next iteration.
	Next() (Batch, error)
	// Fixed reports whether Next returns the same rows each time. Solvers that keep
	// products with the rows require it.
	Fixed() bool
}

// Whole returns a source that gives every iteration all rows.
func Whole(z design.Design, y []float64) Batches { return Weighted(z, y, nil) }

// Weighted is [Whole] for rows with weights, nil for 1 each.
func Weighted(z design.Design, y, weight []float64) Batches { return fixedBatch{z, y, weight} }

type fixedBatch Batch

func (w fixedBatch) Next() (Batch, error) { return Batch(w), nil }
func (w fixedBatch) Fixed() bool          { return true }

// squaredRows is fixedRows for a solver of the plain squared loss. It also returns an
// [*UnsupportedError] for another loss and for weights.
func squaredRows(solver string, p Problem, m *fm.Model) (Batch, error) {
	batch, err := fixedRows(solver, p, m)
	if err == nil {
		err = squaredOnly(solver, p.Loss, batch)
	}
	return batch, err
}

// squaredOnly returns an [*UnsupportedError] unless the loss is squared and no row has a
// weight.
func squaredOnly(solver string, loss Loss, batch Batch) error {
	switch {
	case loss > Logistic:
		return unknownLoss(solver)
	case loss != Squared:
		return &UnsupportedError{Solver: solver, What: "classes", Instead: "use the solver als"}
	case batch.Weight != nil:
		return &UnsupportedError{Solver: solver, What: "weights of rows", Instead: "use the solver als"}
	}
	return nil
}

// fixedRows returns the rows of a problem, for a solver that keeps products with them. It
// returns an [*UnsupportedError] for rows that change, an [*invalid.ShapeError] if rows,
// targets, weights and model do not fit together, an [*invalid.WeightError] for invalid
// weights, and an [*invalid.ClassError] for a target that is no class.
func fixedRows(solver string, p Problem, m *fm.Model) (Batch, error) {
	if p.Loss > Softmax || p.Loss == Softmax && solver != "ALS" {
		return Batch{}, unknownLoss(solver)
	}
	if !p.Source.Fixed() {
		return Batch{}, &UnsupportedError{Solver: solver, What: "rows that change from one iteration to the next", Instead: "give it all rows at once"}
	}
	batch, err := p.Source.Next()
	if err != nil {
		return Batch{}, err
	}
	if err := shapes(batch, m.D, 1); err != nil {
		return Batch{}, err
	}
	rows := invalid.Rows{Package: "solve"}
	if err := rows.Weights(batch.Weight); err != nil {
		return Batch{}, err
	}
	if p.Loss == Logistic {
		if err := rows.Classes(batch.Y); err != nil {
			return Batch{}, err
		}
	}
	return batch, nil
}

// shapes returns an [*invalid.ShapeError] unless a batch has at least least rows, all
// matching, and the given number of columns.
func shapes(batch Batch, columns, least int) error {
	n, d := batch.Z.Dims()
	if n < least {
		return invalid.Shape("solve", "there are %d rows, expected at least %d. Give the solver more training rows", n, least)
	}
	weights := n
	if batch.Weight != nil {
		weights = len(batch.Weight)
	}
	for _, of := range [...]struct {
		name        string
		found, want int
	}{{"targets", len(batch.Y), n}, {"columns of the model", columns, d}, {"weights", weights, n}} {
		if of.found != of.want {
			return invalid.Shape("solve", "there are %d %s, expected %d as in the design", of.found, of.name, of.want)
		}
	}
	return nil
}

func unknownLoss(solver string) error {
	return &UnsupportedError{Solver: solver, What: "this loss", Instead: "use the squared one"}
}

// Loss is the loss of a prediction f of a target y.
type Loss uint8

// The losses, for one row.
const (
	Squared  Loss = iota // ½(f − y)²
	Logistic             // log(1 + eᶠ) − y·f for y of 0 or 1; f are the log-odds of 1
	Softmax              // log Σ e^fₖ − f of class y, for models with scores of classes 0, 1, …; for ALS alone
)

// Penalty is the penalty on coefficients, ½·L2·(‖w‖² + ‖U‖² + ‖V‖²), without the bias. It
// is a total: a penalty of λ a row is n·λ here. [GaussNewton] differs: it adds L2·‖L̃‖² for
// its whitened interactions, and nothing for w.
type Penalty struct{ L2 float64 }

// L2 returns the penalty ½·lambda·(‖w‖² + ‖U‖² + ‖V‖²).
func L2(lambda float64) Penalty { return Penalty{L2: lambda} }

// Progress describes a fit after an iteration, on training rows only, in the unit of the
// targets that the solver was given.
type Progress struct {
	Iteration int     // 0 is the start
	Loss      float64 // with the penalty
	// RMSE is √(Σc(f − y)²/Σc) for row weights c, without the penalty. For the logistic
	// loss it is that of the probability, √(Σc(p − y)²/Σc).
	RMSE    float64
	LogLoss float64 // the weighted mean of the logistic loss, without the penalty; else 0
	// Passes is the work so far. A pass is a forward and an adjoint product of all rows
	// and all columns of [w|U|V]. Gram matrices count by their multiply-adds.
	Passes float64
	// Rejected says that the iteration's steps were rejected or above the model's rank. The
	// model is the same, and the next iteration goes on.
	Rejected bool
	// Stop is why the solver cannot go on, the end of a sentence such as "the gradient is
	// 0". It is "" while it can. Another Step changes nothing then.
	Stop string
}

// Stop decides when a fit ends. Set the rules, then call Reason after every iteration,
// including iteration 0. A rule of 0 never applies.
type Stop struct {
	Iterations int     // this many
	Tolerance  float64 // an iteration lowered the training loss by less than this share of it
	Little     float64 // falls of a smaller loss are measured against this one
	Patience   int     // this many in a row without a lower validation RMSE

	loss          float64 // of the last iteration
	best          float64 // validation RMSE
	bestIteration int
	started       bool // Reason was called
}

// Reason returns why to stop after this iteration, the end of a sentence such as "150
// iterations done", or "" to go on. valid is the RMSE on validation rows. It is NaN
// without them, and Patience never applies then.
func (s *Stop) Reason(p Progress, valid float64) string {
	first, last := !s.started, s.loss
	s.started, s.loss = true, p.Loss
	if first || valid < s.best || math.IsNaN(s.best) {
		s.best, s.bestIteration = valid, p.Iteration
	}
	if p.Rejected { // there is no new model to validate
		s.bestIteration++
	}
	switch {
	case p.Stop != "":
		return p.Stop
	case s.Tolerance > 0 && !first && !p.Rejected && last-p.Loss < s.Tolerance*max(last, s.Little):
		return message.Sprintf("the training loss fell by less than a share of %g", s.Tolerance)
	case s.Tolerance > 0 && p.Loss == 0:
		return "the training loss is 0"
	case s.Patience > 0 && !math.IsNaN(valid) && p.Iteration-s.bestIteration >= s.Patience:
		return message.Sprintf("no better on validation rows for %d iterations", s.Patience)
	case s.Iterations > 0 && p.Iteration >= s.Iterations:
		return message.Sprintf("%d iterations done", s.Iterations)
	}
	return ""
}

// DivergedError says that a fit ended because its loss is not finite or above ten times
// its start.
type DivergedError struct {
	Iteration   int
	Began       int // the first iteration of the last rise of the loss
	Loss, Start float64
	Instead     string // what to do; "" for the general advice
}

func (e *DivergedError) Error() string {
	if e.Iteration == 0 {
		return message.Sprintf("solve: training loss is %g before the first iteration; look for values that are too large to square, in the columns, the target or the start", e.Loss)
	}
	return "solve: " + e.Sentence()
}

func (*DivergedError) Kind() string { return "DivergedError" }

// Sentence is Error without the package, for a reader who watched the fit.
func (e *DivergedError) Sentence() string {
	instead := e.Instead
	if instead == "" {
		instead = "scale the columns, or raise the penalty"
	}
	return message.Sprintf("the training loss is %.3g at iteration %d, after %.3g at the start, and has risen since iteration %d; %s", e.Loss, e.Iteration, e.Start, e.Began, instead)
}

// UnsupportedError says that a solver does not take this kind of problem.
type UnsupportedError struct{ Solver, What, Instead string }

func (e *UnsupportedError) Error() string {
	return message.Sprintf("solve: %s does not take %s; %s", e.Solver, e.What, e.Instead)
}

func (*UnsupportedError) Kind() string { return "UnsupportedError" }
