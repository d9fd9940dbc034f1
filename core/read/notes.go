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
			b.Notes.Add(note.TopicFile, nil, "the file is not UTF-8 and is read as windows-1252, the most likely charset; choose another if accented letters look wrong")
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
		b.Notes.Add(note.TopicFile, nil, "the first line, %s, is above the table and is skipped", cell.Quote(d.FirstSkipped))
	case d.Skip > 1:
		b.Notes.Add(note.TopicFile, nil, "the first %d lines, from %s on, are above the table and are skipped", d.Skip, cell.Quote(d.FirstSkipped))
	}
	if d.ExtraName != "" {
		b.Notes.Add(note.TopicFile, nil, "the header has one name more than the rows have cells; the last name, %s, is left out", cell.Quote(d.ExtraName))
	}
	if d.Short > 0 {
		b.Notes.Add(note.TopicFile, nil, "the header and the first rows have %d cells, later rows %d; the other cells of the first rows count as missing", d.Short, d.Long)
	}
	switch {
	case d.Quote == '\'':
		b.Notes.Add(note.TopicFile, nil, "cells are in single quotes, which are removed")
	case d.Escape:
		b.Notes.Add(note.TopicFile, nil, "a backslash escapes the next character, as in \\\" and \\%s, and is removed", string(d.Sep))
	}
}

// noteComments notes comment lines that are skipped.
func (b *builder) noteComments(count int) {
	switch {
	case count == 1:
		b.Notes.Add(note.TopicFile, nil, "1 line that begins with # is a comment and is skipped")
	case count > 1:
		b.Notes.Add(note.TopicFile, nil, "%d lines that begin with # are comments and are skipped", count)
	}
}
