package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

// The losses of two predictors that are equally good, on rows whose noise has a heavy tail.
func TestTwoEquallyGoodPredictorsAreToldApartInOneTableOfTwentyHoweverHeavyTheTails(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	const tables = 400
	for name, noise := range map[string]func() float64{
		"normal":    rng.NormFloat64,
		"t of 2":    distuv.StudentsT{Sigma: .5, Nu: 2, Src: rng}.Rand,
		"lognormal": func() float64 { return math.Exp(rng.NormFloat64()) - math.Exp(.5) },
	} {
		for _, rows := range []int{12, 80} {
			told := 0
			for range tables {
				a, b := make([]float64, rows), make([]float64, rows)
				for i := range a {
					e := noise()
					a[i], b[i] = math.Pow(e+.4*rng.NormFloat64(), 2), math.Pow(e+.4*rng.NormFloat64(), 2)
				}
				r := RatioOf(a, b, nil)
				assert.True(t, 0 <= r.Low && r.Low <= r.Of && r.Of <= r.High, "%+v", r)
				if r.Low > 1 || r.High < 1 {
					told++
				}
			}
			// 20 with a standard deviation of 4.4
			assert.InDelta(t, 20, told, 14, "%s, %d rows", name, rows)
		}
	}
}

// The page compares by the same numbers: web/src/training/error.test.ts has these.
func TestARatioIsTheOneOfThePage(t *testing.T) {
	losses := func(n int, by float64) (a, b, weight []float64) {
		for i := range n {
			a = append(a, math.Mod(float64(i*i)*.37, 1)+.1)
			b = append(b, by*(math.Mod(float64(i*i*i)*.11, 1)+.1))
			weight = append(weight, 1+float64(i%3))
		}
		return a, b, weight
	}
	check := func(n int, by float64, want Ratio) {
		a, b, weight := losses(n, by)
		got := RatioOf(a, b, weight)
		assert.InDeltaSlice(t, []float64{want.Of, want.Low, want.High, want.P}, []float64{got.Of, got.Low, got.High, got.P}, 1e-6, "%d rows: %.9v", n, got)
	}
	check(40, 1.5, Ratio{1.52910603, 1.15019763, 1.99710679, .007})
	check(3000, 1.02, Ratio{1.02935781, 1.00984403, 1.04864924, .006})
}

func TestARowThatCarriesTheErrorTellsNothing(t *testing.T) {
	a, b := make([]float64, 30), make([]float64, 30)
	for i := range a {
		a[i], b[i] = 1, 1.2
	}
	assert.Greater(t, RatioOf(a, b, nil).Low, 1., "a twin without it does")
	b[7] = 1000
	r := RatioOf(a, b, nil)
	assert.Less(t, r.Low, r.Of/5)
	b[7] = math.Inf(1)
	assert.Equal(t, math.Inf(1), RatioOf(a, b, nil).Of)
	assert.Equal(t, Ratio{1, 1, 1, 1}, RatioOf(b, b, nil))
	assert.Equal(t, Ratio{1.2, 0, math.Inf(1), 1}, RatioOf(a[:5], []float64{1.2, 1.2, 1.2, 1.2, 1.2}, nil))
}

func TestRowsOffTheCommonestTargetAreCountedByWeight(t *testing.T) {
	for _, c := range []struct {
		y, weight []float64
		rows      int
		commonest float64
	}{
		{[]float64{20, 21, 20, 20}, nil, 1, 20},
		{[]float64{20, 21, 20, 21, 21}, []float64{1, 0, 1, 0, 3}, 1, 20},
		{[]float64{3, 1, 2, 1}, nil, 4, 1},
		{nil, nil, 0, 0},
	} {
		rows, commonest := Rarer(c.y, c.weight)
		assert.Equal(t, c.rows, rows, c)
		assert.Equal(t, c.commonest, commonest, c)
	}
}

