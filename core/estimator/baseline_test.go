package estimator

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/measure"
)

// classes draws rows of two overlapping classes.
func classes(n, d int) (x, y []float64) {
	rng := rand.New(rand.NewPCG(3, 5))
	x, y = make([]float64, n*d), make([]float64, n)
	for i := range y {
		for j := range d {
			x[i*d+j] = rng.NormFloat64()
		}
		if x[i*d]-.5*x[i*d+1]+rng.NormFloat64() > .3 {
			y[i] = 1
		}
	}
	return x, y
}

func TestALeadIsTheDifferenceOfErrorsWithItsEnds(t *testing.T) {
	y, above := []float64{1, 2, 3, 4, 5, 6, 7, 7}, []float64{2, 3, 4, 5, 6, 7, 8, 8}
	l := must(lead(y, y, above, nil, 0))
	assert.Equal(t, 1., l.By)
	assert.Equal(t, 1., l.Low, "the model is exact")
	l = must(lead(y[:5], y[:5], above[:5], nil, 0))
	assert.Equal(t, []float64{1, 0}, []float64{l.By, l.Low}, "five rows are too few")
	l, err := lead([]float64{7, 7, 7, 7, 7, 7, 7, 1, 2, 3, 4, 5, 6}, make([]float64, 13), make([]float64, 13), []float64{1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, 0)
	require.NoError(t, err)
	assert.Equal(t, math.Inf(1), l.High, "of rows with a weight, five differ from the commonest target")
}

// everyBaseline calls check with each.
func everyBaseline(f *Fitted, check func(name string, b Baseline)) {
	for name, of := range map[string]func() (Baseline, error){
		"mean": f.Mean, "ridge": f.Ridge, "quadratic": f.Quadratic,
		"trees": func() (Baseline, error) { return f.Trees(context.Background(), nil) },
	} {
		check(name, must(of()))
	}
}

func TestEveryBaselineIsOfTheSameTestRows(t *testing.T) {
	x, y := classes(300, 4)
	for i := range y {
		y[i] = 3*y[i] + x[i*4+2] // not of two values
	}
	f := must(Fit(context.Background(), mat.NewDense(300, 4, x), y, nil))
	everyBaseline(f, func(name string, b Baseline) {
		require.Len(t, b.Predicted, 60, name)
		assert.InDelta(t, math.Sqrt(measure.Mean(measure.Losses(b.Predicted, f.Test().Actual, 0), nil)), b.Error, 1e-9, "%s: what it is said to be is what its predictions are", name)
		assert.LessOrEqual(t, b.Error, 1.02*must(f.Mean()).Error, name)
		lead := must(f.Lead(b))
		assert.InDelta(t, b.Error-f.Test().Error, lead.By, 1e-12, name)
		assert.Equal(t, lead.P <= .05, lead.Low > 0 || lead.High < 0, name)
	})
	ended, end := context.WithCancel(context.Background())
	end()
	_, err := f.ClassMetrics()
	assert.ErrorAs(t, err, new(*assess.NoClassesError))
	_, err = f.Trees(ended, nil)
	assert.NoError(t, err, "they have grown")
}

func TestBaselinesOfClassesAreProbabilities(t *testing.T) {
	x, y := classes(600, 4)
	o := Default()
	o.Encoding, o.Positive = "linear", "0"
	f := must(Fit(context.Background(), mat.NewDense(600, 4, x), y, &o))
	assert.Equal(t, []string{"1", "0"}, f.Classes())
	assert.Equal(t, measure.LogLoss, f.Measure())
	assert.InDelta(t, f.Test().Error, meanLogLoss(f, f.Test().Predicted), 1e-12)
	everyBaseline(f, func(name string, b Baseline) {
		for _, p := range b.Predicted {
			require.True(t, 0 <= p && p <= 1, "%s: %g", name, p)
		}
		assert.InDelta(t, meanLogLoss(f, b.Predicted), b.Error, 1e-9, "%s: what it is said to be is what its predictions are", name)
		assert.InDelta(t, b.Error-f.Test().Error, must(f.Lead(b)).By, 1e-9, name)
	})
}

func meanLogLoss(f *Fitted, p []float64) float64 {
	return measure.Mean(measure.Losses(p, f.Test().Actual, 2), nil)
}

// A weight of 2 is the row twice, in all that is a mean; how sure it is goes by the rows.
func TestALeadCountsWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	var y, a, b, w, yy, aa, bb []float64
	for i := range 80 {
		y, a, b, w = append(y, float64(i%2)), append(a, rng.Float64()), append(b, rng.Float64()), append(w, float64(1+i%3))
		for range 1 + i%3 {
			yy, aa, bb = append(yy, y[i]), append(aa, a[i]), append(bb, b[i])
		}
	}
	for _, classes := range []int{0, 2} {
		got := must(lead(y, a, b, w, classes))
		want := must(lead(yy, aa, bb, nil, classes))
		assert.InDelta(t, want.By, got.By, 1e-12)
		assert.Greater(t, got.High-got.Low, want.High-want.Low)
		for i := range w {
			w[i] *= 1000
		}
		assert.InDelta(t, got.High, must(lead(y, a, b, w, classes)).High, 1e-12, "no factor on all weights changes it")
	}
}

// A slope is what a feature adds where all others are as in the mean row; a quadratic
// function has it, to rounding, as a difference.
func TestASlopeIsTheDerivativeAtTheMeanRow(t *testing.T) {
	x, _ := classes(300, 3)
	y := make([]float64, 300)
	for i := range y {
		y[i] = 5 + 3*x[3*i]*x[3*i+1] + x[3*i+2]
	}
	for _, kind := range []string{"fm", "gfm", "ifm"} {
		for _, encoding := range []string{"linear", "hats"} {
			o := Default()
			o.Models, o.Encoding, o.Ranks, o.LambdaF, o.Iterations = []string{kind}, encoding, []int{2}, []float64{1}, 10
			f := must(Fit(context.Background(), mat.NewDense(300, 3, x), y, &o))
			m, mean := f.saved.Model, f.saved.Encoding.MeanRow()
			require.Positive(t, m.Rank)
			at := func(j int, by float64) float64 {
				row, out := slices.Clone(mean), make([]float64, 1)
				row[j] += by
				m.Predict(out, design.NewDense(1, m.D, row), nil)
				return out[0] * f.saved.Encoding.Target.Scale
			}
			for j, slope := range f.Slopes() {
				assert.InDelta(t, (at(j, 1)-at(j, -1))/2, slope, 1e-9, "%s, %s, feature %d", kind, encoding, j)
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
