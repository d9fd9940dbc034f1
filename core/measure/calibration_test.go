package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sure returns the scores of rows of three classes that are sharp times too sure.
func sure(n int, sharp float64) (f, y []float64) {
	rng := rand.New(rand.NewPCG(2, 8))
	for range n {
		row, class, highest := []float64{0, 0, 0}, 0, -1e9
		for c := range row {
			row[c] = 2 * rng.NormFloat64()
			if v := row[c] - math.Log(rng.ExpFloat64()); v > highest { // Gumbel noise: classes are drawn by the softmax
				class, highest = c, v
			}
		}
		for _, v := range row {
			f = append(f, sharp*v)
		}
		y = append(y, float64(class))
	}
	return f, y
}

func TestTheSlopeOfScoresTakesBackWhatMakesThemTooSure(t *testing.T) {
	f, y := sure(4000, 3)
	c := Platt(f, y, nil)
	assert.True(t, c.Used)
	assert.InDelta(t, 1./3, c.Slope, .02, "to a few standard errors of 4000 rows")
	assert.Zero(t, c.Offset)
	assert.Equal(t, 4000, c.Rows)
	right, y := sure(4000, 1)
	assert.False(t, Platt(right, y, nil).Used, "scores that are right stay")
}

func TestTheSlopeOfScoresIsWhereTheLossIsLeast(t *testing.T) {
	f, y := sure(4000, 2)
	c := Platt(f, y, nil)
	for _, other := range []float64{.98, 1.02} { // Platt's targets move the least by 1/4000 times some tens
		assert.Less(t, MeanLogLoss(f, y, nil, c.Slope), MeanLogLoss(f, y, nil, c.Slope*other))
	}
	two := append(append([]float64(nil), f...), f...)
	doubled := Platt(two, append(append([]float64(nil), y...), y...), nil)
	weight := make([]float64, len(y))
	for i := range weight {
		weight[i] = 2
	}
	assert.InDelta(t, c.Slope, Platt(f, y, weight).Slope, 1e-9, "weights are relative")
	assert.InDelta(t, c.Slope, doubled.Slope, 1e-2)
}

func TestScoresOfTwoClassesHaveTheLossOfTheirLogOdds(t *testing.T) {
	y, odds := []float64{0, 1, 1, 0}, []float64{-1, 2, -.5, 30}
	var scores []float64
	for _, f := range odds {
		scores = append(scores, 7-f/2, 7+f/2)
	}
	for _, weight := range [][]float64{nil, {1, 2, 3, 4}} {
		assert.InDelta(t, MeanLogLoss(odds, y, weight, 1.5), MeanLogLoss(scores, y, weight, 1.5), 1e-13)
	}
}

func TestASlopeNeedsRowsOfTwoClasses(t *testing.T) {
	c := Platt([]float64{1, 2, 3, 3, 2, 1}, []float64{1, 1}, nil)
	assert.Equal(t, Calibration{Slope: 1}, c)
}
