//go:build js && wasm

package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
	e := p.fails(p.invoke("call", "trees", map[string]any{"run": run, "ms": 0}))
	assert.Equal(t, "unknownHandle", e.Get("kind").String())
}
