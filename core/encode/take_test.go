package encode

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// entriesDesign returns the design of a file of many features, few of which a row has.
func entriesDesign(t *testing.T) design.Design {
	rng := rand.New(rand.NewPCG(81, 2))
	var b strings.Builder
	for i := range 400 {
		b.WriteString(strconv.Itoa(i))
		for j := range 3 {
			b.WriteString(" " + strconv.Itoa(1000*j+rng.IntN(1000)) + ":" + strconv.FormatFloat(rng.NormFloat64(), 'f', 3, 64))
		}
		b.WriteString("\n")
	}
	table := open(t, b.String())
	return designOf(t, table, false)
}

// Rows that are taken are those that were there, in every form of a design.
func TestTakeTakesRowsInTheOrderAskedForAndMoreThanOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	var b strings.Builder
	b.WriteString("x,z,kind,y\n")
	for i := range 400 {
		b.WriteString(strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64) + "," + strconv.FormatFloat(rng.ExpFloat64(), 'f', 4, 64) + ",k" + strconv.Itoa(rng.IntN(9)) + "," + strconv.Itoa(i) + "\n")
	}
	table := open(t, b.String())
	dense := design.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for name, z := range map[string]design.Design{"dense": dense, "mixed": designOf(t, table, false), "hats": designOf(t, table, true), "entries": entriesDesign(t)} {
		n, d := z.Dims()
		rows := []int32{int32(n - 1), 0, int32(n - 1), 1}
		for range 300 { // more than two blocks
			rows = append(rows, int32(rng.IntN(n)))
		}
		got := design.Take(z, rows)
		m, e := got.Dims()
		assert.Equal(t, []int{len(rows), d}, []int{m, e})
		assert.IsType(t, z, got, name)
		written := func(z design.Design, i int) []float64 { return z.(interface{ Row(i int) []float64 }).Row(i) }
		for i, from := range rows {
			require.Equal(t, written(z, int(from)), written(got, i), name)
		}
		ones, sums := make([]float64, len(rows)), make([]float64, d)
		for i := range ones {
			ones[i] = 1
		}
		got.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(sums, ones[lo:hi], 1) })
		for j := range d {
			want := 0.0
			for _, from := range rows {
				want += written(z, int(from))[j]
			}
			assert.InDelta(t, want, sums[j], 1e-9, "%s: its blocks are those of its rows", name)
		}
	}
	assert.Panics(t, func() { design.Take(nil, nil) })
}

// designOf returns the training rows of a table, numbers as hats or as they are.
func designOf(t *testing.T, table *table.Table, hats bool) design.Design {
	t.Helper()
	plan := planOf(t, table, roles.Settings{Target: "y", PiecewiseLinear: hats})
	set, err := Dataset(plan, rand.New(rand.NewPCG(1, 1)))
	require.NoError(t, err)
	require.IsType(t, &design.Mixed{}, set.Train.Z)
	return set.Train.Z
}
