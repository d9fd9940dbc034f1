package triangular

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// product returns A = BᵀB of d columns with the given number of random rows.
func product(rows, d int) []float64 {
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	a := make([]float64, d*d)
	for range rows {
		b := make([]float64, d)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		for i := range a {
			a[i] += b[i/d] * b[i%d]
		}
	}
	return a
}

func TestASystemIsSolved(t *testing.T) {
	const d = 7
	for rows, definite := range map[int]bool{3: false, 20: true} {
		a := product(rows, d)
		x, b := make([]float64, d), make([]float64, d)
		for i := range x {
			for j := range d {
				b[i] += a[i*d+j] * float64(j-2)
			}
		}
		copy(x, b)
		l := append([]float64(nil), a...)
		assert.Equal(t, definite, Cholesky(l, d, 1e-14))
		Forward(l, x)
		Backward(l, x)
		for i := range x {
			sum := 0.0
			for j, v := range x {
				sum += a[i*d+j] * v
			}
			assert.InDelta(t, b[i], sum, 1e-8)
		}
		if !definite {
			assert.Equal(t, make([]float64, d-rows), x[rows:], "an unknown that depends on others is 0")
		}
	}
}

func TestWhatIsNotDefiniteSaysSo(t *testing.T) {
	assert.False(t, Cholesky([]float64{1, 0, 2, 1}, 2, 0))
	copied := []float64{1, 0, 0, 1, 1, 0, 1, 1, 5}
	assert.False(t, Cholesky(copied, 3, 0))
	assert.Equal(t, []float64{1, 0, 0, 1, 0, 0, 1, 0, 2}, copied, "the second column is the first")
	assert.False(t, Cholesky([]float64{math.NaN()}, 1, 0))
}

func TestAProjectionLeavesWhatIsOrthogonal(t *testing.T) {
	c := []float64{3, 4, 5}
	assert.Equal(t, 5.0, Project(c, []float64{1, 0, 0, 0, 1, 0}))
	assert.Equal(t, []float64{0, 0, 5}, c)
}
