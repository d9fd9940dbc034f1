package table

import (
	"slices"
	"sync"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// Width returns the number of columns in the file, without those made from dates.
func (t *Table) Width() int { return len(t.FileNames()) }

// FileNames returns the names of the columns in the file, without those made from dates.
func (t *Table) FileNames() (names []string) {
	for _, c := range t.Columns {
		if c.PartOf == "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// Number returns the number in a cell, NaN if it has none. O(1).
//
//go:noinline
func (t *Table) Number(column, row int) float64 { return t.Columns[column].Number(row) }

// Text returns a cell as it was written, trimmed, and "" where it is missing; a
// number in its shortest form where its column holds many. O(1), or O(log cells
// that are no numbers).
//
//go:noinline
func (t *Table) Text(column, row int) string { return t.Columns[column].Text(row) }

// IsMissing reports whether a cell is empty or stands for no value. It costs as
// much as Text.
//
//go:noinline
func (t *Table) IsMissing(column, row int) bool { return t.Columns[column].IsMissing(row) }

// CellError returns the error of a row whose cell is not what is wanted, such as "a finite
// number".
func (t *Table) CellError(column, row int, want string) fault.RowError {
	c := t.Columns[column]
	e := fault.RowError{Problem: fault.NotNumber, File: t.Name, Line: t.Line(row), Field: c.Name, Found: cell.Clip(c.Text(row))}
	if o := c.TextAt(row); o != nil {
		e.Column = int(o.Column)
	}
	e.Message = message.Sprintf("%s is %s, expected %s. Correct the cell or delete line %d", c.Name, cell.Quote(e.Found), want, e.Line)
	return e
}

// Questions returns the number of open questions. Training should wait for the answers.
func (t *Table) Questions() (n int) {
	for _, c := range t.Columns {
		n += len(c.Notes.Questions())
	}
	return n + len(t.Notes.Questions())
}

// ByName maps names to columns, those of Constant included.
func (t *Table) ByName() map[string]*Column {
	columns := make(map[string]*Column, len(t.Columns))
	for _, c := range t.Constant {
		columns[c.Name] = c
	}
	for _, c := range t.Columns {
		columns[c.Name] = c
	}
	return columns
}

// Format says what kind of file a table was read from.
type Format string

// The formats of tables.
const (
	FormatText   Format = "text" // cells between separators
	FormatJSON   Format = "json" // or JSON Lines
	FormatLIBSVM Format = "libsvm"
)

// MaxColumns is the largest number of columns of a table. Each costs a profile and a row
// of the page.
const MaxColumns = 20000

// Table is a file that was read. It does not change, so that goroutines may share it.
type Table struct {
	Name      string
	Format    Format
	Charset   csv.Charset
	Separator rune
	Header    bool             // the first row named the columns
	Bytes     int64            // size of the file
	Bad       []fault.RowError // the first 1000 rows that could not be read
	BadCount  int              // of all rows that could not be read
	Notes     note.Notes       // what was guessed or changed
	Preview   [][]string       // the first ten rows, as written

	Columns []*Column
	Block   *SparseBlock // the features of a LIBSVM file; nil if it has no entries
	Point   byte         // the decimal mark of most columns
	// Constant holds the parts of dates that do not vary. Models of other files may need them.
	Constant       []*Column
	UnusedSettings note.Notes // on settings that do not fit the file
	Rows           int
	Lines          []LineStep
	Shares         [2]float64 // of validation and test rows

	// Training and Test are the tables of a [Join] whose second table has the test rows; nil
	// for other tables. Test has the columns of Training, in their order.
	Training, Test *Table

	lock sync.Mutex // of memo
	memo map[string]func() any
}

// Memo returns what compute returned for this key, and calls it the first time only.
// Goroutines may share it.
func (t *Table) Memo(key string, compute func() any) any {
	t.lock.Lock()
	once, known := t.memo[key]
	if !known {
		if once = sync.OnceValue(compute); t.memo == nil {
			t.memo = map[string]func() any{}
		}
		t.memo[key] = once
	}
	t.lock.Unlock()
	return once()
}

// LineStep says that rows from Row on stand on consecutive lines from Line on.
type LineStep struct{ Row, Line int }

// EncodeLike returns text in the charset of t's file, or in UTF-8 if that lacks one of its
// characters.
func EncodeLike(t *Table, text string) []byte {
	raw, ok := csv.Encode(text, t.Charset)
	if !ok {
		return []byte(text)
	}
	return raw
}

// Names returns the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Line returns the line of the file on which a row starts, from 1. O(log steps).
func (t *Table) Line(row int) int {
	if len(t.Lines) == 1 { // most files have no gap
		return t.Lines[0].Line + row - t.Lines[0].Row
	}
	i, found := slices.BinarySearchFunc(t.Lines, row, func(s LineStep, row int) int { return s.Row - row })
	if !found {
		i--
	}
	return t.Lines[i].Line + row - t.Lines[i].Row
}

// RowAt returns the row that starts on a line of the file; ok is false if none does.
func (t *Table) RowAt(line int) (row int, ok bool) {
	i, found := slices.BinarySearchFunc(t.Lines, line, func(s LineStep, line int) int { return s.Line - line })
	if !found {
		i--
	}
	if i < 0 {
		return 0, false
	}
	row = t.Lines[i].Row + line - t.Lines[i].Line
	return row, row < t.Rows && (i+1 == len(t.Lines) || row < t.Lines[i+1].Row)
}
