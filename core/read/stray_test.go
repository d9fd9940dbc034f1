package read_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

// ahead is how many bytes a reader reads ahead.
const ahead = 256 << 10

// chunks is a reader that returns at most size bytes at a time, and none every second time.
type chunks struct {
	rest []byte
	size int
	dry  bool
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.dry = !c.dry; c.dry {
		return 0, nil
	}
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

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
			cells[0] = strings.Repeat("long ", ahead/4) + cells[0]
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
	encode := map[csv.Charset]func(text []byte) []byte{
		csv.UTF8: func(text []byte) []byte { return text },
		csv.Windows1252: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("é"), []byte{0xe9})
		},
		csv.UTF16LE: func(text []byte) []byte { return []byte(utf16Of(string(text), true, false)) },
		csv.UTF16BE: func(text []byte) []byte { return []byte(utf16Of(string(text), true, true)) },
	}
	pads := 6
	if testing.Short() {
		pads = 1
	}
	for charset, as := range encode {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for range pads {
				text, rows, bad := strayFile(rng, 5*ahead/2, rng.IntN(100), end)
				chunk := 1 + rng.IntN(2*ahead)
				table := tabletest.Must(read.Read(&chunks{rest: as(text), size: chunk}, read.Options{}))
				require.Equal(t, []string{"id", "size", "é"}, table.Names())
				at := fmt.Sprintf("%s, lines that end with %q, chunks of %d", charset, end, chunk)
				lines := []int{}
				for _, row := range table.Bad {
					lines = append(lines, row.Line)
				}
				require.Equal(t, bad, lines, at)
				require.Equal(t, len(rows), table.Rows, at)
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
