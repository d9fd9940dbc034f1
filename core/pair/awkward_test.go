package pair_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/pair"
)

func numbers(n int, of func(i int) float64) design.Raw {
	raw := design.Raw{Kind: design.Numeric, Numbers: make([]float64, n)}
	for i := range n {
		raw.Numbers[i] = of(i)
	}
	return raw
}

func levels(n, many int, of func(i int) int) design.Raw {
	raw := design.Raw{Kind: design.Categorical, Codes: make([]int32, n)}
	for l := range many {
		raw.Levels = append(raw.Levels, "l"+strconv.Itoa(l))
	}
	for i := range n {
		raw.Codes[i] = int32(of(i))
	}
	return raw
}

// sane holds what any result must keep, whatever the table.
func sane(t *testing.T, r *pair.Result) {
	t.Helper()
	assert.Equal(t, r.Listed, r.Tested+len(r.Skipped)-late(r.Skipped), "every pair is tested or listed")
	for _, n := range r.Named {
		assert.Less(t, n.P, n.Q)
		for _, v := range []float64{n.PValue, n.F, n.Share, n.Low, n.High} {
			assert.False(t, math.IsNaN(v) || math.IsInf(v, 0), "%+v", n)
		}
		assert.Greater(t, n.DF, 0)
		assert.LessOrEqual(t, n.Low, n.Share)
		assert.LessOrEqual(t, n.Share, n.High)
		assert.Greater(t, n.Share, 1e-9)
	}
}

func late(skipped []pair.Skip) (found int) {
	for _, s := range skipped {
		if s.Reason == pair.NearlyOne || s.Reason == pair.Dependent {
			found++
		}
	}
	return found
}

func TestColumnsThatFollowFromEachOtherAreNoPair(t *testing.T) {
	const n = 2000
	for name, curve := range map[string]func(float64) float64{
		"sine": func(v float64) float64 { return math.Sin(3 * v) }, "steps": math.Round, "exponential": math.Exp,
	} {
		rng := rand.New(rand.NewPCG(41, 1))
		x := numbers(n, func(int) float64 { return rng.NormFloat64() })
		bins := levels(n, 10, func(i int) int { return int(max(0, min(9, 2*x.Numbers[i]+5))) })
		quarters := levels(n, 3, func(i int) int { return int(bins.Codes[i]) / 4 })
		columns := []design.Raw{
			x, x, bins, quarters, levels(n, 1, func(int) int { return 0 }), numbers(n, func(int) float64 { return 7 }),
			numbers(n, func(int) float64 { return math.NaN() }),
			numbers(n, func(i int) float64 { return x.Numbers[i] * x.Numbers[i] }),
			numbers(n, func(i int) float64 { return math.Exp(x.Numbers[i]) }),
			numbers(n, func(i int) float64 { return x.Numbers[i] + 1e-7*rng.NormFloat64() }),
		}
		y := numbers(n, func(i int) float64 { return curve(x.Numbers[i]) + .3*rng.NormFloat64() }).Numbers
		r := search(columns, y)
		sane(t, r)
		assert.Empty(t, r.Named, name)
		reasons := map[[2]int]pair.SkipReason{}
		for _, s := range r.Skipped {
			reasons[[2]int{s.P, s.Q}] = s.Reason
		}
		assert.Equal(t, pair.Alias, reasons[[2]int{0, 1}], "a column twice")
		assert.Equal(t, pair.Alias, reasons[[2]int{2, 3}], "levels of levels")
		assert.Equal(t, pair.Alias, reasons[[2]int{0, 4}], "one level")
		assert.Equal(t, pair.Alias, reasons[[2]int{0, 5}], "one number")
		assert.Equal(t, pair.Alias, reasons[[2]int{0, 6}], "nothing but missing cells")
	}
}

func TestHatsMeasureTheShareOfASurface(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(43, 1))
	u, v := numbers(n, func(int) float64 { return rng.Float64() }), numbers(n, func(int) float64 { return rng.Float64() })
	y := numbers(n, func(i int) float64 {
		return 10*u.Numbers[i]*v.Numbers[i] + math.Sin(9*u.Numbers[i]) + .1*rng.NormFloat64()
	}).Numbers
	r := search([]design.Raw{u, v}, y)
	require.Len(t, r.Named, 1)
	assert.InDelta(t, 10*10/144.0/square(centred(y))*n, r.Named[0].Share, .01)
}

func TestSmallAndOddTablesGiveNoNumbersThatAreNone(t *testing.T) {
	for n := range 60 {
		rng := rand.New(rand.NewPCG(44, uint64(n)))
		columns := []design.Raw{
			numbers(n, func(int) float64 { return rng.NormFloat64() }),
			numbers(n, func(int) float64 { return []float64{1e150, -1e150, 0, math.NaN(), 1e-300}[rng.IntN(5)] }),
			numbers(n, func(int) float64 { return math.Exp(100 * rng.NormFloat64()) }),
			levels(n, 3, func(int) int { return rng.IntN(4) - 1 }),
			levels(n, n, func(i int) int { return i }),
		}
		sane(t, search(columns, numbers(n, func(i int) float64 { return float64(columns[3].Codes[i]) * columns[0].Numbers[i] }).Numbers))
		sane(t, search(columns, make([]float64, n)))
		sane(t, search(columns[:1], make([]float64, n)))
		sane(t, search(nil, make([]float64, n)))
	}
}

