package table

import (
	"math"
	"strings"

	"ifmlab/core/cell"
)

// BestLayouts returns the date layout that fits most cells and how many these are. twin is
// a layout of another order that fits as many, or "". Of the two, best has the month first
// in 3/4/2024 and the day first in 3-4-2024. answer is the order from the settings, or "".
func (c *Column) BestLayouts(answer string) (best, twin cell.Layout, cells int) {
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

// fit counts the cells that fit a layout. It gives up early if the first texts show that
// less than half would.
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

// IsTime reports whether rows can be sorted by the column: it holds numbers or dates.
func (c *Column) IsTime() bool { return c.Numeric() || c.Layout != "" }

// Moment returns the cell's time: its number, or for a date the seconds since 1970 in UTC
// and the nanoseconds beyond. It is NaN for a cell that is neither.
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
