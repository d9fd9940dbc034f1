package data

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/note"
)

// numberFormat is how the cells of a column are read as numbers.
type numberFormat struct {
	point    byte   // of decimal fractions
	unit     string // that is taken off
	few      bool   // few cells have a unit: those that say so of themselves are taken off
	brackets bool   // are a minus
}

// number reads a trimmed cell.
func (m numberFormat) number(text string) (float64, bool) {
	v, _, ok := m.read(text)
	return v, ok
}

// read is number. It returns as well what the cell was taken apart into, nothing
// for one that [cell.ParseNumber] reads, which costs nothing more.
func (m numberFormat) read(text string) (v float64, a cell.Amount, ok bool) {
	if v, ok = cell.ParseNumber(text, m.point); ok {
		return v, a, true
	}
	a, ok = cell.ParseAmount(text)
	switch {
	case !ok, a.Brackets && !m.brackets:
		return 0, a, false
	case a.Unit != "" && a.Unit != m.unit && !(m.few && cell.IsWordUnit(a.Unit)):
		return 0, a, false
	}
	v, ok = a.Number(m.point)
	return v, a, ok
}

// survey is what the cells of a column look like before it is settled how to read
// them. Cells that are missing do not count.
type survey struct {
	cells   int
	amounts int // that are a number under one decimal mark or the other
	naked   int // of them those without brackets
	marks   cell.MarkEvidence
	units   []cell.Token
	carried int // amounts with a unit
}

// survey looks at the different cells of the column. O(entries).
func (c *column) survey() survey {
	s := survey{cells: c.numbers + c.texts}
	if c.plain {
		s.amounts, s.naked, s.marks = c.numbers, c.numbers, c.written
	}
	for _, e := range c.entries {
		a, ok := cell.ParseAmount(e.text)
		if !ok || e.count == 0 {
			continue
		}
		if _, ok := a.Number('.'); !ok {
			if _, ok = a.Number(','); !ok {
				continue
			}
		}
		s.amounts += e.count
		s.marks.Add(e.text, cell.Sight(a.Body), e.count)
		if !a.Brackets {
			s.naked += e.count
		}
		if a.Unit != "" {
			s.carried += e.count
			s.units = cell.CountToken(s.units, a.Unit, e.count)
		}
	}
	return s
}

// numberFormat says what is taken off numbers: brackets, where others have none; the
// unit that 90 % of the cells carry; where less than 2 % carry any, all that are
// clearly units.
func (s *survey) numberFormat(point byte) numberFormat {
	m := numberFormat{point: point, brackets: s.naked > 0, few: 50*s.carried < s.cells}
	for _, u := range s.units {
		if enough(u.Count, s.cells) {
			m.unit = u.Text
		}
	}
	return m
}

// understand settles how each column is read, with what the others show, reads
// its cells anew where that makes a difference, and tells. It costs O(different
// cells), and O(rows) for a column whose cells change.
func (b *builder) understand() {
	surveys := make([]survey, len(b.columns))
	var marks cell.MarkEvidence
	for i, c := range b.columns {
		c.blank(c.missingAs, b.scratch)
		surveys[i] = c.survey()
		if s := &surveys[i]; 2*s.amounts >= s.cells {
			marks.Comma += s.marks.Comma
			marks.Point += s.marks.Point
		}
	}
	for i, c := range b.columns {
		c.understand(&surveys[i], marks, b.point, b.scratch)
		c.maybe = nil
	}
	if i := slices.IndexFunc(surveys, func(s survey) bool { return s.marks.Comma > 0 }); i >= 0 && b.point == ',' {
		b.Notes.Add(note.TopicMarks, nil, "numbers are written with a decimal comma, as in %s, and read as such", surveys[i].marks.CommaText)
	}
}

