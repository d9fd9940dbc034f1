package linear

import (
	"encoding/binary"
	"hash/fnv"
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
				a[i*n+j] += float64(b[i*n+k] * b[j*n+k])
			}
		}
		a[i*n+i] += .01
		for j := i + 1; j < n; j++ {
			a[i*n+j] = math.NaN()
		}
	}
	return a
}

func TestCholeskyIsLAPACKs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 70))
	for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 80, 127, 128, 129, 200} { // around the blocks
		a := definite(rng, n)
		want := slices.Clone(a)
		theirs, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Data: want, Stride: max(1, n)})
		require.True(t, ok, "n = %d", n)
		ours, ok := cholesky(a, n)
		require.True(t, ok, "n = %d", n)
		for i := range n {
			require.InDeltaSlice(t, want[i*n:][:i+1], a[i*n:][:i+1], 1e-9, "n = %d: its condition is about 1e6", n)
		}

		b := gaussian(rng, n)
		x := make([]float64, n)
		solveCholesky(x, ours, b)
		lapack64.Potrs(theirs, blas64.General{Rows: n, Cols: 1, Data: b, Stride: 1})
		require.InDeltaSlice(t, b, x, 1e-7, "n = %d", n)
	}
}

// Curves start from it, natively and in every browser, with SIMD and without.
func TestAFactorHasTheSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	digest := fnv.New64a()
	for _, n := range []int{16, 30, 64, 65, 100, 200} {
		l, ok := cholesky(definite(rng, n), n)
		require.True(t, ok)
		x := make([]float64, n)
		solveCholesky(x, l, gaussian(rng, n))
		for i := range n {
			for _, v := range append(l.l[i*n:][:i+1:i+1], x[i]) {
				digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	assert.Equal(t, uint64(0x44ffb04c80fc5a6), digest.Sum64())
}

func TestAMatrixThatIsNotPositiveDefiniteHasNoFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 72))
	for _, n := range []int{1, 2, 64, 65, 130} {
		for _, bad := range []float64{0, -1, math.NaN()} {
			for _, at := range []int{0, n / 2, n - 1} {
				a := definite(rng, n)
				a[at*n+at] = bad
				_, ok := cholesky(a, n)
				assert.False(t, ok, "%g at %d of %d", bad, at, n)
			}
		}
	}
}
