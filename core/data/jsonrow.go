package data

import (
	"io"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// errHeader says that a row was the header.
var errHeader = &RowError{Message: "header"}

// row reads the next row into cells. It returns io.EOF after the last.
func (s *jsonScanner) row(header Header) error {
	s.cells, s.texts, s.spoilt = s.cells[:0], s.texts[:0], false
	for range s.b.columns {
		s.cells, s.texts = append(s.cells, ""), append(s.texts, false)
	}
	c, err := s.space()
	if s.close != 0 {
		if err == io.EOF {
			return s.wrong("want ] after the last row")
		}
		if err == nil && c == ',' && !s.first {
			s.take(c)
			c, err = s.space()
		} else if err == nil && c != ']' && !s.first {
			return s.wrong("want a comma or ] after a row")
		}
		if err == nil && c == ']' {
			return io.EOF // what follows is not looked at
		}
	} else if err == nil && c == ',' && !s.first { // between lines, as some write
		s.take(c)
		c, err = s.space()
	}
	if err != nil {
		return err
	}
	s.startLine, s.startColumn = s.line, s.column
	s.last = max(s.last+1, s.line)
	s.inside = true
	defer func() { s.inside = false }()
	switch c {
	case '{':
		err = s.object("", 0)
	case '[':
		return s.list(header)
	default:
		return s.wrong("want an object or a list for each row")
	}
	if err != nil {
		return err
	}
	return s.note()
}

// note ends a row. It tells columns of strings from those of numbers, whose
// fractions have a point, and returns an error for a row that holds no text.
func (s *jsonScanner) note() error {
	s.perLine = s.perLine || s.first && s.form == jsonLines && s.line == s.startLine
	if s.spoilt {
		return &RowError{Problem: NotText, Line: s.startLine, Column: s.startColumn, Message: "a text of this row holds a zero byte or bytes that are no UTF-8; write it anew"}
	}
	for i, c := range s.b.columns {
		if s.texts[i] && c.exact {
			c.exact, c.told = false, false
		}
	}
	return nil
}

// list reads a row that is a list of cells. The first one names the columns if its
// cells are strings, unless the header is said to be none.
func (s *jsonScanner) list(header Header) error {
	s.take('[')
	var cells []string
	var texts []bool
	all := true // strings
	for i := 0; ; i++ {
		c, err := s.space()
		if err != nil {
			return s.wrong("want ] after a row")
		}
		if c == ']' {
			s.take(c)
			break
		}
		if i > 0 {
			if c != ',' {
				return s.wrong("want a comma or ] after a cell")
			}
			s.take(c)
			if c, err = s.space(); err != nil {
				return s.wrong("want a cell")
			}
		}
		cell, text, err := s.scalar(c)
		if err != nil {
			return err
		}
		all = all && c == '"'
		cells, texts = append(cells, cell), append(texts, text)
	}
	if s.first && len(s.b.columns) == 0 {
		if len(cells) > maxColumns {
			return s.tooWide(len(cells))
		}
		s.b.Header = header == HeaderYes || header == HeaderAuto && all && len(cells) > 0
		taken := names{}
		for i := range cells {
			name := columnName(i)
			if s.b.Header && strings.TrimSpace(cells[i]) != "" {
				name = strings.TrimSpace(cells[i])
			}
			s.addColumn(taken.unique(name))
		}
		if s.b.Header {
			return errHeader
		}
	}
	if len(cells) != len(s.b.columns) {
		return &RowError{Problem: FieldCount, Line: s.startLine, Column: s.startColumn, Message: fieldCount(len(cells), len(s.b.columns))}
	}
	s.cells, s.texts = cells, texts
	return s.note()
}

func (s *jsonScanner) tooWide(columns int) error {
	return &FileError{Problem: TooLarge, File: s.b.Name, Line: s.line, Column: s.column, Found: message.Sprintf("%d columns", columns),
		Message: message.Sprintf("the rows have more than %d different names; drop columns", maxColumns)}
}

// object reads an object whose cells have names that begin with prefix.
func (s *jsonScanner) object(prefix string, depth int) error {
	if depth > mostDepth {
		return s.wrong("want objects at most %d deep", mostDepth)
	}
	s.take('{')
	for i := 0; ; i++ {
		c, err := s.space()
		if err == nil && c == '}' && i == 0 {
			s.take(c)
			return nil
		}
		if err != nil || c != '"' {
			return s.wrong("want a name in quotes")
		}
		name, err := s.string()
		if err != nil {
			return err
		}
		name = prefix + name
		if c, err = s.space(); err != nil || c != ':' {
			return s.wrong("want a colon after %s", cell.Quote(name))
		}
		s.take(c)
		if _, err = s.space(); err != nil {
			return s.wrong("want a value of %s", cell.Quote(name))
		}
		if err := s.value(name, depth, true); err != nil {
			return err
		}
		switch c, err = s.space(); {
		case err == nil && c == ',':
			s.take(c)
		case err == nil && c == '}':
			s.take(c)
			return nil
		default:
			return s.wrong("want a comma or } after the value of %s", cell.Quote(name))
		}
	}
}

// value reads what stands under a name, and sets its cells if set says so.
func (s *jsonScanner) value(name string, depth int, set bool) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == '{' && set {
		return s.object(name+".", depth+1)
	}
	if c == '[' && set {
		return s.numbers(name)
	}
	cell, text, err := s.scalar(c)
	if err != nil || !set {
		return err
	}
	return s.set(name, cell, text)
}

