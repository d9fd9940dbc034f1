// Package jsontext reads a stream of JSON (RFC 8259) token by token. Tables and
// model files are read with it. encoding/json would add 238 kB brotli to the engine.
// Tests use it as the oracle.
package jsontext

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the kind of a token. The kind of a bracket is the bracket.
type Kind byte

// The kinds of tokens.
const (
	End       Kind = 0 // of the input
	Object    Kind = '{'
	ObjectEnd Kind = '}'
	Array     Kind = '['
	ArrayEnd  Kind = ']'
	Name      Kind = ':' // of a member, with its colon
	Text      Kind = '"'
	Word      Kind = 'a' // a number, true, false or null
)

// Token is one token. Text is a name or a text without quotes and escapes, or a word.
// It is valid until the next token.
type Token struct {
	Kind Kind
	Text []byte
}

// Want is the error of a text that is not JSON: what is missing before the next byte.
type Want string

// The errors of a text.
const (
	WantValue   Want = "a value before it: a number, a text in quotes, true, false or null"
	WantName    Want = "a name in quotes"
	WantColon   Want = "a colon" // the token holds the name
	WantComma   Want = "a comma or a bracket"
	WantQuote   Want = "the quote that ends a text"
	WantEscape  Want = "the rest of a text"
	WantControl Want = "an escape in place of a control character"
	WantHex     Want = `four hexadecimal digits after \u`
	WantLess    Want = "fewer open brackets"
)

func (w Want) Error() string { return "expected " + string(w) }

func (Want) Kind() string { return "Want" }

// Place is the place of a byte. Lines and columns count from 1, columns in bytes.
type Place struct{ Offset, Line, Column int }

// Reader reads the tokens of a text.
type Reader struct {
	Strict   bool // false: allow numbers as +01. and NaN, any escape, and control characters in texts
	Lines    bool // a text ends in its line; commas may stand between values
	OneLine  bool // a value ends in its line
	MaxDepth int  // of brackets

	Keep bool // Next appends what it reads to Raw, without the space between tokens
	Raw  []byte

	ahead []byte
	at    int // in ahead
	more  func() ([]byte, error)
	err   error // of more

	base      int // offset of ahead
	line      int // of the next byte
	lineStart int // offset
	start     Place

	open  []Kind // brackets
	state state
	text  []byte
}

// state is what may come next.
type state byte

const (
	first       state = iota // the first element, or the end
	later                    // a comma and an element, or the end
	value                    // an element
	memberValue              // the value of a member
)

// NewReader returns a Reader of ahead and what follows. more returns the next bytes,
// valid until its next call, or an error; nil means that nothing follows.
func NewReader(ahead []byte, more func() ([]byte, error)) *Reader {
	if more == nil {
		more = func() ([]byte, error) { return nil, io.EOF }
	}
	return &Reader{ahead: ahead, more: more, line: 1, MaxDepth: math.MaxInt}
}

// Start returns the place of the last token.
func (r *Reader) Start() Place { return r.start }

// Here returns the place of the next byte.
func (r *Reader) Here() Place {
	offset := r.base + r.at
	return Place{Offset: offset, Line: r.line, Column: offset - r.lineStart + 1}
}

// Depth returns the number of open brackets.
func (r *Reader) Depth() int { return len(r.open) }

// Inside returns the innermost open bracket, 0 outside all.
func (r *Reader) Inside() Kind {
	if len(r.open) == 0 {
		return 0
	}
	return r.open[len(r.open)-1]
}

// Byte returns the next byte, ok false if there is none.
func (r *Reader) Byte() (c byte, ok bool) {
	for r.at == len(r.ahead) {
		if r.err != nil {
			return 0, false
		}
		r.base, r.at = r.base+r.at, 0
		r.ahead, r.err = r.more()
	}
	return r.ahead[r.at], true
}

// Peek skips white space and returns the next byte, 0 if there is none.
func (r *Reader) Peek() byte {
	keep := r.Keep
	r.Keep = false
	c, _ := r.Byte()
	for c == ' ' || c == '\t' || c == '\r' || c == '\n' && !(r.OneLine && len(r.open) > 0) {
		r.take(1)
		c, _ = r.Byte()
	}
	r.Keep = keep
	return c
}

// take consumes n bytes of ahead. A line end must be taken alone.
func (r *Reader) take(n int) {
	taken := r.ahead[r.at : r.at+n]
	if r.at += n; taken[0] == '\n' {
		r.line, r.lineStart = r.line+1, r.base+r.at
	}
	if r.Keep {
		r.Raw = append(r.Raw, taken...)
	}
}

// More reports whether an element follows within the innermost bracket, or outside all,
// and skips the comma before it. Its errors are those of Next.
func (r *Reader) More() (bool, error) {
	more, want := r.another()
	return more, r.errorOf(want)
}

// Next returns the next token. Its error is that of more or a [Want]. After a Want, only
// SkipLine may follow. With [WantValue], the token holds the word that is no value.
func (r *Reader) Next() (Token, error) {
	t, want := r.next()
	return t, r.errorOf(want)
}

func (r *Reader) errorOf(want Want) error {
	switch {
	case r.err != nil && r.err != io.EOF:
		return r.err
	case want != "":
		return want
	}
	return nil
}

