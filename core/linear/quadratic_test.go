package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
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

// slowly predicts all rows from a ridge fit to the first len(y) rows of the products.
func slowly(t *testing.T, rows [][]float64, y []float64, lambda float64) (predicted []float64, columns int) {
	t.Helper()
	phi, written := expanded(rows, len(y)), make([][]float64, len(rows))
	for i := range written {
		for _, column := range phi {
			written[i] = append(written[i], column[i])
		}
	}
	predicted = make([]float64, len(rows))
	ridge(t, denseOf(written[:len(y)]), y, nil, lambda).Predict(predicted, denseOf(written))
	return predicted, len(phi)
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
	} {
		rows := table(rng, c.n+50, c.numbers, c.signs, c.levels)
		y := awkward(rng, rows[:c.n])
		for _, form := range []bool{false, true} {
			q := must(NewQuadratic(denseOf(rows[:c.n]), y, nil))
			assert.Equal(t, q.Columns() > c.n, q.dual)
			q.multiply(form)
			for _, lambda := range []float64{.5, 3, 100} {
				got := must(q.Fit(lambda))
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

func TestMoreProductsThanRowsAreFittedExactlyAndColumnsThatDoNotVaryMakeNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 72))
	rows := table(rng, 25, 9, 0, 0)
	y := awkward(rng, rows)
	assert.InDeltaSlice(t, y, predict(quadratic(t, denseOf(rows), y, nil, 0), denseOf(rows)), 1e-6)
	constant := design.NewDense(4, 2, []float64{1, .1, 1, .1, 1, .1, 1, .1})
	assert.Equal(t, Surface{B: 2.5, W: make([]float64, 2), M: make([]float64, 4)}, quadratic(t, constant, []float64{1, 2, 3, 4}, nil, 0))
}

func TestLogisticQuadraticMatchesLogisticRidgeOnProductsWrittenOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	for _, c := range []struct{ n, numbers, signs, levels int }{
		{300, 4, 0, 0}, {300, 3, 2, 4}, {40, 5, 0, 3}, {30, 10, 0, 5},
	} {
		rows := table(rng, c.n+50, c.numbers, c.signs, c.levels)
		y, weight := make([]float64, c.n), make([]float64, c.n)
		for i := range y {
			weight[i] = float64(1 + i%3)
			if rng.Float64() < kernel.Logistic(rows[i][0]*rows[i][1]) {
				y[i] = 1
			}
		}
		var twice [][]float64 // a row of weight 2 twice
		var classes []float64
		for i, row := range rows[:c.n] {
			for range int(weight[i]) {
				twice, classes = append(twice, row), append(classes, y[i])
			}
		}
		phi := expanded(append(slices.Clone(twice), rows...), len(twice))
		written := make([][]float64, len(rows))
		for i := range rows {
			i += len(twice)
			for _, column := range phi {
				written[i-len(twice)] = append(written[i-len(twice)], column[i])
			}
		}
		for _, lambda := range []float64{.1, 30} {
			fits := must(NewLogisticQuadratic(denseOf(rows[:c.n]), y, weight))
			require.Equal(t, len(phi), fits.Columns())
			surface := must(fits.Fit(lambda))
			want := make([]float64, len(rows))
			fitted(t, denseOf(written[:c.n]), y, weight, lambda).Predict(want, denseOf(written))
			again := must(NewLogisticQuadratic(denseOf(twice), classes, nil))
			doubled := must(again.Fit(lambda))
			assert.InDeltaSlice(t, want, predict(doubled, denseOf(rows)), 1e-5*largest(want), "a row of weight 2 counts as two do")
			// Both end where a Newton step wins 1e-12 of the objective.
			assert.InDeltaSlice(t, want, predict(surface, denseOf(rows)), 1e-5*largest(want), "%+v λ %g", c, lambda)
		}
	}
}
