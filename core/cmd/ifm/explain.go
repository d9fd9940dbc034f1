package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"ifmlab/core"
	"ifmlab/core/estimator"
)

const aboutExplain = `Explain prints what a model holds: the weight of every feature, and the strongest
interactions. With a file it takes the prediction for one row apart instead: what is
predicted for the mean row, and what each column and each pair of columns adds. The
sum is the prediction.

  -line N        the line of the file that the row stands on; not needed for a file of one row
  -member NAME   of a zip archive with several tables, the one that is meant
  -sheet NAME    the same of a workbook
  -most N        how many terms, weights and pairs are listed, 20 unless told; the rest are one number
  -json          the same as JSON`

type explanationReport struct {
	File      string       `json:"file"`
	Line      int          `json:"line"`
	Learnt    string       `json:"learnt"`
	Mean      real         `json:"mean"` // predicted for the mean row
	Terms     []termReport `json:"terms"`
	Rest      real         `json:"rest"`
	Others    int          `json:"others"` // terms in the rest
	Predicted real         `json:"predicted"`
	Target    string       `json:"target"`
	Raw       real         `json:"prediction"` // in units of the target; of classes the probability of the second

	what string // is predicted
}

type termReport struct {
	Columns []string `json:"columns"`
	Cells   []string `json:"cells"`
	Value   real     `json:"value"`
}

type describedReport struct {
	Kind     string         `json:"kind"`
	Rank     int            `json:"rank"`
	Target   string         `json:"target"`
	Learnt   string         `json:"learnt"`
	Columns  []string       `json:"columns"`
	Features int            `json:"features"`
	Bias     real           `json:"bias"`
	Weights  []weightReport `json:"weights"`
	Pairs    []pairReport   `json:"pairs"`
}

type weightReport struct {
	Feature string `json:"feature"`
	Weight  real   `json:"weight"`
	Slope   real   `json:"slope"`
}

type pairReport struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Value  real   `json:"value"`
}

func explain(c *call) error {
	a := c.newAsked()
	a.takesTable()
	a.flags.IntVar(&a.line, "line", 0, "")
	a.flags.IntVar(&a.most, "most", 20, "")
	args, err := c.parse(a)
	if err != nil {
		return err
	}
	switch {
	case len(args) < 1 || len(args) > 2:
		return c.usage()
	case len(args) == 1 && a.line != 0:
		return usageError("ifm explain: -line needs the file that it is a line of: ifm explain MODEL FILE -line N")
	case a.most < 1:
		return usageError(fmt.Sprintf("ifm explain: -most is %d, want at least 1", a.most))
	}
	ctx, stop := interruptible()
	defer stop()
	model, err := c.model(ctx, args[0])
	if err != nil {
		return c.interrupted(ctx, err)
	}
	if len(args) == 1 {
		r, err := describe(model, a.most)
		if err != nil {
			return err
		}
		if a.json {
			return writeJSON(c.stdout, r)
		}
		return r.print(c.stdout, a.most)
	}
	table, err := c.another(ctx, model, args[1], a.table)
	if err != nil {
		return c.interrupted(ctx, err)
	}
	line := a.line
	if line == 0 {
		if table.Rows() != 1 {
			return usageError(fmt.Sprintf("ifm explain: %s has %d rows; say which with -line, as in -line %d", table.Name, table.Rows(), table.Line(0)))
		}
		line = table.Line(0)
	}
	e, err := model.ExplainTable(table, line, a.most)
	if err != nil {
		return err
	}
	r := newExplanation(e, model, table.Name, line)
	if a.json {
		return writeJSON(c.stdout, r)
	}
	return r.print(c.stdout)
}