func (r *Reader) another() (bool, Want) {
	c, in := r.Peek(), r.Inside()
	if r.state == later && c == ',' && (in != 0 || r.Lines) {
		r.take(1)
		r.state = value
		c = r.Peek()
	}
	_, ok := r.Byte()
	switch between := r.state == first || r.state == later; {
	case in == 0:
		return ok, ""
	case between && Kind(c) == in+2:
		return false, ""
	case r.state == later, r.state == first && in == Array && !ok:
		return false, WantComma
	}
	return true, ""
}

func (r *Reader) next() (Token, Want) {
	more, want := r.another()
	c, in := r.Peek(), r.Inside()
	r.start = r.Here()
	switch t := Kind(c); {
	case want != "" || !more && in == 0:
		return Token{}, want
	case !more:
		r.take(1)
		r.open, r.state = r.open[:len(r.open)-1], later
		return Token{Kind: t}, ""
	case in == Object && r.state != memberValue:
		return r.name(c)
	case t == Object || t == Array:
		if len(r.open) >= r.MaxDepth {
			return Token{}, WantLess
		}
		r.take(1)
		r.open, r.state = append(r.open, t), first
		return Token{Kind: t}, ""
	}
	r.state = later
	if c == '"' {
		want := r.quoted()
		return Token{Text, r.text}, want
	}
	return r.word()
}

func (r *Reader) name(c byte) (Token, Want) {
	if c != '"' {
		return Token{}, WantName
	}
	if want := r.quoted(); want != "" {
		return Token{}, want
	}
	if r.Peek() != ':' {
		return Token{Name, r.text}, WantColon
	}
	r.take(1)
	r.state = memberValue
	return Token{Name, r.text}, ""
}

func (r *Reader) word() (Token, Want) {
	r.text = r.text[:0]
	for {
		r.Byte()
		n := 0
		for rest := r.ahead[r.at:]; n < len(rest) && inWord[rest[n]]; n++ {
		}
		if n == 0 {
			break
		}
		r.text = append(r.text, r.ahead[r.at:r.at+n]...)
		r.take(n)
	}
	var want Want
	if !isWord(string(r.text), r.Strict) {
		want = WantValue
	}
	return Token{Word, r.text}, want
}

var inWord = func() (in [256]bool) {
	for _, c := range "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		in[c] = true
	}
	return in
}()

// isWord reports whether word is a value: where strict, as RFC 8259 writes it.
func isWord(word string, strict bool) bool {
	switch word {
	case "null", "true", "false":
		return true
	case "NaN", "Infinity", "-Infinity":
		return !strict
	}
	if _, err := strconv.ParseFloat(word, 64); err != nil && !strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) || strings.ContainsAny(word, "xXpPnNiI") {
		return false
	}
	whole, fraction, point := strings.Cut(strings.TrimPrefix(word, "-"), ".")
	digit := func(text string) bool { return text != "" && '0' <= text[0] && text[0] <= '9' }
	return !strict || digit(whole) && !(whole[0] == '0' && digit(whole[1:])) && (!point || digit(fraction))
}

// quoted reads a text. Its quote is the next byte.
func (r *Reader) quoted() Want {
	r.text = r.text[:0]
	r.take(1)
	high := rune(0) // the first half of a pair, which stands as U+FFFD so far
	for {
		c, ok := r.Byte()
		rest, n := r.ahead[r.at:], 0
		for n < len(rest) && rest[n] >= ' ' && rest[n] != '"' && rest[n] != '\\' {
			n++
		}
		switch {
		case !ok, c == '\n' && r.Lines && !r.Strict:
			return WantQuote
		case n > 0:
			r.text = append(r.text, rest[:n]...)
			r.take(n)
		case c == '"':
			r.take(1)
			return ""
		case c == '\\':
			var want Want
			if high, want = r.escape(high); want != "" {
				return want
			}
			continue
		case r.Strict:
			return WantControl
		default:
			r.text = append(r.text, c)
			r.take(1)
		}
		high = 0
	}
}

// escape reads an escape. Its backslash is the next byte. high is the first half of a
// surrogate pair before it, or 0. escape returns such a half or 0.
func (r *Reader) escape(high rune) (rune, Want) {
	r.take(1)
	c, ok := r.Byte()
	i := strings.IndexByte(`"\/bfnrtu`, c)
	if !ok || i < 0 && r.Strict {
		return 0, WantEscape
	}
	r.take(1)
	switch {
	case i >= 0 && c != 'u':
		r.text = append(r.text, "\"\\/\b\f\n\r\t"[i])
		return 0, ""
	case i < 0:
		r.text = append(r.text, c)
		return 0, ""
	}
	unit := rune(0)
	for range 4 {
		c, _ := r.Byte()
		digit, err := strconv.ParseUint(string(rune(c)), 16, 8)
		if err != nil {
			return 0, WantHex
		}
		r.take(1)
		unit = unit<<4 | rune(digit)
	}
	if pair := utf16.DecodeRune(high, unit); pair != utf8.RuneError {
		r.text = utf8.AppendRune(r.text[:len(r.text)-len("\uFFFD")], pair)
		return 0, ""
	}
	r.text = utf8.AppendRune(r.text, unit)
	if !utf16.IsSurrogate(unit) {
		unit = 0
	}
	return unit, ""
}

// SkipLine skips the rest of the line and closes all brackets.
func (r *Reader) SkipLine() error {
	r.open, r.state, r.Keep = r.open[:0], later, false
	for {
		c, ok := r.Byte()
		if !ok {
			return r.errorOf("")
		}
		if r.take(1); c == '\n' {
			return nil
		}
	}
}
