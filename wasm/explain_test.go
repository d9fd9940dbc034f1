//go:build js && wasm

package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestThePredictionForALineIsTakenApartWithoutItsRun(t *testing.T) {
	p := open(t)
	text := slopes(300)
	table := p.read("t.csv", text, 1000).Get("result").Get("table").Int()
	run := p.call("start", map[string]any{"query": "source=table&target=y&models=ifm&ranks=2&lambdaf=3&lambdaw=1&iterations=10", "cell": 0, "table": table}).Get("run").Int()
	p.call("next", map[string]any{"run": run, "ms": 1e5})
	predictions := p.call("predictions", map[string]any{"run": run})
	importance := p.call("importance", map[string]any{"run": run})
	model := p.call("model", map[string]any{"run": run}).Get("bytes")
	p.call("close", map[string]any{"handle": run})

	line := predictions.Get("line").Index(0).Int()
	explained := p.call("explain", map[string]any{"table": table, "model": model, "line": line, "changes": []any{}})
	e := explained.Get("after")
	terms := e.Get("terms")
	assert.Equal(t, predictions.Get("predicted").Index(0).Float(), e.Get("predicted").Float())
	assert.Equal(t, "x,city,z", e.Get("columns").Call("join").String())
	cells := strings.Join(strings.Split(strings.Split(text, "\n")[line-1], ",")[:3], ",")
	assert.Equal(t, cells, e.Get("cells").Call("join").String())
	assert.Equal(t, 6, terms.Length(), "three columns and their pairs")
	assert.Zero(t, e.Get("others").Int())
	sum, most := e.Get("base").Float(), 0.0
	for i := range 6 {
		value := terms.Index(i).Get("value").Float()
		sum += value
		most = max(most, math.Abs(value))
		first, second := terms.Index(i).Get("first").Int(), terms.Index(i).Get("second").Int()
		assert.True(t, 0 <= first && first < 3 && (second == -1 || first < second && second < 3))
	}
	assert.InDelta(t, e.Get("predicted").Float(), sum+e.Get("rest").Float(), 1e-12*most, "rounding of the largest")
	assert.Equal(t, most, math.Abs(terms.Index(0).Get("value").Float()))

	changed := p.call("explain", map[string]any{"table": table, "model": model, "line": line, "changes": []any{"x", "1e6"}})
	assert.Equal(t, e.Get("predicted").Float(), changed.Get("before").Get("predicted").Float())
	assert.NotEqual(t, e.Get("predicted").Float(), changed.Get("after").Get("predicted").Float())
	assert.True(t, changed.Get("inputs").Index(0).Get("beyond").Bool())
	average := p.call("explain", map[string]any{"table": 0, "model": model, "line": 0, "changes": []any{}})
	assert.Equal(t, 3, average.Get("inputs").Length(), "without a table")

	assert.Equal(t, 3, importance.Get("columns").Length())
	assert.GreaterOrEqual(t, importance.Get("by").Index(0).Float(), importance.Get("by").Index(1).Float())
	assert.Positive(t, importance.Get("low").Index(0).Float())
	shapes := p.call("shapes", map[string]any{"model": model, "class": 0})
	assert.Equal(t, "y", shapes.Get("quantity").String())
	assert.True(t, shapes.Get("average").Bool())
	assert.Equal(t, 3, shapes.Get("shapes").Length())
	city := shapes.Get("shapes").Index(1)
	assert.Equal(t, "city", city.Get("column").String())
	own := map[string]float64{} // effects of levels
	for i := range city.Get("points").Length() {
		point := city.Get("points").Index(i)
		own[point.Get("level").String()] = point.Get("effect").Float()
	}
	for i := range 6 {
		if terms.Index(i).Get("first").Int() == 1 && terms.Index(i).Get("second").Int() == -1 {
			assert.InDelta(t, terms.Index(i).Get("value").Float(), own[strings.Split(cells, ",")[1]], 1e-12*most, cells)
		}
	}

	refused := p.fails(p.invoke("call", "explain", map[string]any{"table": table, "model": model, "line": 1, "changes": []any{}}))
	assert.Equal(t, "NoRowError", refused.Get("kind").String())
	assert.Equal(t, "Line 1 of t.csv has no row; choose a line with a readable row", refused.Get("message").String())
	assert.Equal(t, 1, refused.Get("line").Int())
	assert.Equal(t, "t.csv", refused.Get("file").String())
	refused = p.fails(p.invoke("call", "explain", map[string]any{"table": 9999, "model": model, "line": 2, "changes": []any{}}))
	assert.Equal(t, "unknownHandle", refused.Get("kind").String())
}
