//go:build js && wasm

package main

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/population"
	"ifmlab/core/tabletest"
)

// slopes is a table in which the slope of x depends on the city, and z does nothing.
func slopes(rows int) string {
	rng := rand.New(rand.NewPCG(61, 1))
	return tabletest.File("x,city,z,y", rows, func(int) string {
		x, city := rng.NormFloat64(), rng.IntN(3)
		cells := []float64{x, rng.NormFloat64(), x*float64(city-1) + rng.NormFloat64()}
		return strconv.FormatFloat(cells[0], 'g', 6, 64) + ",c" + strconv.Itoa(city) + "," + strconv.FormatFloat(cells[1], 'g', 6, 64) + "," + strconv.FormatFloat(cells[2], 'g', 6, 64)
	})
}

func TestPairsAreSteppedAndTheOneThatIsThereIsNamed(t *testing.T) {
	p := open(t)
	content := slopes(600)
	table := p.read("t.csv", content, len(content)).Get("result").Get("table").Int()
	const query = "source=table&target=y&models=fm,ifm&ranks=2&lambdas=0.01&iterations=20"
	run := p.call("start", map[string]any{"query": query, "cell": 1, "table": table}).Get("run").Int()

	first := p.call("pairs", map[string]any{"run": run, "ms": 0})
	assert.False(t, first.Get("done").Bool(), "ms = 0 is one step")
	assert.Equal(t, "columns", first.Get("stage").String())
	assert.Equal(t, 1, first.Get("step").Int())
	assert.Equal(t, 3, first.Get("steps").Int())
	assert.Equal(t, 0, first.Get("named").Length())
	for range 2 {
		first = p.call("pairs", map[string]any{"run": run, "ms": 0})
	}
	assert.Equal(t, "main", first.Get("stage").String(), "once all three are read")
	assert.Equal(t, 0, first.Get("step").Int())
	assert.Greater(t, first.Get("work").Float(), 1e3, "from then on it is known")
	pairs := p.call("pairs", map[string]any{"run": run, "ms": 1e5})
	require.True(t, pairs.Get("done").Bool())
	assert.Equal(t, 3, pairs.Get("tested").Int())
	assert.Equal(t, 360, pairs.Get("trained").Int())
	require.Equal(t, 1, pairs.Get("named").Length(), stringify(pairs))
	named := pairs.Get("named").Index(0)
	assert.Equal(t, "x", pairs.Get("names").Index(named.Get("first").Int()).String())
	assert.Equal(t, "city", pairs.Get("names").Index(named.Get("second").Int()).String())
	assert.InDelta(t, .4, named.Get("share").Float(), .1)
	assert.Less(t, named.Get("low").Float(), named.Get("share").Float())
	assert.Less(t, named.Get("p").Float(), 1e-10)

	other := p.call("start", map[string]any{"query": query, "cell": 0, "table": table}).Get("run").Int()
	assert.JSONEq(t, stringify(pairs), stringify(p.call("pairs", map[string]any{"run": other, "ms": 0})), "the rows of a trial are tested once")

	p.refuses("unknownHandle", "pairs", map[string]any{"run": 9999, "ms": 0})
}

func TestIntervalsAreSteppedAndComeWithTheModelFile(t *testing.T) {
	p := open(t)
	content := slopes(600)
	table := p.read("t.csv", content, len(content)).Get("result").Get("table").Int()
	const query = "source=table&target=y&models=fm,ifm&ranks=2&lambdaf=30,3&encode=linear&iterations=20"
	start := func(query string) int {
		return p.call("start", map[string]any{"query": query, "cell": 1, "table": table}).Get("run").Int()
	}
	run := start(query)
	first := p.call("intervals", map[string]any{"run": run, "ms": 0})
	assert.False(t, first.Get("done").Bool(), "ms = 0 is one step")
	assert.Equal(t, "training", first.Get("stage").String())
	assert.True(t, first.Get("file").IsNull())
	last := first
	for steps := 0; !last.Get("done").Bool(); steps++ {
		require.Less(t, steps, 1_000_000)
		last = p.call("intervals", map[string]any{"run": run, "ms": 5})
		assert.LessOrEqual(t, last.Get("step").Int(), last.Get("steps").Int())
	}
	assert.Equal(t, "ifm", last.Get("model").String())
	assert.Equal(t, []int{4, 480, 120, 120}, []int{last.Get("folds").Int(), last.Get("rows").Int(), last.Get("low").Length(), last.Get("high").Length()})
	assert.InDelta(t, 108, last.Get("covered").Int(), 14, "3.5 standard deviations of 120 test rows and of 480 that calibrate, and one row")
	assert.Less(t, last.Get("from").Float(), .9)

	kept := last.Get("file").Get("bytes")
	assert.InDelta(t, .9, p.call("describe", map[string]any{"model": kept}).Get("level").Float(), 0)
	predicted := p.call("predict", map[string]any{"table": table, "model": kept})
	assert.Equal(t, 600, predicted.Get("low").Length())
	assert.Equal(t, 600, predicted.Get("compared").Int())
	assert.InDelta(t, 540, predicted.Get("covered").Int(), 30)

	trained := start(query)
	e := p.fails(p.invoke("call", "effort", map[string]any{"run": trained}))
	assert.Contains(t, e.Get("message").String(), "no model yet")
	p.call("next", map[string]any{"run": trained, "ms": 1e5})
	plain := p.call("model", map[string]any{"run": trained}).Get("bytes")
	assert.Equal(t, 0., p.call("describe", map[string]any{"model": plain}).Get("level").Float())
	assert.Equal(t, 0, p.call("predict", map[string]any{"table": table, "model": plain}).Get("low").Length())
	assert.Greater(t, p.call("effort", map[string]any{"run": trained}).Get("work").Float(), 1e5)
	assert.JSONEq(t, stringify(last), stringify(p.call("intervals", map[string]any{"run": trained, "ms": 1e5})), "a run that is done gives the same")

	small := "x,y\n"
	for i := range 20 {
		small += strconv.Itoa(i*i%17) + "," + strconv.Itoa(i*i%17+i%5) + "\n"
	}
	table = p.read("s.csv", small, len(small)).Get("result").Get("table").Int()
	e = p.refuses("NoIntervalError", "intervals", map[string]any{"run": start(query + "&level=0.99"), "ms": 1e5})
	assert.Contains(t, e.Get("message").String(), "16 rows are too few")
}

