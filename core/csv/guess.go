package csv

import (
	"strings"
	"unicode/utf8"
)

// GuessDialect guesses the dialect of the sample. sep is the separator of the settings,
// or 0. complete says that the sample is the whole file.
func GuessDialect(sample []byte, complete bool, sep rune, header Header) Dialect {
	text := string(sample)
	d := Dialect{Sep: sep, Quote: '"', comments: commentsOdd}
	if first, after, ok := SepLine(text); ok {
		d.Skip, text = 1, after
		if sep == 0 {
			d.Sep = first
		}
	}
	if d.Sep == 0 {
		d.Sep = guessSeparator(text, complete)
	}
	w := d.guessQuotes(text, complete)
	for i := range w.records {
		w.records[i].line += d.Skip
	}
	d.guessLines(w.records, header)
	if d.Skip > 0 {
		d.FirstSkipped = firstLine(strings.TrimLeft(string(sample), "\r\n"))
	}
	return d
}

// SepLine returns the separator that the first line names, as Excel's sep=; does, and the
// text after that line.
func SepLine(text string) (sep rune, after string, ok bool) {
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
	if len(named) != 1 || !ValidSeparator(named[0]) {
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

// guessQuotes chooses quotes and escapes. It takes plain double quotes, unless others
// leave fewer misplaced quotes and cut the rows at least as evenly.
func (d *Dialect) guessQuotes(text string, complete bool) sampleRows {
	d.Quote = '"'
	best := d.cut(text, complete)
	plain, _ := fit(best.records, d.Sep)
	share := plain
	consider := func(other Dialect) {
		w := other.cut(text, complete)
		s, _ := fit(w.records, d.Sep)
		better := w.wrong < best.wrong && s >= share || w.wrong <= best.wrong && s > share+.005
		if other.Quote == '\'' { // apostrophes make no plain cell wrong
			better = w.quoted >= 2 && 50*w.wrong <= w.quoted && w.quoted > best.quoted && s >= share
		}
		if better {
			*d, best, share = other, w, s
		}
	}
	escapes, spaces := strings.IndexByte(text, '\\') >= 0, d.Sep != ' ' && strings.Contains(text, string(d.Sep)+" ")
	for _, quote := range []byte{'"', '\''} {
		if quote == '\'' && strings.IndexByte(text, '\'') < 0 {
			break
		}
		for variant := range 4 {
			other := *d
			other.Quote, other.Escape, other.spaced = quote, variant&1 > 0, variant&2 > 0
			if other.Escape && !escapes || other.spaced && !spaces || quote == '"' && variant == 0 {
				continue
			}
			consider(other)
		}
	}
	return best
}

// ValidSeparator reports whether a [Scanner] can use sep.
func ValidSeparator(sep rune) bool {
	return sep != '"' && sep != '\r' && sep != '\n' && utf8.ValidRune(sep) && sep != utf8.RuneError
}
