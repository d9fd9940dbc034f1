package trees

import (
	"math"

	"ifmlab/core/data"
	"ifmlab/core/kernel"
)

// check returns an error unless rows can be learnt from: there are some, every
// column has a cell for each, and the targets are finite, or classes, and so are
// their weights.
func check(part string, r Rows, weight []float64, classes bool) error {
	switch {
	case len(r.Y) == 0:
		return shape("no %s rows, want at least 1", part)
	case len(r.Columns) == 0:
		return shape("no columns, want at least 1")
	}
	for i, y := range r.Y {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return &NotFiniteError{Part: part, Row: i, Found: y}
		}
		if classes && y != 0 && y != 1 {
			return &ClassError{Part: part, Row: i, Found: y}
		}
	}
	if weight != nil {
		if len(weight) != len(r.Y) {
			return shape("%d weights of %s rows, want %d", len(weight), part, len(r.Y))
		}
		for i, c := range weight {
			if !(c >= 0) || math.IsInf(c, 1) {
				return &WeightError{Part: part, Row: i, Found: c}
			}
		}
		if sum := kernel.Sum(weight); sum == 0 || math.IsInf(sum, 1) {
			return &WeightError{Part: part, Row: -1, Found: sum}
		}
	}
	return cells(part, r.Columns, len(r.Y))
}

// cells returns an error unless every column has so many cells.
func cells(part string, columns []data.Raw, rows int) error {
	for i := range columns {
		c := &columns[i]
		if n := length(c); n != rows {
			return shape("%s has %d cells in %s rows, want %d", c.Name, n, part, rows)
		}
		for row, code := range c.Codes {
			if int(code) >= len(c.Levels) {
				return shape("%s has level %d in %s row %d and a list of %d levels", c.Name, int(code), part, row, len(c.Levels))
			}
		}
	}
	return nil
}

// length returns the number of cells of a column.
func length(c *data.Raw) int {
	if c.Kind == data.Numeric {
		return len(c.Numbers)
	}
	return len(c.Codes)
}

// same returns an error unless the columns are those that were trained on, in
// their order.
func (b *Booster) same(part string, columns []data.Raw) error {
	if len(columns) != len(b.columns) {
		return shape("%s rows have %d columns, want the %d of the training rows", part, len(columns), len(b.columns))
	}
	for i, c := range b.columns {
		if columns[i].Name != c.name || columns[i].Kind != c.kind {
			return shape("column %d of %s rows is %s (%s), want %s (%s) as in the training rows", i, part, columns[i].Name, string(columns[i].Kind), c.name, string(c.kind))
		}
	}
	return nil
}
