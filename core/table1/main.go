// Command table1 runs the experiment on the ionosphere and prints its table, as
// the page's chapter on vTEC does.
//
//	go run ./core/table1
//	go run ./core/table1 'seed=2&stride=60'
//	go run ./core/table1 'sky=disturbed' igrg3380.10i
//
// The settings are those of a link of the chapter, with or without "vtec."
// before their names. It stops at settings that it does not know. Windows that
// cannot be used are listed after the table; the command ends with 1 where none
// can.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

// view are the parameters of a link that say how the page shows a run, not what
// the run is.
var view = []string{"chapter", "embed", "hide", "scale", "theme", "speed"}

func main() {
	if len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: table1 [SETTINGS [FILE]]")
		os.Exit(2)
	}
	var settings, file string
	if len(os.Args) > 1 {
		settings = os.Args[1]
	}
	if len(os.Args) > 2 {
		file = os.Args[2]
	}
	if err := run(os.Stdout, settings, file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, settings, file string) error {
	settings, _, _ = strings.Cut(settings[strings.Index(settings, "?")+1:], "#")
	pairs := strings.Split(settings, "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return slices.Contains(view, key)
	})
	for i := range pairs {
		pairs[i] = strings.TrimPrefix(pairs[i], "vtec.")
	}
	s, notices := spec.ParseIonosphere(strings.Join(pairs, "&"))
	for _, n := range notices {
		return fmt.Errorf("table1: %s", n.Message)
	}
	var opened *sky.File
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		if opened, err = sky.Read(filepath.Base(file), f); err != nil {
			return err
		}
	}
	survey, err := core.OpenSurvey(s, opened)
	if err != nil {
		return err
	}
	for _, notice := range append(survey.Notices, spoken(opened)...) {
		fmt.Fprintln(out, notice)
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
	write(out, t)
	if t.Average.Windows == 0 {
		return fmt.Errorf("table1: none of %d windows can be used", len(results))
	}
	return nil
}

// spoken returns what reading a file has to say.
func spoken(file *sky.File) []string {
	if file == nil {
		return nil
	}
	return file.Notices
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
