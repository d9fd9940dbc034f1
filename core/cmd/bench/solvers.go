package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ifmlab/core"
	"ifmlab/core/spec"
)

// problem is rows at the size of the paper's Figure 1 and a model for them.
type problem struct{ name, query string }

var problems = []problem{
	{"a, iFM", "scenario=psd&models=ifm"},
	{"b, iFM", "scenario=flipped&models=ifm"},
	{"c, iFM", "scenario=mixed&models=ifm"},
	{"a, FM", "scenario=psd&models=fm"},
	{"c, iFM, ρ = .3", "scenario=mixed&models=ifm&rho=0.3"},
	{"c, iFM, ρ = .6", "scenario=mixed&models=ifm&rho=0.6"},
	{"c, iFM, ρ = .9", "scenario=mixed&models=ifm&rho=0.9"},
	{"a, iFM, ρ = .9", "scenario=psd&models=ifm&rho=0.9"},
}

// contender is a solver, how often it is run, and the passes after which it is
// given up.
type contender struct {
	solver string
	seeds  int
	most   float64
}

var contenders = []contender{{"gauss-newton", 10, 400}, {"scaled", 3, 120}, {"agd", 3, 120}, {"algorithm1", 1, 120}}

// targets are test RMSE in units of the standard deviation of the test targets.
var targets = []float64{1e-6, 1e-10}

// arrival is when a run reached a target; passes, over [w|U|V] of the truth's
// rank whatever the model's is, is NaN where it did not.
type arrival struct{ passes, seconds float64 }

// arrivals trains one trial and returns when it reached each target. The seconds
// are wall time, that of a run with its 2000 test rows. refused is the kind of the solver's
// error where it does not take the problem.
func arrivals(p problem, c contender, seed int) (at []arrival, refused string, err error) {
	s, notices := spec.Parse(fmt.Sprintf("%s%s&solver=%s&iterations=%d&tolerance=0&seed=%d", much.problem, p.query, c.solver, min(int(c.most), much.passes), seed))
	if len(notices) > 0 {
		return nil, "", errors.New(notices[0].Message)
	}
	for range targets {
		at = append(at, arrival{math.NaN(), math.NaN()})
	}
	run, err := core.Open(s, 0, nil)
	if err != nil {
		return nil, "", err
	}
	base, err := run.Baselines()
	if err != nil {
		return nil, "", err
	}
	sd, begun, began := base.Mean, false, time.Now()
	for next := 0; next < len(targets) && !run.Done(); {
		record, err := run.Next()
		if err != nil && !begun {
			return at, core.ErrorKind(err), nil
		}
		if err != nil {
			return nil, "", err
		}
		begun = true
		for next < len(targets) && record.Test <= targets[next]*sd {
			wider := float64(1+2*record.Rank) / float64(1+2*s.K) // Algorithm 1 doubles the rank in c
			at[next] = arrival{record.Passes * wider, time.Since(began).Seconds()}
			next++
		}
		if record.Passes > c.most {
			break
		}
	}
	return at, "", nil
}

// inTab are the problems whose seconds are measured in WebAssembly too.
var inTab = problems[:4]

// tabSeconds returns the seconds of the default solver to the first target on
// every problem of inTab.
func tabSeconds() (seconds []float64, err error) {
	for _, p := range inTab {
		at, _, err := arrivals(p, contender{"gauss-newton", 1, 400}, 1)
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, at[0].seconds)
	}
	return seconds, nil
}

// compareSolvers prints the passes and seconds to each target, median and worst
// over the seeds.
func compareSolvers() error {
	wasm, err := buildWasm()
	if err != nil {
		return err
	}
	defer os.Remove(wasm)
	fmt.Printf("\nd = 100, k = 5, n = 15000: passes over the data to a relative test RMSE, median / worst of the seeds that get there, natively; FM's passes are over [w|U]\n\n")
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "rows\tsolver\tseeds\t")
	for _, t := range targets {
		fmt.Fprintf(out, "passes to %.0e\tseconds\t", t)
	}
	fmt.Fprintln(out)
	for _, p := range problems {
		for _, c := range contenders {
			all := make([][]arrival, len(targets))
			refusal := ""
			for seed := 1; seed <= min(c.seeds, much.seeds); seed++ {
				at, refused, err := arrivals(p, c, seed)
				if err != nil {
					return err
				}
				if refused != "" {
					refusal = refused
				}
				for i, a := range at {
					all[i] = append(all[i], a)
				}
			}
			fmt.Fprintf(out, "%s\t%s\t%d\t", p.name, c.solver, c.seeds)
			for _, a := range all {
				fmt.Fprint(out, summary(a, refusal, c.most))
			}
			fmt.Fprintln(out)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	seconds, err := runWasm(wasm, true, "seconds")
	if err != nil {
		return err
	}
	fmt.Printf("\nthe default solver in WebAssembly, seconds to a relative test RMSE of %.0e:", targets[0])
	for i, p := range inTab {
		fmt.Printf("  %s %.2f", p.name, seconds[i])
	}
	fmt.Printf("; aim ≤ 1%s\n", missed(slices.Max(seconds) <= 1))
	return nil
}

// summary returns two cells: passes and seconds.
func summary(all []arrival, refusal string, most float64) string {
	if refusal != "" {
		return refusal + "\t\t"
	}
	var passes, seconds []float64
	for _, a := range all {
		if !math.IsNaN(a.passes) {
			passes, seconds = append(passes, a.passes), append(seconds, a.seconds)
		}
	}
	if len(passes) == 0 {
		return fmt.Sprintf("not within %.0f\t\t", most)
	}
	worst := 0.0
	for _, v := range passes {
		worst = max(worst, v)
	}
	cell := fmt.Sprintf("%.0f / %.0f", median(passes), worst)
	if len(passes) < len(all) {
		cell += fmt.Sprintf(" (%d of %d)", len(passes), len(all))
	}
	return strings.Join([]string{cell, fmt.Sprintf("%.2f", median(seconds)), ""}, "\t")
}
