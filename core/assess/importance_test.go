package assess_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/measure"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
	"ifmlab/core/trial"
)

// useful is a table whose target depends on a, b and colour, little on a date, and not on noise.
func useful(n int) string {
	rng := rand.New(rand.NewPCG(3, 9))
	return tabletest.File("noise,a,b,colour,when,w,y,two,three", n, func(i int) string {
		a, b, colour := rng.NormFloat64(), rng.NormFloat64(), rng.IntN(3)
		y := 2*a + a*b + []float64{-1, 0, 1}[colour] + .3*rng.NormFloat64()
		cell := fmt.Sprintf("%.4f", a)
		if i%17 == 3 {
			cell = ""
		}
		class := 0
		if y > 1 {
			class = 2
		} else if y > -1 {
			class = 1
		}
		return fmt.Sprintf("%.4f,%s,%.4f,%s,20%02d-%02d-%02d,%d,%.5f,%s,%s", rng.NormFloat64(), cell, b, []string{"red", "blue", "green"}[colour],
			10+i%9, 1+rng.IntN(12), 1+rng.IntN(28), 1+rng.IntN(3), y, map[bool]string{false: "no", true: "yes"}[y > 0], []string{"low", "mid", "high"}[class])
	})
}

// scikit-learn's permutation_importance is the mean, over permutations, of the score of the rows
// as they are less that of the rows with a column permuted, with the negative mean squared error
// or log-loss as score.
func TestImportanceIsThatOfScikitLearnOnTheSamePermutations(t *testing.T) {
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=w,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=two,three",
		"target=two&models=fm&encode=linear&ignore=w,y,three",
		"target=three&models=ifm&encode=hats&ignore=w,y,two",
	} {
		query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=10&seed=5&" + query
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, useful(300)))
		p := runtest.Result(t, run.Predictions)
		model, encoding := run.Calibrated()
		test := run.Leading().Test
		n, target := len(p.Actual), &encoding.Target
		error := func(z design.Design) float64 {
			f := make([]float64, n*target.Scores())
			model.Predict(f, z, nil)
			part := test
			part.Z = z
			e := measure.Error(f, part, target)
			if !target.Logistic {
				e *= e
			}
			return e
		}
		rows := test.Z.(interface{ Row(i int) []float64 })
		own := error(test.Z)
		all := runtest.Result(t, run.Importance)
		found := slices.DeleteFunc(slices.Clone(all), func(one assess.Importance) bool { return one.With != "" })
		require.Len(t, found, len(encoding.Needs()))
		for _, one := range found {
			rng, sum := trial.Stream(5, 0, trial.StreamImportance), 0.0
			for range assess.Permutations {
				turn := rng.Perm(n)
				var x []float64
				for i := range n {
					row := slices.Clone(rows.Row(i))
					for j, f := range encoding.Features {
						if f.Column == one.Column || encoding.DatesOf(f.Column) == one.Column {
							row[j] = rows.Row(turn[i])[j]
						}
					}
					x = append(x, row...)
				}
				sum += error(design.NewDense(n, model.D, x)) - own
			}
			base, got := p.Error, one.By
			if !target.Logistic {
				got = (base+one.By)*(base+one.By) - base*base
			}
			assert.InDelta(t, sum/assess.Permutations, got, 1e-9, "%s: %s", query, one.Column)
			assert.True(t, one.Low <= one.By && one.By <= one.High, "%s: %+v", query, one)
		}
		assert.Equal(t, "a", found[0].Column, "y depends most on it")
		assert.Positive(t, found[0].Low)
		assert.True(t, slices.IsSortedFunc(found, func(a, b assess.Importance) int { return int(math.Copysign(1, b.By-a.By)) }))
		at := slices.IndexFunc(found, func(i assess.Importance) bool { return i.Column == "noise" })
		assert.LessOrEqual(t, found[at].Low, 0.0)
		assert.GreaterOrEqual(t, found[at].High, 0.0, "%s: %+v", query, found[at])
		assert.Contains(t, encoding.Needs(), "when", "a date stands once")
		assert.Equal(t, fmt.Sprint(all), fmt.Sprint(runtest.Result(t, run.Importance)))
		run.Close()
		assert.Equal(t, fmt.Sprint(all), fmt.Sprint(runtest.Result(t, run.Importance)), "test rows stay")
	}
}

