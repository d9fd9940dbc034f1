package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/estimator"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

const curveDetails = `Curve trains what a link describes and prints every record as CSV: the curves of the
page, for a notebook or a plot. A link to a table needs FILE, which must have the
columns that the link names. Errors are RMSE in units of the target, or mean log-loss
for a target of classes. Curve also runs sweeps, to which the page never links. If drawn
rows cannot tell some interactions, a line on stderr counts them.

On a table, als searches over the columns encoding and weights too: numbers as they are
or as hats, and the penalty of the weights. With folds, the records of each fold come
first, counted from 1. The column fold is empty for the final model, whose column valid
is the mean over the folds. A run that a solver refuses has one row, with the reason
under stop. The other runs are still printed, and the exit status is 1.`

func curve(c *call, args []string) error {
	query, _ := settings(args[0])
	l := c.read(query)
	c.leaveChapters(l, "")
	if len(args) == 2 {
		l.Spec.Source = "table"
	}
	if l.Spec.Source != "table" {
		return c.curves(l.Spec, nil)
	}
	if len(args) < 2 {
		return noTable(l.View.Sample)
	}
	table, err := c.readTable(l.Spec, args[1])
	if err != nil {
		return err
	}
	return c.curves(l.Spec, table)
}

// noTable returns the error for a link to a table without the file.
func noTable(sample string) error {
	where := "ifm curve SETTINGS FILE"
	if i := slices.IndexFunc(spec.Samples, func(s spec.Sample) bool { return s.Name == sample }); i >= 0 {
		where = "ifm curve SETTINGS web/samples/" + sample + ".csv"
		if spec.Samples[i].Drawn {
			return usageError("ifm curve: the link is about the table " + sample + ", which only the page draws; open it there, or leave source=table out")
		}
	}
	return usageError("ifm curve: the link is about a table and does not hold its rows; give the file too: " + where)
}

// curves prints all runs of s.
func (c *call) curves(s spec.Spec, table *table.Table) error {
	out := csv.NewWriter(c.stdout)
	out.Write([]string{"point", "n", "k", "tau", "model", "trial", "candidate", "rank", "lambda", "iteration", "train", "valid", "test", "passes", "errorW", "errorM", "lead", "stop", "encoding", "weights", "fold"})
	points := trial.Points(s)
	told := map[string]bool{}
	var refused error
	for cell := range core.Cells(s) {
		at, err := trial.CellAt(s, cell)
		if err != nil {
			return err
		}
		notes, err := records(out, points[at.Point], at, s, cell, table)
		for _, text := range notes {
			if !told[text] {
				fmt.Fprintln(c.stderr, "ifm curve:", text)
			}
			told[text] = true
		}
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
		if err != nil && refused == nil {
			refused = err
		}
	}
	return refused
}

// records prints the records of one run. It returns the notes on drawn rows and the error
// that ended it.
func records(out *csv.Writer, p trial.Point, c trial.Cell, s spec.Spec, cell int, table *table.Table) (notes []string, err error) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	row := func(r train.Record, fold string) {
		n, k, tau := strconv.Itoa(p.N), strconv.Itoa(p.K), number(p.Tau)
		if s.Source == "table" {
			n, k, tau = "", "", ""
		}
		out.Write([]string{strconv.Itoa(c.Point), n, k, tau, c.Model.String(), strconv.Itoa(c.Trial),
			strconv.Itoa(r.Candidate), strconv.Itoa(r.Rank), number(r.Lambda), strconv.Itoa(r.Iteration), number(r.Train), number(r.Valid), number(r.Test),
			number(r.Passes), number(r.W), number(r.M), strconv.Itoa(r.Lead), r.Stop, r.Encoding, number(r.Weights), fold})
	}
	ended := func(err error) error {
		nan := math.NaN()
		row(train.Record{Train: nan, Valid: nan, Test: nan, Passes: nan, W: nan, M: nan, Weights: nan, Stop: err.Error()}, "")
		return err
	}
	run, folds, err := open(s, cell, table)
	for i, fold := range folds {
		for _, r := range fold {
			row(r, strconv.Itoa(i+1))
		}
	}
	if err != nil {
		return nil, ended(err)
	}
	if table == nil {
		notes = run.Notes().Texts()
	}
	for !run.Done() {
		r, err := run.Next()
		if err != nil {
			return notes, ended(err)
		}
		if !r.Last || r.Stop != "" {
			row(r, "")
		}
	}
	return notes, nil
}

// open opens a run. With cross-validation it first trains every fold, and returns their
// records.
func open(s spec.Spec, cell int, table *table.Table) (run *core.Run, folds [][]train.Record, err error) {
	if task.Folds(s) == 0 {
		run, err = core.Open(s, cell, table)
		return run, nil, err
	}
	folds = make([][]train.Record, task.Folds(s))
	found, err := assess.CrossValidate(s, cell, table, estimator.Parallel, func(fold int, r train.Record) error {
		folds[fold] = append(folds[fold], r)
		return nil
	})
	if err == nil {
		run, err = core.OpenCrossValidated(s, cell, table, found)
	}
	return run, folds, err
}