// set sets the cell of a name in the present row.
func (s *jsonScanner) set(name, cell string, text bool) error {
	i, ok := s.index[name]
	if !ok {
		if len(s.b.columns) >= maxColumns {
			return s.tooWide(len(s.b.columns) + 1)
		}
		i = s.addColumn(name)
	}
	s.cells[i], s.texts[i] = cell, text
	return nil
}

// addColumn makes a column, whose cells are missing in all rows so far, and
// returns its place.
func (s *jsonScanner) addColumn(name string) int {
	i := len(s.b.columns)
	s.index[name] = i
	plain := strings.TrimSpace(name)
	if plain == "" {
		plain = columnName(i)
	}
	shownAs := s.taken.unique(plain)
	if shownAs != plain {
		s.b.Notes.Add(note.TopicFile, nil, "%q is the name of two columns, apart from spaces; the one in column %d is called %q", plain, i+1, shownAs)
	}
	c := newColumn(shownAs, '.')
	c.exact, c.told = true, true
	for _, value := range s.b.options.Said.Present {
		if column, answer, ok := CutPair(value, func(name string) bool { return name == shownAs }); ok && column == shownAs && cell.IsMissing(answer) {
			c.present = append(c.present, answer)
		}
	}
	for range s.b.rows {
		c.addMissing("")
	}
	s.b.columns = append(s.b.columns, c)
	s.cells, s.texts = append(s.cells, ""), append(s.texts, false)
	return i
}

// numbers reads a list: of numbers alone, which become columns of their own, or of
// others, whose text is kept.
func (s *jsonScanner) numbers(name string) error {
	s.raw, s.keep = s.raw[:0], true
	defer func() { s.keep = false }()
	s.take('[')
	var cells []string
	plain := true
	for i := 0; ; i++ {
		c, err := s.space()
		if err != nil {
			return s.wrong("want ] after the values of %s", cell.Quote(name))
		}
		if c == ']' {
			s.take(c)
			break
		}
		if i > 0 {
			if c != ',' {
				return s.wrong("want a comma or ] after a value of %s", cell.Quote(name))
			}
			s.take(c)
			if c, err = s.space(); err != nil {
				return s.wrong("want a value of %s", cell.Quote(name))
			}
		}
		cell, text, err := s.scalar(c)
		if err != nil {
			return err
		}
		if plain = plain && !text && cell != "true" && cell != "false"; plain {
			cells = append(cells, cell)
		}
	}
	s.keep = false
	if !plain {
		s.lists[name] = true
		return s.set(name, string(s.raw), true)
	}
	for i, cell := range cells {
		if err := s.set(name+"."+strconv.Itoa(i+1), cell, false); err != nil {
			return err
		}
	}
	return nil
}
