package read

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// survey counts what the cells of a column look like, without missing ones.
type survey struct {
	cells    int
	amounts  int    // numbers, with a unit or brackets, under either decimal mark
	plain    int    // of these, those without brackets
	bounds   int    // of these, those such as <0.05
	footnote string // one with a footnote's mark, or ""
	marks    cell.MarkEvidence
	units    []cell.Token // the most frequent first
	withUnit int          // cells with a unit
	digits   int          // if all numbers with a unit have as many digits and the unit close behind them; else 0
	whole    bool         // no number with a unit has a mark or a space before the unit
}

// surveyOf surveys the different cells of a column. O(entries).
func surveyOf(c *table.Column) survey {
	s := survey{cells: c.NumberCount + c.TextCount, whole: true}
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
		if a.Bound {
			s.bounds += e.Count
		}
		if a.Footnote && s.footnote == "" {
			s.footnote = e.Text
		}
		if a.Unit != "" {
			if s.withUnit == 0 {
				s.digits = len(a.Body)
			} else if s.digits != len(a.Body) {
				s.digits = 0
			}
			s.whole = s.whole && !a.Spaced && strings.Trim(a.Body, "0123456789") == ""
			s.withUnit += e.Count
			s.units = cell.CountToken(s.units, a.Unit, e.Count)
		}
	}
	order.Sort(s.units, func(a, b cell.Token) int { return b.Count - a.Count })
	return s
}

// numberFormat returns the format of the numbers. Brackets mean a minus if some numbers have
// none. The unit is that of the training file, or the most frequent one if it is clear or
// nearly all cells have it. Scales such as M are multiplied out where cells differ in them.
func (s *survey) numberFormat(c *table.Column, point byte) cell.NumberFormat {
	m := cell.NumberFormat{Point: point, Brackets: s.plain > 0, Bounds: 2*s.bounds < s.cells, Unit: c.LikelyUnit}
	if c.LikelyMark != 0 { // of a model: each cell is read by itself
		m.Brackets, m.Bounds, m.Scales, m.AnyUnit = true, true, true, true
		return m
	}
	if len(s.units) == 0 {
		return m
	}
	first, alike, scales := s.units[0], 0, 0
	for _, u := range s.units {
		if _, _, ok := cell.Convert(u.Text, first.Text); ok {
			alike += u.Count
		}
		if cell.IsScale(u.Text) {
			scales += u.Count
		}
	}
	symbol := strings.ContainsAny(first.Text, "%‰") // beside cells without it, they may be shares
	switch clear := cell.IsWordUnit(first.Text) || cell.IsKnownUnit(first.Text) && !symbol && 2*alike >= s.cells; {
	case scales == s.withUnit && first.Count < s.cells:
		const fewest = 3
		m.Scales = s.withUnit >= fewest && 50*s.withUnit >= s.cells
	case clear || cell.Mostly(alike, s.cells):
		m.Unit = first.Text
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
		b.Notes.Add(note.TopicMarks, nil, "numbers have a decimal comma, as in %s", surveys[i].marks.CommaText)
	}
}