func TestAContestIsThatOfThePairsOrOfDrawnOnes(t *testing.T) {
	p := open(t)
	drawn := p.call("contest", map[string]any{"pairs": nil, "seed": 7, "number": 2})
	pairs := population.Drawn(6, 7, 2)
	want := tabletest.Must(population.Compare(pairs, 1))
	given := make([]any, len(pairs))
	for i, v := range pairs {
		given[i] = v
		assert.Equal(t, v, drawn.Get("pairs").Index(i).Float())
		assert.Equal(t, want.FM.Pairs[i], drawn.Get("fm").Get("pairs").Index(i).Float())
	}
	assert.Equal(t, want.Score, drawn.Get("score").Float())
	assert.Equal(t, want.FM.Share, drawn.Get("fm").Get("share").Float())
	assert.Equal(t, want.IFM.Share, drawn.Get("ifm").Get("share").Float())
	assert.Equal(t, len(want.FM.Hidden), drawn.Get("fm").Get("hidden").Length())
	assert.Equal(t, 6, drawn.Get("eigenvalues").Length())
	assert.Equal(t, 36, drawn.Get("vectors").Length())
	assert.JSONEq(t, stringify(drawn), stringify(p.call("contest", map[string]any{"pairs": given})), "pairs that are given are fitted the same")
}

func TestAContestOfOtherNumbersIsATypedError(t *testing.T) {
	p := open(t)
	p.refuses("ShapeError", "contest", map[string]any{"pairs": []any{1, 2}})
	e := p.refuses("NotFiniteError", "contest", map[string]any{"pairs": []any{1, 2, math.NaN()}})
	assert.Contains(t, e.Get("message").String(), "pair of features 2 and 3")
}

func TestTreesGrowWhileTheyAreAskedFor(t *testing.T) {
	p := open(t)
	table := p.read("t.csv", tableOf(300), 1000).Get("result").Get("table").Int()
	const query = "source=table&target=y&ranks=1&lambdas=0.1&iterations=1"
	plan := p.call("plan", map[string]any{"table": table, "query": query})
	assert.True(t, plan.Get("treesQuick").Bool())
	assert.Greater(t, plan.Get("trees").Float(), 1e5)
	run := p.call("start", map[string]any{"query": query, "cell": 0, "table": table}).Get("run").Int()

	first := p.call("trees", map[string]any{"run": run, "ms": 0})
	assert.Equal(t, 1, first.Get("grown").Int(), "ms = 0 is one tree")
	assert.False(t, first.Get("done").Bool())
	assert.True(t, math.IsNaN(first.Get("error").Float()))
	assert.Zero(t, first.Get("predicted").Length())
	assert.Equal(t, 2, p.call("trees", map[string]any{"run": run, "ms": 0}).Get("grown").Int(), "they go on where they are")

	all := p.call("trees", map[string]any{"run": run, "ms": 1e5})
	assert.True(t, all.Get("done").Bool())
	assert.Greater(t, all.Get("grown").Int(), all.Get("trees").Int())
	assert.LessOrEqual(t, all.Get("grown").Int(), all.Get("most").Int())
	assert.Contains(t, []int{15, 31}, all.Get("leaves").Int())
	assert.Equal(t, "Float64Array", all.Get("predicted").Get("constructor").Get("name").String())
	assert.JSONEq(t, stringify(all), stringify(p.call("trees", map[string]any{"run": run, "ms": 0})), "and no further")

	p.call("next", map[string]any{"run": run, "ms": 1e4})
	predictions := p.call("predictions", map[string]any{"run": run})
	sum, n := 0.0, predictions.Get("actual").Length()
	assert.Equal(t, 60, n)
	for i := range n {
		e := all.Get("predicted").Index(i).Float() - predictions.Get("actual").Index(i).Float()
		sum += e * e / float64(n)
	}
	assert.InDelta(t, math.Sqrt(sum), all.Get("error").Float(), 1e-12, "the same rows in the same order")
	assert.Less(t, all.Get("error").Float(), .2, "y is a function of x, which has ten values")

	p.call("close", map[string]any{"handle": run})
	p.refuses("unknownHandle", "trees", map[string]any{"run": run, "ms": 0})
}
