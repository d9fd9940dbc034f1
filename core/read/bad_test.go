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

func TestTheLinesOfALongFileThatAQuoteSwallowsAreGivenBack(t *testing.T) {
	rows := tabletest.Numbers(100_000)
	rows[50] = `1,2,"3`
	table := tabletest.Read(t, tabletest.Join(rows))
	require.Equal(t, 1, table.BadCount)
	bad := table.Bad[0]
	assert.Equal(t, []any{fault.OpenQuote, 51, 5, 99_999, 100_001}, []any{bad.Problem, bad.Line, bad.Column, table.Rows, table.Line(table.Rows - 1)})
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
