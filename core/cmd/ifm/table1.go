package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

const aboutTable1 = `Table1 runs the experiment on the ionosphere and prints its table, as the page's
chapter on vTEC does. Its settings begin with "vtec." in a link; settings alone may
leave that out. FILE is an IONEX map, a table of pierce points, or Madrigal's line-of-sight
TEC, each packed by gzip or not. Windows that cannot
be used are listed after the table; the command ends with 1 where none can.`

func table1(c *call) error {
	if len(c.args) > 2 {
		return c.usage()
	}
	var query string
	if len(c.args) > 0 {
		var bare bool
		if query, bare = settings(c.args[0]); bare {
			query = prefixed(query)
		}
	}
	l := c.read(query)
	if others := l.Spec.Encode(); others != "" {
		c.leave("left %s of the figure or a table; run ifm curve with this link", others)
	}
	c.leaveChapters(l, "vtec")
	tellTwice(c, spec.IonosphereFields, l.Parts["vtec"])
	s, notices := spec.ParseIonosphere(l.Parts["vtec"])
	for _, n := range notices {
		c.leave("%s", n.Message)
	}
	var opened *sky.File
	if len(c.args) > 1 {
		f, err := c.open(c.args[1])
		if err != nil {
			return err
		}
		defer f.Close()
		if opened, err = sky.Read(filepath.Base(c.args[1]), f); err != nil {
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

// prefixed puts "vtec." before the names of settings that stand alone.
func prefixed(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if key, _, _ := strings.Cut(pair, "="); has(spec.IonosphereFields, key) {
			pairs[i] = "vtec." + pair
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

// write prints a table in Markdown, metres at L1, the least of a row in bold.
func write(out io.Writer, t vtec.Table) {
	fmt.Fprint(out, "| day | windows | zero |")
	for _, m := range t.Methods {
		fmt.Fprintf(out, " %s |", m)
	}
	fmt.Fprint(out, "\n|---|---|---|", strings.Repeat("---|", len(t.Methods)), "\n")
	for _, row := range append(t.Days, t.Average) {
		fmt.Fprintf(out, "| %s | %d | %.5f |", row.Day, row.Windows, row.Zero)
		least := math.Inf(1)
		for _, v := range row.RMSE {
			least = min(least, v)
		}
		for _, v := range row.RMSE {
			fmt.Fprintf(out, " %s |", bold(fmt.Sprintf("%.5f", v), v == least))
		}
		fmt.Fprintln(out)
	}
	if fixed := t.Fixed; fixed.Tried > 0 {
		fmt.Fprintf(out, "| simulated RTK | %d | |", fixed.Windows)
		most := 0.0
		for _, v := range fixed.Percent {
			most = max(most, v)
		}
		for k, v := range fixed.Percent {
			fmt.Fprintf(out, " %s |", bold(fmt.Sprintf("%.1f %% ± %.1f", v, fixed.Error[k]), v == most))
		}
		fmt.Fprintln(out)
	}
	for _, e := range t.Unusable {
		fmt.Fprintln(out, e)
	}
}

func bold(text string, yes bool) string {
	if yes {
		return "**" + text + "**"
	}
	return text
}
