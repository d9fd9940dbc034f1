package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/triangular"
)

// drawFactors fills u, d×k, with k orthonormal columns: the thin Q of a Gaussian matrix, so
// ‖U‖₂ = 1. If k > d, u is Gaussian, divided by √d + √k, so ‖U‖₂ is about 1.
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

// orthonormalize replaces u, d×k with k ≤ d, by its thin Q, for a diagonal of R that is not
// negative. It is Gram–Schmidt with every projection done twice, which leaves the columns
// orthogonal to rounding. A column that depends on earlier ones, or is 0, is replaced by a
// unit vector less its projections, that of which most remains. A column is dependent if
// the second projection halves it. O(d·k²).
func orthonormalize(u []float64, d, k int) {
	columns := make([]float64, d*k) // Uᵀ
	for f := range k {
		c := columns[f*d:][:d]
		size := 0.0
		for i := range c {
			c[i] = u[i*k+f]
			size = max(size, math.Abs(c[i]))
		}
		_, exponent := math.Frexp(size)
		for i, v := range c {
			c[i] = math.Ldexp(v, -exponent) // so that squares neither overflow nor vanish
		}
		before := columns[:f*d]
		first := triangular.Project(c, before)
		second := triangular.Project(c, before)
		if !(second > first/2) && !math.IsNaN(second) {
			clear(c)
			c[leastCovered(before, d)] = 1
			triangular.Project(c, before)
			second = triangular.Project(c, before)
		}
		for i := range c {
			c[i] /= second
			u[i*k+f] = c[i]
		}
	}
}

// leastCovered returns the unit vector of which the orthonormal rows of q span least. There
// are fewer than d rows.
func leastCovered(q []float64, d int) int {
	covered := make([]float64, d)
	for i, v := range q {
		covered[i%d] += float64(v * v)
	}
	least := 0
	for i, v := range covered {
		if v < covered[least] {
			least = i
		}
	}
	return least
}
