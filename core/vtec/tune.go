package vtec

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// What the paper tunes over.
const (
	leastDecade, mostDecade = -6, 6 // of penalties: 10⁻⁶ … 10⁶
	leastGamma, mostGamma   = -4, 1 // of the kernel's γ
	mostRank                = 10
)

// What kriging is tuned over; the paper has no such method.
var (
	lengths = [...]float64{100, 150, 200, 300, 450, 700, 1000, 1500, 2500}
	noises  = [...]float64{1, .3, .1, .06, .03, .02, .01, .003}
)

var netRatios = [...]float64{.1, .5, .9}

// Candidates returns what a method is tuned over, penalties falling: λ or α in
// 10⁶, 10⁵ … 10⁻⁶, the elastic net also with ρ in .1, .5, .9, the kernel with γ in
// 10⁻⁴ … 10, FM, iFM and gFM with ranks 1 … 10. Their penalty on w is not tuned again
// but given: w starts from ridge, and what is best for ridge is best for that. Kriging
// has lengths of 100 to 2500 km and noises of 1 to .003, falling.
func Candidates(m Method, linear float64) (all []Tuning) {
	penalties := func(t Tuning) {
		for decade := mostDecade; decade >= leastDecade; decade-- {
			*t.Penalty(m) = math.Pow10(decade)
			all = append(all, t)
		}
	}
	switch m {
	case Ridge, LASSO:
		penalties(Tuning{})
	case ElasticNet:
		for _, ratio := range netRatios {
			penalties(Tuning{NetRatio: ratio})
		}
	case Kernel:
		for decade := leastGamma; decade <= mostGamma; decade++ {
			penalties(Tuning{Gamma: math.Pow10(decade)})
		}
	case FM, IFM, GFM:
		for rank := 1; rank <= mostRank; rank++ {
			penalties(Tuning{FMRank: rank, FMLinear: linear, IFMRank: rank, IFMLinear: linear, GFMRank: rank, GFMLinear: linear})
		}
	case Cubic:
		penalties(Tuning{})
	case Kriging:
		for _, length := range lengths {
			for _, noise := range noises {
				all = append(all, Tuning{Length: length, Noise: noise})
			}
		}
	}
	return all
}

// Penalty returns where the penalty of a method stands; that of kriging is its noise.
func (t *Tuning) Penalty(m Method) *float64 {
	return [Methods]*float64{&t.Ridge, &t.LASSO, &t.ElasticNet, &t.Kernel, &t.FM, &t.IFM, &t.GFM, &t.Cubic, &t.Noise}[m]
}

// Choose sets what of a Tuning belongs to a method as in another.
func (t *Tuning) Choose(m Method, from Tuning) {
	*t.Penalty(m) = *from.Penalty(m)
	switch m {
	case ElasticNet:
		t.NetRatio = from.NetRatio
	case Kernel:
		t.Gamma = from.Gamma
	case FM:
		t.FMRank, t.FMLinear = from.FMRank, from.FMLinear
	case IFM:
		t.IFMRank, t.IFMLinear = from.IFMRank, from.IFMLinear
	case GFM:
		t.GFMRank, t.GFMLinear = from.GFMRank, from.GFMLinear
	case Kriging:
		t.Length = from.Length
	}
}

// Squares fits a method to the training differences once for each candidate, and
// returns the sum of the squares of its errors on the test differences; NaN where
// the candidate cannot be fitted. It gives what Predict does, and shares between
// neighbours what it can: the Gram matrix, starts, the kernel of one γ. (To
// diagonalise the kernel would take longer than its thirteen Cholesky factors.)
// Every start is drawn from start() anew, the same for all candidates.
func (w *Window) Squares(m Method, candidates []Tuning, start func() *rand.Rand) []float64 {
	squares, dst := make([]float64, len(candidates)), make([]float64, len(w.Test))
	fit := w.fits(m, dst, start)
	for i := range candidates {
		if fit(&candidates[i]) != nil {
			squares[i] = math.NaN()
			continue
		}
		kernel.Axpy(-1, w.YTest, dst)
		squares[i] = kernel.Dot(dst, dst)
	}
	return squares
}

// fits returns a function that sets dst to the predictions with a candidate.
func (w *Window) fits(m Method, dst []float64, start func() *rand.Rand) func(t *Tuning) error {
	n := len(w.Train)
	switch m {
	case Ridge, LASSO, ElasticNet:
		clear(w.normal().weights)
		return func(t *Tuning) error {
			switch m {
			case Ridge:
				return w.net(dst, 0, t.Ridge)
			case LASSO:
				return w.net(dst, float64(n)*t.LASSO, 0)
			}
			total := float64(n) * t.ElasticNet
			return w.net(dst, total*t.NetRatio, total*(1-t.NetRatio))
		}
	case Kernel:
		near, nearTest := w.distances()
		k, factor, kTest, c := make([]float64, n*n), make([]float64, n*n), make([]float64, len(nearTest)), make([]float64, n)
		gamma := math.NaN()
		return func(t *Tuning) error {
			if t.Gamma != gamma {
				gamma = t.Gamma
				bumps(k, near, n, gamma)
				linear.Gaussian(kTest, nearTest, gamma)
			}
			copy(factor, k)
			return w.kernelFit(dst, c, factor, kTest, t.Kernel)
		}
	}
	return func(t *Tuning) error { return w.Predict(dst, m, t, start()) }
}
