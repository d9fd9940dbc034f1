package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"ifmlab/core/measure"
	"ifmlab/core/note"
)

const predictDetails = `Predict reads a model that train or the page has saved, and predicts every row of another
file. It prints CSV: the line in the file, the prediction, and the ends of its interval
if the model has intervals. far is 1 for a prediction far beyond the values that the model
has learned from: by more than half their range. For a target with two classes it prints
the likelier class and the probability of the second, for more the likeliest and the
probability of each. Values that cannot be predicted are empty.

Columns are found by their names, in any order. On stderr it reports missing cells,
cells in another unit than the training rows, which count as missing, levels that are
not in the training rows, numbers and predictions far beyond them, rows that could not be
read or predicted, and the error if the file has the target.`

type predictionReport struct {
	File        string       `json:"file"`
	Model       string       `json:"model"`
	Target      string       `json:"target"`
	Rows        int          `json:"rows"`
	Compared    int          `json:"compared"`          // rows with a prediction and the actual value
	Measure     string       `json:"measure"`           // of errors: "rmse" or "log-loss"
	Error       real         `json:"error"`             // of these rows
	Classes     []string     `json:"classes,omitempty"` // the probability of the second of two is predicted
	Covered     int          `json:"covered"`           // compared rows within their intervals
	Notices     []string     `json:"notices"`
	Gaps        []gap        `json:"gaps"`
	Unread      []string     `json:"unread"`
	Skipped     []string     `json:"skipped"`
	Predictions []prediction `json:"predictions"`
}

// gap counts the cells of a column that the model cannot use.
type gap struct {
	Column  string `json:"column"`
	Missing int    `json:"missing"`
	Unseen  int    `json:"unseen"` // levels
	Odd     int    `json:"odd"`    // not numbers
}

func (g gap) String() string {
	var all []string
	for _, part := range []struct {
		cells int
		are   string
	}{{g.Missing, "missing"}, {g.Unseen, "unseen"}, {g.Odd, "no numbers"}} {
		if part.cells > 0 {
			all = append(all, fmt.Sprintf("%d %s", part.cells, part.are))
		}
	}
	return g.Column + ": " + strings.Join(all, ", ")
}

type prediction struct {
	Line       int32  `json:"line"`
	Prediction real   `json:"prediction"`              // or probability
	Class      string `json:"class,omitempty"`         // the likelier or likeliest one
	Each       []real `json:"probabilities,omitempty"` // of more than two classes, in the order of classes
	Lower      *real  `json:"lower,omitempty"`
	Upper      *real  `json:"upper,omitempty"`
	Far        *bool  `json:"far,omitempty"` // beyond the values that the model has learned from
	Actual     real   `json:"actual"`
}

func predict(c *call, args []string) error {
	out, err := c.output(args...)
	if err != nil {
		return err
	}
	model, err := loadModel(c, args[0], readModel)
	if err != nil {
		return err
	}
	table, err := c.readLike(model, args[1])
	if err != nil {
		return err
	}
	p, err := model.PredictTable(table)
	if err != nil {
		return err
	}
	r := predictionReport{File: table.Name, Model: args[0], Target: model.Target(), Rows: len(p.Line), Compared: p.Compared, Measure: model.Measure(), Error: real(p.Error), Classes: model.Classes(), Covered: p.Covered,
		Notices: append(append([]string{}, table.Notes.Texts()...), p.Notes.Texts()...), Unread: places(table.Bad, table.BadCount), Skipped: places(p.Skipped, p.SkippedCount)}
	for _, n := range p.Notes {
		r.count(n)
	}
	for i, line := range p.Line {
		row := prediction{Line: line, Prediction: real(p.Predicted[i]), Actual: real(p.Actual[i])}
		k := len(r.Classes)
		switch {
		case k > 2:
			all := p.Probabilities[i*k:][:k]
			for _, v := range all {
				row.Each = append(row.Each, real(v))
			}
			if !math.IsNaN(p.Predicted[i]) {
				row.Class = r.Classes[measure.Likeliest(all)]
			}
		case k == 2 && !math.IsNaN(p.Predicted[i]):
			row.Class = r.Classes[0]
			if p.Predicted[i] >= .5 {
				row.Class = r.Classes[1]
			}
		}
		if p.Low != nil {
			low, high := real(p.Low[i]), real(p.High[i])
			row.Lower, row.Upper = &low, &high
		}
		if p.Far != nil {
			far := p.Far[i] > 0
			row.Far = &far
		}
		r.Predictions = append(r.Predictions, row)
	}
	if c.json {
		return out.write(c.stdout, func(w io.Writer) error { return writeJSON(w, r) })
	}
	if err := out.write(c.stdout, r.writeCSV); err != nil {
		return err
	}
	r.printNotices(c.stderr)
	return nil
}

