package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"ifmlab/core/design"
	"ifmlab/core/estimator"
	"ifmlab/core/saved"
	"ifmlab/core/table"
)

const explainDetails = `Explain prints the weight of every feature of a model, what each column adds to the prediction
by its cell (its shape), and the interactions that its factors have learnt. With a file it prints
the terms of the prediction for one row instead. The sum begins at the average prediction of
the training rows. Each column adds the difference that its cell makes, on average over the
training rows, and each pair of columns what both make together beyond that. Their sum is the
prediction. Over the training rows each term averages 0.

Where a logarithm is learnt, the sum and its average are of logarithms; for two classes they are
of log-odds. A model of more than two classes has a score of each, and the terms are those of the
likeliest class: its probability is e to the power of its score over the sum of all.

A model file without averages begins at the mean row: every number at its mean, every category at
the mean of its levels. It is from before version 0.8.0, imported, or of more than 200 columns.

With -with COLUMN=CELL it explains the row with other cells, beside the row as it is: what the
prediction, its interval and each term become. The cells are read as those of a file, and those
beyond the training rows are marked. Without a file the row is the average one: every number and
date at its mean over the training rows, every category at its commonest level.

With -pairs it tests the pairs of the model's columns on the file, which must have the
target, as the page does after a run: an F test of each pair's products beside main
effects, on three fifths of the rows. The model's factors have no part in it.`

type explanationReport struct {
	File      string       `json:"file"`
	Line      int          `json:"line"`
	Quantity  string       `json:"learnt"`
	Base      real         `json:"base"`
	Average   bool         `json:"average"` // whether base is the average prediction of the training rows, or that for the mean row
	Terms     []termReport `json:"terms"`
	Rest      real         `json:"rest"`
	Others    int          `json:"others"` // terms in the rest
	Predicted real         `json:"predicted"`
	Target    string       `json:"target"`
	Raw       real         `json:"prediction"`              // in units of the target; of two classes the probability of the second, of more that of the likeliest
	Classes   []string     `json:"classes,omitempty"`       // more than two
	Each      []real       `json:"probabilities,omitempty"` // of these

	Low   *real `json:"lower,omitempty"` // of its interval, if the model has some
	High  *real `json:"upper,omitempty"`
	Level real  `json:"level,omitzero"`

	subject string // of the prediction
}

// whatIfReport has the prediction for a row as it is and with other cells.
type whatIfReport struct {
	Inputs []inputReport      `json:"cells"`
	Before *explanationReport `json:"before"`
	After  *explanationReport `json:"after"` // of the same terms
}

type inputReport struct {
	Column string `json:"column"`
	Before string `json:"before"`
	After  string `json:"after"`
	Beyond bool   `json:"beyond"` // the cell after the change is beyond those of the training rows
}

type termReport struct {
	Columns []string `json:"columns"`
	Cells   []string `json:"cells"`
	Value   real     `json:"value"`
}

type pairTests struct {
	File   string `json:"file"`
	Target string `json:"target"`
	*estimator.PairTests
}

type modelSummary struct {
	Kind     string         `json:"kind"`
	Rank     int            `json:"rank"`
	Target   string         `json:"target"`
	Quantity string         `json:"learnt"`
	Columns  []string       `json:"columns"`
	Features int            `json:"features"`
	Bias     real           `json:"bias"`
	Weights  []weightReport `json:"weights"`
	Shapes   []shapeReport  `json:"shapes"`
	Average  bool           `json:"average"` // whether each shape averages 0 over the training rows
	Pairs    []pairReport   `json:"pairs"`

	Scores []*modelSummary `json:"scores,omitempty"` // of more than two classes, in place of bias, weights, shapes and pairs

	most int // weights and shapes that are printed
}

type weightReport struct {
	Feature string `json:"feature"`
	Weight  real   `json:"weight"`
	Slope   real   `json:"slope"`
}

// shapeReport is what a column adds to the prediction, by its cell.
type shapeReport struct {
	Column string        `json:"column"`
	Points []pointReport `json:"points"`

	date func(number float64) string // as [saved.Shape.Date]
}

type pointReport struct {
	Kind   string `json:"kind"` // "value" has a number, "level" a level; "other" and "missing" have neither
	Number real   `json:"number,omitzero"`
	Level  string `json:"level,omitempty"`
	Effect real   `json:"effect"`
	Low    real   `json:"low,omitzero"` // of the model and of its fits without a quarter of the rows
	High   real   `json:"high,omitzero"`
	Share  real   `json:"share,omitzero"` // of the training rows: with the level, or near the number
}

func (p pointReport) isBanded() bool { return !p.Low.IsZero() }

type pairReport struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Value  real   `json:"value"`
}

