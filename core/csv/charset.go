package csv

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// Charset is the character encoding of a file.
type Charset string

// The supported charsets. Latin1 is ISO 8859-1, with control characters from 0x80 to 0x9f.
// Windows1252 has letters and marks there and is otherwise the same.
const (
	UTF8        Charset = "utf-8"
	UTF16LE     Charset = "utf-16le"
	UTF16BE     Charset = "utf-16be"
	Windows1252 Charset = "windows-1252"
	Latin1      Charset = "latin-1"
)

// Name returns the name of the charset in messages.
func (c Charset) Name() string {
	switch c {
	case UTF16LE:
		return "UTF-16 (little-endian)"
	case UTF16BE:
		return "UTF-16 (big-endian)"
	case Latin1:
		return "Latin-1 (ISO 8859-1)"
	case UTF8:
		return "UTF-8"
	}
	return string(c)
}

// known reports whether c is a supported charset.
func (c Charset) known() bool {
	return c == UTF8 || c == UTF16LE || c == UTF16BE || c == Windows1252 || c == Latin1
}

// guessCharset guesses the charset from the first bytes of a file. UTF-16 has a byte order
// mark, or many zeros at every other byte. Otherwise the file is windows-1252 if most of
// its bytes beyond ASCII are not UTF-8, and UTF-8 if not. nonASCII reports characters
// of UTF-8 beyond ASCII.
func guessCharset(sample []byte) (c Charset, nonASCII bool) {
	switch {
	case prefix(sample, "\xff\xfe"):
		return UTF16LE, false
	case prefix(sample, "\xfe\xff"):
		return UTF16BE, false
	case prefix(sample, "\uFEFF"):
		return UTF8, true
	}
	var zeros [2]int // at even places and at odd ones
	for i, b := range sample {
		if b == 0 {
			zeros[i%2]++
		}
	}
	units := len(sample) / 2 // every separator and line end is a zero and another byte
	if 10*zeros[1] >= 4*units && 20*zeros[0] <= zeros[1] && UTF16LE.isText(sample) {
		return UTF16LE, false
	}
	if 10*zeros[0] >= 4*units && 20*zeros[1] <= zeros[0] && UTF16BE.isText(sample) {
		return UTF16BE, false
	}
	valid, invalid, controls := 0, 0, 0
	for i := 0; i < len(sample); {
		b := sample[i]
		if b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
				controls++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(sample[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			valid++
		case utf8.FullRune(sample[i:]): // not a character that the sample cuts
			invalid++
		}
		i += size
	}
	if invalid > valid && 100*controls <= len(sample) {
		return Windows1252, false
	}
	return UTF8, valid > 0
}

// isText reports whether the decoded sample has lines and hardly any control characters.
func (c Charset) isText(sample []byte) bool {
	text, _ := c.decode(nil, sample, false)
	controls, lines := 0, 0
	for _, r := range string(text) {
		switch {
		case r == '\n' || r == '\r':
			lines++
		case r < ' ' && r != '\t' && r != '\f' || r == utf8.RuneError:
			controls++
		}
	}
	return lines > 0 && 100*controls <= len(text)
}

// decoder reads a file of another charset as UTF-8. Half of a surrogate pair becomes a byte
// that is not UTF-8, so that its row is listed as bad.
type decoder struct {
	r       io.Reader
	charset Charset
	raw     []byte // read and not decoded
	err     error  // of r
	text    []byte // to be handed out
	out     []byte // the memory of text
	in      []byte
}

func newDecoder(r io.Reader, c Charset, ahead []byte, err error) *decoder {
	return &decoder{r: r, charset: c, raw: bytes.Clone(ahead), err: err, in: make([]byte, sampleSize)}
}

func (d *decoder) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for empty := 0; len(d.text) == 0; {
		d.out, d.raw = d.charset.decode(d.out[:0], d.raw, d.err != nil)
		d.text = d.out
		switch {
		case len(d.text) > 0:
		case d.err != nil:
			return 0, d.err
		case empty == maxEmpty:
			return 0, io.ErrNoProgress
		default:
			n, err := d.r.Read(d.in)
			d.raw, d.err = append(d.raw, d.in[:n]...), err
			if empty++; n > 0 {
				empty = 0
			}
		}
	}
	n := copy(p, d.text)
	d.text = d.text[n:]
	return n, nil
}

// decode appends raw to out in UTF-8, without a byte order mark. Unless this is the last
// part, it returns the bytes of a character that raw cuts.
func (c Charset) decode(out, raw []byte, last bool) (text, rest []byte) {
	if c != UTF16LE && c != UTF16BE {
		for _, b := range raw {
			switch {
			case b < utf8.RuneSelf:
				out = append(out, b)
			case c == Windows1252 && b < 0xa0:
				out = utf8.AppendRune(out, windows1252[b-0x80])
			default:
				out = utf8.AppendRune(out, rune(b))
			}
		}
		return out, raw[:0]
	}
	unit := func(at int) rune {
		if c == UTF16LE {
			return rune(raw[at]) | rune(raw[at+1])<<8
		}
		return rune(raw[at])<<8 | rune(raw[at+1])
	}
	i := 0
	for ; i+2 <= len(raw); i += 2 {
		r := unit(i)
		switch {
		case !utf16.IsSurrogate(r):
			out = utf8.AppendRune(out, r)
			continue
		case i+4 <= len(raw):
			if pair := utf16.DecodeRune(r, unit(i+2)); pair != utf8.RuneError {
				out = utf8.AppendRune(out, pair)
				i += 2
				continue
			}
		case !last:
			return out, raw[i:]
		}
		out = append(out, 0xff) // no UTF-8
	}
	if i < len(raw) && last {
		return append(out, 0xff), raw[:0] // half of a unit
	}
	return out, raw[i:]
}

// Encode returns text in a charset; ok is false if it lacks one of the characters. Text in
// UTF-16 begins with a byte order mark.
func Encode(text string, c Charset) (raw []byte, ok bool) {
	switch c {
	case UTF16LE, UTF16BE:
		for _, unit := range utf16.Encode([]rune("\uFEFF" + text)) {
			low, high := byte(unit), byte(unit>>8)
			if c == UTF16BE {
				low, high = high, low
			}
			raw = append(raw, low, high)
		}
		return raw, true
	case Windows1252, Latin1:
		for _, r := range text {
			at := slices.Index(windows1252[:], r)
			switch {
			case at >= 0 && c == Windows1252:
				raw = append(raw, byte(0x80+at))
			case r < utf8.RuneSelf || r >= 0xa0 && r <= 0xff || c == Latin1 && r <= 0xff:
				raw = append(raw, byte(r))
			default:
				return nil, false
			}
		}
		return raw, true
	}
	return []byte(text), true
}

// windows1252 holds the characters of windows-1252 from 0x80 to 0x9f; five bytes stand
// for none and stay control characters, as in browsers.
var windows1252 = [...]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// CheckCharset returns a [*fault.FileError] for a charset that is not supported.
func CheckCharset(file string, c Charset) error {
	if c == "" || c.known() {
		return nil
	}
	return &fault.FileError{Problem: fault.OtherType, File: file, Found: cell.Quote(string(c)),
		Message: message.Sprintf("the charset is %s, expected utf-8, utf-16le, utf-16be, windows-1252 or latin-1. Choose one of them, or save the file as UTF-8", cell.Quote(string(c)))}
}
