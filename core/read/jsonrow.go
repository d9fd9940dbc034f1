package read

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

func (s *jsonRows) Next(int) ([]string, []float64, error) {
	err := s.read()
	s.first, s.texts = false, s.texts[:0]
	for _, c := range s.row {
		s.texts = append(s.texts, c.text)
	}
	return s.texts, nil, err
}

// read reads the next row. It returns io.EOF after the last.
func (s *jsonRows) read() error {
	s.row = append(s.row[:0], make([]jsonCell, len(s.b.Columns))...)
	s.textBytes, s.inNested, s.badText = s.textBytes[:0], false, false
	more, err := s.in.More()
	c := s.in.Peek()
	if err == nil && (!more || c == ']' && s.form != jsonLines) {
		return io.EOF // what follows is not looked at
	}
	s.start = s.in.Here()
	s.line = max(s.line+1, s.start.Line)
	if err == nil && c != '{' && c != '[' {
		return s.syntaxError("an object or a list for each row")
	}
	t, err := s.check(s.in.Next())
	if err != nil {
		return err
	}
	if t.Kind == jsontext.Array {
		return s.listRow()
	}
	if err = s.object(0); err != nil {
		return err
	}
	return s.endRow()
}

// endRow checks a row that has ended. JSON fixes the decimal mark of a column of numbers. A
// text in a column revokes that. endRow returns an error for a row with a bad text.
func (s *jsonRows) endRow() error {
	if s.first && s.form == jsonLines {
		s.in.OneLine = s.in.Here().Line == s.start.Line
	}
	if s.badText {
		return &fault.RowError{Problem: fault.NotText, Line: s.start.Line, Column: s.start.Column, Message: "a text of this row has a zero byte or bytes that are not UTF-8; write it again"}
	}
	for i, c := range s.b.Columns {
		if s.row[i].kind != 0 && c.ExactMark {
			c.ExactMark, c.ExplicitMark = false, false
		}
	}
	return nil
}

// listRow reads a row that is a list. The first one is the header if all its cells are
// texts, unless the settings say that there is none.
func (s *jsonRows) listRow() error {
	if err := s.elements(); err != nil {
		return err
	}
	if s.first && len(s.b.Columns) == 0 {
		if len(s.list) > table.MaxColumns {
			return s.tooWide(len(s.list))
		}
		s.b.Header = s.header == csv.HeaderYes || s.header == csv.HeaderAuto && len(s.list) > 0 && allAre(jsontext.Text, s.list)
		taken := title.UniqueNames{}
		for i, c := range s.list {
			name := strings.Clone(strings.TrimSpace(c.text))
			if !s.b.Header || name == "" {
				name = columnName(i)
			}
			s.addColumn(taken.Unique(name))
		}
		if s.b.Header {
			s.first = false
			return s.read()
		}
	}
	if len(s.list) != len(s.b.Columns) {
		return &fault.RowError{Problem: fault.FieldCount, Line: s.start.Line, Column: s.start.Column, Message: csv.FieldCount(len(s.list), len(s.b.Columns))}
	}
	s.row, s.list = s.list, s.row
	return s.endRow()
}

// object reads the members of an object. Their names follow the first prefix bytes of path.
func (s *jsonRows) object(prefix int) error {
	for {
		t, err := s.member(prefix)
		if err != nil || t.Kind == jsontext.ObjectEnd {
			return err
		}
		switch n := len(s.path); t.Kind {
		case jsontext.Object:
			s.path = append(s.path, within)
			err = s.object(n + 1)
			s.path = s.path[:n]
		case jsontext.Array:
			err = s.values()
		default:
			var c jsonCell
			if c, err = s.cell(t); err == nil {
				err = s.set(c)
			}
		}
		if err != nil {
			return err
		}
	}
}

// member reads a name to path, after prefix bytes, and the first token of the value. At the
// end of the object it returns that token.
func (s *jsonRows) member(prefix int) (jsontext.Token, error) {
	t, err := s.in.Next()
	if t.Kind == jsontext.Name {
		s.path = append(s.path[:prefix], t.Text...)
	}
	if t, err = s.check(t, err); err != nil || t.Kind == jsontext.ObjectEnd {
		return t, err
	}
	return s.check(s.in.Next())
}

