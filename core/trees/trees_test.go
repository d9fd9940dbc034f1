package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

// grow grows all trees.
func grow(t *testing.T, train, valid Rows) *Booster { return whole(t, train, valid, Options{}) }

func predict(t *testing.T, b *Booster, columns []design.Raw) []float64 {
	t.Helper()
	f := must(b.Predict(columns))
	for _, v := range f {
		require.False(t, math.IsNaN(v) || math.IsInf(v, 0), "%v", v)
	}
	return f
}

// city draws rows of two numbers and a level: a slope that ends, a step that only
// some levels have, and noise of at most 1/8.
func city(seed uint64, n int) Rows {
	rng := rand.New(rand.NewPCG(seed, 7))
	x, z := make([]float64, n), make([]float64, n)
	place := design.Raw{Name: "place", Kind: design.Categorical, Levels: []string{"inland", "coast", "bay", "hill"}}
	y := make([]float64, n)
	for i := range n {
		x[i], z[i] = float64(rng.IntN(200))/64, float64(rng.IntN(100))/32
		code := int32(rng.IntN(5)) - 1
		place.Codes = append(place.Codes, code)
		y[i] = min(x[i], 2) + float64(rng.IntN(1024)-512)/4096
		if code > 1 && z[i] > 1 {
			y[i] += 2
		}
		if rng.IntN(8) == 0 {
			x[i] = math.NaN()
		}
	}
	return Rows{[]design.Raw{numbers("x", x), numbers("z", z), place}, y}
}

func rmse(f, y []float64) float64 {
	sum := 0.0
	for i := range f {
		sum += (f[i] - y[i]) * (f[i] - y[i]) / float64(len(f))
	}
	return math.Sqrt(sum)
}

func TestGrowingEndsAndLeavesNothingOfTheRows(t *testing.T) {
	b := must(New(city(1, 400), city(2, 150), Options{}))
	calls := 0
	for !b.Next() {
		calls++
		assert.Equal(t, calls, b.Grown())
		_, err := b.Predict(city(3, 1).Columns)
		require.NoError(t, err, "what leads predicts at any time")
	}
	assert.LessOrEqual(t, b.Grown(), MaxTrees)
	assert.Nil(t, b.grower)
	assert.Nil(t, b.train.bins)
	grown := b.Grown()
	assert.True(t, b.Next())
	assert.Equal(t, grown, b.Grown(), "and Next grows no more")

	most := settings[1].maxTrees // of the second booster
	for _, s := range settings {
		most += s.maxTrees
	}
	assert.Equal(t, MaxTrees, most)
}

func TestValidationRowsChooseTheSettingAndTheNumberOfTrees(t *testing.T) {
	train, valid := city(1, 600), city(2, 300)
	b := grow(t, train, valid)
	trees, leaves := b.Best()
	lowest, wantTrees, wantLeaves := math.Inf(1), 0, 0
	for i := range b.ensembles {
		e := b.ensembles[i]
		f, bins := make([]float64, len(valid.Y)), b.binned(valid.Columns)
		for k := range len(e.trees) + 1 {
			if k > 0 {
				e.trees[k-1].add(f, bins)
			}
			loss := 0.0
			for i, y := range valid.Y {
				d := y/b.scale - b.mean - f[i]
				loss += d * d
			}
			if loss < lowest*better {
				lowest, wantTrees, wantLeaves = loss, k, e.leaves
			}
		}
	}
	assert.Equal(t, wantTrees, trees)
	assert.Equal(t, wantLeaves, leaves)
	grown := 0
	for _, e := range b.ensembles {
		assert.Len(t, e.trees, e.count, "those beyond are dropped")
		grown += min(e.count+patience, e.maxTrees)
	}
	assert.Equal(t, grown, b.Grown())
}

