package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
)

// strayFile returns a table of three columns in which every second row has a quote
// within a cell, and some open one that is never closed or hold too few cells. The
// first row is so long that the others move by pad bytes. It returns as well what
// each row that can be read is, and the lines of the others.
func strayFile(rng *rand.Rand, size, pad int, end string) (file []byte, rows [][]string, bad []int) {
	file = append(file, "id,size,é"+end...)
	for line := 2; len(file) < size; line++ {
		cells := []string{fmt.Sprintf("n%d", line), fmt.Sprint(rng.IntN(50)), fmt.Sprintf("%.*g", 1+rng.IntN(17), rng.NormFloat64())}
		switch {
		case line == 2:
			cells[0] += strings.Repeat("x", pad)
		case line%1000 == 0:
			cells[0] = `"` + cells[0]
		case line%1000 == 1:
			cells = cells[:2]
		case line%20_000 == 502: // longer than what is read ahead
			cells[0] = strings.Repeat("long ", bufferSize/4) + cells[0]
		case line%2 == 0:
			cells[1] += `" pipe`
		}
		file = append(file, strings.Join(cells, ",")+end...)
		if line%1000 < 2 {
			bad = append(bad, line)
		} else {
			rows = append(rows, cells)
		}
	}
	return file, rows, bad
}

func TestStrayQuotesAreReadAlikeWhereverTheReadingIsCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	encode := map[Charset]func(text []byte) []byte{
		UTF8: func(text []byte) []byte { return text },
		Windows1252: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("é"), []byte{0xe9})
		},
		UTF16LE: func(text []byte) []byte {
			out := []byte{0xff, 0xfe}
			for _, unit := range utf16.Encode([]rune(string(text))) {
				out = append(out, byte(unit), byte(unit>>8))
			}
			return out
		},
		UTF16BE: func(text []byte) []byte {
			out := []byte{0xfe, 0xff}
			for _, unit := range utf16.Encode([]rune(string(text))) {
				out = append(out, byte(unit>>8), byte(unit))
			}
			return out
		},
	}
	pads := 6
	if testing.Short() {
		pads = 1
	}
	for charset, as := range encode {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for range pads {
				text, rows, bad := strayFile(rng, 5*bufferSize/2, rng.IntN(100), end)
				chunk := 1 + rng.IntN(2*bufferSize)
				table, err := Read(&inChunks{as(text), chunk, io.EOF}, Options{})
				require.NoError(t, err)
				require.Equal(t, []string{"id", "size", "é"}, table.Columns())
				at := fmt.Sprintf("%s, lines that end with %q, chunks of %d", charset, end, chunk)
				lines := []int{}
				for _, row := range table.Bad {
					lines = append(lines, row.Line)
				}
				require.Equal(t, bad, lines, at)
				require.Equal(t, len(rows), table.Rows(), at)
				for i, cells := range rows {
					v, ok := cell.ParseNumber(cells[2], '.')
					if !ok || v != table.Number(2, i) || table.Text(0, i) != cells[0] || table.Text(1, i) != cells[1] {
						t.Fatalf("%s: line %d is %.50q, %q, %v, want %.50q", at, table.Line(i), table.Text(0, i), table.Text(1, i), table.Number(2, i), cells)
					}
				}
			}
		}
	}
}

// TestOpenQuoteIsTheLastThatOpensACell holds openQuote to a walk rune by rune.
func TestOpenQuoteIsTheLastThatOpensACell(t *testing.T) {
	slow := func(record []byte, sep rune, quote byte, lines, column int) int {
		open, line, start := -1, 0, 0
		quoted, begins := false, true
		for i := 0; i < len(record); {
			if line > lines || line == lines && i-start+1 > column {
				break
			}
			r, size := utf8.DecodeRune(record[i:])
			switch {
			case begins && r == rune(quote):
				open, quoted, begins = i, true, false
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
	rng := rand.New(rand.NewPCG(4, 7))
	seen := 0
	for range 4_000 {
		sep := []rune{',', '§'}[rng.IntN(2)]
		var record []byte
		for range 1 + rng.IntN(20) {
			record = append(record, []string{"a", string(sep), string(sep), `"`, `"`, "\n", "é", "\xc2"}[rng.IntN(8)]...)
		}
		src := newSource(bytes.NewReader(record))
		_, err := src.sample()
		require.NoError(t, err)
		_, err = newLineReader(src, dialect{sep: sep, quote: '"'}).read(0, false)
		e, ok := errors.AsType[*quoteError](err)
		if !ok {
			continue // it is asked only where a quote makes no sense
		}
		seen++
		record = src.record
		if want, got := slow(record, sep, '"', e.down, e.column), openQuote(record, []byte(string(sep)), '"', e.down, e.column); got != want {
			t.Fatalf("%q, +%d, %d: %d, want %d", record, e.down, e.column, got, want)
		}
	}
	assert.Greater(t, seen, 1_000)
}
