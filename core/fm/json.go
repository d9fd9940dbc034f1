package fm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ifmlab/core/message"
)

// This file is as much of JSON (RFC 8259) as a model file needs: encoding/json
// would weigh as much as the rest of the engine in the browser. It is the
// oracle of the tests instead.

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
	data  []byte
	at    int
	field string
}

// fail returns the error that at offset at something else was wanted.
func (s *scanner) fail(at int, want string) *FileError {
	e := &FileError{Line: 1, Column: 1, Field: s.field, Want: want}
	for _, c := range string(s.data[:at]) {
		e.Column++
		if c == '\n' {
			e.Line, e.Column = e.Line+1, 1
		}
	}
	e.Found = "the end of the file"
	if at < len(s.data) {
		end := at + 1
		for end < len(s.data) && end < at+20 && s.data[end] > ' ' && strings.IndexByte(",]}", s.data[end]) < 0 {
			end++
		}
		e.Found = strconv.Quote(strings.ToValidUTF8(string(s.data[at:end]), ""))
	}
	return e
}

// next returns the first character after white space, 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take passes over c after white space.
func (s *scanner) take(c byte, want string) error {
	if s.next() != c {
		return s.fail(s.at, want)
	}
	s.at++
	return nil
}

// members reads what stands between open and end, with commas between; f reads
// one of it.
func (s *scanner) members(open, end byte, want string, f func() error) error {
	if err := s.take(open, want); err != nil {
		return err
	}
	if s.next() == end {
		s.at++
		return nil
	}
	for {
		if err := f(); err != nil {
			return err
		}
		if s.next() == end {
			s.at++
			return nil
		}
		if err := s.take(',', "a comma or "+strconv.Quote(string(rune(end)))); err != nil {
			return err
		}
	}
}

// object reads an object; f reads the value of a key.
func (s *scanner) object(f func(key string) error) error {
	outer := s.field
	return s.members('{', '}', "an object", func() error {
		key, err := s.text()
		if err != nil {
			return err
		}
		if err := s.take(':', "a colon"); err != nil {
			return err
		}
		if s.field = key; outer != "" {
			s.field = outer + "." + key
		}
		err = f(key)
		s.field = outer
		return err
	})
}

// array reads an array; f reads element i.
func (s *scanner) array(f func(i int) error) error {
	outer, i := s.field, 0
	return s.members('[', ']', "an array", func() error {
		s.field = outer + "[" + strconv.Itoa(i) + "]"
		err := f(i)
		i++
		s.field = outer
		return err
	})
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
	s.next()
	start := s.at
	digits := func() bool {
		from := s.at
		for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
			s.at++
		}
		return s.at > from
	}
	one := func(chars string) bool {
		for _, c := range []byte(chars) {
			if s.at < len(s.data) && s.data[s.at] == c {
				s.at++
				return true
			}
		}
		return false
	}
	one("-")
	ok := one("0") || digits()
	if ok && one(".") {
		ok = digits()
	}
	if ok && one("eE") {
		one("+-")
		ok = digits()
	}
	if !ok {
		return 0, s.fail(start, want)
	}
	v, err := strconv.ParseFloat(string(s.data[start:s.at]), 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, s.fail(start, want)
	}
	return v, nil
}

// integer reads a whole number of at least least.
func (s *scanner) integer(least int) (int, error) {
	s.next()
	start := s.at
	v, err := s.number()
	if err != nil || v < float64(least) || v > math.MaxInt32 || v != math.Trunc(v) {
		return 0, s.fail(start, message.Sprintf("a whole number of at least %d", least))
	}
	return int(v), nil
}

// text reads a string.
func (s *scanner) text() (string, error) {
	const want = "a text"
	s.next()
	start := s.at
	if err := s.take('"', want); err != nil {
		return "", err
	}
	var out []byte
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		switch {
		case c == '"':
			return string(out), nil
		case c < ' ':
			return "", s.fail(s.at-1, "an escape such as \\n in place of a control character")
		case c == '\\':
			r, ok := s.escape()
			if !ok {
				return "", s.fail(s.at, "the rest of an escape such as \\n or \\u00e4")
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return "", s.fail(start, "a text with its closing quote")
}

// truth reads true or false.
func (s *scanner) truth() (bool, error) {
	c := s.next()
	start := s.at
	if c != 't' && c != 'f' || s.skip(0) != nil {
		return false, s.fail(start, "true or false")
	}
	return c == 't', nil
}

// escape reads what follows a backslash. Half of a surrogate pair becomes
// U+FFFD.
func (s *scanner) escape() (rune, bool) {
	if s.at == len(s.data) {
		return 0, false
	}
	c := s.data[s.at]
	s.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		r, ok := s.hex()
		if !ok || !utf16.IsSurrogate(r) {
			return r, ok
		}
		back := s.at
		if s.at+1 < len(s.data) && s.data[s.at] == '\\' && s.data[s.at+1] == 'u' {
			s.at += 2
			if low, ok := s.hex(); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, true
				}
			}
			s.at = back
		}
		return utf8.RuneError, true
	}
	s.at--
	return 0, false
}

// hex reads four hexadecimal digits.
func (s *scanner) hex() (rune, bool) {
	if s.at+4 > len(s.data) {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s.data[s.at:s.at+4]), 16, 16)
	if err != nil {
		return 0, false
	}
	s.at += 4
	return rune(v), true
}

// skip passes over one value of any kind.
func (s *scanner) skip(depth int) error {
	if depth > maxDepth {
		return s.fail(s.at, message.Sprintf("no more than %d levels of nesting", maxDepth))
	}
	switch c := s.next(); c {
	case '{':
		return s.object(func(string) error { return s.skip(depth + 1) })
	case '[':
		return s.array(func(int) error { return s.skip(depth + 1) })
	case '"':
		_, err := s.text()
		return err
	case 't', 'f', 'n':
		for _, word := range []string{"true", "false", "null"} {
			if word[0] == c && s.at+len(word) <= len(s.data) && string(s.data[s.at:s.at+len(word)]) == word {
				s.at += len(word)
				return nil
			}
		}
		return s.fail(s.at, "a value")
	default:
		_, err := s.number()
		return err
	}
}
