// Command curve trains what a link of the page describes and prints every
// record as CSV: the curves of the page, for a notebook or a plot of one's own.
//
//	go run ./core/curve 'scenario=mixed&seed=7'
//	go run ./core/curve 'target=price&ignore=id' houses.csv
//
// It stops at settings that it does not know and at columns that the file does
// not have.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: curve SETTINGS [FILE.csv]")
		os.Exit(2)
	}
	query := os.Args[1]
	if len(os.Args) == 3 {
		query += "&source=table"
	}
	s, notices := spec.Parse(query)
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
	out.Write([]string{"point", "model", "trial", "candidate", "rank", "lambda", "iteration", "train", "valid", "test", "passes", "errorW", "errorM", "lead", "stop"})
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for cell := range core.Cells(s) {
		run, err := core.Open(s, cell, table)
		if err != nil {
			return err
		}
		for !run.Done() {
			r, err := run.Next()
			if err != nil {
				return err
			}
			out.Write([]string{strconv.Itoa(run.Cell().Point), run.Cell().Model.String(), strconv.Itoa(run.Cell().Trial), strconv.Itoa(r.Candidate), strconv.Itoa(r.Rank), number(r.Lambda),
				strconv.Itoa(r.Iteration), number(r.Train), number(r.Valid), number(r.Test),
				number(r.Passes), number(r.W), number(r.M), strconv.Itoa(r.Lead), r.Stop})
		}
	}
	out.Flush()
	return out.Error()
}
