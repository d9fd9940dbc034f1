package table

import (
	"math"
	"strings"

	"ifmlab/core/cell"
)

// Layouts returns the layout that fits most cells, how many these are, and a layout of
// another order that fits as many, "" if there is none. If there is one, the month comes
// first in 3/4/2024 and the day in 3-4-2024.
func (c *Column) Layouts(answer string) (best, twin cell.Layout, cells int) {
	for _, l := range cell.Layouts {
		if answer != "" && !strings.HasSuffix(answer, "?") && l.Order() != answer {
			continue
		}
		switch n := c.fit(l); {
		case n > cells:
			best, twin, cells = l, "", n
		case n == cells && n > 0 && l.Order() != best.Order():
			twin = l
		}
	}
	if twin == cell.MDY && strings.Contains(c.Entries[0].Text, "/") {
		best, twin = twin, best
	}
	return best, twin, cells
}

// fit counts the cells that fit a layout, as far as the first 300 texts let expect
// that half of them do.
func (c *Column) fit(l cell.Layout) (cells int) {
	const first = 300
	texts := 0
	for i, e := range c.Entries {
		if _, ok := l.Read(e.Text); ok {
			cells += e.Count
			texts++
		}
		if i == 5 && texts == 0 || i == first && 2*texts < first {
			break
		}
	}
	return cells
}

// Timed reports whether the column's cells are times that rows can be sorted by.
func (c *Column) Timed() bool { return c.Numeric() || c.Layout != "" }

// Moment returns the time that a cell tells: a number, or the seconds of a date since
// 1970 in UTC and the nanoseconds behind; NaN for a cell that is neither.
func (c *Column) Moment(row int) (at float64, nanos int) {
	if c.Layout == "" {
		return c.Number(row), 0
	}
	date, ok := c.Layout.Read(c.Text(row))
	if !ok {
		return math.NaN(), 0
	}
	return float64(date.Seconds - date.Ahead), date.Nanos
}
