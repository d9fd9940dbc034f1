package solve

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestEigenvectorsMatchLAPACK(t *testing.T) {
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
		length := 1.0 // gonum's own panics on huge numbers and on tiny ones
		if largest := max(slices.Max(a), -slices.Min(a)); largest > 0 {
			length = largest
		}
		unit := mat.NewSymDense(d, nil)
		for i := range d {
			for j := range i + 1 {
				unit.SetSym(i, j, a[i*d+j]/length)
			}
		}
		var lapack mat.EigenSym
		require.True(t, lapack.Factorize(unit, false), name)
		want := lapack.Values(nil)
		for i := range want {
			want[i] *= length
		}
		size := max(-want[0], want[d-1])
		// Rounding of d² rotations that are orthogonal: a few times d·1e-16 of the largest.
		near := 1e-14 * float64(d)
		sorted := slices.Sorted(slices.Values(values))
		for i := range want {
			assert.InDelta(t, want[i], sorted[i], near*size, "%s: value %d", name, i)
		}
		q := mat.NewDense(d, d, vectors)
		var gram, scaled, back mat.Dense
		gram.Mul(q, q.T())
		scaled.Apply(func(i, j int, v float64) float64 { return values[i] * v }, q)
		back.Mul(q.T(), &scaled)
		for i := range d {
			for j := range d {
				one := 0.0
				if i == j {
					one = 1
				}
				assert.InDelta(t, one, gram.At(i, j), near, "%s: orthonormal at %d, %d", name, i, j)
				assert.InDelta(t, a[i*d+j], back.At(i, j), near*size, "%s: the matrix at %d, %d", name, i, j)
			}
		}
	}
}

func decomposed(a []float64, d int) (values, vectors []float64) {
	e := newEigen(d)
	e.decompose(append([]float64{}, a...), d)
	return e.values, e.vectors
}

func TestTopEigenvectorsDoNotDependOnTheUnitOfTheMatrix(t *testing.T) {
	const d, k = 6, 3
	rng := random(2)
	a := gaussian(rng, d*d) // of which the lower triangle is read
	var want []float64
	for _, unit := range []float64{1, 0x1p900, 0x1p-900} { // exact in binary
		scaled := make([]float64, d*d)
		for i, v := range a {
			scaled[i] = unit * v
		}
		u := make([]float64, d*k)
		algorithm1Eigenvectors(u, scaled, d, k)
		if want == nil {
			want = u
		}
		assert.Equal(t, want, u, "times %g", unit)
	}
	none := make([]float64, d*k)
	algorithm1Eigenvectors(none, make([]float64, d*d), d, k)
	for f := range k {
		sum := 0.0
		for i := range d {
			sum += square(none[i*k+f])
		}
		assert.Equal(t, 1.0, sum, "a matrix of zeros has eigenvectors too")
	}
}

// Among them are all the ways in which a matrix falls apart or a shift is 0.
func TestEverySmallMatrixOfMinusOneZeroAndOneIsDecomposed(t *testing.T) {
	const n = 4
	e, a, work := newEigen(n), make([]float64, n*n), make([]float64, n*n)
	for code := range 59049 { // 3¹⁰ symmetric matrices
		for i := range n {
			for j := range i + 1 {
				v := float64(code%3 - 1)
				a[i*n+j], a[j*n+i] = v, v
				code /= 3
			}
		}
		copy(work, a)
		e.decompose(work, n)
		for i := range n {
			for j := range n {
				product := 0.0
				for f := range n {
					product += e.values[f] * e.vectors[f*n+i] * e.vectors[f*n+j]
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
	symmetrize(a, n, .5)
	return a
}

func TestEigenvaluesOfTheNegativeAreTheNegatives(t *testing.T) {
	const n = 23
	a := gaussianMatrix(n)
	negative := make([]float64, n*n)
	for i, v := range a {
		negative[i] = -v
	}
	one, other := newEigen(n), newEigen(n)
	one.decompose(a, n)
	other.decompose(negative, n)
	for i, v := range one.values {
		assert.Equal(t, -v, other.values[i])
	}
}

// What a fit on dense data is made of: when this changes, so does every curve that
// was ever shared.
func TestEigenvectorsHaveTheSameBitsEverywhere(t *testing.T) {
	digest := fnv.New64a()
	for _, n := range []int{7, 40} {
		e := newEigen(n)
		e.decompose(gaussianMatrix(n), n)
		for _, v := range append(e.values, e.vectors...) {
			digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	assert.Equal(t, uint64(0x1f699a0ab0006c5e), digest.Sum64())
}

func TestTopKeepsTheLargestOfEachSign(t *testing.T) {
	e := newEigen(6)
	copy(e.values, []float64{1, -5, 3, -2, 4, 1e-20})
	assert.Equal(t, []int{1, 4, 2}, e.top(nil, 6, signs{2, 1}, 6, 0))
	assert.Equal(t, []int{4, 2, 0, 5}, e.top(nil, 6, signs{6, 0}, 6, 0))
	assert.Equal(t, []int{4, 2, 0}, e.top(nil, 6, signs{6, 0}, 6, 1e-15), "rounding is left out")
	assert.Equal(t, []int{1}, e.top(nil, 6, signs{6, 6}, 1, 0))
}
