//go:build js && wasm

package main

import (
	"runtime"
	"syscall/js"

	"ifmlab/core/kernel"
	"ifmlab/core/message"
	"ifmlab/core/train"
	"ifmlab/wasm/protocol"
)

// engine answers the calls of one worker. Its parts keep the page's open objects by
// their handles; the core computes.
type engine struct {
	last     int // handle
	readings map[int]*reading

	calls   calls
	readers map[string]reader                                       // by the call that reads a file
	closers []func(handle int)                                      // drop the object of a handle
	points  func(query string) (cells int, points []protocol.Point) // nil in a build without runs
}

// parts are the parts of this build; each adds its calls. Tags choose the parts of a
// build, so that its file contains no code of the others. Without tags it has all.
//
//	-tags figure       runs on drawn rows, and the lesson's other calls
//	-tags table        tables, runs on them, and model files
//	-tags ionosphere   the ionosphere experiment
var parts []func(e *engine)

func newEngine() *engine {
	e := &engine{readings: map[int]*reading{}, calls: calls{}, readers: map[string]reader{}}
	e.answer(e.answers())
	for _, add := range parts {
		add(e)
	}
	return e
}

// call answers a call with these arguments.
type call func(args js.Value, c *crossing) error

// calls holds calls by their names.
type calls map[string]call

func (e *engine) answer(calls calls) {
	for name, call := range calls {
		e.calls[name] = call
	}
}

// next returns a handle that was never used before.
func (e *engine) next() int {
	e.last++
	return e.last
}

// lookUp returns the open object of a handle. what names its kind in the error.
func lookUp[T any](open map[int]T, what string, handle int) (T, error) {
	x, ok := open[handle]
	if !ok {
		return x, &unknownHandle{what, handle}
	}
	return x, nil
}

func (e *engine) Close(of protocol.Handle) error {
	for _, closed := range e.closers {
		closed(of.Handle)
	}
	return nil
}

func (e *engine) Info(of protocol.Query) (protocol.Info, error) {
	info := protocol.Info{Version: train.Version, Body: protocol.Body(kernel.Body())}
	if e.points != nil {
		info.Cells, info.Points = e.points(of.Query)
	}
	return info, nil
}

// unknownHandle reports a handle of no open object.
type unknownHandle struct {
	what   string
	handle int
}

func (e *unknownHandle) Error() string {
	return message.Sprintf("engine: no %s %d is open; open it again", e.what, e.handle)
}

func (*unknownHandle) Kind() string { return "unknownHandle" }

// unknownCall reports a call that the engine does not have: page and engine are of
// different versions.
type unknownCall struct{ name string }

func (e *unknownCall) Error() string {
	return message.Sprintf("engine: no call named %q; reload the page", e.name)
}

func (*unknownCall) Kind() string { return "unknownCall" }

// noTruth reports a question that only drawn rows can answer, put to a table.
type noTruth struct{ what string }

func (e *noTruth) Error() string {
	return message.Sprintf("engine: a table has no %s; ask a run on drawn rows", e.what)
}

func (*noTruth) Kind() string { return "noTruth" }

// outside reports a number beyond those of a survey.
type outside struct {
	what  string
	found int
	have  int // numbered from 0
}

func (e *outside) Error() string {
	return message.Sprintf("engine: the survey has %d of %s, and number %d was asked for; open it again", e.have, e.what, e.found)
}

func (*outside) Kind() string { return "outside" }

// panicked reports a panic of the engine, so that the next call still works.
type panicked struct{ value any }

func (e *panicked) Error() string {
	return message.Sprintf("engine: an internal fault: %v; please report it with the link of this page", e.value)
}

func (*panicked) Kind() string { return "panicked" }

// guarded turns f into a JavaScript function that never throws: it returns {result},
// which f writes, or {error}, for panics too.
func guarded(f func(args []js.Value, c *crossing) error) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if v := recover(); v != nil {
				js.Global().Get("console").Call("error", message.Sprintf("engine: %v\n%s", v, stack()))
				answer = failed(&panicked{v})
			}
		}()
		var c crossing
		c.open()
		c.field("result")
		if err := f(args, &c); err != nil {
			return failed(err)
		}
		c.close()
		return c.value()
	})
}

// failed returns {error}.
func failed(err error) js.Value {
	var c crossing
	failure := failureOf(err)
	c.open()
	c.field("error")
	writeFailure(&c, &failure)
	c.close()
	return c.value()
}

// stack returns the calls that led here. runtime/debug would bring fmt along.
func stack() string {
	buffer := make([]byte, 16<<10)
	return string(buffer[:runtime.Stack(buffer, false)])
}

// now returns milliseconds since some start. Package time would add 35 kB to the engine.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }
