package read

import (
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// isHeader reports whether the first row names the columns. If not, a note tells why.
func (b *builder) isHeader(cells []string, d *csv.Dialect, header csv.Header) bool {
	if header != csv.HeaderAuto {
		return header == csv.HeaderYes
	}
	called := func(why string) bool {
		b.Notes.Add(note.TopicFile, nil, "%s, so it is read as a row and the columns are called %q, %q …", why, columnName(0), columnName(1))
		return false
	}
	switch d.FirstRow {
	case csv.FirstRowNames:
		return true
	case csv.FirstRowRepeats:
		return called("the cells of the first row stand in the rows below it, too")
	case csv.FirstRowAlike:
		return called("the cells of the first row are written as those below it")
	}
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if _, ok := cell.ParseNumber(c, b.pointOf(i)); ok {
			return called(message.Sprintf("the first row holds the number %s", cell.Clip(c)))
		}
	}
	return true
}

// dropTail drops empty columns without a name at the end. Separators at the end of lines
// make such columns.
func (b *builder) dropTail() {
	n, most := len(b.Columns), b.tail
	if !b.Header {
		most = 1
	}
	for n > 1 && len(b.Columns)-n < most {
		if c := b.Columns[n-1]; c.NumberCount+c.TextCount > 0 || len(c.MissingTokens) > 0 {
			break
		}
		n--
	}
	for i := len(b.Columns) - b.tail; i < n; i++ {
		b.Notes.Add(note.TopicFile, []string{b.Columns[i].Name}, "column %d has no name in the header and is called %q", i+1, b.Columns[i].Name)
	}
	if n == len(b.Columns) {
		return
	}
	if dropped := len(b.Columns) - n; dropped == 1 {
		b.Notes.Add(note.TopicFile, nil, "every line ends with a separator and nothing behind it; no column is made of that")
	} else {
		b.Notes.Add(note.TopicFile, nil, "every line ends with %d separators and nothing behind them; no columns are made of that", dropped)
	}
	b.Columns = b.Columns[:n]
	for i, row := range b.Preview {
		b.Preview[i] = row[:n]
	}
}

// nameColumns makes the columns. cells are their names if the file has a header.
func (b *builder) nameColumns(cells []string) {
	const listed = 10 // notes, at most
	taken := title.UniqueNames{}
	changed := 0
	change := func(format string, args ...any) {
		if changed++; changed <= listed {
			b.Notes.Add(note.TopicFile, nil, format, args...)
		}
	}
	for b.Header && b.tail < len(cells)-1 && strings.TrimSpace(cells[len(cells)-1-b.tail]) == "" {
		b.tail++ // for dropTail
	}
	if b.dialect.MissingHeader == csv.MissingRowNames {
		b.Notes.Add(note.TopicFile, nil, "the header has a name fewer than rows have cells; the first cell of a row is its name, in the column %q", csv.RowNames)
	}
	for i, c := range cells {
		name := columnName(i)
		if b.Header {
			if c = strings.TrimSpace(c); c != "" {
				name = strings.Clone(c)
			} else if i < len(cells)-b.tail {
				change("column %d has no name in the header and is called %q", i+1, name)
			}
		}
		unique := taken.Unique(name)
		if unique != name {
			change("%q stands twice in the header; the one in column %d is called %q", name, i+1, unique)
		}
		column := table.NewColumn(unique, b.pointOf(i))
		column.Unnamed = !b.Header || c == ""
		b.Columns = append(b.Columns, column)
	}
	b.applyAnswers()
	if changed > listed {
		b.Notes.Add(note.TopicFile, nil, "%d more columns were given names in the same way", changed-listed)
	}
}

// pointOf returns the decimal mark of column i in the sample.
func (b *builder) pointOf(i int) byte {
	if i < len(b.points) {
		return b.points[i]
	}
	return b.Point
}

// columnName returns the name of column i in a file without a header.
func columnName(i int) string { return message.Sprintf("column %d", i+1) }
