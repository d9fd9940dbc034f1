package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/estimator"
	"ifmlab/core/spec"
)

const aboutPredict = `Predict reads a model that train or the page has saved, and prints what it predicts
for every row of another file, as CSV: the line of the file, the prediction, and the
ends of its interval if the model has these; empty where there is none. Of a target of two
classes it is the likelier one and the probability of the second. The columns are found by their names, in any order. What was made
of missing cells, of levels that training has not seen and of numbers far beyond the
training rows is told on stderr, with the rows that could not be read or predicted, and
the error where the file has the target.

  -o FILE        where the predictions go; without it, out
  -member NAME   of a zip archive with several tables, the one that is meant
  -sheet NAME    the same of a workbook
  -json          predictions and notices as JSON`

type predictionReport struct {
	File        string       `json:"file"`
	Model       string       `json:"model"`
	Target      string       `json:"target"`
	Rows        int          `json:"rows"`
	Compared    int          `json:"compared"`          // rows with both a prediction and the actual value
	Measure     string       `json:"measure"`           // of errors: "rmse", or "log-loss" of classes
	Error       real         `json:"error"`             // of these rows
	Classes     []string     `json:"classes,omitempty"` // of the second the probability is predicted
	Covered     int          `json:"covered"`           // of these lie within their intervals
	Notices     []string     `json:"notices"`
	Gaps        []gap        `json:"gaps"`
	Unread      []string     `json:"unread"`
	Skipped     []string     `json:"skipped"`
	Predictions []prediction `json:"predictions"`
}

// gap counts the cells of a column that are missing, or that the model has not seen.
type gap struct {
	Column  string `json:"column"`
	Missing int    `json:"missing"`
	Unseen  int    `json:"unseen"` // levels
	Odd     int    `json:"odd"`    // no numbers
}

func (g gap) String() string {
	return fmt.Sprintf("%s: %d missing, %d unseen, %d no numbers", g.Column, g.Missing, g.Unseen, g.Odd)
}

type prediction struct {
	Line       int32  `json:"line"`
	Prediction real   `json:"prediction"`      // or probability
	Class      string `json:"class,omitempty"` // the likelier one
	Lower      *real  `json:"lower,omitempty"`
	Upper      *real  `json:"upper,omitempty"`
	Actual     real   `json:"actual"`
}

func predict(c *call) error {
	a := c.newAsked()
	a.takesOutput()
	a.takesTable()
	args, err := c.parse(a)
	if err != nil {
		return err
	}
	if len(args) != 2 {
		return c.usage()
	}
	out, err := c.output(a.out, args...)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	model, err := c.model(ctx, args[0])
	if err != nil {
		return c.interrupted(ctx, err)
	}
	table, err := c.another(ctx, model, args[1], a.table)
	if err != nil {
		return c.interrupted(ctx, err)
	}
	p, err := model.PredictTable(table)
	if err != nil {
		return err
	}
	r := predictionReport{File: table.Name, Model: args[0], Target: model.Target(), Rows: len(p.Line), Compared: p.Compared, Measure: model.Measure(), Error: real(p.Error), Classes: model.Classes(), Covered: p.Covered,
		Notices: append(append([]string{}, table.Notes.Texts()...), p.Notices...), Unread: places(table.Bad, table.BadCount), Skipped: places(p.Skipped, p.SkippedCount)}
	for _, g := range p.Gaps {
		r.Gaps = append(r.Gaps, gap(g))
	}
	for i, line := range p.Line {
		row := prediction{Line: line, Prediction: real(p.Predicted[i]), Actual: real(p.Actual[i])}
		if r.Classes != nil && !math.IsNaN(p.Predicted[i]) {
			row.Class = r.Classes[0]
			if p.Predicted[i] >= .5 {
				row.Class = r.Classes[1]
			}
		}
		if p.Low != nil {
			low, high := real(p.Low[i]), real(p.High[i])
			row.Lower, row.Upper = &low, &high
		}
		r.Predictions = append(r.Predictions, row)
	}
	if a.json {
		return out.write(c.stdout, func(w io.Writer) error { return writeJSON(w, r) })
	}
	if err := out.write(c.stdout, r.writeCSV); err != nil {
		return err
	}
	r.tell(c.stderr)
	return nil
}

