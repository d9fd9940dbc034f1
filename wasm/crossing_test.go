//go:build js && wasm

package main

import (
	"math"
	"syscall/js"
	"testing"
)

func TestAnAnswerCrossesAsItIs(t *testing.T) {
	o := object(
		"text", "a \"quoted\" \\ name,\nwith\ttabs, \x00, ∑ and 😀", "none", nil, "yes", true, "whole", 3, "real", .1, "small", 5e-324, "large", math.MaxFloat64,
		"texts", []string{"a", "b\""}, "empty", []string(nil),
		"columns", []any{object("mean", math.NaN(), "max", math.Inf(1)), object("mean", 2., "min", math.Inf(-1), "values", []float64{1, math.NaN()})},
		"codes", []int32{1, -2}, "bytes", []byte{7}, "inner", object("deep", object("numbers", []float64{3})),
	)
	o.Set("whole", 4)
	got := crossed(o)
	is := js.Global().Get("Object").Get("is")
	same := func(what string, got js.Value, want any) {
		t.Helper()
		if !is.Invoke(got, want).Bool() {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for name, want := range map[string]any{"text": "a \"quoted\" \\ name,\nwith\ttabs, \x00, ∑ and 😀", "none": nil, "yes": true, "whole": 4, "real": .1, "small": 5e-324, "large": math.MaxFloat64} {
		same(name, got.Get(name), want)
	}
	same("texts", got.Get("texts").Index(1), "b\"")
	same("empty", got.Get("empty").Get("length"), 0)
	first, second := got.Get("columns").Index(0), got.Get("columns").Index(1)
	same("a mean", first.Get("mean"), math.NaN())
	same("a maximum", first.Get("max"), math.Inf(1))
	same("another mean", second.Get("mean"), 2)
	same("a minimum", second.Get("min"), math.Inf(-1))
	for what, array := range map[string][2]js.Value{
		"Float64Array": {second.Get("values"), js.ValueOf(2)}, "Int32Array": {got.Get("codes"), js.ValueOf(2)}, "Uint8Array": {got.Get("bytes"), js.ValueOf(1)},
	} {
		if !array[0].InstanceOf(js.Global().Get(what)) {
			t.Errorf("%v is no %s", array[0], what)
		}
		same(what, array[0].Get("length"), array[1])
	}
	same("a column", second.Get("values").Index(1), math.NaN())
	same("a code", got.Get("codes").Index(1), -2)
	same("a number far inside", got.Get("inner").Get("deep").Get("numbers").Index(0), 3)
}
