package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/kernel"
)

// drawFactors fills u, d×k, with k orthonormal columns: the thin Q of a
// Gaussian matrix, so ‖U‖₂ = 1. Where k > d there are none; u is then Gaussian
// itself, divided by √d + √k, which brings ‖U‖₂ to about 1 as well.
func drawFactors(u []float64, d, k int, rng *rand.Rand) {
	for i := range u {
		u[i] = rng.NormFloat64()
	}
	if k <= d {
		orthonormalize(u, d, k)
		return
	}
	scale := 1 / (math.Sqrt(float64(d)) + math.Sqrt(float64(k)))
	for i := range u {
		u[i] *= scale
	}
}

// orthonormalize replaces u, d×k and of full column rank, by its thin Q with a
// positive diagonal of R. It is Gram–Schmidt with every projection done twice,
// which leaves the columns orthogonal to rounding. O(d·k²).
func orthonormalize(u []float64, d, k int) {
	columns := make([]float64, d*k) // Uᵀ
	for i := range d {
		for f := range k {
			columns[f*d+i] = u[i*k+f]
		}
	}
	for f := range k {
		c := columns[f*d:][:d]
		for range 2 {
			for e := range f {
				q := columns[e*d:][:d]
				kernel.Axpy(-kernel.Dot(q, c), q, c)
			}
		}
		norm := math.Sqrt(kernel.Dot(c, c))
		for i := range c {
			c[i] /= norm
			u[i*k+f] = c[i]
		}
	}
}
