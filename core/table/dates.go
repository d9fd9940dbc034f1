package table

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
)

// BestLayouts returns the date layout with which most cells can be read and how many these
// are. twin is a layout of another order for as many, or "". Of the two, best has the month
// first in 3/4/2024 and the day first in 3-4-2024. answer is the order from the settings,
// or "".
func (c *Column) BestLayouts(answer string) (best, twin cell.Layout, cells int) {
	for _, l := range cell.Layouts {
		if answer != "" && l.Order() != answer {
			continue
		}
		switch n, own := c.fit(l); {
		case n > cells && own > 0:
			best, twin, cells = l, "", n
		case n == cells && own > 0 && l.Order() != best.Order():
			twin = l
		}
	}
	if twin == cell.MDY && slices.ContainsFunc(c.Entries, func(e Entry) bool {
		_, own := twin.Read(e.Text)
		return own && strings.Contains(e.Text, "/")
	}) {
		best, twin = twin, best
	}
	return best, twin, cells
}

// fit counts the cells that can be read with a layout, and of these the ones of the layout
// itself. It gives up early if the first texts show that less than half would.
func (c *Column) fit(l cell.Layout) (cells, own int) {
	const first = 300
	texts := 0
	for i, e := range c.Entries {
		if _, mine, ok := l.ReadAny(e.Text); ok {
			cells += e.Count
			texts++
			if mine {
				own += e.Count
			}
		}
		if i == 5 && texts == 0 || i == first && 2*texts < first {
			break
		}
	}
	return cells, own
}

// IsTime reports whether rows can be sorted by the column: it holds numbers or dates.
func (c *Column) IsTime() bool { return c.Numeric() || c.Layout != "" }

// Write writes a number of the column, or a moment of its dates. Days since 1970 are dates, too.
func (c *Column) Write(at float64) string {
	switch {
	case c.IsDays:
		return cell.DayText(at)
	case c.Layout != "":
		return cell.DayText(at / 86400)
	}
	return cell.FormatNumber(at)
}

// MomentOf is Moment for a text: in the form of the column's cells, or else with a decimal
// point, or as year-month-day.
func (c *Column) MomentOf(text string) (at float64, nanos int) {
	if c.Layout == "" {
		format := c.Format()
		format.Unit, format.Scales = c.Unit, true
		v, ok := format.Number(text)
		if !ok {
			v, ok = cell.ParseNumber(text, '.')
		}
		if !ok {
			v = math.NaN()
		}
		return v, 0
	}
	date, _, ok := c.Layout.ReadAny(text)
	if !ok {
		date, ok = cell.Layout(cell.YMD).Read(text)
	}
	if !ok {
		return math.NaN(), 0
	}
	return float64(date.Seconds - date.Ahead), date.Nanos
}

// Moment returns the cell's time: its number, or for a date the seconds since 1970 in UTC
// and the nanoseconds beyond. It is NaN for a cell that is neither.
func (c *Column) Moment(row int) (at float64, nanos int) {
	if c.Layout == "" {
		return c.Number(row), 0
	}
	date, _, ok := c.Layout.ReadAny(c.Text(row))
	if !ok {
		return math.NaN(), 0
	}
	return float64(date.Seconds - date.Ahead), date.Nanos
}
