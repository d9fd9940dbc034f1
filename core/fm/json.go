package fm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

const hexDigits = "0123456789abcdef"

// appendText appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendText(out []byte, s string) []byte {
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

// appendNumber appends a finite v in the shortest form that reads as v.
func appendNumber(out []byte, v float64) []byte { return strconv.AppendFloat(out, v, 'g', -1, 64) }

// maxDepth bounds how deep values that are passed over may be nested.
const maxDepth = 100

// scanner reads JSON values one after the other. field names what is being
// read, for the errors.
type scanner struct {
	*jsontext.Reader
	data  []byte
	field string
}

// fail returns the error that at offset at something else was wanted.
func (s *scanner) fail(at int, want string) *FileError {
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

// wants returns the error for one of the Reader's. Where a value of another kind
// begins, it wants want.
func (s *scanner) wants(err error, want string) error {
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

// value returns the next token, which is of a kind.
func (s *scanner) value(kind jsontext.Kind, want string) (jsontext.Token, error) {
	t, err := s.Next()
	if err = s.wants(err, want); err == nil && t.Kind != kind {
		err = s.fail(s.Start().Offset, want)
	}
	return t, err
}

// object reads an object; f reads the value of a key.
func (s *scanner) object(f func(key string) error) error {
	outer := s.field
	t, err := s.value(jsontext.Object, "an object")
	for err == nil {
		if t, err = s.Next(); err != nil || t.Kind == jsontext.ObjectEnd {
			return s.wants(err, "")
		}
		key := string(t.Text)
		if s.field = key; outer != "" {
			s.field = outer + "." + key
		}
		err = f(key)
		s.field = outer
	}
	return err
}

// array reads an array; f reads element i.
func (s *scanner) array(f func(i int) error) error {
	outer := s.field
	_, err := s.value(jsontext.Array, "an array")
	for i := 0; err == nil; i++ {
		var more bool
		if more, err = s.More(); !more {
			_, err = s.Next()
			return s.wants(err, "")
		}
		s.field = outer + "[" + strconv.Itoa(i) + "]"
		err = f(i)
		s.field = outer
	}
	return err
}

// numbers reads an array of numbers into dst, which it returns.
func (s *scanner) numbers(dst []float64) ([]float64, error) {
	err := s.array(func(int) error {
		v, err := s.number()
		dst = append(dst, v)
		return err
	})
	return dst, err
}

// number reads a finite number.
func (s *scanner) number() (float64, error) {
	const want = "a finite number"
	t, err := s.value(jsontext.Word, want)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(string(t.Text), 64)
	if err != nil {
		return 0, s.fail(s.Start().Offset, want)
	}
	return v, nil
}

// integer reads a whole number of at least least.
func (s *scanner) integer(least int) (int, error) {
	v, err := s.number()
	if err != nil || v < float64(least) || v > math.MaxInt32 || v != math.Trunc(v) {
		return 0, s.fail(s.Start().Offset, message.Sprintf("a whole number of at least %d", least))
	}
	return int(v), nil
}

// text reads a string.
func (s *scanner) text() (string, error) {
	t, err := s.value(jsontext.Text, "a text")
	return string(t.Text), err
}

// truth reads true or false.
func (s *scanner) truth() (bool, error) {
	const want = "true or false"
	t, err := s.value(jsontext.Word, want)
	if word := string(t.Text); err == nil && word != "true" && word != "false" {
		err = s.fail(s.Start().Offset, want)
	}
	return string(t.Text) == "true", err
}

// skip passes over one value of any kind.
func (s *scanner) skip() error {
	for depth := s.Depth(); ; {
		if _, err := s.Next(); err != nil || s.Depth() == depth {
			return s.wants(err, "a value")
		}
	}
}
