package csv

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// Scanner cuts a file into rows of cells.
type Scanner interface {
	// Next returns the cells of the next row, valid until the next
	// call. A row must have want cells, or any number if want is 0. For a row that
	// cannot be read it returns a *fault.RowError without the file's name, and may be
	// called again. It returns io.EOF after the last row. Errors of the source are
	// returned unchanged.
	//
	// numbers is nil, or holds the cells that the scanner parsed as numbers and
	// NaN for the others. The text of a parsed cell is "".
	Next(want int) (cells []string, numbers []float64, err error)
	// WantNumber tells the scanner that cell i of later rows is needed as a number
	// only, if it is one.
	WantNumber(i int)
	// Place returns the line and the column of the first byte of cell i of
	// the last row, both from 1.
	Place(i int) (line, column int)
}

// rowScanner reads rows of every kind. After a row that cannot be read it knows which
// lines belonged to that row and which are rows of their own.
type rowScanner struct {
	src     *Source
	records recordReader
	sep     rune
	mark    byte  // the quote
	short   int   // rows of so many cells lack the last ones; 0 for none
	heading bool  // the row that names the columns is read
	bad     int   // rows so far that could not be read
	index   []int // of a row separated by spaces: where its cells stand among the record's
}

// recordReader cuts the next lines of the source into the fields of one record, as
// encoding/csv does.
type recordReader interface {
	// read returns the fields of the next record that is not a blank line, valid
	// until the next call. If lazy, quotes within a field are part of its
	// text. A record of want fields is no comment, unless want is 0. It
	// returns a *quoteError, io.EOF or the reader's error.
	read(want int, lazy bool) ([]string, error)
	// place returns how many lines below the record's first field i starts, and
	// the column there, counting from 1.
	place(i int) (down, column int)
}

// quoteError is the place of a misplaced quote in a record.
type quoteError struct {
	down, column int      // lines below the record's first; counting from 1
	bare         bool     // it stands in a field without quotes
	open         position // where that field begins, unless it is bare
}

func (e *quoteError) Error() string {
	return message.Sprintf("a quote at line +%d, column %d", e.down, e.column)
}

func (*quoteError) Kind() string { return "quoteError" }

func (s *rowScanner) WantNumber(int) {}

func (s *rowScanner) Next(want int) ([]string, []float64, error) {
	cells, err := s.row(want)
	if _, bad := err.(*fault.RowError); bad {
		s.bad++
	}
	return cells, nil, err
}

func (s *rowScanner) row(want int) ([]string, error) {
	s.heading = want == 0
	for {
		s.src.BeginRecord()
		fields, err := s.records.read(want, false)
		if s.src.TooLong && s.src.FirstLineLen == 0 {
			if err := s.src.SkipLine(); err != nil {
				return nil, err
			}
			return nil, s.rowError(fault.LongLine, 0, 1, "", func() string {
				return message.Sprintf("the line is longer than %d MB; %s", MaxLine>>20, message.Either(s.heading, "check that this is a table", "write one row per line, or delete it"))
			})
		}
		if quote, ok := errors.AsType[*quoteError](err); ok && quote.bare {
			fields, err = s.lenient(err)
		}
		if quote, ok := errors.AsType[*quoteError](err); ok {
			return nil, s.quoteError(quote)
		}
		if err != nil {
			return nil, err
		}
		if e := s.notText(); e != nil {
			if e.Found != "the byte 0x00" && s.src.recode() {
				continue
			}
			return nil, e
		}
		if s.sep == ' ' {
			fields = s.collapse(fields)
		}
		if len(fields) == 0 || len(fields) == 1 && strings.TrimSpace(fields[0]) == "" && bytes.IndexByte(s.src.record, '"') < 0 {
			continue // a line of spaces is blank
		}
		if want > 0 && len(fields) == s.short {
			fields = append(fields, make([]string, want-s.short)...)
		}
		if want > 0 && len(fields) != want {
			// The lines of a row that a stray quote made too long are rows.
			s.src.rewind(1)
			return nil, s.rowError(fault.FieldCount, 0, 1, "", func() string { return FieldCount(len(fields), want) })
		}
		return fields, nil
	}
}

// lenient reads the present record again and takes quotes as text, as in 5" pipe. If that
// makes the record longer, it returns err and leaves later lines alone.
func (s *rowScanner) lenient(err error) ([]string, error) {
	line, lines := s.src.Line, s.src.nextLine-s.src.Line
	if s.src.inLine { // the file's last line ends without a line end
		lines++
	}
	s.src.rewind(0)
	s.src.BeginRecord()
	fields, lazy := s.records.read(0, true)
	if lazy == nil && s.src.nextLine-line <= lines && !s.src.TooLong {
		return fields, nil
	}
	s.src.rewind(lines)
	return nil, err
}

