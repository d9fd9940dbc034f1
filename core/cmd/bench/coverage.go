package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

// drawnTargets are the kinds of tables that intervals are made on: y as features make it and
// noise. Where rows are tied, whole shares of them have one value.
var drawnTargets = []struct {
	name, settings string
	tied           bool
	draw           func(r *rand.Rand, x []float64) float64
}{
	{"normal", "", false, func(r *rand.Rand, x []float64) float64 { return signal(x) + .5*r.NormFloat64() }},
	{"Student's t, 2 degrees of freedom", "", false, func(r *rand.Rand, x []float64) float64 {
		return signal(x) + .3*r.NormFloat64()/math.Sqrt(r.ExpFloat64())
	}},
	{"exponential, one-sided", "", false, func(r *rand.Rand, x []float64) float64 { return signal(x) + r.ExpFloat64() - 1 }},
	{"growing with a column", "", false, func(r *rand.Rand, x []float64) float64 { return signal(x) + .5*math.Exp(x[0])*r.NormFloat64() }},
	{"lognormal, as logarithm", "log=yes", false, func(r *rand.Rand, x []float64) float64 { return math.Exp(signal(x)/4 + .3*r.NormFloat64()) }},
	{"ratings 1 to 5, uniform", "", true, uniform},
	{"the same, split by time", "split=time&by=row", true, uniform},
	{"ratings 1 to 5, skewed", "", true, func(r *rand.Rand, _ []float64) float64 { return 1 + math.Floor(5*math.Sqrt(r.Float64())) }},
	{"ratings 1 to 5 of items by users", "categorical=x2,x3", true, func(r *rand.Rand, x []float64) float64 {
		x[1], x[2] = float64(r.IntN(10)), float64(r.IntN(10))
		return math.Round(max(1, min(5, 3.5+2*math.Sin(x[1])*math.Cos(x[2])+.7*r.NormFloat64())))
	}},
	{"ratings .5 to 5", "", true, func(r *rand.Rand, x []float64) float64 {
		return math.Round(max(1, min(10, 7+x[0]+2*r.NormFloat64()))) / 2
	}},
	{"counts, Poisson", "", true, func(r *rand.Rand, x []float64) (n float64) {
		for t := r.ExpFloat64(); t < math.Exp(.3+.4*x[0]); t += r.ExpFloat64() {
			n++
		}
		return n
	}},
	{"amounts, six of ten 0", "", true, func(r *rand.Rand, _ []float64) float64 { return max(0, math.Exp(r.NormFloat64())-1.288) }},
	{"amounts, nine of ten 0, by time", "split=time&by=row", true, func(r *rand.Rand, _ []float64) float64 { return max(0, math.Exp(r.NormFloat64())-3.602) }},
}

func signal(x []float64) float64 { return x[0] + x[1]*x[2] }

func uniform(r *rand.Rand, _ []float64) float64 { return float64(1 + r.IntN(5)) }

// coverageRows are the sizes of the tables, of which four fifths calibrate.
var coverageRows = []int{60, 300, 1500}

// compareCoverage prints which share of test rows lies within nominal 90 % prediction
// intervals of iFM, on tables that are drawn anew: the mean over the tables with its
// standard error, and what nineteen of twenty tables exceed.
func compareCoverage() error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "\nprediction intervals of 90 %%, %d tables each\trows\tcoverage\t± of it\t19 of 20 above\twidth\t\t\n", much.tables)
	for _, kind := range drawnTargets {
		for _, rows := range coverageRows {
			var shares []float64
			sum, squares, width := 0., 0., 0.
			for seed := uint64(0); len(shares) < much.tables; seed++ {
				r, err := intervalsOf(kind.settings, csvOf(seed, rows, kind.draw))
				_, none := errors.AsType[*core.NoIntervalError](err)
				if _, constant := errors.AsType[*data.TargetError](err); none || constant {
					continue // no more than two values
				} else if err != nil {
					return err
				}
				shares, sum, squares, width = append(shares, r.Share), sum+r.Share, squares+r.Share*r.Share, width+r.Width
			}
			slices.Sort(shares)
			n := float64(len(shares))
			mean := sum / n
			se := math.Sqrt((squares/n - mean*mean) / n)
			met := mean >= .9-2*se && (kind.tied || mean <= .94+2*se)
			fmt.Fprintf(out, "%s\t%d\t%.1f %%\t%.1f %%\t%.0f %%\t%.4g\t%s\t\n", kind.name, rows, 100*mean, 100*se, 100*shares[len(shares)/20], width/n, missed(met))
		}
	}
	return out.Flush()
}

// intervalsOf returns the intervals of iFM on a table.
func intervalsOf(settings, file string) (*core.Ranged, error) {
	s, notices := spec.Parse("source=table&target=y&models=ifm&ignore=row&" + settings)
	if len(notices) > 0 {
		return nil, errors.New(notices[0].Message)
	}
	table, err := core.ReadTable(s, "drawn.csv", strings.NewReader(file))
	if err != nil {
		return nil, err
	}
	run, err := core.Open(s, 0, table)
	if err != nil {
		return nil, err
	}
	search, err := run.Intervals()
	for err == nil && !search.Done() {
		err = search.Next()
	}
	if err != nil {
		return nil, err
	}
	return search.Result(), nil
}

// csvOf returns a table of y and the features that it is drawn from as CSV.
func csvOf(seed uint64, rows int, y func(rng *rand.Rand, x []float64) float64) string {
	rng := rand.New(rand.NewPCG(seed, 90))
	var b strings.Builder
	b.WriteString("row,x1,x2,x3,y\n")
	for row := range rows {
		x := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		v := y(rng, x)
		fmt.Fprintf(&b, "%d,%.6g,%.6g,%.6g,%.6g\n", row, x[0], x[1], x[2], v)
	}
	return b.String()
}
