//go:build js && wasm && (figure || table || !ionosphere)

package main

import (
	"io"
	"math"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

func init() {
	parts = append(parts, func() part { return &runs{tables: map[int]*data.Table{}, open: map[int]*core.Run{}} })
}

// runs is the part that trains: on drawn rows, as drawn.go opens them, and on tables,
// with all that tables.go knows about these.
type runs struct {
	tables map[int]*data.Table
	open   map[int]*core.Run
}

// rowKind is a kind of rows to train on: drawn ones, or those of tables.
type rowKind struct {
	// opened opens the run that start asks for.
	opened func(r *runs, s spec.Spec, args js.Value) (*core.Run, error)
	// calls are those that are answered besides.
	calls map[string]func(r *runs, args js.Value) (any, error)
	// asks are the questions to a run that are.
	asks map[string]func(run *core.Run) (any, error)
	// read returns what reads the file of open; nil where there are no files.
	read func(r *runs, s spec.Spec) func(name string, file io.Reader) (func(handle int) any, error)
}

// kinds are those of this build, by the source that settings name.
var kinds = map[string]*rowKind{}

func (r *runs) call(name string, args js.Value, next func() int) (result any, known bool, err error) {
	switch name {
	case callInfo:
		result = r.info(args)
	case callStart:
		result, err = r.start(args, next)
	case callNext:
		result, err = r.next(args)
	case callAsk:
		result, err = r.ask(args)
	default:
		for _, k := range kinds {
			if answer := k.calls[name]; answer != nil {
				result, err = answer(r, args)
				return result, true, err
			}
		}
		return nil, false, nil
	}
	return result, true, err
}

func (r *runs) reader(call, query string) func(name string, file io.Reader) (func(handle int) any, error) {
	s, _ := spec.Parse(query)
	for _, k := range kinds {
		if call == callOpen && k.read != nil {
			return k.read(r, s)
		}
	}
	return nil
}

func (r *runs) close(kind string, id int) (known bool) {
	switch kind {
	case "table":
		delete(r.tables, id)
	case "run":
		if run := r.open[id]; run != nil {
			run.Close()
			delete(r.open, id)
		}
	default:
		return false
	}
	return true
}

func (r *runs) info(args js.Value) any {
	s, _ := spec.Parse(text(args, "query"))
	return object("version", core.Version, "cells", core.Cells(s), "points", pointObjects(core.Points(s)), "body", core.Body())
}

func (r *runs) start(args js.Value, next func() int) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	k := kinds[s.Source]
	if k == nil { // of the other build's
		return nil, &unknownCall{callStart + " " + s.Source}
	}
	run, err := k.opened(r, s, args)
	if err != nil {
		return nil, err
	}
	base, err := run.Baselines()
	if err != nil {
		run.Close()
		return nil, err
	}
	id := next()
	r.open[id] = run
	return startedObject(id, run, base), nil
}

// next steps a run until ms milliseconds are over or it is done. An error ends
// the run; what it returned before stays valid.
func (r *runs) next(args js.Value) (any, error) {
	run, err := r.run(args)
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
	final := math.NaN()
	if run.Done() {
		final = run.TestError()
	}
	return recordsObject(records, run.Done(), final), nil
}

func (r *runs) ask(args js.Value) (any, error) {
	run, err := r.run(args)
	if err != nil {
		return nil, err
	}
	switch what := text(args, "what"); what {
	case "interaction":
		m, err := run.Interaction()
		return matrixObject(m), err
	case "predictions":
		p, err := run.Predictions()
		return predictionsObject(p), err
	case "baselines":
		b, err := run.Baselines()
		return baselinesObject(b), err
	case "model":
		return modelObject(run)
	default:
		for _, k := range kinds {
			if answer := k.asks[what]; answer != nil {
				return answer(run)
			}
		}
		return nil, &unknownCall{"ask " + what}
	}
}

func (r *runs) run(args js.Value) (*core.Run, error) {
	id := args.Get("run").Int()
	if run := r.open[id]; run != nil {
		return run, nil
	}
	return nil, &unknownHandle{"run", id}
}
