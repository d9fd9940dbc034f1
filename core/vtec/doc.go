// Package vtec is the paper's experiment on the ionosphere: six methods learn,
// every minute anew, the vertical total electron content (vTEC) over a net of
// stations, and are tested on the station that they have not seen.
//
// What the net sees is the business of package sky. One [sky.Snapshot] of it becomes
// one [Window]: the encodings of its pierce points and their double differences. A
// [Method] is fitted to those of the training stations and predicts those of the
// test station; package position says what the predictions are good for. An
// [Experiment] does that for every window and every method; windows share nothing,
// so any number of them may run at once, in any order, and give the same bits.
//
// Units are those of package sky; windows begin with a minute.
package vtec

// Method is one of the six that the paper compares.
type Method int

// The methods, in the order of the paper's Table 1.
const (
	Ridge Method = iota
	LASSO
	ElasticNet
	Kernel
	FM
	IFM
	Methods // how many there are
)

// String returns the name that a link has for the method.
func (m Method) String() string {
	return [Methods]string{"ridge", "lasso", "elasticnet", "kernel", "fm", "ifm"}[m]
}

// Tuning is what is chosen for each method on the first five days.
type Tuning struct {
	Ridge      float64 // λ of ‖Zw − y‖² + λ‖w‖²
	LASSO      float64 // α of ‖Zw − y‖²/(2n) + α‖w‖₁
	ElasticNet float64 // α of ‖Zw − y‖²/(2n) + αρ‖w‖₁ + α(1−ρ)‖w‖²/2
	NetRatio   float64 // ρ
	Kernel     float64 // α of (K + αI)c = y
	Gamma      float64 // of K = exp(−γ‖z − z′‖²)
	FMRank     int
	FM         float64 // λ of the factors
	FMLinear   float64 // λ of w
	IFMRank    int
	IFM        float64
	IFMLinear  float64
}

// Settings are those of an [Experiment].
type Settings struct {
	Seed    uint64
	Stride  int // minutes between two windows
	Fixes   int // minutes between two attempts to fix a position, 0 for none
	Days    int // at most, from the first of the source's
	Methods []Method
	Tuning  Tuning
	Fixing  Tuning // of the windows in which positions are tried
}
