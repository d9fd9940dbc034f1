package data

import (
	"ifmlab/core/cell"
	"ifmlab/core/message"
)

// Number returns the number in a cell, NaN where it holds none. O(1).
//
//go:noinline
func (t *Table) Number(column, row int) float64 { return t.columns[column].number(row) }

// Text returns a cell as it was written, trimmed, and "" where it is missing; a
// number in its shortest form where its column holds many. O(1), or O(log cells
// that are no numbers).
//
//go:noinline
func (t *Table) Text(column, row int) string { return t.columns[column].text(row) }

// IsMissing reports whether a cell is empty or stands for no value. It costs as
// much as Text.
//
//go:noinline
func (t *Table) IsMissing(column, row int) bool { return t.columns[column].isMissing(row) }

// Refuse returns the error of a row of which a cell is not what is wanted, as "a
// finite number".
func (t *Table) Refuse(column, row int, want string) RowError {
	c := t.columns[column]
	e := RowError{Problem: NotNumber, File: t.Name, Line: t.Line(row), Field: c.name, Found: cell.Clip(c.text(row))}
	if o := c.oddAt(row); o != nil {
		e.Column = int(o.column)
	}
	e.Message = message.Sprintf("%s is %s, want %s; fix the cell or delete line %d", c.name, cell.Quote(e.Found), want, e.Line)
	return e
}
