package train_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/runtest"
)

// allValues returns the d eigenvalues of the symmetric part of UVᵀ times the
// units of its rows and columns, largest first.
func allValues(u, v, units []float64) []float64 {
	d := len(units)
	k := len(u) / d
	a := make([]float64, d*d)
	for i := range d {
		for j := range d {
			for f := range k {
				a[i*d+j] += (u[i*k+f]*v[j*k+f] + v[i*k+f]*u[j*k+f]) / 2 * units[i] * units[j]
			}
		}
	}
	e := eigen.New(d)
	e.ValuesOf(a, d)
	return falling(e.Values)
}

func falling(x []float64) []float64 {
	slices.Sort(x)
	slices.Reverse(x)
	return x
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// agree compares eigenvalues with all d, the others of which are 0. Both are
// rounded in some d² operations on numbers of the size of the largest.
func agree(t *testing.T, all, found []float64, name string) {
	t.Helper()
	require.LessOrEqual(t, len(found), len(all), name)
	assert.True(t, slices.Equal(found, falling(slices.Clone(found))), name)
	padded := falling(append(slices.Clone(found), make([]float64, len(all)-len(found))...))
	size := max(all[0], -all[len(all)-1])
	assert.InDeltaSlice(t, all, padded, 1e-13*size, name)
}

func count(x []float64, is func(v float64) bool) (n int) {
	for _, v := range x {
		if is(v) {
			n++
		}
	}
	return n
}

func TestATruthHasAsManyEigenvaluesAsItWasDrawnWith(t *testing.T) {
	for _, c := range []struct {
		query              string
		positive, negative int
	}{
		{"scenario=psd&truth=gaussian", 3, 0},
		{"scenario=psd&truth=orthonormal", 3, 0},
		{"scenario=flipped&truth=gaussian", 0, 3},
		{"scenario=flipped&truth=orthonormal", 0, 3},
		{"scenario=mixed&truth=gaussian", 3, 3},
		{"scenario=mixed&truth=orthonormal", 2, 1},
		{"scenario=psd&truth=gaussian&d=2", 2, 0},
		{"scenario=mixed&truth=gaussian&d=5", 3, 2}, // of this seed
	} {
		for _, diagonal := range []string{"zero", "kept"} {
			query := c.query + "&n=50&test=10&iterations=1&diagonal=" + diagonal
			run, _ := runtest.Train(t, query, 0, nil)
			m, ok := run.Truth()
			require.True(t, ok)
			truth := run.Rows().Truth
			u, v := truth.U, truth.Right()
			agree(t, allValues(u, v, ones(len(m.Names))), m.Eigenvalues, query)
			assert.Equal(t, c.positive, count(m.Eigenvalues, func(v float64) bool { return v > 0 }), query)
			assert.Equal(t, c.negative, count(m.Eigenvalues, func(v float64) bool { return v < 0 }), query)
			assert.Len(t, m.Eigenvalues, c.positive+c.negative, query)
			if diagonal == "kept" {
				e := eigen.New(len(m.Names))
				e.ValuesOf(slices.Clone(m.Values), len(m.Names))
				agree(t, falling(e.Values), m.Eigenvalues, query+", of the values shown")
			}
		}
	}
}

func TestALearntMatrixHasTheEigenvaluesOfItsFactors(t *testing.T) {
	for _, source := range []string{"scenario=mixed&n=300&test=50", "scenario=psd&n=900&solver=auto", "scenario=psd&d=4&rank=6&solver=auto", "source=table&target=y", "source=table&target=y&solver=auto"} {
		query := source + "&models=fm,gfm,ifm&iterations=8&ranks=3"
		table := runtest.ReadTable(t, "", runtest.Interacting(200, nil))
		for cell := range 3 {
			run, _ := runtest.Train(t, query, cell, table)
			m := runtest.Result(t, run.Interaction)
			file := runtest.Result(t, run.Model)
			model, encoding, err := fm.Parse(file)
			require.NoError(t, err)
			units := ones(model.D)
			if _, drawn := run.Truth(); drawn {
				for j, f := range encoding.Features {
					units[j] = 1 / f.Scale
				}
			}
			all := allValues(model.U, model.Right(), units)
			for i := range all {
				all[i] *= encoding.Target.Scale
			}
			agree(t, all, m.Eigenvalues, query)
			count := 2 * m.Rank
			if model.Kind == fm.FM {
				count = m.Rank
				assert.GreaterOrEqual(t, slices.Min(m.Eigenvalues), 0.0, query)
			}
			assert.Len(t, m.Eigenvalues, min(count, model.D), "%s, %v", query, model.Kind)
			if model.Kind == fm.GFM && units[0] != 1 { // the values shown keep the diagonal
				e := eigen.New(model.D)
				e.ValuesOf(slices.Clone(m.Values), model.D)
				agree(t, falling(e.Values), m.Eigenvalues, query)
			}
		}
	}
}

func TestLevelsThatNeverMeetHaveNoInteraction(t *testing.T) {
	const query = "source=table&target=y&models=fm&ranks=2&lambdaf=1&encode=linear"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, func(_ int, cells []string) {
		if cells[0] > "1" {
			cells[0] = ""
		}
	})))
	m := runtest.Result(t, run.Interaction)
	at := map[string]int{}
	for i, name := range m.Names {
		at[name] = i
	}
	d := len(m.Names)
	assert.Zero(t, m.Values[at["colour=red"]*d+at["colour=blue"]])
	assert.Zero(t, m.Values[at["x1"]*d+at["x1 is missing"]])
	assert.NotZero(t, m.Values[at["x3"]*d+at["x4"]])
	assert.NotZero(t, m.Values[at["x3"]*d+at["colour=red"]])
}
