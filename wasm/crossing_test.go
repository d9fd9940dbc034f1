//go:build js && wasm

package main

import (
	"math"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/assess"
	"ifmlab/wasm/protocol"
)

// crossed returns what write writes as JavaScript has it.
func crossed[T any](write func(*crossing, *T), x T) js.Value {
	var c crossing
	write(&c, &x)
	return c.value()
}

func TestAnAnswerCrossesAsItIs(t *testing.T) {
	text := "a \"quoted\" \\ name,\nwith\ttabs, \x00, ∑ and 😀"
	got := crossed(writeTable, protocol.Table{
		Name: text, Rows: 3, Header: true, Preview: [][]string{{"a", "b\""}, nil},
		Columns: []protocol.Column{
			{Mean: math.NaN(), Max: math.Inf(1), Min: .1, SD: 5e-324},
			{Mean: 2, Max: math.MaxFloat64, Min: math.Inf(-1)},
		},
	})
	is := js.Global().Get("Object").Get("is")
	same := func(what string, got js.Value, want any) {
		t.Helper()
		assert.True(t, is.Invoke(got, want).Bool(), "%s is %v, want %v", what, got, want)
	}
	for name, want := range map[string]any{"name": text, "rows": 3, "header": true, "separator": ""} {
		same(name, got.Get(name), want)
	}
	for column, numbers := range []map[string]float64{
		{"mean": math.NaN(), "max": math.Inf(1), "min": .1, "sd": 5e-324},
		{"mean": 2, "max": math.MaxFloat64, "min": math.Inf(-1), "sd": 0},
	} {
		for name, want := range numbers {
			same(name, got.Get("columns").Index(column).Get(name), want)
		}
	}
	same("a text in a list in a list", got.Get("preview").Index(0).Index(1), "b\"")
	for what, list := range map[string]js.Value{"of texts": got.Get("preview").Index(1), "of rows": got.Get("bad")} {
		same("the length of a list "+what+" that is nil", list.Get("length"), 0)
	}
}

func TestColumnsOfNumbersCrossAsTypedArrays(t *testing.T) {
	got := crossed(writeClasses, protocol.Classes{Names: protocol.Names{"no", "yes"}, Metrics: []protocol.ClassMetrics{{}, {
		OnesFrom: []float64{1, math.NaN()}, Reliability: protocol.Reliability{Rows: []int{1, -2}},
	}}})
	told := got.Get("metrics").Index(1)
	file := crossed(writeModelFile, protocol.ModelFile{Bytes: []byte{7}})
	codes := crossed(writePredicted, protocol.Predicted{Line: []int32{8}})
	for what, array := range map[string]struct {
		js.Value
		last float64
	}{
		"Float64Array": {told.Get("onesFrom"), math.NaN()}, "Int32Array": {told.Get("reliability").Get("rows"), -2}, "Uint8Array": {file.Get("bytes"), 7},
	} {
		assert.True(t, array.InstanceOf(js.Global().Get(what)), what)
		assert.InDelta(t, array.last, array.Index(array.Length()-1).Float(), 0, what)
	}
	assert.True(t, codes.Get("line").InstanceOf(js.Global().Get("Int32Array")))
	assert.Equal(t, "no,yes", got.Get("names").Call("join").String())
	assert.Zero(t, told.Get("zerosFrom").Length(), "also if it is nil")
}

func TestWhatAPointerPointsToCrossesOrNull(t *testing.T) {
	names := protocol.Names{"no", "yes"}
	assert.Equal(t, "yes", crossed(writeStarted, protocol.Started{Classes: &names}).Get("classes").Index(1).String())
	assert.True(t, crossed(writeTrees, protocol.Trees{}).Get("metrics").IsNull())
}

func TestArgumentsAreReadAndMissingOnesAreZero(t *testing.T) {
	array := js.Global().Get("Float64Array").New(2)
	array.SetIndex(1, .5)
	assert.Equal(t, protocol.Choose{Survey: 3, Sums: []float64{0, .5}}, readChoose(js.ValueOf(map[string]any{"survey": 3, "sums": array})))
	assert.Equal(t, protocol.Start{Query: "d=3"}, readStart(js.ValueOf(map[string]any{"query": "d=3", "crossValidation": nil})))
	found := map[string]any{"ridge": []any{map[string]any{"linear": array}}, "errors": []any{[]any{array, []any{}}, []any{}}}
	assert.Equal(t, protocol.Start{Fold: -1, CrossValidation: &protocol.CrossValidation{
		Ridge: []assess.FoldRidge{{Linear: []float64{0, .5}}}, Errors: []assess.FoldErrors{{{0, .5}, nil}, nil},
	}}, readStart(js.ValueOf(map[string]any{"fold": -1, "crossValidation": found})))
}

func TestAnArgumentOfAnotherTypePanics(t *testing.T) {
	for name, args := range map[string]map[string]any{
		"a number for a text":       {"query": 3},
		"a text for a number":       {"cell": "3"},
		"a fraction for an integer": {"cell": 1.5},
		"NaN for an integer":        {"cell": math.NaN()},
		"a number for a structure":  {"crossValidation": 1},
		"a text for a list":         {"crossValidation": map[string]any{"ridge": "none"}},
	} {
		assert.Panics(t, func() { readStart(js.ValueOf(args)) }, name)
	}
	assert.Panics(t, func() { new(crossing).ints([]int{1 << 31}) })
}
