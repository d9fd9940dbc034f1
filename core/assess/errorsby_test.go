package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/runtest"
)

// The mean over the levels, each times its rows or their weight, is that of all rows.
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
	var b strings.Builder
	b.WriteString("level,number,y\n")
	for i := range rows {
		level := rng.IntN(5)
		fmt.Fprintf(&b, "l%d,%.5f,%d\n", level, rng.NormFloat64(), i)
		e := rng.NormFloat64()
		if level == 2 {
			e *= times
		}
		s.Line, s.Actual, s.Predicted = append(s.Line, i+2), append(s.Actual, 0), append(s.Predicted, e)
	}
	return b.String(), s
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
	assert.Less(t, marked["level"], tables/10, "5 % are expected at most")
	assert.Less(t, marked["number"], tables/10)
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
	var b strings.Builder
	b.WriteString("level,number,y\n")
	s := assess.Scored{}
	for i := range 60 {
		level := []string{"a", "b", ""}[i%3]
		if i%20 == 7 {
			level = fmt.Sprint("rare", i)
		}
		fmt.Fprintf(&b, "%s,%d,%d\n", level, i/20, i*i)
		s.Line, s.Actual, s.Predicted = append(s.Line, i+2), append(s.Actual, 0), append(s.Predicted, float64(i%3))
	}
	table := runtest.ReadTable(t, "source=table&target=y", b.String())
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
