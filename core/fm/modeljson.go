package fm

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/design"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// object is an object with these members. Others are passed over.
type object []member

// member is a member of an object. Its value is a pointer to what is read and written, a
// word, an integer, or a function that returns the object.
type member struct {
	name  string
	value any
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

// word is a text that set takes, or does not if it is not what want says.
type word struct {
	text, want string
	set        func(text string) bool
}

// integer is a whole number from least to most; more says what a larger one should be.
type integer struct {
	at          *int
	least, most int
	more        string
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
		b = write(append(jsontext.AppendText(b, m.name), ':'), m.value)
	}
	return append(b, '}')
}

// write appends a value of a member or of an array.
func write(b []byte, value any) []byte {
	switch v := value.(type) {
	case *string:
		return jsontext.AppendText(b, *v)
	case *float64:
		return jsontext.AppendNumber(b, *v)
	case *bool:
		return strconv.AppendBool(b, *v)
	case word:
		return jsontext.AppendText(b, v.text)
	case integer:
		return strconv.AppendInt(b, int64(*v.at), 10)
	case *design.Feature:
		return featureOf(v).write(b)
	case *[]string:
		return writeList(b, *v, "")
	case *[]float64:
		return writeList(b, *v, "")
	case *[][]float64:
		return writeList(b, *v, "\n")
	case *[]design.Feature:
		return writeList(b, *v, "\n")
	}
	return value.(func() object)().write(b)
}

func writeList[T any](b []byte, list []T, before string) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = write(append(b, before...), &list[i])
	}
	return append(b, ']')
}

// maxDepth bounds how deep values that are passed over may be nested.
const maxDepth = 100

// scanner reads values one after the other. field names what is being read, for errors.
type scanner struct {
	*jsontext.Reader
	data  []byte
	field string
}

// fail returns the error that something else was wanted at a place.
func (s *scanner) fail(at jsontext.Place, want string) error {
	before, rest := s.data[:at.Offset], s.data[at.Offset:]
	e := &FileError{Line: at.Line, Column: 1 + utf8.RuneCount(before[len(before)+1-at.Column:]), Field: s.field, Want: want, Found: "the end of the file"}
	if len(rest) > 0 {
		end := 1
		for end < min(20, len(rest)) && rest[end] > ' ' && strings.IndexByte(",]}", rest[end]) < 0 {
			end++
		}
		e.Found = strconv.Quote(strings.ToValidUTF8(string(rest[:end]), ""))
	}
	return e
}

// wrong returns the error for one of Next, which was to return what want says.
func (s *scanner) wrong(err error, want string) error {
	at := s.Here()
	switch err {
	case nil:
		return nil
	case jsontext.WantValue:
		at = s.Start()
	case jsontext.WantName:
		want = "a text"
	case jsontext.WantColon:
		want = "a colon"
	case jsontext.WantComma:
		want = "a comma or " + strconv.Quote(string(rune(s.Inside()+2)))
	case jsontext.WantQuote:
		at, want = s.Start(), "a text with its closing quote"
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
		return s.fail(s.Start(), want)
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

// read reads a value of a member or of an array.
func (s *scanner) read(value any) error {
	switch v := value.(type) {
	case *string:
		return s.token(jsontext.Text, "a text", func(text string) bool { *v = text; return true })
	case *float64:
		return s.token(jsontext.Word, "a finite number", func(text string) (ok bool) {
			*v, ok = finite(text)
			return ok
		})
	case *bool:
		return s.token(jsontext.Word, "true or false", func(text string) bool {
			*v = text == "true"
			return *v || text == "false"
		})
	case word:
		return s.token(jsontext.Text, v.want, v.set)
	case integer:
		err := s.token(jsontext.Word, message.Sprintf("a whole number of at least %d", v.least), func(text string) bool {
			n, ok := finite(text)
			*v.at = int(n)
			return ok && n >= float64(v.least) && n <= math.MaxInt32 && n == math.Trunc(n)
		})
		if err == nil && *v.at > v.most {
			return s.fail(s.Start(), v.more)
		}
		return err
	case *design.Feature:
		return s.object(featureOf(v))
	case *[]string:
		return readList(s, v)
	case *[]float64:
		return readList(s, v)
	case *[][]float64:
		return readList(s, v)
	case *[]design.Feature:
		return readList(s, v)
	}
	return s.object(value.(func() object)())
}

func finite(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

func readList[T any](s *scanner, list *[]T) error {
	if err := s.token(jsontext.Array, "an array", nil); err != nil {
		return err
	}
	outer := s.field
	for i := 0; ; i++ {
		if more, _ := s.More(); !more {
			_, err := s.Next()
			return s.wrong(err, "")
		}
		s.field = outer + "[" + strconv.Itoa(i) + "]"
		*list = append(*list, *new(T))
		if err := s.read(&(*list)[i]); err != nil {
			return err
		}
		s.field = outer
	}
}

// object reads an object into members.
func (s *scanner) object(members object) error {
	if err := s.token(jsontext.Object, "an object", nil); err != nil {
		return err
	}
	seen := make([]bool, len(members))
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
		i := slices.IndexFunc(members, func(m member) bool { return m.name == string(t.Text) })
		switch s.Peek(); {
		case i < 0:
			err = s.skip()
		case seen[i]:
			err = s.fail(s.Here(), "each member once")
		default:
			seen[i] = true
			err = s.read(members[i].value)
		}
		if err != nil {
			return err
		}
		s.field = outer
	}
	for i, m := range members {
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
