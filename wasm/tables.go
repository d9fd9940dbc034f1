//go:build js && wasm && (table || (!figure && !ionosphere))

package main

import (
	"io"
	"maps"
	"slices"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	growing "ifmlab/core/trees"
	"ifmlab/wasm/protocol"
)

func init() {
	sources = append(sources, func(r *runs) {
		t := &tables{r, map[int]*table.Table{}, map[*train.Run]*assess.Assessment{}, map[*train.Run]*assess.AllRows{}}
		r.engine.answer(t.answers())
		r.engine.answer((&models{t}).answers())
		r.engine.readers["open"] = reads(t.read, writeTable)
		r.openers["table"] = t.openRun
		r.engine.closers = append(r.engine.closers, t.closed)
	})
}

// tables answers the calls about tables and about runs on them.
type tables struct {
	runs   *runs
	tables map[int]*table.Table
	assess map[*train.Run]*assess.Assessment
	every  map[*train.Run]*assess.AllRows
}

func (t *tables) table(handle int) (*table.Table, error) { return lookUp(t.tables, "table", handle) }

// assessment returns what is asked of a run.
func (t *tables) assessment(handle int) (*train.Run, *assess.Assessment, error) {
	run, err := t.runs.run(handle)
	if err != nil {
		return nil, nil, err
	}
	a := t.assess[run]
	if a == nil { // of drawn rows
		a = assess.Of(run, nil, slices.Collect(maps.Values(t.assess))...)
		t.assess[run] = a
	}
	return run, a, nil
}

func (t *tables) closed(handle int) {
	delete(t.tables, handle)
	run := t.runs.open[handle]
	if fit := t.every[run]; fit != nil {
		fit.Close()
		delete(t.every, run)
	}
	if run != nil && t.assess[run] != nil {
		t.assess[run].Close()
		delete(t.assess, run)
	}
}

func (t *tables) read(query, name string, file io.Reader) (protocol.Table, error) {
	s, _ := spec.Parse(query)
	table, err := t.readFile(s, query, name, file)
	if err != nil {
		return protocol.Table{}, err
	}
	id := t.runs.engine.next()
	t.tables[id] = table
	return protocol.Table{
		Table: id, Name: table.Name, Rows: table.Rows, Bytes: table.Bytes, Format: table.Format, Charset: table.Charset,
		Separator: string(table.Separator), Point: string(table.WrittenMark()), Header: table.Header, Columns: roles.Profiles(table), Preview: table.Preview,
		Bad: placesOf(table.Bad), BadCount: table.BadCount, Notes: table.Notes, Asks: table.Questions(),
	}, nil
}

// readFile reads a file. If the query names an open table by "below" or "tests", it joins the
// two: the rows of the file come below those of the table, or are the test rows.
func (t *tables) readFile(s spec.Spec, query, name string, file io.Reader) (*table.Table, error) {
	for key, value := range spec.Pairs(query) {
		if key == "below" || key == "tests" {
			handle, _ := strconv.Atoi(value)
			first, err := t.table(handle)
			if err != nil {
				return nil, err
			}
			return task.ReadSecond(s, first, key == "tests", name, file)
		}
	}
	return task.Read(s, name, file)
}

// openRun opens a run on one fold, or on all rows with the results of the folds. Without
// folds from the page, it trains those of the settings first.
func (t *tables) openRun(s spec.Spec, start protocol.Start, others []*train.Run) (*train.Run, error) {
	table, err := t.table(start.Table)
	if err != nil {
		return nil, err
	}
	var known []*core.Run
	for _, run := range others {
		if a := t.assess[run]; a != nil {
			known = append(known, &core.Run{Run: run, Assessment: a})
		}
	}
	var opened *core.Run
	switch {
	case start.CrossValidation == nil:
		opened, err = core.Open(s, start.Cell, table, known...)
	case start.Fold >= 0:
		opened, err = core.OpenFold(s, start.Cell, start.Fold, table, start.CrossValidation.Ridge, known...)
	default:
		opened, err = core.OpenCrossValidated(s, start.Cell, table, *start.CrossValidation, known...)
	}
	if err != nil {
		return nil, err
	}
	t.assess[opened.Run] = opened.Assessment
	return opened.Run, nil
}

