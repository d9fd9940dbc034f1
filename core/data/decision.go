package data

import (
	"strings"

	"ifmlab/core/message"
)

// What names what a [Decision] is about.
type What string

// What is decided of a column as it is read.
const (
	WhatMissing  What = "missing"  // cells that stand for no value
	WhatSentinel What = "sentinel" // a number that may stand for none
	WhatMarks    What = "marks"    // of fractions and thousands
	WhatUnit     What = "unit"     // taken off the numbers
	WhatCode     What = "code"     // digits that are no number
	WhatDates    What = "dates"    // that became columns of their own
)

// Decision is one thing that reading has made of a column, or asks about it.
type Decision struct {
	What  What
	Text  string // what was done and why, or the question; a sentence without its full stop
	Cells int    // that it is about
	// Ask says that the cells can be read in two ways and nothing in the file says
	// which: training should wait for an answer. They are read as Answers says.
	Ask bool
	// Answers are what the reader can say to it; none where there is nothing to say.
	Answers []Answer
}

// Answer is one way to take what a Decision is about. Who chooses it takes the
// Values of all the decision's answers out of the lists that are their settings,
// adds its own, and has the file read again.
type Answer struct {
	Label string // short
	Key   string // of package spec: "decimal", "missingas", "notmissing", "dates", "categorical" or "numeric"
	Value string // such as "price:comma", or a column's name; "" where nothing need be said
	Now   bool   // this is how the cells are read
}

// Asks returns how many questions reading leaves open: training should wait for
// their answers. O(columns).
func (t *Table) Asks() (n int) {
	for _, c := range t.columns {
		for _, d := range c.decisions {
			if d.Ask {
				n++
			}
		}
	}
	return n
}

// decide adds to what reading has made of the column.
func (c *column) decide(d Decision) { c.decisions = append(c.decisions, d) }

// pair returns a value of the settings that say something of a column.
func pair(column, answer string) string { return column + ":" + answer }

// CutPair takes a value of the settings decimal, missingas, present and dates
// apart: the column and what is said of it. Both may hold colons, as start:00:00
// does: the column is the longest one of the table that stands before a colon.
// Where none does, CutPair reports false and cuts at the last.
func CutPair(value string, isColumn func(name string) bool) (column, answer string, ok bool) {
	last := strings.LastIndexByte(value, ':')
	for i := last; i >= 0; i = strings.LastIndexByte(value[:i], ':') {
		if isColumn(value[:i]) {
			return value[:i], value[i+1:], true
		}
	}
	if last < 0 {
		return value, "", false
	}
	return value[:last], value[last+1:], false
}

// cells returns a number of cells in words.
func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return message.Sprintf("%d cells", n)
}

// decideTokens tells how missing cells are written, and what is none because the
// settings say so.
func (c *column) decideTokens() {
	const listed = 4
	for _, t := range c.tokens[:min(listed, len(c.tokens))] {
		d := Decision{What: WhatMissing, Cells: t.count, Text: message.Sprintf("%s counts as missing in %s", shown(t.text), cells(t.count))}
		if isMissing(t.text) {
			d.Answers = []Answer{{Label: "missing", Key: "notmissing", Now: true}, {Label: "a value", Key: "notmissing", Value: pair(c.name, t.text)}}
		} else {
			d.Text += ", as the settings say"
			d.Answers = []Answer{{Label: "missing", Key: "missingas", Value: pair(c.name, t.text), Now: true}, {Label: "a value", Key: "missingas"}}
		}
		c.decide(d)
	}
	for _, t := range c.present {
		c.decide(Decision{What: WhatMissing, Text: shown(t) + " is a value, as the settings say",
			Answers: []Answer{{Label: "missing", Key: "notmissing"}, {Label: "a value", Key: "notmissing", Value: pair(c.name, t), Now: true}}})
	}
}
