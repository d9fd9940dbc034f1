package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"ifmlab/core/measure"
	"ifmlab/core/note"
)

const predictDetails = `Predict reads a model that train or the page has saved, and predicts every row of another
file. It prints CSV with the separator, decimal mark and charset of that file: the line in the
file, its cells, the prediction, and the ends of its interval if the model has intervals.
far is 1 for a prediction far beyond the values that the model has learned from: by more
than half their range. For a target with two classes it prints the likelier class and
the probability of the second, for more the likeliest and the probability of each.
Values that cannot be predicted are empty.

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
		var own []float64 // probabilities
		if k := len(r.Classes); k > 2 {
			own = p.Probabilities[i*k:][:k]
		}
		row.classify(r.Classes, own)
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
	s := sheetLike(table)
	lines := make([]float64, len(p.Line))
	for i, line := range p.Line {
		lines[i] = float64(line)
	}
	r.fill(s, cellsOf(table, lines, r.Target))
	if err := out.write(c.stdout, s.write); err != nil {
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

// fill adds the rows with their predictions to a sheet, as the page writes them.
func (r *predictionReport) fill(s *sheet, cells fileCells) {
	ranged := len(r.Predictions) > 0 && r.Predictions[0].Lower != nil
	far := len(r.Predictions) > 0 && r.Predictions[0].Far != nil
	added := predictionHead(r.Classes, ranged)
	if far {
		added = append(added, "far")
	}
	s.add(cells.head(added...)...)
	for i, p := range r.Predictions {
		row := append(append([]any{int(p.Line)}, cells.row(i)...), p.cells(r.Classes)...)
		if far {
			row = append(row, map[bool]int{true: 1}[*p.Far])
		}
		s.add(row...)
	}
}

// predictionHead names the cells of a prediction.
func predictionHead(classes []string, ranged bool) (head []string) {
	switch {
	case len(classes) > 2:
		head = append(head, "class")
		for _, name := range classes {
			head = append(head, "P("+name+")")
		}
	case classes != nil:
		return []string{"class", "probability"}
	default:
		head = append(head, "prediction")
	}
	if ranged {
		head = append(head, "lower", "upper")
	}
	return head
}

func (p *prediction) cells(classes []string) (row []any) {
	if classes != nil {
		row = append(row, p.Class)
	}
	if p.Each == nil {
		row = append(row, p.Prediction)
	}
	for _, v := range p.Each {
		row = append(row, v)
	}
	if p.Lower != nil {
		row = append(row, *p.Lower, *p.Upper)
	}
	return row
}

// classify sets the class of a prediction, and the probabilities of more than two.
func (p *prediction) classify(classes []string, probabilities []float64) {
	if len(classes) > 2 {
		for _, v := range probabilities {
			p.Each = append(p.Each, real(v))
		}
	}
	switch v := float64(p.Prediction); {
	case classes == nil || math.IsNaN(v):
	case len(classes) > 2:
		p.Class = classes[measure.Likeliest(probabilities)]
	case v >= .5:
		p.Class = classes[1]
	default:
		p.Class = classes[0]
	}
}

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
