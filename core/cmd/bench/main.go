// Command bench prints the speed of the hot paths: natively, as the WebAssembly
// that the page runs, and as the same without SIMD, all in one run and in turns,
// so that the ratios mean something on a shared machine.
//
//	go run ./core/cmd/bench            all of it
//	go run ./core/cmd/bench solvers    how far each solver gets in how many passes, and how often the default one fails, by distribution
//	go run ./core/cmd/bench coverage   which share of rows prediction intervals hold
//	go run ./core/cmd/bench smoke      all of it, on so little that no time means anything
//
// Called with the argument "measure", "growth" or "seconds" it measures itself once and
// prints plain numbers; that is what it builds for js/wasm and runs in Node.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

// extent is how much is done for a time.
type extent struct {
	rows                   int // of the iterations that are measured
	steps                  int // of which the fastest counts
	bytes, ratings         int // of the files that are read
	everyWindow, everyFix  int // which of the default table's windows and fixes, spread over its days and hours
	rounds, turns, repeats int // of a comparison, of the sizes that growth is seen over, of a short call
	sizes                  int // that growth is seen over, at most
	problem                string
	seeds, passes          int // of a solver, at most
	trials                 int // of a distribution
	tables                 int // that intervals are made on, of each kind
}

var (
	whole = extent{15000, 20, 20e6, 1e6, 27, 12, 3, 8, 3, 4, "d=100&k=5&n=15000&test=2000&", 10, 400, 40, 400}
	smoke = extent{1500, 1, 1e5, 1e4, 324, 54, 1, 1, 1, 2, "d=10&k=2&n=600&test=100&", 1, 10, 1, 1}
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

// windowName and fixName are the measures that tables are made of.
const windowName, fixName = "vTEC window, all six", "vTEC fix, all six"

// stepName is the measure that is compared with gonum.
const stepName = "the solver's step of it alone, iFM"

// iteration returns the milliseconds of one record: a step, the RMSE of 1000 test
// rows and the distance from the truth. It takes the fastest of twenty, since all that
// a busy machine does to a time is add to it.
func iteration(model string) (float64, error) {
	s, _ := spec.Parse("scenario=mixed&d=100&k=8&n=" + strconv.Itoa(much.rows) + "&test=1000&models=" + model)
	run, err := core.Open(s, 0, nil)
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for i := range much.steps + 1 {
		began := time.Now()
		if _, err := run.Next(); err != nil {
			return 0, err
		}
		if i > 0 { // 0 is the start
			best = min(best, 1e3*time.Since(began).Seconds())
		}
	}
	return best, nil
}

// sweep returns the milliseconds of one record of ALS: a sweep over the 600,000
// ratings that train, and the RMSE of the others. The fastest counts.
func sweep() (float64, error) {
	file, _ := ratingsFile()
	table, err := data.Read(bytes.NewReader(file), data.Options{Name: "bench.csv"})
	if err != nil {
		return 0, err
	}
	s, notices := spec.Parse("source=table&target=rating&categorical=user,item&models=fm&solver=als&ranks=8&lambdaf=10&patience=0&trials=1")
	if len(notices) > 0 {
		return 0, errors.New(notices[0].Message)
	}
	run, err := core.Open(s, 0, table)
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for sweeps, rank := 0, 0; sweeps < much.steps; {
		began := time.Now()
		record, err := run.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		if rank == 8 { // not the first: it starts the fit
			best = min(best, 1e3*time.Since(began).Seconds())
			sweeps++
		}
		rank = record.Rank
	}
	return best, nil
}

// numbersFile returns 20 MB of 20 Gaussian columns.
func numbersFile() (file []byte, rows int) {
	const columns = 20
	for j := range columns {
		file = append(strconv.AppendInt(append(file, 'x'), int64(j), 10), ",\n"[j/(columns-1)])
	}
	rng := core.Stream(1, 0, core.StreamTrain)
	for ; len(file) < much.bytes; rows++ {
		for j := range columns {
			file = append(strconv.AppendFloat(file, rng.NormFloat64(), 'g', 8, 64), ",\n"[j/(columns-1)])
		}
	}
	return file, rows
}

// ratingsFile returns a million ratings of 4000 items by 6000 users.
func ratingsFile() (file []byte, rows int) {
	file = []byte("user,item,rating\n")
	rng := core.Stream(1, 0, core.StreamTrain)
	for ; rows < much.ratings; rows++ {
		file = strconv.AppendInt(append(file, 'u'), int64(rng.IntN(6000)), 10)
		file = strconv.AppendInt(append(file, ",i"...), int64(rng.IntN(4000)), 10)
		file = strconv.AppendFloat(append(file, ','), 3.6+rng.NormFloat64(), 'f', 4, 64)
		file = append(file, '\n')
	}
	return file, rows
}

// readCSV returns the megabytes of the file read in a second.
func readCSV(file []byte, rows int) (float64, error) {
	began := time.Now()
	table, err := data.Read(bytes.NewReader(file), data.Options{Name: "bench.csv"})
	if err != nil {
		return 0, err
	}
	if table.Rows() != rows {
		return 0, fmt.Errorf("bench: read %d rows, want %d", table.Rows(), rows)
	}
	return float64(len(file)) / 1e6 / time.Since(began).Seconds(), nil
}

func main() {
	args := os.Args[1:]
	if n := len(args); n > 0 && args[n-1] == "smoke" {
		much, args = smoke, args[:n-1]
	}
	if len(args) == 1 && args[0] == "solvers" {
		exit(compareSolvers())
		exit(countFailures())
		return
	}
	if len(args) == 1 && args[0] == "coverage" {
		exit(compareCoverage())
		return
	}
	if len(args) == 1 {
		values, err := measured(args[0])
		exit(err)
		for _, v := range values {
			fmt.Println(v)
		}
		return
	}
	exit(compare(much.rounds))
	exit(compareSolvers())
	exit(countFailures())
	exit(compareCoverage())
}

// exit ends the command if there is an error.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measured returns the numbers of "measure", one a measure, of "growth" or of
// "seconds".
func measured(what string) (values []float64, err error) {
	var runs []func() (float64, error)
	switch what {
	case "seconds":
		return tabSeconds()
	case "measure":
		for _, m := range measures {
			runs = append(runs, m.run)
		}
	case "growth":
		for _, g := range growths {
			runs = append(runs, g.exponent)
		}
	default:
		return nil, fmt.Errorf(`bench: found %q, want "measure", "growth", "seconds", "solvers" or "coverage"`, what)
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

// compare runs native and wasm, with SIMD and without, in turns, and prints the
// medians.
func compare(rounds int) error {
	wasm, err := buildWasm()
	if err != nil {
		return err
	}
	defer os.Remove(wasm)
	native := make([][]float64, len(measures))
	simd, plain := make([][]float64, len(measures)), make([][]float64, len(measures))
	var gonum, overGonum []float64
	var nativeTable, wasmTable [2]float64 // milliseconds of a window and of a fix
	for range rounds {
		here, err := measured("measure")
		if err != nil {
			return err
		}
		with, err := runWasm(wasm, true, "measure")
		if err != nil {
			return err
		}
		onGonum, err := gonumStep()
		if err != nil {
			return err
		}
		without, err := runWasm(wasm, false, "measure")
		if err != nil {
			return err
		}
		gonum = append(gonum, onGonum)
		for i, m := range measures {
			native[i], simd[i], plain[i] = append(native[i], here[i]), append(simd[i], with[i]), append(plain[i], without[i])
			if m.name == stepName {
				overGonum = append(overGonum, with[i]/onGonum)
			}
		}
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "median of %d\tnative\twasm\twithout SIMD\tunit\twasm ÷ native\twasm ÷ without SIMD\t\n", rounds)
	for i, m := range measures {
		a, b, c := median(native[i]), median(simd[i]), median(plain[i])
		fmt.Fprintf(out, "%s\t%.3g\t%.3g\t%.3g\t%s\t%.2f\t%.2f\t\n", m.name, a, b, c, m.unit, b/a, b/c)
		switch m.name {
		case windowName:
			nativeTable[0], wasmTable[0] = a, b
		case fixName:
			nativeTable[1], wasmTable[1] = a, b
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	ratio := median(overGonum)
	fmt.Printf("\nthe same step natively on gonum, one core: %.3g ms; ours in wasm ÷ it: %.2f, aim ≤ 0.4%s\n\n", median(gonum), ratio, missed(ratio <= .4))
	if err := tables(nativeTable, wasmTable); err != nil {
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

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
