package trial

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/read"
	"ifmlab/core/roles"
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
	table, err := read.Read(strings.NewReader(b.String()), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	for _, hats := range []bool{false, true} {
		plan, err := roles.NewPlan(table, roles.Settings{Target: "y", Categorical: []string{"colour", "shape"}, Rare: 5, PiecewiseLinear: hats})
		require.NoError(t, err)
		set, err := encode.Dataset(plan, rand.New(rand.NewPCG(4, 4)))
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
			want := fm.New(kind, d, 3)
			want.Set(m)
			centreInTurn(want, all)
			centre(m, all)
			// Sums of some tens of products of size 100 a pair, in another order.
			assert.InDelta(t, want.B, m.B, 1e-9, "%v", kind)
			assert.InDeltaSlice(t, want.W, m.W, 1e-9, "%v", kind)
			assert.InDeltaSlice(t, want.U, m.U, 1e-12, "%v", kind)
			assert.InDeltaSlice(t, want.V, m.V, 1e-12, "%v", kind)
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

// centreInTurn centres one column after the other and moves what each leaves over to
// the weights of all other features: O(d·k) a column.
func centreInTurn(m *fm.Model, all []levels) {
	k, right := m.Rank, m.Right()
	for _, l := range all {
		hi := l.lo + len(l.shares)
		take := func(factors []float64) []float64 {
			mean := make([]float64, k)
			for e, p := range l.shares {
				for f := range k {
					mean[f] += p * factors[(l.lo+e)*k+f]
				}
			}
			for j := l.lo; j < hi; j++ {
				for f := range k {
					factors[j*k+f] -= mean[f]
				}
			}
			return mean
		}
		u := take(m.U)
		v := u
		if m.Kind != fm.FM {
			v = take(m.V)
		}
		for j := range m.D {
			if own := l.lo <= j && j < hi; !own || m.Kind == fm.GFM {
				for f := range k {
					m.W[j] += u[f]*right[j*k+f] + v[f]*m.U[j*k+f]
				}
			}
		}
		for f := range k {
			if m.Kind == fm.GFM {
				m.B += u[f] * v[f]
			}
		}
	}
	for _, l := range all {
		mean := 0.0
		for e, p := range l.shares {
			mean += p * m.W[l.lo+e]
		}
		for e := range l.shares {
			m.W[l.lo+e] -= mean
		}
		m.B += mean
	}
}
