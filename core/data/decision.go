package data

import (
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// Asks returns how many questions reading leaves open: training should wait for
// their answers. O(columns).
func (t *Table) Asks() (n int) {
	for _, c := range t.columns {
		for _, d := range c.notes {
			if d.Ask {
				n++
			}
		}
	}
	return n
}

// decide adds to what reading has made of the column.
func (c *column) decide(d note.Note) {
	d.Columns = []string{c.name}
	c.notes = append(c.notes, d)
}

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
		d := note.Note{Topic: note.TopicMissing, Cells: t.Count, Text: message.Sprintf("%s counts as missing in %s", cell.Quote(t.Text), cells(t.Count))}
		if cell.IsMissing(t.Text) {
			d.Answers = []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: pair(c.name, t.Text)}}
		} else {
			d.Text += ", as the settings say"
			d.Answers = []note.Answer{{Label: "missing", Key: note.KeyMissingAs, Value: pair(c.name, t.Text), Now: true}, {Label: "a value", Key: note.KeyMissingAs}}
		}
		c.decide(d)
	}
	for _, t := range c.present {
		c.decide(note.Note{Topic: note.TopicMissing, Text: cell.Quote(t) + " is a value, as the settings say",
			Answers: []note.Answer{{Label: "missing", Key: note.KeyNotMissing}, {Label: "a value", Key: note.KeyNotMissing, Value: pair(c.name, t), Now: true}}})
	}
}
