package estimator_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/assess"
	"ifmlab/core/estimator"
	"ifmlab/core/saved"
)

func TestCategoricalNumbersAreLearntAsClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x, y := mat.NewDense(300, 2, nil), make([]float64, 300)
	for i := range y {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{a, b})
		switch f := a*b + .2*rng.NormFloat64(); {
		case f > .5:
			y[i] = 7
		case f > -.3:
			y[i] = 3
		default:
			y[i] = 5
		}
	}
	o := estimator.Default()
	o.Target, o.Categorical, o.Ranks, o.LambdaF, o.Encoding = "y", []string{"y"}, []int{2}, []float64{3}, "linear"
	f := must(estimator.Fit(context.Background(), x, y, &o))
	assert.Equal(t, []string{"3", "5", "7"}, f.Classes())
	ridge := must(f.Ridge())
	lead := must(f.Lead(ridge))
	assert.Positive(t, lead.Low, "a product tells the classes")
	assert.InDelta(t, ridge.Error-f.Test().Error, lead.By, 1e-12)
	mean := must(f.Mean())
	lead = must(f.Lead(mean))
	assert.InDelta(t, mean.Error-f.Test().Error, lead.By, 1e-9, "the shares of the classes, for each row its own")

	columns := must(f.Importance())
	require.Len(t, columns, 2)
	assert.GreaterOrEqual(t, columns[0].By, columns[1].By)
	assert.Greater(t, columns[1].Low, .1, "a product needs both")

	var file bytes.Buffer
	require.NoError(t, f.Save(&file))
	m := must(estimator.Load(&file))
	p := must(m.Probabilities(x))
	best := must(m.Predict(x))
	right := 0
	for i := range y {
		row := p.RawRowView(i)
		assert.InDelta(t, 1, row[0]+row[1]+row[2], 1e-14)
		assert.Equal(t, max(row[0], row[1], row[2]), best[i])
		if []float64{3, 5, 7}[argmax(row)] == y[i] {
			right++
		}
	}
	assert.Greater(t, right, 240)
	_, err := m.Interactions()
	assert.EqualError(t, err, "saved: the model has a score of each of the 3 classes of y, not one set of coefficients; ask for the score of one class")
	likeliest := must(m.Explain(x.RawRowView(0), 10))
	assert.Equal(t, argmax(p.RawRowView(0)), likeliest.Class)
	assert.Equal(t, p.RawRowView(0), likeliest.Probabilities)
	assert.Equal(t, likeliest.Probabilities[likeliest.Class], likeliest.Raw)
	assert.Equal(t, "score of y = "+m.Classes()[likeliest.Class], likeliest.Quantity)
	assert.Equal(t, []float64{0, 0}, m.Slopes())
	score := m.Score(2)
	assert.NotEqual(t, []float64{0, 0}, score.Weights())
	assert.Equal(t, "score of y = 7", score.Quantity())
	shapes, average, err := score.Shapes()
	require.NoError(t, err)
	assert.True(t, average)
	require.Len(t, shapes, 2)
	for p, shape := range shapes {
		point := shape.Points[5]
		row := []float64{.5, .5}
		row[p] = point.Number
		e := must(score.Explain(row, 10))
		at := slices.IndexFunc(e.Terms, func(term saved.Term) bool { return term.First == p && term.Second < 0 })
		assert.InDelta(t, e.Terms[at].Value, point.Effect, 1e-9)
	}
	e := must(score.Explain(x.RawRowView(0), 10))
	sum := e.Base + e.Rest
	for _, term := range e.Terms {
		sum += term.Value
	}
	assert.InDelta(t, e.Predicted, sum, 1e-12)

	o.Categorical = nil
	_, err = must(estimator.Fit(context.Background(), x, y, &o)).Probabilities(x)
	assert.ErrorAs(t, err, new(*assess.NoClassesError))
}

func argmax(row []float64) (at int) {
	for c, v := range row {
		if v > row[at] {
			at = c
		}
	}
	return at
}
