// Package fault says what is wrong with a reader's file, its rows, and what is asked of
// its columns: where, what was found, what is wanted and what to do.
package fault

import (
	"strconv"
	"strings"

	"ifmlab/core/message"
)

// MaxListed is how many unusable rows are kept with their places; the rest
// are counted.
const MaxListed = 1000

// Problem names what makes a row unusable.
type Problem string

// The problems of a row. The first seven are found while reading, the others
// depend on what a table is used for.
const (
	FieldCount    Problem = "field count"    // more or fewer cells than the header
	StrayQuote    Problem = "stray quote"    // a quote within a cell
	OpenQuote     Problem = "open quote"     // a quote that is never closed
	NotText       Problem = "not text"       // bytes that are no UTF-8, or a zero byte
	LongLine      Problem = "long line"      // more than maxLine bytes
	NotJSON       Problem = "not JSON"       // or not what was begun
	NotNumber     Problem = "not a number"   // a cell of a numeric column
	MissingTarget Problem = "missing target" // nothing to learn from
	MissingSplit  Problem = "missing split"  // the cell that rows are split by
	MissingCell   Problem = "missing cell"   // where rows with missing cells are dropped
	Repeated      Problem = "repeated"       // what an earlier row says already
)

// RowError says why one row of a file is not used. Line and Column count from
// 1, columns in bytes; 0 means that the place is not known.
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
//	tec.csv:2:12: tec is "12x", want a finite number; fix the cell or delete line 2
func (e *RowError) Error() string { return place(e.File, e.Line, e.Column) + e.Message }

// Kind returns what the page tells errors apart by.
func (*RowError) Kind() string { return "RowError" }

// TooManyBadRowsError says that more than a tenth of the rows cannot be used.
// It unwraps to the first of them.
type TooManyBadRowsError struct {
	File  string
	Bad   []RowError // the first 1000, in the order of lines
	Count int        // of bad rows
	Rows  int        // bad rows included; of a file given up early, the rows so far
}

func (e *TooManyBadRowsError) Error() string {
	s := message.Sprintf("%s%d of %d rows cannot be used, want at most one in ten; the first: ", place(e.File, 0, 0), e.Count, e.Rows)
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

// TooMany reports whether count of rows is more than one in ten, and more than one
// while there are others.
func TooMany(count, rows int) bool { return 10*count > rows && (count > 1 || rows < 2) }

// rowList keeps the first maxListed of the rows it is given and counts all.
type List struct {
	First []RowError
	Count int
}

func (l *List) Add(e RowError) {
	if l.Count++; len(l.First) < MaxListed {
		l.First = append(l.First, e)
	}
}

// Full reports whether a further row would only be counted.
func (l *List) Full() bool { return len(l.First) >= MaxListed }
