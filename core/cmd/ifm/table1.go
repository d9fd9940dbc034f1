package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/vtec/sky"
)

const aboutTable1 = `Table1 runs the experiment on the ionosphere and prints its table, as the page's
chapter on vTEC does. Its settings begin with "vtec." in a link; settings alone may
leave that out. FILE is an IONEX map, a table of pierce points, or Madrigal's
line-of-sight TEC, each packed by gzip or not. Methods with a star are not in the paper.
Beneath the average stands by how much a method is above ridge, with the 95 % interval
of what days differ by; then the same by hour and elevation and, with stations=all, by
the station that is left out. With tune=own methods are tuned on the first third of the
file, of the simulator on its five days before the test days, and what that chose is
printed as settings. Windows that cannot be used are listed after the table; the
command ends with 1 where none can.`

func table1(c *call) error {
	if len(c.args) > 2 {
		return c.usage()
	}
	var query string
	if len(c.args) > 0 {
		var bare bool
		if query, bare = settings(c.args[0]); bare {
			query = dotted("vtec.", spec.IonosphereFields, query)
		}
	}
	l := c.read(query)
	if others := l.Spec.Encode(); others != "" {
		c.leave("left %s of the figure or a table; run ifm curve with this link", others)
	}
	c.leaveChapters(l, "vtec")
	own := spec.Unguessed(l.Parts["vtec"])
	tellTwice(c, spec.IonosphereFields, own)
	s, notices := spec.ParseIonosphere(own)
	for _, n := range notices {
		c.leave("%s", n.Message)
	}
	var opened *sky.File
	if len(c.args) > 1 {
		f, err := c.open(c.args[1], spec.Default())
		if err != nil {
			return err
		}
		defer f.Close()
		if opened, err = sky.Read(f.Name, f); err != nil {
			return err
		}
	}
	survey, err := core.OpenSurvey(s, opened)
	if err != nil {
		return err
	}
	for _, notice := range append(survey.Notices, spoken(opened)...) {
		fmt.Fprintln(c.stdout, notice)
	}
	if s.Tune == "own" {
		if survey, err = tuned(c, survey, opened); err != nil {
			return err
		}
	}
	results, err := each(len(survey.Windows()), survey.Window)
	if err != nil {
		return err
	}
	fixes, err := each(len(survey.Fixes()), survey.Fix)
	if err != nil {
		return err
	}
	t := survey.Tabulate(results, fixes)
	write(c.stdout, t)
	if t.Average.Windows == 0 {
		return fmt.Errorf("ifm table1: none of %d windows can be used", len(results))
	}
	return nil
}

// tuned tunes a survey on its first part, tells what that chose, and opens it anew.
func tuned(c *call, survey *core.Survey, opened *sky.File) (*core.Survey, error) {
	windows, err := each(len(survey.Tunings()), survey.Tune)
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
	s, err := survey.Tuned(sums)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.stdout, "tuned on %d of %d windows, which are not in the table: %s\n\n", used, len(windows), s.Encode())
	return core.OpenSurvey(s, opened)
}

// dotted puts a chapter's prefix before the names of its settings that stand alone.
func dotted[S any](prefix string, fields []spec.Of[S], query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if key, _, _ := strings.Cut(pair, "="); has(fields, key) {
			pairs[i] = prefix + pair
		}
	}
	return strings.Join(pairs, "&")
}

// spoken returns what reading a file has to say, with the arcs and slips of a table
// of line-of-sight TEC.
func spoken(file *sky.File) (all []string) {
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

// each returns f of 0 to n−1, as many at once as there are processors. They share
// nothing, so their order does not matter.
func each[T any](n int, f func(i int) (T, error)) ([]T, error) {
	all := make([]T, n)
	failed := make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				all[i], failed[i] = f(i)
			}
		})
	}
	wait.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