func (c *column) understand(s *survey, others cell.MarkEvidence, usual byte, scratch []float64) {
	c.decideTokens()
	if s.amounts == 0 || !enough(s.amounts, s.cells) {
		return
	}
	if why := c.whyCode(); why != "" {
		c.code = true
		c.decide(note.Note{Topic: note.TopicCode, Text: why, Cells: s.cells, Answers: []note.Answer{
			{Label: "levels", Key: note.KeyNumeric, Now: true}, {Label: "numbers", Key: note.KeyNumeric, Value: c.name}}})
		return
	}
	v := s.marks.Decide(others, usual)
	switch {
	case c.exact:
		v = cell.MarkChoice{Point: c.point}
	case c.told:
		v = cell.MarkChoice{Point: c.point, Why: "the settings say so"}
	case c.likely != 0 && s.marks.Comma+s.marks.Point == 0:
		v = cell.MarkChoice{Point: c.likely, Why: "the model was trained so"}
	case c.plain && !c.open && v.Point != c.point && c.fractions():
		v.Point = c.point // in which the second form holds them
	}
	m := s.numberFormat(v.Point)
	grouped, taken := c.restate(m, scratch)
	c.decideMarks(s, v, grouped)
	if c.numeric() {
		c.suggestMissing()
	}
	if c.numeric() && taken > 0 {
		c.unit = m.unit
		text := message.Sprintf("a unit is taken off %s", cells(taken))
		if m.unit != "" {
			text = message.Sprintf("%s is taken off %s", cell.Quote(m.unit), cells(taken))
		}
		c.decide(note.Note{Topic: note.TopicUnit, Text: text, Cells: taken, Answers: []note.Answer{
			{Label: "numbers", Key: note.KeyCategorical, Now: true}, {Label: "texts", Key: note.KeyCategorical, Value: c.name}}})
	}
}

// restate reads all cells anew, unless that leaves less than 90 % of them
// numbers. It returns how many of the numbers have marks between thousands and how
// many a unit. O(entries), or O(rows) where a cell changes.
func (c *column) restate(m numberFormat, scratch []float64) (grouped, taken int) {
	read := make([]float64, len(c.entries))
	numbers, changed := 0, c.plain && m.point != c.point
	if c.plain {
		numbers = c.numbers
	}
	for i, e := range c.entries {
		v, a, ok := m.read(e.text)
		if !ok {
			v = math.NaN()
		} else if numbers += e.count; a.Body != "" {
			if _, ungrouped := cell.ParseNumber(a.Body, m.point); !ungrouped {
				grouped += e.count
			}
			if a.Unit != "" {
				taken += e.count
			}
		}
		changed = changed || math.Float64bits(v) != math.Float64bits(e.number) && (v == v || e.number == e.number)
		read[i] = v
	}
	if !enough(numbers, c.numbers+c.texts) {
		return 0, 0
	}
	switched := m.point != c.point
	c.point = m.point
	if !changed {
		return grouped, taken
	}
	for i, v := range read {
		c.entries[i].number = v
	}
	if c.plain {
		for _, row := range c.maybe {
			if x := &c.values[row/blockLen][row%blockLen]; switched { // 1.234 is 1234
				*x = math.Round(*x * 1000)
				grouped++
			}
		}
		c.placeNumbers()
	}
	c.recount(scratch)
	return grouped, taken
}

// placeNumbers puts the numbers of odd cells among the values of a column in its
// second form, and leaves the entries and odd cells that are none.
func (c *column) placeNumbers() {
	old, odd := c.entries, c.odd[:0]
	c.dict, c.entries = dictionary{}, nil
	for _, o := range c.odd {
		e := old[o.code]
		if e.number == e.number {
			c.values[o.row/blockLen][o.row%blockLen] = e.number
			continue
		}
		o.code = c.intern(e.text, math.NaN())
		c.entries[o.code].count++
		odd = append(odd, o)
	}
	c.odd = odd
}

// recount sums up a column whose cells have changed. A dictionary that has become
// one of many numbers takes its second form. O(rows).
func (c *column) recount(scratch []float64) {
	rows := c.rows()
	c.numbers, c.texts, c.min, c.max = 0, 0, math.Inf(1), math.Inf(-1)
	c.rising, c.last = true, 0
	if !c.plain {
		c.recountCodes()
		if !c.numeric() || len(c.entries) <= maxDistinct || c.asText {
			return
		}
		c.keepNumbers()
		c.open, c.maybe = false, nil
	}
	c.sums, c.settled, c.texts = moment.Accumulator{}, 0, len(c.odd)
	c.missing = 0
	c.numbers = 0
	for _, block := range c.values {
		for _, v := range block {
			if v != v {
				c.missing++
			}
		}
	}
	c.missing -= c.texts
	c.rising = c.missing+c.texts == 0
	c.settle(rows, scratch)
}