// The page has the same numbers in web/src/training/error.test.ts.
func TestNineteenOfTwentyIntervalsHoldTheAreaHoweverFewTheRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, of := range []struct{ zeros, ones int }{{30, 10}, {36, 4}, {100, 100}} {
		for _, apart := range []float64{0, 1, 2} {
			const tables = 400
			held, truth := 0, distuv.UnitNormal.CDF(apart/math.Sqrt2)
			for range tables {
				ones, wins := make([]float64, of.ones), 0
				for i := range ones {
					ones[i] = apart + rng.NormFloat64()
				}
				for range of.zeros {
					zero := rng.NormFloat64()
					for _, one := range ones {
						if zero < one {
							wins++
						}
					}
				}
				low, high := AUCInterval(float64(wins)/float64(of.zeros*of.ones), float64(of.zeros), float64(of.ones))
				if low <= truth && truth <= high {
					held++
				}
			}
			assert.InDelta(t, .95, float64(held)/tables, .04, "%v, %g apart", of, apart) // a standard deviation is .011
		}
	}
	for _, c := range [][5]float64{{1, 38, 2, .5932, 1}, {.5, 20, 20, .331, .669}, {.93, 30, 10, .7552, .98086}} {
		low, high := AUCInterval(c[0], c[1], c[2])
		assert.InDeltaSlice(t, []float64{c[3], c[4]}, []float64{low, high}, .0005, c)
	}
}

// Brown, Cai and DasGupta's form of it, solved for the shares that lie z standard errors away.
func TestWilsonsIntervalEndsWhereTheShareIsAsFarOffAsItIsThought(t *testing.T) {
	shares := [][2]float64{{.5, 10}, {.1, 30}, {.93, 400}}
	for n := range 60 {
		shares = append(shares, [2]float64{0, float64(n + 1)}, [2]float64{1, float64(n + 1)})
	}
	for _, c := range shares {
		low, high := Wilson(c[0], c[1])
		for _, end := range []float64{low, high} {
			if 0 < end && end < 1 {
				assert.InDelta(t, 1.959963984540054, math.Abs(c[0]-end)/math.Sqrt(end*(1-end)/c[1]), 1e-9, "%v", c)
			}
		}
		assert.True(t, 0 <= low && low <= c[0] && c[0] <= high && high <= 1, "%v", c)
		assert.Less(t, low, high)
	}
}

// sure returns the scores of rows of three classes that are sharp times too sure.
func sure(n int, sharp float64) (f, y []float64) {
	rng := rand.New(rand.NewPCG(2, 8))
	for range n {
		row, class, highest := []float64{0, 0, 0}, 0, -1e9
		for c := range row {
			row[c] = 2 * rng.NormFloat64()
			if v := row[c] - math.Log(rng.ExpFloat64()); v > highest { // Gumbel noise: classes are drawn by the softmax
				class, highest = c, v
			}
		}
		for _, v := range row {
			f = append(f, sharp*v)
		}
		y = append(y, float64(class))
	}
	return f, y
}

func TestTheSlopeOfScoresTakesBackWhatMakesThemTooSure(t *testing.T) {
	f, y := sure(4000, 3)
	c := Platt(f, y, nil)
	assert.True(t, c.Used)
	assert.InDelta(t, 1./3, c.Slope, .02, "to a few standard errors of 4000 rows")
	assert.Zero(t, c.Offset)
	assert.Equal(t, 4000, c.Rows)
	right, y := sure(4000, 1)
	assert.False(t, Platt(right, y, nil).Used, "scores that are right stay")
}

func TestTheSlopeOfScoresIsWhereTheLossIsLeast(t *testing.T) {
	f, y := sure(4000, 2)
	c := Platt(f, y, nil)
	for _, other := range []float64{.98, 1.02} { // Platt's targets move the least by 1/4000 times some tens
		assert.Less(t, MeanLogLoss(f, y, nil, c.Slope), MeanLogLoss(f, y, nil, c.Slope*other))
	}
	two := append(append([]float64(nil), f...), f...)
	doubled := Platt(two, append(append([]float64(nil), y...), y...), nil)
	weight := make([]float64, len(y))
	for i := range weight {
		weight[i] = 2
	}
	assert.InDelta(t, c.Slope, Platt(f, y, weight).Slope, 1e-9, "weights are relative")
	assert.InDelta(t, c.Slope, doubled.Slope, 1e-2)
}

func TestScoresOfTwoClassesHaveTheLossOfTheirLogOdds(t *testing.T) {
	y, odds := []float64{0, 1, 1, 0}, []float64{-1, 2, -.5, 30}
	var scores []float64
	for _, f := range odds {
		scores = append(scores, 7-f/2, 7+f/2)
	}
	for _, weight := range [][]float64{nil, {1, 2, 3, 4}} {
		assert.InDelta(t, MeanLogLoss(odds, y, weight, 1.5), MeanLogLoss(scores, y, weight, 1.5), 1e-13)
	}
}

func TestASlopeNeedsRowsOfTwoClasses(t *testing.T) {
	c := Platt([]float64{1, 2, 3, 3, 2, 1}, []float64{1, 1}, nil)
	assert.Equal(t, Calibration{Slope: 1}, c)
}