func TestNothingIsLearntFromOtherThanTrainingRows(t *testing.T) {
	train, valid, test := city(1, 600), city(2, 300), city(3, 50)
	b := grow(t, train, valid)
	strange := city(4, 77)
	for i := range strange.Y {
		strange.Y[i] = 100 * float64(i%5)
		strange.Columns[1].Numbers[i] = 1e6 * float64(i)
	}
	strange.Columns[2].Levels = []string{"elsewhere", "coast", "bay", "hill"}
	other := grow(t, train, strange)
	assert.Equal(t, b.columns, other.columns, "bins and the order of levels")
	assert.Equal(t, b.mean, other.mean)
	for i := range b.ensembles {
		n := min(len(b.ensembles[i].trees), len(other.ensembles[i].trees))
		assert.Equal(t, b.ensembles[i].trees[:n], other.ensembles[i].trees[:n])
	}
	all := predict(t, b, test.Columns)
	for i := range all {
		assert.Equal(t, all[i:i+1], predict(t, b, choose(test, i).Columns))
	}
}

func TestTheTargetsSignAndItsPowersOfTwoChangeNoBit(t *testing.T) {
	train, valid, test := city(1, 600), city(2, 300), city(3, 100)
	// No levels: turned round, a column of levels is another one, as missing cells
	// and ties are not.
	train.Columns, valid.Columns, test.Columns = train.Columns[:2], valid.Columns[:2], test.Columns[:2]
	want := predict(t, grow(t, train, valid), test.Columns)
	for _, factor := range []float64{-1, 1024, -1. / (1 << 40), math.Ldexp(1, 490), math.Ldexp(1, -700)} {
		scaled := func(r Rows) Rows {
			y := slices.Clone(r.Y)
			for i := range y {
				y[i] *= factor
			}
			return Rows{r.Columns, y}
		}
		for i, v := range predict(t, grow(t, scaled(train), scaled(valid)), test.Columns) {
			assert.Equal(t, want[i]*factor, v)
		}
	}
}

func TestACellThatIsMissingForTheFirstTimeGoesWithMostRows(t *testing.T) {
	const n = 400
	for _, cut := range []int{100, 300} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			if x[i] = float64(i); i >= cut {
				y[i] = 1
			}
		}
		r := Rows{[]design.Raw{numbers("x", x)}, y}
		b := grow(t, r, r)
		f := predict(t, b, []design.Raw{numbers("x", []float64{math.NaN()})})
		assert.InDelta(t, float64(cut/200), 1-f[0], .01)
	}
}

func TestALevelThatWasNeverSeenCountsAsMissing(t *testing.T) {
	b := grow(t, city(1, 1000), city(2, 300))
	one := func(level string, code int32) []design.Raw {
		return []design.Raw{numbers("x", []float64{1}), numbers("z", []float64{2}), {Name: "place", Kind: design.Categorical, Levels: []string{level}, Codes: []int32{code}}}
	}
	missing := predict(t, b, one("", -1))[0]
	assert.Equal(t, missing, predict(t, b, one("moon", 0))[0])
	assert.InDelta(t, missing+2, predict(t, b, one("hill", 0))[0], .3)
}

func TestTreesOfALogarithmAreChosenByWhatTheyPredictOfTheTargetItself(t *testing.T) {
	train, valid := city(3, 400), city(4, 200)
	raw := make([]float64, len(valid.Y))
	for i, y := range valid.Y {
		raw[i] = math.Exp(4 * y)
	}
	steep := func(y float64) float64 { return math.Exp(4 * y) }
	judged := func(f func(float64) float64, y []float64) *Booster {
		b := must(New(train, valid, Options{}))
		b.ValidateOn(y, f)
		for !b.Next() {
		}
		return b
	}
	off := func(b *Booster) float64 {
		f := predict(t, b, valid.Columns)
		for i, y := range f {
			f[i] = steep(y)
		}
		return rmse(f, raw)
	}
	plain := grow(t, train, valid)
	assert.Equal(t, predict(t, plain, valid.Columns), predict(t, judged(func(y float64) float64 { return y }, valid.Y), valid.Columns), "the target itself judges as it always does")
	assert.Less(t, off(judged(steep, raw)), off(plain))
}

