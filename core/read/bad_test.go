package read_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// spoil returns a file of n rows in which every row at a multiple of every is
// replaced, and the numbers of the lines replaced.
func spoil(n, every int, bad func(good string) string) (text string, lines []int) {
	rows := tabletest.Numbers(n)
	for i := every; i <= n; i += every {
		rows[i] = bad(rows[i])
		lines = append(lines, i+1)
	}
	return tabletest.Join(rows), lines
}

// rowProblems holds each way in which reading a row fails: what stands in the
// place of a row, and the column and text of the message.
var rowProblems = []struct {
	problem fault.Problem
	bad     func(good string) string
	column  int
	message string
}{
	{fault.FieldCount, func(string) string { return "1,2" }, 1, "2 fields, but the header has 3; add the missing cell"},
	{fault.FieldCount, func(string) string { return "1" }, 1, "1 field, but the header has 3; add the missing cells"},
	{fault.FieldCount, func(string) string { return "1,2,3,4" }, 1, "4 fields, but the header has 3; delete the extra cell or quote the one that contains the separator"},
	{fault.FieldCount, func(string) string { return "1,2,3,4,5" }, 1, "5 fields, but the header has 3; delete the extra cells or quote those that contain the separator"},
	{fault.OpenQuote, func(string) string { return `1,"2,3` }, 3, `the quote that opens "2,3 is never closed; close it or delete line %d`},
	{fault.OpenQuote, func(string) string { return `"1,2,3` }, 1, `the quote that opens "1,2,3 is never closed; close it or delete line %d`},
	{fault.StrayQuote, func(string) string { return `1,"2"x,3` }, 5, `a quote inside a cell; put the whole cell in quotes and double the quote, or delete line %d`},
	{fault.NotText, func(string) string { return "1,ö\xff,3" }, 5, "found the byte 0xff, expected UTF-8 as in other rows. Rewrite the cell or delete line %d"},
	{fault.NotText, func(good string) string { return good + "é,\xe4" }, 0, "found the byte 0xe4, expected UTF-8 as in other rows. Rewrite the cell or delete line %d"},
	{fault.NotText, func(string) string { return "1,\x00,3" }, 3, "found the byte 0x00, expected text. Correct the cell or delete line %d"},
	{fault.LongLine, func(string) string { return "1,2," + strings.Repeat("3", 5<<20) }, 1, "the line is longer than 4 MB; write one row per line, or delete it"},
}

func TestOneBadRowInTwentyIsListedAndReadingGoesOn(t *testing.T) {
	for _, c := range rowProblems {
		t.Run(fmt.Sprintf("%s: %.20q", c.problem, c.bad("")), func(t *testing.T) {
			n, every := 4000, 20 // longer than the sample that is looked at first
			if c.problem == fault.LongLine {
				every = 2000
			}
			text, lines := spoil(n, every, c.bad)
			table := tabletest.Read(t, text)
			assert.Equal(t, len(lines), table.BadCount)
			assert.Equal(t, n-len(lines), table.Rows)
			var found []int
			for _, bad := range table.Bad {
				found = append(found, bad.Line)
				assert.Equal(t, c.problem, bad.Problem)
				assert.Equal(t, "tec.csv", bad.File)
				if c.column > 0 {
					assert.Equal(t, c.column, bad.Column)
				}
				message := c.message
				if strings.Contains(message, "%d") {
					message = fmt.Sprintf(message, bad.Line)
				}
				assert.Equal(t, message, bad.Message)
				assert.Equal(t, fmt.Sprintf("tec.csv:%d:%d: %s", bad.Line, bad.Column, message), bad.Error())
			}
			assert.Equal(t, lines, found)
			_, err := roles.NewPlan(table, roles.Settings{})
			assert.NoError(t, err, "the rest can be trained on")
		})
	}
}

func TestMoreThanOneBadRowInTenIsAnError(t *testing.T) {
	short := func(string) string { return "1,2" }
	text, _ := spoil(5000, 10, short)
	tabletest.Read(t, text)

	text, lines := spoil(5000, 9, short)
	_, err := read.Read(strings.NewReader(text), read.Options{Name: "tec.csv"})
	many := tabletest.As[*fault.TooManyBadRowsError](t, err)
	assert.Equal(t, []int{len(lines), 5000, lines[0]}, []int{many.Count, many.Rows, many.Bad[0].Line})
	first := tabletest.As[*fault.RowError](t, err)
	says := fmt.Sprintf("tec.csv: %d of 5000 rows cannot be used, more than one in ten; the first: ", len(lines))
	assert.EqualError(t, err, says+first.Error())
}

