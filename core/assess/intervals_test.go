package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/study"
	"ifmlab/core/tabletest"
	"ifmlab/core/train"
)

const shortIntervals = "source=table&target=y&models=ifm&ranks=2&lambdaf=30,3&lambdaw=1,10&encode=linear&iterations=30"

// errorsOf returns a table y = x1 + x2·x3 + e, with e as the row's random numbers and
// its x1 make it.
func errorsOf(seed uint64, rows int, e func(rng *rand.Rand, x1 float64) float64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	return tabletest.File("x1,x2,x3,y", rows, func(int) string {
		x1, x2, x3 := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		return fmt.Sprintf("%v,%v,%v,%v", x1, x2, x3, x1+x2*x3+e(rng, x1))
	})
}

func normal(rng *rand.Rand, _ float64) float64 { return .5 * rng.NormFloat64() }

// Student's t with 2 degrees of freedom has no variance.
func heavy(rng *rand.Rand, _ float64) float64 {
	return .3 * rng.NormFloat64() / math.Sqrt(rng.ExpFloat64())
}

func growing(rng *rand.Rand, x1 float64) float64 { return .5 * math.Exp(x1) * rng.NormFloat64() }

func oneSided(rng *rand.Rand, _ float64) float64 { return rng.ExpFloat64() - 1 }

// Whatever errors there are, the level is met: over the test rows of 12 tables of 300
// within 3.5 binomial standard deviations, and 1 % for what is not proved: that the
// models of the folds stand for the one whose intervals these are.
func TestIntervalsHoldAsManyRowsAsTheyShouldWhateverTheErrors(t *testing.T) {
	for name, e := range map[string]func(*rand.Rand, float64) float64{"normal": normal, "heavy tails": heavy, "errors that grow": growing, "one-sided": oneSided} {
		t.Run(name, func(t *testing.T) {
			covered, rows := 0, 0
			for seed := range uint64(12) {
				table := runtest.ReadTable(t, shortIntervals, errorsOf(seed, 300, e))
				r := runtest.Calibrate(t, runtest.Open(t, shortIntervals, 0, table))
				covered, rows = covered+r.Covered, rows+len(r.Low)
				assert.Equal(t, 240, r.Interval.Rows, "training and validation rows")
			}
			share, sd := float64(covered)/float64(rows), math.Sqrt(.9*.1/float64(rows)+.9*.1/(12*240))
			assert.InDelta(t, .9, share, 3.5*sd+.01)
		})
	}
}

// Rows of one value lie at one distance from a prediction that hardly varies. Whether
// they are held must not hang on how the models of the folds differ from the model: over
// 25 tables of a kind the mean is 90 % less two standard errors at least, and no table
// holds less than 3.5 binomial standard deviations below 90 % of its test rows.
func TestIntervalsHoldAsManyRowsAsTheyShouldWhereTargetsAreTied(t *testing.T) {
	const tables, rows = 25, 1500
	for name, draw := range map[string]func(rng *rand.Rand, x1 float64) float64{
		"ratings": func(rng *rand.Rand, _ float64) float64 { return float64(1 + rng.IntN(5)) },
		"half stars": func(rng *rand.Rand, x1 float64) float64 {
			return math.Round(max(1, min(10, 7+x1+2*rng.NormFloat64()))) / 2
		},
		"amounts, most of 0": func(rng *rand.Rand, _ float64) float64 { return max(0, rng.NormFloat64()-1.3) },
	} {
		for split, calibrate := range map[string]float64{"ignore=row": rows * 4 / 5, "split=time&by=row": rows / 5} {
			query := "source=table&target=y&models=ifm&ranks=2&lambdaf=30&lambdaw=10&encode=linear&iterations=10&" + split
			sum, squares, least := 0., 0., 1.
			for seed := range uint64(tables) {
				rng := rand.New(rand.NewPCG(seed, 5))
				text := tabletest.File("row,x1,x2,y", rows, func(row int) string {
					x1 := rng.NormFloat64()
					return fmt.Sprintf("%d,%g,%g,%g", row, x1, rng.NormFloat64(), draw(rng, x1))
				})
				r := runtest.Calibrate(t, runtest.Open(t, query, 0, runtest.ReadTable(t, query, text)))
				require.EqualValues(t, calibrate, r.Interval.Rows, "validation rows alone where time splits the rows")
				sum, squares, least = sum+r.Share, squares+r.Share*r.Share, min(least, r.Share)
			}
			mean := sum / tables
			se := math.Sqrt((squares/tables - mean*mean) / (tables - 1))
			t.Logf("%s, %s: %.3f ± %.3f, at least %.3f", name, split, mean, se, least)
			assert.Greater(t, mean, .9-2*se, "%s, %s", name, split)
			assert.Greater(t, least, .9-3.5*math.Sqrt(.09/(rows/5)+.09/calibrate), "%s, %s: the least of all tables", name, split)
		}
	}
}

