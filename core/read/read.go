package read

import (
	"bytes"
	"io"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// Read reads a table of text from r in one pass. It understands quotes (RFC 4180), LF, CRLF
// and CR, a BOM, and any separator. It skips blank lines and trims cells. Cells that are
// empty, NA, null, ?, - or the like are missing.
//
// Read guesses from the first bytes what other programs write, and notes it: UTF-16 and
// windows-1252, comments that begin with #, backslash escapes, single quotes, spaces around
// quotes, Excel's line sep=, titles above the header, R's row names, separators at the
// end of lines, and files without a header. JSON and LIBSVM files are recognized too.
//
// At the end, Read decides from all cells how each column is read: its decimal mark, units,
// codes and dates. If a column leaves its mark open, the other columns decide. Its
// [roles.Profile] shows decisions and questions.
//
// Bad lists rows that cannot be read: a wrong number of cells, a stray or unclosed quote,
// bytes that are no text. [roles.NewPlan] handles cells that are no numbers.
//
// Read returns a [*fault.FileError] for a file that is no table, and a
// [*fault.TooManyBadRowsError] if more than a tenth of the rows cannot be read. It wraps an
// error of r, so that a caller cancels by making r fail. It costs O(bytes) and keeps the
// cells as numbers and codes, not the file.
func Read(r io.Reader, opt Options) (*table.Table, error) {
	if err := csv.CheckCharset(opt.Name, opt.Charset); err != nil {
		return nil, err
	}
	if opt.Separator != 0 && !csv.ValidSeparator(opt.Separator) {
		return nil, &fault.FileError{Problem: fault.OtherType, File: opt.Name, Found: cell.Quote(string(opt.Separator)),
			Message: message.Sprintf("the separator %s must not be a quote or a line end; choose another", cell.Quote(string(opt.Separator)))}
	}
	src := csv.NewSource(r)
	sample, err := src.Open(opt.Charset)
	if e, ok := err.(*fault.FileError); ok {
		e.File = opt.Name
		return nil, e
	}
	if err != nil {
		return nil, &fault.ReaderError{File: opt.Name, Bytes: *src.Size, Err: err}
	}
	src.UseLF(sample)
	t := &table.Table{Name: opt.Name, Shares: [2]float64{table.Fifth, table.Fifth}, Format: table.FormatText, Separator: ',', Point: '.'}
	b := &builder{Table: t, options: &opt, scratch: make([]float64, table.BlockLen)}
	complete := src.Err == io.EOF
	if opt.Separator == 0 && isJSON(sample) {
		err = b.readJSON(src, jsonFormOf(sample, complete), opt.Header)
	} else if parts, name := svmParts(sample, complete); opt.Separator == 0 && parts == 3 {
		err = &fault.FileError{Problem: fault.OtherType, File: opt.Name, Found: "libFFM", Message: "the file is in libFFM's format, but no model here uses fields. Write each entry as index:value, as LIBSVM does"}
	} else if opt.Separator == 0 && parts == 2 && name != "" {
		err = &fault.FileError{Problem: fault.OtherType, File: opt.Name, Line: 1, Column: 1, Found: cell.Quote(name),
			Message: message.Sprintf("the file is in LIBSVM's format, but its lines begin with a name such as %s instead of the label. Remove the names", cell.Quote(name))}
	} else if opt.Separator == 0 && parts == 2 {
		err = b.readSVM(src)
	} else {
		err = b.readText(src, sample, complete)
	}
	if err == nil {
		err = b.finish()
	}
	if err != nil {
		switch err.(type) {
		case *fault.TooManyBadRowsError, *fault.RowError, *fault.FileError:
		default:
			err = &fault.ReaderError{File: opt.Name, Bytes: *src.Size, Err: err}
		}
		return nil, err
	}
	t.Bytes, t.Charset = *src.Size, src.Charset
	b.noteCharset()
	b.noteComments(src.Comments)
	return t, nil
}

// readText reads a table of cells between separators.
func (b *builder) readText(src *csv.Source, sample []byte, complete bool) error {
	b.dialect = csv.GuessDialect(sample, complete, b.options.Separator, b.options.Header)
	b.Separator = b.dialect.Sep
	b.points, b.Point = b.dialect.GuessDecimalMarks(sample, complete)
	if err := src.SkipLines(b.dialect.Skip); err != nil {
		return err
	}
	return b.read(csv.NewScanner(src, b.dialect, b.Point), b.options.Header)
}

func (b *builder) read(s csv.Scanner, header csv.Header) error {
	if err := b.readHeader(s, header); err != nil {
		return err
	}
	return b.addRows(s)
}

// readHeader makes the columns from the first row, and adds that as a row if it is no
// header.
func (b *builder) readHeader(s csv.Scanner, header csv.Header) error {
	cells, _, err := s.Next(0)
	bad, unread := err.(*fault.RowError)
	switch {
	case err == io.EOF:
		return &fault.FileError{Problem: fault.Empty, File: b.Name, Line: 1, Column: 1, Message: "the file has only blank lines. Choose one with a header and rows"}
	case unread:
		return &fault.FileError{Problem: fault.BadHeader, File: b.Name, Line: bad.Line, Column: bad.Column, Found: bad.Found,
			Message: "the first row cannot be read: " + bad.Message}
	case err != nil:
		return err
	}
	b.noteLines(&b.dialect)
	cells = b.dialect.HeaderCells(cells)
	b.Header = b.isHeader(cells, &b.dialect, header)
	if len(cells) > table.MaxColumns {
		line, column := s.Place(table.MaxColumns)
		return &fault.FileError{Problem: fault.TooLarge, File: b.Name, Line: line, Column: column, Found: message.Sprintf("%d columns", len(cells)),
			Message: message.Sprintf("the first row has %d columns, more than the limit of %d; drop columns, or choose the separator", len(cells), table.MaxColumns)}
	}
	b.nameColumns(cells)
	if !b.Header {
		b.add(s, cells, nil)
	} else {
		b.setTitles(cells)
	}
	return nil
}

// finish checks the table and decides how its columns are read.
func (b *builder) finish() error {
	switch {
	case b.Rows == 0 && b.bad.Count == 0:
		return &fault.FileError{Problem: fault.HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "the file has a header but no rows. Choose a file with rows"}
	case fault.TooMany(b.bad.Count, b.Rows+b.bad.Count):
		return b.tooMany()
	}
	b.sumUp()
	b.joinHeaderRows()
	b.dropTail()
	if b.Format == table.FormatText {
		b.dropUnitsAndFooter()
	}
	b.decideColumns()
	if !slices.ContainsFunc(b.Columns, func(c *table.Column) bool { return c.LikelyMark != 0 }) { // a model predicts each row by itself
		b.dropTotals()
		b.dropSentinels()
	}
	if !b.options.WholeDates {
		b.splitDates()
		b.sumUp()
	}
	b.Bad, b.BadCount = b.bad.First, b.bad.Count
	return nil
}

// isJSON reports whether text begins like a JSON object or array. A header in
// brackets, as in [id],[name], does not.
func isJSON(text []byte) bool {
	if text = bytes.TrimLeft(text, " \t\r\n"); len(text) == 0 {
		return false
	}
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	switch text[0] {
	case '{':
		return len(rest) == 0 || rest[0] == '"' || rest[0] == '}'
	case '[':
		if len(rest) == 0 || bytes.IndexByte([]byte(`{["]-0123456789`), rest[0]) >= 0 {
			return true
		}
		return bytes.HasPrefix(rest, []byte("null")) || bytes.HasPrefix(rest, []byte("true")) || bytes.HasPrefix(rest, []byte("false"))
	}
	return false
}
