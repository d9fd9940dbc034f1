package core

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/data"
	"ifmlab/core/fm"
)

func TestCentringLevelsMovesNoPredictionOfAKnownRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var b strings.Builder
	b.WriteString("x,colour,shape,y\n")
	for range 300 {
		colour, shape := strconv.Itoa(rng.IntN(4)), ""
		if s := rng.IntN(5); s > 0 {
			shape = strconv.Itoa(s)
		}
		if rng.IntN(200) == 0 {
			colour = "seldom" // "other"
		}
		b.WriteString(strconv.FormatFloat(rng.NormFloat64(), 'g', 5, 64) + "," + colour + "," + shape + "," + strconv.Itoa(rng.IntN(50)) + "\n")
	}
	table, err := data.Read(strings.NewReader(b.String()), data.Options{Name: "t.csv"})
	require.NoError(t, err)
	plan, err := table.Plan(data.Settings{Target: "y", Categorical: []string{"colour", "shape"}, Rare: 5})
	require.NoError(t, err)
	for _, hats := range []bool{false, true} {
		plan, err = table.Plan(data.Settings{Target: "y", Categorical: []string{"colour", "shape"}, Rare: 5, Hats: hats})
		require.NoError(t, err)
		set, err := plan.Dataset(rand.New(rand.NewPCG(4, 4)))
		require.NoError(t, err)
		all := levelsOf(set)
		require.Len(t, all, 2)
		d := len(set.Encoding.Features)
		for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
			m := fm.New(kind, d, 3)
			for _, block := range [][]float64{m.W, m.U, m.V} {
				for i := range block {
					block[i] = 5 + rng.NormFloat64()
				}
			}
			for _, l := range all {
				sum := 0.0
				for _, p := range l.shares {
					sum += p
				}
				assert.InDelta(t, 1, sum, 1e-12)
			}
			before, after := make([]float64, len(set.Train.Y)), make([]float64, len(set.Train.Y))
			m.Predict(before, set.Train.Z, nil)
			centre(m, all)
			m.Predict(after, set.Train.Z, nil)
			// Products of size 100 a pair, summed over some tens of features.
			assert.InDeltaSlice(t, before, after, 1e-9, "%v", kind)
			for _, l := range all {
				for f := range 3 {
					mean, weight := 0.0, 0.0
					for e, p := range l.shares {
						mean += p * m.U[(l.lo+e)*3+f]
						weight += p * m.W[l.lo+e]
					}
					assert.InDelta(t, 0, mean, 1e-12)
					assert.InDelta(t, 0, weight, 1e-9)
				}
			}
		}
	}
}
