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

// Width returns how many columns the table's file has.
func (t *Table) Width() (columns int) {
	for _, c := range t.Columns {
		if c.PartOf == "" {
			columns++
		}
	}
	return columns
}

// Number returns the number in a cell, NaN where it holds none. O(1).
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

// Refuse returns the error of a row of which a cell is not what is wanted, as "a
// finite number".
func (t *Table) Refuse(column, row int, want string) fault.RowError {
	c := t.Columns[column]
	e := fault.RowError{Problem: fault.NotNumber, File: t.Name, Line: t.Line(row), Field: c.Name, Found: cell.Clip(c.Text(row))}
	if o := c.OddAt(row); o != nil {
		e.Column = int(o.Column)
	}
	e.Message = message.Sprintf("%s is %s, want %s; fix the cell or delete line %d", c.Name, cell.Quote(e.Found), want, e.Line)
	return e
}

// Asks returns how many questions reading leaves open: training should wait for
// their answers. O(columns).
func (t *Table) Asks() (n int) {
	for _, c := range t.Columns {
		for _, d := range c.Notes {
			if d.Ask {
				n++
			}
		}
	}
	return n
}

// ByName returns the columns by their names, parts of dates that do not vary among
// them.
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

// MaxColumns is how many columns a table may have: each costs a profile, and a
// row of the page.
const MaxColumns = 20000

// Table is a file that was read. It does not change, so any number of readers
// may use it at once.
type Table struct {
	Name      string
	Format    Format
	Charset   csv.Charset
	Separator rune
	Header    bool             // the first row named the columns
	Bytes     int64            // of the file
	Bad       []fault.RowError // rows that could not be read, the first 1000
	BadCount  int              // all of them
	Notes     note.Notes       // what was guessed or changed
	Preview   [][]string       // the first ten rows, as written

	Columns []*Column
	Block   *SparseBlock // of a file in LIBSVM's format, nil if it has no entries
	Point   byte         // of decimal fractions in most of the file
	// constant holds parts of dates that do not vary here, for models that need them.
	Constant []*Column
	Passed   note.Notes // what the settings say and the file has no use for
	Rows     int
	Lines    []LineStep
	Shares   [2]float64 // of rows that validate and that test

	lock sync.Mutex // of memo
	memo map[string]func() any
}

// Memo returns what compute returns, which is called once for each key: what is known
// of a table does not change. Any number of goroutines may call it.
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

// LineStep says that from a row on, rows stand on consecutive lines.
type LineStep struct{ Row, Line int }

// Names returns the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Line returns the line of the file on which a row starts, counting from 1.
// O(log of the number of gaps between rows).
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

// RowAt returns the row that starts on a line of the file; ok is false where none
// does. It costs as much as Line.
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
