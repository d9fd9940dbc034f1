package sky

import (
	"bytes"
	"io"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

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
					Message: message.Sprintf("the unit is %q, expected TECU or metres, and vertical or slant, as in # unit: TECU, vertical. Correct it", shorten(word))}
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
