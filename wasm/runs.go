//go:build js && wasm && !ionosphere

package main

import (
	"io"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

func init() {
	parts = append(parts, func() part { return &runs{tables: map[int]*data.Table{}, open: map[int]*core.Run{}} })
}

// runs is the part that reads tables, trains on them or on drawn rows, and
// predicts.
type runs struct {
	tables map[int]*data.Table
	open   map[int]*core.Run
}

func (r *runs) call(name string, args js.Value, next func() int) (result any, known bool, err error) {
	switch name {
	case callInfo:
		result = r.info(args)
	case callPlan:
		result, err = r.plan(args)
	case callWeigh:
		result, err = r.weigh(args)
	case callStart:
		result, err = r.start(args, next)
	case callNext:
		result, err = r.next(args)
	case callAsk:
		result, err = r.ask(args)
	case callTrees:
		result, err = r.trees(args)
	case callPairs:
		result, err = r.pairs(args)
	case callRefits:
		result, err = r.refits(args)
	case callIntervals:
		result, err = r.intervals(args)
	case callDescribe:
		result, err = r.describe(args)
	case callPredict:
		result, err = r.predict(args)
	case callExplain:
		result, err = r.explain(args)
	case callExport:
		result, err = r.export(args)
	case callGenerate:
		result, err = r.generate(args)
	case callContest:
		result, err = contest(args)
	default:
		return nil, false, nil
	}
	return result, true, err
}

func (r *runs) reader(call, query string) func(name string, file io.Reader) (func(handle int) any, error) {
	if call != callOpen {
		return nil
	}
	s, _ := spec.Parse(query)
	return func(name string, file io.Reader) (func(handle int) any, error) {
		table, err := core.ReadTable(s, name, file)
		return func(handle int) any {
			r.tables[handle] = table
			return tableObject(handle, table)
		}, err
	}
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

func (r *runs) generate(args js.Value) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	name, file, err := core.Generate(s)
	return object("name", name, "bytes", file), err
}

func (r *runs) plan(args js.Value) (any, error) {
	table, err := r.table(args)
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

func (r *runs) start(args js.Value, next func() int) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	var table *data.Table
	if s.Source == "table" {
		var err error
		if table, err = r.table(args); err != nil {
			return nil, err
		}
	}
	run, err := r.opened(s, args, table)
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
	return recordsObject(records, run.Done()), nil
}

// trees grows boosted trees until ms milliseconds are over or all have grown.
func (r *runs) trees(args js.Value) (any, error) {
	run, err := r.run(args)
	if err != nil {
		return nil, err
	}
	grown, err := run.Trees()
	if err != nil {
		return nil, err
	}
	until := now() + args.Get("ms").Float()
	for !grown.Done {
		if err := grown.Next(); err != nil {
			return nil, err
		}
		if now() >= until {
			break
		}
	}
	return treesObject(grown), nil
}

func (r *runs) ask(args js.Value) (any, error) {
	run, err := r.run(args)
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
	case "effort":
		work, err := run.Effort()
		if err != nil {
			return nil, err
		}
		intervals, err := run.IntervalsEffort()
		return object("work", work, "intervals", intervals), err
	case "predictions":
		p, err := run.Predictions()
		return predictionsObject(p), err
	case "baselines":
		b, err := run.Baselines()
		return baselinesObject(b), err
	case "quadratic":
		q, err := run.Quadratic()
		return object("rmse", q.RMSE, "lambda", q.Lambda, "columns", q.Columns, "predicted", q.Predicted), err
	case "log":
		l, err := run.Logged()
		return object("learnt", l.Learnt, "plain", l.Plain, "log", l.Log, "by", l.By, "pays", l.Pays), err
	case "theory":
		t, ok := run.Theory()
		if !ok {
			return nil, &noTruth{what}
		}
		return object("floor", t.Floor, "sd", t.SD, "secondOrder", t.SecondOrder, "tau", t.Tau), nil
	case "held":
		h, err := run.Held()
		return object("d", h.D, "k", h.K, "iteration", h.Iteration, "mean", h.Mean, "truth", h.Truth, "h", h.H, "m", h.M, "u", h.U, "q", h.Q, "v", h.V), err
	case "classes":
		c, err := run.Classes()
		if err != nil {
			return nil, err
		}
		return classesObject(c), nil
	case "model":
		return modelObject(run)
	default:
		return nil, &unknownCall{"ask " + what}
	}
}

// pairs steps the search for pairs until ms milliseconds are over or it is done.
func (r *runs) pairs(args js.Value) (any, error) {
	run, err := r.run(args)
	if err != nil {
		return nil, err
	}
	until := now() + args.Get("ms").Float()
	search, err := run.Pairs()
	if err != nil {
		return nil, err
	}
	for !search.Done() {
		search.Next()
		if now() >= until {
			break
		}
	}
	return pairsObject(search, run.Effects()), nil
}

// refits steps the search for what refits of a run's model make of pairs until ms
// milliseconds are over or it is done.
func (r *runs) refits(args js.Value) (any, error) {
	run, err := r.run(args)
	if err != nil {
		return nil, err
	}
	until := now() + args.Get("ms").Float()
	search, err := run.Refits()
	if err != nil {
		return nil, err
	}
	for !search.Done() {
		if err := search.Next(); err != nil {
			return nil, err
		}
		if now() >= until {
			break
		}
	}
	return refitsObject(search), nil
}

// intervals steps the search for the prediction intervals of a run's model until ms
// milliseconds are over or it is done.
func (r *runs) intervals(args js.Value) (any, error) {
	run, err := r.run(args)
	if err != nil {
		return nil, err
	}
	until := now() + args.Get("ms").Float()
	search, err := run.Intervals()
	if err != nil {
		return nil, err
	}
	for !search.Done() {
		if err := search.Next(); err != nil {
			return nil, err
		}
		if now() >= until {
			break
		}
	}
	return intervalsObject(run, search)
}

func (r *runs) describe(args js.Value) (any, error) {
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

// myTable is what an exported SELECT reads, for the reader to name.
const myTable = "my_table"

func (r *runs) export(args js.Value) (any, error) {
	kept, err := core.ReadModel(content(args.Get("model")))
	if err != nil {
		return nil, err
	}
	files, notices, err := kept.Export(text(args, "form"), myTable)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(files))
	for i, f := range files {
		out[i] = object("name", f.Name, "bytes", f.Bytes)
	}
	return object("files", out, "notices", notices), nil
}

func (r *runs) predict(args js.Value) (any, error) {
	table, err := r.table(args)
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

func (r *runs) explain(args js.Value) (any, error) {
	table, err := r.table(args)
	if err != nil {
		return nil, err
	}
	kept, err := core.ReadModel(content(args.Get("model")))
	if err != nil {
		return nil, err
	}
	e, err := kept.Explain(table, args.Get("line").Int(), mostTerms)
	if err != nil {
		return nil, err
	}
	return explainedObject(e, kept.Learnt()), nil
}

func (r *runs) table(args js.Value) (*data.Table, error) {
	id := args.Get("table").Int()
	if t := r.tables[id]; t != nil {
		return t, nil
	}
	return nil, &unknownHandle{"table", id}
}

func (r *runs) run(args js.Value) (*core.Run, error) {
	id := args.Get("run").Int()
	if run := r.open[id]; run != nil {
		return run, nil
	}
	return nil, &unknownHandle{"run", id}
}
