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

// mostTunings is the largest number of windows for tuning, evenly spread.
const mostTunings = 30

// Candidates returns the candidates for tuning a method: for each rank and shape, falling
// penalties. The grids of ridge, LASSO, the elastic net and the kernel are the
// paper's: penalties of 10⁶, 10⁵ … 10⁻⁶, ρ of .1, .5 and .9, γ of 10⁻⁴ … 10. FM, iFM and
// gFM have fewer penalties and ranks than in the paper, but several penalties of w,
// because one suits only the middle of the simulator's net.
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
		clear(w.normals().weights)
		fit = func(p Parameters) error { return w.net(dst, m, p) }
	case Kernel:
		n := len(w.Train)
		near, nearTest := w.distances()
		k, factor, kTest, c := make([]float64, n*n), make([]float64, n*n), make([]float64, len(nearTest)), make([]float64, n)
		gamma := math.NaN()
		fit = func(p Parameters) error {
			if p.Shape != gamma {
				gamma = p.Shape
				gaussians(k, near, n, gamma)
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

// Tuned has the errors of the methods' candidates in one window.
type Tuned struct {
	Test     int
	Squares  []float64 // Σ (y − ŷ)², m², of each candidate of each method, in order; NaN if it cannot be fitted
	Unusable string    // why the window is of no use, as a sentence; or ""
}

// splitForTuning splits the instants of a source. Methods are tuned on the first part and
// tested on the rest. The first part is a third of the days, if there are at least three
// and their first third is not empty, else a third of the minutes.
func splitForTuning(all []sky.Instant, days int) (first, rest []sky.Instant) {
	n := 0
	for days >= fewestDays && n < len(all) && all[n].Day < days/3 {
		n++
	}
	if n == 0 {
		n = len(all) / 3
	}
	return all[:n], all[n:]
}

// evenlySpread returns at most most of the instants, evenly spread.
func evenlySpread(all []sky.Instant, most int) (some []sky.Instant) {
	n := min(most, len(all))
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// Tunings returns the instants of the windows for tuning, none unless the settings ask for
// it. They are not among Windows, and on other days if there are at least three.
func (e *Experiment) Tunings() []sky.Instant { return e.tunings }

// Tune fits every candidate of every method to the i-th of Tunings and tests it there. If
// stations are left out in turn, it takes one after the other, or every second, third … if
// there are fewer windows. Its errors are those of Window. A window of eight satellites
// takes about a second.
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

// Choose returns the parameters with the least squares for each method of the experiment.
// Other methods keep those of the settings. sums are the sums of [Tuned].Squares over all
// windows. Choose returns a [*SettingError] if a method has no candidate with a fit in
// each window.
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
