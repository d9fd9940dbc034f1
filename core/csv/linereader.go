package csv

import (
	"bytes"
	"io"
	"unicode/utf8"
	"unsafe"
)

// LineReader reads lines of every kind. It treats quotes and line ends as encoding/csv
// does, which tests check. A dialect may have other quotes, escapes, and spaces around
// quotes.
type LineReader struct {
	Dialect
	src *Source
	sep []byte

	raw    []byte     // the present line
	lines  int        // of the present record, read so far
	text   []byte     // the fields, one after the other
	ends   []int      // of the fields in text
	places []position // where they start
	fields []string
}

type position struct{ down, column int }

// NewLineReader returns a reader of the lines of src in dialect d.
func NewLineReader(src *Source, d Dialect) *LineReader {
	return &LineReader{Dialect: d, src: src, sep: utf8.AppendRune(nil, d.Sep)}
}

func (r *LineReader) place(i int) (down, column int) { return r.places[i].down, r.places[i].column }

// Line returns the next line, with LF in place of CRLF. It returns io.EOF only if no bytes
// are left.
func (r *LineReader) Line() ([]byte, error) {
	r.raw = r.raw[:0]
	for {
		part, err := r.src.nextPart(sampleSize)
		r.raw = append(r.raw, part...)
		n := len(r.raw)
		switch {
		case err == io.EOF && n > 0:
			r.lines++
			return bytes.TrimSuffix(r.raw, []byte("\r")), nil
		case err != nil:
			return r.raw, err
		case r.raw[n-1] == '\n':
			r.lines++
			if n >= 2 && r.raw[n-2] == '\r' {
				r.raw[n-2] = '\n'
				return r.raw[:n-1], nil
			}
			return r.raw, nil
		}
	}
}

func (r *LineReader) read(want int, lazy bool) ([]string, error) {
	r.src.skipBlankLines()
	line, err := r.Line()
	for err == nil && (len(line) == lineEnd(line) || line[0] == '#' && r.isComment(line, want)) {
		r.src.skipBlankLines()
		line, err = r.Line()
	}
	switch {
	case err != nil:
		return nil, err
	case r.src.TooLong: // too long to be a row, and to be cut up for nothing
		return nil, io.EOF
	}
	r.lines = 1
	r.text, r.ends, r.places = r.text[:0], r.ends[:0], r.places[:0]
	at := position{column: 1}
	for more := true; more; {
		if r.spaced {
			if n := len(line) - len(bytes.TrimLeft(line, " ")); n < len(line) && line[n] == r.Quote {
				line = line[n:]
				at.column += n
			}
		}
		r.places = append(r.places, at)
		if len(line) > 0 && line[0] == r.Quote {
			line, at, more, err = r.quoted(line, at, lazy)
		} else if r.Escape {
			line, at, more, err = r.escaped(line, at, lazy)
		} else {
			line, at, more, err = r.bare(line, at, lazy)
		}
		if err != nil {
			return nil, err
		}
		r.ends = append(r.ends, len(r.text))
	}
	r.fields = r.fields[:0]
	start := 0
	for _, end := range r.ends {
		r.fields = append(r.fields, unsafe.String(unsafe.SliceData(r.text[start:]), end-start))
		start = end
	}
	return r.fields, nil
}

// isComment reports whether a line that begins with # is no row: the dialect says so,
// or it has other than want cells. It takes it out of the record.
func (r *LineReader) isComment(line []byte, want int) bool {
	if want == 0 || r.comments == commentsNone {
		return false
	}
	if r.comments == commentsOdd && (want == 1 || len(r.cut(string(line), true).records[0].cells) == want) {
		return false
	}
	r.src.Comments++
	r.src.BeginRecord()
	return true
}

// bare reads a field that does not begin with a quote. It returns what follows
// its separator and where that is; more is false where the line has none.
func (r *LineReader) bare(line []byte, at position, lazy bool) (rest []byte, next position, more bool, err error) {
	field := line
	i := bytes.Index(line, r.sep)
	if i >= 0 {
		field = line[:i]
	} else {
		field = line[:len(line)-lineEnd(line)]
	}
	if !lazy {
		if j := bytes.IndexByte(field, '"'); j >= 0 && r.Quote == '"' {
			return nil, at, false, &quoteError{down: r.lines - 1, column: at.column + j, bare: true}
		}
	}
	r.text = append(r.text, field...)
	if i < 0 {
		return nil, at, false, nil
	}
	at.column += i + len(r.sep)
	return line[i+len(r.sep):], at, true, nil
}

