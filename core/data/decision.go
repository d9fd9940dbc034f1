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

// Answer is one way to take what a Decision is about. Who chooses it adds Value to
// the list of names that is the setting Key, in the place of the Values of the
// other answers there, and has the file read again.
type Answer struct {
	Label string // short
	Key   string // of package spec: "decimal", "missingas", "present", "dates", "categorical" or "numeric"
	Value string // such as "price:comma", or a column's name
	Now   bool   // this is how the cells are read
}

// decide adds to what reading has made of the column.
func (c *column) decide(d Decision) { c.decisions = append(c.decisions, d) }

// pair returns a value of the settings that say something of a column.
func pair(column, answer string) string { return column + ":" + answer }

// CutPair takes a value of the settings decimal, missingas, present and dates
// apart: the column, which may hold colons itself, and what is said of it.
func CutPair(value string) (column, answer string, ok bool) {
	i := strings.LastIndexByte(value, ':')
	if i < 0 {
		return value, "", false
	}
	return value[:i], value[i+1:], true
}

// said returns what a list of such values says of a column, in its order.
func said(values []string, column string) (answers []string) {
	for _, v := range values {
		if name, answer, ok := CutPair(v); ok && name == column {
			answers = append(answers, answer)
		}
	}
	return answers
}

// cells returns a number of cells in words.
func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return message.Sprintf("%d cells", n)
}

// decideTokens tells how missing cells are written.
func (c *column) decideTokens() {
	const listed = 3
	if len(c.tokens) == 0 {
		return
	}
	d := Decision{What: WhatMissing}
	var b strings.Builder
	for i, t := range c.tokens {
		d.Cells += t.count
		switch {
		case i == listed:
			b.WriteString(", …")
		case i < listed:
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(message.Sprintf("%s (%d)", shown(t.text), t.count))
			if isMissing(t.text) {
				d.Answers = append(d.Answers, Answer{Label: shown(t.text) + " is a value", Key: "present", Value: pair(c.name, t.text)})
			}
		}
	}
	d.Text = b.String() + " counts as missing"
	c.decide(d)
}
