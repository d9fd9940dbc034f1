package core

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// areaByPairs looks at every pair of a 1 and a 0.
func areaByPairs(predicted, actual []float64) float64 {
	sum, pairs := 0., 0.
	for i, p := range predicted {
		for j, q := range predicted {
			if actual[i] == 1 && actual[j] == 0 && p == p && q == q {
				pairs++
				switch {
				case p > q:
					sum++
				case p == q:
					sum += .5
				}
			}
		}
	}
	return sum / pairs
}

func TestTheAreaUnderTheCurveIsTheShareOfPairsInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	nan := math.NaN()
	for n := range 60 {
		predicted, actual := make([]float64, n), make([]float64, n)
		for i := range n {
			predicted[i] = float64(rng.IntN(1+n/3)) / 8 // many ties
			actual[i] = float64(rng.IntN(2))
			if rng.IntN(20) == 0 {
				predicted[i] = nan
			}
			if rng.IntN(20) == 0 {
				actual[i] = nan
			}
		}
		want, got := areaByPairs(predicted, actual), auc(predicted, actual)
		if math.IsNaN(want) {
			assert.True(t, math.IsNaN(got), "%d rows", n)
			continue
		}
		assert.InDelta(t, want, got, 1e-12, "%d rows", n)
	}
	assert.Equal(t, 1., auc([]float64{.1, .9, .5}, []float64{0, 1 - 1e-16, 0}))
	assert.Equal(t, 0., auc([]float64{.9, .1, .5}, []float64{0, 1, 0}))
	assert.Equal(t, .5, auc([]float64{3, 3, 3, 3}, []float64{0, 1, 0, 1}))
	assert.Equal(t, .5, auc([]float64{math.Copysign(0, -1), 0}, []float64{0, 1}), "−0 is 0")
	assert.True(t, math.IsNaN(auc([]float64{1, 2}, []float64{1, 1})))
}
