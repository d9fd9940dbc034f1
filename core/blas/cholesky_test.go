package blas

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// definite returns a random matrix with the eigenvalues of a Gram matrix, and NaN
// above its diagonal.
func definite(rng *rand.Rand, n int) []float64 {
	b, a := gaussian(rng, n*n), make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			for k := range n {
				a[i*n+j] += b[i*n+k] * b[j*n+k]
			}
		}
		a[i*n+i] += .01
		for j := i + 1; j < n; j++ {
			a[i*n+j] = math.NaN()
		}
	}
	return a
}

func bits(x []float64) (out []uint64) {
	for _, v := range x {
		out = append(out, math.Float64bits(v))
	}
	return out
}

// Curves start from it: to leave gonum out must not change one.
func TestCholeskyHasTheBitsOfLAPACKs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 70))
	for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 80, 127, 128, 129, 200} {
		a := definite(rng, n)
		want := slices.Clone(a)
		l, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Data: want, Stride: max(1, n)})
		require.True(t, ok, "n = %d", n)
		require.True(t, Cholesky(a, n), "n = %d", n)
		require.Equal(t, bits(want), bits(a), "n = %d", n)

		b := gaussian(rng, n)
		x := slices.Clone(b)
		lapack64.Potrs(l, blas64.General{Rows: n, Cols: 1, Data: b, Stride: 1})
		SolveCholesky(a, n, x)
		require.Equal(t, bits(b), bits(x), "n = %d", n)
	}
}

func TestTheSolutionOfACholeskyFactorSolvesTheSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	const n = 100
	a := definite(rng, n)
	l, x := slices.Clone(a), gaussian(rng, n)
	b := make([]float64, n)
	for i := range n {
		for j := range n {
			b[i] += a[max(i, j)*n+min(i, j)] * x[j]
		}
	}
	require.True(t, Cholesky(l, n))
	SolveCholesky(l, n, b)
	for i := range n {
		assert.InDelta(t, x[i], b[i], 1e-7, "its condition is about 1e6")
	}
}

func TestAMatrixThatIsNotPositiveDefiniteHasNoFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 72))
	for _, n := range []int{1, 2, 64, 65, 130} {
		for _, bad := range []float64{0, -1, math.NaN()} {
			for _, at := range []int{0, n / 2, n - 1} {
				a := definite(rng, n)
				a[at*n+at] = bad
				assert.False(t, Cholesky(a, n), "%g at %d of %d", bad, at, n)
			}
		}
	}
}
