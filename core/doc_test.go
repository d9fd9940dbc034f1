package core_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/moment"
	"ifmlab/core/runtest"
)

// The tests of what package core says of the paper, as far as it is algebra and
// statistics; those of its algorithm are in package solve.

// gaussian returns n draws of mean 0 and variance 1.
func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// random returns a model whose numbers are all Gaussian.
func random(kind fm.Kind, d, rank int, rng *rand.Rand) *fm.Model {
	m := fm.New(kind, d, rank)
	m.B = rng.NormFloat64()
	for _, x := range [][]float64{m.W, m.U, m.V} {
		copy(x, gaussian(rng, len(x)))
	}
	return m
}

// predict returns f for rows of m.D numbers, one after the other.
func predict(m *fm.Model, x []float64) []float64 {
	f := make([]float64, len(x)/m.D)
	m.Predict(f, design.NewDense(len(f), m.D, x), nil)
	return f
}

// eigenvalues of a symmetric matrix, in ascending order.
func eigenvalues(t *testing.T, m mat.Symmetric) []float64 {
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(m, false))
	return eigen.Values(nil)
}

// column returns the moments of values that have the given counts.
func column(counts map[float64]int) moment.Accumulator {
	var a moment.Accumulator
	for value, count := range counts {
		a.AddCount(value, count)
	}
	return a
}

func TestEveryTestThatTheDocumentationNamesIsThere(t *testing.T) {
	doc := runtest.Must(os.ReadFile("doc.go"))
	there := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "moment/*_test.go", "solve/*_test.go", "estimator/*_test.go", "../*_test.go"} {
		files := runtest.Must(filepath.Glob(pattern))
		for _, file := range files {
			code := runtest.Must(os.ReadFile(file))
			for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(code), -1) {
				there[name[1]] = true
			}
		}
	}
	names := regexp.MustCompile(`\bTest[A-Z]\w+[a-z]\b`).FindAllString(string(doc), -1)
	assert.Greater(t, len(names), 15)
	for _, name := range names {
		assert.True(t, there[name], "%s", name)
	}
}

func TestTheReadmeCountsTheClaimsThatTheDocumentationLists(t *testing.T) {
	doc := runtest.Must(os.ReadFile("doc.go"))
	readme := runtest.Must(os.ReadFile("../README.md"))
	numbers := regexp.MustCompile(`(?m)^//  (\d+)\. Paper: `).FindAllStringSubmatch(string(doc), -1)
	for i, number := range numbers {
		assert.Equal(t, strconv.Itoa(i+1), number[1])
	}
	assert.Contains(t, string(readme), strconv.Itoa(len(numbers))+" misprints, gaps and narrow claims")
}

func TestRendlesSumIsHalfOfThePapersModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const d, k = 5, 2
	m, x := random(fm.FM, d, k, rng), gaussian(rng, d)
	linear, pairs := m.B, 0.0 // Eq. 3: the sum over i < j
	for i := range d {
		linear += x[i] * m.W[i]
		for j := i + 1; j < d; j++ {
			for f := range k {
				pairs += m.U[i*k+f] * m.U[j*k+f] * x[i] * x[j]
			}
		}
	}
	// A few dozen terms of about 1, each rounded a few times.
	assert.InDelta(t, linear+2*pairs, predict(m, x)[0], 1e-13)
	for i := range m.U {
		m.U[i] /= math.Sqrt2
	}
	assert.InDelta(t, linear+pairs, predict(m, x)[0], 1e-13, "libFM's factors are √2 times ours")
}

func TestAMatrixWithoutItsDiagonalHasNotTheRankThatEq1Asks(t *testing.T) {
	const d, k = 8, 2
	m := random(fm.FM, d, k, rand.New(rand.NewPCG(2, 0)))
	values := eigenvalues(t, mat.NewSymDense(d, m.Interaction()))
	for _, v := range values {
		assert.Greater(t, math.Abs(v), .01, "none of eight is 0 where Eq. 1 allows two")
	}
	// sym(UVᵀ) of rank k has at most k eigenvalues of each sign. What is left of
	// the others is the least distance (Eckart and Young).
	left, all := 0.0, 0.0
	for i, v := range values {
		all += v * v
		if v < 0 && i >= k || v > 0 && i < d-k {
			left += v * v
		}
	}
	assert.Greater(t, math.Sqrt(left/all), .1, "no gFM of the same rank comes near")
}