func newExplanation(e *core.Explanation, m *estimator.Model, file string, line int) *explanationReport {
	r := &explanationReport{File: file, Line: line, Learnt: m.Learnt(), Target: m.Target(), Mean: real(e.Mean), Terms: []termReport{},
		Rest: real(e.Rest), Others: e.Others, Predicted: real(e.Predicted), Raw: real(e.Raw)}
	if r.what = r.Target; m.Classes() != nil {
		r.what = "the probability of " + r.Target + " = " + m.Classes()[1]
	}
	for _, t := range e.Terms {
		term := termReport{Columns: []string{e.Columns[t.First]}, Cells: []string{e.Cells[t.First]}, Value: real(t.Value)}
		if t.Second >= 0 {
			term.Columns, term.Cells = append(term.Columns, e.Columns[t.Second]), append(term.Cells, e.Cells[t.Second])
		}
		r.Terms = append(r.Terms, term)
	}
	return r
}

func (r *explanationReport) print(out io.Writer) error {
	fmt.Fprintf(out, "%s, line %d: %s, as a sum\n\n", r.File, r.Line, r.Learnt)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\t  the mean row\n", signed(r.Mean, 5))
	for _, t := range r.Terms {
		what := ""
		for i, column := range t.Columns {
			if i > 0 {
				what += " with "
			}
			cell := t.Cells[i]
			if cell == "" {
				cell = "missing"
			}
			what += column + " = " + cell
		}
		fmt.Fprintf(w, "%s\t  %s\n", signed(t.Value, 5), what)
	}
	if r.Others > 0 {
		fmt.Fprintf(w, "%s\t  %d others\n", signed(r.Rest, 5), r.Others)
	}
	fmt.Fprintf(w, "%s\t  predicted\n", signed(r.Predicted, 5))
	w.Flush()
	if r.Learnt != r.Target {
		fmt.Fprintf(out, "\n%s is predicted to be %s\n", r.what, figures(float64(r.Raw), 6))
	}
	return nil
}

// describe returns what a model holds, the steepest features first.
func describe(m *estimator.Model, most int) (*describedReport, error) {
	pairs, err := m.Strongest(most)
	if err != nil {
		return nil, err
	}
	r := &describedReport{Kind: m.Kind(), Rank: m.Rank(), Target: m.Target(), Learnt: m.Learnt(), Columns: m.Columns(), Features: len(m.Features()), Bias: real(m.Bias()), Pairs: []pairReport{}}
	weights, slopes := m.Weights(), m.Slopes()
	for j, name := range m.Features() {
		r.Weights = append(r.Weights, weightReport{name, real(weights[j]), real(slopes[j])})
	}
	slices.SortStableFunc(r.Weights, func(a, b weightReport) int {
		switch x, y := math.Abs(float64(a.Slope)), math.Abs(float64(b.Slope)); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, p := range pairs {
		r.Pairs = append(r.Pairs, pairReport{p.First, p.Second, real(p.Value)})
	}
	return r, nil
}

func (r *describedReport) print(out io.Writer, most int) error {
	what := fmt.Sprintf("%s of rank %d", shortName(r.Kind), r.Rank)
	if r.Rank == 0 {
		what = "a linear model, without interactions"
	}
	fmt.Fprintf(out, "%s: %s from %d columns, as %d features\n", what, r.Learnt, len(r.Columns), r.Features)
	fmt.Fprintf(out, "\nf(x) = b + xᵀw + xᵀMx, b = %s. Per feature: w, in units of %s per unit of it, and what a\nstandard deviation more adds at the mean row (of a level, a basis: its own 1).\n\n", figures(float64(r.Bias), 6), r.Learnt)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range r.Weights[:min(most, len(r.Weights))] {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Feature, signed(f.Weight, 5), signed(f.Slope, 5))
	}
	if more := len(r.Weights) - most; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	w.Flush()
	if len(r.Pairs) > 0 {
		fmt.Fprint(out, "\nThe strongest interactions, 2·Mᵢⱼ per standard deviation of both:\n\n")
		for _, p := range r.Pairs {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", p.First, p.Second, signed(p.Value, 5))
		}
		w.Flush()
	}
	return nil
}
