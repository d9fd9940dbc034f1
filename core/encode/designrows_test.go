package encode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// written is rows of a plan as the obvious loop writes them: a cell at a time,
// from its text.
func written(p *roles.Plan, e *design.Encoding, rows []int32) []float64 {
	d := len(e.Features)
	x := make([]float64, len(rows)*d)
	for _, g := range e.Groups() {
		c := p.Table.Columns[slices.IndexFunc(p.Table.Columns, func(c *table.Column) bool { return c.Name == e.Features[g.Lo].Column })]
		for i, row := range rows {
			at, other := -1, -1
			for j := g.Lo; j < g.Hi; j++ {
				switch f := e.Features[j]; {
				case f.Kind == design.FeatureOther:
					other = j
				case f.Kind == design.FeatureValue && !c.IsMissing(int(row)):
					x[i*d+j] = (c.Number(int(row)) - f.Mean) / f.Scale
				case f.Kind == design.FeatureMissing && c.IsMissing(int(row)), f.Kind == design.FeatureLevel && f.Level == c.Text(int(row)):
					at = j
				}
			}
			if at < 0 && !c.IsMissing(int(row)) {
				at = other
			}
			if at >= 0 {
				x[i*d+at] = 1
			}
		}
	}
	return x
}

// mixtures are plans whose designs are dense, sparse and mixed: with numbers of
// few and of many different values, with gaps and texts among them; levels by the
// thousand that are texts, numbers and both; rare ones; and gaps.
func mixtures(t *testing.T, rows int) map[string]*roles.Plan {
	rng := rand.New(rand.NewPCG(5, 6))
	number := func() string { return cell.FormatNumber(rng.NormFloat64()) }
	gap := func(cell func() string) func() string {
		return func() string {
			if rng.IntN(9) == 0 {
				return ""
			}
			return cell()
		}
	}
	late := func(cell func() string) func() string { // a text among numbers
		return func() string {
			if rng.IntN(60) == 0 {
				return []string{"late", "early"}[rng.IntN(2)]
			}
			return cell()
		}
	}
	level := func(name string, n int) func() string {
		return func() string { return fmt.Sprintf("%s%d", name, rng.IntN(n)) }
	}
	plans := map[string]*roles.Plan{}
	for name, cells := range map[string][]func() string{
		"numbers":            {number, level("", 9), number, gap(number)},
		"levels":             {level("u", 40), gap(level("i", 25)), level("g", 3)},
		"two runs":           {number, level("u", 40), gap(level("", 20)), number, level("s", 2), gap(level("i", 9)), number},
		"numbers as levels":  {late(gap(level("", 9000))), number, gap(level("", 40)), level("u", 9)},
		"one dense at last":  {level("u", 40), level("i", 25), number},
		"one dense at first": {gap(number), level("i", 25)},
	} {
		var b strings.Builder
		for j := range cells {
			fmt.Fprintf(&b, "c%d,", j)
		}
		b.WriteString("y\n")
		for range rows {
			for _, cell := range cells {
				b.WriteString(cell() + ",")
			}
			b.WriteString(number() + "\n")
		}
		table := open(t, b.String())
		s := roles.Settings{Target: "y", Rare: 3}
		if name == "numbers as levels" {
			s.Categorical = []string{"c0", "c2"}
		}
		plans[name] = planOf(t, table, s)
	}
	return plans
}

func TestDesignsOfEveryFormAreTheWrittenOutMatrix(t *testing.T) {
	for name, plan := range mixtures(t, 9500) {
		s := plan.Split(rand.New(rand.NewPCG(1, 2)))
		s.Train, s.Test = s.Train[:5000], s.Test[:301]
		e, _, err := Encoding(plan, s)
		require.NoError(t, err)
		for _, rows := range [][]int32{nil, s.Test[:1], s.Test[:128], s.Test} {
			for _, e.AllSparse = range []bool{false, true} {
				z, n, d := designRows(plan, e, rows), len(rows), len(e.Features)
				x := written(plan, e, rows)
				gotN, gotD := z.Dims()
				require.Equal(t, []int{n, d}, []int{gotN, gotD}, name)
				for i := range rows {
					require.Equal(t, x[i*d:][:d], z.(interface{ Row(int) []float64 }).Row(i), "%s, row %d", name, i)
				}
				for _, k := range []int{1, 3, 8} {
					holdsTheProducts(t, z, design.NewDense(n, d, x), k)
				}
			}
		}
	}
}

