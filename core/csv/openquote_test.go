package csv

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lastOpened returns where the last field in quotes begins, at or before a place in a
// record: a walk rune by rune.
func lastOpened(record []byte, sep rune, quote byte, lines, column int) (open position) {
	line, start := 0, 0
	quoted, begins := false, true
	for i := 0; i < len(record); {
		if line > lines || line == lines && i-start+1 > column {
			break
		}
		r, size := utf8.DecodeRune(record[i:])
		switch {
		case begins && r == rune(quote):
			open, quoted, begins = position{line, i - start + 1}, true, false
		case quoted && r == rune(quote) && i+1 < len(record) && record[i+1] == quote:
			size = 2
		case quoted && r == rune(quote):
			quoted = false
		case r == sep && !quoted:
			begins = true
		default:
			begins = false
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
		i += size
	}
	return open
}

func TestOpenQuoteIsTheLastThatOpensACell(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	seen := 0
	for range 6_000 {
		sep := []rune{',', '§'}[rng.IntN(2)]
		var record []byte
		for range 1 + rng.IntN(20) {
			record = append(record, []string{"a", string(sep), string(sep), `"`, `"`, "\n", "é", "\xc2"}[rng.IntN(8)]...)
		}
		src := NewSource(bytes.NewReader(record))
		_, err := src.sample()
		require.NoError(t, err)
		_, err = NewLineReader(src, Dialect{Sep: sep, Quote: '"'}).read(0, false)
		e, ok := errors.AsType[*quoteError](err)
		if !ok || e.bare {
			continue // it is asked only where a quote makes no sense
		}
		seen++
		record = src.record
		if want := lastOpened(record, sep, '"', e.down, e.column); want != e.open {
			t.Fatalf("%q, +%d, %d: %v, want %v", record, e.down, e.column, e.open, want)
		}
	}
	assert.Greater(t, seen, 1_000)
}
