package encode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
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

// Every form of column: see mixtures. What Apply makes of a table's own rows is
// what training made of them.
func TestATableAppliedToItselfIsItsOwnDesign(t *testing.T) {
	for name, plan := range mixtures(t, 9500) {
		e := encodingOf(t, plan)
		a := applied(t, plan.Table, e)
		for _, lo := range []int{0, 1, 8000} { // within a block of a column, and across
			hi := min(lo+700, plan.Table.Rows)
			rows := make([]int32, hi-lo)
			for i := range rows {
				rows[i] = int32(lo + i)
			}
			d := len(e.Features)
			want, got := written(plan, e, rows), a.Rows(lo, hi)
			for i := range rows {
				want, got := want[i*d:][:d], got.(interface{ Row(int) []float64 }).Row(i)
				if !slices.Equal(want, got) {
					require.Equal(t, want, got, "%s, row %d", name, lo+i)
				}
			}
		}
	}
}

func TestAColumnWithoutASingleNumberIsTold(t *testing.T) {
	table := func(x string) *table.Table {
		var b strings.Builder
		b.WriteString("x,y\n")
		for i := range 20 {
			fmt.Fprintf(&b, "%s,%d\n", strings.ReplaceAll(x, "#", fmt.Sprint(i*7%11)), i*i)
		}
		return open(t, b.String())
	}
	plan := planOf(t, table("#"), roles.Settings{Target: "y"})
	e := encodingOf(t, plan)
	a := applied(t, table("no. #"), e)
	assert.Equal(t, 20, a.OddCount)
	assert.Equal(t, []string{"x has no number in any row; the mean of the training rows is used"}, a.Notes.Texts())
	assert.EqualError(t, &a.Odd[0], `table.csv:2:1: x is "no. 0", expected a finite number; it counts as missing`)
	for i := range 20 {
		assert.Equal(t, []float64{0}, a.Rows(i, i+1).(*design.Dense).Row(0), "the mean")
	}
}

func TestNumbersTooLargeToSquareCountAsMissing(t *testing.T) {
	for _, rows := range []int{50, 6000} {
		table := func(large string) *table.Table {
			var b strings.Builder
			b.WriteString("x,y\n")
			for i := range rows {
				fmt.Fprintf(&b, "%s,%d\n", map[bool]string{true: large, false: fmt.Sprint(i)}[i == 30], i%7)
			}
			b.WriteString("0,1\n")
			return open(t, b.String())
		}
		plan := planOf(t, table("30"), roles.Settings{Target: "y"})
		e := encodingOf(t, plan)
		whole := applied(t, table("30"), e)
		a := applied(t, table("-1e151"), e)
		require.Equal(t, 1, a.OddCount)
		assert.Zero(t, applied(t, table("1e150"), e).OddCount, "the largest that has a square")
		assert.Contains(t, a.Odd[0].Error(), `table.csv:32: x is "-1e`, "the text of a column kept as numbers is the shortest")
		want, got := whole.Rows(0, 40).(*design.Dense), a.Rows(0, 40).(*design.Dense)
		for i := range 40 {
			if i == 30 {
				assert.Equal(t, []float64{0}, got.Row(i), "the mean")
				continue
			}
			assert.Equal(t, want.Row(i), got.Row(i))
		}
	}
}

func TestALevelIsKnownByItsNumberHoweverAFileHoldsIt(t *testing.T) {
	file := func(rows int, mark string) string {
		b := []byte("shade;x;y\n")
		for i := range rows {
			shade := fmt.Sprint(10+i, ".5")
			if i%3 == 0 {
				shade = []string{"0.50", "7.0"}[i%2]
			}
			b = append(b, strings.ReplaceAll(fmt.Sprintf("%s;%d.25;%d\n", shade, i*7%11, i*i%17), ".", mark)...)
		}
		return string(b)
	}
	for name, c := range map[string][2]string{
		"texts":      {file(9000, "."), file(30, ".")},
		"numbers":    {file(300, "."), file(9000, ".")},
		"a comma":    {file(300, "."), file(30, ",")},
		"from comma": {file(300, ","), file(30, ".")},
	} {
		plan := planOf(t, open(t, c[0]), roles.Settings{Target: "y", Categorical: []string{"shade"}, Rare: 5})
		e := encodingOf(t, plan)
		want, got := applied(t, plan.Table, e).Rows(0, 30), applied(t, open(t, c[1]), e).Rows(0, 30)
		for i := range 30 {
			row := func(z design.Design) []float64 { return z.(interface{ Row(i int) []float64 }).Row(i) }
			require.Equal(t, row(want), row(got), "%s, row %d", name, i)
		}
		assert.Len(t, e.Features, 4, "0.5, 7, the others and x")
	}
}