func (t *tables) Plan(on protocol.OnTable) (protocol.Plan, error) {
	table, err := t.table(on.Table)
	if err != nil {
		return protocol.Plan{}, err
	}
	s, notices := spec.Parse(on.Query)
	p, err := task.NewPlan(s, table)
	if err != nil {
		return protocol.Plan{}, err
	}
	for _, n := range notices { // a name of a column can be too long for a link
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSetting, Text: n.Message})
	}
	var uses []protocol.Use
	for _, u := range p.Uses {
		uses = append(uses, protocol.Use{Column: u.Column, Role: u.Role, Kind: u.Kind, Reason: u.Reason, Sure: u.Sure, Alternatives: u.Alternatives, Chosen: protocol.ChosenKind(u.ChoiceKind), Judged: u.ChoiceReason})
	}
	return protocol.Plan{
		HasTests: table.Test != nil, Target: p.Target, Quantity: p.Quantity, Measure: protocol.Measure(p.Measure), Classes: namesOf(p.Classes()), Roles: p.Roles, Kinds: p.Kinds, Uses: uses,
		Split: p.SplitRule.Kind, By: p.SplitRule.By, Suggested: p.Suggested, Features: p.Features, Train: p.Train, Valid: p.Valid, Test: p.Test, Folds: p.Folds, Codes: p.Codes,
		Bytes: p.Bytes, Steps: p.Steps, Trees: p.Trees, TreesQuick: p.Trees <= growing.Quick, Dropped: placesOf(p.Dropped), DroppedCount: p.DroppedCount, Notes: p.Notes,
	}, nil
}

func (t *tables) Cells(of protocol.OfCells) (cells protocol.Cells, err error) {
	table, err := t.table(of.Table)
	if err != nil {
		return cells, err
	}
	cells.Numbers, cells.Texts, cells.Days = roles.CellsOf(table, of.Column, of.Lines)
	return cells, nil
}

func (t *tables) Weigh(on protocol.Weigh) (ridge protocol.FoldRidge, err error) {
	table, err := t.table(on.Table)
	if err != nil {
		return ridge, err
	}
	s, _ := spec.Parse(on.Query)
	return assess.RidgeOnFold(&task.Task{Spec: s, Trial: on.Trial, Table: table}, on.Fold)
}

func (t *tables) Effort(on protocol.OnRun) (protocol.Effort, error) {
	_, asked, err := t.assessment(on.Run)
	if err != nil {
		return protocol.Effort{}, err
	}
	work, err := asked.Effort()
	return protocol.Effort{Work: work}, err
}

func (t *tables) Quadratic(on protocol.OnRun) (protocol.Quadratic, error) {
	_, asked, err := t.assessment(on.Run)
	if err != nil {
		return protocol.Quadratic{}, err
	}
	return asked.Quadratic()
}

func (t *tables) Log(on protocol.OnRun) (protocol.Logged, error) {
	_, asked, err := t.assessment(on.Run)
	if err != nil {
		return protocol.Logged{}, err
	}
	return asked.Logged()
}

func (t *tables) Importance(on protocol.OnRun) (importance protocol.Importance, err error) {
	_, asked, err := t.assessment(on.Run)
	if err != nil {
		return importance, err
	}
	columns, err := asked.Importance()
	for _, c := range columns {
		importance.Columns, importance.With = append(importance.Columns, c.Column), append(importance.With, c.With)
		importance.By, importance.Low, importance.High = append(importance.By, c.By), append(importance.Low, c.Low), append(importance.High, c.High)
		for _, s := range c.Surfaces {
			importance.Pairs = append(importance.Pairs, protocol.Surface(s))
		}
	}
	return importance, err
}

func (t *tables) ErrorsBy(of protocol.Scored) (by protocol.ErrorsBy, err error) {
	table, err := t.table(of.Table)
	if err != nil {
		return by, err
	}
	s := assess.Scored{Actual: of.Actual, Predicted: of.Predicted, Hit: of.Hit, Classes: of.Classes}
	weight := table.ByName()[of.Weight]
	for _, line := range of.Line {
		row, _ := table.RowAt(int(line))
		if s.Line = append(s.Line, int(line)); weight != nil {
			s.Weight = append(s.Weight, weight.Number(row))
		}
	}
	by.Levels, err = assess.ErrorsBy(table, of.Column, s)
	return by, err
}

func (t *tables) Classes(on protocol.OnRun) (protocol.Classes, error) {
	_, asked, err := t.assessment(on.Run)
	if err != nil {
		return protocol.Classes{}, err
	}
	c, err := asked.Classes()
	if err != nil {
		return protocol.Classes{}, err
	}
	metrics := []protocol.ClassMetrics{metricsOf(protocol.ByModel, &c.Model), metricsOf(protocol.ByRidge, &c.Ridge)}
	if c.Trees != nil {
		metrics = append(metrics, metricsOf(protocol.ByTrees, c.Trees))
	}
	return protocol.Classes{Names: c.Names, Counts: c.Count, Metrics: metrics}, nil
}

