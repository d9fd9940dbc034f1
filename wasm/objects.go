//go:build js && wasm

package main

import (
	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/trees"
)

// widest is the number of features up to which a model is described with its
// interactions: the page draws no more.
const widest = 1000

// mostPlaces is how many unusable rows cross to the page; the rest are counted.
const mostPlaces = 100

// mostTerms is how many terms of a prediction cross to the page; the rest are one
// number.
const mostTerms = 8

func tableObject(handle int, t *data.Table) any {
	profiles := t.Profile()
	columns := make([]any, len(profiles))
	for i, p := range profiles {
		columns[i] = object(
			"name", p.Name, "kind", string(p.Kind), "guess", string(p.Guess), "reason", p.Reason, "sure", p.Sure, "alternatives", p.Alternatives,
			"missing", p.Missing, "unreadable", p.Unreadable, "distinct", p.Distinct, "distinctExact", p.DistinctExact,
			"mean", p.Mean, "sd", p.SD, "min", p.Min, "max", p.Max, "tau", p.Tau, "levels", p.Levels,
			"unit", p.Unit, "parts", p.Parts, "notes", noteObjects(p.Notes),
		)
	}
	preview := make([]any, len(t.Preview))
	for i, row := range t.Preview {
		preview[i] = row
	}
	return object(
		"table", handle, "name", t.Name, "rows", t.Rows(), "bytes", t.Bytes, "format", string(t.Format), "charset", string(t.Charset), "separator", string(t.Separator), "header", t.Header,
		"columns", columns, "preview", preview, "bad", places(t.Bad), "badCount", t.BadCount, "notes", noteObjects(t.Notes),
		"asks", t.Asks(),
	)
}

func noteObjects(notes data.Notes) []any {
	out := make([]any, len(notes))
	for i, d := range notes {
		answers := make([]any, len(d.Answers))
		for j, a := range d.Answers {
			answers[j] = object("label", a.Label, "key", string(a.Key), "value", a.Value, "now", a.Now)
		}
		out[i] = object("topic", string(d.Topic), "columns", d.Columns, "text", d.Text, "cells", d.Cells, "ask", d.Ask, "answers", answers)
	}
	return out
}

func planObject(p *core.Planned) any {
	roles, kinds, uses := make([]any, len(p.Roles)), make([]any, len(p.Kinds)), make([]any, len(p.Uses))
	for i, u := range p.Uses {
		roles[i], kinds[i] = string(p.Roles[i]), string(p.Kinds[i])
		uses[i] = object("column", u.Column, "role", string(u.Role), "kind", string(u.Kind), "reason", u.Reason, "sure", u.Sure, "alternatives", u.Alternatives, "chosen", string(u.Chosen), "judged", u.Judged)
	}
	suggested := make([]any, len(p.Suggested))
	for i, s := range p.Suggested {
		suggested[i] = object("split", string(s.Split), "by", s.By, "reason", s.Reason)
	}
	return object(
		"split", string(p.Cut.Kind), "by", p.Cut.By, "suggested", suggested,
		"target", p.Target, "learnt", p.Learnt, "measure", p.Measure, "classes", classesValue(p.Classes()), "roles", roles, "kinds", kinds, "uses", uses, "features", p.Features,
		"train", p.Train, "valid", p.Valid, "test", p.Test, "folds", p.Folds, "bytes", p.Bytes, "steps", p.Steps,
		"trees", p.Trees, "treesQuick", p.Trees <= trees.Quick,
		"dropped", places(p.Dropped), "droppedCount", p.DroppedCount, "notes", noteObjects(p.Notes),
	)
}

func pointObjects(points []core.Point) any {
	out := make([]any, len(points))
	for i, p := range points {
		out[i] = object("query", p.Spec.Encode(), "ratio", p.Ratio, "n", p.N, "held", p.Held(), "k", p.K, "tau", p.Tau)
	}
	return out
}

func startedObject(handle int, r *core.Run, b core.Baselines) any {
	return object(
		"run", handle, "model", r.Cell().Model.String(), "trial", r.Cell().Trial, "point", r.Cell().Point, "candidates", r.Candidates(),
		"measure", r.Measure(), "classes", classesValue(r.ClassNames()), "mean", b.Mean, "ridge", b.Ridge, "ridgeLambda", b.Lambda,
		"target", r.Target(), "learnt", r.Learnt(), "features", r.Features(), "notes", noteObjects(r.Notes()),
	)
}

// classesValue returns the names of two classes, null for none.
func classesValue(names []string) any {
	if names == nil {
		return nil
	}
	return names
}

func classesObject(c *core.Classes) any {
	told := []any{toldObject("model", &c.Model), toldObject("ridge", &c.Ridge)}
	if c.Trees != nil {
		told = append(told, toldObject("trees", c.Trees))
	}
	return object("names", c.Names, "zeros", c.Count[0], "ones", c.Count[1], "share", c.Share, "told", told)
}

func toldObject(whose string, t *core.Told) any {
	var rows []int32
	var mean, share, low, high []float64
	for _, b := range t.Bins {
		rows, mean, share = append(rows, int32(b.Rows)), append(mean, b.Mean), append(share, b.Share)
		low, high = append(low, b.Low), append(high, b.High)
	}
	c := t.Calibration
	return object(
		"whose", whose, "logLoss", t.LogLoss, "brier", t.Brier, "auc", t.AUC,
		"calibration", object("used", c.Used, "slope", c.Slope, "offset", c.Offset, "rows", c.Rows, "plain", t.Plain, "fitted", t.Fitted),
		"roc", object("falsePositive", t.ROC.False, "truePositive", t.ROC.True, "threshold", t.ROC.Threshold),
		"onesFrom", t.Ones, "zerosFrom", t.Zeros,
		"reliability", object("rows", rows, "mean", mean, "share", share, "low", low, "high", high),
	)
}