func TestTreesAreGrownAgainAsOneBoosterWouldGrowThemOnTheOtherRows(t *testing.T) {
	b := grow(t, city(1, 400), city(2, 150))
	count, leaves := b.Best()
	rows := city(3, 500)
	again := must(b.Again(rows, nil))
	calls := 1
	for ; !again.Next(); calls++ {
	}
	found, size := again.Best()
	assert.Equal(t, []int{count, leaves, count}, []int{found, size, calls})

	for _, e := range grow(t, rows, rows).ensembles { // validated by what it trains on, it grows all trees
		if e.leaves == leaves {
			assert.Equal(t, e.trees[:count], again.ensembles[0].trees)
		}
	}

	none := grow(t, Rows{Columns: rows.Columns, Y: make([]float64, 500)}, rows)
	again = must(none.Again(rows, nil))
	assert.True(t, again.Next())
	f := must(again.Predict(rows.Columns))
	assert.Equal(t, f[0], f[499], "without trees, the mean of the new rows")
	assert.NotZero(t, f[0])
}

// must returns what a call that succeeds returns.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func TestAscendingSortsAsTheLibraryDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 1000} {
		values := []float64{}
		for range n {
			values = append(values, math.Float64frombits(rng.Uint64())) // NaN and infinities among them
		}
		values = append(values, math.NaN(), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1, -1, math.MaxFloat64, math.SmallestNonzeroFloat64)
		want := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		slices.Sort(want)
		assert.Equal(t, want, ascending(values), "−0 equals 0")
	}
}

func TestUpTo255ValuesHaveABinEach(t *testing.T) {
	values := []float64{math.NaN()}
	for i := range 255 {
		for range 1 + i%3 {
			values = append(values, float64(255-i))
		}
	}
	c := column{edges: edges(values)}
	assert.Equal(t, 256, c.bins())
	assert.Zero(t, c.bin(math.NaN()))
	for v := 1; v <= 255; v++ {
		assert.EqualValues(t, v, c.bin(float64(v)))
		assert.EqualValues(t, min(v+1, 255), c.bin(float64(v)+.51), "an edge is halfway")
	}
	assert.EqualValues(t, 1, c.bin(math.Inf(-1)))
	assert.EqualValues(t, 255, c.bin(math.Inf(1)))
}

func TestMoreValuesShareBinsOfAsManyRowsAsTiesAllow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 10_000)
	for i := range values {
		if values[i] = math.Exp(3 * rng.NormFloat64()); i%2 == 0 {
			values[i] = 0 // half of the rows tie
		}
	}
	c := column{edges: edges(values)}
	assert.Equal(t, 256, c.bins(), "no bin is lost to the tie")
	assert.True(t, slices.IsSorted(c.edges))
	rows := make([]int, 256)
	for _, b := range c.binned(values) {
		rows[b]++
	}
	assert.Zero(t, rows[0])
	assert.Equal(t, 5000, rows[1])
	for b, n := range rows[2:] {
		assert.InDelta(t, 5000./254, n, 2, "bin %d", b+2)
	}
}

func TestAnEdgePartsTwoNeighboursHoweverNear(t *testing.T) {
	for _, pair := range [][2]float64{
		{1, math.Nextafter(1, 2)}, {-math.MaxFloat64, math.MaxFloat64}, {0, math.SmallestNonzeroFloat64},
		{math.Inf(-1), 3}, {3, math.Inf(1)}, {math.Inf(-1), math.Inf(1)}, {-1e150, 1e150},
	} {
		c := column{edges: edges([]float64{pair[1], pair[0]})}
		assert.EqualValues(t, 1, c.bin(pair[0]), "%g", pair)
		assert.EqualValues(t, 2, c.bin(pair[1]), "%g", pair)
	}
	assert.Equal(t, 1.5, between(1, 2))
	assert.Empty(t, edges([]float64{math.NaN(), 7, 7}), "one value has no edge")
}

