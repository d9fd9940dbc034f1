package data

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ifmlab/core/message"
)

// Format says what kind of file a table was read from.
type Format string

// The formats of tables.
const (
	FormatText   Format = "text" // cells between separators
	FormatJSON   Format = "json" // or JSON Lines
	FormatLIBSVM Format = "libsvm"
	FormatLibFFM Format = "libffm"
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

	index map[string]int // columns by name
	cells []string       // of the present row, a column each
	texts []bool         // which of them are strings or lists
	text  []byte         // of the string being read
	raw   []byte         // of the list being read
	keep  bool           // raw is kept
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
	s := &jsonScanner{src: src, b: b, form: form, line: 1, column: 1, index: map[string]int{}, lists: map[string]bool{}, first: true}
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
		b.notice("%s holds lists, which are kept as texts", shownList(lists))
	}
	b.hear()
	return b.finish()
}

// The scanner's part that a builder asks for.

func (s *jsonScanner) next(int) ([]string, []float64, error) { return s.cells, nil, nil }
func (s *jsonScanner) wantNumber(int)                        {}
func (s *jsonScanner) place(i int) (line, column int)        { return s.last, s.startColumn }

// peek returns the next byte, which it leaves; io.EOF or the reader's error.
func (s *jsonScanner) peek() (byte, error) {
	for s.src.lo == len(s.src.buf) {
		if s.src.err != nil {
			return 0, s.src.err
		}
		s.src.seen = 0
		s.src.fill(bufferSize)
	}
	return s.src.buf[s.src.lo], nil
}

// take moves on over the byte that was peeked at.
func (s *jsonScanner) take(c byte) {
	s.src.lo++
	s.column++
	if c == '\n' || c == '\r' && s.src.macLines {
		s.line++
		s.column = 1
	}
	if s.keep {
		s.raw = append(s.raw, c)
	}
}

// space passes over white space, which no text of a list keeps, and peeks.
func (s *jsonScanner) space() (byte, error) {
	keep := s.keep
	s.keep = false
	defer func() { s.keep = keep }()
	for {
		c, err := s.peek()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' || c == '\n' && s.inside && s.perLine {
			return c, err
		}
		s.take(c)
	}
}

