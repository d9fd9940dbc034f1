package pair_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
	"ifmlab/core/pair"
)

// nullTable is a table without interactions, in the order of its file.
type nullTable struct {
	columns []design.Raw
	y       []float64
	weight  []float64
	group   []int32
	ordered bool
}

// gaussian returns n draws.
func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// additive draws five numbers of a shape and two columns of levels, and their effects.
func additive(rng *rand.Rand, n int, shape func(float64) float64) nullTable {
	t := nullTable{y: make([]float64, n)}
	for _, w := range []float64{1, 0, .5, -1, .3} {
		x := numbers(n, func(int) float64 { return shape(rng.NormFloat64()) })
		for i, v := range x.Numbers {
			t.y[i] += w * v
		}
		t.columns = append(t.columns, x)
	}
	for _, many := range []int{4, 3} {
		c, effect := levels(n, many, func(int) int { return rng.IntN(many) }), gaussian(rng, many)
		for i, code := range c.Codes {
			t.y[i] += effect[code]
		}
		t.columns = append(t.columns, c)
	}
	return t
}

// noisy adds noise to the targets.
func (t nullTable) noisy(of func(i int) float64) nullTable {
	for i := range t.y {
		t.y[i] += of(i)
	}
	return t
}

// pick returns the table of some of its rows, in another order.
func (t nullTable) pick(rows []int) nullTable {
	out := nullTable{ordered: t.ordered}
	for _, raw := range t.columns {
		if raw.Numbers != nil {
			out.columns = append(out.columns, numbers(len(rows), func(i int) float64 { return raw.Numbers[rows[i]] }))
		} else {
			out.columns = append(out.columns, levels(len(rows), len(raw.Levels), func(i int) int { return int(raw.Codes[rows[i]]) }))
		}
	}
	for _, i := range rows {
		out.y = append(out.y, t.y[i])
		if t.group != nil {
			out.group = append(out.group, t.group[i])
		}
		if t.weight != nil {
			out.weight = append(out.weight, t.weight[i])
		}
	}
	return out
}

// walk returns steps that add up, forgetting the share 1 − keep of their sum each time.
func walk(rng *rand.Rand, n int, keep float64) []float64 {
	x, at := make([]float64, n), 0.0
	for i := range x {
		at = keep*at + rng.NormFloat64()
		x[i] = at
	}
	return x
}

func same(v float64) float64 { return v }

// series is a table of numbers that go on from row to row, and two columns of levels.
func series(rng *rand.Rand, n int, keep float64) nullTable {
	t := additive(rng, n, same)
	t.y, t.ordered = make([]float64, n), true
	for j := range 3 {
		t.columns[j].Numbers = walk(rng, n, keep)
	}
	for i := range t.y {
		t.y[i] = t.columns[0].Numbers[i] - .5*t.columns[1].Numbers[i]
	}
	noise := walk(rng, n, keep)
	return t.noisy(func(i int) float64 { return noise[i] })
}

// panel is a table of groups of rows: their columns differ within groups by a share.
func panel(rng *rand.Rand, n, groups int, within float64) nullTable {
	t, of := additive(rng, groups, same), make([]int, n)
	for i := range of {
		of[i] = rng.IntN(groups)
	}
	effect := gaussian(rng, groups)
	t = t.noisy(func(i int) float64 { return effect[i] }).pick(of)
	t.group = make([]int32, n)
	for i, g := range of {
		t.group[i] = int32(g)
		for j := range 5 {
			t.columns[j].Numbers[i] += within * rng.NormFloat64()
		}
	}
	return t.noisy(func(int) float64 { return rng.NormFloat64() })
}