func TestIntervalsOfAHigherLevelHoldThoseOfALower(t *testing.T) {
	table := runtest.ReadTable(t, shortIntervals, errorsOf(3, 200, heavy))
	var last *assess.IntervalReport
	for _, level := range []string{"0.5", "0.8", "0.9", "0.95", "0.99"} {
		r := runtest.Calibrate(t, runtest.Open(t, shortIntervals+"&level="+level, 0, table))
		if last != nil {
			assert.Greater(t, r.Width, last.Width)
			for i := range r.Low {
				assert.True(t, r.Low[i] <= last.Low[i] && last.High[i] <= r.High[i])
			}
		}
		last = r
	}
}

// The half-width is the ⌈(n+1)·level⌉-th score: as many rows as that, of all n, have a
// score that is no larger, and one less a smaller one.
func TestTheHalfWidthIsTheScoreThatTheFiniteSampleAsksFor(t *testing.T) {
	for _, n := range []int{9, 10, 19, 20, 99, 100, 240} {
		for _, level := range []float64{.5, .55, .8, .9, .95, .99} {
			slow := 0 // the least rank k with k ≥ (n+1)·level, in hundredths, which are whole
			for 100*slow < (n+1)*int(math.Round(100*level)) {
				slow++
			}
			assert.Equal(t, slow, measure.ConformalRank(n, level), "%d rows at %g", n, level)
			assert.Equal(t, slow <= n, n >= measure.FewestRows(level), "%d rows at %g", n, level)
		}
	}
	scores := []float64{5, 1, 4, 2, 3, 9, 7, 8, 6}
	assert.Equal(t, 9., measure.ConformalQuantile(scores, nil, .9))
	assert.Equal(t, 5., measure.ConformalQuantile(scores, nil, .5))
	assert.Equal(t, 2., measure.ConformalQuantile([]float64{2, 3, 2, 2, 1}, nil, .5), "ties")
}

func TestIntervalsAreTheSameBitsHoweverTheyAreAskedFor(t *testing.T) {
	table := runtest.ReadTable(t, shortIntervals, errorsOf(5, 200, growing))
	want := runtest.Calibrate(t, runtest.Open(t, shortIntervals, 0, table))
	trained, _ := runtest.Train(t, shortIntervals, 0, table)
	before := runtest.Result(t, trained.Predictions)
	assert.Equal(t, want, runtest.Calibrate(t, trained))
	assert.Equal(t, before, runtest.Result(t, trained.Predictions))
	assert.Equal(t, want, runtest.Result(t, trained.Intervals).Result(), "it is done once")
	assert.NotEqual(t, want.Interval.Half, runtest.Calibrate(t, runtest.Open(t, shortIntervals+"&seed=2", 0, table)).Interval.Half)

	begun, stages := runtest.Open(t, shortIntervals, 0, table), map[assess.IntervalStage]bool{}
	s := runtest.Result(t, begun.Intervals)
	for !s.Done() {
		stage, done, of := s.Progress()
		stages[stage] = true
		assert.LessOrEqual(t, done, of)
		require.NoError(t, s.Next())
	}
	assert.Len(t, stages, 2, "and done is the third")
}