// writeCSV writes the file that the page saves.
func (r *predictionReport) writeCSV(out io.Writer) error {
	w := bufio.NewWriter(out)
	ranged := len(r.Predictions) > 0 && r.Predictions[0].Lower != nil
	head := "line,prediction"
	if r.Classes != nil {
		head = "line,class,probability"
	}
	if ranged {
		head += ",lower,upper"
	}
	w.WriteString(head + "\n")
	for _, p := range r.Predictions {
		fmt.Fprintf(w, "%d,", p.Line)
		if r.Classes != nil {
			w.WriteString(cell(p.Class) + ",")
		}
		w.WriteString(digits(float64(p.Prediction)))
		if ranged {
			fmt.Fprintf(w, ",%s,%s", digits(float64(*p.Lower)), digits(float64(*p.Upper)))
		}
		w.WriteString("\n")
	}
	return w.Flush()
}

// cell writes a text as the page does: quoted where it needs it, and with an apostrophe
// where a spreadsheet would take it for a formula.
func cell(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	text = formula.ReplaceAllString(text, "$1'$2$4")
	if special.MatchString(text) {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

var (
	formula = regexp.MustCompile(`(^|[,;|\t\r\n])(?:(\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]))|^()([\t\r])`)
	special = regexp.MustCompile(`[",;|\t\r\n]|^\s|\s$`)
)

// figures writes a number to so many figures, and without an exponent as long as it is
// of a size that readers are used to.
func figures(v float64, n int) string {
	text := strconv.FormatFloat(v, 'g', n, 64)
	if size := math.Abs(v); size < 1e-4 || size >= 1e9 {
		return text
	}
	if short, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return text
}

// signed is figures with the sign.
func signed(v real, n int) string {
	sign := ""
	if v > 0 {
		sign = "+"
	}
	return sign + figures(float64(v), n)
}

// digits writes a number as JavaScript does, nothing where there is none.
func digits(v float64) string {
	size := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return ""
	case size == 0 || size >= 1e-6 && size < 1e21:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// tell says what was predicted, and what was made of cells that training has not seen.
func (r *predictionReport) tell(out io.Writer) {
	rows := "rows"
	if r.Rows == 1 {
		rows = "row"
	}
	fmt.Fprintf(out, "%s: %d %s predicted", r.File, r.Rows, rows)
	if r.Compared > 0 {
		fmt.Fprintf(out, "; %s %s of %s in %d of them, which flatters if the model was trained on some", map[string]string{core.MeasureRMSE: "RMSE", core.MeasureLogLoss: "log-loss"}[r.Measure], figures(float64(r.Error), 5), r.Target, r.Compared)
		if len(r.Predictions) > 0 && r.Predictions[0].Lower != nil {
			fmt.Fprintf(out, "; %d lie within their intervals", r.Covered)
		}
	}
	fmt.Fprintln(out)
	var gaps []string
	for _, g := range r.Gaps {
		gaps = append(gaps, g.String())
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"", r.Notices}, {"cells without a value that the model knows, by columns:", gaps}, {"rows that could not be read:", r.Unread}, {"cells that could not be used, and rows without a prediction:", r.Skipped}} {
		if len(part.lines) > 0 && part.title != "" {
			fmt.Fprintln(out, part.title)
		}
		for _, line := range part.lines {
			fmt.Fprintf(out, "  %s\n", line)
		}
	}
}

// model reads a model file.
func (c *call) model(ctx context.Context, name string) (*estimator.Model, error) {
	file, err := c.input(ctx, name, spec.Default())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := estimator.Load(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	}
	return m, nil
}

// another reads a file as that was read which a model was trained on.
func (c *call) another(ctx context.Context, model *estimator.Model, name string, s spec.Spec) (*data.Table, error) {
	file, err := c.input(ctx, name, s)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := model.ReadTable(file.Name, file)
	if err == nil {
		unpacked(table, file.Notices())
	}
	return table, err
}
