//go:build js && wasm

package main

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page calls the engine as a worker does.
type page struct {
	t      *testing.T
	ifmlab js.Value
}

func open(t *testing.T) page { return page{t, js.ValueOf(newEngine().functions())} }

// invoke returns the answer {result} or {error}.
func (p page) invoke(function string, args ...any) js.Value {
	p.t.Helper()
	answer := p.ifmlab.Call(function, args...)
	require.Equal(p.t, js.TypeObject, answer.Type())
	return answer
}

func (p page) call(name string, args map[string]any) js.Value {
	p.t.Helper()
	answer := p.invoke("call", name, args)
	require.True(p.t, answer.Get("error").IsUndefined(), "%s: %s", name, js.Global().Get("JSON").Call("stringify", answer))
	return answer.Get("result")
}

func (p page) fails(answer js.Value) js.Value {
	p.t.Helper()
	require.False(p.t, answer.Get("error").IsUndefined(), "expected an error")
	return answer.Get("error")
}

// refuses calls what fails with an error of this kind, and returns it.
func (p page) refuses(kind, name string, args any) js.Value {
	p.t.Helper()
	e := p.fails(p.invoke("call", name, args))
	assert.Equal(p.t, kind, e.Get("kind").String())
	return e
}

func bytesOf(text string) js.Value { return raw([]byte(text)) }

// read pushes a file in chunks and returns the answer of the last call.
func (p page) read(name, content string, chunk int) js.Value {
	return p.readAs("open", name, content, chunk)
}

func (p page) readAs(call, name, content string, chunk int) js.Value {
	handle := p.invoke("openBegin", map[string]any{"call": call, "name": name, "query": ""}).Get("result").Int()
	for len(content) > 0 {
		n := min(chunk, len(content))
		if answer := p.invoke("openWrite", handle, bytesOf(content[:n])); !answer.Get("error").IsUndefined() {
			return answer
		}
		content = content[n:]
	}
	return p.invoke("openEnd", handle)
}

func stringify(v js.Value) string { return js.Global().Get("JSON").Call("stringify", v).String() }

func tableOf(rows int) string {
	var b strings.Builder
	b.WriteString("x,colour,y\n")
	for i := range rows {
		b.WriteString(strings.Join([]string{
			string(rune('0' + i*7%10)), []string{"red", "blue", ""}[i%3], string(rune('0'+i%10)) + ".5",
		}, ",") + "\n")
	}
	return b.String()
}

func TestAFileReadByteByByteIsTheTableReadAtOnce(t *testing.T) {
	p := open(t)
	content := tableOf(40)
	whole := p.read("t.csv", content, len(content)).Get("result")
	bytewise := p.read("t.csv", content, 1).Get("result")
	assert.Equal(t, 40, whole.Get("rows").Int())
	assert.Equal(t, len(content), whole.Get("bytes").Int())
	assert.Equal(t, 13, whole.Get("columns").Index(1).Get("missing").Int())
	assert.NotEqual(t, whole.Get("table").Int(), bytewise.Get("table").Int())
	whole.Set("table", 0)
	bytewise.Set("table", 0)
	assert.JSONEq(t, stringify(whole), stringify(bytewise))
}

func TestAFileThatCannotBeReadLeavesWhatWasOpen(t *testing.T) {
	p := open(t)
	table := p.read("good.csv", tableOf(40), 64).Get("result").Get("table").Int()
	e := p.fails(p.read("bad.json", `[{"a": 1`, 4))
	assert.Equal(t, "FileError", e.Get("kind").String())
	assert.Equal(t, "bad.json", e.Get("file").String())
	assert.Contains(t, e.Get("message").String(), "found the end of the file")
	plan := p.call("plan", map[string]any{"table": table, "query": "source=table&target=y"})
	assert.Equal(t, "y", plan.Get("target").String())
	assert.Equal(t, 24, plan.Get("train").Int())
}

