package read_test

import (
	encodingcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/csv"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestReadKeepsCellsAsWritten(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    []string
		rows       [][]string
	}{
		{"plain", "a,b\nx,2\n", []string{"a", "b"}, [][]string{{"x", "2"}}},
		{"without a last line end", "a,b\nx,2", []string{"a", "b"}, [][]string{{"x", "2"}}},
		{"CRLF", "a,b\r\nx,2\r\ny,3\r\n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}},
		{"lone CR", "a,b\rx,2\ry,3\r", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}},
		{"BOM", "\uFEFFa,b\nx,2\n", []string{"a", "b"}, [][]string{{"x", "2"}}},
		{"quotes", "a,b\n\"x, y\",\"he said \"\"no\"\"\"\n", []string{"a", "b"}, [][]string{{"x, y", `he said "no"`}}},
		{"a line end in quotes", "a,b\n\"x\ny\",2\nz,3\n", []string{"a", "b"}, [][]string{{"x\ny", "2"}, {"z", "3"}}},
		{"a quote in a plain cell", "a,b\n5\" pipe,2\n", []string{"a", "b"}, [][]string{{`5" pipe`, "2"}}},
		{"blank lines", "\n\na,b\n\n\nx,2\n  \ny,3\n\n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}},
		{"an empty cell in quotes is a row", "a\n\"\"\nx\n", []string{"a"}, [][]string{{""}, {"x"}}},
		{"spaces around names", " a ,\tb\nx,2\n", []string{"a", "b"}, [][]string{{"x", "2"}}},
		{"tabs", "a\tb c\nx, y\t2\n", []string{"a", "b c"}, [][]string{{"x, y", "2"}}},
		{"several spaces", "a   b\n  x  2\ny 3  \n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}},
		{"UTF-8", "größe,ʤ\nx,2\n", []string{"größe", "ʤ"}, [][]string{{"x", "2"}}},
		{"names in brackets are no JSON", "[a],[b]\nx,2\n", []string{"[a]", "[b]"}, [][]string{{"x", "2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, c.text)
			assert.Equal(t, c.columns, table.Names())
			assert.Equal(t, c.rows, table.Preview)
			assert.Equal(t, len(c.rows), table.Rows)
			assert.Zero(t, table.BadCount)
			assert.True(t, table.Header)
			assert.EqualValues(t, len(c.text), table.Bytes)
		})
	}
}

func TestReadGuessesTheSeparator(t *testing.T) {
	for _, c := range []struct {
		text string
		want rune
	}{
		{"a,b,c\n1,2,3\n", ','},
		{"a;b;c\n1,5;2,5;3\n2,5;3,5;4\n", ';'},
		{"1,5;2,5\n3,5;4,5\n", ';'},
		{"a\tb\nx, y\t2\nz, w\t3\n", '\t'},
		{"a|b\n1|2\n", '|'},
		{"a b c\n1 2 3\n4 5 6\n", ' '},
		{"date,temp\n2020-01-01 12:00,5\n2020-01-02 12:00,6\n", ','},
		{"name,town\nAnn Lee,New York\nBob Roe,Los Angeles\n", ','},
		{"a,b\n\"x;y;z\",1\n\"u;v;w\",2\n", ','},
		{"text,n\n\"one; two\nthree; four\",1\nplain,2\n", ','},
		{"only\n1\n2\n", ','},
		{"a;b\n1;2\n3\n4;5\n6;7\n", ';'},
	} {
		table, err := read.Read(strings.NewReader(c.text), read.Options{})
		var many *fault.TooManyBadRowsError
		if errors.As(err, &many) {
			assert.Contains(t, many.Error(), "found 1 field", "%q", c.text)
			continue
		}
		require.NoError(t, err, "%q", c.text)
		assert.Equal(t, string(c.want), string(table.Separator), "%q", c.text)
	}
}

func TestReadTakesTheSeparatorItIsTold(t *testing.T) {
	table, err := read.Read(strings.NewReader("a,b;c\n1,2;3\n"), read.Options{Separator: ';'})
	require.NoError(t, err)
	assert.Equal(t, []string{"a,b", "c"}, table.Names())

	table, err = read.Read(strings.NewReader("a§b\n1§2\n"), read.Options{Separator: '§'})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, table.Names())

	for _, sep := range []rune{'"', '\n', '\r', 0xFFFD, -1} {
		_, err := read.Read(strings.NewReader("a,b\n1,2\n"), read.Options{Separator: sep})
		var file *fault.FileError
		require.ErrorAs(t, err, &file)
		assert.Contains(t, err.Error(), "choose another")
	}
}

func TestReadGuessesTheHeader(t *testing.T) {
	const text = "7.4,x\n7.8,y\n"
	table := tabletest.Read(t, text)
	assert.False(t, table.Header)
	assert.Equal(t, 2, table.Rows)
	assert.Equal(t, []string{"column 1", "column 2"}, table.Names())
	require.Len(t, table.Notes, 1)
	assert.Contains(t, table.Notes[0].Text, "7.4")
	assert.Equal(t, 1, table.Line(0))

	table, err := read.Read(strings.NewReader(text), read.Options{Header: csv.HeaderYes})
	require.NoError(t, err)
	assert.Equal(t, []string{"7.4", "x"}, table.Names())
	assert.Equal(t, 1, table.Rows)

	table, err = read.Read(strings.NewReader("a,b\nx,y\n"), read.Options{Header: csv.HeaderNo})
	require.NoError(t, err)
	assert.Equal(t, 2, table.Rows)
	assert.Empty(t, table.Notes)
}

func TestReadNamesDoubleAndUnnamedColumns(t *testing.T) {
	table := tabletest.Read(t, "x,,x,x\na,b,c,d\n")
	assert.Equal(t, []string{"x", "column 2", "x (2)", "x (3)"}, table.Names())
	assert.Equal(t, []string{
		`column 2 has no name in the header and is called "column 2"`,
		`"x" is twice in the header; the one in column 3 is called "x (2)"`,
		`"x" is twice in the header; the one in column 4 is called "x (3)"`,
	}, table.Notes.Texts())

	table = tabletest.Read(t, strings.Repeat("x,", 50)+"y\n"+strings.Repeat("a,", 50)+"b\n")
	assert.Len(t, table.Notes, 11)
	assert.Equal(t, "39 more columns were named in the same way", table.Notes[10].Text)
}

func TestReadTakesDecimalCommas(t *testing.T) {
	table := tabletest.Read(t, "a;b\n1,5;x\n2,25;y\n-3;z\n")
	require.Len(t, table.Notes, 1)
	assert.Contains(t, table.Notes[0].Text, "1,5")
	p := roles.Profiles(table)[0]
	assert.Equal(t, design.Numeric, p.Kind)
	assert.Equal(t, -3.0, p.Min)
	assert.Equal(t, 2.25, p.Max)

	table = tabletest.Read(t, "a;b\n1.5;x,1\n2.25;y,2\n-3;z,3\n")
	assert.Empty(t, table.Notes, "text with commas is no number")
	assert.Equal(t, 2.25, roles.Profiles(table)[0].Max)
}

func TestChunksOfAnySizeGiveTheSameTable(t *testing.T) {
	lines := tabletest.Numbers(40)
	lines[3] = "\"multi\nline\r\ncell\",2,3"
	lines[7] = "1,2"
	lines[9] = "\"1\"x,2,3"
	lines[20] = "1,\"2,3"
	for _, text := range []string{
		tabletest.Join(lines), strings.ReplaceAll(tabletest.Join(lines), "\n", "\r\n"), "\uFEFF" + tabletest.Join(lines) + "\n\n", "a\rb\rc", // lone CR: one column
	} {
		whole, err := read.Read(strings.NewReader(text), read.Options{Name: "x"})
		require.NoError(t, err)
		for name, r := range map[string]io.Reader{
			"one byte at a time":      iotest.OneByteReader(strings.NewReader(text)),
			"half of what is asked":   iotest.HalfReader(strings.NewReader(text)),
			"the end with the data":   iotest.DataErrReader(strings.NewReader(text)),
			"some reads come up dry ": &dryReader{r: strings.NewReader(text)},
		} {
			table, err := read.Read(r, read.Options{Name: "x"})
			require.NoError(t, err, name)
			require.Equal(t, tabletest.Dump(whole), tabletest.Dump(table), name)
		}
	}
}

// dryReader returns nothing every second time.
type dryReader struct {
	r   io.Reader
	dry bool
}

func (d *dryReader) Read(p []byte) (int, error) {
	if d.dry = !d.dry; d.dry {
		return 0, nil
	}
	return d.r.Read(p[:min(len(p), 7)])
}

func TestReadAgreesWithEncodingCSV(t *testing.T) {
	// Files written by encoding/csv itself, with all that needs quotes.
	pieces := []string{"x", "1", "-2.5", " ", ",", "\"", "\n", "é", "", "long cell with words", ";", "\t"}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		columns := 2 + rng.IntN(5)
		records := [][]string{make([]string, columns)}
		for j := range columns {
			records[0][j] = fmt.Sprintf("name%d", j)
		}
		for range 1 + rng.IntN(9) {
			row := make([]string, columns)
			for j := range row {
				for range rng.IntN(4) {
					row[j] += pieces[rng.IntN(len(pieces))]
				}
			}
			records = append(records, row)
		}
		var b strings.Builder
		w := encodingcsv.NewWriter(&b)
		w.UseCRLF = rng.IntN(2) == 0
		require.NoError(t, w.WriteAll(records))
		want, err := encodingcsv.NewReader(strings.NewReader(b.String())).ReadAll()
		require.NoError(t, err)
		table, err := read.Read(strings.NewReader(b.String()), read.Options{Separator: ','})
		require.NoError(t, err, b.String())
		require.Equal(t, want[0], table.Names())
		require.Equal(t, want[1:], table.Preview, b.String())
	}
}

