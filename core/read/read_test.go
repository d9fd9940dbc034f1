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

func TestWhatAFileIsReadAsIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"sep=;\na;b\n1;x\n2;y\n":                              `the first line names the separator, ";"`,
		"Report of 2024\na,b,c\n1,2,3\n4,5,6\n":               `the first line, "Report of 2024", is above the table and is skipped`,
		"# made by us\n# in 2020\na,b\n1,x\n2,y\n":            `the first 2 lines, from "# made by us" on, are above the table and are skipped`,
		"a,b\n1,x\n# a break\n2,y\n":                          "1 line that begins with # is a comment and is skipped",
		"a,b\n1,x\n# a break\n2,y\n#3,z\n4,w\n":               "2 lines that begin with # are comments and are skipped",
		"a,b\n\"he said \\\"no, never\\\"\",1\n\"plain\",2\n": `a backslash escapes the next character, as in \" and \,, and is removed`,
		"'a','b'\n'Smith, J.',1\n'O''Brien',2\n":              "cells are in single quotes, which are removed",
		"gr\xf6\xdfe,stadt\n1.5,Z\xfcrich\n2.5,\xc5rhus\n":    "the file is not UTF-8 and is read as windows-1252, the most likely charset; choose another if accented letters look wrong",
		"\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00":  "the file is read as UTF-16 (little-endian)",
		"a,b\nx,1\ny,2\n":                                     "",
	} {
		assert.Equal(t, want, strings.Join(tabletest.Read(t, text).Notes.Texts(), "\n"), "%q", text)
	}
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

func TestTheLastColumnOfManyNumbersWithoutAHeaderStays(t *testing.T) {
	var b strings.Builder
	for row := range 5000 { // of more values than a dictionary takes, in less than a block of rows
		fmt.Fprintf(&b, "%d,%d.5\n", row%7, row*7919%100_003)
	}
	table := tabletest.Read(t, b.String())
	assert.Equal(t, []string{"column 1", "column 2"}, table.Names())
}
