package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"ifmlab/core"
	"ifmlab/core/spec"
)

// distributions are the columns of which the default solver is to find the truth.
var distributions = []problem{
	{"Gaussian", "features=gaussian"},
	{"uniform", "features=uniform"},
	{"Laplace", "features=laplace"},
	{"exponential", "features=exponential"},
	{"three points, τ = 9", "features=threepoint&tau=9"},
	{"0 and 1, one in ten", "features=twopoint&share=0.1"},
	{"slider, τ = .5", "features=slider&tau=0.5"},
	{"Student's t, 5", "features=t5"},
	{"Student's t, 3", "features=t3"},
	{"lognormal", "features=lognormal"},
	{"counts", "features=counts"},
	{"equicorrelated, .9", "features=equicorrelated"},
	{"AR(1), .9", "features=gaussian&rho=0.9"},
}

// sizes are those of the problems, the truth being mixed: 1 + d + 2dk − k(2k−1)
// parameters.
var sizes = []struct {
	name    string
	d, k, n int
}{
	{"10 a parameter, d = 20, k = 2", 20, 2, 950},
	{"d = 10, k = 1", 10, 1, 300},
	{"d = 30, k = 3", 30, 3, 1960},
	{"d = 15, k = 4", 15, 4, 1080},
	{"1.5 a parameter, d = 20, k = 2", 20, 2, 142},
}

// notFound fits noiseless rows of one trial after another and returns how many ended
// above 1e-6 of the targets' standard deviation, and the passes of the others.
func notFound(p problem, d, k, n, trials int) (failures int, passes []float64, err error) {
	s, notices := spec.Parse(fmt.Sprintf("d=%d&k=%d&n=%d&test=100&scenario=mixed&models=ifm&solver=auto&iterations=300&tolerance=0&seed=20261&trials=%d&%s", d, k, n, trials, p.query))
	if len(notices) > 0 {
		return 0, nil, errors.New(notices[0].Message)
	}
	for trial := range trials {
		run, err := core.Open(s, trial, nil)
		if err != nil {
			return 0, nil, err
		}
		base, err := run.Baselines()
		if err != nil {
			return 0, nil, err
		}
		var last core.Record
		for !run.Done() {
			if last, err = run.Next(); err != nil {
				return 0, nil, err
			}
		}
		if !(last.Train <= 1e-6*base.Mean) {
			failures++
			continue
		}
		passes = append(passes, last.Passes)
	}
	return failures, passes, nil
}

// countFailures prints how often the default solver does not find the truth, by the
// distribution of the columns.
func countFailures() error {
	fmt.Printf("\nboth signs, no noise: fits of the default solver that end above the truth, of %d, with 10 and 1.5 rows a parameter; passes of the others to rounding, median / worst\n\n", much.trials)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "columns\t")
	for _, size := range sizes {
		fmt.Fprintf(out, "%s\tpasses\t", size.name)
	}
	fmt.Fprintln(out)
	totals := make([]int, len(sizes))
	for _, p := range distributions {
		fmt.Fprintf(out, "%s\t", p.name)
		for i, size := range sizes {
			failures, passes, err := notFound(p, size.d, size.k, size.n, much.trials)
			if err != nil {
				return err
			}
			totals[i] += failures
			if len(passes) == 0 {
				fmt.Fprintf(out, "%d\t\t", failures)
				continue
			}
			fmt.Fprintf(out, "%d\t%.0f / %.0f\t", failures, median(passes), slices.Max(passes))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprint(out, "all of them\t")
	for _, total := range totals {
		fmt.Fprintf(out, "%d of %d\t\t", total, len(distributions)*much.trials)
	}
	fmt.Fprintln(out)
	return out.Flush()
}