func TestLevelsAreOrderedByTheirShrunkMean(t *testing.T) {
	raw := design.Raw{Kind: design.Categorical, Levels: []string{"low", "high", "rare", "unseen"}}
	var y []float64
	add := func(code int32, count int, target float64) {
		for range count {
			raw.Codes, y = append(raw.Codes, code), append(y, target)
		}
	}
	add(0, 15, -2)
	add(1, 5, 4)
	add(2, 4, 100)
	add(-1, 2, 0)
	var c column
	c.kind = design.Categorical
	got := c.order(&raw, y, nil)
	assert.Equal(t, map[string]float64{"low": -1.5, "high": 2, "rare": 400. / 9}, c.levels)
	assert.Equal(t, -1.5, got[0])
	assert.Equal(t, 2.0, got[15])
	for _, v := range got[20:] {
		assert.True(t, math.IsNaN(v), "a level of four rows counts as missing in training")
	}
	other := design.Raw{Kind: design.Categorical, Levels: []string{"unseen", "rare", "high"}, Codes: []int32{2, 1, 0, -1}}
	values := c.values(&other)
	assert.Equal(t, []float64{2, 400. / 9}, values[:2], "levels are known by their texts")
	assert.True(t, math.IsNaN(values[2]) && math.IsNaN(values[3]))
}

// A level a row foretells the target of its row and of no other.
func TestAHundredThousandLevelsOfOneRowAreNoFeature(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 100_000
	raw := design.Raw{Name: "id", Kind: design.Categorical}
	y := make([]float64, n)
	for i := range n {
		raw.Levels = append(raw.Levels, "id"+strconv.Itoa(i))
		raw.Codes = append(raw.Codes, int32(i))
		y[i] = rng.NormFloat64()
	}
	b := must(New(Rows{[]design.Raw{raw}, y}, Rows{[]design.Raw{raw}, y}, Options{}))
	assert.Equal(t, 2, b.columns[0].bins(), "of missing cells and of all others")
	for !b.Next() {
	}
	trees, _ := b.Best()
	assert.Zero(t, trees)
}

// BenchmarkGrow measures what an addition that [Work] counts takes, all else
// included, on rows of the shapes of California housing and of hourly bikes: numbers
// with more values than bins and waves in the target that trees follow to the end.
func BenchmarkGrow(b *testing.B) {
	for _, shape := range []struct{ rows, columns int }{{12384, 9}, {10429, 12}} {
		b.Run(strconv.Itoa(shape.rows)+"x"+strconv.Itoa(shape.columns), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			drawn := func(rows int) Rows {
				of := Rows{Y: make([]float64, rows)}
				for j := range shape.columns {
					x := make([]float64, rows)
					for i := range x {
						x[i] = rng.Float64()
						of.Y[i] += math.Sin(10 * x[i] * (1 + of.Y[i]/10) / float64(1+j))
					}
					of.Columns = append(of.Columns, design.Raw{Name: "x" + strconv.Itoa(j), Kind: design.Numeric, Numbers: x})
				}
				return of
			}
			train, valid := drawn(shape.rows), drawn(shape.rows/3)
			grown := 0
			for b.Loop() {
				booster := must(New(train, valid, Options{}))
				for !booster.Next() {
				}
				grown = booster.Grown()
			}
			b.ReportMetric(float64(grown), "trees")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Work(shape.rows, shape.columns), "ns/addition")
		})
	}
}

func TestNeitherCodesOfLevelsNorASecondCopyOfAColumnChangeAnything(t *testing.T) {
	train, valid, test := city(1, 600), city(2, 300), city(3, 100)
	want := predict(t, grow(t, train, valid), test.Columns)
	turned := func(r Rows) Rows {
		columns := slices.Clone(r.Columns)
		c := &columns[2]
		c.Levels = []string{"none", "hill", "bay", "coast", "inland"}
		c.Codes = slices.Clone(c.Codes)
		for i, code := range c.Codes {
			if code >= 0 {
				c.Codes[i] = 4 - code
			}
		}
		again := columns[0]
		again.Name = "x again"
		return Rows{append(columns, again), r.Y}
	}
	assert.Equal(t, want, predict(t, grow(t, turned(train), turned(valid)), turned(test).Columns))
}
