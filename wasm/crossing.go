//go:build js && wasm

package main

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"
	"unsafe"
)

// Answers cross to the page in one piece: as JSON, which JavaScript parses faster
// than Go sets one property. Each value of JavaScript that Go holds has a finalizer,
// and those of a table of 19,000 columns took two thirds of the time to open it. What
// JSON cannot hold, columns of numbers, bytes and NaN, is put in its place afterwards.

// fields is an object of JavaScript that is to be: names and values in turn. Of two
// with one name the last holds.
type fields struct{ pairs []any }

func object(pairs ...any) *fields { return &fields{pairs} }

// Set adds a field.
func (f *fields) Set(name string, x any) { f.pairs = append(f.pairs, name, x) }

// crossing writes an answer.
type crossing struct {
	text []byte
	at   []any // names and indices that lead to the value that is written
	gaps []gap
}

// gap is where a value is missing that JSON cannot hold.
type gap struct {
	at    []any
	value any
}

// crossed returns an object as JavaScript has it.
func crossed(x *fields) js.Value {
	var c crossing
	c.write(x)
	root := js.Global().Get("JSON").Call("parse", string(c.text))
	parent, inside := root, []any{}
	for _, g := range c.gaps {
		last := len(g.at) - 1
		if !slices.Equal(inside, g.at[:last]) {
			parent, inside = root, g.at[:last]
			for _, step := range inside {
				parent = property(parent, step)
			}
		}
		switch step := g.at[last].(type) {
		case string:
			parent.Set(step, g.value)
		case int:
			parent.SetIndex(step, g.value)
		}
	}
	return root
}

// property returns one of an object, or an element of an array.
func property(of js.Value, step any) js.Value {
	if i, ok := step.(int); ok {
		return of.Index(i)
	}
	return of.Get(step.(string))
}

func (c *crossing) write(x any) {
	switch x := x.(type) {
	case nil:
		c.text = append(c.text, "null"...)
	case bool:
		c.text = strconv.AppendBool(c.text, x)
	case int:
		c.text = strconv.AppendInt(c.text, int64(x), 10)
	case int32:
		c.text = strconv.AppendInt(c.text, int64(x), 10)
	case int64:
		c.text = strconv.AppendInt(c.text, x, 10)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			c.later(x)
		} else {
			c.text = strconv.AppendFloat(c.text, x, 'g', -1, 64)
		}
	case string:
		c.quote(x)
	case []string:
		list(c, x, c.quote)
	case []any:
		list(c, x, c.write)
	case *fields:
		c.text = append(c.text, '{')
		for i := 0; i < len(x.pairs); i += 2 {
			if i > 0 {
				c.text = append(c.text, ',')
			}
			name := x.pairs[i].(string)
			c.quote(name)
			c.text = append(c.text, ':')
			c.at = append(c.at, name)
			c.write(x.pairs[i+1])
			c.at = c.at[:len(c.at)-1]
		}
		c.text = append(c.text, '}')
	case []byte:
		c.later(raw(x))
	case []int32:
		c.later(js.Global().Get("Int32Array").New(raw(memory(x, 4)).Get("buffer")))
	case []float64:
		c.later(js.Global().Get("Float64Array").New(raw(memory(x, 8)).Get("buffer")))
	default: // a value of JavaScript
		c.later(x)
	}
}

// list writes an array.
func list[T any](c *crossing, x []T, write func(T)) {
	c.text = append(c.text, '[')
	for i, v := range x {
		if i > 0 {
			c.text = append(c.text, ',')
		}
		c.at = append(c.at, i)
		write(v)
		c.at = c.at[:len(c.at)-1]
	}
	c.text = append(c.text, ']')
}

// later leaves the place of a value free.
func (c *crossing) later(x any) {
	c.text = append(c.text, "null"...)
	c.gaps = append(c.gaps, gap{slices.Clone(c.at), x})
}

// quote writes a string as JSON does.
func (c *crossing) quote(s string) {
	const hex = "0123456789abcdef"
	c.text = append(c.text, '"')
	for i := range len(s) {
		switch b := s[i]; {
		case b == '"', b == '\\':
			c.text = append(c.text, '\\', b)
		case b < ' ':
			c.text = append(c.text, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		default:
			c.text = append(c.text, b)
		}
	}
	c.text = append(c.text, '"')
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
