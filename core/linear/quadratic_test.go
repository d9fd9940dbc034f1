package linear

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
)

// table returns n rows of numbers, signs and the levels of a category, 0 or 1
// each and together 1.
func table(rng *rand.Rand, n, numbers, signs, levels int) (rows [][]float64) {
	for range n {
		row := gaussian(rng, numbers)
		for range signs {
			row = append(row, float64(2*rng.IntN(2)-1))
		}
		one := rng.IntN(max(levels, 1))
		for l := range levels {
			is := 0.0
			if l == one {
				is = 1
			}
			row = append(row, is)
		}
		rows = append(rows, row)
	}
	return rows
}

// expanded returns all products that are not constant over the first n rows, nor
// squares of two values, centred and scaled by the first n.
func expanded(rows [][]float64, n int) [][]float64 {
	var columns [][]float64
	d := len(rows[0])
	for i := range d {
		for j := i; j <= d; j++ {
			column, values := make([]float64, len(rows)), map[float64]bool{}
			mean, variance, varies := 0.0, 0.0, false
			for r, row := range rows {
				column[r] = row[i]
				if j < d {
					column[r] *= row[j]
				}
				if r < n {
					values[row[i]] = true
					mean += column[r] / float64(n)
					varies = varies || column[r] != column[0]
				}
			}
			if !varies || j == i && len(values) < 3 {
				continue
			}
			for _, v := range column[:n] {
				variance += (v - mean) * (v - mean) / float64(n)
			}
			for r := range column {
				column[r] = (column[r] - mean) / math.Sqrt(variance)
			}
			columns = append(columns, column)
		}
	}
	return columns
}

// slowly predicts all rows from a fit to the first len(y), by the normal equations
// with gonum.
func slowly(t *testing.T, rows [][]float64, y []float64, lambda float64) (predicted []float64, columns int) {
	t.Helper()
	phi := expanded(rows, len(y))
	p, mean := len(phi), 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	a, b := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	for i := range p {
		for r, v := range y {
			b.SetVec(i, b.AtVec(i)+phi[i][r]*(v-mean))
		}
		for j := range i + 1 {
			for r := range y {
				a.SetSym(i, j, a.At(i, j)+phi[i][r]*phi[j][r])
			}
		}
		a.SetSym(i, i, a.At(i, i)+lambda)
	}
	var cholesky mat.Cholesky
	require.True(t, cholesky.Factorize(a))
	var w mat.VecDense
	require.NoError(t, cholesky.SolveVecTo(&w, b))
	predicted = make([]float64, len(rows))
	for r := range rows {
		predicted[r] = mean
		for i := range p {
			predicted[r] += w.AtVec(i) * phi[i][r]
		}
	}
	return predicted, p
}

// awkward returns targets that no quadratic model has.
func awkward(rng *rand.Rand, rows [][]float64) []float64 {
	y := make([]float64, len(rows))
	for i, row := range rows {
		y[i] = 7 + math.Sin(3*row[0])*row[1] + rng.NormFloat64()
		for _, v := range row {
			y[i] += v * row[0]
		}
	}
	return y
}

func predict(s Surface, z design.Design) []float64 {
	n, _ := z.Dims()
	f := make([]float64, n)
	s.Predict(f, z)
	return f
}

func TestQuadraticMatchesTheNormalEquationsOfProductsWrittenOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 70))
	for _, c := range []struct{ n, numbers, signs, levels, columns int }{
		{300, 4, 0, 0, 4 + 4 + 6},
		{300, 3, 2, 4, 9 + 3 + 36 - 6}, // two levels are never one together
		{40, 5, 0, 3, 8 + 5 + 28 - 3},
		{12, 4, 2, 0, 6 + 4 + 15}, // more columns than rows
		{30, 10, 0, 5, 15 + 10 + 105 - 10},
		{400, 20, 0, 0, 20 + 20 + 190}, // more than one stripe of anything
		{200, 20, 0, 0, 20 + 20 + 190},
	} {
		rows := table(rng, c.n+50, c.numbers, c.signs, c.levels)
		y := awkward(rng, rows[:c.n])
		for _, form := range []bool{false, true} {
			q, err := NewQuadratic(denseOf(rows[:c.n]), y, nil)
			require.NoError(t, err)
			assert.Equal(t, q.Columns() > c.n, q.dual)
			q.multiply(form)
			for _, lambda := range []float64{.5, 3, 100} {
				got, err := q.Fit(lambda)
				require.NoError(t, err)
				want, columns := slowly(t, rows, y, lambda)
				assert.Equal(t, c.columns, columns)
				assert.Equal(t, c.columns, q.Columns())
				// Condition numbers up to the rows over λ, times rounding of 1e-16 and
				// targets of some 10.
				assert.InDeltaSlice(t, want, predict(got, denseOf(rows)), 1e-9, "%+v, dual %v, λ %g", c, form, lambda)
			}
		}
	}
}

func TestANoiselessQuadraticTargetIsFoundWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	rows := table(rng, 400, 6, 1, 3)
	y := make([]float64, len(rows))
	for i, x := range rows {
		y[i] = 1e3 + 2*x[0] - 3*x[1]*x[2] + x[3]*x[3] + 5*x[4]*x[6] - x[5]*x[8] + x[7]
	}
	q, err := NewQuadratic(denseOf(rows[:300]), y[:300], nil)
	require.NoError(t, err)
	require.False(t, q.dual)
	for _, form := range []bool{false, true} {
		q.multiply(form)
		fit, err := q.Fit(0)
		require.NoError(t, err)
		// The three levels add up to 1, so a penalty takes the place of 0: 1e-10 of
		// weights of some 5 that the least eigenvalue, .01 or so, divides.
		assert.InDeltaSlice(t, y, predict(fit, denseOf(rows)), 1e-6)
		for _, v := range fit.M {
			assert.Less(t, math.Abs(v), 10.0, "of moderate size where columns are collinear")
		}
	}
	linear, err := NewRidge(denseOf(rows[:300]), y[:300])
	require.NoError(t, err)
	line, err := linear.Fit(0)
	require.NoError(t, err)
	assert.Greater(t, rmse(line, denseOf(rows), y), 1.0, "no linear model does")
}

func TestMoreProductsThanRowsAreFittedExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 72))
	rows := table(rng, 25, 9, 0, 0)
	y := awkward(rng, rows)
	q, err := NewQuadratic(denseOf(rows), y, nil)
	require.NoError(t, err)
	require.True(t, q.dual)
	fit, err := q.Fit(0)
	require.NoError(t, err)
	assert.InDeltaSlice(t, y, predict(fit, denseOf(rows)), 1e-6)
}

func TestAnEndlessPenaltyLeavesTheMeanOfTheQuadraticToo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 73))
	rows := table(rng, 50, 3, 0, 0)
	y := awkward(rng, rows)
	q, err := NewQuadratic(denseOf(rows), y, nil)
	require.NoError(t, err)
	fit, err := q.Fit(1e200)
	require.NoError(t, err)
	for _, f := range predict(fit, denseOf(rows)) {
		assert.InEpsilon(t, Mean(y), f, 1e-12)
	}
}

func TestColumnsThatDoNotVaryMakeNoProducts(t *testing.T) {
	q, err := NewQuadratic(design.NewDense(4, 2, []float64{1, .1, 1, .1, 1, .1, 1, .1}), []float64{1, 2, 3, 4}, nil)
	require.NoError(t, err)
	assert.Zero(t, q.Columns())
	fit, err := q.Fit(0)
	require.NoError(t, err)
	assert.Equal(t, Surface{B: 2.5, W: make([]float64, 2), M: make([]float64, 4)}, fit)
}

func TestQuadraticRejectsWhatItCannotFit(t *testing.T) {
	small := design.NewDense(3, 1, []float64{1, 2, 4})
	for want, try := range map[string]func() error{
		"linear: there are no rows, expected at least 1. Give the fit training rows": func() error {
			_, err := NewQuadratic(design.NewDense(0, 1, nil), nil, nil)
			return err
		},
		"linear: target of row 2 is +Inf, expected a finite number. Correct it or leave the row out": func() error {
			_, err := NewQuadratic(small, []float64{1, 2, math.Inf(1)}, nil)
			return err
		},
		"linear: column 0 has a sum of squares of +Inf, expected a finite number. Correct the column or leave it out": func() error {
			_, err := NewQuadratic(design.NewDense(3, 1, []float64{1, 2, 1e100}), []float64{1, 2, 3}, nil)
			return err
		},
		"linear: the penalty is NaN, expected a finite number of at least 0": func() error {
			q, err := NewQuadratic(small, []float64{1, 2, 3}, nil)
			require.NoError(t, err)
			_, err = q.Fit(math.NaN())
			return err
		},
		"linear: 1001 features make 502502 columns with their squares and products, too many for a quadratic fit to 2 rows; ignore columns until 1000 features are left": func() error {
			_, err := NewQuadratic(design.NewDense(2, 1001, make([]float64, 2002)), []float64{1, 2}, nil)
			return err
		},
		// 1501 unknowns in either form.
		"linear: 54 features make 1539 columns with their squares and products, too many for a quadratic fit to 1501 rows; ignore columns until 53 features are left": func() error {
			_, err := NewQuadratic(design.NewDense(1501, 54, gaussian(rand.New(rand.NewPCG(1, 74)), 1501*54)), make([]float64, 1501), nil)
			return err
		},
	} {
		err := try()
		assert.EqualError(t, err, want)
	}
	for _, e := range []TooManyProductsError{{54, 1539, 1501, false}, {1001, 502502, 2, false}, {40, 860, 1e6, false}, {1000, 5e5, 1e6, false}, {500, 125750, 1500, false}} {
		assert.False(t, affordable(e.Features, e.Columns, e.Rows))
		assert.Contains(t, e.Error(), "are left")
	}
	assert.True(t, affordable(53, 53*56/2, 10000), "its 1484 columns take 1.1e10 products")
	assert.True(t, affordable(10, 65, 4e6))
}

// A browser shows what the tests here see, in either form.
func TestTheQuadraticFitHasTheSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 76))
	digest := fnv.New64a()
	for _, n := range []int{150, 20} {
		rows := table(rng, n, 6, 1, 3)
		q, err := NewQuadratic(denseOf(rows), gaussian(rng, n), nil)
		require.NoError(t, err)
		fit, err := q.Fit(2)
		require.NoError(t, err)
		for _, v := range predict(fit, denseOf(rows)) {
			digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	assert.Equal(t, uint64(0xaec41536051fc36), digest.Sum64())
}

func BenchmarkQuadratic(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 75))
	const n, d = 4000, 33
	z, y := design.NewDense(n, d, gaussian(rng, n*d)), gaussian(rng, n)
	for b.Loop() {
		q, err := NewQuadratic(z, y, nil)
		require.NoError(b, err)
		for _, lambda := range []float64{0, .01, .03, .1, .3} {
			_, err = q.Fit(n * lambda)
			require.NoError(b, err)
		}
	}
}
