package fm

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// value is a value of a model file. read takes the value that comes next, and write
// appends it.
type value interface {
	read(s *scanner) error
	write(b []byte) []byte
}

// maxDepth bounds how deep values that are passed over may be nested.
const maxDepth = 100

// scanner reads values one after the other. field names what is being read, for errors.
type scanner struct {
	*jsontext.Reader
	data  []byte
	field string
}

// fail returns the error that at offset at something else was wanted.
func (s *scanner) fail(at int, want string) error {
	e := &FileError{Line: 1, Column: 1, Field: s.field, Want: want, Found: "the end of the file"}
	for _, c := range string(s.data[:at]) {
		e.Column++
		if c == '\n' {
			e.Line, e.Column = e.Line+1, 1
		}
	}
	if at < len(s.data) {
		end := at + 1
		for end < len(s.data) && end < at+20 && s.data[end] > ' ' && strings.IndexByte(",]}", s.data[end]) < 0 {
			end++
		}
		e.Found = strconv.Quote(strings.ToValidUTF8(string(s.data[at:end]), ""))
	}
	return e
}

// wrong returns the error for one of Next, which was to return what want says.
func (s *scanner) wrong(err error, want string) error {
	at := s.Here().Offset
	switch err {
	case nil:
		return nil
	case jsontext.WantValue:
		at = s.Start().Offset
	case jsontext.WantName:
		want = "a text"
	case jsontext.WantColon:
		want = "a colon"
	case jsontext.WantComma:
		want = "a comma or " + strconv.Quote(string(rune(s.Inside()+2)))
	case jsontext.WantQuote:
		at, want = s.Start().Offset, "a text with its closing quote"
	case jsontext.WantControl:
		want = "an escape such as \\n in place of a control character"
	case jsontext.WantLess:
		want = message.Sprintf("no more than %d levels of nesting", maxDepth)
	default:
		want = "the rest of an escape such as \\n or \\u00e4"
	}
	return s.fail(at, want)
}

// token reads a token of a kind for which read returns true.
func (s *scanner) token(kind jsontext.Kind, want string, read func(text string) bool) error {
	t, err := s.Next()
	if err == nil && (t.Kind != kind || read != nil && !read(string(t.Text))) {
		return s.fail(s.Start().Offset, want)
	}
	return s.wrong(err, want)
}

// skip passes over a value of any kind.
func (s *scanner) skip() error {
	for depth := s.Depth(); ; {
		if _, err := s.Next(); err != nil || s.Depth() == depth {
			return s.wrong(err, "a value")
		}
	}
}

// object is an object with these members. Others are passed over.
type object []member

// member is a member of an object.
type member struct {
	name  string
	value value
	mode  mode
}

// mode says when a member is there.
type mode int

const (
	always  mode = 1 // else it is read only
	needed  mode = 2 // a file without it is none
	ownLine mode = 4
)

func when(there bool) mode {
	if there {
		return always
	}
	return 0
}

func (o object) read(s *scanner) error {
	if err := s.token(jsontext.Object, "an object", nil); err != nil {
		return err
	}
	seen := make([]bool, len(o))
	outer := s.field
	for {
		t, err := s.Next()
		if err != nil {
			return s.wrong(err, "")
		}
		if t.Kind == jsontext.ObjectEnd {
			break
		}
		s.field = s.inside(string(t.Text))
		i := slices.IndexFunc(o, func(m member) bool { return m.name == string(t.Text) })
		switch s.Peek(); {
		case i < 0:
			err = s.skip()
		case seen[i]:
			err = s.fail(s.Here().Offset, "each member once")
		default:
			seen[i] = true
			err = o[i].value.read(s)
		}
		if err != nil {
			return err
		}
		s.field = outer
	}
	for i, m := range o {
		if m.mode&needed != 0 && !seen[i] {
			return &FileError{Field: s.inside(m.name), Found: "missing", Want: "a model file with all its members"}
		}
	}
	return nil
}

// inside returns the field of a member.
func (s *scanner) inside(name string) string {
	if s.field == "" {
		return name
	}
	return s.field + "." + name
}

