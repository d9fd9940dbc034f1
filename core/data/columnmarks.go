package data

import (
	"math"
	"slices"

	"ifmlab/core/cell"
)

// weigh keeps what the numbers of a dictionary say of their marks, before it is
// given up for numbers, and whether more has to be looked at. It returns, an
// entry each, whether its mark may be decimal or not.
func (c *column) weigh(entries []entry) (maybe []bool) {
	maybe = make([]bool, len(entries))
	for i, e := range entries {
		if e.number == e.number {
			maybe[i] = c.weighCell(e.text, e.count)
		}
	}
	w := &c.written
	c.open = !c.told && w.Comma+w.Point == 0 && w.MaybeComma+w.MaybePoint > 0
	return maybe
}

// fractions reports whether some number of the second form is not whole.
func (c *column) fractions() bool {
	for _, block := range c.values {
		if slices.ContainsFunc(block, func(v float64) bool { return v != math.Trunc(v) && v == v }) {
			return true
		}
	}
	return false
}

func (c *column) weighCell(text string, cells int) (maybe bool) {
	unsigned := text
	if text != "" && (text[0] == '+' || text[0] == '-') {
		unsigned = text[1:]
	}
	saw := cell.SightPlain(unsigned, c.point)
	c.written.Add(text, saw, cells)
	return saw == cell.SawMaybeComma || saw == cell.SawMaybePoint
}

// watch weighs a further number of an open column.
func (c *column) watch(row int, cell string) {
	if c.weighCell(cell, 1) {
		c.maybe = append(c.maybe, int32(row))
	}
	if c.written.Comma+c.written.Point > 0 {
		c.open, c.maybe = false, nil
	}
}
