//go:build !js

// The loops that differ under js/wasm have their own tests in core/kernel.

package train_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// Laws that predictions obey, whatever the numbers: what a table says stays the same
// when its rows stand in another order, its columns have other names or units, or all
// of it is there twice. Chunks of any size: core/read, TestChunksOfAnySizeGiveTheSameTable;
// probabilities: classes_test.go; a sweep that is killed: core/shard.

// lawful is a table of times, which say which rows test, of numbers, levels and a target.
func lawful() (rows [][]string) {
	for i, line := range strings.Split(strings.TrimSpace(runtest.Interacting(240, nil)), "\n") {
		first := "t"
		if i > 0 {
			first = strconv.Itoa(i)
		}
		rows = append(rows, append([]string{first}, strings.Split(line, ",")...))
	}
	return rows
}

// byTime trains on rows and returns what the model and ridge predict for the time of
// each test row.
func byTime(t *testing.T, query string, rows [][]string) (model, ridge map[string]float64) {
	t.Helper()
	var b strings.Builder
	for _, cells := range rows {
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, b.String()))
	p := runtest.Result(t, run.Predictions)
	model, ridge = map[string]float64{}, map[string]float64{}
	for i, line := range p.Line {
		time := rows[line-1][slices.Index(rows[0], "t")]
		model[time], ridge[time] = p.Predicted[i], p.Ridge[i]
	}
	return model, ridge
}

// affine writes column c as a·v + b.
func affine(c int, a, b float64) func([][]string) [][]string {
	return func(rows [][]string) [][]string {
		for _, cells := range rows[1:] {
			v, _ := strconv.ParseFloat(cells[c], 64)
			cells[c] = strconv.FormatFloat(a*v+b, 'g', -1, 64)
		}
		return rows
	}
}

func TestPredictionsStayWhenATableSaysTheSameOtherwise(t *testing.T) {
	const (
		// Sums of 200 terms in another order, of targets below 10, through 40 iterations:
		// 1e-14 is seen.
		rounding = 1e-11
		// Factors begin at numbers drawn by a column's place, so that descents and sweeps
		// end elsewhere on their way down, and validation rows end them: .2 is seen, and
		// the target's standard deviation is 1.7.
		start = .4
		exact = 0
	)
	for _, solver := range []struct {
		settings       string
		columns, twice float64
	}{
		{"solver=als&lambdaf=10&lambdaw=1&encode=linear", start, rounding},
		{"solver=als&lambdaf=10&lambdaw=1&encode=hats", start, start}, // knots stand at quantiles, which move
		{"solver=agd&lambdas=0.01", start, rounding},
		{"solver=scaled&lambdas=0.01", start, rounding},
		{"solver=gauss-newton&lambdas=0.01", rounding, rounding}, // begins where the rows say
	} {
		query := "source=table&target=y&ignore=t&split=time&by=t&models=ifm&ranks=2&iterations=40&" + solver.settings
		model, ridge := byTime(t, query, lawful())
		require.Len(t, model, 48)
		for _, law := range []struct {
			name   string
			change func(rows [][]string) [][]string
			a, b   float64 // what it makes of predictions
			bound  float64
		}{
			{"rows in another order", func(rows [][]string) [][]string {
				rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows)-1, func(i, j int) { rows[i+1], rows[j+1] = rows[j+1], rows[i+1] })
				return rows
			}, 1, 0, rounding},
			{"columns in another order", func(rows [][]string) [][]string {
				for _, cells := range rows {
					slices.Reverse(cells)
				}
				return rows
			}, 1, 0, solver.columns},
			{"other names", func(rows [][]string) [][]string {
				copy(rows[0][1:], []string{"zeta", "alpha", "Länge (m)", "b", "c"})
				return rows
			}, 1, 0, exact},
			{"a feature in other units", affine(2, 1000, 5), 1, 0, rounding},
			{"a feature with its sign turned", affine(2, -1, 0), 1, 0, solver.columns},
			{"the target in other units", affine(6, 1000, 5), 1000, 5, rounding},
			{"every row twice", func(rows [][]string) (twice [][]string) {
				for i, cells := range rows {
					if twice = append(twice, cells); i > 0 {
						twice = append(twice, cells)
					}
				}
				return twice
			}, 1, 0, solver.twice},
		} {
			query := query
			if law.name == "every row twice" { // pseudo-rows, too
				query = strings.NewReplacer("lambdaf=10", "lambdaf=20", "lambdaw=1", "lambdaw=2").Replace(query)
			}
			got, straight := byTime(t, query, law.change(lawful()))
			require.Len(t, got, len(model), law.name)
			for time := range model {
				assert.InDelta(t, model[time], (got[time]-law.b)/law.a, law.bound, "%s, %s", law.name, solver.settings)
				assert.InDelta(t, ridge[time], (straight[time]-law.b)/law.a, rounding, "%s, ridge", law.name)
			}
		}
	}
}

