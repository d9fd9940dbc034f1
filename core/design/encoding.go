package design

import (
	"slices"
	"strings"
)

// MaxBytes is the largest size of a design, 336 MB. A browser's worker has room for it and
// for the solvers.
const MaxBytes = 5 << 26

// Encoding says how rows of a table become rows of a design, as learned from training rows.
// It suffices to encode further rows and to convert coefficients to the units of the table.
type Encoding struct {
	Features  []Feature
	Target    Target
	FileStyle FileStyle

	AllSparse     bool    // flags and levels are sparse, because they would be too large if dense
	EntriesPerRow float64 // mean number of entries of sparse blocks in a row
}

// Columns returns the names of the columns that the features come from.
func (e *Encoding) Columns() (names []string) {
	for _, g := range e.Groups() {
		names = append(names, e.Features[g.Lo].Column)
	}
	return names
}

// ByPlace reports whether features are identified by place, as in a model of libFM. The
// target of a table without a header is named by its place too.
func (e *Encoding) ByPlace() bool {
	return !e.FileStyle.Header && !strings.HasPrefix(e.Target.Name, "column ")
}

// FileStyle describes how the file of an encoding was written.
type FileStyle struct {
	Separator rune // between cells; 0 for simulated rows
	Point     byte // the decimal mark of most columns, '.' or ','
	Header    bool // the first row named the columns
	// Numbers names the columns of levels that were stored as numbers: 1.50 is the
	// level 1.5 there. In all others a level is the text of the cell.
	Numbers []string
	Other   []string // columns with the other decimal mark
	Dates   []string // columns of dates with the order of their fields: "when:dmy"
	Units   []string // columns with the unit of their numbers: "price:€"
	Weight  string   // the column that weighed the rows; "" if all counted the same
	// MissingAs and Present are those of read.Answers.
	MissingAs, Present []string
}

// PointOf returns the decimal mark of a column.
func (w *FileStyle) PointOf(column string) byte {
	if slices.Contains(w.Other, column) {
		return '.' + ',' - w.Point
	}
	return w.Point
}

// DatesOf returns the column of dates that a column was made from, or "".
func (e *Encoding) DatesOf(name string) string {
	for _, d := range e.FileStyle.Dates {
		if i := strings.LastIndexByte(d, ':'); i > 0 && strings.HasPrefix(name, d[:i]+" (") {
			return d[:i]
		}
	}
	return ""
}

// Needs returns the columns that a file must have: those of Columns, with columns of dates
// in place of their parts.
func (e *Encoding) Needs() (names []string) {
	for _, name := range e.Columns() {
		if dates := e.DatesOf(name); dates != "" {
			name = dates
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
