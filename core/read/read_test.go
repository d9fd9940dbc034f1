package read_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

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
		assert.Equal(t, string(c.want), string(tabletest.Read(t, c.text).Separator), "%q", c.text)
	}
}

func TestReadTakesTheSeparatorItIsTold(t *testing.T) {
	table := tabletest.ReadAs(t, "a,b;c\n1,2;3\n", read.Options{Separator: ';'})
	assert.Equal(t, []string{"a,b", "c"}, table.Names())

	table = tabletest.ReadAs(t, "a§b\n1§2\n", read.Options{Separator: '§'})
	assert.Equal(t, []string{"a", "b"}, table.Names())

	for _, sep := range []rune{'"', '\n', '\r', 0xFFFD, -1} {
		_, err := read.Read(strings.NewReader("a,b\n1,2\n"), read.Options{Separator: sep})
		require.ErrorAs(t, err, new(*fault.FileError))
		assert.Contains(t, err.Error(), "choose another")
	}
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
	rng := rand.New(rand.NewPCG(1, 1))
	const rows = 50_000
	text := tabletest.File("a,b", rows, func(int) string {
		return fmt.Sprintf("%.17e,%.17e", rng.NormFloat64(), rng.NormFloat64())
	})
	table := tabletest.Read(t, text)
	assert.Equal(t, rows, table.Rows)
	assert.Less(t, tabletest.Size(table), int64(10*2*rows))
}

func TestTheLastColumnOfManyNumbersWithoutAHeaderStays(t *testing.T) {
	var b strings.Builder
	for row := range 5000 { // of more values than a dictionary takes, in less than a block of rows
		fmt.Fprintf(&b, "%d,%d.5\n", row%7, row*7919%100_003)
	}
	table := tabletest.Read(t, b.String())
	assert.Equal(t, []string{"column 1", "column 2"}, table.Names())
}

func TestCellsAreGivenAsTheyStand(t *testing.T) {
	for _, numbers := range []int{0, 10_000} { // a long column of numbers does not keep their texts
		text := "a,b\n 1.50 ,x\n,y\nodd,NA\n"
		for i := range numbers {
			text += strconv.Itoa(i) + ".50,x\n"
		}
		table := tabletest.ReadAs(t, text, read.Options{Name: "c.csv"})
		assert.Equal(t, 1.5, table.Number(0, 0))
		assert.True(t, math.IsNaN(table.Number(0, 1)))
		assert.Equal(t, []string{"1.50", "1.5"}[min(1, numbers)], table.Text(0, 0))
		assert.Equal(t, "odd", table.Text(0, 2))
		assert.Equal(t, "", table.Text(1, 2))
		assert.Equal(t, []bool{false, true, false}, []bool{table.IsMissing(0, 0), table.IsMissing(0, 1), table.IsMissing(0, 2)})
		e := table.CellError(0, 2, "a pear")
		assert.Equal(t, `c.csv:4:1: a is "odd", expected a pear. Correct the cell or delete line 4`, e.Error())
		assert.Equal(t, "a", e.Field)
		if numbers > 0 {
			assert.Equal(t, 9999.5, table.Number(0, numbers+2))
			assert.Equal(t, "9999.5", table.Text(0, numbers+2))
		}
	}
}

func TestCSVSpectrumGivesItsAnswers(t *testing.T) {
	root := tabletest.Shared(t, "csv-edge/csv-spectrum")
	files := tabletest.Must(filepath.Glob(filepath.Join(root, "csvs", "*.csv")))
	require.Len(t, files, 12)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		t.Run(name, func(t *testing.T) {
			answer := tabletest.Must(os.ReadFile(filepath.Join(root, "json", name+".json")))
			answer = []byte(strings.ReplaceAll(string(answer), `\r\n`, `\n`)) // encoding/csv reads CRLF in quotes as LF
			if answer[0] == '{' {
				answer = []byte("[" + string(answer) + "]")
			}
			var want []map[string]string
			require.NoError(t, json.Unmarshal(answer, &want))
			table := tabletest.Must(tabletest.ReadFile(t, file))
			require.Equal(t, len(want), table.Rows)
			assert.Zero(t, table.BadCount)
			for i, row := range want {
				for j, column := range table.Names() {
					if name == "location_coordinates" && column == "Contact Phone Number" {
						assert.Equal(t, "2095257564", table.Preview[i][j], "the answer there has another number than its file")
						continue
					}
					assert.Equal(t, row[column], table.Preview[i][j], column)
				}
			}
		})
	}
}

func TestFilesThatBrokeOtherParsersGiveATableOrATypedError(t *testing.T) {
	read, refused := 0, 0
	err := filepath.WalkDir(tabletest.Shared(t, "csv-edge"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		table, err := tabletest.ReadFile(t, path)
		if err != nil {
			var file *fault.FileError
			var many *fault.TooManyBadRowsError
			assert.True(t, errors.As(err, &file) || errors.As(err, &many), "%s: %v", path, err)
			assert.Contains(t, err.Error(), filepath.Base(path))
			refused++
			return nil
		}
		tabletest.CheckTable(t, table)
		read++
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, read, 150, "most of the rest hold zero bytes or no UTF-8")
	t.Logf("%d read, %d refused", read, refused)
}
