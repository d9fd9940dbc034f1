package data

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ifmlab/core/cell"
	"ifmlab/core/message"
)

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
	if c == '\n' {
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
		found = cell.Quote(string(rune(c)))
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
			if err == io.EOF || c == '\n' {
				return e
			}
		}
	}
	return &FileError{Problem: Damaged, File: s.b.Name, Line: s.line, Column: s.column, Found: found,
		Message: message.Sprintf("found %s, %s; fix the file there, or save it again", found, text)}
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
