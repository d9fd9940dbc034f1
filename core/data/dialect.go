package data

import (
	"strings"
)

// dialect is how a file of text writes rows and cells.
type dialect struct {
	sep    rune
	quote  byte // around cells: " or '
	escape bool // \ takes its meaning from the character after it
	spaced bool // spaces stand around quoted cells

	skip     int        // lines above the first row
	hash     bool       // the header begins with #, as comments do
	comments comments   // which lines that begin with # are
	lacking  lacking    // what the header has one cell fewer for
	header   headerLook // what the first row looks like
	above    string     // the first of the lines that are skipped
}

// comments says which lines that begin with # are comments.
type comments int

const (
	commentsNone comments = iota
	commentsOdd           // those that have other than the usual number of cells
	commentsAll
)

// quick reports whether rows of the dialect are those of the quick scanner.
func (d *dialect) quick() bool { return d.quote == '"' && !d.escape && !d.spaced }

// guessDialect settles how the sample is written; sep is the separator that the
// settings say, or 0.
func guessDialect(sample []byte, complete bool, sep rune, header Header) dialect {
	text := string(sample)
	d := dialect{sep: sep, quote: '"', comments: commentsOdd}
	if first, after, ok := sepLine(text); ok {
		d.skip, text = 1, after
		if sep == 0 {
			d.sep = first
		}
	}
	if d.sep == 0 {
		d.sep = guessSeparator(text, complete)
	}
	w := d.guessQuotes(text, complete)
	for i := range w.records {
		w.records[i].line += d.skip
	}
	d.guessLines(w.records, header)
	if d.skip > 0 {
		d.above = firstLine(strings.TrimLeft(string(sample), "\r\n"))
	}
	return d
}

// sepLine returns the separator that the first line names, as Excel's sep=; does,
// and the text after it.
func sepLine(text string) (sep rune, after string, ok bool) {
	line := firstLine(text)
	rest := strings.TrimPrefix(text[len(line):], "\r")
	line = strings.Trim(line, `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, text, false
	}
	named := []rune(line[4:])
	if line[4:] == `\t` {
		named = []rune{'\t'}
	}
	if len(named) != 1 || !validSeparator(named[0]) {
		return 0, text, false
	}
	return named[0], strings.TrimPrefix(rest, "\n"), true
}

// firstLine returns the first line of text without its end.
func firstLine(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// guessQuotes settles quotes and escapes: plain ones, unless others leave fewer
// cells that make no sense and cut the rows no less evenly.
func (d *dialect) guessQuotes(text string, complete bool) cutting {
	d.quote = '"'
	best := d.cut(text, complete)
	plain, _ := fit(best.records, d.sep)
	share := plain
	consider := func(other dialect) {
		w := other.cut(text, complete)
		s, _ := fit(w.records, d.sep)
		better := w.wrong < best.wrong && s >= share || w.wrong <= best.wrong && s > share+.005
		if other.quote == '\'' { // apostrophes make no plain cell wrong
			better = w.quoted >= 2 && 50*w.wrong <= w.quoted && w.quoted > best.quoted && s >= share
		}
		if better {
			*d, best, share = other, w, s
		}
	}
	escapes, spaces := strings.IndexByte(text, '\\') >= 0, d.sep != ' ' && strings.Contains(text, string(d.sep)+" ")
	for _, quote := range []byte{'"', '\''} {
		if quote == '\'' && strings.IndexByte(text, '\'') < 0 {
			break
		}
		for variant := range 4 {
			other := *d
			other.quote, other.escape, other.spaced = quote, variant&1 > 0, variant&2 > 0
			if other.escape && !escapes || other.spaced && !spaces || quote == '"' && variant == 0 {
				continue
			}
			consider(other)
		}
	}
	return best
}