// holdsTheProducts holds the products of a design, in blocks of any size, to
// those of want.
func holdsTheProducts(t *testing.T, z, want design.Design, k int) {
	t.Helper()
	n, d := want.Dims()
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	p, r, c := draw(d*k), draw(n*k), draw(d)
	products := func(z design.Design, rows int) [4][]float64 {
		forward, squares := draw(n*k), draw(n) // to be overwritten
		adjoint, columns := make([]float64, d*k), make([]float64, d)
		last := 0
		z.Each(rows, func(lo, hi int, b design.Block) {
			require.Equal(t, last, lo)
			last = hi
			b.Forward(forward[lo*k:hi*k], p, k)
			b.Adjoint(adjoint, r[lo*k:hi*k], k)
			b.SquaresForward(squares[lo:hi], c)
			b.SquaresAdjoint(columns, r[lo:hi])
		})
		require.Equal(t, n, last)
		z.Back(rows, func(lo, hi int, b design.Block) { // the same blocks, the last one first
			require.Equal(t, last, hi)
			last = lo
			again := make([]float64, (hi-lo)*k)
			b.Forward(again, p, k)
			require.Equal(t, forward[lo*k:hi*k], again)
		})
		require.Equal(t, 0, last)
		return [4][]float64{forward, adjoint, squares, columns}
	}
	exact := products(want, design.BlockRows)
	for _, rows := range []int{design.BlockRows, 1, 100, 1000} {
		for i, got := range products(z, rows) {
			// The order of summation differs: sums of up to 300 products of size 1.
			require.InDeltaSlice(t, exact[i], got, 1e-12, "product %d, k = %d, by %d", i, k, rows)
		}
	}
}

func TestLevelsStayOnesAndAPassOverThemDoesNotAllocate(t *testing.T) {
	set, err := Dataset(mixtures(t, 300)["two runs"], rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	z := set.Train.Z.(*design.Mixed)
	n, d := z.Dims()
	require.Len(t, z.Runs, 3, "numbers and flags of missing ones")
	ones, dense := 0, 0
	for i := range n {
		columns, _ := z.Ones.Row(i)
		ones = max(ones, len(columns))
	}
	for _, run := range z.Runs {
		_, width := run.Z.Dims()
		dense += width
	}
	assert.Equal(t, []int{2, 7}, []int{ones, dense}, "of a row; the two levels of a column are dense")
	assert.EqualValues(t, n*(8*dense+4*ones+4), set.Encoding.Bytes(n))
	p, r := make([]float64, 2*d), make([]float64, 2*n)
	pass := func(lo, hi int, b design.Block) {
		b.Forward(r[:2*(hi-lo)], p, 2)
		b.Adjoint(p, r, 2)
		b.SquaresForward(r[:hi-lo], p)
		b.SquaresAdjoint(p, r)
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() { z.Each(design.BlockRows, pass) }))
}

func TestADesignTooLargeForABrowserIsRefused(t *testing.T) {
	require.NoError(t, checkSize("t.csv", 60_000, 25_001, design.MaxBytes, "k", 25_000))
	large := int64(60_000 * 25_001 * 8)
	require.EqualError(t, checkSize("t.csv", 60_000, 25_001, large, "k", 25_000), "t.csv: 60000 rows of 25001 features need 12.0 GB, the limit is 0.3; ignore k, which alone makes 25000 features, or open fewer rows")
	require.ErrorContains(t, checkSize("t.csv", 60_000, 25_001, large, "k", 1), "ignore columns or open fewer rows")
}

func open(t *testing.T, text string) *table.Table {
	t.Helper()
	table, err := read.Read(strings.NewReader(text), read.Options{Name: "table.csv"})
	require.NoError(t, err)
	return table
}

func planOf(t *testing.T, table *table.Table, s roles.Settings) *roles.Plan {
	t.Helper()
	plan, err := roles.NewPlan(table, s)
	require.NoError(t, err)
	return plan
}

// encodingOf returns the encoding of a plan that is split at random.
func encodingOf(t *testing.T, plan *roles.Plan) *design.Encoding {
	t.Helper()
	e, _, err := Encoding(plan, plan.Split(rand.New(rand.NewPCG(1, 2))))
	require.NoError(t, err)
	return e
}

func applied(t *testing.T, table *table.Table, e *design.Encoding) *Applied {
	t.Helper()
	a, err := Apply(table, e)
	require.NoError(t, err)
	return a
}

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
