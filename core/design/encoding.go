package design

import (
	"slices"
	"strings"
)

// MaxBytes is the largest size of a design: 336 MB, which a
// browser's worker holds with what the solvers need beside it.
const MaxBytes = 5 << 26

// Encoding says how rows of a table become rows of a design, from what their
// training rows hold. It is all that is needed to encode further rows and to
// take coefficients back to the units of the table.
type Encoding struct {
	Features []Feature
	Target   Target
	Written  Written

	AllSparse     bool    // whatever can be sparse is, because dense it would be too large
	EntriesPerRow float64 // entries of blocks
}

// Columns returns the names of the columns that the features were made from.
func (e *Encoding) Columns() (names []string) {
	for _, g := range e.Groups() {
		names = append(names, e.Features[g.Lo].Column)
	}
	return names
}

// ByPlace reports whether the features are known by their place alone, as those of a
// model of libFM are. (The target of a table without a header has the name of a place
// too.)
func (e *Encoding) ByPlace() bool {
	return !e.Written.Header && !strings.HasPrefix(e.Target.Name, "column ")
}

// Written says how the file was written that an encoding comes from.
type Written struct {
	Separator rune // between cells; 0 for drawn rows
	Point     byte // of decimal fractions in most columns, '.' or ','
	Header    bool // the first row named the columns
	// Numbers names the columns of levels that were kept as numbers: 1.50 is the
	// level 1.5 there. In all others a level is what was written.
	Numbers []string
	Other   []string // columns that write fractions with the other mark
	Dates   []string // columns of dates whose parts are columns, each with the order of its dates: "when:dmy"
	Units   []string // what was taken off the numbers of columns: "price:€"
	Weight  string   // the column that weighed the rows; "" if all counted the same
	// MissingAs and Present are what the settings said of its columns.
	MissingAs, Present []string
}

// PointOf returns what stands before decimal fractions in a column.
func (w *Written) PointOf(column string) byte {
	if slices.Contains(w.Other, column) {
		return '.' + ',' - w.Point
	}
	return w.Point
}

// DatesOf returns the column of dates that a column is a part of, "" for another.
func (e *Encoding) DatesOf(name string) string {
	for _, d := range e.Written.Dates {
		if i := strings.LastIndexByte(d, ':'); i > 0 && strings.HasPrefix(name, d[:i]+" (") {
			return d[:i]
		}
	}
	return ""
}

// Needs returns the names of the columns that a file must have: those of Columns,
// and for the parts of dates the dates.
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