func TestApplyCountsByColumnsWhatTheModelHasNotSeen(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,z,kind,whole,y\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%d,%s,%d,%d\n", i*7%11, i*5%13, []string{"a", "b", "c"}[i%3], i%9, i*i)
	}
	plan := planOf(t, open(t, b.String()), roles.Settings{Target: "y"})
	e := encodingOf(t, plan)
	a := applied(t, open(t, "whole,kind,z,x\n1,a,,1\n2,d,NA,2\n3,,many,3\n4,e,4,1e200\n5,b,5,5\n6,c,6,6\n7,a,7,7\n8,a,8,8\n9,a,9,9\n10,a,10,10\n"), e)
	var gaps []string
	for _, n := range a.Notes {
		if n.Cells > 0 {
			gaps = append(gaps, fmt.Sprintf("%s %s %d", n.Columns[0], n.Topic, n.Cells))
		}
	}
	assert.Equal(t, []string{"x odd 1", "z missing 2", "z odd 1", "kind missing 1", "kind unseen 2"}, gaps, "in the order of the model, and of no column that lacks nothing")
}

// growth holds a target that a second column shares with others.
func growth(ys ...string) string { return "x,y\n1," + strings.Join(ys, "\n2,") + "\n" }

func TestTheLogarithmIsShiftedWhereTheTargetHoldsZeros(t *testing.T) {
	for _, c := range []struct {
		name, text, learnt string
		raw, y             float64
	}{
		{"prices", growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "9", "7"), "log(y)", 4, math.Log(4)},
		{"counts", growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "9", "0"), "log(1 + y)", 4, math.Log(5)},
	} {
		plan := planOf(t, open(t, c.text), roles.Settings{Target: "y", Log: true})
		encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2, 3, 4, 5, 6}, Valid: []int32{7, 8}, Test: []int32{9, 10, 11}})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.learnt, encoding.Target.Quantity())
		assert.InDelta(t, c.y, encoding.Target.Scaled(c.raw)*encoding.Target.Scale, 1e-15, "whatever the training rows hold")
	}
	plan := planOf(t, open(t, growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "-9", "0")), roles.Settings{Target: "y"})
	encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2}, Test: []int32{3}})
	require.NoError(t, err)
	assert.Equal(t, design.LogNone, encoding.Target.Log)
	assert.Equal(t, "y", encoding.Target.Quantity())
}

func TestATargetWithoutALogarithmIsNamedWithItsFirstCell(t *testing.T) {
	text := growth("1", "2", "-4.5", "8", "16", "-1", "2", "4", "8", "16", "9", "0")
	_, err := roles.NewPlan(open(t, text), roles.Settings{Target: "y", Log: true})
	var typed *fault.PlanError
	require.ErrorAs(t, err, &typed)
	assert.Equal(t, "y", typed.Field)
	assert.Equal(t, "-4.5", typed.Found)
	assert.Contains(t, err.Error(), "y is -4.5 on line 4, and numbers below 0 have no logarithm")
}

func TestATargetOfTwoValuesHasNoLogarithm(t *testing.T) {
	plan := planOf(t, open(t, growth("1", "2", "1", "2", "2", "1", "2", "1", "2", "2", "1", "2")), roles.Settings{Target: "y", Log: true})
	assert.Contains(t, strings.Join(plan.Notes.Texts(), "\n"), "y has two values, so its logarithm")
	encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2, 3}, Test: []int32{4}})
	require.NoError(t, err)
	assert.Equal(t, design.LogNone, encoding.Target.Log)
}
