package csv

import (
	"strings"

	"ifmlab/core/cell"
)

// guessLines finds the header, titles and comments among the lines of the sample.
func (d *Dialect) guessLines(records []sampleRow, header Header) {
	var rows, hashes []sampleRow // lines that begin with # apart
	for _, r := range records {
		if r.hash() {
			hashes = append(hashes, r)
		} else {
			rows = append(rows, r)
		}
	}
	if len(rows) < len(hashes) && len(rows) < 2 { // they are rows
		rows, hashes = records, nil
	}
	usual := usualCells(rows)
	if len(rows) == 0 {
		return
	}
	first := countTitles(rows, usual)
	if d.Short = shortRows(rows, usual, d.Sep); d.Short > 0 {
		first, d.Long = 0, usual
	}
	fits := true
	if first > 0 && len(rows[first-1].cells) == usual-1 && !isTitle(rows, first, usual) {
		first--
		fits = namesRows(rows[first+1:], usual)
	}
	top, body := rows[first], rows[first+1:]
	d.FirstRow = classifyFirstRow(top.cells, body, d.Sep, usual)
	const enough = 10 // rows that show a name of the header to be superfluous
	if header != HeaderNo && len(body) >= enough && len(top.cells) == usual+1 && usual > 1 && d.FirstRow == FirstRowNames && cell.Mostly(countRows(body, usual), len(body)) {
		d.ExtraName = strings.TrimSpace(top.cells[usual])
	}
	var after []sampleRow // # lines below the first row
	above := -1           // the # line that names the columns
	for _, h := range hashes {
		switch {
		case h.line > top.line:
			after = append(after, h)
		case usual > 1 && d.hashCells(h.cells) == usual && header != HeaderNo && d.FirstRow != FirstRowNames:
			above = h.line
		}
	}
	if above < 0 && usual > 1 && d.FirstRow == FirstRowNames && header != HeaderNo && !numbersBelow(top.cells, body, d.Sep) {
		for _, h := range hashes { // a table of texts: the line that fits is its header
			if h.line < top.line && d.hashCells(h.cells) == usual {
				above = h.line
			}
		}
	}
	if above >= 0 {
		d.hash, d.Skip, d.FirstRow = true, above, FirstRowNames
		body = rows[first:]
	} else if first > 0 || len(hashes) > len(after) {
		d.Skip = top.line
	}
	if len(after) > 0 && (usual == 1 || firstCellsAreNumbers(body, d.Sep)) {
		d.comments = commentsAll
	}
	if above < 0 && header != HeaderNo && len(top.cells) == usual-1 && d.Short == 0 && fits && d.FirstRow == FirstRowNames {
		if d.MissingHeader = MissingRowNames; lastCellsAreEmpty(body, usual) {
			d.MissingHeader = missingLast
		}
	}
}

// countRows returns how many records have so many cells.
func countRows(rows []sampleRow, cells int) (n int) {
	for _, r := range rows {
		if len(r.cells) == cells {
			n++
		}
	}
	return n
}

// shortRows returns how many cells the first rows have if rows grow further down: a header
// of so many names stands above several rows of numbers as short, and all others have the
// usual number of cells. Otherwise it returns 0.
func shortRows(rows []sampleRow, usual int, sep rune) int {
	const fewest = 3
	short := len(rows[0].cells)
	n := countRows(rows, short)
	if short < 2 || short >= usual || n <= fewest || n+countRows(rows, usual) < len(rows) || !numbersBelow(rows[0].cells, rows[1:n], sep) {
		return 0
	}
	for _, r := range rows[:n] {
		if len(r.cells) != short {
			return 0
		}
	}
	return short
}

// hashCells returns how many cells the text after # has.
func (d *Dialect) hashCells(cells []string) int {
	if d.Sep == ' ' && cells[0] == "#" {
		return len(cells) - 1
	}
	return len(cells)
}

// maxTitles is the largest number of records above the header.
const maxTitles = 20

// countTitles returns how many records stand above the table: those before the first
// of usual length, and those with text in the first cell alone above a full row of texts.
func countTitles(rows []sampleRow, usual int) int {
	alike := 0
	for _, r := range rows {
		if len(r.cells) == usual {
			alike++
		}
	}
	if usual < 2 || 2*alike <= len(rows) {
		return 0
	}
	first := 0
	for len(rows[first].cells) != usual {
		if len(rows[first].cells) > usual { // a header that the rows do not fit
			return 0
		}
		first++
	}
	if usual < 3 {
		return first
	}
	for i := first; i < min(len(rows)-1, first+maxTitles); i++ {
		full := 0
		for _, c := range rows[i].cells {
			if strings.TrimSpace(c) != "" {
				full++
			}
		}
		switch {
		case strings.TrimSpace(strings.Join(rows[i].cells[1:], "")) == "":
			continue
		case i == first || full < usual-1 || classifyFirstRow(rows[i].cells, rows[i+1:], ',', usual) != FirstRowNames:
			return first
		}
		return i
	}
	return first
}

// isTitle reports whether the record above the first one of usual length is a title. It
// lacks one cell, so it may be a header instead.
func isTitle(rows []sampleRow, first, usual int) bool {
	top, body := rows[first-1], rows[first:]
	switch {
	case len(body) < 2, blankIn(top.cells), classifyFirstRow(top.cells, nil, ',', usual) == firstRowNumbers:
		return true
	case usual == 2 && !namesRows(body, usual):
		return true
	}
	return numbersBelow(body[0].cells, body[1:], ',') // the header is below it
}

// namesRows reports whether the rows below a header that lacks a cell begin with
// different names, as R writes them, or end with a separator.
func namesRows(body []sampleRow, usual int) bool {
	if lastCellsAreEmpty(body, usual) {
		return true
	}
	seen := map[string]bool{}
	for _, r := range body {
		if len(r.cells) != usual {
			continue
		}
		name := strings.TrimSpace(r.cells[0])
		if name == "" || seen[name] {
			return false // R's names of rows differ
		}
		seen[name] = true
	}
	return true
}
