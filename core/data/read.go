package data

import (
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// Header says whether the first row of a file names its columns.
type Header int

// HeaderAuto takes the first row for names unless one of its cells is a number.
const (
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// Options says how to read a file. The zero value guesses everything.
type Options struct {
	Name      string  // the file's, for messages
	Charset   Charset // "": guess
	Separator rune    // between cells; 0: guess
	Header    Header
	Said      Said // of columns
	Whole     bool // dates stay as they are
}

// previewRows is how many rows a preview shows.
const previewRows = 10

// maxColumns is how many columns a table may have: each costs a profile, and a
// row of the page.
const maxColumns = 20000

// giveUp is the number of bad rows after which a file that is mostly bad rows
// is read no further.
const giveUp = 1000

// Table is a file that was read. It does not change, so any number of readers
// may use it at once.
type Table struct {
	Name      string
	Format    Format
	Charset   Charset
	Separator rune
	Header    bool       // the first row named the columns
	Bytes     int64      // of the file
	Bad       []RowError // rows that could not be read, the first 1000
	BadCount  int        // all of them
	Notes     note.Notes // what was guessed or changed
	Preview   [][]string // the first ten rows, as written

	columns []*column
	block   *block // of a file in LIBSVM's format, nil if it has no entries
	point   byte   // of decimal fractions in most of the file
	// constant holds parts of dates that do not vary here, for models that need them.
	constant []*column
	passed   note.Notes // what the settings say and the file has no use for
	rows     int
	lines    []lineStep
	shares   [2]float64 // of rows that validate and that test

	lock sync.Mutex // of memo
	memo map[string]func() any
}

// Memo returns what compute returns, which is called once for each key: what is known
// of a table does not change. Any number of goroutines may call it.
func (t *Table) Memo(key string, compute func() any) any {
	t.lock.Lock()
	once, known := t.memo[key]
	if !known {
		if once = sync.OnceValue(compute); t.memo == nil {
			t.memo = map[string]func() any{}
		}
		t.memo[key] = once
	}
	t.lock.Unlock()
	return once()
}

// lineStep says that from a row on, rows stand on consecutive lines.
type lineStep struct{ row, line int }

// Read reads a table of text from r, once and as a stream. It understands
// quotes (RFC 4180), LF, CRLF and CR, a BOM, and any separator; blank lines are
// passed over. Cells are kept trimmed of the space around them. Empty ones, and
// those that are NA, null, ?, - or the like, are missing.
//
// What other programs write is guessed from the first bytes and told in Notes:
// UTF-16 and windows-1252, lines that begin with # as comments, backslash escapes,
// single quotes, spaces around quotes, Excel's line sep=, titles above the header,
// R's row names, separators at the end of lines, and rows without a header. The
// lines of rows are those of the file all the same.
//
// Once all rows are there, each column is read in the way that its cells, and
// where they leave it open those of the others, show: marks of fractions and
// thousands, units, codes. What was settled, or could not be, stands in its
// [Profile].
//
// Rows that cannot be read are listed in Bad and reading goes on: a wrong
// number of cells, a stray or unclosed quote, bytes that are no text. Cells
// that are no numbers are a matter of [Table.Plan].
//
// Read returns a [*FileError] for a file that is no such table and a
// [*TooManyBadRowsError] if more than one row and a tenth of all cannot be read. An
// error of r ends the reading and is returned wrapped, so that a caller cancels
// by making r fail. It costs O(bytes) and holds the cells as numbers and codes,
// not the file.
func Read(r io.Reader, opt Options) (*Table, error) {
	if err := checkCharset(opt.Name, opt.Charset); err != nil {
		return nil, err
	}
	if opt.Separator != 0 && !validSeparator(opt.Separator) {
		return nil, &FileError{Problem: OtherType, File: opt.Name, Found: cell.Quote(string(opt.Separator)),
			Message: message.Sprintf("the separator is %s, want a character that is neither a quote nor a line end; choose another", cell.Quote(string(opt.Separator)))}
	}
	src := newSource(r)
	sample, err := src.open(opt.Charset)
	if e, ok := err.(*FileError); ok {
		e.File = opt.Name
		return nil, e
	}
	if err != nil {
		return nil, &ReaderError{File: opt.Name, Bytes: *src.size, Err: err}
	}
	src.useLF(sample)
	t := &Table{Name: opt.Name, shares: [2]float64{Fifth, Fifth}, Format: FormatText, Separator: ',', point: '.'}
	b := &builder{Table: t, options: &opt, scratch: make([]float64, blockLen)}
	complete := src.err == io.EOF
	if opt.Separator == 0 && isJSON(sample) {
		err = b.readJSON(src, jsonFormOf(sample, complete), opt.Header)
	} else if parts := svmParts(sample, complete); opt.Separator == 0 && parts == 3 {
		err = &FileError{Problem: OtherType, File: opt.Name, Found: "libFFM", Message: "the file is in libFFM's format, and no model here has fields; write each entry as index:value, as LIBSVM does"}
	} else if opt.Separator == 0 && parts == 2 {
		err = b.readSVM(src)
	} else {
		err = b.readText(src, sample, complete)
	}
	if err != nil {
		switch err.(type) {
		case *TooManyBadRowsError, *RowError, *FileError:
		default:
			err = &ReaderError{File: opt.Name, Bytes: *src.size, Err: err}
		}
		return nil, err
	}
	t.Bytes, t.Charset = *src.size, src.charset
	b.tellCharset()
	b.tellComments(src.comments)
	return t, nil
}

// readText fills the table from cells between separators.
func (b *builder) readText(src *source, sample []byte, complete bool) error {
	b.dialect = guessDialect(sample, complete, b.options.Separator, b.options.Header)
	b.Separator = b.dialect.sep
	b.points, b.point = b.dialect.sniffPoints(sample, complete)
	if err := src.pass(b.dialect.skip); err != nil {
		return err
	}
	return b.read(newScanner(src, b.dialect, b.point), b.options.Header)
}

// validSeparator reports whether the parser can use sep.
func validSeparator(sep rune) bool {
	return sep != '"' && sep != '\r' && sep != '\n' && utf8.ValidRune(sep) && sep != utf8.RuneError
}

// builder fills a Table row by row.
type builder struct {
	*Table
	options *Options
	dialect dialect
	tail    int    // columns at the end that the header does not name
	points  []byte // that the sample shows, a column each
	bad     rowList

	scratch []float64 // a block
}

func (b *builder) read(s scanner, header Header) error {
	if err := b.head(s, header); err != nil {
		return err
	}
	if err := b.addRows(s); err != nil {
		return err
	}
	return b.finish()
}

// addRows appends the rows of a file and lists those that cannot be read.
func (b *builder) addRows(s scanner) error {
	for {
		cells, numbers, err := s.next(len(b.columns))
		switch {
		case err == nil && b.rows < math.MaxInt32:
			b.add(s, cells, numbers)
			b.addRun(s)
		case err == nil:
			return &FileError{Problem: TooLarge, File: b.Name, Message: message.Sprintf("the file has more than %d rows; open a part of it", b.rows)}
		case err == io.EOF:
			return nil
		default:
			if err := b.unread(err); err != nil {
				return err
			}
		}
	}
}

// unread lists a row that could not be read. It returns any other error, and a
// [*TooManyBadRowsError] when reading on makes no sense.
func (b *builder) unread(err error) error {
	bad, ok := err.(*RowError)
	if !ok {
		return err
	}
	bad.File = b.Name
	b.bad.add(*bad)
	if b.bad.count >= giveUp && b.bad.count > b.rows {
		return b.tooMany()
	}
	return nil
}

// head makes the columns from the first row and, if that is no header, adds it
// as a row.
func (b *builder) head(s scanner, header Header) error {
	cells, _, err := s.next(0)
	bad, unread := err.(*RowError)
	switch {
	case err == io.EOF:
		return &FileError{Problem: Empty, File: b.Name, Line: 1, Column: 1, Message: "the file holds blank lines only, want a header and rows; choose another file"}
	case unread:
		return &FileError{Problem: BadHeader, File: b.Name, Line: bad.Line, Column: bad.Column, Found: bad.Found,
			Message: "the first row cannot be read: " + bad.Message}
	case err != nil:
		return err
	}
	b.tellLines(&b.dialect)
	cells = b.dialect.headerCells(cells)
	b.Header = b.names(cells, &b.dialect, header)
	if len(cells) > maxColumns {
		line, column := s.place(maxColumns)
		return &FileError{Problem: TooLarge, File: b.Name, Line: line, Column: column, Found: message.Sprintf("%d columns", len(cells)),
			Message: message.Sprintf("the first row has %d columns, want at most %d; drop columns, or choose the separator", len(cells), maxColumns)}
	}
	b.nameColumns(cells)
	if !b.Header {
		b.add(s, cells, nil)
	}
	return nil
}

// nameColumns makes the columns, with the names in the first row if it is the
// header.
func (b *builder) nameColumns(cells []string) {
	const listed = 10 // notices, at most
	taken := names{}
	changed := 0
	change := func(format string, args ...any) {
		if changed++; changed <= listed {
			b.Notes.Add(note.TopicFile, nil, format, args...)
		}
	}
	for b.Header && b.tail < len(cells)-1 && strings.TrimSpace(cells[len(cells)-1-b.tail]) == "" {
		b.tail++ // dropTail sees to them
	}
	if b.dialect.lacking == lacksRowNames {
		b.Notes.Add(note.TopicFile, nil, "the header has a name fewer than rows have cells; the first cell of a row is its name, in the column %q", rowNames)
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
		unique := taken.unique(name)
		if unique != name {
			change("%q stands twice in the header; the one in column %d is called %q", name, i+1, unique)
		}
		column := newColumn(unique, b.pointOf(i))
		column.unnamed = !b.Header || c == ""
		b.columns = append(b.columns, column)
	}
	b.hear()
	if changed > listed {
		b.Notes.Add(note.TopicFile, nil, "%d more columns were given names in the same way", changed-listed)
	}
}

// pointOf returns what stands before decimal fractions in column i, as far as the
// sample shows.
func (b *builder) pointOf(i int) byte {
	if i < len(b.points) {
		return b.points[i]
	}
	return b.point
}

// add appends a row: its cells, and those of them that were read as numbers.
func (b *builder) add(s scanner, cells []string, numbers []float64) {
	if len(b.Preview) < previewRows {
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		b.Preview = append(b.Preview, row)
	}
	line, _ := s.place(0)
	b.addLine(line)
	for i, c := range b.columns {
		if c.plain && numbers != nil && numbers[i] == numbers[i] {
			c.values.add(numbers[i])
			continue
		}
		quick := c.quick(b.point)
		if c.add(b.rows, cells[i]) && c.wantsPlace(b.rows) {
			_, at := s.place(i)
			c.placeLast(at)
		}
		if c.quick(b.point) != quick {
			s.wantNumber(i)
		}
	}
	if b.rows++; b.rows%blockLen == 0 {
		b.settle()
	}
}

// addRun appends the rows ahead that hold numbers alone, as far as the scanner has cut
// them and its block of each column takes them: a column at a time, since nothing else
// is to be known of them.
func (b *builder) addRun(s scanner) {
	quick, ok := s.(*quickScanner)
	if !ok {
		return
	}
	numbers, lines, line := quick.run(min(blockLen-b.rows%blockLen, math.MaxInt32-b.rows))
	if lines == 0 {
		return
	}
	b.addLine(line)
	for i, c := range b.columns {
		c.values.addEach(numbers[i:], len(b.columns))
	}
	if b.rows += lines; b.rows%blockLen == 0 {
		b.settle()
	}
}

// addLine notes the line of the row that is added.
func (b *builder) addLine(line int) {
	if n := len(b.lines); n == 0 || b.lines[n-1].line+b.rows-b.lines[n-1].row != line {
		b.lines = append(b.lines, lineStep{b.rows, line})
	}
}

// settle sums up the numbers of the rows that were added since it was last
// called, while they are still near.
func (b *builder) settle() {
	for _, c := range b.columns {
		c.settle(b.rows, b.scratch)
	}
}

// finish checks what was read.
func (b *builder) finish() error {
	switch {
	case b.rows == 0 && b.bad.count == 0:
		return &FileError{Problem: HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "the file has a header and no rows; choose a file with rows"}
	case tooMany(b.bad.count, b.rows+b.bad.count):
		return b.tooMany()
	}
	b.settle()
	b.dropTail()
	if b.Format == FormatText {
		b.trimEnds()
	}
	b.understand()
	if !b.options.Whole {
		b.takeDatesApart()
		b.settle()
	}
	b.Bad, b.BadCount = b.bad.first, b.bad.count
	return nil
}

func (b *builder) tooMany() error {
	return &TooManyBadRowsError{File: b.Name, Bad: b.bad.first, Count: b.bad.count, Rows: b.rows + b.bad.count}
}

// columnName returns what column i is called when the file does not say.
func columnName(i int) string { return message.Sprintf("column %d", i+1) }

// Rows returns the number of rows that could be read.
func (t *Table) Rows() int { return t.rows }

// Columns returns the names of the columns.
func (t *Table) Columns() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// Line returns the line of the file on which a row starts, counting from 1.
// O(log of the number of gaps between rows).
func (t *Table) Line(row int) int {
	if len(t.lines) == 1 { // most files have no gap
		return t.lines[0].line + row - t.lines[0].row
	}
	i, found := slices.BinarySearchFunc(t.lines, row, func(s lineStep, row int) int { return s.row - row })
	if !found {
		i--
	}
	return t.lines[i].line + row - t.lines[i].row
}

// RowAt returns the row that starts on a line of the file; ok is false where none
// does. It costs as much as Line.
func (t *Table) RowAt(line int) (row int, ok bool) {
	i, found := slices.BinarySearchFunc(t.lines, line, func(s lineStep, line int) int { return s.line - line })
	if !found {
		i--
	}
	if i < 0 {
		return 0, false
	}
	row = t.lines[i].row + line - t.lines[i].line
	return row, row < t.rows && (i+1 == len(t.lines) || row < t.lines[i+1].row)
}
