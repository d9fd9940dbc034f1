package data

import (
	"bytes"
	"io"
	"math"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// jsonForm is where the rows of a JSON file stand.
type jsonForm int

const (
	jsonLines   jsonForm = iota // each value is a row: JSON Lines
	jsonArray                   // the elements of one array are rows
	jsonWrapped                 // the elements of an array within one object are
	jsonNoRows
)

// mostDepth is how deep objects and lists of a row may stand in one another.
const mostDepth = 64

// jsonScanner reads rows from JSON: objects, whose keys name the columns, or lists
// of cells. It makes columns as it meets their names, and keeps no more of the file
// than a row.
type jsonScanner struct {
	src  *source
	b    *builder
	form jsonForm

	line, column int // of the next byte, counting from 1
	startLine    int // of the present row
	startColumn  int
	last         int // line of the last row, as it is told

	index map[string]int // columns by name, as it is written
	taken names
	cells []string // of the present row, a column each
	texts []bool   // which of them are strings or lists
	text  []byte   // of the string being read
	raw   []byte   // of the list being read
	keep  bool     // raw is kept
	lists map[string]bool
	close byte // that ends the rows: ] or 0
	first bool // no row was read

	spoilt  bool // a text of the present row is none
	inside  bool // a row is being read
	perLine bool // rows do not go on in another line
}

// jsonFormOf says where the rows of a sample stand.
func jsonFormOf(sample []byte, complete bool) jsonForm {
	text := bytes.TrimLeft(sample, " \t\r\n")
	if text[0] == '[' {
		switch rest := bytes.TrimLeft(text[1:], " \t\r\n"); {
		case len(rest) > 0 && (rest[0] == '{' || rest[0] == '[' || rest[0] == ']' && len(bytes.TrimSpace(rest[1:])) == 0):
			return jsonArray
		}
		return jsonLines
	}
	depth, quoted, members, arrays, scalars := 0, false, 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ':' && depth == 1:
			members++
			switch rest := bytes.TrimLeft(text[i+1:], " \t\r\n"); {
			case len(rest) == 0:
			case rest[0] == '[':
				if rest = bytes.TrimLeft(rest[1:], " \t\r\n"); len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
					arrays++
				}
			case rest[0] != '{':
				scalars++
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth > 0 {
				continue
			}
			switch after := bytes.TrimSpace(text[i+1:]); {
			case len(after) > 0 || !complete:
				return jsonLines
			case arrays > 0:
				return jsonWrapped
			case scalars == 0 && members > 0:
				return jsonNoRows
			}
			return jsonLines // one row
		}
	}
	if arrays > 0 {
		return jsonWrapped
	}
	return jsonLines
}

// readJSON fills the table from JSON.
func (b *builder) readJSON(src *source, form jsonForm, header Header) error {
	b.Header, b.Format = true, FormatJSON
	if form == jsonNoRows {
		return &FileError{Problem: OtherType, File: b.Name, Line: 1, Column: 1, Found: "JSON without rows",
			Message: `this JSON is one object that holds no rows, want a list of objects or one object a line; write it with one object a row, as pandas does with orient="records"`}
	}
	s := &jsonScanner{src: src, b: b, form: form, line: 1, column: 1, index: map[string]int{}, taken: names{}, lists: map[string]bool{}, first: true}
	if err := s.open(); err != nil {
		return err
	}
	for {
		err := s.row(header)
		switch {
		case err == io.EOF:
			return s.finish()
		case err == nil && b.rows < math.MaxInt32:
			s.first = false
			b.add(s, s.cells, nil)
		case err == nil:
			return &FileError{Problem: TooLarge, File: b.Name, Message: message.Sprintf("the file has more than %d rows; open a part of it", b.rows)}
		case err == errHeader:
			s.first = false
		default:
			if err := b.unread(err); err != nil {
				return err
			}
			s.first = false
		}
	}
}

// finish completes the rows that were read before a column was met.
func (s *jsonScanner) finish() error {
	b := s.b
	if b.rows+b.bad.count == 0 {
		return &FileError{Problem: HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "this JSON holds no rows, want objects or lists; choose another file"}
	}
	if len(b.columns) == 0 && b.bad.count == 0 {
		return &FileError{Problem: HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "the rows of this JSON hold no cells; choose another file"}
	}
	if len(b.columns) == 0 {
		return b.tooMany()
	}
	for i, row := range b.Preview {
		b.Preview[i] = append(row, make([]string, len(b.columns)-len(row))...)
	}
	var lists []string
	for _, c := range b.columns {
		if s.lists[c.name] {
			lists = append(lists, c.name)
		}
	}
	if lists != nil {
		b.Notes.Add(note.TopicFile, nil, "%s holds lists, which are kept as texts", shownList(lists))
	}
	b.hear()
	return b.finish()
}

// The scanner's part that a builder asks for.

func (s *jsonScanner) next(int) ([]string, []float64, error) { return s.cells, nil, nil }

func (s *jsonScanner) wantNumber(int)                 {}
func (s *jsonScanner) place(i int) (line, column int) { return s.last, s.startColumn }

// open moves on to the first row. Of an object that holds rows, names of columns
// that stand before them are kept for rows that are lists.
func (s *jsonScanner) open() error {
	if s.form == jsonLines {
		return nil
	}
	c, err := s.space()
	if err != nil {
		return err
	}
	s.take(c)
	if s.close = ']'; s.form == jsonArray {
		return nil
	}
	for {
		if c, err = s.space(); err != nil || c == '}' {
			return s.wrong("want rows within this object")
		}
		if c == ',' {
			s.take(c)
			continue
		}
		name, err := s.string()
		if err != nil {
			return err
		}
		if c, err = s.space(); err != nil || c != ':' {
			return s.wrong("want a colon after %s", cell.Quote(name))
		}
		s.take(c)
		if c, err = s.space(); err != nil {
			return s.wrong("want a value of %s", cell.Quote(name))
		}
		if c == '[' {
			s.take(c)
			if c, err = s.space(); err == nil && (c == '{' || c == '[') {
				s.b.Notes.Add(note.TopicFile, nil, "the rows are those of %s", cell.Quote(name))
				return nil
			}
			if err := s.skipList(name); err != nil {
				return err
			}
			continue
		}
		s.cells = s.cells[:0]
		if err := s.value("", mostDepth-1, false); err != nil {
			return err
		}
	}
}

// skipList reads a list of single values, which may name the columns, behind its
// bracket.
func (s *jsonScanner) skipList(name string) error {
	var names []string
	texts := true
	for {
		c, err := s.space()
		switch {
		case err != nil:
			return s.wrong("want the end of %s", cell.Quote(name))
		case c == ']':
			s.take(c)
			if n := strings.ToLower(name); texts && (n == "columns" || n == "names" || n == "header" || n == "fields") {
				for _, name := range names {
					s.addColumn(name)
				}
			}
			return nil
		case c == ',':
			s.take(c)
		case c == '"':
			text, err := s.string()
			if err != nil {
				return err
			}
			names = append(names, text)
		default:
			texts = false
			if err := s.value("", mostDepth-1, false); err != nil {
				return err
			}
		}
	}
}