// collapse drops the empty fields between several spaces in a row.
func (s *rowScanner) collapse(fields []string) []string {
	s.index = s.index[:0]
	for i, f := range fields {
		if f != "" {
			fields[len(s.index)] = f
			s.index = append(s.index, i)
		}
	}
	return fields[:len(s.index)]
}

func (s *rowScanner) Place(i int) (line, column int) {
	if s.sep == ' ' {
		i = s.index[i]
	}
	down, column := s.records.place(i)
	return s.src.Line + down, column
}

// rowError returns an error at a byte of the present record: lines below its first, at a
// column counting from 1. It leaves the message out once enough errors are listed.
func (s *rowScanner) rowError(p fault.Problem, lines, column int, found string, say func() string) *fault.RowError {
	e := &fault.RowError{Problem: p, Line: s.src.Line + lines, Column: column, Found: cell.Clip(found)}
	if s.bad < fault.MaxListed {
		e.Message = say()
	}
	return e
}

// quoteError returns the error of a misplaced quote, and returns the lines after it to
// the source.
func (s *rowScanner) quoteError(e *quoteError) *fault.RowError {
	line, rest := e.open.down, s.src.record
	for range line {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
	}
	if e.bare || line == e.down && closedOnLine(rest[e.open.column-1:], s.mark) {
		return s.strayQuote(e.down, e.column)
	}
	first, _, _ := bytes.Cut(rest[e.open.column-1:], []byte("\n"))
	found := cell.Clip(strings.TrimRight(string(first), "\r"))
	s.src.rewind(line + 1)
	at := s.src.Line + line
	return s.rowError(fault.OpenQuote, line, e.open.column, found, func() string {
		return message.Sprintf("the quote that opens %s is never closed; close it%s", cell.Visible(found), s.orDelete(at))
	})
}

// FieldCount returns the message for a row with found cells instead of want.
func FieldCount(found, want int) string {
	advice := "add the missing cell"
	switch {
	case found > want+1:
		advice = "delete the extra cells or quote those that contain the separator"
	case found > want:
		advice = "delete the extra cell or quote the one that contains the separator"
	case found < want-1:
		advice = "add the missing cells"
	}
	fields := "fields"
	if found == 1 {
		fields = "field"
	}
	return message.Sprintf("%d %s, but the header has %d; %s", found, fields, want, advice)
}

// strayQuote returns the error of a quote within a cell.
func (s *rowScanner) strayQuote(lines, column int) *fault.RowError {
	return s.rowError(fault.StrayQuote, lines, column, `"`, func() string {
		return message.Sprintf("a quote inside a cell; put the whole cell in quotes and double the quote%s", message.Either(s.heading, "", ",")+s.orDelete(s.src.Line+lines))
	})
}

// orDelete returns the advice to delete a line, "" for the header, which a table needs.
func (s *rowScanner) orDelete(line int) string {
	if s.heading {
		return ""
	}
	return message.Sprintf(" or delete line %d", line)
}

// notText returns an error if the record has a zero byte or is not UTF-8.
func (s *rowScanner) notText() *fault.RowError {
	record := s.src.record
	if utf8.Valid(record) && bytes.IndexByte(record, 0) < 0 {
		s.src.noteNonASCII(record)
		return nil
	}
	line, start := 0, 0
	for i := 0; i < len(record); {
		r, size := utf8.DecodeRune(record[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			found, want := "the byte 0x"+strconv.FormatUint(0x100|uint64(record[i]), 16)[1:], "expected UTF-8. Save the file as UTF-8, choose its charset"
			switch {
			case r == 0:
				want = "expected text. Correct the cell"
			case s.src.Charset == UTF8 && s.src.nonASCII && !s.heading:
				want = "expected UTF-8 as in other rows. Rewrite the cell"
			case s.src.Charset != UTF8:
				found, want = "half of a character of "+s.src.Charset.Name(), "expected text. Correct the cell"
			}
			return s.rowError(fault.NotText, line, i-start+1, found, func() string {
				return message.Sprintf("found %s, %s%s", found, want, s.orDelete(s.src.Line+line))
			})
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
		i += size
	}
	return nil
}

// closedOnLine reports whether a cell that starts with a quote has a closing quote on
// the same line.
func closedOnLine(cell []byte, quote byte) bool {
	for i := 1; i < len(cell) && cell[i] != '\n'; i++ {
		if cell[i] != quote {
			continue
		}
		if i+1 >= len(cell) || cell[i+1] != quote {
			return true
		}
		i++
	}
	return false
}
