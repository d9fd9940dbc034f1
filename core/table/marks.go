package table

import "ifmlab/core/cell"

// weigh keeps what the numbers of a dictionary say of their marks, before it is
// given up for numbers, and whether more has to be looked at. It returns, an
// entry each, whether its mark may be decimal or not.
func (c *Column) weigh(entries []Entry) (maybe []bool) {
	maybe = make([]bool, len(entries))
	for i, e := range entries {
		if e.Number == e.Number {
			maybe[i] = c.weighCell(e.Text, e.Count)
		}
	}
	w := &c.Marks
	c.MarkOpen = !c.MarkGiven && w.Comma+w.Point == 0 && w.MaybeComma+w.MaybePoint > 0
	return maybe
}

func (c *Column) weighCell(text string, cells int) (maybe bool) {
	unsigned := text
	if text != "" && (text[0] == '+' || text[0] == '-') {
		unsigned = text[1:]
	}
	saw := cell.SightPlain(unsigned, c.Point)
	c.Marks.Add(text, saw, cells)
	return saw == cell.SawMaybeComma || saw == cell.SawMaybePoint
}

// watch weighs a further number of an open column.
func (c *Column) watch(row int, cell string) {
	if c.weighCell(cell, 1) {
		c.MarkMaybe = append(c.MarkMaybe, int32(row))
	}
	if c.Marks.Comma+c.Marks.Point > 0 {
		c.MarkOpen, c.MarkMaybe = false, nil
	}
}