// escaped is bare where a backslash takes its meaning from the character after it,
// and a line that ends with one goes on in the next.
func (r *LineReader) escaped(line []byte, at position, lazy bool) (rest []byte, next position, more bool, err error) {
	for {
		switch {
		case len(line) == lineEnd(line):
			return nil, at, false, nil
		case line[0] == '\\' && len(line) > 1:
			n := r.unescape(line[1:])
			line = line[1+n:]
			if at.column += 1 + n; len(line) == 0 {
				if line, err = r.Line(); err != nil && err != io.EOF {
					return nil, at, false, err
				}
				at.down++
				at.column = 1
			}
		case bytes.HasPrefix(line, r.sep):
			at.column += len(r.sep)
			return line[len(r.sep):], at, true, nil
		case line[0] == '"' && r.Quote == '"' && !lazy:
			return nil, at, false, &quoteError{down: r.lines - 1, column: at.column, bare: true}
		default:
			r.text = append(r.text, line[0])
			line = line[1:]
			at.column++
		}
	}
}

// unescape appends what stands for the character after a backslash, as MySQL and
// Hive write it, and returns its length. \N, a missing cell, stays as it is.
func (r *LineReader) unescape(after []byte) int {
	switch after[0] {
	case 'n':
		r.text = append(r.text, '\n')
	case 't':
		r.text = append(r.text, '\t')
	case 'r':
		r.text = append(r.text, '\r')
	case 'N':
		r.text = append(r.text, "\\N"...)
	default:
		_, n := utf8.DecodeRune(after)
		r.text = append(r.text, after[:n]...)
		return n
	}
	return 1
}

// quoted reads a field that begins with a quote and may run over lines.
func (r *LineReader) quoted(line []byte, at position, lazy bool) (rest []byte, next position, more bool, err error) {
	line = line[1:]
	at.column++
	for {
		i := bytes.IndexByte(line, r.Quote)
		if r.Escape {
			if j := bytes.IndexByte(line, '\\'); j >= 0 && j+1 < len(line) && (i < 0 || j < i) {
				r.text = append(r.text, line[:j]...)
				n := r.unescape(line[j+1:])
				at.column += j + 1 + n
				line = line[j+1+n:]
				if len(line) == 0 { // the line's end was escaped
					if line, err = r.Line(); err != nil && err != io.EOF {
						return nil, at, false, err
					}
					at.down++
					at.column = 1
				}
				continue
			}
		}
		switch {
		case i >= 0:
			r.text = append(r.text, line[:i]...)
			line = line[i+1:]
			at.column += i + 1
			closed := line
			if r.spaced {
				closed = bytes.TrimLeft(line, " ")
			}
			switch {
			case len(line) > 0 && line[0] == r.Quote:
				r.text = append(r.text, r.Quote)
				line = line[1:]
				at.column++
			case bytes.HasPrefix(closed, r.sep):
				at.column += len(line) - len(closed) + len(r.sep)
				return closed[len(r.sep):], at, true, nil
			case len(closed) == lineEnd(closed):
				return nil, at, false, nil
			case lazy:
				r.text = append(r.text, r.Quote)
			default:
				return nil, at, false, &quoteError{down: r.lines - 1, column: at.column - 1, open: r.places[len(r.places)-1]}
			}
		case len(line) > 0:
			r.text = append(r.text, line...)
			at.column += len(line)
			if line, err = r.Line(); err != nil && err != io.EOF {
				return nil, at, false, err
			}
			if len(line) > 0 {
				at.down++
				at.column = 1
			}
		case lazy:
			return nil, at, false, nil
		default: // the file ends within the quotes
			return nil, at, false, &quoteError{down: at.down, column: at.column, open: r.places[len(r.places)-1]}
		}
	}
}

// lineEnd returns the length of the LF at the end of line: 1 or 0.
func lineEnd(line []byte) int {
	if len(line) > 0 && line[len(line)-1] == '\n' {
		return 1
	}
	return 0
}
