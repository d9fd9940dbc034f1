//go:build js && wasm

package main

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"
	"unsafe"

	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// Answers cross to the page in one piece: as JSON, which JavaScript parses faster
// than Go sets one property. Each value of JavaScript that Go holds has a finalizer,
// and those of a table of 19,000 columns took two thirds of the time to open it. What
// JSON cannot hold, columns of numbers, bytes and NaN, is put in its place afterwards.

// crossing writes an answer.
type crossing struct {
	text []byte
	path []step // to the value that is written
	gaps []gap
}

// step leads from an object to a field, or from an array to an element.
type step struct {
	field   string // "": an element
	element int
}

// gap is where a value is missing that JSON cannot hold.
type gap struct {
	path  []step
	value any
}

// value returns what was written as JavaScript has it: an object or an array.
func (c *crossing) value() js.Value {
	root := js.Global().Get("JSON").Call("parse", string(c.text))
	parent, inside := root, []step{}
	for _, g := range c.gaps {
		last := len(g.path) - 1
		if !slices.Equal(inside, g.path[:last]) {
			parent, inside = root, g.path[:last]
			for _, s := range inside {
				if s.field != "" {
					parent = parent.Get(s.field)
				} else {
					parent = parent.Index(s.element)
				}
			}
		}
		if s := g.path[last]; s.field != "" {
			parent.Set(s.field, g.value)
		} else {
			parent.SetIndex(s.element, g.value)
		}
	}
	return root
}

// open begins an object; close ends it.
//
//go:noinline
func (c *crossing) open() {
	c.text = append(c.text, '{')
	c.path = append(c.path, step{})
}

//go:noinline
func (c *crossing) close() {
	c.text = append(c.text, '}')
	c.path = c.path[:len(c.path)-1]
}

// field begins a field, whose name JSON need not escape.
//
//go:noinline
func (c *crossing) field(name string) {
	if c.text[len(c.text)-1] != '{' {
		c.text = append(c.text, ',')
	}
	c.text = append(c.text, '"')
	c.text = append(c.text, name...)
	c.text = append(c.text, '"', ':')
	c.path[len(c.path)-1].field = name
}

//go:noinline
func (c *crossing) null() { c.text = append(c.text, "null"...) }

//go:noinline
func (c *crossing) boolean(x bool) { c.text = strconv.AppendBool(c.text, x) }

//go:noinline
func (c *crossing) integer(x int64) { c.text = strconv.AppendInt(c.text, x, 10) }

//go:noinline
func (c *crossing) number(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		c.later(x)
	} else {
		c.text = strconv.AppendFloat(c.text, x, 'g', -1, 64)
	}
}

// quote writes a string as JSON does.
//
//go:noinline
func (c *crossing) quote(s string) { c.text = jsontext.AppendText(c.text, s) }

//go:noinline
func (c *crossing) bytes(x []byte) { c.later(raw(x)) }

//go:noinline
func (c *crossing) floats(x []float64) { c.typed("Float64Array", memory(x, 8)) }

//go:noinline
func (c *crossing) ints32(x []int32) { c.typed("Int32Array", memory(x, 4)) }

//go:noinline
func (c *crossing) ints(x []int) {
	narrow := make([]int32, len(x))
	for i, v := range x {
		narrow[i] = int32(v)
		if int(narrow[i]) != v {
			panic(message.Sprintf("%d does not fit into an Int32Array", v))
		}
	}
	c.ints32(narrow)
}

// typed writes a typed array with a copy of its memory.
//
//go:noinline
func (c *crossing) typed(array string, memory []byte) {
	c.later(js.Global().Get(array).New(raw(memory).Get("buffer")))
}

// later leaves the place of a value free.
//
//go:noinline
func (c *crossing) later(x any) {
	c.null()
	c.gaps = append(c.gaps, gap{slices.Clone(c.path), x})
}

// list writes an array of n elements.
//
//go:noinline
func (c *crossing) list(n int, write func(i int)) {
	c.text = append(c.text, '[')
	c.path = append(c.path, step{})
	for i := range n {
		if i > 0 {
			c.text = append(c.text, ',')
		}
		c.path[len(c.path)-1].element = i
		write(i)
	}
	c.path = c.path[:len(c.path)-1]
	c.text = append(c.text, ']')
}

// memory returns the bytes of x, whose elements have the given size.
func memory[T any](x []T, size int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size*len(x))
}

// raw copies bytes into a new Uint8Array.
func raw(bytes []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(bytes))
	js.CopyBytesToJS(array, bytes)
	return array
}

// Arguments are read field by field. A missing or null field gives the zero value. A
// field of another type is a bug in the page, and panics.

func readText(v js.Value) string {
	if isMissing(v, js.TypeString) {
		return ""
	}
	return v.String()
}

func readBool(v js.Value) bool {
	return !isMissing(v, js.TypeBoolean) && v.Bool()
}

func readInt(v js.Value) int {
	x := readNumber(v)
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 { // NaN too
		panic(message.Sprintf("an argument is %v, and has to be an integer", x))
	}
	return int(x)
}

func readNumber(v js.Value) float64 {
	if isMissing(v, js.TypeNumber) {
		return 0
	}
	return v.Float()
}

func readNumbers(v js.Value) (x []float64) {
	each(v, func(v js.Value) { x = append(x, v.Float()) })
	return x
}

func readBytes(v js.Value) []byte {
	if isMissing(v, js.TypeObject) {
		return nil
	}
	bytes := make([]byte, v.Length())
	js.CopyBytesToGo(bytes, v)
	return bytes
}

// each calls f with the elements of an array, typed or not.
func each(v js.Value, f func(v js.Value)) {
	if isMissing(v, js.TypeObject) {
		return
	}
	for i := range v.Length() {
		f(v.Index(i))
	}
}

// isMissing reports whether an argument is undefined or null. It panics unless any
// other has the type wanted.
func isMissing(v js.Value, want js.Type) bool {
	if v.IsUndefined() || v.IsNull() {
		return true
	}
	if v.Type() != want {
		panic(message.Sprintf("an argument is a %v, and has to be a %v", v.Type(), want))
	}
	return false
}