// nullKinds are tables without interactions by what is hard about them.
var nullKinds = []struct {
	name string
	draw func(rng *rand.Rand, n int) nullTable
}{
	{"a square and rare levels", func(rng *rand.Rand, n int) nullTable {
		p := plant(rng, "null", n, nil)
		return nullTable{columns: p.columns, y: p.y}
	}},
	{"noise that grows with a lognormal column", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n, math.Exp)
		x := slices.Clone(t.columns[0].Numbers)
		return t.noisy(func(i int) float64 { return x[i] * rng.NormFloat64() })
	}},
	{"noise that grows with the target", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n, same)
		return t.noisy(func(i int) float64 { return t.y[i] * rng.NormFloat64() })
	}},
	{"very heavy-tailed noise", func(rng *rand.Rand, n int) nullTable {
		return additive(rng, n, same).noisy(func(int) float64 { return studentT(rng) })
	}},
	{"counts", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n, func(v float64) float64 { return math.Exp(v / 2) })
		least := slices.Min(t.y)
		for i, v := range t.y {
			t.y[i] = float64(poisson(rng, v-least))
		}
		return t
	}},
	{"classes", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n, func(v float64) float64 { return math.Erf(v / math.Sqrt2) })
		for i, v := range t.y {
			t.y[i] = of(rng.Float64() < max(.02, min(.98, .5+.08*v)))
		}
		return t
	}},
	{"weights", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n, same).noisy(func(int) float64 { return rng.NormFloat64() })
		t.weight = numbers(n, func(int) float64 { return math.Exp(rng.NormFloat64()) }).Numbers
		return t
	}},
	{"each row three times", func(rng *rand.Rand, n int) nullTable {
		t := additive(rng, n/3, same).noisy(func(int) float64 { return rng.NormFloat64() })
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i % (n / 3)
		}
		return t.pick(rows)
	}},
	{"fifty groups, known by their columns", func(rng *rand.Rand, n int) nullTable {
		t := panel(rng, n, 50, 0)
		t.group = nil
		return t
	}},
	{"n/20 groups", func(rng *rand.Rand, n int) nullTable { return panel(rng, n, max(5, n/20), .3) }},
	{"thirty groups, one row-wise column", func(rng *rand.Rand, n int) nullTable {
		t := panel(rng, n, 30, 0)
		t.columns[1] = numbers(n, func(int) float64 { return rng.NormFloat64() })
		return t
	}},
	{"random walks", func(rng *rand.Rand, n int) nullTable { return series(rng, n, 1) }},
	{"stretches of twenty rows", func(rng *rand.Rand, n int) nullTable {
		t := panel(rng, n, max(2, n/20), .3)
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		slices.SortStableFunc(rows, func(a, b int) int { return int(t.group[a] - t.group[b]) })
		t = t.pick(rows)
		t.group, t.ordered = nil, true
		return t
	}},
}

func of(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// studentT draws of Student's t with two degrees of freedom, whose variance has no end.
func studentT(rng *rand.Rand) float64 { return rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) }

func poisson(rng *rand.Rand, mean float64) (k int) {
	for sum := rng.ExpFloat64(); sum < mean; sum += rng.ExpFloat64() {
		k++
	}
	return k
}

// At a level of 1 %, at most 20 of 1000 tables of any kind and size name a pair, and 1.2 % of
// all: IFMLAB_FULL=1 go test -timeout 3h -run TablesOfAllKinds -v ./core/pair
func TestTablesOfAllKindsWithoutInteractionsNameNone(t *testing.T) {
	tables, sizes := 20, []int{200, 500, 1000}
	switch {
	case testing.Short():
		tables, sizes = 3, []int{200}
	case os.Getenv("IFMLAB_FULL") != "":
		tables, sizes = 1000, []int{100, 200, 500, 1000, 2000, 5000}
	}
	all := 0
	for _, kind := range nullKinds {
		for _, n := range sizes {
			wrong := 0
			for seed := range tables {
				rng := rand.New(rand.NewPCG(2030, uint64(seed)))
				if namesAny(kind.draw(rng, n), rng) {
					wrong++
				}
			}
			t.Logf("%s, %d rows: %d of %d", kind.name, n, wrong, tables)
			assert.LessOrEqual(t, wrong, max(1, tables/50), "%s, %d rows", kind.name, n)
			all += wrong
		}
	}
	assert.LessOrEqual(t, float64(all), max(2, .012*float64(tables*len(sizes)*len(nullKinds))))
}

// namesAny reports whether a search names a pair of a table, its rows in random order.
func namesAny(t nullTable, rng *rand.Rand) bool {
	at := rng.Perm(len(t.y))
	s := t.pick(at)
	rows := pair.Rows{Weight: s.weight, Group: s.group}
	if t.ordered {
		for _, i := range at {
			rows.Place = append(rows.Place, int32(i))
		}
	}
	f := pair.New(s.columns, s.y, rows, .01)
	f.Finish()
	return len(f.Result().Named) > 0
}

func TestPairsOfTooFewGroupsAreNotNamedAndThatIsTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(2032, 1))
	x := panel(rng, 600, 12, .3)
	s := pair.New(x.columns, x.y, pair.Rows{Group: x.group}, .01)
	s.Finish()
	assert.Empty(t, s.Result().Named)
	assert.Positive(t, s.Result().Dependent)
	sane(t, s.Result())
}

func TestAnOrderWithoutMeaningTakesNoPairAway(t *testing.T) {
	p := plant(rand.New(rand.NewPCG(46, 1)), "plain", 1000, nil)
	place := make([]int32, len(p.y))
	for i := range place {
		place[i] = int32(i)
	}
	s := pair.New(p.columns, p.y, pair.Rows{Place: place}, .01)
	s.Finish()
	assert.Len(t, s.Result().Named, len(search(p.columns, p.y).Named))
}