func TestAFileJoinsATableThatTheQueryNames(t *testing.T) {
	p := open(t)
	join := func(query string) js.Value {
		handle := p.invoke("openBegin", map[string]any{"call": "open", "name": "more.csv", "query": query}).Get("result").Int()
		p.invoke("openWrite", handle, bytesOf(tableOf(20)))
		return p.invoke("openEnd", handle)
	}
	first := p.read("t.csv", tableOf(40), 64).Get("result").Get("table").Int()
	below := join("below=" + strconv.Itoa(first)).Get("result")
	assert.Equal(t, 60, below.Get("rows").Int())
	assert.Equal(t, 60, join("tests="+strconv.Itoa(first)).Get("result").Get("rows").Int())
	assert.Equal(t, "unknownHandle", p.fails(join("below=999")).Get("kind").String())

	cells := map[string]any{"table": below.Get("table"), "column": 1, "lines": []any{2, 3}}
	assert.Equal(t, "red,blue", p.call("cells", cells).Get("texts").Call("join").String())
	cells["table"] = 999
	p.refuses("unknownHandle", "cells", cells)
}

func TestARunOnATableIsSteppedAndAsked(t *testing.T) {
	p := open(t)
	table := p.read("t.csv", tableOf(60), 100).Get("result").Get("table").Int()
	started := p.call("start", map[string]any{"query": "source=table&target=y&ranks=2&lambdas=0.1&iterations=4", "cell": 1, "table": table})
	assert.Equal(t, "ifm", started.Get("model").String())
	assert.Greater(t, started.Get("mean").Float(), 0.0)
	run := started.Get("run").Int()

	first := p.call("next", map[string]any{"run": run, "ms": 0})
	assert.Equal(t, 1, first.Get("iteration").Length(), "ms = 0 is one step")
	records := p.call("next", map[string]any{"run": run, "ms": 1e4})
	assert.Equal(t, 4, records.Get("test").Length())
	assert.True(t, records.Get("done").Bool())
	assert.Contains(t, records.Get("stop").String(), "4 iterations")
	assert.Equal(t, "Float64Array", records.Get("test").Get("constructor").Get("name").String())

	matrix := p.call("interaction", map[string]any{"run": run})
	d := matrix.Get("d").Int()
	assert.Equal(t, d*d, matrix.Get("values").Length())
	assert.Equal(t, min(4, d), matrix.Get("eigenvalues").Length(), "two for each of two factors")
	predictions := p.call("predictions", map[string]any{"run": run})
	assert.Equal(t, 12, predictions.Get("actual").Length())
	quadratic := p.call("quadratic", map[string]any{"run": run})
	assert.Equal(t, 12, quadratic.Get("predicted").Length())
	assert.InDelta(t, .1, quadratic.Get("lambda").Float(), 1e-15, "a row, of as many as the last fit has")
	assert.Greater(t, quadratic.Get("columns").Int(), d)
	assert.Greater(t, quadratic.Get("error").Float(), 0.0)
	assert.Equal(t, records.Get("final").Float(), predictions.Get("error").Float(), "of the last fit")
	for i := range 4 {
		assert.NotEqual(t, records.Get("test").Index(i).Float(), predictions.Get("error").Float(), "which is on more rows than the curve")
	}
	file := p.call("model", map[string]any{"run": run}).Get("bytes")
	text := js.Global().Get("TextDecoder").New().Call("decode", file).String()
	assert.True(t, strings.HasPrefix(text, "{") && strings.Contains(text, "colour=blue"), text)

	p.call("close", map[string]any{"handle": run})
	p.refuses("unknownHandle", "next", map[string]any{"run": run, "ms": 0})
}

