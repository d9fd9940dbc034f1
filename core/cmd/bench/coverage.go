package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"ifmlab/core"
	"ifmlab/core/spec"
)

// noises are what is added to x1 + x2·x3, of which no prediction knows.
var noises = []struct {
	name string
	draw func(rng *rand.Rand, x1 float64) float64
}{
	{"normal", func(rng *rand.Rand, _ float64) float64 { return .5 * rng.NormFloat64() }},
	{"Student's t, 2 degrees of freedom", func(rng *rand.Rand, _ float64) float64 { return .3 * rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) }},
	{"exponential, one-sided", func(rng *rand.Rand, _ float64) float64 { return rng.ExpFloat64() - 1 }},
	{"growing with a column", func(rng *rand.Rand, x1 float64) float64 { return .5 * math.Exp(x1) * rng.NormFloat64() }},
}

// coverageRows are the sizes of the tables, of which four fifths calibrate.
var coverageRows = []int{60, 300, 1500}

// compareCoverage prints which share of test rows lies within nominal 90 % prediction
// intervals of iFM, on tables that are drawn anew.
func compareCoverage() error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "\nprediction intervals of 90 %%, %d tables each\trows\tcoverage\t± of it\tintervals ÷ training, time\t\n", much.tables)
	for _, noise := range noises {
		for _, rows := range coverageRows {
			covered, tested, training, calibrating := 0, 0, time.Duration(0), time.Duration(0)
			for seed := range much.tables {
				search, took, err := intervalsOf(noisy(uint64(seed), rows, noise.draw))
				if err != nil {
					return err
				}
				training += took
				began := time.Now()
				for !search.Done() {
					if err := search.Next(); err != nil {
						return err
					}
				}
				calibrating += time.Since(began)
				r := search.Result()
				covered, tested = covered+r.Covered, tested+len(r.Low)
			}
			share, n := float64(covered)/float64(tested), float64(tested)
			sd := math.Sqrt(.9*.1/n + .9*.1/(4*n)) // of the test rows, and of four times as many that calibrate
			fmt.Fprintf(out, "%s\t%d\t%.1f %%\t%.1f %%\t%.2f%s\t\n", noise.name, rows, 100*share, 100*sd, calibrating.Seconds()/training.Seconds(), missed(math.Abs(share-.9) <= .02+2*sd))
		}
	}
	return out.Flush()
}

// intervalsOf trains iFM on a table and returns the search for its intervals.
func intervalsOf(file string) (search *core.Intervals, took time.Duration, err error) {
	s, notices := spec.Parse("source=table&target=y&models=ifm")
	if len(notices) > 0 {
		return nil, 0, errors.New(notices[0].Message)
	}
	table, err := core.ReadTable(s, "noisy.csv", strings.NewReader(file))
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	run, err := core.Open(s, 0, table)
	for err == nil && !run.Done() {
		_, err = run.Next()
	}
	if err != nil {
		return nil, 0, err
	}
	took = time.Since(began)
	search, err = run.Intervals()
	return search, took, err
}

// noisy returns a table of y = x1 + x2·x3 + noise as CSV.
func noisy(seed uint64, rows int, noise func(rng *rand.Rand, x1 float64) float64) string {
	rng := rand.New(rand.NewPCG(seed, 90))
	var b strings.Builder
	b.WriteString("x1,x2,x3,y\n")
	for range rows {
		x1, x2, x3 := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		for _, v := range []float64{x1, x2, x3} {
			b.WriteString(strconv.FormatFloat(v, 'g', 6, 64) + ",")
		}
		b.WriteString(strconv.FormatFloat(x1+x2*x3+noise(rng, x1), 'g', 6, 64) + "\n")
	}
	return b.String()
}
