package table

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
)

// showsMark reports whether the numbers of a dictionary show their decimal mark, so that
// their texts may be dropped. Cells such as 1.234, whose mark may separate thousands, leave
// it open until another cell shows it. It costs O(1) for each new entry.
func (c *Column) showsMark() bool {
	for ; c.weighed < len(c.Entries); c.weighed++ {
		c.addEvidence(c.Entries[c.weighed])
	}
	return c.ExplicitMark || c.Marks.Comma+c.Marks.Point > 0 || c.Marks.MaybeComma+c.Marks.MaybePoint == 0
}

// addEvidence counts what a number shows about its mark.
func (c *Column) addEvidence(e Entry) {
	if e.Number != e.Number {
		return
	}
	unsigned := e.Text
	if unsigned[0] == '+' || unsigned[0] == '-' {
		unsigned = unsigned[1:]
	}
	c.Marks.Add(e.Text, cell.PlainMarkHint(unsigned, c.Point), e.Count)
}

// WrittenMark returns the decimal mark of what is written for the program that made the file:
// that of most columns, or a comma if the file has semicolons between its cells and no number
// that shows a mark. Spreadsheets put semicolons where the comma is decimal. O(cells).
func (t *Table) WrittenMark() byte {
	marked := func(c *Column) bool {
		return c.ExplicitMark || c.Marks.Comma+c.Marks.Point+c.Marks.MaybeComma+c.Marks.MaybePoint > 0 || c.HasFractions() ||
			slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Number == e.Number && strings.ContainsAny(e.Text, ".,") })
	}
	if t.Separator == ';' && !slices.ContainsFunc(t.Columns, marked) {
		return ','
	}
	return t.Point
}
