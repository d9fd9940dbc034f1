package read

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
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
		return called("the cells of the first row are also in the rows below it")
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

// setTitles prepares repeatsHeader.
func (b *builder) setTitles(cells []string) {
	b.titles = map[string]int{}
	for i, c := range cells {
		if c = strings.TrimSpace(c); c != "" {
			b.titles[strings.Clone(c)] = i
			b.titleBytes[c[0]] = true
		}
	}
	if len(b.titles) < max(2, len(cells)) {
		b.titles = nil
	}
}

// repeatsHeader reports whether a row names all columns again.
func (b *builder) repeatsHeader(cells []string) bool {
	if b.titles == nil || cells[0] == "" || !b.titleBytes[cells[0][0]] || len(cells) != len(b.titles) {
		return false
	}
	seen := make(map[int]bool, len(cells))
	for _, c := range cells {
		i, is := b.titles[strings.TrimSpace(c)]
		if !is || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}

// useHeader passes over a header within the rows. From there on, columns have its order. It
// returns a [*fault.FileError] if that comes too late to read them so.
func (b *builder) useHeader(s csv.Scanner, cells []string) error {
	order, moved := make([]int, len(cells)), false
	for from, c := range cells {
		i := b.titles[strings.TrimSpace(c)]
		order[i] = from
		moved = moved || b.order == nil && i != from || b.order != nil && b.order[i] != from
	}
	line, _ := s.Place(0)
	b.headers++
	switch isNumbers := func(c *table.Column) bool { return c.PlainNumbers }; {
	case !moved && b.headers == 1:
		b.Notes.Add(note.TopicFile, nil, "line %d and any further lines that repeat the header are skipped", line)
	case moved && slices.ContainsFunc(b.Columns, isNumbers):
		return &fault.FileError{Problem: fault.BadHeader, File: b.Name, Line: line, Column: 1, Message: "the header is repeated here in another order; split the file at this line"}
	case moved:
		b.order = order
		b.Notes.Add(note.TopicFile, nil, "line %d repeats the header in another order; the rows below it are read in that order", line)
	}
	return nil
}

// joinHeaderRows makes names of two rows of header. The second is the first row below the
// header: no column has a number there, columns of numbers have no other text, and a cell
// stands below one that the first row left empty, as merged cells are saved.
func (b *builder) joinHeaderRows() {
	const fewest = 3 // rows
	if !b.Header || b.Rows < fewest {
		return
	}
	numbers, below := 0, false
	for _, c := range b.Columns {
		text := c.Text(0)
		switch {
		case c.Block != nil, c.Number(0) == c.Number(0), c.NumberCount > 0 && c.TextCount > 1:
			return
		case c.NumberCount > 0 && text != "":
			numbers++
		}
		below = below || c.Unnamed && text != ""
	}
	if !below || numbers < 2 {
		return
	}
	taken, above := title.UniqueNames{}, ""
	for _, c := range b.Columns {
		if text := c.Text(0); !c.Unnamed {
			above = c.Name
			c.Name = taken.Unique(strings.TrimSpace(above + " " + text))
		} else if text != "" {
			c.Name, c.Unnamed = taken.Unique(strings.TrimSpace(above+" "+text)), false
		}
	}
	b.Notes = slices.DeleteFunc(b.Notes, func(n note.Note) bool { return strings.Contains(n.Text, "has no name in the header") })
	b.Notes.Add(note.TopicFile, nil, "line %d belongs to the header; columns are called %q, %q …", b.Line(0), b.Columns[0].Name, b.Columns[1].Name)
	b.tail, b.UnusedSettings = 0, nil
	b.keepRows(func(row int) bool { return row > 0 })
	b.applyAnswers()
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
		b.Notes.Add(note.TopicFile, nil, "every line ends with a separator; the empty last column is left out")
	} else {
		b.Notes.Add(note.TopicFile, nil, "every line ends with %d separators; the empty last columns are left out", dropped)
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
		b.Notes.Add(note.TopicFile, nil, "the header has one name fewer than the rows have cells; the first cell of each row is its name, in the column %q", csv.RowNames)
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
			change("%q is twice in the header; the one in column %d is called %q", name, i+1, unique)
		}
		column := table.NewColumn(unique, b.pointOf(i))
		column.Unnamed = !b.Header || c == ""
		b.Columns = append(b.Columns, column)
	}
	b.applyAnswers()
	if changed > listed {
		b.Notes.Add(note.TopicFile, nil, "%d more columns were named in the same way", changed-listed)
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
