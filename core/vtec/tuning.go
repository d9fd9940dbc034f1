package vtec

import (
	"errors"
	"math"
	"math/rand/v2"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/message"
	"ifmlab/core/vtec/sky"
)

// Parameters are what is chosen for a method. A method without a rank, say, ignores it.
type Parameters struct {
	Penalty float64 // ridge, cubic: λ of ‖Zw − y‖² + λ‖w‖². LASSO, elastic net: α of ‖Zw − y‖²/(2n) + αρ‖w‖₁ + α(1−ρ)‖w‖²/2. Kernel: α of (K + αI)c = y. FM, iFM, gFM: λ of the factors. Kriging: the noise, in standard deviations of the field
	Linear  float64 // FM, iFM, gFM: λ of w
	Rank    int     // FM, iFM, gFM
	Shape   float64 // elastic net: ρ. Kernel: γ of K = exp(−γ‖z − z′‖²). Kriging: the length L of the covariance, km
}

// Tuning has the parameters of each method.
type Tuning [Methods]Parameters

// mostTunings is how many windows an experiment is tuned on at most, evenly spread.
const mostTunings = 30

// Candidates returns what a method is tuned over, of shapes and ranks each with
// penalties that fall. Those of ridge, LASSO, the elastic net, the kernel and cubics are
// the paper's: penalties of 10⁶, 10⁵ … 10⁻⁶, ρ of .1, .5 and .9, γ of 10⁻⁴ … 10. FM, iFM
// and gFM have fewer penalties and ranks than there, but penalties of w as well: the
// paper's suit the middle of the simulator's net alone.
func Candidates(m Method) (all []Parameters) {
	penalties := []float64{1e6, 1e5, 1e4, 1e3, 100, 10, 1, .1, .01, 1e-3, 1e-4, 1e-5, 1e-6}
	ranks, linear, shapes := []int{0}, []float64{0}, []float64{0}
	switch m {
	case ElasticNet:
		shapes = []float64{.1, .5, .9}
	case Kernel:
		shapes = []float64{1e-4, 1e-3, .01, .1, 1, 10}
	case FM, IFM, GFM:
		ranks, linear, penalties = []int{1, 3, 10}, []float64{1, 1e-3, 1e-6}, []float64{10, 1, .1, 1e-3, 1e-5}
	case Kriging:
		shapes, penalties = []float64{100, 150, 200, 300, 450, 700, 1000, 1500, 2500}, []float64{1, .3, .1, .06, .03, .02, .01, .003}
	}
	for _, rank := range ranks {
		for _, l := range linear {
			for _, shape := range shapes {
				for _, penalty := range penalties {
					all = append(all, Parameters{penalty, l, rank, shape})
				}
			}
		}
	}
	return all
}

// Squares fits a method to the training differences once for each candidate. It returns
// the sum of the squares of its errors on the test differences, NaN for a candidate that
// cannot be fitted. Neighbours share the Gram matrix, starts, and the kernel of one γ.
// (To diagonalise the kernel would take longer than its thirteen Cholesky factors.)
// Each candidate draws the same start, from start().
func (w *Window) Squares(m Method, candidates []Parameters, start func() *rand.Rand) []float64 {
	squares, dst := make([]float64, len(candidates)), make([]float64, len(w.Test))
	fit := func(p Parameters) error { return w.Predict(dst, m, p, start()) }
	switch m {
	case Ridge, LASSO, ElasticNet:
		clear(w.normal().weights)
		fit = func(p Parameters) error { return w.net(dst, m, p) }
	case Kernel:
		n := len(w.Train)
		near, nearTest := w.distances()
		k, factor, kTest, c := make([]float64, n*n), make([]float64, n*n), make([]float64, len(nearTest)), make([]float64, n)
		gamma := math.NaN()
		fit = func(p Parameters) error {
			if p.Shape != gamma {
				gamma = p.Shape
				bumps(k, near, n, gamma)
				linear.Gaussian(kTest, nearTest, gamma)
			}
			copy(factor, k)
			return w.kernelFit(dst, c, factor, kTest, p.Penalty)
		}
	}
	for i, p := range candidates {
		if fit(p) != nil {
			squares[i] = math.NaN()
			continue
		}
		kernel.Axpy(-1, w.YTest, dst)
		squares[i] = kernel.Dot(dst, dst)
	}
	return squares
}

// Tuned is what one window says of the candidates of the methods.
type Tuned struct {
	Test     int
	Squares  []float64 // Σ (y − ŷ)², m²: of each candidate of each method, in their orders; NaN where one cannot be fitted
	Unusable string    // why the window cannot be used, as a sentence; "" where it can
}

// firstPart parts what a source has in two: methods are tuned on the first, and tested
// on the rest. It is a third of the days where there are three at least and their
// first third has a minute, else a third of the minutes.
func firstPart(all []sky.Instant, days int) (first, rest []sky.Instant) {
	n := 0
	for days >= fewestDays && n < len(all) && all[n].Day < days/3 {
		n++
	}
	if n == 0 {
		n = len(all) / 3
	}
	return all[:n], all[n:]
}

// thin returns some of them, evenly spread.
func thin(all []sky.Instant, most int) (some []sky.Instant) {
	n := min(most, len(all))
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// Tunings returns when the windows are that methods are tuned on; none unless the
// settings ask for it. None of them is among Windows, nor of their days where there are
// three at least.
func (e *Experiment) Tunings() []sky.Instant { return e.tunings }

// Tune fits every method with every candidate to the i-th of Tunings and tests it
// there; of stations that are left out in turn it takes one after the other, or every
// second, third … where there are fewer windows. Its errors
// are those of Window. A window of eight satellites takes some second.
func (e *Experiment) Tune(i int) (Tuned, error) {
	at := e.tunings[i]
	s, err := e.tuning.Snapshot(at.Day, at.Minute)
	if err != nil {
		if u, ok := errors.AsType[*sky.UnusableError](err); ok {
			return Tuned{Unusable: u.Reason}, nil
		}
		return Tuned{}, err
	}
	net := e.network
	net.Test = e.Station(i)
	if stations, n := len(e.stations), len(e.tunings); n < stations {
		net.Test = e.stations[i*stations/n]
	}
	w, err := e.window(&net, &s)
	if err != nil {
		return Tuned{Unusable: reason(err)}, nil
	}
	t := Tuned{Test: len(w.Test)}
	for _, m := range e.settings.Methods {
		t.Squares = append(t.Squares, w.Squares(m, Candidates(m), func() *rand.Rand { return random(at, e.settings.Seed, forStarts) })...)
	}
	return t, nil
}

// Choose returns the tuning with the least squares of each method, the settings' own of
// methods that are not in the experiment. sums are those of [Tuned].Squares over all
// windows. It returns a [*SettingError] where a method has no candidate with a fit in
// all of them.
func (e *Experiment) Choose(sums []float64) (Tuning, error) {
	chosen := e.settings.Tuning
	for _, m := range e.settings.Methods {
		least := math.Inf(1)
		for _, p := range Candidates(m) {
			if len(sums) == 0 {
				break
			}
			if sums[0] < least {
				least, chosen[m] = sums[0], p
			}
			sums = sums[1:]
		}
		if math.IsInf(least, 1) {
			return Tuning{}, &SettingError{message.Sprintf("%s has no tuning that fits each of %d windows of the first part; choose other methods, or a file with more of it", m, len(e.tunings))}
		}
	}
	return chosen, nil
}
