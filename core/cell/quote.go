package cell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Clip returns a copy of s shortened to about 60 bytes. The copy keeps errors short and
// does not hold the whole row in memory.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.Clone(s)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Quote returns a cell for a message: shortened, in quotes, with invisible characters
// escaped.
func Quote(cell string) string { return `"` + Visible(Clip(cell)) + `"` }

// Visible returns s with invisible characters escaped.
func Visible(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