func TestOfTwoColumnsOneProductWritesWhatFMDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	m, x := random(fm.FM, 2, 1, rng), gaussian(rng, 40)
	same := fm.New(fm.GFM, 2, 1)
	same.B, same.W = m.B, m.W
	same.U[0], same.V[1] = 1, 2*m.U[0]*m.U[1]
	assert.InDeltaSlice(t, predict(m, x), predict(same, x), 1e-14, "two products of numbers of about 1")
}

func TestTwoFactorsAreOnePositiveAndOneNegative(t *testing.T) {
	const d, k = 7, 2
	m := random(fm.GFM, d, k, rand.New(rand.NewPCG(3, 0)))
	p, q := fm.New(fm.FM, d, k), fm.New(fm.FM, d, k)
	for i := range m.U {
		p.U[i], q.U[i] = (m.U[i]+m.V[i])/2, (m.U[i]-m.V[i])/2
	}
	kept, removed := m.Interaction(), p.Interaction()
	for i, v := range q.Interaction() {
		removed[i] -= v
	}
	for i := range d {
		for j := range d {
			if i != j { // FM's diagonal is removed
				assert.InDelta(t, kept[i*d+j], removed[i*d+j], 1e-14, "PPᵀ − QQᵀ, numbers of about 1")
			}
		}
	}
	positive, negative := 0, 0
	for _, v := range eigenvalues(t, mat.NewSymDense(d, kept)) {
		if v > 1e-12 {
			positive++
		} else if v < -1e-12 {
			negative++
		}
	}
	assert.Equal(t, []int{k, k}, []int{positive, negative}, "sym(UVᵀ) has rank 2k")
}

func TestRowsSeeOnlyTheSymmetricPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	const d, n = 4, 50
	m, x := random(fm.GFM, d, d, rng), gaussian(rng, n*d)
	clear(m.U)
	for i := range d {
		m.U[i*d+i] = 1 // M = Vᵀ
	}
	before, symmetric := predict(m, x), m.Interaction()
	for i := range d {
		for j := range i { // what is added to M is antisymmetric
			m.V[i*d+j] += 2
			m.V[j*d+i] -= 2
		}
	}
	assert.InDeltaSlice(t, before, predict(m, x), 1e-12, "sums of 16 products below 30")
	assert.InDeltaSlice(t, symmetric, m.Interaction(), 1e-14, "numbers below 10")
}

func TestOnSignsTheSquaresSayNothing(t *testing.T) {
	const d = 4
	var x []float64 // every row of ±1
	for row := range 1 << d {
		for j := range d {
			x = append(x, float64(2*(row>>j&1)-1))
		}
	}
	diagonal := fm.New(fm.GFM, d, d) // M = diag(1, 2, 3, 4)
	for j := range d {
		diagonal.U[j*d+j], diagonal.V[j*d+j] = 1, float64(j+1)
	}
	bias := fm.New(fm.GFM, d, 1)
	bias.B = 10
	assert.Equal(t, predict(bias, x), predict(diagonal, x), "xᵀMx = tr(M): whole numbers, exact")

	pair := fm.New(fm.GFM, d, 1) // M = e₁e₂ᵀ, of trace 0
	pair.U[0], pair.V[1] = 1, 1
	for i, f := range predict(pair, x) {
		assert.Equal(t, x[i*d]*x[i*d+1], f, "the paper says tr(M) = 0")
	}
}