func TestARunThatIsResumedContinuesBitForBit(t *testing.T) {
	for _, query := range []string{
		"models=fm,ifm&d=12&n=200&iterations=12&solver=agd", "models=fm,ifm&d=12&n=200&iterations=12&solver=auto", "models=fm,ifm&d=12&n=600&iterations=12&batches=fresh&solver=agd",
		"source=table&target=y&models=fm,ifm&ranks=2&iterations=12", "source=table&target=y&models=fm,ifm&ranks=1,2&iterations=6&solver=agd&lambdas=0,0.1",
	} {
		s := runtest.Parse(t, query)
		var table, again = runtest.ReadTable(t, query, runtest.Interacting(120, nil)), runtest.ReadTable(t, query, runtest.Interacting(120, nil))
		if !strings.HasPrefix(query, "source") {
			table, again = nil, nil
		}
		_, want := runtest.Train(t, query, 1, table)
		lost := runtest.Must(core.Open(s, 1, table))
		for range len(want) / 2 {
			runtest.Result(t, lost.Next)
		}
		resumed := runtest.Must(core.Open(s, 1, again))
		other := runtest.Must(core.Open(s, 0, again))
		var got []train.Record
		for !resumed.Done() {
			r := runtest.Result(t, resumed.Next)
			if got = append(got, r); !other.Done() {
				runtest.Result(t, other.Next)
			}
		}
		runtest.RequireSame(t, want, got)
	}
}

