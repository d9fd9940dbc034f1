package main

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

const aboutCurve = `Curve trains what a link describes and prints every record as CSV: the curves of
the page, for a notebook or a plot of one's own. Of a table it needs the FILE, and
stops at columns that the file does not have. Errors are RMSE in units of the target,
or, of a target of two classes, mean log-losses. A sweep, which no link of the page's
own has, is run too. Of a table that als searches, encoding and weights, two of the
last columns, are what candidates of one rank and lambda differ in: numbers as they
are or as hats, and the penalty of the weights. With folds, the records of each fold,
from 1, come before those of the model that they choose, whose column fold is empty,
and whose valid is the mean over the folds. A run that a solver refuses has one row, with the reason under
stop; the others are printed all the same, and the command ends with 1.`

func curve(c *call) error {
	if len(c.args) < 1 || len(c.args) > 2 {
		return c.usage()
	}
	query, _ := settings(c.args[0])
	tellTwice(c, spec.Fields, query)
	if len(c.args) == 2 {
		c.leaveSource(query)
		query += "&source=table"
	}
	l := c.read(query)
	c.leaveChapters(l, "")
	if l.Spec.Source != "table" {
		return c.curves(l.Spec, nil)
	}
	if len(c.args) < 2 {
		return noTable(l.View.Sample)
	}
	table, err := c.table(l.Spec, c.args[1])
	if err != nil {
		return err
	}
	return c.curves(l.Spec, table)
}

// noTable says what to do about a link to a table whose file is not there.
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

// table reads a reader's file, which has the columns that s names.
func (c *call) table(s spec.Spec, name string) (*data.Table, error) {
	file, err := c.open(name, s)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := core.ReadTable(file.Reading(s), file.Name, file)
	if err != nil {
		return nil, err
	}
	unpacked(table, file.Notices())
	return table, core.CheckNames(s, table)
}

// unpacked notes in a table what unpacking its file left out.
func unpacked(table *data.Table, notices []string) {
	var notes data.Notes
	for _, text := range notices {
		notes = append(notes, data.Note{Topic: data.TopicFile, Text: text})
	}
	table.Notes = append(notes, table.Notes...)
}

// curves prints all runs of s.
func (c *call) curves(s spec.Spec, table *data.Table) error {
	out := csv.NewWriter(c.stdout)
	out.Write([]string{"point", "n", "k", "tau", "model", "trial", "candidate", "rank", "lambda", "iteration", "train", "valid", "test", "passes", "errorW", "errorM", "lead", "stop", "encoding", "weights", "fold"})
	points := core.Points(s)
	var refused error
	for cell := range core.Cells(s) {
		at, err := core.CellAt(s, cell)
		if err != nil {
			return err
		}
		err = records(out, points[at.Point], at, s, cell, table)
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
		if err != nil && refused == nil {
			refused = err
		}
	}
	return refused
}

// records prints one run, and the error that ended it, if one did.
func records(out *csv.Writer, p core.Point, c core.Cell, s spec.Spec, cell int, table *data.Table) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	row := func(r core.Record, fold string) {
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
		row(core.Record{Train: nan, Valid: nan, Test: nan, Passes: nan, W: nan, M: nan, Weights: nan, Stop: err.Error()}, "")
		return err
	}
	run, folds, err := open(s, cell, table)
	for i, fold := range folds {
		for _, r := range fold {
			row(r, strconv.Itoa(i+1))
		}
	}
	if err != nil {
		return ended(err)
	}
	for !run.Done() {
		r, err := run.Next()
		if err != nil {
			return ended(err)
		}
		row(r, "")
	}
	return nil
}
