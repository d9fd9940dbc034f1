package roles

import (
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// suggest fills in the splits that the columns speak for and that are not the
// plan's own.
func (p *Plan) suggest() {
	for _, s := range suggestions(p.Table, p.Uses, p.TargetColumn) {
		if s.Topic != note.Topic(p.SplitRule.Kind) {
			p.Suggested = append(p.Suggested, s)
		}
	}
}

// newGroups says what a split by groups tests.
const newGroups = "a random split tests on values seen in training, a split by it on new values"

// suggestions returns the splits that columns speak for: by time, of the column
// with most times, and by each identifier that repeats. A column's values are what
// counts, whether it is used or not. O(columns), after guessAll has looked at the table
// once.
func suggestions(t *table.Table, uses []Use, target int) (all note.Notes) {
	latest, most, times := -1, 0, guessAll(t).times
	for i, c := range t.Columns {
		if i == target {
			continue
		}
		if n := times[i]; n > most {
			latest, most = i, n
		}
		if identifies(c, uses[i].Kind) {
			all.Add(note.TopicGroup, []string{c.Name}, "it is an identifier whose values repeat; "+newGroups)
		} else if guessAll(t).groups[i] {
			all.Add(note.TopicGroup, []string{c.Name}, "each of its %d values has rows that belong together; "+newGroups, len(c.Entries))
		}
	}
	if latest >= 0 {
		var time note.Notes
		time.Add(note.TopicTime, []string{t.Columns[latest].Name}, "it is a time; to test on later rows only, split by it")
		return append(time, all...)
	}
	return all
}

// identifies reports whether a column of levels is an identifier that repeats.
func identifies(c *table.Column, kind design.Kind) bool {
	if kind != design.Categorical || !title.Of(c.Name).Identifier() {
		return false
	}
	return c.PlainNumbers || len(c.Entries) >= groupLevels && 2*len(c.Entries) <= c.NumberCount+c.TextCount
}

// groupsRows reports whether a column of texts names things that were seen several times: at
// different times, so that no pair of thing and time repeats though chance would repeat
// many, or with a number of their own that all their rows share. O(rows·columns) for a column
// that may.
func groupsRows(t *table.Table, at int, g *guesses) bool {
	c := t.Columns[at]
	values, cells, name := len(c.Entries), c.NumberCount+c.TextCount, title.Of(c.Name)
	if name.Clock() || name.Period() || name.Date() || c.Numeric() || c.Layout != "" || c.PartOf != "" || c.PlainNumbers || values < groupLevels || 2*values > cells {
		return false
	}
	rows := make([]int32, t.Rows)
	for row := range rows {
		rows[row] = int32(row)
	}
	of, _ := c.Classes(rows)
	for i, other := range t.Columns {
		different, named := max(g.values[i], g.times[i]), title.Of(other.Name)
		isTime := g.times[i] > 0 || different > 2 && isPeriod(other, named)
		byChance := float64(cells) * float64(cells) / (2 * float64(values) * float64(max(1, different))) // pairs that repeat
		switch {
		case isTime && byChance > fewestChance:
			times, _ := other.Classes(rows)
			if all, different := pairs(of, times, cells); 200*(all-different) <= all {
				return true
			}
		case !isTime && other.Numeric() && other.PartOf == "" && !named.Identifier():
			numbers, first := other.Classes(rows)
			if all, different := pairs(of, numbers, values); 2*len(first) >= values && different <= values && 2*different <= all {
				return true
			}
		}
	}
	return false
}

// fewestChance is how many pairs would repeat by chance where none does.
const fewestChance = 20

// pairs counts the rows that have both classes, and how many pairs of them differ, up to the
// first beyond most.
func pairs(a, b []int32, most int) (rows, different int) {
	var seen order.Numbering
	for row := 0; row < len(a) && len(seen.Keys) <= most; row++ {
		if a[row] >= 0 && b[row] >= 0 {
			rows++
			seen.Of(uint64(a[row])<<32 | uint64(b[row]))
		}
	}
	return rows, len(seen.Keys)
}
