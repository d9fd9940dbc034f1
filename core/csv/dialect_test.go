package csv_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

func TestTextsAreReadAsRecorded(t *testing.T) { tabletest.Readings(t) }

// lines joins lines, a row of the table each.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func TestLinesFarDownAreCommentsWhereTheyAreNoRows(t *testing.T) {
	rows := tabletest.Numbers(20_000)
	rows[15_000] = "# the gauge was changed here"
	rows[15_001] = `# "quoted, and not closed`
	table := tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, 19_998, table.Rows)
	assert.Zero(t, table.BadCount)
	assert.Equal(t, 15_000, table.Line(14_998))
	assert.Equal(t, 15_003, table.Line(14_999))
	assert.Equal(t, []string{"2 lines that begin with # are comments and are skipped"}, table.Notes.Texts())
}

func TestAQuoteHoldsAQuarterOfAMegabyteOfLines(t *testing.T) {
	for lines, holds := range map[int]bool{131_000: true, 131_100: false} {
		rows := tabletest.Numbers(20_000)
		rows[15_000] = `1,2,"` + strings.Repeat("x\n", lines) + `"`
		_, err := read.Read(strings.NewReader(tabletest.Join(rows)), read.Options{})
		assert.Equal(t, holds, err == nil, "%d: %v", lines, err)
	}
}

// utf16Of returns text in UTF-16, the low byte first unless big.
func utf16Of(text string, mark, big bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b strings.Builder
	for _, u := range units {
		low, high := byte(u), byte(u>>8)
		if big {
			low, high = high, low
		}
		b.WriteByte(low)
		b.WriteByte(high)
	}
	return b.String()
}

func TestBytesFarDownThatAreNoUTF8MakeTheFileWindows1252(t *testing.T) {
	rows := tabletest.Numbers(30_000)
	rows[0] += ",where"
	for i := 1; i < len(rows); i++ {
		rows[i] += ",x"
	}
	rows[20_000], rows[20_001], rows[29_999] = "1,2,3,Z\xfcrich", "4,5,6,\"K\xf6ln, \x80\"", "7,8,9,caf\xe9"
	table := tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, csv.Windows1252, table.Charset)
	assert.Zero(t, table.BadCount)
	assert.Equal(t, 30_000, table.Rows)
	assert.Equal(t, []string{"Zürich", "Köln, €", "café"}, []string{table.Text(3, 19_999), table.Text(3, 20_000), table.Text(3, 29_998)})
	assert.Equal(t, 20_001, table.Line(19_999))
	assert.Equal(t, 30_000, table.Line(29_998))

	rows[100] = "1,2,3,Łódź" // it is UTF-8, and the others are bad
	table = tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, csv.UTF8, table.Charset)
	require.Equal(t, 3, table.BadCount)
	assert.Equal(t, []int{20_001, 20_002, 30_000}, []int{table.Bad[0].Line, table.Bad[1].Line, table.Bad[2].Line})
}

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
