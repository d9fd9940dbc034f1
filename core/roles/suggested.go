package roles

import (
	"ifmlab/core/design"
	"ifmlab/core/note"
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
			all.Add(note.TopicGroup, []string{c.Name}, "it is an identifier whose values repeat: at random, test rows are of values that are known from training rows; split by it, they are of new ones")
		}
	}
	if latest >= 0 {
		var time note.Notes
		time.Add(note.TopicTime, []string{t.Columns[latest].Name}, "it is a time: at random, test rows lie between training rows; split by it, they come after them")
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