func TestAKeptModelIsDescribedAndPredictsATableWithoutItsRun(t *testing.T) {
	p := open(t)
	text := tableOf(60)
	table := p.read("t.csv", text, 100).Get("result").Get("table").Int()
	run := p.call("start", map[string]any{"query": "source=table&target=y&ranks=2&lambdas=0.1&iterations=4", "cell": 1, "table": table}).Get("run").Int()
	p.call("next", map[string]any{"run": run, "ms": 1e4})
	want := p.call("predictions", map[string]any{"run": run})
	file := p.call("model", map[string]any{"run": run}).Get("bytes")

	other := open(t)
	is := other.call("describe", map[string]any{"model": file})
	assert.Equal(t, "ifm", is.Get("model").String())
	assert.Equal(t, 2, is.Get("rank").Int())
	assert.Equal(t, "y", is.Get("target").String())
	assert.Equal(t, "x,colour", is.Get("columns").Call("join").String())
	assert.Equal(t, "x,colour=blue,colour=red,colour is missing", is.Get("features").Call("join").String())
	assert.Equal(t, 16, is.Get("interaction").Get("values").Length())
	assert.Equal(t, file.Length(), is.Get("bytes").Int())
	assert.Equal(t, ",", is.Get("separator").String())
	assert.True(t, is.Get("header").Bool())

	again := other.read("again.csv", text+"x,red,1\n", 100).Get("result").Get("table").Int()
	got := other.call("predict", map[string]any{"table": again, "model": file})
	assert.Equal(t, 61, got.Get("rows").Int())
	for i := range want.Get("line").Length() {
		line := want.Get("line").Index(i).Int()
		assert.Equal(t, line, got.Get("line").Index(line-2).Int())
		assert.Equal(t, want.Get("predicted").Index(i).Float(), got.Get("predicted").Index(line-2).Float())
	}
	assert.Greater(t, got.Get("error").Float(), 0.0)
	assert.Equal(t, 1, got.Get("skippedCount").Int())
	assert.Equal(t, "x", got.Get("skipped").Index(0).Get("found").String())
	assert.Equal(t, 62, got.Get("skipped").Index(0).Get("line").Int())

	e := other.refuses("FileError", "describe", map[string]any{"model": bytesOf("{\n}")})
	assert.Equal(t, "format", e.Get("field").String())
	short := other.read("short.csv", "x,y\n1,2\n", 100).Get("result").Get("table").Int()
	e = other.refuses("MissingColumnsError", "predict", map[string]any{"table": short, "model": file})
	assert.Equal(t, "colour", e.Get("field").String())
	assert.Equal(t, 61, other.call("predict", map[string]any{"table": again, "model": file}).Get("rows").Int(), "all is as it was")
}

func TestRunsThatTakeTurnsGiveTheBitsOfRunsAlone(t *testing.T) {
	p := open(t)
	query := "scenario=mixed&d=10&n=200&iterations=10"
	start := func(cell int) int {
		return p.call("start", map[string]any{"query": query, "cell": cell, "table": 0}).Get("run").Int()
	}
	next := func(run int) string {
		return stringify(p.call("next", map[string]any{"run": run, "ms": 0}).Get("test"))
	}
	alone := start(1)
	var want []string
	for range 11 {
		want = append(want, next(alone))
	}
	a, b := start(0), start(1)
	for _, w := range want {
		next(a)
		assert.Equal(t, w, next(b))
	}
}

func TestAReadingThatIsCancelledIsForgotten(t *testing.T) {
	p := open(t)
	handle := p.invoke("openBegin", map[string]any{"call": "open", "name": "t.csv", "query": ""}).Get("result").Int()
	p.invoke("openWrite", handle, bytesOf("a,b\n1,2\n"))
	p.invoke("openCancel", handle)
	e := p.fails(p.invoke("openEnd", handle))
	assert.Equal(t, "unknownHandle", e.Get("kind").String())
}

func TestAPanicIsAnErrorAndTheNextCallWorks(t *testing.T) {
	p := open(t)
	e := p.fails(p.invoke("call", "start", js.Null())) // no arguments: a fault of the page
	assert.Equal(t, "panicked", e.Get("kind").String())
	assert.NotEmpty(t, p.call("info", map[string]any{"query": ""}).Get("version").String())
}

