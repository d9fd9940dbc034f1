package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ifmlab/core/spec"
	"ifmlab/core/vtec"
)

// axis is a way in which the candidates of a method differ, besides the penalty.
type axis struct {
	name string
	of   func(t *vtec.Tuning) float64
}

// axes has one for each method; that of methods with a penalty alone is empty.
var axes = [vtec.Methods]axis{
	vtec.Ridge:      {"", func(*vtec.Tuning) float64 { return 0 }},
	vtec.LASSO:      {"", func(*vtec.Tuning) float64 { return 0 }},
	vtec.ElasticNet: {"ρ", func(t *vtec.Tuning) float64 { return t.NetRatio }},
	vtec.Kernel:     {"γ", func(t *vtec.Tuning) float64 { return t.Gamma }},
	vtec.FM:         {"rank", func(t *vtec.Tuning) float64 { return float64(t.FMRank) }},
	vtec.IFM:        {"rank", func(t *vtec.Tuning) float64 { return float64(t.IFMRank) }},
	vtec.GFM:        {"rank", func(t *vtec.Tuning) float64 { return float64(t.GFMRank) }},
	vtec.Cubic:      {"", func(*vtec.Tuning) float64 { return 0 }},
	vtec.Kriging:    {"length", func(t *vtec.Tuning) float64 { return t.Length }},
}

// report prints the result.
func (j *job) report(out io.Writer, outcomes []outcome) error {
	r := pool(outcomes, j.candidates)
	fmt.Fprintf(out, "%d windows of five days, every %d minutes, seeds %v, settings %q: RMSE of %d double differences, metres\n", r.windows, j.stride, j.seeds, j.query, r.tests)
	for _, i := range r.unusable {
		w := j.windows[i]
		fmt.Fprintf(out, "not used: seed %d, %s\n", w.seed, outcomes[i].unusable)
	}
	var chosen vtec.Tuning
	for m := range vtec.Methods {
		best := j.candidates[m][r.best[m]]
		chosen.Choose(m, best)
		if err := j.grid(out, m, &r); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nλ of w in FM and iFM is ridge's, %s.\nThe defaults of core/spec/ionosphere.go:\n\n", exact(j.linear))
	return defaults(out, &chosen)
}

// grid prints the RMSE of a method's candidates: a row a penalty, a column each
// value of its axis.
func (j *job) grid(out io.Writer, m vtec.Method, r *result) error {
	var penalties, columns []float64
	at := map[[2]float64]int{}
	for c := range j.candidates[m] {
		t := &j.candidates[m][c]
		penalty, column := *t.Penalty(m), axes[m].of(t)
		if !slices.Contains(penalties, penalty) {
			penalties = append(penalties, penalty)
		}
		if !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
		at[[2]float64{penalty, column}] = c
	}
	fmt.Fprintf(out, "\n%s\n", m)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "penalty\t")
	for _, column := range columns {
		if axes[m].name != "" {
			fmt.Fprintf(table, "%s %s \t", axes[m].name, exact(column))
		}
	}
	fmt.Fprintln(table)
	for _, penalty := range penalties {
		fmt.Fprintf(table, "%s\t", exact(penalty))
		for _, column := range columns {
			c, known := at[[2]float64{penalty, column}]
			mark := " "
			switch {
			case !known:
				fmt.Fprint(table, "\t")
			case math.IsNaN(r.rmse[m][c]):
				fmt.Fprint(table, "no fit \t")
			default:
				if c == r.best[m] {
					mark = "*"
				}
				fmt.Fprintf(table, "%.5f%s\t", r.rmse[m][c], mark)
			}
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// settings returns the fields of the Spec that are tuned, with their values.
func settings(t *vtec.Tuning) (keys []string, values []float64) {
	for _, f := range []struct {
		key   string
		value float64
	}{
		{"ridge", t.Ridge},
		{"lasso", t.LASSO},
		{"elasticnet", t.ElasticNet},
		{"netratio", t.NetRatio},
		{"kernel", t.Kernel},
		{"gamma", t.Gamma},
		{"fmrank", float64(t.FMRank)},
		{"fmlambda", t.FM},
		{"fmlinear", t.FMLinear},
		{"ifmrank", float64(t.IFMRank)},
		{"ifmlambda", t.IFM},
		{"ifmlinear", t.IFMLinear},
		{"gfmrank", float64(t.GFMRank)},
		{"gfmlambda", t.GFM},
		{"gfmlinear", t.GFMLinear},
		{"cubic", t.Cubic},
		{"length", t.Length},
		{"noise", t.Noise},
	} {
		keys, values = append(keys, f.key), append(values, f.value)
	}
	return keys, values
}

// defaults prints how the lines of the chosen settings begin, and a link.
func defaults(out io.Writer, t *vtec.Tuning) error {
	var link []string
	keys, values := settings(t)
	for i, key := range keys {
		kind := "Float"
		for _, f := range spec.IonosphereFields {
			if f.Key == key && f.Kind == spec.Int {
				kind = "Int"
			}
		}
		value := strconv.FormatFloat(values[i], 'f', -1, 64)
		fmt.Fprintf(out, "\t{Field: Field{Key: %q, Kind: %s, Default: %q, …\n", key, kind, value)
		link = append(link, key+"="+value)
	}
	_, err := fmt.Fprintf(out, "\nAs a link: %s\n", strings.Join(link, "&"))
	return err
}