func decideColumn(c *table.Column, s *survey, others cell.MarkEvidence, usual byte, scratch []float64) {
	noteMissing(c)
	trained := c.LikelyMark != 0
	switch {
	case c.TextAnswer:
		c.IsCode = true
		c.Note(note.Note{Topic: note.TopicCode, Text: "the settings say to read the cells as text", Cells: s.cells, Answers: textAnswers(c, "point")})
		return
	case readClock(c, scratch):
		return
	case s.amounts == 0 || !trained && !cell.Mostly(s.amounts, s.cells):
		askOddTexts(c, s)
		return
	}
	if why := whyCode(c); why != "" && !trained {
		c.IsCode = true
		c.Note(note.Note{Topic: note.TopicCode, Text: why, Cells: s.cells, Answers: []note.Answer{
			{Label: "levels", Key: note.KeyNumeric, Now: true}, {Label: "numbers", Key: note.KeyNumeric, Value: c.Name}}})
		return
	}
	if why := whyLetterCode(c, s); why != "" && !trained && !c.ExplicitMark {
		c.IsCode = true
		c.Note(note.Note{Topic: note.TopicCode, Text: why, Cells: s.cells, Answers: textAnswers(c, "point")})
		return
	}
	v := s.marks.Decide(others, usual)
	if !trained && !c.ExplicitMark && !c.ExactMark && s.marks.IsForeign(others) {
		c.IsCode = true
		example := s.marks.CommaText + s.marks.PointText
		c.Note(note.Note{Topic: note.TopicMarks, Ask: true, Cells: s.marks.Comma + s.marks.Point, Answers: textAnswers(c, cell.MarkName(v.Point)),
			Text: message.Sprintf("%s may be one number or two, because other columns have the other decimal mark; choose (now text)", cell.Quote(example))})
		return
	}
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
	m := s.numberFormat(c, v.Point)
	dropOtherUnits(c, s, m.Unit, scratch)
	r := c.Reread(m, trained, scratch)
	noteMarks(c, s, v, r.Grouped)
	if r.Bounds > 0 {
		c.Note(note.Note{Topic: note.TopicUnit, Text: message.Sprintf("bounds such as <0.05 are read as the number after the sign (%s)", cell.CellCount(r.Bounds)), Cells: r.Bounds})
	}
	if r.Footnotes > 0 {
		c.Note(note.Note{Topic: note.TopicUnit, Text: message.Sprintf("marks of footnotes, as in %s, are removed from %s", cell.Quote(s.footnote), cell.CellCount(r.Footnotes)), Cells: r.Footnotes, Answers: textAnswers(c, "")})
	}
	if (c.Numeric() || trained) && r.Units > 0 {
		c.Unit = m.Unit
		text := message.Sprintf("the unit %s is removed from %s", cell.Quote(m.Unit), cell.CellCount(r.Units-r.Converted))
		switch {
		case trained && m.Unit == "":
			text = message.Sprintf("units such as %s are removed from %s, although the training rows had none", cell.Quote(s.units[0].Text), cell.CellCount(r.Units))
		case m.Unit == "":
			text = message.Sprintf("numbers such as 5%s are multiplied out in %s", s.units[0].Text, cell.CellCount(r.Units))
		case r.Converted > 0:
			text += message.Sprintf("; %s in another unit %s converted", cell.CellCount(r.Converted), message.Either(r.Converted == 1, "is", "are"))
		}
		if r.Scaled > 0 {
			text += message.Sprintf("; numbers such as 5M are multiplied out in %s", cell.CellCount(r.Scaled))
		}
		c.Note(note.Note{Topic: note.TopicUnit, Text: text, Cells: r.Units, Answers: textAnswers(c, "")})
	}
}

// readClock reads a column of times of day or durations, and reports whether it is one. A
// few different times are levels.
func readClock(c *table.Column, scratch []float64) bool {
	const fewest = 12 // different cells
	unit, example, clocks, threes := c.LikelyUnit, "", 0, 0
	for _, e := range c.Entries {
		if _, fields, ok := cell.ParseClock(e.Text); ok && !c.PlainNumbers {
			clocks += e.Count
			if fields == 3 {
				threes += e.Count
			}
			if example == "" || fields == 3 && threes == e.Count {
				example = e.Text
			}
		}
	}
	switch {
	case unit == cell.ClockMinutes || unit == cell.ClockSeconds:
	case len(c.Entries) < fewest || clocks == 0 || !cell.Mostly(clocks, c.NumberCount+c.TextCount) || c.LikelyMark != 0:
		return false
	case threes > 0:
		unit = cell.ClockSeconds
	default:
		unit = cell.ClockMinutes
	}
	m := cell.NumberFormat{Point: '.', Unit: unit}
	c.Reread(m, c.LikelyMark != 0, scratch)
	c.Unit = unit
	if v, ok := m.Number(example); ok {
		text := message.Sprintf("times such as %s are read as %s (%s)", cell.Quote(example), unit, cell.FormatNumber(v))
		if unit == cell.ClockMinutes {
			text += ", as hours and minutes"
		}
		c.Note(note.Note{Topic: note.TopicUnit, Text: text, Cells: clocks, Answers: textAnswers(c, "")})
	}
	return true
}

// textAnswers are the answers to whether a column holds numbers with this mark, "" if they
// are read so now, or texts.
func textAnswers(c *table.Column, mark string) []note.Answer {
	numbers := note.Answer{Label: "numbers", Key: note.KeyDecimal, Now: mark == ""}
	if mark != "" {
		numbers.Value = note.Pair(c.Name, mark)
	}
	return []note.Answer{numbers, {Label: "texts", Key: note.KeyDecimal, Value: note.Pair(c.Name, "text"), Now: mark != ""}}
}