func TestInfoNamesTheBodyOfTheHotLoops(t *testing.T) {
	want := "simd"
	if os.Getenv("IFMLAB_SIMD") == "0" {
		want = "go"
	}
	assert.Equal(t, want, open(t).call("info", map[string]any{"query": ""}).Get("body").String())
}

func TestAnUnknownCallSaysSo(t *testing.T) {
	e := open(t).fails(open(t).invoke("call", "fly", map[string]any{}))
	assert.Equal(t, "unknownCall", e.Get("kind").String())
}

func TestASweepIsListedAndEachOfItsCellsIsARun(t *testing.T) {
	p := open(t)
	const query = "sweep=rank&ratios=4,8&ks=1,2&d=8&test=50&trials=2&iterations=5"
	info := p.call("info", map[string]any{"query": query})
	assert.Equal(t, 16, info.Get("cells").Int())
	points := info.Get("points")
	require.Equal(t, 4, points.Length())
	point := points.Index(3)
	assert.Equal(t, 8.0, point.Get("ratio").Float())
	assert.Equal(t, 2, point.Get("k").Int())

	ends := func(query string, cell int) js.Value {
		started := p.call("start", map[string]any{"query": query, "cell": cell, "table": 0})
		return p.call("next", map[string]any{"run": started.Get("run").Int(), "ms": 1e4})
	}
	swept, alone := ends(query, 13), ends(point.Get("query").String(), 1)
	assert.JSONEq(t, stringify(alone), stringify(swept))
	for _, column := range []string{"passes", "errorW", "errorM"} {
		assert.Equal(t, 6, swept.Get(column).Length(), column)
	}

	started := p.call("start", map[string]any{"query": query, "cell": 13, "table": 0})
	assert.Equal(t, 3, started.Get("point").Int())
	theory := p.call("theory", map[string]any{"run": started.Get("run").Int()})
	assert.InDelta(t, .5, theory.Get("floor").Float(), .5)
	assert.Equal(t, 8, theory.Get("tau").Length())
}

func TestWhatARunRefusesIsATypedErrorAndTheRunGoesOn(t *testing.T) {
	p := open(t)
	run := p.call("start", map[string]any{"query": "d=60&n=2000&iterations=2", "cell": 0, "table": 0}).Get("run").Int()
	for call, want := range map[string][2]string{
		"quadratic": {"TooManyProductsError", "ignore columns until 53 features are left"},
		"trees":     {"NoValidationError", "Drawn rows have no validation rows"},
	} {
		e := p.fails(p.invoke("call", call, map[string]any{"run": run, "ms": 0}))
		assert.Equal(t, want[0], e.Get("kind").String())
		assert.Contains(t, e.Get("message").String(), want[1])
	}
	assert.Equal(t, 1, p.call("next", map[string]any{"run": run, "ms": 0}).Get("test").Length())
}

func TestDrawnRowsAreAFileThatCanBeOpened(t *testing.T) {
	p := open(t)
	file := p.call("generate", map[string]any{"query": "scenario=mixed&d=4&n=60&test=20"})
	assert.Equal(t, "drawn-mixed-seed-1.csv", file.Get("name").String())
	assert.Equal(t, "Uint8Array", file.Get("bytes").Get("constructor").Get("name").String())
	text := js.Global().Get("TextDecoder").New().Call("decode", file.Get("bytes")).String()
	table := p.read(file.Get("name").String(), text, 1000).Get("result")
	assert.Equal(t, 80, table.Get("rows").Int())
	assert.Equal(t, "target", table.Get("columns").Index(4).Get("guess").String())
	p.refuses("ConfigError", "generate", map[string]any{"query": "d=3&k=4&truth=orthonormal"})
}

const folded = "source=table&target=y&models=fm,ifm&ranks=1,2&lambdaf=10,3&lambdaw=1,10&iterations=5&folds=3"

