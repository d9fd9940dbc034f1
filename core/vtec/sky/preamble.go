package sky

import (
	"bytes"
	"io"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/message"
)

// mostComment is how long a line of comments may be: one that lists edges is long.
const mostComment = 1 << 20

// preamble is what the comments above a table say.
type preamble struct {
	lines   int // comments, blank lines between them included
	bytes   int64
	header  string // the line below them
	unit    string // "tecu", "metres" or ""
	mapping string // "vertical", "slant" or ""
	edges   []joined
	test    string
	testOn  int // the line that says so

	simulated bool // by us
}

// joined is an edge as a comment names it.
type joined struct {
	text string
	line int
}

// readPreamble reads the comments at the beginning of a file, and returns with
// them a reader of the file in which their lines are blank, so that those after
// them keep their numbers.
func readPreamble(name string, r io.Reader) (preamble, io.Reader, error) {
	l := &lines{name: name, r: r, most: mostComment}
	var p preamble
	var blanks []byte // a line end for each comment
	for {
		start := bytes.TrimPrefix(l.sample(), []byte("\uFEFF"))
		text := bytes.TrimLeft(start, "\" \t\r\n")
		comment := len(text) > 0 && text[0] == '#'
		if !comment {
			p.header = headerOf(start)
			break
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
	p.lines = len(blanks)
	p.bytes = l.bytes - int64(len(l.buf))
	rest := []io.Reader{bytes.NewReader(blanks), bytes.NewReader(l.buf), l.r}
	if l.err != nil {
		rest[len(rest)-1] = stopped{l.err}
	}
	return p, io.MultiReader(rest...), nil
}

// stopped is a reader that has ended.
type stopped struct{ err error }

func (s stopped) Read([]byte) (int, error) { return 0, s.err }

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
	switch plain(key) {
	case "unit", "units":
		for _, word := range words(value) {
			switch plain(word) {
			case "tecu":
				p.unit = "tecu"
			case "m", "metre", "metres", "meter", "meters":
				p.unit = "metres"
			case "vertical":
				p.mapping = "vertical"
			case "slant":
				p.mapping = "slant"
			default:
				return &data.FileError{Problem: data.Undeclared, File: name, Line: line, Column: 1 + max(0, strings.Index(text, word)), Field: "unit", Found: shorten(word),
					Message: message.Sprintf("the unit is %q, want TECU or metres, and vertical or slant, as in # unit: TECU, vertical; correct it", shorten(word))}
			}
		}
	case "edge", "edges":
		for _, word := range words(value) {
			p.edges = append(p.edges, joined{word, line})
		}
	case "test", "teststation":
		p.test, p.testOn = value, line
	case plain(byUs):
		p.simulated = true
	}
	return nil
}

// words cuts a text at commas, semicolons and spaces.
func words(s string) (words []string) {
	from := 0
	for i := range len(s) + 1 {
		if i < len(s) && s[i] != ',' && s[i] != ';' && s[i] != ' ' && s[i] != '\t' {
			continue
		}
		if i > from {
			words = append(words, s[from:i])
		}
		from = i + 1
	}
	return words
}
