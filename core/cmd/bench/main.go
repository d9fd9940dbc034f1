// Command bench times the hot paths natively, as the WebAssembly that the page runs,
// and as WebAssembly without SIMD. All three run in turns, so that their ratios mean
// something on a shared machine.
//
//	go run ./core/cmd/bench          everything
//	go run ./core/cmd/bench smoke    everything, on so little data that no time means anything
//
// With the argument "measure" or "growth" it measures itself once and prints plain
// numbers. It builds itself for js/wasm and runs that in Node with the same arguments.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
)

// extent is the amount of work behind each time.
type extent struct {
	rows                  int // of the designs
	bytes, ratings        int // of the files
	steps, repeats        int // calls of which the fastest counts: of a step, of a longer call
	rounds, turns         int // of the comparison, of the growth
	everyWindow, everyFix int // of the default ionosphere table
}

var (
	whole = extent{rows: 15000, bytes: 20e6, ratings: 1e6, steps: 20, repeats: 3, rounds: 3, turns: 8, everyWindow: 27, everyFix: 12}
	smoke = extent{rows: 1500, bytes: 1e5, ratings: 1e4, steps: 1, repeats: 1, rounds: 1, turns: 1, everyWindow: 324, everyFix: 54}
	much  = whole
)

// measure is one line of the table.
type measure struct {
	name, unit string
	run        func() (float64, error)
}

var measures = []measure{
	{"iFM iteration, 15000×100, k = 8", "ms", func() (float64, error) { return iteration("ifm") }},
	{"FM iteration, 15000×100, k = 8", "ms", func() (float64, error) { return iteration("fm") }},
	{stepName, "ms", step},
	{"CSV of 20 columns of numbers to a table", "MB/s", func() (float64, error) { return readCSV(numbersFile()) }},
	{"CSV of 1 M ratings to a table", "MB/s", func() (float64, error) { return readCSV(ratingsFile()) }},
	{"sweep of ALS on 1 M ratings, FM, k = 8", "ms", sweep},
	{"logistic ridge, 15000×30", "ms", logisticRidge},
	{"sweep of ALS on classes, iFM, 15000×30, k = 4", "ms", logisticSweep},
	{"sweep of ALS on 1 M ratings as classes, FM, k = 8", "ms", logisticRatings},
	{"vTEC window, ridge", "ms", func() (float64, error) { return windows("ridge") }},
	{"vTEC window, LASSO", "ms", func() (float64, error) { return windows("lasso") }},
	{"vTEC window, elastic net", "ms", func() (float64, error) { return windows("elasticnet") }},
	{"vTEC window, kernel ridge", "ms", func() (float64, error) { return windows("kernel") }},
	{"vTEC window, FM", "ms", func() (float64, error) { return windows("fm") }},
	{"vTEC window, iFM", "ms", func() (float64, error) { return windows("ifm") }},
	{windowName, "ms", func() (float64, error) { return windows("ridge,lasso,elasticnet,kernel,fm,ifm") }},
	{fixName, "ms", fixes},
}

// stepName is the measure that is compared with gonum. The time of an ionosphere table
// follows from the measures windowName and fixName.
const (
	stepName   = "the solver's step of it alone, iFM"
	windowName = "vTEC window, all six"
	fixName    = "vTEC fix, all six"
)

func main() {
	args := os.Args[1:]
	if n := len(args); n > 0 && args[n-1] == "smoke" {
		much, args = smoke, args[:n-1]
	}
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return compare()
	}
	values, err := measured(args[0])
	for _, v := range values {
		fmt.Println(v)
	}
	return err
}

// measured returns a number for each measure or each growth.
func measured(what string) (values []float64, err error) {
	var runs []func() (float64, error)
	switch what {
	case "measure":
		for _, m := range measures {
			runs = append(runs, m.run)
		}
	case "growth":
		for _, g := range growths {
			runs = append(runs, g.exponent)
		}
	default:
		return nil, errors.New(`bench: found "` + what + `", expected "measure", "growth" or "smoke"`)
	}
	for _, run := range runs {
		v, err := run()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// compare runs everything in turns and prints the medians.
func compare() error {
	wasm, err := buildWasm()
	if err != nil {
		return err
	}
	defer os.Remove(wasm)
	turns := []func() ([]float64, error){
		func() ([]float64, error) { return measured("measure") },
		func() ([]float64, error) { return runWasm(wasm, true, "measure") },
		func() ([]float64, error) { return runWasm(wasm, false, "measure") },
	}
	medians := make([][]float64, len(measures)) // natively, in WebAssembly, without SIMD
	rounds := make([][][]float64, len(turns))
	var gonum, overGonum []float64
	for range much.rounds {
		for i, turn := range turns {
			values, err := turn()
			if err != nil {
				return err
			}
			rounds[i] = append(rounds[i], values)
		}
		onGonum, err := gonumStep()
		if err != nil {
			return err
		}
		gonum = append(gonum, onGonum)
		simd := rounds[1][len(rounds[1])-1]
		overGonum = append(overGonum, simd[indexOf(stepName)]/onGonum)
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "median of %d\tnative\twasm\twithout SIMD\tunit\twasm ÷ native\twasm ÷ without SIMD\t\n", much.rounds)
	for i, m := range measures {
		for _, values := range rounds {
			medians[i] = append(medians[i], median(column(values, i)))
		}
		native, simd, plain := medians[i][0], medians[i][1], medians[i][2]
		fmt.Fprintf(out, "%s\t%.3g\t%.3g\t%.3g\t%s\t%.2f\t%.2f\t\n", m.name, native, simd, plain, m.unit, simd/native, simd/plain)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	ratio := median(overGonum)
	fmt.Printf("\nthe same step natively on gonum, one core: %.3g ms; ours in wasm ÷ it: %.2f, aim ≤ 0.4%s\n\n", median(gonum), ratio, missed(ratio <= .4))
	if err := tables(medians[indexOf(windowName)], medians[indexOf(fixName)]); err != nil {
		return err
	}
	return compareGrowth(wasm)
}

// compareGrowth prints how the time of an iteration grows.
func compareGrowth(wasm string) error {
	native, err := measured("growth")
	if err != nil {
		return err
	}
	simd, err := runWasm(wasm, true, "growth")
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "time of an iteration: exponent of\tnative\twasm\t\t")
	for i, g := range growths {
		fmt.Fprintf(out, "%s\t%.2f\t%.2f\taim 1.0 ± 0.1%s\t\n", g.name, native[i], simd[i], missed(math.Abs(native[i]-1) <= .1 && math.Abs(simd[i]-1) <= .1))
	}
	return out.Flush()
}

func missed(met bool) string {
	if met {
		return ""
	}
	return ", missed"
}

func indexOf(name string) int {
	return slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
}

func column(rows [][]float64, j int) (values []float64) {
	for _, row := range rows {
		values = append(values, row[j])
	}
	return values
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
