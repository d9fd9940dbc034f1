//go:build js && wasm

package main

import (
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
	assert.Equal(t, "unknownHandle", p.fails(p.invoke("call", "cells", cells)).Get("kind").String())
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
	e := p.fails(p.invoke("call", "next", map[string]any{"run": run, "ms": 0}))
	assert.Equal(t, "unknownHandle", e.Get("kind").String())
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

	e := other.fails(other.invoke("call", "describe", map[string]any{"model": bytesOf("{\n}")}))
	assert.Equal(t, "FileError", e.Get("kind").String())
	assert.Equal(t, "format", e.Get("field").String())
	short := other.read("short.csv", "x,y\n1,2\n", 100).Get("result").Get("table").Int()
	e = other.fails(other.invoke("call", "predict", map[string]any{"table": short, "model": file}))
	assert.Equal(t, "MissingColumnsError", e.Get("kind").String())
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
	assert.Equal(t, "ConfigError", p.fails(p.invoke("call", "generate", map[string]any{"query": "d=3&k=4&truth=orthonormal"})).Get("kind").String())
}