func (o object) write(b []byte) []byte {
	b = append(b, '{')
	for i, m := range o {
		if m.mode&(always|needed) == 0 {
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		if m.mode&ownLine != 0 {
			b = append(b, '\n')
		}
		b = m.value.write(append(appendText(b, m.name), ':'))
	}
	return append(b, '}')
}

// made is an object that is made when it is read or written.
type made func() object

func (m made) read(s *scanner) error { return m().read(s) }
func (m made) write(b []byte) []byte { return m().write(b) }

// array is an array whose element i is at(i), which makes the element if there is none.
type array struct {
	length int
	lines  bool // each element is written on a line of its own
	at     func(i int) value
}

func (a array) read(s *scanner) error {
	if err := s.token(jsontext.Array, "an array", nil); err != nil {
		return err
	}
	outer := s.field
	for i := 0; ; i++ {
		more, err := s.More()
		if !more {
			_, err = s.Next()
			return s.wrong(err, "")
		}
		s.field = outer + "[" + strconv.Itoa(i) + "]"
		if err = a.at(i).read(s); err != nil {
			return err
		}
		s.field = outer
	}
}

func (a array) write(b []byte) []byte {
	b = append(b, '[')
	for i := range a.length {
		if i > 0 {
			b = append(b, ',')
		}
		if a.lines {
			b = append(b, '\n')
		}
		b = a.at(i).write(b)
	}
	return append(b, ']')
}

// list returns the array of a list, whose elements value reads and writes. What is read
// is appended.
func list[T any](l *[]T, lines bool, of func(*T) value) array {
	return array{len(*l), lines, func(i int) value {
		if i == len(*l) {
			*l = append(*l, *new(T))
		}
		return of(&(*l)[i])
	}}
}

func texts(l *[]string) array    { return list(l, false, textOf) }
func numbers(l *[]float64) array { return list(l, false, numberOf) }

func textOf(t *string) value    { return (*text)(t) }
func numberOf(v *float64) value { return (*number)(v) }

// text is a text.
type text string

func (t *text) read(s *scanner) error {
	return s.token(jsontext.Text, "a text", func(found string) bool { *t = text(found); return true })
}

func (t *text) write(b []byte) []byte { return appendText(b, string(*t)) }

// appendText appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendText(out []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	out = append(out, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', byte(c))
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			out = utf8.AppendRune(out, c)
		}
	}
	return append(out, '"')
}

// word is a text that set takes, or does not if it is not what want says.
type word struct {
	text, want string
	set        func(text string) bool
}

func (w word) read(s *scanner) error { return s.token(jsontext.Text, w.want, w.set) }
func (w word) write(b []byte) []byte { return appendText(b, w.text) }

// number is a finite number.
type number float64

func (n *number) read(s *scanner) error {
	return s.token(jsontext.Word, "a finite number", func(text string) bool {
		v, err := strconv.ParseFloat(text, 64)
		*n = number(v)
		return err == nil
	})
}

func (n *number) write(b []byte) []byte { return appendNumber(b, float64(*n)) }

// appendNumber appends a finite v in the shortest form that reads as v.
func appendNumber(out []byte, v float64) []byte { return strconv.AppendFloat(out, v, 'g', -1, 64) }

// integer is a whole number of at least least.
type integer struct {
	at    *int
	least int
}

func (n integer) read(s *scanner) error {
	return s.token(jsontext.Word, message.Sprintf("a whole number of at least %d", n.least), func(text string) bool {
		v, err := strconv.ParseFloat(text, 64)
		*n.at = int(v)
		return err == nil && v >= float64(n.least) && v <= math.MaxInt32 && v == math.Trunc(v)
	})
}

func (n integer) write(b []byte) []byte { return strconv.AppendInt(b, int64(*n.at), 10) }

// truth is true or false.
type truth bool

func (t *truth) read(s *scanner) error {
	return s.token(jsontext.Word, "true or false", func(text string) bool {
		*t = text == "true"
		return text == "true" || text == "false"
	})
}

func (t *truth) write(b []byte) []byte { return strconv.AppendBool(b, bool(*t)) }
