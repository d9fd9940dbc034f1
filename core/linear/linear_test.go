package linear

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

	"ifmlab/core/design"
)

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func denseOf(rows [][]float64) *design.Dense {
	return design.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

func rmse(f Fit, z design.Design, y []float64) float64 {
	p, sum := make([]float64, len(y)), 0.0
	f.Predict(p, z)
	for i := range y {
		sum += (p[i] - y[i]) * (p[i] - y[i])
	}
	return math.Sqrt(sum / float64(len(y)))
}

func largest(x []float64) (size float64) {
	for _, v := range x {
		size = max(size, math.Abs(v))
	}
	return size
}

func TestMeanIsTheMean(t *testing.T) {
	assert.Equal(t, 2.5, Mean([]float64{1, 2, 3, 4}))
	assert.True(t, math.IsNaN(Mean(nil)))
}

func TestCollinearColumnsWithoutPenaltyAreFitted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	var alone, doubled [][]float64
	y := gaussian(rng, 200)
	for i := range y {
		a, b, levels := rng.NormFloat64(), rng.NormFloat64(), [3]float64{}
		level := rng.IntN(3)
		levels[level] = 1
		y[i] += 3*a - b + float64(level)
		alone = append(alone, []float64{a, b, levels[1], levels[2]})
		// a twice, a + b, and every level of a category.
		doubled = append(doubled, []float64{a, b, levels[1], levels[2], a, a + b, levels[0]})
	}
	want := rmse(ridge(t, denseOf(alone), y, nil, 0), denseOf(alone), y)
	for _, factored := range []bool{true, false} {
		r := must(NewRidge(denseOf(doubled), y))
		if !factored {
			r.gram = nil
		}
		got := must(r.Fit(0))
		assert.InEpsilon(t, want, rmse(got, denseOf(doubled), y), 1e-9)
		assert.Less(t, largest(got.W), 100.0)
	}
}

func TestRidgeOfOddTablesIsFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 42))
	wide, y := design.NewDense(10, 30, gaussian(rng, 300)), gaussian(rng, 10)
	got := ridge(t, wide, y, nil, 0)
	assert.Less(t, rmse(got, wide, y), 1e-7, "more columns than rows")
	assert.Less(t, largest(got.W), 10.0)
	got = ridge(t, wide, y, nil, 1e300)
	assert.InEpsilon(t, Mean(y), got.B, 1e-12)
	assert.Less(t, largest(got.W), 1e-200)
	alike := slices.Repeat([]float64{4}, 10)
	assert.Equal(t, Fit{W: make([]float64, 30), B: 4}, ridge(t, wide, alike, nil, 0))

	x := gaussian(rng, 60)
	for i := 1; i < len(x); i += 3 {
		x[i] = .1 // not exact in binary: its sums are rounded
	}
	for _, lambda := range []float64{0, 5} {
		got := ridge(t, design.NewDense(20, 3, x), gaussian(rng, 20), nil, lambda)
		assert.Zero(t, got.W[1])
		assert.NotZero(t, got.W[0])
	}
}

// refusal returns the function that prepares a fit, fits and returns the error.
func refusal[F interface {
	Fit(lambda float64) (M, error)
}, M any](prepare func(z design.Design, y, weight []float64) (F, error)) func(z design.Design, y, weight []float64, lambda float64) error {
	return func(z design.Design, y, weight []float64, lambda float64) error {
		f, err := prepare(z, y, weight)
		if err == nil {
			_, err = f.Fit(lambda)
		}
		return err
	}
}