// check sets badText for a text that is not UTF-8, and puts syntax errors into words.
func (s *jsonRows) check(t jsontext.Token, err error) (jsontext.Token, error) {
	if err != nil {
		if want, ok := err.(jsontext.Want); ok {
			_, more := s.in.Byte()
			err = s.syntaxError(s.describeWant(want, !more && len(t.Text) == 0))
		}
		return t, err
	}
	s.badText = s.badText || (t.Kind == jsontext.Text || t.Kind == jsontext.Name) && (!utf8.Valid(t.Text) || bytes.IndexByte(t.Text, 0) >= 0)
	return t, nil
}

// values reads a list in a member. Numbers alone become columns of their own. Of other
// lists it keeps the text.
func (s *jsonRows) values() error {
	s.in.Raw, s.in.Keep = append(s.in.Raw[:0], '['), true
	err := s.elements()
	s.in.Keep = false
	switch {
	case err != nil:
		return err
	case !allAre(0, s.list):
		return s.set(jsonCell{text: s.textOf(s.in.Raw), kind: jsontext.Array})
	}
	n := len(s.path)
	for i, c := range s.list {
		s.path = strconv.AppendInt(append(s.path[:n], within), int64(i+1), 10)
		if err := s.set(c); err != nil {
			return err
		}
	}
	s.path = s.path[:n]
	return nil
}

// elements reads the elements of a list.
func (s *jsonRows) elements() error {
	s.list = s.list[:0]
	for depth := s.in.Depth(); ; {
		t, err := s.check(s.in.Next())
		if err != nil || s.in.Depth() < depth {
			return err
		}
		c, err := s.cell(t)
		if err != nil {
			return err
		}
		s.list = append(s.list, c)
	}
}

// cell returns the cell of a value: "" for null and NaN, which Python writes, and the text
// of a whole object or list.
func (s *jsonRows) cell(t jsontext.Token) (jsonCell, error) {
	switch word := string(t.Text); {
	case t.Kind == jsontext.Text:
		return jsonCell{text: s.textOf(t.Text), kind: jsontext.Text}, nil
	case t.Kind == jsontext.Word && (word == "null" || word == "NaN"):
		return jsonCell{}, nil
	case t.Kind == jsontext.Word && (word == "true" || word == "false"):
		return jsonCell{text: s.textOf(t.Text), kind: jsontext.Word}, nil
	case t.Kind == jsontext.Word:
		return jsonCell{text: s.textOf(t.Text)}, nil
	}
	kept := s.in.Keep
	if !kept {
		s.in.Raw, s.in.Keep = append(s.in.Raw[:0], byte(t.Kind)), true
	}
	s.inNested = true
	for depth := s.in.Depth(); s.in.Depth() >= depth; {
		if _, err := s.check(s.in.Next()); err != nil {
			return jsonCell{}, err
		}
	}
	s.inNested, s.in.Keep = false, kept
	return jsonCell{text: s.textOf(s.in.Raw), kind: jsontext.Array}, nil
}

// textOf returns text as a string that is valid until the next row.
func (s *jsonRows) textOf(text []byte) string {
	from := len(s.textBytes)
	s.textBytes = append(s.textBytes, text...)
	return unsafe.String(unsafe.SliceData(s.textBytes[from:]), len(text))
}

// Bytes of a path that no name should hold: within stands before the name of a member of a
// member, which is shown as p.q, and again behind a name that an object repeats.
const (
	within = '\x1f'
	again  = '\x1e'
)

// shownPath returns a path as a name of a column.
func shownPath(path string) string {
	return strings.ReplaceAll(strings.TrimRight(path, string(again)), string(within), ".")
}

