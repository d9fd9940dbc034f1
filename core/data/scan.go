package data

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner cuts a file into rows of cells. It is the seam behind which a faster
// one than encoding/csv can take its place.
type scanner interface {
	// next returns the cells of the next row; they are valid until the next
	// call. A row must have want cells, any number if want is 0. For a row that
	// cannot be read it returns a *RowError, without the file's name, and may be
	// called again. It returns io.EOF after the last row, and the reader's error
	// as it is.
	next(want int) ([]string, error)
	// place returns the line and the column of the byte with which cell i of
	// the last row starts, counting from 1.
	place(i int) (line, column int)
}

// csvScanner is the scanner on encoding/csv.
type csvScanner struct {
	src   *source
	csv   *csv.Reader
	sep   rune
	index []int // of a row separated by spaces: where its cells stand among the parser's fields
}

func newCSVScanner(src *source, sep rune) *csvScanner {
	// bufio hands on what one call of src.Read returns, a line, before it asks
	// for more.
	r := csv.NewReader(bufio.NewReaderSize(src, sampleSize))
	r.Comma = sep
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	return &csvScanner{src: src, csv: r, sep: sep}
}

func (s *csvScanner) next(want int) ([]string, error) {
	for {
		s.src.begin()
		fields, err := s.csv.Read()
		if s.src.cut && s.src.first == 0 {
			if err := s.src.skipLine(); err != nil {
				return nil, err
			}
			return nil, s.row(LongLine, 0, 1, "", fmt.Sprintf("the line is longer than %d MB, want one row a line; cut it up or delete it", maxLine>>20))
		}
		if err != nil && isBareQuote(err) {
			fields, err = s.lenient(err)
		}
		if err != nil {
			var parse *csv.ParseError
			if errors.As(err, &parse) {
				return nil, s.quote(parse)
			}
			return nil, err
		}
		if e := s.notText(); e != nil {
			return nil, e
		}
		if s.sep == ' ' {
			fields = s.collapse(fields)
		}
		if len(fields) == 0 || len(fields) == 1 && strings.TrimSpace(fields[0]) == "" && bytes.IndexByte(s.src.record, '"') < 0 {
			continue // a line of spaces is blank
		}
		if want > 0 && len(fields) != want {
			// The lines of a row that a stray quote made too long are rows.
			s.src.again(1)
			return nil, s.row(FieldCount, 0, 1, "", fieldCount(len(fields), want))
		}
		return fields, nil
	}
}

// lenient reads the present record again with quotes taken as they stand, as
// in 5" pipe. It returns err, and leaves the lines after the record's alone, if
// that makes the record longer.
func (s *csvScanner) lenient(err error) ([]string, error) {
	line, lines := s.src.line, s.src.next-s.src.line
	if s.src.middle { // the file's last line ends without a line end
		lines++
	}
	s.src.again(0)
	s.src.begin()
	s.csv.LazyQuotes = true
	fields, lazy := s.csv.Read()
	s.csv.LazyQuotes = false
	if lazy == nil && s.src.next-line <= lines && !s.src.cut {
		return fields, nil
	}
	s.src.again(lines)
	return nil, err
}

func isBareQuote(err error) bool {
	var parse *csv.ParseError
	return errors.As(err, &parse) && parse.Err == csv.ErrBareQuote
}

// collapse drops the empty fields that several spaces in a row make.
func (s *csvScanner) collapse(fields []string) []string {
	s.index = s.index[:0]
	for i, f := range fields {
		if f != "" {
			fields[len(s.index)] = f
			s.index = append(s.index, i)
		}
	}
	return fields[:len(s.index)]
}

func (s *csvScanner) place(i int) (line, column int) {
	first, _ := s.csv.FieldPos(0)
	if s.sep == ' ' {
		i = s.index[i]
	}
	line, column = s.csv.FieldPos(i)
	return s.src.line + line - first, column
}

// row returns an error at a byte of the present record: lines down from its
// first, at a column counting from 1.
func (s *csvScanner) row(p Problem, lines, column int, found, message string) *RowError {
	return &RowError{Problem: p, Line: s.src.line + lines, Column: column, Found: clip(found), Message: message}
}

