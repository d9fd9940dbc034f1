//go:build js && wasm && (table || (!figure && !ionosphere))

package main

import (
	"io"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

func init() {
	kinds["table"] = &rowKind{
		opened: (*runs).opened,
		calls: map[string]func(r *runs, args js.Value) (any, error){
			callPlan:      (*runs).plan,
			callWeigh:     (*runs).weigh,
			callTrees:     (*runs).trees,
			callPairs:     (*runs).pairs,
			callIntervals: (*runs).intervals,
			callDescribe:  (*runs).describe,
			callPredict:   (*runs).predict,
			callExplain:   (*runs).explain,
			callExport:    (*runs).export,
		},
		asks: map[string]func(run *core.Run) (any, error){
			"effort":    effort,
			"quadratic": quadratic,
			"log":       logged,
			"classes":   classes,
		},
		read: (*runs).read,
	}
}

func (r *runs) read(s spec.Spec) func(name string, file io.Reader) (func(handle int) any, error) {
	return func(name string, file io.Reader) (func(handle int) any, error) {
		table, err := core.ReadTable(s, name, file)
		return func(handle int) any {
			r.tables[handle] = table
			return tableObject(handle, table)
		}, err
	}
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
		plan.Notes = append(plan.Notes, data.Note{Topic: data.TopicSetting, Text: n.Message})
	}
	return planObject(plan), nil
}

func effort(run *core.Run) (any, error) {
	work, err := run.Effort()
	return object("work", work), err
}

func quadratic(run *core.Run) (any, error) {
	q, err := run.Quadratic()
	return object("error", q.Error, "lambda", q.Lambda, "columns", q.Columns, "predicted", q.Predicted), err
}

func logged(run *core.Run) (any, error) {
	l, err := run.Logged()
	return object("learnt", l.Learnt, "plain", l.Plain, "log", l.Log, "by", l.By, "pays", l.Pays), err
}

func classes(run *core.Run) (any, error) {
	c, err := run.Classes()
	if err != nil {
		return nil, err
	}
	return classesObject(c), nil
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
	if err := stepped(until, func() bool { return grown.Done }, grown.Next); err != nil {
		return nil, err
	}
	return treesObject(grown), nil
}

// stepped does slices of a search until it is done, fails or the clock says until.
func stepped(until float64, done func() bool, next func() error) error {
	for !done() {
		if err := next(); err != nil {
			return err
		}
		if now() >= until {
			break
		}
	}
	return nil
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
	if err := stepped(until, search.Done, func() error { search.Next(); return nil }); err != nil {
		return nil, err
	}
	return pairsObject(search, run.Effects()), nil
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
	if err := stepped(until, search.Done, search.Next); err != nil {
		return nil, err
	}
	return intervalsObject(run, search)
}

func (r *runs) describe(args js.Value) (any, error) {
	file := content(args.Get("model"))
	kept, err := core.ReadModel(file)
	if err != nil {
		return nil, err
	}
	var interaction any
	if len(kept.Features()) <= widest {
		m, err := kept.Interaction()
		if err != nil {
			return nil, err
		}
		interaction = matrixObject(m)
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