func TestColumnsOfTwoValuesHaveNoMomentInvertibility(t *testing.T) {
	for name, counts := range map[string]map[float64]int{
		"±1":          {-1: 50, 1: 50},
		"±1, skewed":  {-1: 7, 1: 93},
		"one level":   {0: 990, 1: 10},
		"two numbers": {3.5: 11, 1e4: 400},
	} {
		a := column(counts)
		// φ is 1 + κ², about 100 for one level in a hundred, rounded in a few sums.
		assert.InDelta(t, 0, a.Tau(), 1e-10, name)
	}
	a := column(map[float64]int{-1: 50, 0: 1, 1: 50})
	assert.Greater(t, a.Tau(), .005, "a third value gives one")
}

func TestMomentsAreRawAndNotGonums(t *testing.T) {
	x := []float64{0, 0, 0, 1}
	a := column(map[float64]int{0: 3, 1: 1})
	// By hand: mean 1/4, variance 3/16; z is 3/√3 once and −1/√3 three times.
	assert.InDelta(t, 2/math.Sqrt(3), a.Kappa(), 1e-15)
	assert.InDelta(t, 7./3, a.Phi(), 1e-15)
	skew, excess := stat.Skew(x, nil), stat.ExKurtosis(x, nil)
	assert.InDelta(t, 2, skew, 1e-14, "corrected for the bias of a sample of four")
	assert.Greater(t, moment.Tau(skew, excess+3), .5, "gonum's numbers hide that two values have τ = 0")
}

func TestTheInverseMomentsAreBoundedByLambdaMaxOverTau(t *testing.T) {
	beyond := 0
	for _, m := range [][2]float64{{0, 3}, {0, 1.8}, {0, 6}, {2, 9}, {0, 1.05}, {1.5, 3.4}} { // κ, φ
		a := mat.NewDense(2, 2, []float64{1, m[0], m[0], m[1] - 1})
		var inverse mat.Dense
		require.NoError(t, inverse.Inverse(a))
		tau := moment.Tau(m[0], m[1])
		// Two-by-two matrices whose condition is at most 100.
		assert.InEpsilon(t, norm2(a)/tau, norm2(&inverse), 1e-12)
		assert.GreaterOrEqual(t, norm2(&inverse)*tau, 1-1e-12, "λmax(A) ≥ A₁₁ = 1")
		if norm2(&inverse) > 1.01/tau {
			beyond++
		}
	}
	assert.Equal(t, 4, beyond, "Gaussian columns first of all; with κ = 0 and φ ≤ 2 the paper's bound holds")
}

// norm2 is the largest singular value.
func norm2(a mat.Matrix) float64 {
	var svd mat.SVD
	svd.Factorize(a, mat.SVDNone)
	return svd.Values(nil)[0]
}

// everyRow sums f over every row of three skewed columns of three values
// each, with the row's probability: expectations without a sample. It returns
// the raw moments of a column, which has mean 0 and variance 1.
func everyRow(f func(x []float64, p float64)) (kappa, phi float64) {
	values, shares := []float64{-1, 0, 1.5}, []float64{.4, 1. / 3, 4. / 15}
	for i, v := range values {
		kappa += shares[i] * v * v * v
		phi += shares[i] * v * v * v * v
	}
	for i, a := range values {
		for j, b := range values {
			for l, c := range values {
				f([]float64{a, b, c}, shares[i]*shares[j]*shares[l])
			}
		}
	}
	return kappa, phi
}