// count adds the cells of a note to the gaps of its column. Notes about a column follow each other.
func (r *predictionReport) count(n note.Note) {
	if n.Cells == 0 {
		return
	}
	if last := len(r.Gaps) - 1; last < 0 || r.Gaps[last].Column != n.Columns[0] {
		r.Gaps = append(r.Gaps, gap{Column: n.Columns[0]})
	}
	g := &r.Gaps[len(r.Gaps)-1]
	switch n.Topic {
	case note.TopicMissing:
		g.Missing = n.Cells
	case note.TopicUnseen:
		g.Unseen = n.Cells
	case note.TopicOdd:
		g.Odd = n.Cells
	}
}

// writeCSV writes the same file as the page.
func (r *predictionReport) writeCSV(out io.Writer) error {
	w := bufio.NewWriter(out)
	ranged := len(r.Predictions) > 0 && r.Predictions[0].Lower != nil
	head := "line,prediction"
	if r.Classes != nil {
		head = "line,class,probability"
	}
	if len(r.Classes) > 2 {
		head = "line,class"
		for _, name := range r.Classes {
			head += "," + cell("P("+name+")")
		}
	}
	if ranged {
		head += ",lower,upper"
	}
	if len(r.Predictions) > 0 && r.Predictions[0].Far != nil {
		head += ",far"
	}
	w.WriteString(head + "\n")
	for _, p := range r.Predictions {
		fmt.Fprintf(w, "%d,", p.Line)
		if r.Classes != nil {
			w.WriteString(cell(p.Class) + ",")
		}
		if p.Each == nil {
			w.WriteString(digits(float64(p.Prediction)))
		}
		for c, v := range p.Each {
			if c > 0 {
				w.WriteString(",")
			}
			w.WriteString(digits(float64(v)))
		}
		if ranged {
			fmt.Fprintf(w, ",%s,%s", digits(float64(*p.Lower)), digits(float64(*p.Upper)))
		}
		if p.Far != nil {
			w.WriteString(map[bool]string{true: ",1", false: ",0"}[*p.Far])
		}
		w.WriteString("\n")
	}
	return w.Flush()
}

// cell returns a text as the page writes it: quoted if needed, and with an apostrophe
// before what a spreadsheet would take for a formula.
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

// printNotices prints the error and what the model could not use.
func (r *predictionReport) printNotices(out io.Writer) {
	rows := "rows"
	if r.Rows == 1 {
		rows = "row"
	}
	fmt.Fprintf(out, "%s: %d %s predicted", r.File, r.Rows, rows)
	if r.Compared > 0 {
		fmt.Fprintf(out, "; %s %s of %s in %d of them, which flatters if the model was trained on some", map[string]string{measure.RMSE: "RMSE", measure.LogLoss: "log-loss"}[r.Measure], figures(float64(r.Error), 5), r.Target, r.Compared)
		if len(r.Predictions) > 0 && r.Predictions[0].Lower != nil {
			fmt.Fprintf(out, "; %d lie within their intervals", r.Covered)
		}
	}
	fmt.Fprintln(out)
	var gaps []string
	for _, g := range r.Gaps {
		gaps = append(gaps, g.String())
	}
	printList(out, "", r.Notices)
	printList(out, "cells without a value that the model knows, by columns:", gaps)
	printList(out, "rows that could not be read:", r.Unread)
	printList(out, "cells that could not be used, and rows without a prediction:", r.Skipped)
}
