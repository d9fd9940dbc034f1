package pair_test

import (
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tally is what searches of planted tables found.
type tally struct {
	tables, planted, found, covered, wrong int
	shares                                 float64 // mean of Ŝ over what was planted
}

// count searches tables of seeds that nothing was chosen on.
func count(kind string, tables int, shape func(float64) float64) (all tally) {
	all.tables = tables
	for seed := range tables {
		p := plant(rand.New(rand.NewPCG(2026, uint64(seed))), kind, 2000, shape)
		r := search(p.columns, p.y)
		all.planted += len(p.pairs)
		wrong, purified := false, sync.OnceValue(func() func([]float64) []float64 { return purifier(p) })
		for _, named := range r.Named {
			added := p.pairs[[2]int{named.P, named.Q}]
			if added == nil {
				wrong = true
				continue
			}
			all.found++
			share := square(purified()(added)) / square(centred(p.y))
			all.shares += named.Share / share
			if named.Low <= share && share <= named.High {
				all.covered++
			}
		}
		if wrong {
			all.wrong++
		}
	}
	all.shares /= math.Max(1, float64(all.found))
	return all
}

// many is how many tables a claim is held on: a third without IFMLAB_FULL=1.
func many(all int) int {
	switch {
	case testing.Short():
		return all / 60
	case os.Getenv("IFMLAB_FULL") == "":
		return all / 3
	}
	return all
}

// "Null table: at most 3 in 60 name a pair at α = 1 %." All have a square that a
// hat of five knots does not follow, and a column of rare levels.
func TestATableWithoutInteractionsNamesNone(t *testing.T) {
	got := count("null", many(120), nil)
	t.Logf("%+v", got)
	assert.LessOrEqual(t, got.wrong, max(1, many(120)/20))
}

// "Planted pairs of at least 2 % of variance are named in at least 95 %, and their
// intervals cover in at least 90 %", as columns are independent, levels rare, or
// columns correlated by .7.
func TestPlantedPairsAreNamedAndTheirIntervalsCoverTheTruth(t *testing.T) {
	for _, kind := range []string{"plain", "rare", "correlated"} {
		got := count(kind, many(60), nil)
		t.Logf("%s: %+v", kind, got)
		assert.GreaterOrEqual(t, float64(got.found), .95*float64(got.planted), kind)
		assert.LessOrEqual(t, got.wrong, max(1, got.tables/20), kind)
		if !testing.Short() {
			assert.InDelta(t, 1, got.shares, .1, kind)
			assert.GreaterOrEqual(t, float64(got.covered), .9*float64(got.found), kind)
		}
	}
}

func TestOtherThanGaussianColumnsNameNoMoreFalsePairs(t *testing.T) {
	for name, shape := range map[string]func(float64) float64{
		"lognormal": math.Exp,
		"uniform":   func(v float64) float64 { return math.Erf(v / math.Sqrt2) },
		"whole":     func(v float64) float64 { return math.Round(3 * v) },
		"zeros":     func(v float64) float64 { return math.Max(v, 0) },
	} {
		for _, kind := range []string{"null", "correlated"} {
			got := count(kind, many(60), shape)
			t.Logf("%s %s: %+v", name, kind, got)
			assert.LessOrEqual(t, got.wrong, max(1, got.tables/15), "%s %s", name, kind)
			assert.GreaterOrEqual(t, float64(got.found), .9*float64(got.planted), "%s %s", name, kind)
		}
	}
}

// The noise of counts and prices grows with them.
func TestNoiseThatGrowsNamesNoMoreFalsePairs(t *testing.T) {
	wrong, tables := 0, many(120)
	for seed := range tables {
		rng := rand.New(rand.NewPCG(2027, uint64(seed)))
		p := plant(rng, "null", 2000, nil)
		scale := centred(p.y)
		for i := range p.y {
			p.y[i] += .5 * math.Abs(scale[i]) * rng.NormFloat64() * rng.ExpFloat64()
		}
		if len(search(p.columns, p.y).Named) > 0 {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, tables)
	assert.LessOrEqual(t, wrong, max(1, tables/20))
}
