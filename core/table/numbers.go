package table

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/title"
)

// Numbers is a table from a program instead of a file. All cells are finite numbers: none
// is missing, a code or a date.
type Numbers struct {
	Name    string   // in messages, as a file's
	Columns []string // names, no two alike
	Rows    int
	At      func(row, column int) float64
	// Valid and Test are the shares of validation and test rows in a random split, rounded
	// down to rows. Together they are less than 1.
	Valid, Test float64
}

// Fifth is the share of validation rows, and of test rows, of a file.
const Fifth = .2

// FromNumbers returns n as a table. It equals the table that [read.Read] returns for a CSV
// file of the same numbers in shortest form, if that finds plain numbers only and the
// shares are a [Fifth]. The line of a row is its number, from 1. FromNumbers returns a
// [*design.ShapeError] for no rows or columns, too many columns, two columns of one name,
// and a number that is not finite. O(rows·columns).
func FromNumbers(n Numbers) (*Table, error) {
	switch {
	case len(n.Columns) == 0 || n.Rows == 0:
		return nil, badShape("there are %d rows and %d columns, expected at least 1 of each", n.Rows, len(n.Columns))
	case !(n.Valid >= 0 && n.Test >= 0 && n.Valid+n.Test < 1):
		return nil, badShape("the validation and test shares are %g and %g, expected numbers of at least 0 with a sum below 1", n.Valid, n.Test)
	case len(n.Columns) > MaxColumns:
		return nil, badShape("there are %d columns, expected at most %d", len(n.Columns), MaxColumns)
	}
	t := &Table{Name: n.Name, Separator: ',', Header: true, Point: '.', Rows: n.Rows, Lines: []LineStep{{0, 1}}, Shares: [2]float64{n.Valid, n.Test}}
	taken, scratch := title.UniqueNames{}, make([]float64, BlockLen)
	for j, name := range n.Columns {
		if taken.Unique(name) != name {
			return nil, badShape("two columns are called %q. Rename one", name)
		}
		c := NewColumn(name, '.')
		c.asText, c.ExplicitMark = false, true // whatever its name says
		for i := range n.Rows {
			v := n.At(i, j)
			if v-v != 0 {
				return nil, badShape("%s is %g in row %d, expected a finite number", name, v, i+1)
			}
			if c.PlainNumbers {
				c.Values.Add(v)
			} else {
				c.Add(i, cell.FormatNumber(v+0)) // −0 is 0
			}
			if i%BlockLen == BlockLen-1 {
				c.SumUp(i+1, scratch)
			}
		}
		c.SumUp(n.Rows, scratch)
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

func badShape(format string, args ...any) *design.ShapeError {
	return &design.ShapeError{Message: message.Sprintf(format, args...)}
}