// recountCodes sums up the cells of a column in its first form.
func (c *column) recountCodes() {
	for i := range c.entries {
		c.entries[i].count = 0
	}
	c.missing = 0
	for _, block := range c.codes {
		for _, code := range block {
			switch {
			case code == missingCode:
				c.missing++
				c.rising = false
			case c.entries[code].number == c.entries[code].number:
				c.entries[code].count++
				c.addNumber(c.entries[code].number)
			default:
				c.entries[code].count++
				c.texts++
				c.rising = false
			}
		}
	}
	c.odd = slices.DeleteFunc(c.odd, func(o oddCell) bool {
		return o.code == missingCode || c.entries[o.code].number == c.entries[o.code].number
	})
}

// rows returns how many cells the column has.
func (c *column) rows() int { return length(c.codes) + length(c.values) }

// decideMarks tells what the marks of the numbers are taken for.
func (c *column) decideMarks(s *survey, v cell.MarkChoice, grouped int) {
	e := &s.marks
	answers := []note.Answer{
		{Label: "decimal point", Key: note.KeyDecimal, Value: pair(c.name, "point"), Now: v.Point == '.'},
		{Label: "decimal comma", Key: note.KeyDecimal, Value: pair(c.name, "comma"), Now: v.Point == ','},
	}
	example, other := e.MaybePointText, e.MaybeCommaText
	if example == "" {
		example, other = other, ""
	}
	d := note.Note{Topic: note.TopicMarks, Ask: v.Ask, Answers: answers, Cells: e.MaybeComma + e.MaybePoint}
	switch {
	case v.Ask && e.Comma > 0 && e.Point > 0:
		d.Cells = e.Comma + e.Point
		d.Text = message.Sprintf("%s and %s both look like fractions (%d and %d cells); choose the mark of fractions, now the %s", cell.Quote(e.CommaText), cell.Quote(e.PointText), e.Comma, e.Point, markName(v.Point))
	case v.Ask && other != "":
		d.Text = message.Sprintf("%s and %s may be fractions or thousands (%d and %d cells); choose the mark of fractions, now the %s", cell.Quote(example), cell.Quote(other), e.MaybePoint, e.MaybeComma, markName(v.Point))
	case v.Ask:
		d.Text = message.Sprintf("%s may be %s or %s, in %s; choose, now it is %s", cell.Quote(example), readAs(example, '.'), readAs(example, ','), cells(d.Cells), readAs(example, v.Point))
		for i, point := range []byte(".,") {
			d.Answers[i].Label = readAs(example, point)
		}
	case v.Why != "" && example != "":
		d.Text = message.Sprintf("%s is read as %s, since %s", cell.Quote(example), readAs(example, v.Point), v.Why)
	case v.Why != "":
		d.Cells, d.Text = s.amounts, message.Sprintf("the %s is the mark of fractions, since %s", markName(v.Point), v.Why)
	case grouped > 0:
		d.Cells, d.Answers, d.Text = grouped, nil, message.Sprintf("marks between thousands are passed over in %s", cells(grouped))
	case v.Point == ',' && e.Comma > 0:
		d.Cells, d.Answers, d.Text = e.Comma, nil, message.Sprintf("fractions are written with a comma, as in %s", cell.Quote(e.CommaText))
	default:
		return
	}
	c.decide(d)
}

func markName(point byte) string {
	if point == ',' {
		return "comma"
	}
	return "point"
}

// readAs returns what a cell is under a decimal mark, in its shortest form.
func readAs(text string, point byte) string {
	a, _ := cell.ParseAmount(text)
	v, _ := a.Number(point)
	return cell.FormatNumber(v)
}