func TestAColumnThatTheModelDoesNotUseHasNoImportance(t *testing.T) {
	for _, target := range []string{"y", "two", "three"} {
		query := "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&iterations=5&encode=linear&models=ifm&target=" + target
		query += "&ignore=" + map[string]string{"y": "two,three,w", "two": "y,three,w", "three": "y,two,w"}[target]
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, useful(200)))
		_, encoding := run.Calibrated()
		for _, of := range run.Lead().Scores() {
			for j, f := range encoding.Features {
				if f.Column == "noise" {
					of.W[j] = 0
					clear(of.U[j*of.Rank:][:of.Rank])
					clear(of.V[j*of.Rank:][:of.Rank])
				}
			}
		}
		found := runtest.Result(t, run.Importance)
		at := slices.IndexFunc(found, func(i assess.Importance) bool { return i.Column == "noise" })
		assert.Equal(t, assess.Importance{Column: "noise", Lead: measure.Lead{P: 1}}, found[at], "%s", target)
	}
}

// y has a·b. The term that explanations have for a pair is permuted, and its surface is these
// terms at its cells.
func TestAPairIsAsImportantAsItsTermIsForTheTestRows(t *testing.T) {
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=w,when,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=when,two,three",
		"target=two&models=fm&encode=linear&ignore=w,when,y,three",
		"target=three&models=ifm&encode=hats&ignore=w,when,y,two",
	} {
		query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=10&seed=5&" + query
		file := runtest.ReadTable(t, query, useful(300))
		run, _ := runtest.Train(t, query, 0, file)
		p := runtest.Result(t, run.Predictions)
		m := tabletest.Must(saved.Read(runtest.Result(t, run.Model)))
		found := runtest.Result(t, run.Importance)
		at := slices.IndexFunc(found, func(i assess.Importance) bool { return i.With != "" })
		require.GreaterOrEqual(t, at, 0, "%s", query)
		one := found[at]
		if !strings.Contains(query, "three&") {
			assert.Equal(t, "a b", one.Column+" "+one.With)
		}
		assert.Len(t, one.Surfaces, len(m.Model.Scores()))
		assert.LessOrEqual(t, one.Low, one.By)
		assert.True(t, slices.IsSortedFunc(found, func(a, b assess.Importance) int { return cmp.Compare(b.By, a.By) }), "in one list with columns")
		pairs := 0
		for _, other := range found {
			if other.With != "" {
				pairs++
				assert.Greater(t, other.By, .01*found[0].By)
			}
		}
		assert.LessOrEqual(t, pairs, 3)

		n, scores := len(p.Actual), []*saved.Model{m}
		if len(m.Classes()) > 2 {
			scores = []*saved.Model{m.Score(0), m.Score(1), m.Score(2)}
		}
		target, k := &m.Encoding.Target, len(scores)
		f, term := make([]float64, n*k), make([]float64, n*k)
		m.Model.Predict(f, run.Leading().Test.Z, nil)
		for s, score := range scores {
			for i, line := range p.Line {
				e := tabletest.Must(score.Explain(file, line, math.MaxInt))
				for _, own := range e.Terms {
					if own.Second >= 0 && e.Columns[own.First] == one.Column && e.Columns[own.Second] == one.With {
						term[i*k+s] = own.Value / target.Scale
					}
				}
			}
		}
		loss := func(f []float64) float64 {
			losses := measure.Losses(measure.Predicted(f, run.Leading().Test.Y, target), p.Actual, len(run.ClassNames()))
			return measure.Mean(losses, p.Weight)
		}
		rng, sum := trial.Stream(5, 0, trial.StreamImportance), 0.0
		own := loss(slices.Clone(f))
		for range assess.Permutations {
			turn, moved := rng.Perm(n), slices.Clone(f)
			for i := range moved {
				moved[i] += term[turn[i/k]*k+i%k] - term[i]
			}
			sum += loss(moved) - own
		}
		got := one.By
		if !target.Logistic {
			got = (p.Error+one.By)*(p.Error+one.By) - p.Error*p.Error
		}
		assert.InDelta(t, sum/assess.Permutations, got, 1e-9, query)
	}
}