func explain(c *call, args []string) error {
	switch {
	case len(args) == 1 && c.line != 0:
		return c.wrong("-line needs the file that it is a line of: ifm explain MODEL FILE -line N")
	case c.pairs && c.with != nil:
		return c.wrong("-with changes one row, and -pairs tests all; give one of them")
	case c.pairs && (len(args) == 1 || c.line != 0):
		return c.wrong("-pairs needs a file of rows and no -line: ifm explain MODEL FILE -pairs")
	case c.most < 1:
		return c.wrong("-most is %d, expected at least 1", c.most)
	}
	model, err := loadModel(c, args[0], readModel)
	if err != nil {
		return err
	}
	if len(args) == 1 && c.with != nil {
		return c.explainChange(model, nil, 0)
	}
	if len(args) == 1 {
		r, err := describe(model, c.most)
		if err != nil {
			return err
		}
		return c.show(c.stdout, r)
	}
	table, err := c.readLike(model, args[1])
	if err != nil {
		return err
	}
	if c.pairs {
		tests, err := model.TestPairs(c.context(), table)
		if err != nil {
			return err
		}
		return c.show(c.stdout, &pairTests{table.Name, model.Target(), tests})
	}
	line := c.line
	if line == 0 {
		if table.Rows != 1 {
			return c.wrong("%s has %d rows; say which with -line, as in -line %d, or test pairs of columns with -pairs", table.Name, table.Rows, table.Line(0))
		}
		line = table.Line(0)
	}
	if c.with != nil {
		return c.explainChange(model, table, line)
	}
	e, err := model.ExplainTable(table, line, c.most)
	if err != nil {
		return err
	}
	return c.show(c.stdout, newExplanation(e, model, table.Name, line))
}

// explainChange explains a row with other cells, without a table the average row.
func (c *call) explainChange(model *estimator.Model, table *table.Table, line int) error {
	changes := map[string]string{}
	for _, pair := range c.with {
		column, text, _ := strings.Cut(pair, "=")
		for _, name := range model.Needs() { // which may have a sign of equality
			if rest, is := strings.CutPrefix(pair, name+"="); is {
				column, text = name, rest
			}
		}
		changes[column] = text
	}
	w, err := model.WhatIf(table, line, changes, c.most)
	if err != nil {
		return err
	}
	file := "the average row"
	if table != nil {
		file = table.Name
	}
	r := &whatIfReport{After: newExplanation(&w.After, model, file, line)}
	for _, term := range w.After.Terms {
		term.Value = term.Before
		w.Before.Terms = append(w.Before.Terms, term)
		w.Before.Rest, w.Before.Others = w.After.RestBefore, w.After.Others
	}
	r.Before = newExplanation(&w.Before, model, file, line)
	for _, in := range w.Inputs {
		r.Inputs = append(r.Inputs, inputReport{in.Column, in.Before, in.After, in.Beyond})
	}
	return c.show(c.stdout, r)
}

// print writes each term as it is and after the change.
func (r *whatIfReport) print(out io.Writer) error {
	b, a := r.Before, r.After
	fmt.Fprintf(out, "%s: %s, as a sum, as it is and with\n\n", b.place(), b.Quantity)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, in := range r.Inputs {
		if in.After != in.Before || in.Beyond {
			beyond := ""
			if in.Beyond {
				beyond = "beyond the training rows"
			}
			fmt.Fprintf(w, "  %s = %s\tinstead of %s\t%s\n", in.Column, cmp.Or(in.After, "missing"), cmp.Or(in.Before, "missing"), beyond)
		}
	}
	w.Flush()
	fmt.Fprintln(out)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(before, after, what string) { fmt.Fprintf(w, "%s\t%s\t  %s\n", before, after, what) }
	line("as it is", "changed", "")
	line(signed(b.Base, 5), signed(a.Base, 5), a.base())
	for i, t := range a.Terms {
		line(signed(b.Terms[i].Value, 5), signed(t.Value, 5), strings.Join(t.Columns, " with "))
	}
	if a.Others > 0 {
		line(signed(b.Rest, 5), signed(a.Rest, 5), fmt.Sprintf("%d others", a.Others))
	}
	line(signed(b.Predicted, 5), signed(a.Predicted, 5), "predicted")
	if a.Quantity != a.Target && a.Each == nil {
		line(figures(float64(b.Raw), 6), figures(float64(a.Raw), 6), a.subject)
	}
	for i, class := range a.Classes {
		line(figures(float64(b.Each[i]), 6), figures(float64(a.Each[i]), 6), "the probability of "+class)
	}
	if a.Low != nil {
		line(figures(float64(*b.Low), 5), figures(float64(*a.Low), 5), fmt.Sprintf("lower end of the %g %% prediction interval", 100*float64(a.Level)))
		line(figures(float64(*b.High), 5), figures(float64(*a.High), 5), "upper end")
	}
	return w.Flush()
}

