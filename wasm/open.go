//go:build js && wasm

package main

import (
	"errors"
	"io"
	"syscall/js"
)

// reader reads the file of a call, and returns a function that writes the answer.
type reader func(query, name string, file io.Reader) (answer func(c *crossing), err error)

// reads returns the reader of a call, whose result write writes.
func reads[Result any](read func(query, name string, file io.Reader) (Result, error), write func(*crossing, *Result)) reader {
	return func(query, name string, file io.Reader) (func(*crossing), error) {
		result, err := read(query, name, file)
		return func(c *crossing) { write(c, &result) }, err
	}
}

// reading is a file that is being read. The page pushes bytes and the reader pulls them.
// The pipe between them has no buffer, so that only one chunk is in memory twice.
type reading struct {
	pipe   *io.PipeWriter
	chunk  []byte
	done   chan struct{}
	answer func(c *crossing)
	err    error
}

var errCancelled = errors.New("reading was cancelled")

// openBegin starts reading a file {call, name, query} and returns the handle of the
// reading.
func (e *engine) openBegin(args []js.Value, c *crossing) error {
	call, name, query := readText(args[0].Get("call")), readText(args[0].Get("name")), readText(args[0].Get("query"))
	read := e.readers[call]
	if read == nil {
		return &unknownCall{call}
	}
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
		r.answer, r.err = read(query, name, out)
	}()
	id := e.next()
	e.readings[id] = r
	c.integer(int64(id))
	return nil
}

// openWrite takes the next bytes (handle, Uint8Array). It returns the reader's error as
// soon as there is one, which ends the reading.
func (e *engine) openWrite(args []js.Value, c *crossing) error {
	c.null()
	r := e.readings[args[0].Int()]
	if r == nil {
		return &unknownHandle{"file", args[0].Int()}
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
		return r.err
	}
	return nil
}

// openEnd ends the file (handle) and returns the answer of the call.
func (e *engine) openEnd(args []js.Value, c *crossing) error {
	id := args[0].Int()
	r := e.readings[id]
	if r == nil {
		return &unknownHandle{"file", id}
	}
	r.pipe.Close()
	<-r.done
	delete(e.readings, id)
	if r.err == nil {
		r.answer(c)
	}
	return r.err
}

// openCancel ends the reading without an answer.
func (e *engine) openCancel(args []js.Value, c *crossing) error {
	c.null()
	if r := e.readings[args[0].Int()]; r != nil {
		r.pipe.CloseWithError(errCancelled)
		<-r.done
		delete(e.readings, args[0].Int())
	}
	return nil
}