// wrong returns the error of a file at the next byte: of a row where each has lines
// of its own, else of the file.
func (s *jsonScanner) wrong(format string, args ...any) error {
	text := message.Sprintf(format, args...)
	found := "the end of the file"
	if c, err := s.peek(); err == nil {
		found = shown(string(rune(c)))
	} else if err != io.EOF {
		return err
	}
	if s.form == jsonLines {
		e := &RowError{Problem: NotJSON, Line: s.line, Column: s.column, Found: found, Message: message.Sprintf("found %s, %s; fix the line", found, text)}
		for {
			c, err := s.peek()
			if err != nil && err != io.EOF {
				return err
			}
			if err == nil {
				s.take(c)
			}
			if err == io.EOF || c == '\n' || c == '\r' && s.src.macLines {
				return e
			}
		}
	}
	return &FileError{Problem: Damaged, File: s.b.Name, Line: s.line, Column: s.column, Found: found,
		Message: message.Sprintf("found %s, %s; fix the file there, or save it again", found, text)}
}

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
			return s.wrong("want a colon after %s", shown(name))
		}
		s.take(c)
		if c, err = s.space(); err != nil {
			return s.wrong("want a value of %s", shown(name))
		}
		if c == '[' {
			s.take(c)
			if c, err = s.space(); err == nil && (c == '{' || c == '[') {
				s.b.notice("the rows are those of %s", shown(name))
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
			return s.wrong("want the end of %s", shown(name))
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
			return s.wrong("want a colon after %s", shown(name))
		}
		s.take(c)
		if _, err = s.space(); err != nil {
			return s.wrong("want a value of %s", shown(name))
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
			return s.wrong("want a comma or } after the value of %s", shown(name))
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
	shownAs := strings.TrimSpace(name)
	if shownAs == "" {
		shownAs = columnName(i)
	}
	c := newColumn(shownAs, '.')
	c.exact, c.told = true, true
	for _, value := range s.b.options.Said.Present {
		if column, answer, ok := CutPair(value, func(name string) bool { return name == shownAs }); ok && column == shownAs && isMissing(answer) {
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
			return s.wrong("want ] after the values of %s", shown(name))
		}
		if c == ']' {
			s.take(c)
			break
		}
		if i > 0 {
			if c != ',' {
				return s.wrong("want a comma or ] after a value of %s", shown(name))
			}
			s.take(c)
			if c, err = s.space(); err != nil {
				return s.wrong("want a value of %s", shown(name))
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

// scalar reads a single value and returns its cell: "" for null and NaN, as
// Python writes it; of an object or a list in a list its text. text says that it is
// no number.
func (s *jsonScanner) scalar(c byte) (cell string, text bool, err error) {
	switch {
	case c == '"':
		cell, err = s.string()
		return cell, true, err
	case c == '{' || c == '[':
		cell, err = s.nested()
		return cell, true, err
	}
	s.text = s.text[:0]
	for {
		c, err := s.peek()
		if err != nil && err != io.EOF {
			return "", false, err
		}
		if err == io.EOF || !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.') {
			break
		}
		s.text = append(s.text, c)
		s.take(c)
	}
	switch word := string(s.text); word {
	case "null", "NaN":
		return "", false, nil
	case "true", "false", "Infinity", "-Infinity":
		return word, word == "true" || word == "false", nil
	default:
		if _, err := strconv.ParseFloat(word, 64); word == "" || err != nil && !strings.Contains(err.Error(), "range") || strings.ContainsAny(word, "xXpPnNiI") {
			return "", false, s.wrong("want a value before it: a number, a text in quotes, true, false or null")
		}
		return word, false, nil
	}
}

// nested reads a list or an object of a list and returns its text.
func (s *jsonScanner) nested() (string, error) {
	kept, from := s.keep, len(s.raw)
	if !kept {
		s.raw, s.keep, from = s.raw[:0], true, 0
	}
	defer func() { s.keep = kept }()
	for depth := 0; ; {
		c, err := s.space()
		if err != nil {
			return "", s.wrong("want the end of a list or an object")
		}
		switch c {
		case '"':
			if _, err := s.string(); err != nil {
				return "", err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.take(c)
		if depth == 0 {
			return string(s.raw[from:]), nil
		}
	}
}

// string reads a text in quotes.
func (s *jsonScanner) string() (string, error) {
	s.text = s.text[:0]
	s.take('"')
	var high rune // half of a pair
	for {
		c, err := s.peek()
		if err != nil {
			return "", s.wrong("want the quote that ends a text")
		}
		if c == '\n' && s.form == jsonLines {
			return "", s.wrong("want the quote that ends a text")
		}
		s.take(c)
		if c == '"' {
			break
		}
		if c != '\\' {
			s.text = append(s.text, c)
			continue
		}
		if c, err = s.peek(); err != nil {
			return "", s.wrong("want the rest of a text")
		}
		s.take(c)
		switch c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'u':
			r, err := s.hex()
			if err != nil {
				return "", err
			}
			if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
				s.text = append(s.text[:len(s.text)-len("\uFFFD")], string(pair)...)
				high = 0
				continue
			}
			if high = 0; utf16.IsSurrogate(r) {
				high = r
			}
			s.text = utf8.AppendRune(s.text, r)
			continue
		}
		s.text = append(s.text, c)
		high = 0
	}
	s.spoilt = s.spoilt || !utf8.Valid(s.text) || bytes.IndexByte(s.text, 0) >= 0
	return string(s.text), nil
}

// hex reads the four digits of \u.
func (s *jsonScanner) hex() (rune, error) {
	r := rune(0)
	for range 4 {
		c, err := s.peek()
		if err != nil {
			return 0, s.wrong("want four hexadecimal digits after \\u")
		}
		d, err := strconv.ParseUint(string(rune(c)), 16, 8)
		if err != nil {
			return 0, s.wrong("want four hexadecimal digits after \\u")
		}
		s.take(c)
		r = r<<4 | rune(d)
	}
	return r, nil
}
