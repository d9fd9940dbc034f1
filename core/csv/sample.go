package csv

import (
	"strings"

	"ifmlab/core/cell"
)

// sampleRow is one record of the sample.
type sampleRow struct {
	line  int // counting from 0
	cells []string
}

// hash reports whether the record begins with #.
func (s sampleRow) hash() bool { return strings.HasPrefix(s.cells[0], "#") }

// sampleRows are the records of the sample in a dialect.
type sampleRows struct {
	records []sampleRow
	wrong   int // cells with misplaced quotes
	quoted  int // cells in quotes
}

// cut cuts the sample into its first records. It is lenient: a quote counts only at the
// beginning of a cell, and one that is not closed ends with its line. cut leaves out the
// last record unless the sample is the complete file.
func (d *Dialect) cut(sample string, complete bool) (w sampleRows) {
	var cells []string
	line, next := 0, 0 // of the record's first byte, and of the next byte
	for text := sample; len(text) > 0 && len(w.records) < MaxSampleRows; {
		cell, end, rest, quotes := d.cutCell(text)
		consumed := text[:len(text)-len(rest)]
		next += strings.Count(consumed, "\n")
		if strings.IndexByte(consumed, '\n') < 0 && end == '\n' {
			next++ // a lone CR
		}
		text = rest
		switch quotes {
		case cellWrong:
			w.wrong++
		case cellQuoted:
			w.quoted++
		}
		if d.Sep != ' ' || cell != "" { // several spaces are one separator
			cells = append(cells, cell)
		}
		if end == 0 && !complete {
			break
		}
		if end != '\n' && end != 0 {
			if text != "" || !complete {
				continue
			}
			if d.Sep != ' ' { // a separator that ends the file has an empty cell behind it; spaces have none
				cells = append(cells, "")
			}
		}
		if len(cells) > 1 || len(cells) == 1 && strings.TrimSpace(cells[0]) != "" {
			w.records = append(w.records, sampleRow{line, cells})
		}
		cells, line = nil, next
	}
	return w
}

// How a cell of a sample is written.
const (
	cellPlain = iota
	cellQuoted
	cellWrong
)

// cutCell cuts one cell off text. end is '\n' at the end of a record, 0 at the end of
// text, and anything else at a separator.
func (d *Dialect) cutCell(text string) (cell string, end byte, rest string, quotes int) {
	from := 0
	for d.spaced && from < len(text) && text[from] == ' ' {
		from++
	}
	if from == len(text) || text[from] != d.Quote {
		cell, end, rest = d.cutPlain(text)
		if d.Quote == '"' && !d.Escape && strings.IndexByte(cell, '"') >= 0 || d.Escape && strings.IndexByte(strings.ReplaceAll(cell, `\"`, ""), '"') >= 0 {
			quotes = cellWrong
		}
		return cell, end, rest, quotes
	}
	for i := from + 1; i < len(text); i++ {
		if d.Escape && text[i] == '\\' {
			i++
			continue
		}
		if text[i] != d.Quote {
			continue
		}
		if i+1 < len(text) && text[i+1] == d.Quote {
			i++
			continue
		}
		after := text[i+1:]
		if d.spaced {
			after = strings.TrimLeft(after, " ")
		}
		if after == "" || after[0] == '\n' || after[0] == '\r' || strings.HasPrefix(after, string(d.Sep)) {
			_, end, rest = d.cutPlain(after)
			return text[from+1 : i], end, rest, cellQuoted
		}
		break
	}
	cell, end, rest = d.cutPlain(text)
	return cell, end, rest, cellWrong
}

// cutPlain cuts off a cell and ignores quotes.
func (d *Dialect) cutPlain(text string) (cell string, end byte, rest string) {
	if !d.Escape {
		return cutUnquoted(text, d.Sep)
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\n' || text[i] == '\r' || strings.HasPrefix(text[i:], string(d.Sep)):
			_, end, rest = cutUnquoted(text[i:], d.Sep)
			return text[:i], end, rest
		}
	}
	return text, 0, ""
}

// usualCells returns the most frequent number of cells of a record.
func usualCells(records []sampleRow) (usual int) {
	counts := map[int]int{}
	for _, r := range records {
		n := len(r.cells)
		if counts[n]++; counts[n] > counts[usual] {
			usual = n
		}
	}
	return usual
}

func blankIn(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) == "" {
			return true
		}
	}
	return false
}

// lastCellsAreEmpty reports whether all records of the usual length end with a separator.
func lastCellsAreEmpty(body []sampleRow, usual int) bool {
	any := false
	for _, r := range body {
		if len(r.cells) == usual {
			if any = true; strings.TrimSpace(r.cells[usual-1]) != "" {
				return false
			}
		}
	}
	return any
}

// firstCellsAreNumbers reports whether nearly all records begin with a number.
func firstCellsAreNumbers(body []sampleRow, sep rune) bool {
	numbers, cells := columnNumbers(body, 0, sep)
	return cells > 0 && cell.Mostly(numbers, cells)
}

// columnNumbers returns how many cells of a column are numbers and how many are not
// missing.
func columnNumbers(body []sampleRow, column int, sep rune) (numbers, cells int) {
	for _, r := range body {
		if column >= len(r.cells) {
			continue
		}
		if c := strings.TrimSpace(r.cells[column]); !cell.IsMissing(c) {
			cells++
			if readsAsNumber(c, sep) {
				numbers++
			}
		}
	}
	return numbers, cells
}

func readsAsNumber(text string, sep rune) bool {
	_, ok := cell.ParseNumber(text, '.')
	if !ok && sep != ',' {
		_, ok = cell.ParseNumber(text, ',')
	}
	return ok
}

// numbersBelow reports whether the first row has a text above a column of numbers.
func numbersBelow(top []string, body []sampleRow, sep rune) bool {
	for i, c := range top {
		c = strings.TrimSpace(c)
		if cell.IsMissing(c) || readsAsNumber(c, sep) {
			continue
		}
		if numbers, cells := columnNumbers(body, i, sep); cells > 0 && cell.Mostly(numbers, cells) {
			return true
		}
	}
	return false
}