func TestAModelFileCarriesItsIntervals(t *testing.T) {
	for query, text := range map[string]string{
		shortIntervals:                  errorsOf(6, 300, growing),
		shortIntervals + "&encode=hats": errorsOf(6, 300, growing),
		strings.Replace(shortIntervals, "=y", "=price&log=yes", 1): sold(300, multiplied),
	} {
		table := runtest.ReadTable(t, query, text)
		run, _ := runtest.Train(t, query, 0, table)
		r := runtest.Calibrate(t, run)
		kept := must(saved.Read(runtest.Result(t, run.Model)))
		assert.Equal(t, r.Interval, kept.Model.Interval)
		p := runtest.Result(t, run.Predictions)
		all := must(kept.Predict(table))
		for i, line := range p.Line {
			at := slices.Index(all.Line, int32(line))
			assert.Equal(t, []float64{p.Predicted[i], r.Low[i], r.High[i]}, []float64{all.Predicted[at], all.Low[at], all.High[at]})
			assert.LessOrEqual(t, r.Low[i], p.Predicted[i])
			assert.LessOrEqual(t, p.Predicted[i], r.High[i])
		}
		assert.InDelta(t, .9, float64(all.Covered)/float64(all.Compared), .08, "most are training rows")
	}
}

func TestGroupsCalibrateIntervalsOverFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := tabletest.File("x1,g,y", 400, func(int) string {
		return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64) + ",g" + strconv.Itoa(rng.IntN(23)) + "," + strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64)
	})
	query := "source=table&target=y&models=ifm&ranks=2&lambdaf=30&lambdaw=10&encode=linear&iterations=10&split=group&by=g"
	r := runtest.Calibrate(t, runtest.Open(t, query, 0, runtest.ReadTable(t, query, text)))
	assert.Equal(t, 4, r.Folds)
	assert.InDelta(t, .9, float64(r.Covered)/float64(len(r.Low)), .12)
}

func TestARunWithoutIntervalsSaysWhy(t *testing.T) {
	why := func(query string, text string) string {
		run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, text))
		s, err := run.Intervals()
		for err == nil && !s.Done() {
			err = s.Next()
		}
		require.ErrorAs(t, err, new(*assess.NoIntervalError))
		assert.Equal(t, "NoIntervalError", message.Kind(err))
		_, err = run.Predictions()
		assert.NoError(t, err, "the model stays")
		assert.NotContains(t, string(runtest.Result(t, run.Model)), "interval")
		_, again := run.Intervals()
		assert.NoError(t, again)
		return s.Next().Error()
	}
	assert.Equal(t, "assess: 40 rows are too few for 99 % intervals, which need 99; lower the level, or add rows", why(shortIntervals+"&level=0.99", errorsOf(1, 50, normal)))
	assert.Equal(t, "assess: y has only two values, so an interval would contain one or both; use the probability instead", why(shortIntervals, runtest.Interacting(60, func(row int, cells []string) { cells[5] = strconv.Itoa(row % 2) })))

	run := runtest.Open(t, "", 0, nil)
	_, err := run.Intervals()
	require.ErrorAs(t, err, new(*assess.NoIntervalError))
}

// searches counts the goroutines of studies that have begun and not ended. Others end when they like.
func searches() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "study.(*Study).Next.func1(")
}

func TestAClosedRunEndsItsSearches(t *testing.T) {
	before := searches()
	run, _ := runtest.Train(t, shortIntervals, 0, runtest.ReadTable(t, shortIntervals, errorsOf(1, 200, normal)))
	search := runtest.Result(t, run.Intervals)
	require.NoError(t, search.Next())
	assert.Equal(t, before+1, searches())
	run.Close()
	assert.Equal(t, before, searches())
	require.ErrorIs(t, search.Next(), study.ErrStopped)
}

