package saved

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/message"
	"ifmlab/core/read"
	"ifmlab/core/table"
)

// WhatIf compares the prediction for a row with that for the same row with other cells.
type WhatIf struct {
	Inputs []Input // that can have other cells; none if features are known by place, or sparse
	// After has the terms that are farthest from 0 or change most; Before has none.
	// Of more than two classes, both are of the score of the class that is likeliest after it.
	Before, After Explanation
}

// Input is a column that a prediction needs.
type Input struct {
	Column string
	Kind   InputKind
	Before string // its cell, as the model reads it; "" for a missing one
	After  string
	// Number is that of After; for a date the seconds since 1970 in local time. It is NaN for
	// a level, a missing cell and a text.
	Number      float64
	Least, Most float64  // of the training rows; for a date days or whole years; NaN if the file does not say
	Levels      []string // that the model knows
	Point       string   // the decimal mark of the column
	Clock       bool     // the model reads the hour of the date
	Beyond      bool     // After is beyond the training rows: outside Least to Most, or no known level
}

// InputKind says how a cell is changed.
type InputKind string

// The kinds.
const (
	NumberInput InputKind = "number"
	DateInput   InputKind = "date"
	LevelInput  InputKind = "level"
)

// UnknownInputError says that a cell is to be changed in a column that the model does not read.
type UnknownInputError struct {
	Column string
	Have   []string
}

func (e *UnknownInputError) Error() string {
	return message.Sprintf("saved: the model reads no column %s whose cells can be changed; it reads %s", cell.Quote(e.Column), cell.List(e.Have))
}

func (*UnknownInputError) Kind() string { return "UnknownInputError" }

// WhatIf explains the prediction for the row on a line of a table, and that for the row with
// other texts in some cells, which are read as those of a file. Without a table, the row has
// every number and date at its mean over the training rows, rounded, and every category at its commonest
// level. It returns an [*UnknownInputError] and the errors of [Model.Explain]. It costs three
// times as much.
func (m *Model) WhatIf(t *table.Table, line int, changes map[string]string, most int) (*WhatIf, error) {
	w := &WhatIf{}
	if t == nil {
		w.Inputs = m.inputs(nil, 0)
		only, err := m.read(w.Inputs, nil)
		if err != nil {
			return nil, err
		}
		t, line = only, only.Line(0)
	}
	before, err := m.Apply(t)
	if err != nil {
		return nil, err
	}
	row, ok := t.RowAt(line)
	if !ok {
		return nil, &NoRowError{File: t.Name, Line: line}
	}
	w.Inputs = m.inputs(before, row)
	for name := range changes {
		if needs := m.Encoding.Needs(); w.Inputs == nil || !slices.Contains(needs, name) {
			return nil, &UnknownInputError{name, needs}
		}
	}
	after, changed := t, line
	if len(changes) > 0 {
		if after, err = m.read(w.Inputs, changes); err != nil {
			return nil, err
		}
		applied, err := m.Apply(after)
		if err != nil {
			return nil, err
		}
		changed = after.Line(0)
		for i, in := range m.inputs(applied, 0) {
			in.Before = w.Inputs[i].Before
			w.Inputs[i] = in
		}
	}
	its, _, err := m.explain(after, changed, 0, -1, nil)
	if err != nil {
		return nil, err
	}
	own, effects, err := m.explain(t, line, 0, its.Class, nil)
	if err != nil {
		return nil, err
	}
	w.Before = *own
	its, _, err = m.explain(after, changed, most, its.Class, effects)
	if err != nil {
		return nil, err
	}
	w.After = *its
	return w, nil
}