func metricsOf(whose protocol.Teller, t *assess.ClassMetrics) protocol.ClassMetrics {
	var r protocol.Reliability
	for _, b := range t.Bins {
		r.Rows, r.Mean, r.Share = append(r.Rows, b.Rows), append(r.Mean, b.Mean), append(r.Share, b.Share)
		r.Low, r.High = append(r.Low, b.Low), append(r.High, b.High)
	}
	c := t.Calibration
	return protocol.ClassMetrics{
		Whose: whose, LogLoss: t.LogLoss, Brier: t.Brier, AUC: t.AUC, Accuracy: t.Accuracy, Confusion: slices.Concat(t.Confusion...), OnesFrom: t.Ones, ZerosFrom: t.Zeros, Reliability: r,
		Calibration: protocol.Calibration{Used: c.Used, Slope: c.Slope, Offset: c.Offset, Rows: c.Rows, Plain: t.Plain, Fitted: t.Fitted},
		ROC:         protocol.ROC{FalsePositive: t.ROC.False, TruePositive: t.ROC.True, Threshold: t.ROC.Threshold},
	}
}

func (t *tables) Trees(slice protocol.Slice) (trees protocol.Trees, err error) {
	_, asked, err := t.assessment(slice.Run)
	if err != nil {
		return trees, err
	}
	grown, err := asked.Trees()
	if err != nil {
		return trees, err
	}
	if err := stepped(slice, func() bool { return grown.Done }, grown.Next); err != nil {
		return trees, err
	}
	trees = protocol.Trees{Grown: grown.Grown, Most: grown.Most, Done: grown.Done, Trees: grown.Count, Leaves: grown.Leaves, Error: grown.Error, Predicted: grown.Predicted}
	if grown.Metrics != nil {
		metrics := metricsOf(protocol.ByTrees, grown.Metrics)
		trees.Metrics = &metrics
	}
	return trees, nil
}

func (t *tables) Pairs(slice protocol.Slice) (pairs protocol.Pairs, err error) {
	_, asked, err := t.assessment(slice.Run)
	if err != nil {
		return pairs, err
	}
	search, err := asked.Pairs()
	if err != nil {
		return pairs, err
	}
	if err := stepped(slice, search.Done, search.Next); err != nil {
		return pairs, err
	}
	p, r := search.Progress(), search.Result()
	pairs = protocol.Pairs{
		Done: search.Done(), Stage: p.Stage, Step: p.Done, Steps: p.Of, NamedCount: p.Named, Work: p.Work, Alpha: r.Alpha, Trained: r.Rows,
		Names: r.Columns, Out: r.Excluded, Pairs: r.Pairs, Tested: r.Tested, Full: r.Full,
	}
	for _, s := range r.Skipped {
		pairs.Skipped = append(pairs.Skipped, protocol.SkippedPair{First: s.P, Second: s.Q, Why: s.Reason, Products: s.Products})
	}
	for i := range r.Named {
		n := &r.Named[i]
		pairs.Named = append(pairs.Named, protocol.NamedPair{
			First: n.P, Second: n.Q, P: n.PValue, Share: n.Share, Low: n.Low, High: n.High,
		})
	}
	return pairs, nil
}

func (t *tables) EveryRow(slice protocol.EverySlice) (every protocol.EveryRow, err error) {
	run, asked, err := t.assessment(slice.Run)
	if err != nil {
		return every, err
	}
	fit := t.every[run]
	if fit == nil {
		if fit, err = asked.AllRows(slice.Intervals); err != nil {
			return every, err
		}
		t.every[run] = fit
	}
	if err := stepped(protocol.Slice{Run: slice.Run, MS: slice.MS}, fit.Done, fit.Next); err != nil {
		return every, err
	}
	every = protocol.EveryRow{Done: fit.Done(), Model: protocol.ModelKind(run.Cell().Model.String())}
	if every.Step, every.Steps = fit.Progress(); every.Done {
		every.File = &protocol.ModelFile{Name: modelName(run), Bytes: fit.File}
	}
	return every, nil
}

func (t *tables) Intervals(slice protocol.Slice) (intervals protocol.Intervals, err error) {
	run, asked, err := t.assessment(slice.Run)
	if err != nil {
		return intervals, err
	}
	search, err := asked.Intervals()
	if err != nil {
		return intervals, err
	}
	if err := stepped(slice, search.Done, search.Next); err != nil {
		return intervals, err
	}
	stage, done, of := search.Progress()
	r := search.Result()
	intervals = protocol.Intervals{
		Done: search.Done(), Stage: stage, Step: done, Steps: of, Model: protocol.ModelKind(r.Model.String()), Level: r.Level, Folds: r.Folds,
		Low: r.Low, High: r.High, Covered: r.Covered, Share: r.Share, From: r.From, To: r.To, Width: r.Width,
	}
	if search.Done() {
		var file protocol.ModelFile
		file, err = modelOf(run)
		intervals.Rows, intervals.File = r.Interval.Rows, &file
	}
	return intervals, err
}