// dropOtherUnits makes cells missing whose unit does not convert to that of the column, and
// asks about them.
func dropOtherUnits(c *table.Column, s *survey, unit string, scratch []float64) {
	if unit == "" {
		return
	}
	for _, u := range s.units {
		_, _, alike := cell.Convert(u.Text, unit)
		if alike || c.LikelyMark == 0 && !cell.IsWordUnit(u.Text) && !cell.IsKnownUnit(u.Text) {
			continue
		}
		c.SetMissing([]string{u.Text}, scratch)
		c.Note(note.Note{Topic: note.TopicUnit, Cells: u.Count, Ask: c.LikelyMark == 0,
			Text: message.Sprintf("%s in %s is not the unit %s and counts as missing; convert these cells in the file to use them", cell.Quote(u.Text), cell.CellCount(u.Count), cell.Quote(unit)),
			Answers: []note.Answer{{Label: "missing", Key: note.KeyMissingAs, Value: note.Pair(c.Name, u.Text), Now: true},
				{Label: "texts", Key: note.KeyDecimal, Value: note.Pair(c.Name, "text")}}})
	}
}

// askOddTexts asks about a few texts that are repeated among numbers, such as refused: they
// may mean a missing number.
func askOddTexts(c *table.Column, s *survey) {
	const (
		mostTexts     = 3
		fewestNumbers = 20 // different ones; few numbers may be levels, as the texts are
	)
	if 2*s.amounts < s.cells || whyCode(c) != "" {
		return
	}
	var odd []cell.Token
	left, numbers := s.cells-s.amounts, 0
	for _, e := range c.Entries {
		if _, ok := cell.ParseAmount(e.Text); ok {
			numbers++
		} else if e.Count > 1 {
			odd = append(odd, cell.Token{Text: e.Text, Count: e.Count})
			left -= e.Count
		}
	}
	if !c.PlainNumbers && numbers < fewestNumbers || len(odd) > mostTexts || !cell.Mostly(s.amounts, s.amounts+left) {
		return
	}
	for _, o := range odd {
		c.Note(note.Note{Topic: note.TopicMissing, Cells: o.Count, Ask: true,
			Text: message.Sprintf("%s in %s stands among numbers; choose (now text)", cell.Quote(o.Text), cell.CellCount(o.Count)),
			Answers: []note.Answer{{Label: "missing", Key: note.KeyMissingAs, Value: note.Pair(c.Name, o.Text)},
				{Label: "texts", Key: note.KeyDecimal, Value: note.Pair(c.Name, "text"), Now: true}}})
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
		d.Text = message.Sprintf("%s and %s both look like fractions (%d and %d cells); choose the decimal mark (now the %s)", cell.Quote(e.CommaText), cell.Quote(e.PointText), e.Comma, e.Point, cell.MarkName(v.Point))
	case v.Ask && other != "":
		d.Text = message.Sprintf("%s and %s may be fractions or thousands (%d and %d cells); choose the decimal mark (now the %s)", cell.Quote(example), cell.Quote(other), e.MaybePoint, e.MaybeComma, cell.MarkName(v.Point))
	case v.Ask:
		d.Text = message.Sprintf("%s may be %s or %s, in %s; choose (now %s)", cell.Quote(example), cell.ReadAs(example, '.'), cell.ReadAs(example, ','), cell.CellCount(d.Cells), cell.ReadAs(example, v.Point))
		for i, point := range []byte(".,") {
			d.Answers[i].Label = cell.ReadAs(example, point)
		}
	case v.Why != "" && example != "":
		d.Text = message.Sprintf("%s is read as %s, because %s", cell.Quote(example), cell.ReadAs(example, v.Point), v.Why)
	case v.Why != "":
		d.Cells, d.Text = s.amounts, message.Sprintf("the decimal mark is the %s, because %s", cell.MarkName(v.Point), v.Why)
	case grouped > 0:
		d.Cells, d.Answers, d.Text = grouped, nil, message.Sprintf("thousands separators are removed from %s", cell.CellCount(grouped))
	case v.Point == ',' && e.Comma > 0:
		d.Cells, d.Answers, d.Text = e.Comma, nil, message.Sprintf("numbers have a decimal comma, as in %s", cell.Quote(e.CommaText))
	default:
		return
	}
	c.Note(d)
}