func TestOnlyTheFirstThousandBadRowsAreKept(t *testing.T) {
	text, lines := spoil(30_000, 20, func(string) string { return "1,2" })
	table := tabletest.Read(t, text)
	assert.Equal(t, len(lines), table.BadCount)
	assert.Len(t, table.Bad, 1000)
	assert.Equal(t, lines[999], table.Bad[999].Line)
}

func TestAFileOfBadRowsIsGivenUpEarly(t *testing.T) {
	text := "a,b,c,d\n" + strings.Repeat("1,2\n", 1_000_000)
	_, err := read.Read(strings.NewReader(text), read.Options{})
	many := tabletest.As[*fault.TooManyBadRowsError](t, err)
	assert.Equal(t, 1000, many.Count)
	assert.Equal(t, 1000, many.Rows)
}

func TestLinesThatAQuoteSwallowsAreGivenBack(t *testing.T) {
	type place struct {
		problem      fault.Problem
		line, column int
	}
	const short = fault.FieldCount
	for name, c := range map[string]struct {
		rows  int
		lines map[int]string
		bad   []place
	}{
		"quotes below would close it":   {60, map[int]string{20: `1,"2,3`, 30: `"1",2,3`, 40: `1,2,"three"`}, []place{{fault.OpenQuote, 21, 3}}},
		"closed with a cell too few":    {60, map[int]string{20: `1,"2,3`, 40: `1,2"`}, []place{{short, 21, 1}, {short, 41, 1}}},
		"behind a plain one in its row": {60, map[int]string{20: `5" pipe,"2,3`}, []place{{fault.StrayQuote, 21, 2}}},
		"behind a cell of two lines":    {60, map[int]string{10: "\"one\ntwo\",\"2,3"}, []place{{fault.OpenQuote, 12, 6}}},
		"to the end of a long file":     {100_000, map[int]string{50: `1,2,"3`}, []place{{fault.OpenQuote, 51, 5}}},
	} {
		rows, last := tabletest.Numbers(c.rows), c.rows+1
		for i, line := range c.lines {
			rows[i] = line
			last += strings.Count(line, "\n")
		}
		table := tabletest.Read(t, tabletest.Join(rows))
		var found []place
		for _, bad := range table.Bad {
			found = append(found, place{bad.Problem, bad.Line, bad.Column})
		}
		assert.Equal(t, c.bad, found, name)
		assert.Equal(t, c.rows-len(c.bad), table.Rows, name)
		assert.Equal(t, last, table.Line(table.Rows-1), name)
	}
}

func TestTheReadersErrorWithinALongLineIsReturned(t *testing.T) {
	cancelled := errors.New("cancelled")
	long := "a,b,c\n1,2," + strings.Repeat("3", 6<<20)
	_, err := read.Read(io.MultiReader(strings.NewReader(long), iotest.ErrReader(cancelled)), read.Options{})
	require.ErrorIs(t, err, cancelled)
	table := tabletest.Read(t, tabletest.Join(tabletest.Numbers(30))+"1,2,"+strings.Repeat("3", 6<<20))
	require.Equal(t, 1, table.BadCount, "a long line may be the last")
	assert.Equal(t, 32, table.Bad[0].Line)
}

