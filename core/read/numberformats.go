package read

import (
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// survey counts what the cells of a column look like, without missing ones.
type survey struct {
	cells    int
	amounts  int // numbers, with a unit or brackets, under either decimal mark
	plain    int // of these, those without brackets
	marks    cell.MarkEvidence
	units    []cell.Token
	withUnit int // of these, those with a unit
}

// surveyOf surveys the different cells of a column. O(entries).
func surveyOf(c *table.Column) survey {
	s := survey{cells: c.NumberCount + c.TextCount}
	if c.PlainNumbers {
		s.amounts, s.plain, s.marks = c.NumberCount, c.NumberCount, c.Marks
	}
	for _, e := range c.Entries {
		a, ok := cell.ParseAmount(e.Text)
		if !ok || e.Count == 0 {
			continue
		}
		if _, ok := a.Number('.'); !ok {
			if _, ok = a.Number(','); !ok {
				continue
			}
		}
		s.amounts += e.Count
		s.marks.Add(e.Text, cell.MarkHintOf(a.Body), e.Count)
		if !a.Brackets {
			s.plain += e.Count
		}
		if a.Unit != "" {
			s.withUnit += e.Count
			s.units = cell.CountToken(s.units, a.Unit, e.Count)
		}
	}
	return s
}

// numberFormat returns the format of the numbers. Brackets mean a minus if some numbers have
// none. A unit counts if 90 % of the cells have it, and any clear unit if less than 2 %
// have one.
func (s *survey) numberFormat(point byte) cell.NumberFormat {
	m := cell.NumberFormat{Point: point, Brackets: s.plain > 0, FewUnits: 50*s.withUnit < s.cells}
	for _, u := range s.units {
		if cell.Mostly(u.Count, s.cells) {
			m.Unit = u.Text
		}
	}
	return m
}

// decideColumns decides how each column is read, with evidence from the others, parses its
// cells anew if that changes them, and adds notes. It costs O(different cells), and
// O(rows) for a column whose cells change.
func (b *builder) decideColumns() {
	surveys := make([]survey, len(b.Columns))
	var marks cell.MarkEvidence
	for i, c := range b.Columns {
		c.SetMissing(c.MissingAs, b.scratch)
		surveys[i] = surveyOf(c)
		if s := &surveys[i]; 2*s.amounts >= s.cells {
			marks.Comma += s.marks.Comma
			marks.Point += s.marks.Point
		}
	}
	for i, c := range b.Columns {
		decideColumn(c, &surveys[i], marks, b.Point, b.scratch)
	}
	if i := slices.IndexFunc(surveys, func(s survey) bool { return s.marks.Comma > 0 }); i >= 0 && b.Point == ',' {
		b.Notes.Add(note.TopicMarks, nil, "numbers are written with a decimal comma, as in %s, and read as such", surveys[i].marks.CommaText)
	}
}

func decideColumn(c *table.Column, s *survey, others cell.MarkEvidence, usual byte, scratch []float64) {
	noteMissing(c)
	if s.amounts == 0 || !cell.Mostly(s.amounts, s.cells) {
		return
	}
	if why := whyCode(c); why != "" {
		c.IsCode = true
		c.Note(note.Note{Topic: note.TopicCode, Text: why, Cells: s.cells, Answers: []note.Answer{
			{Label: "levels", Key: note.KeyNumeric, Now: true}, {Label: "numbers", Key: note.KeyNumeric, Value: c.Name}}})
		return
	}
	v := s.marks.Decide(others, usual)
	switch {
	case c.ExactMark:
		v = cell.MarkChoice{Point: c.Point}
	case c.ExplicitMark:
		v = cell.MarkChoice{Point: c.Point, Why: "the settings say so"}
	case c.LikelyMark != 0 && s.marks.Comma+s.marks.Point == 0:
		v = cell.MarkChoice{Point: c.LikelyMark, Why: "the model was trained so"}
	case c.PlainNumbers && v.Point != c.Point && c.HasFractions():
		v.Point = c.Point // the mark with which they were parsed
	}
	m := s.numberFormat(v.Point)
	grouped, taken := c.Reread(m, scratch)
	noteMarks(c, s, v, grouped)
	if c.Numeric() && taken > 0 {
		c.Unit = m.Unit
		text := message.Sprintf("a unit is taken off %s", cell.CellCount(taken))
		if m.Unit != "" {
			text = message.Sprintf("%s is taken off %s", cell.Quote(m.Unit), cell.CellCount(taken))
		}
		c.Note(note.Note{Topic: note.TopicUnit, Text: text, Cells: taken, Answers: []note.Answer{
			{Label: "numbers", Key: note.KeyCategorical, Now: true}, {Label: "texts", Key: note.KeyCategorical, Value: c.Name}}})
	}
}

// noteMarks notes how the marks in the numbers are read.
func noteMarks(c *table.Column, s *survey, v cell.MarkChoice, grouped int) {
	e := &s.marks
	answers := []note.Answer{
		{Label: "decimal point", Key: note.KeyDecimal, Value: note.Pair(c.Name, "point"), Now: v.Point == '.'},
		{Label: "decimal comma", Key: note.KeyDecimal, Value: note.Pair(c.Name, "comma"), Now: v.Point == ','},
	}
	example, other := e.MaybePointText, e.MaybeCommaText
	if example == "" {
		example, other = other, ""
	}
	d := note.Note{Topic: note.TopicMarks, Ask: v.Ask, Answers: answers, Cells: e.MaybeComma + e.MaybePoint}
	switch {
	case v.Ask && e.Comma > 0 && e.Point > 0:
		d.Cells = e.Comma + e.Point
		d.Text = message.Sprintf("%s and %s both look like fractions (%d and %d cells); choose the mark of fractions, now the %s", cell.Quote(e.CommaText), cell.Quote(e.PointText), e.Comma, e.Point, cell.MarkName(v.Point))
	case v.Ask && other != "":
		d.Text = message.Sprintf("%s and %s may be fractions or thousands (%d and %d cells); choose the mark of fractions, now the %s", cell.Quote(example), cell.Quote(other), e.MaybePoint, e.MaybeComma, cell.MarkName(v.Point))
	case v.Ask:
		d.Text = message.Sprintf("%s may be %s or %s, in %s; choose, now it is %s", cell.Quote(example), cell.ReadAs(example, '.'), cell.ReadAs(example, ','), cell.CellCount(d.Cells), cell.ReadAs(example, v.Point))
		for i, point := range []byte(".,") {
			d.Answers[i].Label = cell.ReadAs(example, point)
		}
	case v.Why != "" && example != "":
		d.Text = message.Sprintf("%s is read as %s, since %s", cell.Quote(example), cell.ReadAs(example, v.Point), v.Why)
	case v.Why != "":
		d.Cells, d.Text = s.amounts, message.Sprintf("the %s is the mark of fractions, since %s", cell.MarkName(v.Point), v.Why)
	case grouped > 0:
		d.Cells, d.Answers, d.Text = grouped, nil, message.Sprintf("marks between thousands are passed over in %s", cell.CellCount(grouped))
	case v.Point == ',' && e.Comma > 0:
		d.Cells, d.Answers, d.Text = e.Comma, nil, message.Sprintf("fractions are written with a comma, as in %s", cell.Quote(e.CommaText))
	default:
		return
	}
	c.Note(d)
}