func recordsObject(records []core.Record, done bool, final float64) any {
	whole := [...]string{"candidate", "rank", "iteration", "lead", "hats"}
	real := [...]string{"lambda", "weights", "train", "valid", "test", "passes", "errorW", "errorM"}
	var ints [len(whole)][]int32
	var floats [len(real)][]float64
	stop, rose := "", 0
	for i := range records {
		r := &records[i]
		hats := 0
		if r.Encoding == "hats" {
			hats = 1
		}
		for c, v := range [...]int{r.Candidate, r.Rank, r.Iteration, r.Lead, hats} {
			ints[c] = append(ints[c], int32(v))
		}
		for c, v := range [...]float64{r.Lambda, r.Weights, r.Train, r.Valid, r.Test, r.Passes, r.W, r.M} {
			floats[c] = append(floats[c], v)
		}
		if r.Stop != "" {
			stop, rose = r.Stop, r.Rose
		}
	}
	o := object("done", done, "final", final, "stop", stop, "rose", rose)
	for c, name := range whole {
		o.Set(name, ints[c])
	}
	for c, name := range real {
		o.Set(name, floats[c])
	}
	return o
}

func matrixObject(m core.Matrix) any {
	return object(
		"d", len(m.Names), "values", m.Values, "eigenvalues", m.Eigenvalues, "names", m.Names,
		"rank", m.Rank, "lambda", m.Lambda, "iteration", m.Iteration,
	)
}

func predictionsObject(p core.Predictions) any {
	line := make([]int32, len(p.Line))
	for i, l := range p.Line {
		line[i] = int32(l)
	}
	return object("line", line, "actual", p.Actual, "weight", p.Weight, "predicted", p.Predicted, "ridge", p.Ridge, "error", p.Error)
}

func modelObject(run *core.Run) (any, error) {
	file, err := run.Model()
	return object("name", run.Cell().Model.String()+".ifmlab.json", "bytes", file), err
}

func intervalsObject(run *core.Run, s *core.Intervals) (any, error) {
	stage, done, of := s.Progress()
	r := s.Result()
	o := object(
		"done", s.Done(), "stage", string(stage), "step", done, "steps", of,
		"model", r.Model.String(), "level", r.Level, "folds", r.Folds, "rows", 0, "low", r.Low, "high", r.High,
		"covered", r.Covered, "share", r.Share, "from", r.From, "to", r.To, "width", r.Width, "file", nil,
	)
	if !s.Done() {
		return o, nil
	}
	file, err := modelObject(run)
	o.Set("rows", r.Interval.Rows)
	o.Set("file", file)
	return o, err
}

func treesObject(t *core.Trees) any {
	var told any
	if t.Told != nil {
		told = toldObject("trees", t.Told)
	}
	return object(
		"grown", t.Grown, "most", trees.MostTrees, "done", t.Done,
		"trees", t.Count, "leaves", t.Leaves, "error", t.Error, "predicted", t.Predicted, "told", told,
	)
}

func describedObject(k *core.Kept, interaction any, bytes int) any {
	target, written, said := k.Encoding.Target, k.Encoding.Written, k.Encoding.Said()
	level := 0.
	if k.Model.Interval != nil {
		level = k.Model.Interval.Level
	}
	return object(
		"model", k.Model.Kind.String(), "rank", k.Model.Rank, "target", target.Name, "learnt", k.Learnt(), "levels", target.Levels, "level", level,
		"measure", k.Measure(), "classes", classesValue(k.ClassNames()),
		"columns", k.Encoding.Needs(), "features", k.Features(), "interaction", interaction, "bytes", bytes,
		"separator", string(written.Separator), "header", written.Header, "places", k.ByPlace(),
		"decimal", said.Decimal, "missingas", said.MissingAs, "present", said.Present, "dates", said.Dates,
	)
}

func gapObjects(gaps []data.Gap) []any {
	out := make([]any, len(gaps))
	for i, g := range gaps {
		out[i] = object("column", g.Column, "missing", g.Missing, "unseen", g.Unseen, "odd", g.Odd)
	}
	return out
}

func predictedObject(p *core.Predicted) any {
	return object(
		"line", p.Line, "predicted", p.Predicted, "actual", p.Actual, "error", p.Error, "rows", len(p.Line),
		"low", p.Low, "high", p.High, "covered", p.Covered, "compared", p.Compared,
		"notices", p.Notices, "gaps", gapObjects(p.Gaps), "skipped", places(p.Skipped), "skippedCount", p.SkippedCount,
	)
}

func explainedObject(e *core.Explanation, learnt string) any {
	var first, second []int32
	var values []float64
	for _, t := range e.Terms {
		first, second, values = append(first, int32(t.First)), append(second, int32(t.Second)), append(values, t.Value)
	}
	return object(
		"columns", e.Columns, "cells", e.Cells, "mean", e.Mean, "first", first, "second", second, "values", values,
		"rest", e.Rest, "others", e.Others, "predicted", e.Predicted, "raw", e.Raw, "learnt", learnt,
	)
}

func baselinesObject(b core.Baselines) any {
	return object("mean", b.Mean, "ridge", b.Ridge, "ridgeLambda", b.Lambda)
}

func places(rows []data.RowError) []any {
	rows = rows[:min(len(rows), mostPlaces)]
	out := make([]any, len(rows))
	for i := range rows {
		e := &rows[i]
		out[i] = object("message", e.Error(), "file", e.File, "line", e.Line, "column", e.Column, "field", e.Field, "found", e.Found)
	}
	return out
}