// inputs returns the columns that a prediction needs, with their cells in a row; nil stands
// for the average row.
func (m *Model) inputs(a *encode.Applied, row int) (inputs []Input) {
	e := &m.Encoding
	if e.ByPlace() || slices.ContainsFunc(e.Features, func(f design.Feature) bool { return f.Kind == design.FeatureEntry }) {
		return nil
	}
	means := e.MeanRow()
	if centre := m.Model.Centre; centre != nil {
		means = centre.Means
	}
	for _, name := range e.Needs() {
		in := Input{Column: name, Kind: LevelInput, Point: string(rune(e.FileStyle.PointOf(name))), Number: math.NaN(), Least: math.NaN(), Most: math.NaN()}
		average, share := "", -1.0
		for _, g := range e.Groups() {
			f := e.Features[g.Lo]
			part, isPart := "", e.DatesOf(f.Column) == name
			if isPart {
				in.Kind, part = DateInput, f.Column[len(name):]
				in.Clock = in.Clock || part == " (hour)"
			} else if f.Column != name {
				continue
			}
			middle, least, most := f.Mean, math.NaN(), math.NaN()
			switch f.Kind {
			case design.FeatureKnot:
				knots := m.knots(g)
				middle, least, most = f.Fill, knots[0], knots[len(knots)-1]
			case design.FeatureValue:
				if f.IsBounded() {
					least, most = span(f)
				}
			default:
				for j := g.Lo; j < g.Hi && !isPart; j++ {
					if level := e.Features[j]; level.Kind == design.FeatureLevel {
						in.Levels = append(in.Levels, level.Level)
						if own := means[j]*level.Scale + level.Mean; own > share {
							average, share = level.Level, own
						}
					}
				}
				continue
			}
			switch {
			case !isPart:
				in.Kind, in.Least, in.Most = NumberInput, least, most
				average = m.write(name, strconv.FormatFloat(middle, 'g', 6, 64))
			case part == " (days)":
				in.Least, in.Most = 86400*math.Floor(least), 86400*math.Floor(most)
				average = dateText(86400*math.Round(middle), false)
			}
		}
		if in.Before = average; a != nil {
			in.Before, in.Number = m.cellOf(a, &in, row)
		}
		in.After = in.Before
		slack := 1e-9 * (in.Most - in.Least) // for rounding; a date may have a time
		if in.Kind == DateInput {
			slack = 86399
		}
		in.Beyond = in.Number < in.Least-slack || in.Number > in.Most+slack || in.Kind == LevelInput && in.After != "" && !slices.Contains(in.Levels, in.After)
		inputs = append(inputs, in)
	}
	return inputs
}

// knots returns those of a group.
func (m *Model) knots(g design.Group) (knots []float64) {
	for _, f := range m.Encoding.Features[g.Lo:g.Hi] {
		if f.Kind == design.FeatureKnot {
			knots = append(knots, f.Knot)
		}
	}
	return knots
}

// cellOf returns a cell as the model reads it, with its number.
func (m *Model) cellOf(a *encode.Applied, in *Input, row int) (text string, number float64) {
	number = math.NaN()
	switch c := a.Column(in.Column); {
	case in.Kind == DateInput:
		if days := a.Column(in.Column + " (days)"); days != nil {
			number = 86400 * days.Number(row)
		}
		if hour := a.Column(in.Column + " (hour)"); in.Clock && hour != nil && !hour.IsMissing(row) {
			number += 3600 * hour.Number(row)
		}
		return dateText(number, in.Clock), number
	case in.Kind == NumberInput:
		if number = c.Number(row); number == number {
			return m.write(in.Column, cell.FormatNumber(number)), number
		}
		return c.Text(row), number
	default:
		return c.Text(row), number
	}
}

// write writes a number with the decimal mark of a column.
func (m *Model) write(column, number string) string {
	return strings.Replace(number, ".", string(rune(m.Encoding.FileStyle.PointOf(column))), 1)
}

// dateText writes seconds since 1970 as year-month-day, with the hour if the model reads it.
func dateText(seconds float64, clock bool) string {
	clock = clock && seconds == seconds
	text := cell.DayText(seconds / 86400)
	if clock {
		text += " " + strconv.Itoa(100 + cell.Instant{Seconds: int(seconds)}.Hour())[1:] + ":00"
	}
	return text
}

// read reads the cells of inputs, some of which are changed, as the row of a file.
func (m *Model) read(inputs []Input, changes map[string]string) (*table.Table, error) {
	if inputs == nil {
		return nil, &UnknownInputError{"", m.Encoding.Needs()}
	}
	style := &m.Encoding.FileStyle
	var names, cells []string
	for _, in := range inputs {
		text, is := changes[in.Column]
		if !is {
			text = in.Before
		}
		if in.Kind == DateInput && slices.Contains(style.Dates, in.Column+":epoch") {
			if at, ok := cell.Layout(cell.YMD).Read(text); ok {
				text = strconv.Itoa(at.Seconds)
			}
		}
		if place, err := strconv.Atoi(strings.TrimPrefix(in.Column, "column ")); !style.Header && err == nil {
			for len(cells) < place-1 {
				cells = append(cells, "")
			}
		}
		names, cells = append(names, in.Column), append(cells, text)
	}
	quoted := func(texts []string) (line string) {
		for i, text := range texts {
			line += ","[:min(i, 1)] + `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		return line + "\n"
	}
	o := read.Options{Name: "the changed row", Separator: ',', Header: csv.HeaderNo, Answers: read.AnswersOf(&m.Encoding)}
	o.Answers.DataRows = append(o.Answers.DataRows, "units", "footer")
	text := quoted(cells)
	if style.Header {
		o.Header, text = csv.HeaderYes, quoted(names)+text
	}
	return read.Read(strings.NewReader(text), o)
}