// folds does all folds of a cell as a page does, in two engines by turns, and returns
// what they have found and the records of the run that they choose.
func folds(p, other page, table [2]int, cell int) (found map[string]any, records string) {
	at := func(fold int) (page, int) { return []page{p, other}[fold%2], table[fold%2] }
	var ridge, errors []any
	for fold := range 3 {
		on, t := at(fold)
		ridge = append(ridge, on.call("weigh", map[string]any{"query": folded, "trial": 0, "fold": fold, "table": t}))
	}
	for fold := range 3 {
		on, t := at(fold + 1)
		run := on.call("start", map[string]any{"query": folded, "cell": cell, "table": t, "fold": fold, "crossValidation": map[string]any{"ridge": ridge}}).Get("run").Int()
		var candidates []any
		for done := false; !done; {
			r := on.call("next", map[string]any{"run": run, "ms": 1000})
			for i := range r.Get("candidate").Length() {
				at, valid := r.Get("candidate").Index(i).Int(), r.Get("valid").Index(i).Float()
				if at == len(candidates) {
					candidates = append(candidates, []any{})
				}
				candidates[at] = append(candidates[at].([]any), valid)
			}
			done = r.Get("done").Bool()
		}
		on.call("close", map[string]any{"handle": run})
		errors = append(errors, candidates)
	}
	found = map[string]any{"ridge": ridge, "errors": errors}
	return found, p.finished(map[string]any{"query": folded, "cell": cell, "table": table[0], "fold": -1, "crossValidation": found})
}

// finished starts a run and returns all its records.
func (p page) finished(start map[string]any) string {
	run := p.call("start", start).Get("run").Int()
	return stringify(p.call("next", map[string]any{"run": run, "ms": 1e6}))
}

func TestFoldsThatTwoEnginesDoAreThoseOfOne(t *testing.T) {
	p, other := open(t), open(t)
	table := [2]int{}
	for i, on := range []page{p, other} {
		table[i] = on.read("t.csv", tableOf(90), 100).Get("result").Get("table").Int()
	}
	assert.Equal(t, 3, p.call("plan", map[string]any{"table": table[0], "query": folded}).Get("folds").Int())
	for cell := range 2 {
		_, together := folds(p, other, table, cell)
		alone := p.finished(map[string]any{"query": folded, "cell": cell, "table": table[0], "fold": -1, "crossValidation": js.Null()})
		assert.Equal(t, alone, together)
		assert.Contains(t, together, "best over the folds")
	}
	p.refuses("FoldError", "weigh", js.ValueOf(map[string]any{"query": folded, "trial": 0, "fold": 3, "table": table[0]}))
}

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

	assert.Equal(t, "city,x,x,city,z", importance.Get("columns").Call("join").String(), "three columns and two pairs")
	assert.Equal(t, ",city,,z,", importance.Get("with").Call("join").String(), "x with the city first; the small model has learned some noise of z")
	pair := importance.Get("pairs").Index(0)
	assert.Equal(t, "value", pair.Get("rows").Index(0).Get("kind").String())
	assert.Equal(t, "level", pair.Get("columns").Index(0).Get("kind").String())
	assert.Equal(t, pair.Get("rows").Length()*pair.Get("columns").Length(), pair.Get("effect").Length())
	assert.Equal(t, pair.Get("effect").Length(), pair.Get("near").Length())
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

	refused := p.refuses("NoRowError", "explain", map[string]any{"table": table, "model": model, "line": 1, "changes": []any{}})
	assert.Equal(t, "Line 1 of t.csv has no row; choose a line with a readable row", refused.Get("message").String())
	assert.Equal(t, 1, refused.Get("line").Int())
	assert.Equal(t, "t.csv", refused.Get("file").String())
	p.refuses("unknownHandle", "explain", map[string]any{"table": 9999, "model": model, "line": 2, "changes": []any{}})
}
