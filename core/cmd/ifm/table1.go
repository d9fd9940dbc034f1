package main

import (
	"fmt"

	"ifmlab/core/estimator"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/vtec/sky"
)

const table1Details = `Table1 runs the ionosphere experiment and prints its table, as the page's chapter on
vTEC does. Settings begin with "vtec." in a link, and need not when they stand alone.
FILE is an IONEX map, a table of pierce points, or Madrigal's line-of-sight TEC, and
may be packed by gzip or zip; of several files in a zip archive, unpack one. Methods with a star are not in the paper.

The row below the average is the difference from ridge with its 95 % interval over
days. The same follows by hour and elevation, and with stations=all by the station
that is left out. With tune=own, penalties are chosen on the first third of the file,
or on the simulator's five days before the test days, and are printed as settings.
Unusable windows are listed after the table. If no window can be used, the exit status
is 1.`

func table1(c *call, args []string) error {
	s, notices := spec.ParseIonosphere(readChapter(c, "vtec", spec.IonosphereFields, args))
	c.report(notices)
	var opened *sky.File
	if len(args) > 1 {
		f, err := c.open(args[1], spec.Default())
		if err != nil {
			return err
		}
		defer f.Close()
		if opened, err = sky.Read(f.Name, f); err != nil {
			return err
		}
	}
	on, err := survey.Open(s, opened)
	if err != nil {
		return err
	}
	for _, notice := range append(on.Notices, skyNotices(opened)...) {
		fmt.Fprintln(c.stdout, notice)
	}
	if s.Tune == "own" {
		if on, err = tuned(c, on, opened); err != nil {
			return err
		}
	}
	results, err := each(len(on.Windows()), on.Window)
	if err != nil {
		return err
	}
	fixes, err := each(len(on.Fixes()), on.Fix)
	if err != nil {
		return err
	}
	t := on.Tabulate(results, fixes)
	printTable1(c.stdout, t)
	if t.Average.Windows == 0 {
		return fmt.Errorf("ifm table1: none of %d windows can be used", len(results))
	}
	return nil
}

// tuned tunes a survey on its first part, prints the choice, and opens the survey anew.
func tuned(c *call, on *survey.Survey, opened *sky.File) (*survey.Survey, error) {
	windows, err := each(len(on.Tunings()), on.Tune)
	if err != nil {
		return nil, err
	}
	var sums []float64
	used := 0
	for _, w := range windows {
		if w.Unusable != "" {
			continue
		}
		used++
		if sums == nil {
			sums = make([]float64, len(w.Squares))
		}
		for i, v := range w.Squares {
			sums[i] += v
		}
	}
	s, err := on.Tuned(sums)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.stdout, "tuned on %d of %d windows, which are not in the table: %s\n\n", used, len(windows), s.Encode())
	return survey.Open(s, opened)
}

// skyNotices returns the notices of a file, with the arcs and slips of a table of
// line-of-sight TEC.
func skyNotices(file *sky.File) (all []string) {
	if file == nil {
		return nil
	}
	for _, fact := range file.Facts {
		if fact[0] == "arcs" || fact[0] == "slips" {
			all = append(all, fact[0]+": "+fact[1])
		}
	}
	return append(all, file.Notices...)
}

// each returns f of 0 to n−1, computed on all processors.
func each[T any](n int, f func(i int) (T, error)) ([]T, error) {
	all := make([]T, n)
	err := estimator.Parallel(n, func(i int) (err error) {
		all[i], err = f(i)
		return err
	})
	return all, err
}
