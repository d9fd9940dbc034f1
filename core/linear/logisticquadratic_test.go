package linear

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/kernel"
)

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
			fits, err := NewLogisticQuadratic(denseOf(rows[:c.n]), y, weight)
			require.NoError(t, err)
			require.Equal(t, len(phi), fits.Columns())
			surface, err := fits.Fit(lambda)
			require.NoError(t, err)
			want := make([]float64, len(rows))
			fitted(t, denseOf(written[:c.n]), y, weight, lambda).Predict(want, denseOf(written))
			again, err := NewLogisticQuadratic(denseOf(twice), classes, nil)
			require.NoError(t, err)
			doubled, err := again.Fit(lambda)
			require.NoError(t, err)
			assert.InDeltaSlice(t, want, predict(doubled, denseOf(rows)), 1e-5*largest(want), "a row of weight 2 counts as two do")
			// Both end where a Newton step wins 1e-12 of the objective.
			assert.InDeltaSlice(t, want, predict(surface, denseOf(rows)), 1e-5*largest(want), "%+v λ %g", c, lambda)
		}
	}
}
