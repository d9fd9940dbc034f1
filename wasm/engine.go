//go:build js && wasm

package main

import (
	"io"
	"maps"
	"runtime"
	"slices"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/message"
	"ifmlab/core/spec"
)

// engine answers the calls of one worker. It holds what the page has open and
// computes nothing itself.
type engine struct {
	last     int // handle
	tables   map[int]*data.Table
	runs     map[int]*core.Run
	skies    map[int]*core.Sky
	surveys  map[int]*core.Survey
	readings map[int]*reading
}

func newEngine() *engine {
	return &engine{
		tables: map[int]*data.Table{}, runs: map[int]*core.Run{},
		skies: map[int]*core.Sky{}, surveys: map[int]*core.Survey{}, readings: map[int]*reading{},
	}
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
				answer = object("error", describe(&panicked{v}))
			}
		}()
		result, err := f(args)
		if err != nil {
			return object("error", describe(err))
		}
		return object("result", result)
	})
}

// stack returns the calls that led here. runtime/debug would bring fmt along.
func stack() string {
	buffer := make([]byte, 16<<10)
	return string(buffer[:runtime.Stack(buffer, false)])
}

// now returns milliseconds since some start. Package time would add 35 kB to the engine.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// call answers every call that needs no bytes of a file.
func (e *engine) call(name string, args js.Value) (any, error) {
	switch name {
	case callInfo:
		return e.info(args), nil
	case callPlan:
		return e.plan(args)
	case callStart:
		return e.start(args)
	case callNext:
		return e.next(args)
	case callAsk:
		return e.ask(args)
	case callDescribe:
		return e.describe(args)
	case callPredict:
		return e.predict(args)
	case callClose:
		return nil, e.close(args)
	case callGenerate:
		return e.generate(args)
	case callSurvey:
		return e.survey(args)
	case callWindow, callFix, callScene, callWrite:
		return e.look(name, args)
	}
	return nil, &unknownCall{name}
}

func (e *engine) info(args js.Value) any {
	s, _ := spec.Parse(text(args, "query"))
	return object("version", core.Version, "cells", core.Cells(s), "points", pointObjects(core.Points(s)), "body", core.Body())
}

func (e *engine) generate(args js.Value) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	name, file, err := core.Generate(s)
	return object("name", name, "bytes", file), err
}

func (e *engine) plan(args js.Value) (any, error) {
	table, err := e.table(args)
	if err != nil {
		return nil, err
	}
	s, notices := spec.Parse(text(args, "query"))
	plan, err := core.PlanTable(s, table)
	if err != nil {
		return nil, err
	}
	for _, n := range notices { // a name of a column can be too long for a link
		plan.Notices = append(plan.Notices, n.Message)
	}
	return planObject(plan), nil
}

func (e *engine) start(args js.Value) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	var table *data.Table
	if s.Source == "table" {
		var err error
		if table, err = e.table(args); err != nil {
			return nil, err
		}
	}
	run, err := core.Open(s, args.Get("cell").Int(), table, slices.Collect(maps.Values(e.runs))...)
	if err != nil {
		return nil, err
	}
	base, err := run.Baselines()
	if err != nil {
		run.Close()
		return nil, err
	}
	e.last++
	e.runs[e.last] = run
	return startedObject(e.last, run, base), nil
}

// next steps a run until ms milliseconds are over or it is done. An error ends
// the run; what it returned before stays valid.
func (e *engine) next(args js.Value) (any, error) {
	run, err := e.run(args)
	if err != nil {
		return nil, err
	}
	var records []core.Record
	until := now() + args.Get("ms").Float()
	for !run.Done() {
		record, err := run.Next()
		if err != nil {
			return nil, err
		}
		records = append(records, record)
		if now() >= until {
			break
		}
	}
	return recordsObject(records, run.Done()), nil
}

func (e *engine) ask(args js.Value) (any, error) {
	run, err := e.run(args)
	if err != nil {
		return nil, err
	}
	switch what := text(args, "what"); what {
	case "truth":
		m, ok := run.Truth()
		if !ok {
			return nil, &noTruth{what}
		}
		return matrixObject(m), nil
	case "interaction":
		m, err := run.Interaction()
		return matrixObject(m), err
	case "predictions":
		p, err := run.Predictions()
		return predictionsObject(p), err
	case "baselines":
		b, err := run.Baselines()
		return baselinesObject(b), err
	case "quadratic":
		q, err := run.Quadratic()
		return object("rmse", q.RMSE, "lambda", q.Lambda, "columns", q.Columns, "predicted", q.Predicted), err
	case "theory":
		t, ok := run.Theory()
		if !ok {
			return nil, &noTruth{what}
		}
		return object("floor", t.Floor, "sd", t.SD, "secondOrder", t.SecondOrder, "tau", t.Tau), nil
	case "model":
		file, err := run.Model()
		return object("name", run.Cell().Model.String()+".ifmlab.json", "bytes", file), err
	default:
		return nil, &unknownCall{"ask " + what}
	}
}

func (e *engine) describe(args js.Value) (any, error) {
	file := content(args.Get("model"))
	kept, err := core.ReadModel(file)
	if err != nil {
		return nil, err
	}
	interaction := js.Null()
	if len(kept.Features()) <= widest {
		m, err := kept.Interaction()
		if err != nil {
			return nil, err
		}
		interaction = js.ValueOf(matrixObject(m))
	}
	return describedObject(kept, interaction, len(file)), nil
}

func (e *engine) predict(args js.Value) (any, error) {
	table, err := e.table(args)
	if err != nil {
		return nil, err
	}
	kept, err := core.ReadModel(content(args.Get("model")))
	if err != nil {
		return nil, err
	}
	p, err := kept.Predict(table)
	if err != nil {
		return nil, err
	}
	return predictedObject(p), nil
}

func (e *engine) close(args js.Value) error {
	id := args.Get("id").Int()
	switch kind := text(args, "kind"); kind {
	case "table":
		delete(e.tables, id)
	case "sky":
		delete(e.skies, id)
	case "survey":
		delete(e.surveys, id)
	case "run":
		if run := e.runs[id]; run != nil {
			run.Close()
			delete(e.runs, id)
		}
	default:
		return &unknownCall{"close " + kind}
	}
	return nil
}

func (e *engine) table(args js.Value) (*data.Table, error) {
	id := args.Get("table").Int()
	if t := e.tables[id]; t != nil {
		return t, nil
	}
	return nil, &unknownHandle{"table", id}
}

func (e *engine) run(args js.Value) (*core.Run, error) {
	id := args.Get("run").Int()
	if r := e.runs[id]; r != nil {
		return r, nil
	}
	return nil, &unknownHandle{"run", id}
}

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
	table *data.Table
	sky   *core.Sky // of call "sky"
	err   error
}

// openBegin starts reading a file {call, name, query}, call being "open" or
// "sky", and returns its handle.
func (e *engine) openBegin(args []js.Value) (any, error) {
	name := text(args[0], "name")
	s, _ := spec.Parse(text(args[0], "query"))
	call := text(args[0], "call")
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
		if call == callSky {
			r.sky, r.err = core.ReadSky(name, out)
		} else {
			r.table, r.err = core.ReadTable(s, name, out)
		}
	}()
	e.last++
	e.readings[e.last] = r
	return e.last, nil
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
	if r.sky != nil {
		e.skies[id] = r.sky
		return skyObject(id, r.sky), nil
	}
	e.tables[id] = r.table
	return tableObject(id, r.table), nil
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