func TestFilesThatAreNoTableAreNamed(t *testing.T) {
	const zip, gzip = "PK\x03\x04\x14\x00\x06\x00", "\x1f\x8b\x08\x00\x00"
	for _, c := range []struct {
		name, text string
		problem    fault.FileProblem
		message    string
	}{
		{"empty", "", fault.Empty, "x.csv:1:1: the file is empty. Choose one with a header and rows"},
		{"only a BOM", "\uFEFF", fault.Empty, "x.csv:1:1: the file is empty. Choose one with a header and rows"},
		{"blank lines", "\n\r\n  \n", fault.Empty, "x.csv:1:1: the file is empty. Choose one with a header and rows"},
		{"header only", "a,b\n", fault.HeaderOnly, "x.csv:1:1: the file has a header but no rows. Choose a file with rows"},
		{"header without line end", "a,b", fault.HeaderOnly, "x.csv:1:1: the file has a header but no rows. Choose a file with rows"},
		{"gzip", gzip, fault.OtherType, "x.csv:1:1: this is a gzip archive. Unpack it and open the table inside"},
		{"zip", zip, fault.OtherType, "x.csv:1:1: this is an Excel workbook or a zip archive. Save the sheet as CSV, or unpack the archive"},
		{"zero bytes", "a,b\n1,\x00\n", fault.OtherType, "x.csv:2:3: found a zero byte, so this is no text. Save the table as CSV, or choose its charset"},
		{"xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", fault.OtherType, "x.csv:1:1: this is an old Excel workbook. Save the sheet as CSV"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", fault.OtherType, "x.csv:1:1: this is a compressed file. Unpack it and open the table inside"},
		{"compress", "\x1f\x9d\x90", fault.OtherType, "x.csv:1:1: this is a compressed file. Unpack it and open the table inside"},
		{"bzip2", "BZh91AY&SY\x00\x00", fault.OtherType, "x.csv:1:1: this is a compressed file. Unpack it and open the table inside"},
		{"xz", "\xfd7zXZ\x00\x00", fault.OtherType, "x.csv:1:1: this is a compressed file. Unpack it and open the table inside"},
		{"Parquet", "PAR1\x15", fault.OtherType, "x.csv:1:1: this is a Parquet file. Save it as CSV"},
		{"SQLite", "SQLite format 3\x00", fault.OtherType, "x.csv:1:1: this is an SQLite database. Export the table as CSV"},
		{"PDF", "%PDF-1.7\n", fault.OtherType, "x.csv:1:1: this is a PDF document. Use a table: CSV, Excel, JSON or Parquet"},
		{"PNG", "\x89PNG\r\n\x1a\n\x00", fault.OtherType, "x.csv:1:1: this is an image. Use a table: CSV, Excel, JSON or Parquet"},
		{"JPEG", "\xff\xd8\xff\xe0\x00", fault.OtherType, "x.csv:1:1: this is an image. Use a table: CSV, Excel, JSON or Parquet"},
		{"GIF", "GIF89a\x00", fault.OtherType, "x.csv:1:1: this is an image. Use a table: CSV, Excel, JSON or Parquet"},
		{"WebP", "RIFF\x24\x00\x00\x00WEBPVP8 ", fault.OtherType, "x.csv:1:1: this is an image. Use a table: CSV, Excel, JSON or Parquet"},
		{"HTML", "<!DOCTYPE html>\n<table>", fault.OtherType, "x.csv:1:1: this is a web page or XML. Save the table as CSV"},
		{"no UTF-8 in the header", "grö\xf6,b\n1,ä\n", fault.BadHeader, "x.csv:1:5: the first row cannot be read: found the byte 0xf6, expected UTF-8. Save the file as UTF-8, choose its charset"},
		{"a stray quote in the header", "\"a\"x,b\n1,2\n", fault.BadHeader, "x.csv:1:3: the first row cannot be read: a quote inside a cell; put the whole cell in quotes and double the quote"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Read(strings.NewReader(c.text), read.Options{Name: "x.csv"})
			file := tabletest.As[*fault.FileError](t, err)
			assert.Equal(t, c.problem, file.Problem)
			assert.Equal(t, c.message, err.Error())
		})
	}
	_, err := read.Read(strings.NewReader(""), read.Options{})
	assert.ErrorContains(t, err, "table:1:1: the file is empty", "a file without a name")
}

func TestAHeaderTheRowsDoNotFitSaysSo(t *testing.T) {
	for _, text := range []string{"a,b,c,d\n1,2,3\n4,5,6\n", "user,item\nu1,i1,3\nu1,i2,4\nu2,i1,5\n"} {
		_, err := read.Read(strings.NewReader(text), read.Options{Name: "x.csv"})
		require.ErrorAs(t, err, new(*fault.TooManyBadRowsError), text)
		assert.Regexp(t, `x.csv:2:1: 3 fields, but the header has [24]`, err.Error())
	}
}

func TestMessagesNeverFloodThePage(t *testing.T) {
	rows := tabletest.Numbers(100)
	rows[50] = `1,"` + strings.Repeat("ä", 5000) + ",3"
	table := tabletest.Read(t, tabletest.Join(rows))
	require.Equal(t, 1, table.BadCount)
	assert.Less(t, len(table.Bad[0].Error()), 300)
	assert.True(t, strings.HasSuffix(table.Bad[0].Found, "…"))

	rows[50] = "1,\"a\nb\tc\x07\",3"
	_ = tabletest.PlanOf(t, tabletest.Read(t, tabletest.Join(rows)), roles.Settings{})
	p := tabletest.PlanOf(t, tabletest.Read(t, tabletest.Join(rows)), roles.Settings{Numeric: []string{"b"}})
	require.Equal(t, 1, p.DroppedCount)
	assert.Equal(t, `tec.csv:51:3: b is "a\nb\tc\a", expected a finite number. Correct the cell or delete line 51`, p.Dropped[0].Error())
}