// quote explains an error of the parser, which are all about quotes, and makes
// the lines that a stray quote swallowed be read again.
func (s *csvScanner) quote(parse *csv.ParseError) *RowError {
	lines := parse.Line - parse.StartLine
	open := -1
	if parse.Err == csv.ErrQuote {
		open = openQuote(s.src.record, s.sep, lines, parse.Column)
	}
	if open < 0 {
		return s.stray(lines, parse.Column)
	}
	before := s.src.record[:open]
	line := bytes.Count(before, []byte("\n"))
	column := open - bytes.LastIndexByte(before, '\n')
	rest := s.src.record[open:]
	if line == lines && closedOnLine(rest) {
		return s.stray(lines, parse.Column)
	}
	first, _, _ := bytes.Cut(rest, []byte("\n"))
	found := clip(strings.TrimRight(string(first), "\r"))
	s.src.again(line + 1)
	return s.row(OpenQuote, line, column, found, fmt.Sprintf("the quote that opens %s is never closed; close it or delete line %d", visible(found), s.src.line+line))
}

// fieldCount returns the message for a row with found cells instead of want.
func fieldCount(found, want int) string {
	advice := "add the missing cell"
	switch {
	case found > want+1:
		advice = "delete the extra cells or quote those that hold the separator"
	case found > want:
		advice = "delete the extra cell or quote the one that holds the separator"
	case found < want-1:
		advice = "add the missing cells"
	}
	fields := "fields"
	if found == 1 {
		fields = "field"
	}
	return fmt.Sprintf("found %d %s, want %d as in the header; %s", found, fields, want, advice)
}

// stray returns the error of a quote that stands within a cell.
func (s *csvScanner) stray(lines, column int) *RowError {
	return s.row(StrayQuote, lines, column, `"`, fmt.Sprintf(`found a quote within a cell; put the whole cell in quotes and write the quote twice, or delete line %d`, s.src.line+lines))
}

// notText returns an error if the record holds bytes that are no UTF-8 or zero.
func (s *csvScanner) notText() *RowError {
	record := s.src.record
	if utf8.Valid(record) && bytes.IndexByte(record, 0) < 0 {
		return nil
	}
	line, start := 0, 0
	for i := 0; i < len(record); {
		r, size := utf8.DecodeRune(record[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			found, want := fmt.Sprintf("the byte %#02x", record[i]), "want UTF-8; save the file as UTF-8"
			if r == 0 {
				want = "want text"
			}
			e := s.row(NotText, line, i-start+1, found, "")
			e.Message = fmt.Sprintf("found %s, %s or delete line %d", found, want, e.Line)
			return e
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
		i += size
	}
	return nil
}

// openQuote returns the offset of the quote that opens the cell in which the
// parser gave up: the last one to open a cell at or before the given line and
// column of the record. It returns −1 if there is none.
func openQuote(record []byte, sep rune, lines, column int) int {
	open, line, start := -1, 0, 0
	quoted, begins := false, true
	for i := 0; i < len(record); {
		if line > lines || line == lines && i-start+1 > column {
			break
		}
		r, size := utf8.DecodeRune(record[i:])
		switch {
		case begins && r == '"':
			open, quoted, begins = i, true, false
		case quoted && r == '"' && i+1 < len(record) && record[i+1] == '"':
			size = 2
		case quoted && r == '"':
			quoted = false
		case r == sep && !quoted:
			begins = true
		default:
			begins = false
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
		i += size
	}
	return open
}

// closedOnLine reports whether a cell that starts with a quote holds another,
// single one before its line ends.
func closedOnLine(cell []byte) bool {
	for i := 1; i < len(cell) && cell[i] != '\n'; i++ {
		if cell[i] != '"' {
			continue
		}
		if i+1 >= len(cell) || cell[i+1] != '"' {
			return true
		}
		i++
	}
	return false
}

// shown returns a cell as a message quotes it: shortened, in quotes, with line
// ends and other invisible characters escaped.
func shown(cell string) string { return `"` + visible(clip(cell)) + `"` }

// visible returns s with invisible characters escaped.
func visible(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
