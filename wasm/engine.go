//go:build js && wasm

package main

import (
	"io"
	"runtime"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/message"
)

// engine answers the calls of one worker. It holds what the page has open and
// computes nothing itself.
type engine struct {
	last     int // handle
	parts    []part
	readings map[int]*reading
}

// part answers some of the calls, and holds what they opened by its handles.
// A build has those that its tags name, or all: what it cannot reach is not
// linked into it, and crosses no network.
//
//	-tags figure       what is trained on drawn rows, and the lesson's other calls
//	-tags table        tables, what is trained on them, and models in files
//	-tags ionosphere   the ionosphere
//
// The first two are one part that knows of two kinds of rows: a run on either is a run.
type part interface {
	// call answers a call that needs no bytes of a file; known is false for
	// another part's. next gives a new handle.
	call(name string, args js.Value, next func() int) (result any, known bool, err error)
	// reader returns what reads the file of a call, nil for another part's. It
	// returns what to do with what it has read once it is given its handle.
	reader(call, query string) func(name string, file io.Reader) (keep func(handle int) any, err error)
	// close lets go of a handle; known is false for kinds of another part.
	close(kind string, id int) (known bool)
}

// parts are those of this build.
var parts []func() part

func newEngine() *engine {
	e := &engine{readings: map[int]*reading{}}
	for _, open := range parts {
		e.parts = append(e.parts, open())
	}
	return e
}

// next returns a handle that was never used before.
func (e *engine) next() int {
	e.last++
	return e.last
}

// call answers every call that needs no bytes of a file.
func (e *engine) call(name string, args js.Value) (any, error) {
	if name == callClose {
		kind := text(args, "kind")
		for _, p := range e.parts {
			if p.close(kind, args.Get("id").Int()) {
				return nil, nil
			}
		}
		return nil, &unknownCall{"close " + kind}
	}
	for _, p := range e.parts {
		if result, known, err := p.call(name, args, e.next); known {
			return result, err
		}
	}
	if name == callInfo { // of a build without runs
		return object("version", core.Version, "cells", 0, "points", []any{}, "body", core.Body()), nil
	}
	return nil, &unknownCall{name}
}

// unknownHandle says that the page named something that is not open.
type unknownHandle struct {
	what   string
	handle int
}

func (e *unknownHandle) Error() string {
	return message.Sprintf("engine: no %s %d is open; open it again", e.what, e.handle)
}

// unknownCall says that the page and the engine are of different versions.
type unknownCall struct{ name string }

func (e *unknownCall) Error() string {
	return message.Sprintf("engine: no call named %q; reload the page", e.name)
}

// noTruth says that the page asked a table what only drawn rows have.
type noTruth struct{ what string }

func (e *noTruth) Error() string {
	return message.Sprintf("engine: a table has no %s; ask a run on drawn rows", e.what)
}

// outside says that the page asked for what a survey does not have.
type outside struct {
	what  string
	found int
	have  int // numbered from 0
}

func (e *outside) Error() string {
	return message.Sprintf("engine: the survey has %d of %s, and number %d was asked for; open it again", e.have, e.what, e.found)
}

// panicked is a fault of ours, told as an error so that the next call works.
type panicked struct{ value any }

func (e *panicked) Error() string {
	return message.Sprintf("engine: an internal fault: %v; please report it with the link of this page", e.value)
}

// guarded turns f into a JavaScript function that never throws: it returns
// {result} or {error}, the latter for panics too.
func guarded(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if v := recover(); v != nil {
				js.Global().Get("console").Call("error", message.Sprintf("engine: %v\n%s", v, stack()))
				answer = crossed(object("error", describe(&panicked{v})))
			}
		}()
		result, err := f(args)
		if err != nil {
			return crossed(object("error", describe(err)))
		}
		return crossed(object("result", result))
	})
}

// stack returns the calls that led here. runtime/debug would bring fmt along.
func stack() string {
	buffer := make([]byte, 16<<10)
	return string(buffer[:runtime.Stack(buffer, false)])
}

// now returns milliseconds since some start. Package time would add 35 kB to the engine.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// content returns the bytes of a Uint8Array.
func content(array js.Value) []byte {
	bytes := make([]byte, array.Get("length").Int())
	js.CopyBytesToGo(bytes, array)
	return bytes
}

// text returns a string argument, "" where it is missing.
func text(args js.Value, name string) string {
	if v := args.Get(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// reading is a file on its way in. The page pushes bytes, the reader pulls
// them; a pipe without a buffer stands between, so that no more than the chunk
// in hand is held twice.
type reading struct {
	pipe  *io.PipeWriter
	chunk []byte
	done  chan struct{}
	keep  func(handle int) any
	err   error
}

// openBegin starts reading a file {call, name, query}, call being "open" or
// "sky", and returns its handle.
func (e *engine) openBegin(args []js.Value) (any, error) {
	call := text(args[0], "call")
	var read func(name string, file io.Reader) (func(int) any, error)
	for _, p := range e.parts {
		if read = p.reader(call, text(args[0], "query")); read != nil {
			break
		}
	}
	if read == nil {
		return nil, &unknownCall{call}
	}
	name := text(args[0], "name")
	out, in := io.Pipe()
	r := &reading{pipe: in, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		defer func() {
			if v := recover(); v != nil {
				r.err = &panicked{v}
			}
			out.CloseWithError(r.err) // nil reads as io.ErrClosedPipe to a writer, which openWrite expects
		}()
		r.keep, r.err = read(name, out)
	}()
	id := e.next()
	e.readings[id] = r
	return id, nil
}

// openWrite takes the next bytes (handle, Uint8Array). It returns the reader's
// error as soon as there is one; bytes after that are not wanted.
func (e *engine) openWrite(args []js.Value) (any, error) {
	r := e.readings[args[0].Int()]
	if r == nil {
		return nil, &unknownHandle{"file", args[0].Int()}
	}
	size := args[1].Get("length").Int()
	if cap(r.chunk) < size {
		r.chunk = make([]byte, size)
	}
	chunk := r.chunk[:size]
	js.CopyBytesToGo(chunk, args[1])
	if _, err := r.pipe.Write(chunk); err != nil {
		<-r.done
		delete(e.readings, args[0].Int())
		return nil, r.err
	}
	return nil, nil
}

// openEnd says that all bytes have come, and returns the Table or the Sky.
func (e *engine) openEnd(args []js.Value) (any, error) {
	id := args[0].Int()
	r := e.readings[id]
	if r == nil {
		return nil, &unknownHandle{"file", id}
	}
	r.pipe.Close()
	<-r.done
	delete(e.readings, id)
	if r.err != nil {
		return nil, r.err
	}
	return r.keep(id), nil
}

// openCancel drops what has been read so far.
func (e *engine) openCancel(args []js.Value) (any, error) {
	if r := e.readings[args[0].Int()]; r != nil {
		r.pipe.CloseWithError(errCancelled)
		<-r.done
		delete(e.readings, args[0].Int())
	}
	return nil, nil
}
