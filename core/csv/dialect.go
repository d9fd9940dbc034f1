package csv

import (
	"slices"
	"strings"
)

// Dialect is how a file of text writes rows and cells.
type Dialect struct {
	Sep    rune
	Quote  byte // around cells: " or '
	Escape bool // \ takes its meaning from the character after it
	spaced bool // spaces stand around quoted cells

	Skip     int        // lines above the first row
	hash     bool       // the header begins with #, as comments do
	comments comments   // which lines that begin with # are
	Lacking  lacking    // what the header has one cell fewer for
	Header   headerLook // what the first row looks like
	Above    string     // the first of the lines that are skipped
}

// comments says which lines that begin with # are comments.
type comments int

const (
	commentsNone comments = iota
	commentsOdd           // those that have other than the usual number of cells
	commentsAll
)

// quick reports whether rows of the dialect are those of the quick scanner.
func (d *Dialect) quick() bool { return d.Quote == '"' && !d.Escape && !d.spaced }

// lacking says why the header has one cell fewer than the rows.
type lacking int

const (
	lacksNothing  lacking = iota
	LacksRowNames         // R writes the names of rows without one of their own
	lacksLast             // rows end with a separator and the header does not
)

// headerLook is what the sample says of the first row.
type headerLook int

const (
	headerUnseen headerLook = iota // too little of the file is there
	HeaderNames
	HeaderRecurs // its cells stand in the rows below, too
	HeaderAlike  // its cells are written as those below
	headerNumber // it holds numbers that are no names
)

// HeaderCells returns a header with a name for each cell of a row, "" for one that
// has none.
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
	switch d.Lacking {
	case LacksRowNames:
		return append([]string{RowNames}, cells...)
	case lacksLast:
		return append(cells, "")
	}
	return cells
}

// RowNames is what the column of R's row names is called.
const RowNames = "rownames"

// Header says whether the first row of a file names its columns.
type Header int

// HeaderAuto takes the first row for names unless one of its cells is a number.
const (
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)