// Without noise all p values after the first pair are rounding's.
func TestATableWithoutNoiseNamesItsPairAlone(t *testing.T) {
	const n = 1500
	rng := rand.New(rand.NewPCG(45, 1))
	a, b := levels(n, 4, func(int) int { return rng.IntN(4) }), levels(n, 5, func(int) int { return rng.IntN(5) })
	c, x := levels(n, 3, func(int) int { return rng.IntN(3) }), numbers(n, func(int) float64 { return rng.NormFloat64() })
	y := numbers(n, func(i int) float64 { return float64(a.Codes[i]*b.Codes[i]) + float64(c.Codes[i]) }).Numbers
	r := search([]design.Raw{a, b, c, x}, y)
	sane(t, r)
	require.Len(t, r.Named, 1)
	assert.Equal(t, [2]int{0, 1}, [2]int{r.Named[0].P, r.Named[0].Q})
	assert.InDelta(t, 1.25*2/(1.25*2+1.25*4+2.25*2+2./3), r.Named[0].Share, .03)
	sum := numbers(n, func(i int) float64 { return float64(a.Codes[i]) + float64(b.Codes[i]) }).Numbers
	assert.Empty(t, search([]design.Raw{a, b, c, x}, sum).Named, "nothing is left for pairs")
}

func TestUnitsDoNotMatter(t *testing.T) {
	p := plant(rand.New(rand.NewPCG(46, 1)), "plain", 1000, nil)
	before := search(p.columns, p.y)
	y := make([]float64, len(p.y))
	for i, v := range p.y {
		y[i] = 1e6 - 4096*v
	}
	columns := append([]design.Raw(nil), p.columns...)
	columns[0] = numbers(len(y), func(i int) float64 { return 8 - 1024*p.columns[0].Numbers[i] })
	after := search(columns, y)
	sameNamed(t, before, after)
}

func TestOfManyColumnsTheHeaviestAreLookedAt(t *testing.T) {
	const n, wide = 700, 300
	rng := rand.New(rand.NewPCG(47, 1))
	columns := make([]design.Raw, wide)
	for j := range columns {
		columns[j] = numbers(n, func(int) float64 { return rng.NormFloat64() })
	}
	u, v := columns[17].Numbers, columns[230].Numbers
	y := numbers(n, func(i int) float64 { return u[i] + v[i] + u[i]*v[i] + rng.NormFloat64() }).Numbers
	s := pair.New(columns, y, pair.Rows{}, .01)
	assert.Equal(t, pair.Reading, s.Progress().Stage)
	stages := map[pair.Stage]bool{}
	for !s.Done() {
		p := s.Progress()
		stages[p.Stage] = true
		assert.Less(t, p.Done, p.Of)
		s.Next()
	}
	for _, stage := range []pair.Stage{pair.Reading, pair.Fitting, pair.Listing, pair.Testing, pair.Measuring} {
		assert.True(t, stages[stage], "%s", stage)
	}
	s.Next()
	r := s.Result()
	sane(t, r)
	assert.Equal(t, wide*(wide-1)/2, r.Pairs)
	in := wide - len(r.Excluded)
	assert.Equal(t, 38, in, "of 9 features each, in half of the rows")
	assert.Equal(t, in*(in-1)/2, r.Listed)
	require.NotEmpty(t, r.Named)
	assert.Equal(t, [2]int{17, 230}, [2]int{r.Named[0].P, r.Named[0].Q})
}

func TestColumnsAreLeftOutWhereTheirPairsAreTooMuchWork(t *testing.T) {
	const n = 3000
	columns := make([]design.Raw, 600)
	rng := rand.New(rand.NewPCG(48, 1))
	for j := range columns {
		columns[j] = levels(n, 2, func(int) int { return rng.IntN(2) })
	}
	s := pair.New(columns, numbers(n, func(int) float64 { return rng.NormFloat64() }).Numbers, pair.Rows{}, .01)
	for s.Progress().Stage == pair.Reading {
		s.Next()
	}
	assert.Len(t, s.Result().Excluded, 600-577, "577·576/2 pairs of 4 products a row are 2·10⁹")
}

func TestColumnsOfManyLevelsAreNotTestedWithEachOtherAndThatIsTold(t *testing.T) {
	const n = 3000
	rng := rand.New(rand.NewPCG(48, 1))
	a, b := levels(n, 30, func(int) int { return rng.IntN(30) }), levels(n, 20, func(int) int { return rng.IntN(20) })
	c, d := levels(n, 2, func(int) int { return rng.IntN(2) }), levels(n, n, func(i int) int { return i })
	y := numbers(n, func(i int) float64 { return float64(a.Codes[i]*c.Codes[i])/10 + rng.NormFloat64() }).Numbers
	r := search([]design.Raw{a, b, c, d}, y)
	sane(t, r)
	require.Len(t, r.Named, 1)
	assert.Equal(t, [2]int{0, 2}, [2]int{r.Named[0].P, r.Named[0].Q})
	why := map[[2]int]pair.Skip{}
	for _, s := range r.Skipped {
		why[[2]int{s.P, s.Q}] = s
	}
	assert.Equal(t, pair.TooMany, why[[2]int{0, 1}].Reason)
	assert.Greater(t, why[[2]int{0, 1}].Products, n/10)
	assert.Equal(t, pair.Alias, why[[2]int{2, 3}].Reason, "a level a row is no level: all share one")
}
