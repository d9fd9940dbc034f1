// Package fault says what is wrong with a reader's file, its rows, and what is asked of
// its columns: where, what was found, what is wanted and what to do.
package fault

import (
	"strconv"
	"strings"

	"ifmlab/core/message"
)

// MaxListed is how many bad rows are listed. Further ones are only counted.
const MaxListed = 1000

// Problem says why a row cannot be used.
type Problem string

// The problems of a row. The first seven are found while reading. The others depend on
// what the table is used for.
const (
	FieldCount    Problem = "field count"    // more or fewer cells than the header
	StrayQuote    Problem = "stray quote"    // a quote within a cell without quotes
	OpenQuote     Problem = "open quote"     // a quote that is never closed
	NotText       Problem = "not text"       // bytes that are not UTF-8, or a zero byte
	LongLine      Problem = "long line"      // more bytes than csv.MaxLine
	NotJSON       Problem = "not JSON"       // or another form of it than the rows before
	NotNumber     Problem = "not a number"   // a cell of a numeric column
	MissingTarget Problem = "missing target" // no target to learn from
	MissingSplit  Problem = "missing split"  // no value in the column of the split
	MissingCell   Problem = "missing cell"   // if the settings drop rows with missing cells
	Repeated      Problem = "repeated"       // the same as an earlier row
)

// RowError says why a row of a file is not used. Line and Column count from 1, columns in
// bytes. A place that is not known is 0.
type RowError struct {
	Problem Problem
	File    string
	Line    int
	Column  int
	Field   string // the column's name, or ""
	Found   string // the cell as written, shortened; or ""
	Message string // what was found, what is wanted, what to do
}

// Error returns the place and the message, as in
//
//	tec.csv:2:12: tec is "12x", expected a finite number. Correct the cell or delete line 2
func (e *RowError) Error() string { return place(e.File, e.Line, e.Column) + e.Message }

// Kind returns what the page tells errors apart by.
func (*RowError) Kind() string { return "RowError" }

// TooManyBadRowsError says that more than a tenth of the rows cannot be used. It unwraps
// to the first of them.
type TooManyBadRowsError struct {
	File  string
	Bad   []RowError // the first 1000, in the order of lines
	Count int        // of bad rows
	Rows  int        // bad rows included; of a file given up early, the rows so far
}

func (e *TooManyBadRowsError) Error() string {
	s := message.Sprintf("%s%d of %d rows cannot be used, more than one in ten; the first: ", place(e.File, 0, 0), e.Count, e.Rows)
	return s + e.Bad[0].Error()
}

// Kind returns what the page tells errors apart by.
func (*TooManyBadRowsError) Kind() string { return "TooManyBadRowsError" }

// Unwrap returns the first bad row.
func (e *TooManyBadRowsError) Unwrap() error { return &e.Bad[0] }

// place returns "file:line:column: " without the parts that are not known.
func place(file string, line, column int) string {
	var b strings.Builder
	if file == "" {
		file = "table"
	}
	b.WriteString(file)
	if line > 0 {
		b.WriteString(":" + strconv.Itoa(line))
		if column > 0 {
			b.WriteString(":" + strconv.Itoa(column))
		}
	}
	return b.String() + ": "
}

// TooMany reports whether count rows are more than a tenth of all rows. One bad row is
// never too many, unless it is the only row.
func TooMany(count, rows int) bool { return 10*count > rows && (count > 1 || rows < 2) }

// List holds the first [MaxListed] errors that are added to it and counts all.
type List struct {
	First []RowError
	Count int
}

func (l *List) Add(e RowError) {
	if l.Count++; len(l.First) < MaxListed {
		l.First = append(l.First, e)
	}
}

// Full reports whether Add would only count.
func (l *List) Full() bool { return len(l.First) >= MaxListed }