// The product c·d varies most, but only in rows that weigh little: by weight, three of the other
// five pairs vary more.
func TestPairsAreRankedByTheWeightsOfTheirRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	text := tabletest.File("a,b,c,d,w,y", 400, func(i int) string {
		wide := []float64{.5, 5}[i%2]
		a, b, c, d := rng.NormFloat64(), rng.NormFloat64(), wide*rng.NormFloat64(), wide*rng.NormFloat64()
		return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f,%d,%.5f", a, b, c, d, []int{1000, 1}[i%2], 4*a*b+4*a*c+4*b*d+c*d+.1*rng.NormFloat64())
	})
	const query = "source=table&split=random&ranks=4&lambdaf=.1&lambdaw=.1&iterations=30&seed=5&target=y&models=ifm&encode=linear&weight=w"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, text))
	p, m := runtest.Result(t, run.Predictions), tabletest.Must(saved.Read(runtest.Result(t, run.Model)))
	terms := m.Terms(run.Leading().Test.Z, 1, 0, 1, 2, 3)
	variance := func(i, j int, weight []float64) float64 { return stat.Variance(terms(i, j), weight) }
	rank := func(weight []float64) (above int) {
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				if variance(i, j, weight) > variance(2, 3, weight) {
					above++
				}
			}
		}
		return above
	}
	require.Less(t, rank(nil), 3, "else it shows nothing")
	require.GreaterOrEqual(t, rank(p.Weight), 3)
	pairs := 0
	for _, one := range runtest.Result(t, run.Importance) {
		if one.With != "" {
			pairs++
			assert.NotEqual(t, "c d", one.Column+" "+one.With)
		}
	}
	assert.Positive(t, pairs)
}

func TestErrorsByLevelAddUpToTheErrorOfAllTestRows(t *testing.T) {
	for _, of := range []struct{ query, column string }{
		{"target=y&models=ifm&encode=hats&ignore=w,two,three", "colour"},
		{"target=y&models=ifm&encode=hats&ignore=w,two,three", "a"},
		{"target=y&models=gfm&encode=linear&weight=w&ignore=two,three", "when"},
		{"target=two&models=fm&encode=linear&ignore=w,y,three", "noise"},
		{"target=three&models=ifm&encode=hats&ignore=w,y,two,colour", "colour"},
		{"target=three&models=ifm&encode=hats&weight=w&ignore=y,two", "three"},
	} {
		query := "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=10&seed=5&" + of.query
		table := runtest.ReadTable(t, query, useful(600))
		run, _ := runtest.Train(t, query, 0, table)
		p := runtest.Result(t, run.Predictions)
		if strings.Contains(query, "target=y") {
			runtest.Calibrate(t, run)
		}
		all := must(run.ErrorsBy(of.column))
		require.Greater(t, len(all), 3, of.column)
		assert.Equal(t, -1, all[0].Pooled)
		assert.InDelta(t, p.Error, all[0].Error, 1e-12, of.query)
		assert.Equal(t, len(p.Line), all[0].Rows)
		column, sum, share, total, rows := table.ByName()[of.column], 0.0, 0.0, 0.0, 0
		for _, level := range all[1:] {
			weight := 0.0
			for i, line := range p.Line {
				row, _ := table.RowAt(line)
				in := column.Text(row) == level.Level
				if least, most, is := strings.Cut(level.Level, " to "); is {
					v, _ := column.Moment(row)
					from, _ := column.MomentOf(least)
					to, _ := column.MomentOf(most)
					in = from <= v && v <= to
				}
				if in {
					weight += measure.Weight(p.Weight, i)
				}
			}
			loss := level.Error
			if run.Measure() == measure.RMSE {
				loss *= loss
			}
			sum, share, total, rows = sum+weight*loss, share+weight*level.Share, total+weight, rows+level.Rows
			assert.Zero(t, level.Pooled, "600 rows are enough")
			assert.True(t, level.Low <= level.Error && level.Error <= level.High)
			assert.True(t, level.From <= level.Share && level.Share <= level.To)
		}
		mean := sum / total
		if run.Measure() == measure.RMSE {
			mean = math.Sqrt(mean)
		}
		assert.Equal(t, len(p.Line), rows, "%s by %s", of.query, of.column)
		assert.InDelta(t, p.Error, mean, 1e-12, "%s by %s", of.query, of.column)
		assert.InDelta(t, all[0].Share, share/total, 1e-12)
	}
}

