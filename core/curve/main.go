// Command curve trains what a link of the page describes and prints every
// record as CSV: the curves of the page, for a notebook or a plot of one's own.
//
//	go run ./core/curve 'scenario=mixed&seed=7'
//	go run ./core/curve 'https://YOUR.HOST/?sweep=rank&solver=auto'
//	go run ./core/curve 'target=price&ignore=id' houses.csv
//
// It stops at settings that it does not know and at columns that the file does
// not have. A run that a solver refuses has one row, with the reason under stop;
// the others are printed all the same, and the command ends with 1.
package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

// view are the parameters of a link that say how the page shows a run, not what
// the run is.
var view = []string{"embed", "hide", "scale", "theme", "sample", "speed"}

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: curve SETTINGS [FILE.csv]")
		os.Exit(2)
	}
	if strings.Contains(os.Args[1], "chapter=vtec") {
		fmt.Fprintln(os.Stderr, "curve: the chapter on vTEC has a table and no curves; run go run ./core/table1 with this link")
		os.Exit(2)
	}
	s, notices := spec.Parse(settings(os.Args[1], len(os.Args) == 3))
	for _, n := range notices {
		fmt.Fprintln(os.Stderr, "curve:", n.Message)
	}
	if len(notices) > 0 {
		os.Exit(2)
	}
	if err := print(s, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// settings returns the Spec's part of a link, whole or from its "?" on.
func settings(link string, table bool) string {
	if _, query, whole := strings.Cut(link, "?"); whole {
		link = query
	}
	link, _, _ = strings.Cut(link, "#")
	pairs := slices.DeleteFunc(strings.Split(link, "&"), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return slices.Contains(view, key)
	})
	if table {
		pairs = append(pairs, "source=table")
	}
	return strings.Join(pairs, "&")
}

func print(s spec.Spec, files []string) error {
	var table *data.Table
	if len(files) == 1 {
		file, err := os.Open(files[0])
		if err != nil {
			return err
		}
		defer file.Close()
		if table, err = core.ReadTable(s, filepath.Base(files[0]), file); err != nil {
			return err
		}
		if err := core.CheckNames(s, table); err != nil {
			return err
		}
	}
	out := csv.NewWriter(os.Stdout)
	out.Write([]string{"point", "n", "k", "tau", "model", "trial", "candidate", "rank", "lambda", "iteration", "train", "valid", "test", "passes", "errorW", "errorM", "lead", "stop"})
	points := core.Points(s)
	var refused error
	for cell := range core.Cells(s) {
		c, err := core.CellAt(s, cell)
		if err != nil {
			return err
		}
		err = curve(out, points[c.Point], c, s, cell, table)
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
		if err != nil && refused == nil {
			refused = err
		}
	}
	return refused
}

// curve prints one run, and the error that ended it, if one did.
func curve(out *csv.Writer, p core.Point, c core.Cell, s spec.Spec, cell int, table *data.Table) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	row := func(r core.Record) {
		n, k, tau := strconv.Itoa(p.N), strconv.Itoa(p.K), number(p.Tau)
		if s.Source == "table" {
			n, k, tau = "", "", ""
		}
		out.Write([]string{strconv.Itoa(c.Point), n, k, tau, c.Model.String(), strconv.Itoa(c.Trial),
			strconv.Itoa(r.Candidate), strconv.Itoa(r.Rank), number(r.Lambda), strconv.Itoa(r.Iteration), number(r.Train), number(r.Valid), number(r.Test),
			number(r.Passes), number(r.W), number(r.M), strconv.Itoa(r.Lead), r.Stop})
	}
	ended := func(err error) error {
		nan := math.NaN()
		row(core.Record{Train: nan, Valid: nan, Test: nan, Passes: nan, W: nan, M: nan, Stop: err.Error()})
		return err
	}
	run, err := core.Open(s, cell, table)
	if err != nil {
		return ended(err)
	}
	for !run.Done() {
		r, err := run.Next()
		if err != nil {
			return ended(err)
		}
		row(r)
	}
	return nil
}
