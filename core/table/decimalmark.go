package table

import "ifmlab/core/cell"

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
