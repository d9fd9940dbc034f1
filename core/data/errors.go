package data

import (
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
)

// maxListed is how many unusable rows are kept with their places; the rest
// are counted.
const maxListed = 1000

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

func (*RowError) Kind() string { return "RowError" }

// FileProblem names what makes a whole file unusable.
type FileProblem string

// The problems of a file.
const (
	Empty      FileProblem = "empty"       // no bytes, or only blank lines
	HeaderOnly FileProblem = "header only" // names without rows
	BadHeader  FileProblem = "bad header"  // the first row cannot be read
	OtherType  FileProblem = "other type"  // a format that is recognised and not read
	TooLarge   FileProblem = "too large"   // more rows than a table holds
	Damaged    FileProblem = "damaged"     // cut short, or in contradiction with itself
	Undeclared FileProblem = "undeclared"  // it leaves open what cannot be guessed
)

// FileError says why a file cannot be read at all.
type FileError struct {
	Problem FileProblem
	File    string
	Line    int
	Column  int
	Field   string // the record or the column in question, or ""
	Found   string // what the file holds
	Message string // what was found, what is wanted, what to do
}

func (e *FileError) Error() string { return place(e.File, e.Line, e.Column) + e.Message }

func (*FileError) Kind() string { return "FileError" }

// ReaderError says that the file could not be read to its end.
type ReaderError struct {
	File  string
	Bytes int64 // read before
	Err   error // of the reader
}

func (e *ReaderError) Error() string {
	return message.Sprintf("%sreading stopped after %d bytes: %v", place(e.File, 0, 0), e.Bytes, e.Err)
}

func (*ReaderError) Kind() string { return "ReaderError" }

// Unwrap returns the error of the reader.
func (e *ReaderError) Unwrap() error { return e.Err }

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

func (*TooManyBadRowsError) Kind() string { return "TooManyBadRowsError" }

// Unwrap returns the first bad row.
func (e *TooManyBadRowsError) Unwrap() error { return &e.Bad[0] }

// TargetError says why a column cannot be the target.
type TargetError struct {
	File    string
	Field   string // the column's name, or "" when there is none to choose
	Found   string // what the column holds
	Message string // what was found, what is wanted, what to do
}

func (e *TargetError) Error() string { return place(e.File, 0, 0) + e.Message }

func (*TargetError) Kind() string { return "TargetError" }

// ColumnError says why a feature cannot be scaled.
type ColumnError struct {
	File    string
	Field   string
	Found   string
	Message string // what was found, what is wanted, what to do
}

func (e *ColumnError) Error() string { return place(e.File, 0, 0) + e.Message }

func (*ColumnError) Kind() string { return "ColumnError" }

// MissingColumnsError says that a table lacks columns that a model needs.
type MissingColumnsError struct {
	File    string
	Missing []string // in the order of the model's
	Have    []string // the table's
}

func (e *MissingColumnsError) Error() string {
	more := ""
	if n := len(e.Missing) - 1; n > 0 {
		more = message.Sprintf(" and %d more", n)
	}
	return place(e.File, 0, 0) + message.Sprintf("the model needs the column %s%s, and this file has %s; give its columns the names that the model knows, or choose another file", cell.Quote(e.Missing[0]), more, shownList(e.Have))
}

func (*MissingColumnsError) Kind() string { return "MissingColumnsError" }

// TooFewRowsError says that the rows left do not make three splits.
type TooFewRowsError struct {
	File    string
	Rows    int // usable
	Want    int
	Dropped int // by the plan
}

func (e *TooFewRowsError) Error() string {
	s := message.Sprintf("%s%d rows can be used, want at least %d for training, validation and test; ", place(e.File, 0, 0), e.Rows, e.Want)
	if e.Dropped > 0 {
		return s + message.Sprintf("%d were left out: see why, or open a longer table", e.Dropped)
	}
	return s + "open a longer table"
}

func (*TooFewRowsError) Kind() string { return "TooFewRowsError" }

// NoFeaturesError says that nothing is left to predict the target from.
type NoFeaturesError struct {
	File   string
	Target string
}

func (e *NoFeaturesError) Error() string {
	return message.Sprintf("%sno column is left to predict %s from; make one that varies a feature", place(e.File, 0, 0), e.Target)
}

func (*NoFeaturesError) Kind() string { return "NoFeaturesError" }

// SizeError says that the design would not fit in a browser's memory.
type SizeError struct {
	File     string
	Rows     int
	Features int
	Bytes    int64  // of the design
	Widest   string // the column that became most features
	Levels   int    // and how many
}

// check returns e if the design is larger than [design.MaxBytes].
func (e *SizeError) check() error {
	if e.Bytes <= design.MaxBytes {
		return nil
	}
	return e
}

func (e *SizeError) Error() string {
	s := message.Sprintf("%s%d rows of %d features are %.1f GB, want at most %.1f; ",
		place(e.File, 0, 0), e.Rows, e.Features, 1e-9*float64(e.Bytes), 1e-9*float64(design.MaxBytes))
	if e.Levels > 1 {
		return s + message.Sprintf("ignore %s, which alone makes %d features, or open fewer rows", e.Widest, e.Levels)
	}
	return s + "ignore columns or open fewer rows"
}

func (*SizeError) Kind() string { return "SizeError" }

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

// tooMany reports whether count of rows is more than one in ten, and more than one
// while there are others.
func tooMany(count, rows int) bool { return 10*count > rows && (count > 1 || rows < 2) }

// rowList keeps the first maxListed of the rows it is given and counts all.
type rowList struct {
	first []RowError
	count int
}

func (l *rowList) add(e RowError) {
	if l.count++; len(l.first) < maxListed {
		l.first = append(l.first, e)
	}
}

// full reports whether a further row would only be counted.
func (l *rowList) full() bool { return len(l.first) >= maxListed }