// scored are rows of a table of five levels and a number, whose errors are Gaussian, and those of
// level 2 are so many times larger.
func scored(rng *rand.Rand, rows int, times float64) (content string, s assess.Scored) {
	content = tabletest.File("level,number,y", rows, func(i int) string {
		level, number, e := rng.IntN(5), rng.NormFloat64(), rng.NormFloat64()
		if level == 2 {
			e *= times
		}
		s.Line, s.Actual, s.Predicted = append(s.Line, i+2), append(s.Actual, 0), append(s.Predicted, e)
		return fmt.Sprintf("l%d,%.5f,%d", level, number, i)
	})
	return content, s
}

func TestALevelWithThreefoldNoiseStandsOutAndOthersRarelyDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	const tables = 200
	marked := map[string]int{}
	for range tables {
		content, s := scored(rng, 150, 1)
		table := runtest.ReadTable(t, "source=table&target=y", content)
		for _, column := range []string{"level", "number"} {
			all := must(assess.ErrorsBy(table, column, s))
			differs := 0
			for _, level := range all {
				differs |= level.Differs
			}
			if differs != 0 {
				marked[column]++
			}
		}
	}
	assert.Less(t, marked["level"], tables/16, "5 % are expected at most")
	assert.Less(t, marked["number"], tables/16)
	found := 0
	for range 20 {
		content, s := scored(rng, 150, 3)
		all := must(assess.ErrorsBy(runtest.ReadTable(t, "source=table&target=y", content), "level", s))
		require.Len(t, all, 6)
		if all[1].Level == "l2" && all[1].Differs == 1 && all[1].Low > all[0].Error {
			found++
		}
	}
	assert.GreaterOrEqual(t, found, 19)
}

func TestLevelsOfFewRowsArePooledAndMissingCellsAreALevel(t *testing.T) {
	s := assess.Scored{}
	table := runtest.ReadTable(t, "source=table&target=y", tabletest.File("level,number,y", 60, func(i int) string {
		level := []string{"a", "b", ""}[i%3]
		if i%20 == 7 {
			level = fmt.Sprint("rare", i)
		}
		s.Line, s.Actual, s.Predicted = append(s.Line, i+2), append(s.Actual, 0), append(s.Predicted, float64(i%3))
		return fmt.Sprintf("%s,%d,%d", level, i/20, i*i)
	}))
	all := must(assess.ErrorsBy(table, "level", s))
	require.Len(t, all, 5)
	assert.Equal(t, []any{"", 0, 2.0}, []any{all[1].Level, all[1].Pooled, all[1].Error}, "missing cells have the largest error")
	assert.Equal(t, []any{"", 3, 3, 0}, []any{all[4].Level, all[4].Pooled, all[4].Rows, all[4].Differs})
	assert.True(t, math.IsInf(all[4].High, 1), "three rows say nothing")
	assert.True(t, math.IsNaN(all[1].Share))
	all = must(assess.ErrorsBy(table, "number", s))
	assert.Len(t, all, 4, "three different numbers are levels")
	_, err := assess.ErrorsBy(table, "no", s)
	require.ErrorAs(t, err, new(*assess.NoColumnError))
}
