package data

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/note"
)

// trimEnds leaves out a row of units below the header, and rows at the end that
// hold totals or name a source, and tells. It does so only where nothing else
// can be meant. It costs O(columns), and O(rows·columns) where a row goes.
func (b *builder) trimEnds() {
	const fewest, most = 3, 5 // rows that stay; rows of a footer
	keep := b.options.Said.Keep
	for range most {
		last := b.rows - 1
		if last < fewest || slices.Contains(keep, "footer") || !b.isFooter(last) {
			break
		}
		b.Notes.Add(note.TopicFile, nil, "line %d is no row but a footer, %s, and is left out", b.Line(last), cell.Quote(b.anyText(last)))
		b.cut(0, last)
	}
	if b.Header && b.rows > fewest && !slices.Contains(keep, "units") && b.isUnits(0) {
		b.Notes.Add(note.TopicUnit, nil, "line %d holds units, as %s, and is left out", b.Line(0), cell.Quote(b.anyText(0)))
		b.cut(1, b.rows)
	}
}

// anyText returns the first cell of a row that is not missing.
func (b *builder) anyText(row int) string {
	for _, c := range b.columns {
		if text := c.text(row); text != "" {
			return text
		}
	}
	return ""
}

// isUnits reports whether the first row holds units: one or more of its cells stand
// in columns of numbers, each is a unit, and in each such column all other cells are
// numbers or missing; in other columns its cells are missing or in brackets. One of
// them has to stand in brackets, or to be known as a unit beside another.
func (b *builder) isUnits(row int) bool {
	units, known, inBrackets := 0, false, false
	for _, c := range b.columns {
		text := c.text(row)
		inside := len(text) > 2 && (text[0] == '(' && text[len(text)-1] == ')' || text[0] == '[' && text[len(text)-1] == ']')
		switch _, number := c.numberFormat().number(text); {
		case text == "":
		case number:
			return false
		case c.numbers == 0 || c.texts > 1:
			if !inside || c.numbers > 0 {
				return false
			}
		case inside:
			inBrackets = true
		case cell.IsUnit(text):
			known = known || cell.IsKnownUnit(text)
			units++
		default:
			return false
		}
	}
	return inBrackets || known && units > 1
}

// numberFormat returns how the column's cells are read before that is settled.
func (c *column) numberFormat() numberFormat { return numberFormat{point: c.point, brackets: true} }

// isFooter reports whether a row is none: its first cell that is not missing names
// a total, with another cell missing that is there in all other rows, or a source
// or note, with all others missing. The text stands nowhere else in its column.
func (b *builder) isFooter(row int) bool {
	text, others, gaps := "", 0, 0
	for _, c := range b.columns {
		switch t := c.text(row); {
		case t == "" && c.missing == 1:
			gaps++
		case t == "":
		case text != "":
			others++
		case c.cells(t) != 1:
			return false
		default:
			text = cell.Lower(strings.TrimSpace(strings.TrimRight(t, ":")))
		}
	}
	switch text {
	case "total", "totals", "sum", "grand total", "average", "mean", "summe", "gesamt", "insgesamt", "mittelwert", "somme", "moyenne", "suma":
		return gaps > 0 || others == 0 && len(b.columns) > 1
	}
	for _, word := range [...]string{"source", "sources", "note", "notes", "quelle", "fuente", "*"} {
		if rest, ok := strings.CutPrefix(text, word); ok && len(b.columns) > 1 && others == 0 && (word == "*" || rest != "" && rest[0] == ':') {
			return true
		}
	}
	return false
}

// cells returns in how many rows a text stands that is no number.
func (c *column) cells(text string) int {
	for _, e := range c.entries {
		if e.text == text {
			return e.count
		}
	}
	return 0
}

// cut keeps rows first ≤ i < last.
func (b *builder) cut(first, last int) {
	b.Preview = b.Preview[min(first, len(b.Preview)):min(last, len(b.Preview))]
	var lines []lineStep
	for row := first; row < last; row++ {
		line := b.Line(row)
		if n := len(lines); n == 0 || lines[n-1].line+row-first-lines[n-1].row != line {
			lines = append(lines, lineStep{row - first, line})
		}
	}
	b.lines, b.rows = lines, last-first
	for _, c := range b.columns {
		c.cut(first, last, b.scratch)
	}
}

// cut keeps rows first ≤ i < last of a column.
func (c *column) cut(first, last int, scratch []float64) {
	c.codes, c.values = slice(c.codes, first, last), slice(c.values, first, last)
	c.odd = slices.DeleteFunc(c.odd, func(o oddCell) bool { return int(o.row) < first || int(o.row) >= last })
	for i := range c.odd {
		c.odd[i].row -= int32(first)
	}
	c.maybe = slices.DeleteFunc(c.maybe, func(row int32) bool { return int(row) < first || int(row) >= last })
	for i := range c.maybe {
		c.maybe[i] -= int32(first)
	}
	if c.plain {
		c.placeNumbers()
	} else {
		for i := range c.entries {
			c.entries[i].count = 0
		}
		for _, block := range c.codes {
			for _, code := range block {
				if code != missingCode {
					c.entries[code].count++
				}
			}
		}
		c.forget(func(e entry) bool { return e.count == 0 })
	}
	c.recount(scratch)
}
