package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRowsAlikeAreAtDistanceZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 55))
	const d = 24
	a := gaussian(rng, 70*d)
	copy(a[69*d:], a[:d])
	squares := make([]float64, 70*70)
	Distances(squares, a, nil, d)
	assert.Zero(t, squares[69*70])
	for i := range 70 {
		assert.Zero(t, squares[i*70+i])
	}
	whole := make([]float64, 70*70)
	Distances(whole, a, a, d)
	for i := range 70 {
		for j := range i + 1 {
			want := 0.0
			for k := range d {
				want += (a[i*d+k] - a[j*d+k]) * (a[i*d+k] - a[j*d+k])
			}
			require.InDelta(t, want, squares[i*70+j], 1e-13)
			require.InDelta(t, want, whole[i*70+j], 1e-13)
		}
	}
}

func TestTheKernelsEquationIsSolved(t *testing.T) {
	const n, d, gamma = 70, 3, .3
	rng := rand.New(rand.NewPCG(1, 56))
	rows, y, k, c := gaussian(rng, n*d), gaussian(rng, n), make([]float64, n*n), make([]float64, n)
	for _, alpha := range []float64{1e-3, 1, 100} {
		Distances(k, rows, nil, d)
		Gaussian(k, k, gamma)
		require.NoError(t, SolveKernel(c, k, y, alpha))
		for i := range n {
			sum := alpha * c[i]
			for j := range n {
				square := 0.0
				for at := range d {
					square += (rows[i*d+at] - rows[j*d+at]) * (rows[i*d+at] - rows[j*d+at])
				}
				sum += c[j] * math.Exp(-gamma*square)
			}
			require.InDelta(t, y[i], sum, 1e-9, "α = %g, row %d: rounding of 70 numbers of up to 1e4", alpha, i)
		}
	}
}

func TestRowsAlikeNeedAPenalty(t *testing.T) {
	alike := func() []float64 { return []float64{1, 0, 0, .5, 1, 0, 1, .5, 1} } // the lower triangle of K
	y, c := []float64{1, 2, 3}, make([]float64, 3)
	assert.EqualError(t, SolveKernel(c, alike(), y, 0), "linear: the matrix of the kernel is singular with a penalty of 0: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ")
	assert.NoError(t, SolveKernel(c, alike(), y, 1e-10), "as the message promises")
}