func (r *pairTests) print(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d of %d tested pairs of columns stand out, on %d rows, with a false-alarm rate of %g %% per table", r.File, len(r.Named), r.Tested, r.Rows, 100*r.Alpha)
	if more := r.Pairs - r.Tested; more > 0 {
		fmt.Fprintf(out, "; %d more were not tested", more)
	}
	fmt.Fprintln(out)
	if r.Dependent > 0 {
		fmt.Fprintf(out, "\nPairs that could not be tested: %d. Neighbouring rows, or the rows of a group, are alike in their columns.\n", r.Dependent)
	}
	if len(r.Named) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\nTheir shares of the variance of %s, and p:\n\n", r.Target)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, n := range r.Named {
		fmt.Fprintf(w, "  %s × %s\t%.2g %%\t%.2g to %.2g %%\t%.2g\n", n.First, n.Second, 100*n.Share, 100*n.Low, 100*n.High, n.P)
	}
	return w.Flush()
}

func newExplanation(e *saved.Explanation, m *estimator.Model, file string, line int) *explanationReport {
	r := &explanationReport{File: file, Line: line, Quantity: e.Quantity, Target: m.Target(), Base: real(e.Base), Average: e.Average, Terms: []termReport{},
		Rest: real(e.Rest), Others: e.Others, Predicted: real(e.Predicted), Raw: real(e.Raw)}
	if r.subject = r.Target; m.Classes() != nil {
		r.subject = "the probability of " + r.Target + " = " + m.Classes()[e.Class]
	}
	if low, high := real(e.Low), real(e.High); e.Level > 0 {
		r.Low, r.High, r.Level = &low, &high, real(e.Level)
	}
	if e.Probabilities != nil {
		r.Classes = m.Classes()
	}
	for _, p := range e.Probabilities {
		r.Each = append(r.Each, real(p))
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

// place names the row.
func (r *explanationReport) place() string {
	if r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s, line %d", r.File, r.Line)
}

// base says where the sum begins.
func (r *explanationReport) base() string {
	if !r.Average {
		return "the mean row, as the model file has no averages"
	}
	return "the average prediction of the training rows"
}

func (r *explanationReport) print(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s, as a sum\n\n", r.place(), r.Quantity)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\t  %s\n", signed(r.Base, 5), r.base())
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
	if r.Quantity != r.Target {
		fmt.Fprintf(out, "\n%s is predicted to be %s\n", r.subject, figures(float64(r.Raw), 6))
	}
	if r.Low != nil {
		fmt.Fprintf(out, "\nThe %g %% prediction interval is %s to %s.\n", 100*float64(r.Level), figures(float64(*r.Low), 5), figures(float64(*r.High), 5))
	}
	return nil
}

// describe returns the coefficients of a model, the steepest features first.
func describe(m *estimator.Model, most int) (*modelSummary, error) {
	if k := len(m.Classes()); k > 2 {
		r := &modelSummary{most: most, Kind: m.Kind(), Rank: m.Rank(), Target: m.Target(), Quantity: m.Quantity(), Columns: m.Columns(), Features: len(m.Features()), Weights: []weightReport{}, Shapes: []shapeReport{}, Pairs: []pairReport{}}
		for class := range k {
			score, err := describe(m.Score(class), most)
			if err != nil {
				return nil, err
			}
			r.Scores = append(r.Scores, score)
		}
		return r, nil
	}
	pairs, err := m.Strongest(most)
	if err != nil {
		return nil, err
	}
	shapes, average, err := m.Shapes()
	if err != nil {
		return nil, err
	}
	r := &modelSummary{most: most, Kind: m.Kind(), Rank: m.Rank(), Target: m.Target(), Quantity: m.Quantity(), Columns: m.Columns(), Features: len(m.Features()), Bias: real(m.Bias()), Average: average, Pairs: []pairReport{}}
	for _, shape := range shapes {
		s := shapeReport{Column: shape.Column, Points: []pointReport{}, date: shape.Date}
		for _, p := range shape.Points {
			s.Points = append(s.Points, pointReport{string(p.Kind), real(p.Number), p.Level, real(p.Effect), real(p.Low), real(p.High), real(p.Share)})
		}
		r.Shapes = append(r.Shapes, s)
	}
	slices.SortStableFunc(r.Shapes, func(a, b shapeReport) int { return cmp.Compare(b.reach(), a.reach()) })
	weights, slopes := m.Weights(), m.Slopes()
	for j, name := range m.Features() {
		r.Weights = append(r.Weights, weightReport{name, real(weights[j]), real(slopes[j])})
	}
	slices.SortStableFunc(r.Weights, func(a, b weightReport) int {
		return cmp.Compare(math.Abs(float64(b.Slope)), math.Abs(float64(a.Slope)))
	})
	for _, p := range pairs {
		r.Pairs = append(r.Pairs, pairReport{p.First, p.Second, real(p.Value)})
	}
	return r, nil
}

func (r *modelSummary) print(out io.Writer) error {
	for i, score := range r.Scores {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := score.print(out); err != nil || i == len(r.Scores)-1 {
			return err
		}
	}
	most, what := r.most, fmt.Sprintf("%s of rank %d", shortName(r.Kind), r.Rank)
	if r.Rank == 0 {
		what = "a linear model, without interactions"
	}
	fmt.Fprintf(out, "%s: %s from %d columns, as %d features\n", what, r.Quantity, len(r.Columns), r.Features)
	fmt.Fprintf(out, "\nf(x) = b + xᵀw + xᵀMx, b = %s. Per feature: w, in units of %s per unit of it, and what a\nstandard deviation more adds at the mean row (of a level, a basis: its own 1).\n\n", figures(float64(r.Bias), 6), r.Quantity)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range r.Weights[:min(most, len(r.Weights))] {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Feature, signed(f.Weight, 5), signed(f.Slope, 5))
	}
	if more := len(r.Weights) - most; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	w.Flush()
	r.printShapes(out)
	if len(r.Pairs) > 0 {
		fmt.Fprint(out, "\nThe strongest interactions of the factors, which no test has confirmed (for a test, -pairs),\n2·Mᵢⱼ per standard deviation of both:\n\n")
		for _, p := range r.Pairs {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", p.First, p.Second, signed(p.Value, 5))
		}
		w.Flush()
	}
	return nil
}