// set sets the cell of the member path.
func (s *jsonRows) set(c jsonCell) error {
	i, ok := s.index[string(s.path)]
	if !ok {
		if len(s.b.Columns) >= table.MaxColumns {
			return s.tooWide(len(s.b.Columns) + 1)
		}
		i = s.addColumn(string(s.path))
	}
	if s.row[i].taken { // the object has the name twice
		n := len(s.path)
		s.path = append(s.path, again)
		err := s.set(c)
		s.path = s.path[:n]
		return err
	}
	c.taken = true
	s.row[i] = c
	if c.kind == jsontext.Array {
		s.lists[i] = true
	}
	return nil
}

// addColumn adds a column, missing in all rows so far, and returns its place.
func (s *jsonRows) addColumn(name string) int {
	i := len(s.b.Columns)
	s.index[name] = i
	plain := strings.TrimSpace(shownPath(name))
	if plain == "" {
		plain = columnName(i)
	}
	shownAs := s.taken.Unique(plain)
	if shownAs != plain {
		s.b.Notes.Add(note.TopicFile, nil, "two columns are called %q; the one in column %d is now called %q", plain, i+1, shownAs)
	}
	c := table.NewColumn(shownAs, '.')
	c.ExactMark, c.ExplicitMark = true, true
	for _, value := range s.b.options.Answers.Present {
		if column, answer, ok := note.CutPair(value, func(name string) bool { return name == shownAs }); ok && column == shownAs && cell.IsMissing(answer) {
			c.NotMissing = append(c.NotMissing, answer)
		}
	}
	for range s.b.Rows {
		c.AddMissing("")
	}
	s.b.Columns = append(s.b.Columns, c)
	s.row = append(s.row, jsonCell{})
	return i
}

func (s *jsonRows) tooWide(columns int) error {
	at := s.in.Here()
	return &fault.FileError{Problem: fault.TooLarge, File: s.b.Name, Line: at.Line, Column: at.Column, Found: message.Sprintf("%d columns", columns),
		Message: message.Sprintf("the rows have more than %d different names; drop columns", table.MaxColumns)}
}

// describeWant says what is wanted in place of the next byte, or of the end of the file.
func (s *jsonRows) describeWant(want jsontext.Want, end bool) string {
	name := cell.Quote(shownPath(string(s.path)))
	one, all := "a value of "+name, "the values of "+name
	if s.in.Inside() == jsontext.Array {
		switch s.in.Depth() - int(s.form) {
		case 0:
			one, all = "a row", "the last row"
		case 1:
			one, all = "a cell", "a row"
		}
	}
	switch {
	case want == jsontext.WantLess:
		return message.Sprintf("objects at most %d deep", maxDepth)
	case s.inNested && (want == jsontext.WantName || want == jsontext.WantColon || want == jsontext.WantComma || want == jsontext.WantValue):
		return "the end of a list or an object"
	case want == jsontext.WantColon:
		return "a colon after " + name
	case want == jsontext.WantValue && end:
		return one
	case want == jsontext.WantComma && s.in.Inside() == jsontext.Object:
		return "a comma or } after the value of " + name
	case want == jsontext.WantComma && end:
		return "] after " + all
	case want == jsontext.WantComma:
		return "a comma or ] after " + one
	}
	return string(want)
}

// syntaxError returns the error that something is wanted before the next byte. It is an
// error of the row if each row has lines of its own, else of the file.
func (s *jsonRows) syntaxError(want string) error {
	at, found := s.in.Here(), "the end of the file"
	if c, ok := s.in.Byte(); ok {
		found = cell.Quote(string(rune(c)))
	}
	if s.form == jsonLines {
		if err := s.in.SkipLine(); err != nil {
			return err
		}
		return &fault.RowError{Problem: fault.NotJSON, Line: at.Line, Column: at.Column, Found: found, Message: message.Sprintf("found %s, expected %s. Correct the line", found, want)}
	}
	return &fault.FileError{Problem: fault.Damaged, File: s.b.Name, Line: at.Line, Column: at.Column, Found: found,
		Message: message.Sprintf("found %s, expected %s. Correct the file there, or save it again", found, want)}
}