// Δ = M − M* and δ = w − w* make the residuals r = xᵀδ + xᵀΔx. In expectation,
// elimination must give them back.
func TestEliminationGivesBackTheErrors(t *testing.T) {
	delta := []float64{.5, -1, 2}
	errors := mat.NewSymDense(3, []float64{1, .3, -.2, .3, 2, .7, -.2, .7, -.5})
	trace := mat.Trace(errors)
	var p0 float64
	p1, p2 := make([]float64, 3), make([]float64, 3)
	h, linear := mat.NewDense(3, 3, nil), mat.NewDense(3, 3, nil) // 𝓗(r), 𝒜′(Xᵀδ)/n
	kappa, phi := everyRow(func(x []float64, p float64) {
		v := mat.NewVecDense(3, x)
		first := mat.Dot(v, mat.NewVecDense(3, delta))
		r := first + mat.Inner(v, errors, v)
		p0 += p * r
		for j := range 3 {
			p1[j] += p * r * x[j]
			p2[j] += p * r * (x[j]*x[j] - 1)
			for i := range 3 {
				h.Set(i, j, h.At(i, j)+p*r*x[i]*x[j]/2)
				linear.Set(i, j, linear.At(i, j)+p*first*x[i]*x[j])
			}
		}
	})
	// The mean square of a column is 1, so the mean of r·x² less that of r is P2.
	solve := func(b0, b1 float64) (x0, x1 float64) { // A = [1 κ; κ φ−1]
		det := phi - 1 - kappa*kappa
		return (b0*(phi-1) - b1*kappa) / det, (b1 - b0*kappa) / det
	}
	g1, g2 := solve(kappa, phi-3) // Eq. 8
	h1, h2 := solve(1, 0)         // Eq. 9
	// Sums of 27 terms below 30, divided by τ = ½ and added: 1e-12 is a hundred
	// roundings of the largest.
	const rounding = 1e-12
	assert.InDelta(t, .5, moment.Tau(kappa, phi), rounding)
	assert.InDelta(t, trace, p0, rounding)
	for i := range 3 {
		for j := range 3 {
			one := 0.0 // of the unit matrix
			if i == j {
				one = 1
			}
			printed := h.At(i, j) - one*(g1*p1[i]+g2*p2[i])/2
			assert.InDelta(t, errors.At(i, j)+one*trace/2, printed, rounding, "Eq. 7 leaves half the trace")
			assert.InDelta(t, errors.At(i, j), printed-one*p0/2, rounding, "−½P⁰I takes it away")
			assert.InDelta(t, one*kappa*delta[i], linear.At(i, j), rounding, "𝒜′(Xᵀδ)/n is the matrix D(κ∘δ)")
		}
		assert.InDelta(t, delta[i], h1*p1[i]+h2*p2[i], rounding, "Eq. 10")
		assert.Greater(t, math.Abs(g1*p1[i]+g2*p2[i]-delta[i]), .1, "the appendix's G in the place of H")
	}
}

func times(a, b mat.Matrix) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b)
	return &c
}

func minus(a, b mat.Matrix) *mat.Dense {
	var c mat.Dense
	c.Sub(a, b)
	return &c
}

func symmetric(a mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Add(a, a.T())
	s.Scale(.5, &s)
	return &s
}

func withoutDiagonal(a mat.Matrix) *mat.Dense {
	c := mat.DenseCopyOf(a)
	for i := range c.RawMatrix().Rows {
		c.Set(i, i, 0)
	}
	return c
}

// thinQ is the Q factor of a, of its size.
func thinQ(a mat.Matrix) *mat.Dense {
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(a)
	qr.QTo(&q)
	rows, columns := a.Dims()
	return mat.DenseCopyOf(q.Slice(0, rows, 0, columns))
}

// M − λmin(M)I has no eigenvalue below 0, and one that is 0: it is UUᵀ for a U of
// d − 1 columns, and off the diagonal it is M.
func TestOneColumnLessThanAllWritesAnyMatrix(t *testing.T) {
	const d = 7
	truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rand.New(rand.NewPCG(11, 0)), d*d))))
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(mat.NewSymDense(d, truth.RawMatrix().Data), true))
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // in ascending order
	assert.Less(t, values[0], -.5, "UUᵀ alone does not write it")
	m := fm.New(fm.FM, d, d-1)
	for f := range d - 1 {
		for j := range d {
			m.U[j*(d-1)+f] = vectors.At(j, f+1) * math.Sqrt(values[f+1]-values[0])
		}
	}
	assert.InDeltaSlice(t, truth.RawMatrix().Data, m.Interaction(), 1e-13, "sums of six products of about 1")
}
