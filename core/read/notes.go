package read

import (
	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/note"
)

// noteCharset notes a charset other than UTF-8.
func (b *builder) noteCharset() {
	switch b.Charset {
	case csv.UTF8:
	case csv.Windows1252:
		if b.options.Charset == "" {
			b.Notes.Add(note.TopicFile, nil, "the file is no UTF-8: it is read as windows-1252, which most files with such bytes are; choose another charset if letters beyond A to Z look wrong")
		}
	default:
		if b.options.Charset == "" {
			b.Notes.Add(note.TopicFile, nil, "the file is read as %s", b.Charset.Name())
		}
	}
}

// noteLines notes lines above the first row that are skipped, and unusual quotes.
func (b *builder) noteLines(d *csv.Dialect) {
	switch sep, _, ok := csv.SepLine(d.FirstSkipped); {
	case ok && d.Skip == 1:
		b.Notes.Add(note.TopicFile, nil, "the first line names the separator, %s", cell.Quote(string(sep)))
	case d.Skip == 1:
		b.Notes.Add(note.TopicFile, nil, "the first line, %s, stands above the table and is passed over", cell.Quote(d.FirstSkipped))
	case d.Skip > 1:
		b.Notes.Add(note.TopicFile, nil, "the first %d lines, from %s on, stand above the table and are passed over", d.Skip, cell.Quote(d.FirstSkipped))
	}
	if d.ExtraName != "" {
		b.Notes.Add(note.TopicFile, nil, "the header has a name more than rows have cells; the last, %s, is taken for an empty column and left out", cell.Quote(d.ExtraName))
	}
	if d.Short > 0 {
		b.Notes.Add(note.TopicFile, nil, "the first rows have %d cells as the header, later ones %d; what the first ones lack counts as missing", d.Short, d.Long)
	}
	switch {
	case d.Quote == '\'':
		b.Notes.Add(note.TopicFile, nil, "cells stand in single quotes, which are taken off")
	case d.Escape:
		b.Notes.Add(note.TopicFile, nil, "a backslash takes its meaning from what follows it, as in \\\" and \\%s, and is taken off", string(d.Sep))
	}
}

// noteComments notes comment lines that are skipped.
func (b *builder) noteComments(count int) {
	switch {
	case count == 1:
		b.Notes.Add(note.TopicFile, nil, "1 line that begins with # is a comment and is passed over")
	case count > 1:
		b.Notes.Add(note.TopicFile, nil, "%d lines that begin with # are comments and are passed over", count)
	}
}
