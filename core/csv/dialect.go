package csv

import (
	"slices"
	"strings"
)

// Dialect describes how a text file writes rows and cells.
type Dialect struct {
	Sep    rune
	Quote  byte // around cells: " or '
	Escape bool // \ takes its meaning from the character after it
	spaced bool // spaces stand around quoted cells

	Skip          int           // lines above the first row
	hash          bool          // the header begins with #, as comments do
	comments      comments      // which lines that begin with # are
	MissingHeader MissingHeader // what the header has one cell fewer for
	ExtraName     string        // the last name of a header that has one more than rows have cells
	Short, Long   int           // the cells of the first rows and of later ones, if rows grow
	FirstRow      FirstRow      // what the first row looks like
	FirstSkipped  string        // the first of the lines that are skipped
}

// comments says which of the lines that begin with # are comments.
type comments int

const (
	commentsNone comments = iota
	commentsOdd           // those that have other than the usual number of cells
	commentsAll
)

// quick reports whether [QuickScanner] can read the dialect.
func (d *Dialect) quick() bool { return d.Quote == '"' && !d.Escape && !d.spaced }

// MissingHeader says why the header has one cell less than the rows.
type MissingHeader int

const (
	missingNone     MissingHeader = iota
	MissingRowNames               // R writes no header above the names of rows
	missingLast                   // rows end with a separator and the header does not
)

// FirstRow says what the sample shows of the first row.
type FirstRow int

const (
	firstRowUnknown FirstRow = iota // the sample is too short
	FirstRowNames
	FirstRowRepeats // its cells recur in the rows below
	FirstRowAlike   // its cells look like those below
	firstRowNumbers // it holds numbers that are not names
)

// HeaderCells returns the header with one name for each cell of a row, "" where the file
// gives none.
func (d *Dialect) HeaderCells(cells []string) []string {
	if d.hash {
		named := func(cell string) bool { return strings.HasPrefix(cell, "#") }
		switch rest := strings.TrimLeft(cells[0], "# "); {
		case cells[0] == "#" && d.Sep == ' ':
			cells = cells[1:]
		case rest != "" && (strings.HasPrefix(cells[0], "# ") || !slices.ContainsFunc(cells[1:], named)): // the mark is the line's, and no name's
			cells[0] = rest
		}
	}
	if d.ExtraName != "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == d.Short {
		cells = append(cells, make([]string, d.Long-d.Short)...)
	}
	switch d.MissingHeader {
	case MissingRowNames:
		return append([]string{RowNames}, cells...)
	case missingLast:
		return append(cells, "")
	}
	return cells
}

// RowNames is the name of the column that holds R's row names.
const RowNames = "rownames"

// Header says whether the first row names the columns.
type Header int

// HeaderAuto guesses from the sample.
const (
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)
