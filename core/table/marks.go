package table

import "ifmlab/core/cell"

// settlesMark reports whether the numbers of a dictionary leave no doubt about their
// decimal mark, so that their texts may be given up. A mark that may stand between
// thousands as well, as in 1.234, leaves it until some cell settles it. It costs O(1) for
// each new entry.
func (c *Column) settlesMark() bool {
	for ; c.weighed < len(c.Entries); c.weighed++ {
		c.weigh(c.Entries[c.weighed])
	}
	return c.MarkGiven || c.Marks.Comma+c.Marks.Point > 0 || c.Marks.MaybeComma+c.Marks.MaybePoint == 0
}

// weigh adds what a number says of its mark.
func (c *Column) weigh(e Entry) {
	if e.Number != e.Number {
		return
	}
	unsigned := e.Text
	if unsigned[0] == '+' || unsigned[0] == '-' {
		unsigned = unsigned[1:]
	}
	c.Marks.Add(e.Text, cell.SightPlain(unsigned, c.Point), e.Count)
}
