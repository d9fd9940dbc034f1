package design_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

func TestFromMatrixScalesByRootMeanSquareOfTrainingRows(t *testing.T) {
	rng := stream(4)
	const n, m, d = 200, 50, 3
	draw := func(n int) design.Matrix {
		x := design.Matrix{X: make([]float64, n*d), Y: make([]float64, n)}
		for i := range x.X {
			x.X[i] = 1 + rng.NormFloat64()
		}
		for i := range x.Y {
			x.Y[i] = 10 * rng.NormFloat64()
		}
		return x
	}
	clone := func(m design.Matrix) design.Matrix { return design.Matrix{X: slices.Clone(m.X), Y: slices.Clone(m.Y)} }
	train, test := draw(n), draw(m)
	set, err := design.FromMatrix([]string{"x1", "x2", "x3"}, "y", clone(train), clone(test))
	require.NoError(t, err)
	for j, f := range set.Encoding.Features {
		squares := 0.0
		for i := range n {
			squares += train.X[i*d+j] * train.X[i*d+j] / n
		}
		assert.InDelta(t, math.Sqrt(squares), f.Scale, 1e-13)
		assert.Zero(t, f.Mean)
		assert.Equal(t, design.FeatureValue, f.Kind)
		for i := range m {
			assert.InDelta(t, test.X[i*d+j], f.Scale*set.Test.Z.(interface{ Row(int) []float64 }).Row(i)[j], 1e-14)
		}
	}
	for i := range n {
		assert.InDelta(t, train.Y[i], set.Encoding.Target.Scale*set.Train.Y[i], 1e-13)
	}
	rows, columns := set.Valid.Z.Dims()
	assert.Equal(t, []int{0, d}, []int{rows, columns})
	assert.Equal(t, 1, set.Train.Line[0])
}

func TestFromMatrixRejectsWhatIsNoMatrix(t *testing.T) {
	good := func() design.Matrix { return design.Matrix{X: []float64{1, 2, 3, 4, 5, 6}, Y: []float64{1, 2, 3}} }
	two := []string{"a", "b"}
	for _, c := range []struct {
		message     string
		names       []string
		train, test design.Matrix
	}{
		{"no columns", nil, good(), good()},
		{"6 and 6 numbers for 3 and 3 rows of 3 columns", []string{"a", "b", "c"}, good(), good()},
		{"6 and 5 numbers", two, good(), design.Matrix{X: good().X[:5], Y: good().Y}},
		{"1 training rows", two, design.Matrix{X: []float64{1, 2}, Y: []float64{1}}, good()},
		{"0 test rows", two, good(), design.Matrix{}},
		{"the target is 1 in all 3 training rows, so there is nothing to learn; ask for more rows", two, design.Matrix{X: good().X, Y: []float64{1, 1, 1}}, good()},
		{"the target has standard deviation NaN", two, design.Matrix{X: good().X, Y: []float64{1, math.NaN(), 1}}, good()},
		{"column b is 0 in all 3 training rows; ask for more rows, or for a smaller τ", two, design.Matrix{X: []float64{1, 0, 2, 0, 3, 0}, Y: good().Y}, good()},
		{"column a has root mean square +Inf", two, design.Matrix{X: []float64{math.Inf(1), 0, 2, 1, 3, 0}, Y: good().Y}, good()},
		{"test row 2 holds a number that is not finite", two, good(), design.Matrix{X: []float64{1, 2, math.NaN(), 4, 5, 6}, Y: good().Y}},
		{"test row 3 holds a number that is not finite", two, good(), design.Matrix{X: good().X, Y: []float64{1, 2, math.Inf(-1)}}},
	} {
		_, err := design.FromMatrix(c.names, "y", c.train, c.test)
		var shape *design.ShapeError
		require.ErrorAs(t, err, &shape, c.message)
		assert.Contains(t, err.Error(), c.message)
	}
}

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
