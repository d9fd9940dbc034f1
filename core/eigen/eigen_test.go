package eigen_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/eigen"
)

// Orthonormal vectors that make the matrix with their values are its eigenvectors.
func TestEigenvectorsAreOrthonormalAndMakeTheMatrix(t *testing.T) {
	rng := random(1)
	symmetric := func(d int, at func(i, j int) float64) []float64 {
		a := make([]float64, d*d)
		for i := range d {
			for j := range i + 1 {
				a[i*d+j] = at(i, j)
				a[j*d+i] = a[i*d+j]
			}
		}
		return a
	}
	normal := func(i, j int) float64 { return rng.NormFloat64() }
	pair := gaussian(rng, 2*30)
	for name, a := range map[string][]float64{
		"one number":             {-3},
		"nothing":                {},
		"two by two":             symmetric(2, normal),
		"Gaussian":               symmetric(37, normal),
		"larger":                 symmetric(100, normal),
		"zero":                   make([]float64, 25),
		"identity":               symmetric(9, func(i, j int) float64 { return float64((j + 1) / (i + 1)) }),
		"rank two":               symmetric(30, func(i, j int) float64 { return pair[i]*pair[j] - pair[30+i]*pair[30+j] }),
		"diagonal":               symmetric(12, func(i, j int) float64 { return float64((j+1)/(i+1)) * float64(i%5-2) }),
		"large":                  symmetric(10, func(i, j int) float64 { return 1e120 * rng.NormFloat64() }),
		"small":                  symmetric(10, func(i, j int) float64 { return 1e-120 * rng.NormFloat64() }),
		"graded":                 symmetric(20, func(i, j int) float64 { return math.Pow(10, -float64(i)) * rng.NormFloat64() }),
		"ones":                   symmetric(16, func(i, j int) float64 { return 1 }),
		"an exchange of columns": symmetric(6, func(i, j int) float64 { return float64(1 - min(1, max(i+j-5, 5-i-j))) }),
	} {
		d := int(math.Round(math.Sqrt(float64(len(a)))))
		values, vectors := decomposed(a, d)
		require.Len(t, values, d, name)
		if d == 0 {
			continue
		}
		size := 0.0
		for _, v := range values {
			size = max(size, math.Abs(v))
		}
		// Rounding of d² rotations that are orthogonal: a few times d·1e-16 of the largest.
		near := 1e-14 * float64(d)
		q := mat.NewDense(d, d, vectors)
		var gram, scaled, back mat.Dense
		gram.Mul(q, q.T())
		scaled.Apply(func(i, j int, v float64) float64 { return values[i] * v }, q)
		back.Mul(q.T(), &scaled)
		for i := range d {
			for j := range d {
				assert.InDelta(t, max(0, 1-math.Abs(float64(i-j))), gram.At(i, j), near, "%s: orthonormal at %d, %d", name, i, j)
				assert.InDelta(t, a[i*d+j], back.At(i, j), near*size, "%s: the matrix at %d, %d", name, i, j)
			}
		}
	}
}

func decomposed(a []float64, d int) (values, vectors []float64) {
	e := eigen.New(d)
	e.Of(append([]float64{}, a...), d)
	return e.Values, e.Vectors
}

// Among them are all the ways in which a matrix falls apart or a shift is 0.
func TestEverySmallMatrixOfMinusOneZeroAndOneIsDecomposed(t *testing.T) {
	const n = 4
	e, a, work := eigen.New(n), make([]float64, n*n), make([]float64, n*n)
	for code := range 59049 { // 3¹⁰ symmetric matrices
		for i := range n {
			for j := range i + 1 {
				v := float64(code%3 - 1)
				a[i*n+j], a[j*n+i] = v, v
				code /= 3
			}
		}
		copy(work, a)
		e.Of(work, n)
		for i := range n {
			for j := range n {
				product := 0.0
				for f := range n {
					product += e.Values[f] * e.Vectors[f*n+i] * e.Vectors[f*n+j]
				}
				if !(math.Abs(product-a[i*n+j]) < 1e-13) { // eigenvalues of at most 4, a few dozen roundings
					require.InDelta(t, a[i*n+j], product, 1e-13, "%v", a)
				}
			}
		}
	}
}

// gaussianMatrix is symmetric, n×n.
func gaussianMatrix(n int) []float64 {
	a := gaussian(random(uint64(n)), n*n)
	for i := range n {
		for j := range i + 1 {
			v := (a[i*n+j] + a[j*n+i]) / 2
			a[i*n+j], a[j*n+i] = v, v
		}
	}
	return a
}

func TestEigenvaluesOfTheNegativeAreTheNegatives(t *testing.T) {
	const n = 23
	a := gaussianMatrix(n)
	negative := make([]float64, n*n)
	for i, v := range a {
		negative[i] = -v
	}
	one, other, values := eigen.New(n), eigen.New(n), eigen.New(n)
	values.ValuesOf(slices.Clone(a), n)
	one.Of(a, n)
	assert.Equal(t, one.Values, values.Values, "without their vectors they are the same")
	other.Of(negative, n)
	for i, v := range one.Values {
		assert.Equal(t, -v, other.Values[i])
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}
