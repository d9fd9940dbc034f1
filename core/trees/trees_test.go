package trees

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
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

// Bits: the same here, under js/wasm, and wherever products are not fused.
func TestPredictionsAreTheSameBitsOnAllMachines(t *testing.T) {
	b := grow(t, city(1, 1500), city(2, 500))
	hash := fnv.New64a()
	for _, v := range predict(t, b, city(3, 500).Columns) {
		bits := math.Float64bits(v)
		for range 8 {
			hash.Write([]byte{byte(bits)})
			bits >>= 8
		}
	}
	assert.Equal(t, uint64(0xbffc11a87955ad3), hash.Sum64())
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

// Validation rows end the growth and do nothing else, and no row is predicted by
// the help of another.
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

func TestAddingToTheTargetShiftsPredictions(t *testing.T) {
	train, valid, test := city(1, 600), city(2, 300), city(3, 100)
	want := predict(t, grow(t, train, valid), test.Columns)
	for _, y := range [][]float64{train.Y, valid.Y} {
		for i := range y {
			y[i] += 1000
		}
	}
	for i, v := range predict(t, grow(t, train, valid), test.Columns) {
		assert.InDelta(t, want[i]+1000, v, 1e-9, "1000 costs ten bits of each target")
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

func TestMonotoneTransformsOfAColumnChangeNothing(t *testing.T) {
	train, valid, test := city(1, 3000), city(2, 300), city(3, 100)
	want := predict(t, grow(t, train, valid), test.Columns)
	for name, f := range map[string]func(float64) float64{"cube": func(v float64) float64 { return v * v * v }, "exp": math.Exp, "atan": math.Atan} {
		through := func(r Rows) Rows {
			columns := slices.Clone(r.Columns)
			for j := range 2 {
				v := slices.Clone(columns[j].Numbers)
				for i := range v {
					v[i] = f(v[i])
				}
				columns[j].Numbers = v
			}
			return Rows{columns, r.Y}
		}
		b := grow(t, through(train), through(valid))
		require.Less(t, b.columns[0].bins(), 256, "200 values, and the training rows have all")
		assert.Equal(t, want, predict(t, b, through(test).Columns), name)
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

func TestMissingCellsGoWhereTheirTargetsAre(t *testing.T) {
	const n = 400
	for _, at := range []float64{-1, 1} { // where missing cells' targets are: with small values, with large
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			if x[i] = float64(i % 40); x[i] >= 20 {
				y[i] = 1
			} else {
				y[i] = -1
			}
			if i%5 == 0 {
				x[i], y[i] = math.NaN(), at
			}
		}
		r := Rows{[]design.Raw{numbers("x", x)}, y}
		f := predict(t, grow(t, r, r), []design.Raw{numbers("x", []float64{0, 39, math.NaN()})})
		assert.InDelta(t, -1, f[0], .01)
		assert.InDelta(t, 1, f[1], .01)
		assert.InDelta(t, at, f[2], .01)
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