// The models of the folds take the way of the model: were they stopped elsewhere or
// penalized otherwise, the intervals would be wider than its own errors ask for.
func TestEverySolverFitsTheFoldsAsItFittedTheModel(t *testing.T) {
	table := runtest.ReadTable(t, shortIntervals, runtest.Interacting(600, nil))
	for _, solver := range []string{"als&lambdaf=30,3&lambdaw=1,10&encode=linear", "gauss-newton&lambdas=0.01,0.1", "scaled&lambdas=0.01,0.1", "agd&lambdas=0.01,0.1"} {
		run, records := runtest.Train(t, "source=table&target=y&models=ifm&ranks=2&iterations=60&solver="+solver, 0, table)
		effort := runtest.Result(t, run.Effort)
		r := runtest.Calibrate(t, run)
		assert.InEpsilon(t, 2*1.645*runtest.Result(t, run.Predictions).Error, r.Width, .25, solver)

		const pass = 2 * 360 * 6 * 5 // of 360 rows, 6 features and [w|U|V]
		all := 0.
		records = runtest.Choice(records)
		for i, record := range records {
			if i == len(records)-1 || records[i+1].Candidate != record.Candidate {
				all += record.Passes * pass
			}
		}
		assert.Greater(t, effort, 1.5*all, solver)
		assert.LessOrEqual(t, effort, 6*all, "training, the last fit, and four fits that are no longer")
	}
	_, err := runtest.Open(t, shortIntervals, 0, table).Effort()
	require.ErrorIs(t, err, train.ErrNoModel)
}

// A column that is the target leaves nothing to be unsure of.
func TestAnExactFitHasIntervalsOfNearlyNoWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	text := tabletest.File("x1,x2,y", 100, func(int) string {
		x := strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64)
		return x + "," + strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64) + "," + x
	})
	query := strings.ReplaceAll(shortIntervals, "lambdaw=1,10", "lambdaw=0.1")
	r := runtest.Calibrate(t, runtest.Open(t, query, 0, runtest.ReadTable(t, query, text)))
	assert.Less(t, r.Width, .01)
	for i := range r.Low {
		assert.LessOrEqual(t, r.Low[i], r.High[i])
	}
}

// The band of a shape goes from the lowest to the highest effect of the model and of the models
// of the folds, so that it contains their mean. That of a column of noise stays near 0.
func TestTheBandOfAShapeSpansTheFitsOfTheFolds(t *testing.T) {
	for _, query := range []string{"models=ifm&encode=hats", "models=gfm&encode=linear&weight=w"} {
		query = "source=table&target=y&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=10&seed=5&ignore=two,three&" + query
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, useful(400)))
		shapesOf := func() []saved.Shape {
			m := must(saved.Read(runtest.Result(t, run.Model)))
			shapes, _, err := m.Shapes()
			require.NoError(t, err)
			return shapes
		}
		before := shapesOf()
		runtest.Calibrate(t, run)
		after := shapesOf()
		fits := [][]saved.Shape{before}
		for _, fit := range assess.Fits(runtest.Result(t, run.Intervals)) {
			shapes, average, err := fit.Shapes()
			require.NoError(t, err)
			require.True(t, average)
			fits = append(fits, shapes)
		}
		require.Len(t, fits, 5)
		low, high := map[string]float64{}, map[string]float64{} // of the bands of a column
		for p, shape := range after {
			for i, point := range shape.Points {
				assert.True(t, math.IsNaN(before[p].Points[i].Low) && math.IsNaN(before[p].Points[i].High))
				least, most, mean := math.Inf(1), math.Inf(-1), 0.
				for _, fit := range fits {
					effect := fit[p].Points[i].Effect
					least, most, mean = min(least, effect), max(most, effect), mean+effect/5
				}
				assert.InDelta(t, least, point.Low, 1e-12, "rounding in the file: %s", shape.Column)
				assert.InDelta(t, most, point.High, 1e-12)
				assert.True(t, point.Low <= mean+1e-12 && mean <= point.High+1e-12)
				low[shape.Column], high[shape.Column] = min(low[shape.Column], point.Low), max(high[shape.Column], point.High)
			}
		}
		assert.Less(t, max(-low["noise"], high["noise"]), .1*(high["a"]-low["a"]), query)
	}
}

func TestOneFitHasNoBand(t *testing.T) {
	const query = "source=table&target=y&split=time&by=when&models=ifm&encode=linear&ranks=1&lambdaf=3&lambdaw=1&iterations=3&ignore=two,three,w"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, useful(400)))
	runtest.Calibrate(t, run)
	m := must(saved.Read(runtest.Result(t, run.Model)))
	require.NotNil(t, m.Model.Interval)
	assert.Nil(t, m.Model.Interval.Lowest)
}