// extremes are tables at the ends of what numbers can be, and of what a table can have.
func extremes() map[string]string {
	rng := rand.New(rand.NewPCG(8, 9))
	g := rng.NormFloat64
	table := func(n int, row func(i int) [4]float64) string {
		var b strings.Builder
		b.WriteString("a,b,c,y\n")
		for i := range n {
			for j, v := range row(i) {
				b.WriteString([]string{"", ",", ",", ","}[j] + strconv.FormatFloat(v, 'g', -1, 64))
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	return map[string]string{
		"numbers near the largest":  table(60, func(int) [4]float64 { return [4]float64{1e300 * g(), 1e300 * g(), g(), 1e300 * g()} }),
		"a target near the largest": table(60, func(int) [4]float64 { return [4]float64{g(), g(), g(), 1e307 * g()} }),
		"numbers near the smallest": table(60, func(int) [4]float64 { return [4]float64{1e-300 * g(), 1e-300 * g(), g(), 1e-300 * g()} }),
		"numbers of few bits":       table(60, func(int) [4]float64 { return [4]float64{5e-324, 1e-320 * g(), g(), 1e-320 * g()} }),
		"numbers far from 0":        table(60, func(int) [4]float64 { return [4]float64{1e15 + g(), 1e9 + g(), g(), 1e12 + g()} }),
		"numbers of every size":     table(60, func(i int) [4]float64 { v := math.Pow(10, float64(i*10-300)); return [4]float64{v, g(), g(), v} }),
		"a target of one value":     table(60, func(int) [4]float64 { return [4]float64{g(), g(), g(), 7} }),
		"columns of one value":      table(60, func(int) [4]float64 { return [4]float64{1, 2, 3, g()} }),
		"columns that are the same": table(60, func(int) [4]float64 { v := g(); return [4]float64{v, v, -v, v} }),
		"one number far from others": table(60, func(i int) [4]float64 {
			v := 1e200 * float64(i/30%2*(i%30+1)/30)
			return [4]float64{v, g(), v, g() + v}
		}),
		"signs": table(60, func(i int) [4]float64 {
			return [4]float64{float64(2*(i&1) - 1), float64(i&2 - 1), float64(i&4 - 2), g()}
		}),
		"nothing but 0": table(60, func(int) [4]float64 { return [4]float64{} }),
		"four rows":     table(4, func(int) [4]float64 { return [4]float64{g(), g(), g(), g()} }),
		"one row":       table(1, func(int) [4]float64 { return [4]float64{g(), g(), g(), g()} }),
	}
}

func TestEverySolverEndsOnEveryTableFiniteOrInATypedError(t *testing.T) {
	models, more := []string{"ifm"}, 4
	if !testing.Short() {
		models, more = []string{"fm", "gfm", "ifm"}, 25
	}
	tables := extremes()
	for seed := range more {
		tables["tortured "+strconv.Itoa(seed)] = tortured(rand.New(rand.NewPCG(uint64(seed), 78)))
	}
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	ended := 0
	end := func(name, query, content string) {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s, %s: panic: %v", name, query, p)
			}
		}()
		refused := func(err error) bool {
			if err != nil {
				assert.NotEqual(t, "Error", message.Kind(err), "%s, %s: %v", name, query, err)
			}
			return err != nil
		}
		s := runtest.Parse(t, query)
		table, err := task.Read(s, "t.csv", strings.NewReader(content))
		if refused(err) {
			return
		}
		run, err := core.Open(s, 0, table)
		if refused(err) {
			return
		}
		for !run.Done() {
			r, err := run.Next()
			if refused(err) {
				return
			}
			if r.Stop == "" && (r.Rank == 0 || r.Iteration > 0) {
				assert.True(t, finite(r.Train) && finite(r.Valid) && finite(r.Test), "%s, %s: %+v", name, query, r)
			}
		}
		p, err := run.Predictions()
		if refused(err) {
			return
		}
		ended++
		assert.False(t, slices.ContainsFunc(slices.Concat(p.Predicted, p.Ridge), func(v float64) bool { return !finite(v) }), "%s, %s", name, query)
	}
	for _, solver := range []string{"als", "als&lambdaf=0&lambdaw=0", "agd&lambdas=0", "scaled&lambdas=0", "gauss-newton&lambdas=0", "auto", "algorithm1", "centred", "printed"} {
		for _, model := range models {
			for name, content := range tables {
				end(name, "source=table&target=y&ranks=2&iterations=15&models="+model+"&solver="+solver, content)
			}
		}
	}
	assert.Greater(t, ended, 9*len(models)*len(tables)/4, "many are fitted")
}

// without returns a file without the rows in whose column a cell is one of these.
func without(t *testing.T, file string, column int, cells ...string) (all, left string) {
	content := runtest.Must(os.ReadFile(file))
	lines := strings.SplitAfter(string(content), "\n")
	for i, line := range lines {
		if of := strings.Split(strings.TrimSpace(line), ","); i == 0 || len(of) <= column || !slices.Contains(cells, of[column]) {
			left += line
		}
	}
	require.Less(t, len(left), len(content))
	return string(content), left
}

func TestARuleEqualsTheFileWithoutTheRowsThatItLeavesOut(t *testing.T) {
	for _, c := range []struct {
		file, query, rows string
		column            int
		cells             []string
	}{
		{"cars", "target=Miles_per_Gallon&ignore=Name", "Cylinders:>:3%3BCylinders:!=:5", 1, []string{"3", "5"}},
		{"cars", "target=Miles_per_Gallon&ignore=Name&missing=drop&folds=3", "Origin:!=:USA", 7, []string{"USA"}},
		{"cars", "target=Origin&ignore=Name&rare=1", "Year:>=:1971%3BYear:<:1980", 6, []string{"1970", "1980", "1982"}},
		{"cars", "target=Miles_per_Gallon&ignore=Name&split=time&by=Year&solver=agd", "Year:>:1971", 6, []string{"1970", "1971"}},
		{"penguins", "target=Sex", "Species:!=:Gentoo", 0, []string{"Gentoo"}},
	} {
		all, left := without(t, "../../web/samples/"+c.file+".csv", c.column, c.cells...)
		query := "source=table&models=fm,ifm&ranks=2&lambdaf=30&iterations=6&" + c.query
		for cell := range 2 {
			ruled, got := runtest.Train(t, query+"&rows="+c.rows, cell, runtest.ReadTable(t, query, all))
			deleted, want := runtest.Train(t, query, cell, runtest.ReadTable(t, query, left))
			runtest.RequireSame(t, want, got)
			a, b := runtest.Result(t, ruled.Predictions), runtest.Result(t, deleted.Predictions)
			assert.Equal(t, b.Predicted, a.Predicted)
			assert.Equal(t, b.Ridge, a.Ridge)
			assert.Equal(t, runtest.Grow(t, deleted).Predicted, runtest.Grow(t, ruled).Predicted)
			assert.Equal(t, deleted.Features(), ruled.Features(), "levels of left-out rows are unknown")
		}
	}
}
