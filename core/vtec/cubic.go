package vtec

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// cubics is the number of monomials of degree 1 to 3 in two numbers.
const cubics = 9

// cubic predicts the test differences with a cubic for each satellite, which is not in the
// paper:
//
//	v(x) = Σ β_sab·x₁ᵃ·x₂ᵇ   over 1 ≤ a + b ≤ 3, of the satellite s
//	min ‖y − Zβ‖² + λ‖β‖²
//
// with x₁ and x₂ to the east and the north of the middle of the satellite's training
// points, and Z the double differences of the 9·M monomials, each divided by its root mean
// square. Delays along the signals are the cubic divided by cos θ.
//
// It returns a [*linear.PenaltyError] or an [*invalid.NotFiniteError], and costs
// O(n·(9M)² + (9M)³/3).
func (w *Window) cubic(dst []float64, lambda float64) error {
	if err := penalty(lambda); err != nil {
		return err
	}
	n, d := len(w.Train), cubics*w.M
	points := w.monomials()
	z, zTest := w.monomialDifferences(w.Train, points), w.monomialDifferences(w.Test, points)
	gram, beta, scale := make([]float64, d*d), make([]float64, d), make([]float64, d)
	for j := range d {
		square := 0.0
		for i := range n {
			square += float64(z[i*d+j] * z[i*d+j])
		}
		if square > 0 {
			scale[j] = 1 / math.Sqrt(square)
		}
		for i := range n {
			z[i*d+j] *= scale[j]
		}
	}
	// All divided by n: the columns are of length 1.
	kernel.Gemm(d, d, n, 1, z, 1, d, z, d, 1, gram, d)
	kernel.Gemm(d, 1, n, 1, z, 1, d, w.Y, 1, 1, beta, 1)
	for j := range d {
		gram[j*d+j] += lambda/float64(n) + smallestDamping
	}
	for i := range gram {
		gram[i] /= 1 + lambda/float64(n)
	}
	l, ok := linear.NewCholesky(gram, d)
	if !ok {
		return notFinite(Cubic)
	}
	l.Forward(beta, 1)
	l.Backward(beta)
	for j := range beta {
		beta[j] *= scale[j] / (1 + lambda/float64(n))
	}
	clear(dst)
	kernel.Gemm(len(dst), 1, d, 1, zTest, d, 1, beta, 1, 1, dst, 1)
	for _, v := range dst {
		if v-v != 0 {
			return notFinite(Cubic)
		}
	}
	return nil
}

// monomials returns the nine monomials of each point, about the middle of its satellite's
// training points, in units of 100 km.
func (w *Window) monomials() [][cubics]float64 {
	_, x, y := w.local()
	all := make([][cubics]float64, len(w.points))
	for s := range w.M {
		from, to := s*w.stations, (s+1)*w.stations
		var middle [2]float64
		for p := from; p < to; p++ {
			if p-from != w.test {
				middle[0] += x[p] / float64(w.stations-1)
				middle[1] += y[p] / float64(w.stations-1)
			}
		}
		for p := from; p < to; p++ {
			a, b := (x[p]-middle[0])/100, (y[p]-middle[1])/100
			all[p] = [cubics]float64{a, b, a * a, a * b, b * b, a * a * a, a * a * b, a * b * b, b * b * b}
			for j := range all[p] {
				all[p][j] *= w.slantFactor(p)
			}
		}
	}
	return all
}

// monomialDifferences returns the double differences of the monomials. Every satellite has
// its own columns.
func (w *Window) monomialDifferences(of []Difference, points [][cubics]float64) []float64 {
	d := cubics * w.M
	z := make([]float64, len(of)*d)
	for i, v := range of {
		for k, p := range v.Points {
			row := z[i*d+int(p)/w.stations*cubics:][:cubics]
			for j, m := range points[p] {
				row[j] += float64(signs[k] * m)
			}
		}
	}
	return z
}