func TestFitsRefuseWhatTheyCannotTake(t *testing.T) {
	fits := map[string]func(z design.Design, y, weight []float64, lambda float64) error{
		"ridge": refusal(NewWeightedRidge), "quadratic": refusal(NewQuadratic), "logistic": refusal(NewLogistic), "logistic quadratic": refusal(NewLogisticQuadratic),
		"softmax": refusal(func(z design.Design, y, weight []float64) (*Softmax, error) { return NewSoftmax(z, y, weight, 2) }),
	}
	z, classes := design.NewDense(3, 1, []float64{1, 2, 4}), []float64{0, 1, 1}
	rng := rand.New(rand.NewPCG(1, 74))
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		fit       string // "" for all
		z         design.Design
		y, weight []float64
		lambda    float64
		want      string
	}{
		{"", design.NewDense(0, 1, nil), nil, nil, 0, "there are no rows, expected at least 1. Give the fit training rows"},
		{"", z, classes[1:], nil, 0, "there are 2 targets, expected 3 as in the design"},
		{"", z, classes, classes[1:], 0, "there are 2 weights, expected 3 as in the design"},
		{"", z, []float64{0, nan, 1}, nil, 0, "target of row 1 is NaN, expected a finite number. Correct it or leave the row out"},
		{"", z, []float64{0, 1, inf}, nil, 0, "target of row 2 is +Inf, expected a finite number. Correct it or leave the row out"},
		{"", z, classes, []float64{1, 1, -1}, 0, "the weight of row 2 is -1, expected a finite number of at least 0. Correct it or leave the row out"},
		{"", z, classes, []float64{nan, 1, 1}, 0, "the weight of row 0 is NaN, expected a finite number of at least 0. Correct it or leave the row out"},
		{"", z, classes, []float64{0, 0, 0}, 0, "the weights of all rows sum to 0, expected a finite number above 0. Give the rows weights"},
		{"", z, classes, nil, -1, "the penalty is -1, expected a finite number of at least 0"},
		{"", z, classes, nil, nan, "the penalty is NaN, expected a finite number of at least 0"},
		{"", z, classes, nil, inf, "the penalty is +Inf, expected a finite number of at least 0"},
		{"ridge", design.NewDense(3, 1, []float64{1, 1, 1e200}), classes, nil, 0,
			"column 0 has a sum of squares of +Inf, expected a finite number. Correct the column or leave it out"},
		{"quadratic", design.NewDense(3, 1, []float64{1, 2, 1e100}), classes, nil, 0,
			"column 0 has a sum of squares of +Inf, expected a finite number. Correct the column or leave it out"},
		{"logistic", z, []float64{0, 2, 1}, nil, 0, "target of row 1 is 2, expected a class, 0 or 1. Correct it or leave the row out"},
		{"logistic", z, []float64{0, 0, 0}, nil, 0, "all rows have class 0, expected rows of both classes, 0 and 1. Add rows of the other class"},
		{"logistic quadratic", z, classes, []float64{0, 1, 1}, 0,
			"all rows have class 1, expected rows of both classes, 0 and 1. Add rows of the other class"},
		{"quadratic", design.NewDense(2, 1001, make([]float64, 2002)), []float64{1, 2}, nil, 0,
			"1001 features make 502502 columns with their squares and products, too many for a quadratic fit to 2 rows; ignore columns until 1000 features are left"},
		{"logistic quadratic", design.NewDense(3, 1001, make([]float64, 3003)), classes, nil, 0,
			"1001 features make 502502 columns with their squares and products, too many for a quadratic fit to 3 rows; ignore columns until 1000 features are left"},
		// 1501 unknowns in either form.
		{"quadratic", design.NewDense(1501, 54, gaussian(rng, 1501*54)), make([]float64, 1501), nil, 0,
			"54 features make 1539 columns with their squares and products, too many for a quadratic fit to 1501 rows; ignore columns until 53 features are left"},
	} {
		for name, fit := range fits {
			if c.fit == "" || c.fit == name {
				assert.EqualError(t, fit(c.z, c.y, c.weight, c.lambda), "linear: "+c.want, name)
			}
		}
	}
	var many *TooManyProductsError
	big := design.NewDense(2000, 60, gaussian(rng, 2000*60))
	require.ErrorAs(t, fits["logistic quadratic"](big, append(make([]float64, 1999), 1), nil, 0), &many)
	assert.Equal(t, TooManyProductsError{Features: 60, Columns: 60 * 63 / 2, Rows: 2000, Classes: true}, *many)
	assert.Contains(t, many.Error(), "ignore columns until 28 features are left")
	for _, e := range []TooManyProductsError{{54, 1539, 1501, false}, {40, 860, 1e6, false}, {1000, 5e5, 1e6, false}, {500, 125750, 1500, false}} {
		assert.False(t, affordable(e.Features, e.Columns, e.Rows))
		assert.Contains(t, e.Error(), "are left")
	}
	assert.True(t, affordable(53, 53*56/2, 10000), "its 1484 columns take 1.1e10 products")
	assert.True(t, affordable(10, 65, 4e6))
}