// reach returns how far apart the largest and the smallest effect of a column are.
func (s *shapeReport) reach() real {
	if len(s.Points) == 0 {
		return 0
	}
	byEffect := func(a, b pointReport) int { return cmp.Compare(a.Effect, b.Effect) }
	return slices.MaxFunc(s.Points, byEffect).Effect - slices.MinFunc(s.Points, byEffect).Effect
}

// printed is the most numbers, and the most levels, of a shape that are printed as text.
const printed = 5

// printShapes prints what columns add, those of the largest reach first.
func (r *modelSummary) printShapes(out io.Writer) {
	centre := "0 on average over the training rows"
	if !r.Average {
		centre = "from the mean row, as the model file has no averages"
	}
	fmt.Fprintf(out, "\nWhat a column adds to %s, by its cell (%s):\n\n", r.Quantity, centre)
	if slices.ContainsFunc(r.Shapes, func(s shapeReport) bool { return slices.ContainsFunc(s.Points, pointReport.isBanded) }) {
		fmt.Fprint(out, "In brackets: from the lowest to the highest effect of the model and of its fits without about\na quarter of the rows each. A confidence interval would be wider, as these fits share most rows.\n\n")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, shape := range r.Shapes[:min(r.most, len(r.Shapes))] {
		isNumber := func(p pointReport) bool { return p.Kind == string(design.FeatureValue) }
		cells := slices.DeleteFunc(slices.Clone(shape.Points), isNumber) // levels and missing cells, the farthest from 0 first
		slices.SortStableFunc(cells, func(a, b pointReport) int {
			return cmp.Compare(math.Abs(float64(b.Effect)), math.Abs(float64(a.Effect)))
		})
		var told []string
		tell := func(text string, p pointReport) {
			band := ""
			if p.isBanded() {
				band = " (" + signed(p.Low, 3) + " to " + signed(p.High, 3) + ")"
			}
			told = append(told, oneLine.Replace(text)+": "+signed(p.Effect, 3)+band)
		}
		if last := len(shape.Points) - len(cells) - 1; last > 0 { // a number, with both ends of it
			for i := range printed {
				p := shape.Points[i*last/(printed-1)]
				tell(cmp.Or(shape.date(float64(p.Number)), figures(float64(p.Number), 4)), p)
			}
		}
		for _, p := range cells[:min(printed, len(cells))] {
			tell(cmp.Or(p.Level, p.Kind), p)
		}
		if more := len(cells) - printed; more > 0 {
			told = append(told, fmt.Sprintf("and %d more", more))
		}
		if told == nil {
			told = []string{"stands for many features; see their weights"}
		}
		fmt.Fprintf(w, "  %s\t%s\n", oneLine.Replace(shape.Column), strings.Join(told, ", "))
	}
	if more := len(r.Shapes) - r.most; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	w.Flush()
}
