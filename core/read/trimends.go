package read

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// dropUnitsAndFooter drops a row of units below the header, and rows of totals or sources at
// the end, if they can be nothing else. Notes tell which. It costs O(columns), and
// O(rows·columns) if a row goes.
func (b *builder) dropUnitsAndFooter() {
	const fewest, most = 3, 5 // rows of the table, at least; rows of a footer, at most
	keep := b.options.Answers.DataRows
	for range most {
		last := b.Rows - 1
		if last < fewest || slices.Contains(keep, "footer") || !b.isFooter(last) {
			break
		}
		b.noteLeftOut("footer", message.Sprintf("line %d is a footer, %s, and is left out", b.Line(last), cell.Quote(b.firstText(last))))
		b.keepRows(func(row int) bool { return row < last })
	}
	if b.Header && b.Rows > fewest && !slices.Contains(keep, "units") && b.isUnits(0) {
		b.noteLeftOut("units", message.Sprintf("line %d has units, such as %s, and is left out", b.Line(0), cell.Quote(b.firstText(0))))
		b.keepRows(func(row int) bool { return row > 0 })
	}
}

// noteLeftOut notes rows that are left out unless the settings keep rows of their kind.
func (b *builder) noteLeftOut(kind, text string) {
	b.Notes = append(b.Notes, note.Note{Topic: note.TopicFile, Text: text, Answers: []note.Answer{
		{Label: "leave out", Key: note.KeyKeep, Now: true}, {Label: "read as rows", Key: note.KeyKeep, Value: kind}}})
}

// firstText returns the first cell of a row that is not missing.
func (b *builder) firstText(row int) string {
	for _, c := range b.Columns {
		if text := c.Text(row); text != "" {
			return text
		}
	}
	return ""
}

// isUnits reports whether a row holds units. In columns of numbers, one or more of its cells
// are units and all other rows have numbers. In other columns its cells are missing or in
// brackets. One unit is in brackets, or a known one beside another.
func (b *builder) isUnits(row int) bool {
	units, known, inBrackets := 0, false, false
	for _, c := range b.Columns {
		text := c.Text(row)
		inside := len(text) > 2 && (text[0] == '(' && text[len(text)-1] == ')' || text[0] == '[' && text[len(text)-1] == ']')
		switch _, number := c.Format().Number(text); {
		case text == "":
		case number:
			return false
		case c.NumberCount == 0 || c.TextCount > 1:
			if !inside || c.NumberCount > 0 {
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

// isFooter reports whether a row is a footer. Its first text names a total, and another cell
// is missing that no other row misses, or the text stands among numbers. Or its only text is a source or note. The text
// occurs nowhere else in its column.
func (b *builder) isFooter(row int) bool {
	text, others, gaps, inNumbers := "", 0, 0, false
	for _, c := range b.Columns {
		switch t := c.Text(row); {
		case t == "" && c.MissingCount == 1:
			gaps++
		case t == "":
		case text != "":
			others++
		case c.CountText(t) != 1:
			return false
		default:
			text = cell.Lower(strings.TrimSpace(strings.TrimRight(t, ":")))
			inNumbers = c.TextCount == 1 && c.NumberCount > 1
		}
	}
	if text == "grand total" || slices.Contains(totalWords, text) {
		return gaps > 0 || inNumbers || others == 0 && len(b.Columns) > 1
	}
	for _, word := range [...]string{"source", "sources", "note", "notes", "quelle", "fuente", "*"} {
		if rest, ok := strings.CutPrefix(text, word); ok && len(b.Columns) > 1 && others == 0 && (word == "*" || rest != "" && rest[0] == ':') {
			return true
		}
	}
	return false
}

// keepRows removes all other rows.
func (b *builder) keepRows(keep func(row int) bool) {
	var rows []int32
	var lines []table.LineStep
	var preview [][]string
	for row := range b.Rows {
		if !keep(row) {
			continue
		}
		if row < len(b.Preview) {
			preview = append(preview, b.Preview[row])
		}
		at, line := len(rows), b.Line(row)
		if n := len(lines); n == 0 || lines[n-1].Line+at-lines[n-1].Row != line {
			lines = append(lines, table.LineStep{Row: at, Line: line})
		}
		rows = append(rows, int32(row))
	}
	b.Preview, b.Lines, b.Rows = preview, lines, len(rows)
	for _, c := range b.Columns {
		c.KeepRows(rows, b.scratch)
	}
}
