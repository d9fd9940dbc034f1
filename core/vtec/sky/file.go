package sky

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// File is a file of a sky: maps of the TEC in IONEX, or a table of pierce points or of
// Madrigal's line-of-sight TEC. It does not change, so any number of experiments may
// use it at once.
type File struct {
	Description
	Maps   *Maps      // or nil
	Points *Recording // or nil
}

// Kind returns "maps" or "points".
func (f *File) Kind() string {
	if f.Maps != nil {
		return "maps"
	}
	return "points"
}

// Simulated reports whether the simulator has written it.
func (f *File) Simulated() bool { return slices.Contains(f.Notices, simulatedNotice) }

// Read reads a file of either kind, once and as a stream. The file's beginning tells
// which kind it is. Read returns
//   - a [*fault.FileError], with line, column and what to do, for a file that is of
//     neither kind, is cut short or contradicts itself,
//   - a [*fault.TooManyBadRowsError] if more than a tenth of a table's rows are of no use,
//   - a [*fault.ReaderError] if r fails.
//
// It costs O(bytes), and memory for the file's numbers.
func Read(name string, r io.Reader) (*File, error) {
	whole := buffer(r)
	if head, _ := whole.Peek(headLength); isIONEX(head) {
		m, err := readIONEX(name, whole)
		if err != nil {
			return nil, err
		}
		return &File{m.describe(), m, nil}, nil
	}
	p, err := readRecording(name, whole)
	if err != nil {
		return nil, forSky(err)
	}
	return &File{p.describe(), nil, p}, nil
}

// forSky rewrites the error for a file of another type: it asks for a sky instead of
// a table. IONEX files are most often handed out compressed.
func forSky(err error) error {
	bad, ok := errors.AsType[*fault.FileError](err)
	if !ok {
		return err
	}
	if is, advice, other := strings.Cut(bad.Message, "a table of text; "); other {
		if unpack, _, packed := strings.Cut(advice, " and drop the table inside"); packed {
			advice = unpack + ", as gunzip or 7-Zip does, and open the file inside"
		}
		bad.Message = is + "maps of the TEC in IONEX or a table of pierce points; " + advice
	}
	return err
}

const (
	headLength  = 8 << 10 // bytes that tell the kind of a file
	longestLine = 1 << 20 // bytes; a comment that lists edges is long
)

var byteOrderMark = []byte("\uFEFF")

// buffer returns a reader that can look ahead.
func buffer(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok {
		return b
	}
	return bufio.NewReaderSize(&steady{r: r}, longestLine)
}

// steady is a reader that returns its first error again and again. After that it does
// not read on.
type steady struct {
	r   io.Reader
	err error
}

func (s *steady) Read(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.r.Read(b)
	}
	return n, s.err
}

// lines cuts a file into lines that end with LF, CRLF or CR.
type lines struct {
	*bufio.Reader
	name  string
	bytes int64 // of the lines so far
	line  int   // the number of the last line
	end   byte  // LF, or CR in a file without LF
}

// next returns the next line without its end, valid until the next call. After the
// last line it returns io.EOF. Other errors are a [*fault.ReaderError], and a
// [*fault.FileError] for a line that is too long.
func (l *lines) next() ([]byte, error) {
	if l.end == 0 {
		l.end = '\n'
		if start, _ := l.Peek(headLength); bytes.IndexByte(start, '\n') < 0 && bytes.IndexByte(start, '\r') >= 0 {
			l.end = '\r'
		}
	}
	line, err := l.ReadSlice(l.end)
	l.bytes += int64(len(line))
	switch {
	case err == bufio.ErrBufferFull:
		return nil, &fault.FileError{Problem: fault.Damaged, File: l.name, Line: l.line + 1, Column: 1, Message: message.Sprintf("the line is longer than %d kB; choose another file", longestLine>>10)}
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, &fault.ReaderError{File: l.name, Bytes: l.bytes, Err: err}
	}
	if l.line++; l.line == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{l.end}), []byte("\r")), nil
}

// preamble is what the comments above a table say.
type preamble struct {
	lines    int // comments, blank lines between them included
	bytes    int64
	header   string // the line below them
	unit     string // "tecu", "metres" or ""
	mapping  string // "vertical", "slant" or ""
	edges    []namedEdge
	test     string
	testLine int // the line that says so

	simulated bool // by us
}

// joined is an edge as a comment names it.
type namedEdge struct {
	text string
	line int
}

// readPreamble reads the comments at the beginning of a file. It returns with them a
// reader of the file in which their lines are blank, so that those after them keep
// their numbers.
func readPreamble(name string, r io.Reader) (preamble, io.Reader, error) {
	l := &lines{Reader: buffer(r), name: name}
	var p preamble
	var blanks []byte // a line end for each comment
	for {
		start, _ := l.Peek(headLength)
		start = bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), " \t\r\n")
		if !bytes.HasPrefix(bytes.TrimLeft(start, "\" \t\r\n"), []byte("#")) {
			p.header = string(start)
			if i := strings.IndexAny(p.header, "\r\n"); i >= 0 {
				p.header = p.header[:i]
			}
			p.lines, p.bytes = len(blanks), l.bytes
			return p, io.MultiReader(bytes.NewReader(blanks), l), nil
		}
		line, err := l.next()
		if err != nil {
			return p, nil, err
		}
		blanks = append(blanks, l.end)
		if err := p.comment(name, l.line, string(line)); err != nil {
			return p, nil, err
		}
	}
}

// comment reads a line such as
//
//	# unit: TECU, vertical
//	# edges: S01-S02 S01-S03
//	# test: S01
//
// Programs that make tables of text put quotes around it and separators after.
func (p *preamble) comment(name string, line int, text string) error {
	key, value, found := strings.Cut(strings.Trim(text, "\"#,;\t "), ":")
	if !found {
		return nil
	}
	value = strings.Trim(value, " \t")
	switch letters(key) {
	case "unit", "units":
		for _, word := range words(value) {
			switch letters(word) {
			case "tecu":
				p.unit = "tecu"
			case "m", "metre", "metres", "meter", "meters":
				p.unit = "metres"
			case "vertical":
				p.mapping = "vertical"
			case "slant":
				p.mapping = "slant"
			default:
				return &fault.FileError{Problem: fault.Undeclared, File: name, Line: line, Column: 1 + max(0, strings.Index(text, word)), Field: "unit", Found: shorten(word),
					Message: message.Sprintf("the unit is %q, want TECU or metres, and vertical or slant, as in # unit: TECU, vertical; correct it", shorten(word))}
			}
		}
	case "edge", "edges":
		for _, word := range words(value) {
			p.edges = append(p.edges, namedEdge{word, line})
		}
	case "test", "teststation":
		p.test, p.testLine = value, line
	case letters(simulatedBy):
		p.simulated = true
	}
	return nil
}

// words cuts a text at commas, semicolons and spaces.
func words(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(",; \t", c) })
}