func TestRowsKnowTheirLines(t *testing.T) {
	table := tabletest.Read(t, "a,b\nx,1\n\n\"y\ny\",2\nz,3\n   \n\nu,4\nv,5\n")
	var lines []int
	for row := range table.Rows {
		lines = append(lines, table.Line(row))
	}
	assert.Equal(t, []int{2, 4, 6, 9, 10}, lines)
}

func TestReadReturnsTheReadersError(t *testing.T) {
	cancelled := errors.New("cancelled")
	text := tabletest.Join(tabletest.Numbers(20_000)) // longer than the sample
	for _, at := range []int{0, 10, 100_000} {
		_, err := read.Read(io.MultiReader(strings.NewReader(text[:at]), iotest.ErrReader(cancelled)), read.Options{Name: "tec.csv"})
		require.ErrorIs(t, err, cancelled)
		assert.Equal(t, fmt.Sprintf("tec.csv: reading stopped after %d bytes: cancelled", at), err.Error())
	}
	_, err := read.Read(io.MultiReader(strings.NewReader("a,b\n1,\"2"), iotest.ErrReader(cancelled)), read.Options{})
	require.ErrorIs(t, err, cancelled, "within quotes")
	_, err = read.Read(neverReader{}, read.Options{})
	require.ErrorIs(t, err, io.ErrNoProgress)
}

type neverReader struct{}

func (neverReader) Read([]byte) (int, error) { return 0, nil }

func TestReadHoldsNumbersNotText(t *testing.T) {
	// A cell is 24 bytes in the file and 8 in the table, but for blocks that are
	// not full.
	var b strings.Builder
	b.WriteString("a,b\n")
	rng := rand.New(rand.NewPCG(1, 1))
	const rows = 50_000
	for range rows {
		fmt.Fprintf(&b, "%.17e,%.17e\n", rng.NormFloat64(), rng.NormFloat64())
	}
	table := tabletest.Read(t, b.String())
	assert.Equal(t, rows, table.Rows)
	assert.Less(t, tabletest.Size(table), int64(10*2*rows))
}

func TestTheLastColumnOfManyNumbersWithoutAHeaderStays(t *testing.T) {
	var b strings.Builder
	for row := range 5000 { // of more values than a dictionary takes, in less than a block of rows
		fmt.Fprintf(&b, "%d,%d.5\n", row%7, row*7919%100_003)
	}
	table, err := read.Read(strings.NewReader(b.String()), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	assert.Equal(t, []string{"column 1", "column 2"}, table.Names())
}