func TestARowOfWeightTwoCountsAsTwo(t *testing.T) {
	rows, y, _ := classes(150, 6, 5)
	weight := make([]float64, len(y))
	var twice [][]float64
	var targets []float64
	for i := range rows {
		weight[i] = float64(i % 3)
		for range i % 3 {
			twice, targets = append(twice, rows[i]), append(targets, y[i])
		}
	}
	for _, lambda := range []float64{0, .5, 20} {
		for name, fit := range map[string]func(*testing.T, design.Design, []float64, []float64, float64) Fit{"ridge": ridge, "logistic": fitted} {
			a, b := fit(t, denseOf(rows), y, weight, lambda), fit(t, denseOf(twice), targets, nil, lambda)
			assert.InDeltaSlice(t, a.W, b.W, 1e-10*max(1, largest(a.W)), "%s: rounding of columns with means of ten deviations", name)
			assert.InDelta(t, a.B, b.B, 1e-9*max(1, math.Abs(a.B)), name)
		}
		for _, most := range []int{len(y), 15} { // the dual has fewer rows than the 27 columns
			once := quadratic(t, denseOf(rows[:most]), y[:most], weight[:most], lambda+.01)
			copies := most / 3 * 3 // of weights 0, 1 and 2
			again := quadratic(t, denseOf(twice[:copies]), targets[:copies], nil, lambda+.01)
			assert.InDeltaSlice(t, predict(again, denseOf(rows[:20])), predict(once, denseOf(rows[:20])), 1e-6, "rounding over a penalty of 1e-4 a row")
		}
	}
}

// More columns than a stripe of the Gram matrix, rows that do not fill blocks; with the
// factor of the Gram matrix and, as where the columns are too many, without.
func TestRidgeSolvesTheNormalEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 40))
	const n, d = 400, 150
	x := gaussian(rng, n*d)
	for i := range x {
		x[i] = x[i]*math.Exp(float64(i%d%5)) + float64(i%d%7)
	}
	z, y := design.NewDense(n, d, x), gaussian(rng, n)
	for _, factored := range []bool{true, false} {
		fits, near := must(NewRidge(z, y)), 1e-7 // rounding of 400 products of up to 1e4
		if !factored {
			fits.gram, near = nil, 1e-4 // conjugate gradients without a preconditioner end at some 1e-9 of the slopes
		}
		for _, lambda := range []float64{0, .1, 100, 1e6} {
			fit, p := fitOf(t, fits, lambda), make([]float64, n)
			fit.Predict(p, z)
			slope, sum := make([]float64, d), 0.0
			for i := range p {
				sum += p[i] - y[i]
				for j, v := range z.Row(i) {
					slope[j] += v * (p[i] - y[i])
				}
			}
			assert.InDelta(t, 0, sum, 1e-9)
			for j, w := range fit.W {
				require.InDelta(t, 0, slope[j]+lambda*w, near, "factored %v, λ = %g, %d", factored, lambda, j)
			}
		}
	}
}

func ridge(t *testing.T, z design.Design, y, weight []float64, lambda float64) Fit {
	t.Helper()
	fits := must(NewWeightedRidge(z, y, weight))
	return fitOf(t, fits, lambda)
}

// fitted is the logistic fit to some rows.
func fitted(t *testing.T, z design.Design, y, weight []float64, lambda float64) Fit {
	t.Helper()
	fits := must(NewLogistic(z, y, weight))
	return fitOf(t, fits, lambda)
}

func softmax(t *testing.T, z design.Design, y []float64, classes int, lambda float64) Fit {
	t.Helper()
	fits := must(NewSoftmax(z, y, nil, classes))
	return fitOf(t, fits, lambda)
}

func quadratic(t *testing.T, z design.Design, y, weight []float64, lambda float64) Surface {
	t.Helper()
	fits := must(NewQuadratic(z, y, weight))
	return fitOf(t, fits, lambda)
}

func fitOf[F any](t *testing.T, fits interface {
	Fit(lambda float64) (F, error)
}, lambda float64) F {
	t.Helper()
	return must(fits.Fit(lambda))
}

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

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
