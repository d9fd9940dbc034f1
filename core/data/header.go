package data

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// lacking says why the header has one cell fewer than the rows.
type lacking int

const (
	lacksNothing  lacking = iota
	lacksRowNames         // R writes the names of rows without one of their own
	lacksLast             // rows end with a separator and the header does not
)

// headerLook is what the sample says of the first row.
type headerLook int

const (
	headerUnseen headerLook = iota // too little of the file is there
	headerNames
	headerRecurs // its cells stand in the rows below, too
	headerAlike  // its cells are written as those below
	headerNumber // it holds numbers that are no names
)

// lookAtHeader says what a first row looks like above the other records.
func lookAtHeader(top []string, body []sampled, sep rune, usual int) headerLook {
	var numbers []string
	texts := 0
	for _, c := range top {
		switch c = strings.TrimSpace(c); {
		case readsAsNumber(c, sep):
			numbers = append(numbers, c)
		case !cell.IsMissing(c):
			texts++
		}
	}
	if len(numbers) > 0 {
		if len(body) > 0 && len(top) == usual && (numbersBelow(top, body, sep) && differentWholes(numbers) || countedNames(top, numbers, body, sep)) {
			return headerNames
		}
		return headerNumber
	}
	if len(body) == 0 || len(top) != usual || numbersBelow(top, body, sep) {
		return headerNames
	}
	const fewest = 4 // records that a conclusion needs
	recurring, alike := 0, 0
	for i, c := range top {
		c = strings.TrimSpace(c)
		same, cells := 0, 0
		recurs := false
		shape := shapeOf(c)
		for _, r := range body {
			if i >= len(r.cells) {
				continue
			}
			if below := strings.TrimSpace(r.cells[i]); !cell.IsMissing(below) {
				cells++
				recurs = recurs || below == c
				if shapeOf(below) == shape {
					same++
				}
			}
		}
		if !cell.IsMissing(c) && recurs {
			recurring++
		}
		if cells >= fewest && enough(same, cells) && strings.IndexByte(shape, '9') >= 0 && len(shape) > 2 {
			alike++
		}
	}
	switch {
	case len(body) < fewest:
		return headerNames
	case alike > 0:
		return headerAlike
	case texts > 0 && 2*recurring >= texts && (usual > 1 || recurring > 1):
		return headerRecurs
	}
	return headerNames
}

// differentWholes reports whether all are whole numbers without sign or point that
// differ, as years in a header are.
func differentWholes(numbers []string) bool {
	seen := map[string]bool{}
	for _, n := range numbers {
		if strings.Trim(n, "0123456789") != "" || seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// countedNames reports whether the numbers of a first row count its columns, from 0
// or 1, or the years, and those below are others.
func countedNames(top, numbers []string, body []sampled, sep rune) bool {
	if len(numbers) < 2 || len(numbers) < len(top)-1 && !yearsRise(numbers) || !differentWholes(numbers) {
		return false
	}
	if !yearsRise(numbers) {
		from, _ := cell.ParseNumber(numbers[0], '.')
		if from > 1 || len(numbers) < 3 {
			return false
		}
		for i, n := range numbers {
			if v, _ := cell.ParseNumber(n, '.'); v != from+float64(i) {
				return false
			}
		}
	}
	fractions := 0 // rows with numbers that a header of counts does not hold
	for _, r := range body {
		for i, c := range r.cells {
			if c = strings.TrimSpace(c); i < len(top) && readsAsNumber(strings.TrimSpace(top[i]), sep) && readsAsNumber(c, sep) && (strings.Trim(c, "0123456789") != "" || yearsRise(numbers) && len(c) != 4) {
				fractions++
				break
			}
		}
	}
	return len(body) > 0 && 2*fractions >= len(body)
}

// yearsRise reports whether the numbers are years, each after the one before it.
func yearsRise(numbers []string) bool {
	last := 0.0
	for _, n := range numbers {
		v, ok := cell.ParseNumber(n, '.')
		if !ok || len(n) != 4 || v < 1700 || v > 2200 || v <= last {
			return false
		}
		last = v
	}
	return len(numbers) > 1
}

// shapeOf returns a cell with its digits as 9 and its letters as a, runs of either
// as one.
func shapeOf(cell string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range cell {
		switch {
		case '0' <= r && r <= '9':
			r = '9'
		case 'a' <= r|0x20 && r|0x20 <= 'z', r >= utf8.RuneSelf:
			r = 'a'
		}
		if r != last || r != '9' && r != 'a' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// names reports whether the first row names the columns, and else tells why not.
func (b *builder) names(cells []string, d *dialect, header Header) bool {
	if header != HeaderAuto {
		return header == HeaderYes
	}
	called := func(why string) bool {
		b.Notes.Add(note.TopicFile, nil, "%s, so it is read as a row and the columns are called %q, %q …", why, columnName(0), columnName(1))
		return false
	}
	switch d.header {
	case headerNames:
		return true
	case headerRecurs:
		return called("the cells of the first row stand in the rows below it, too")
	case headerAlike:
		return called("the cells of the first row are written as those below it")
	}
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if _, ok := cell.ParseNumber(c, b.pointOf(i)); ok {
			return called(message.Sprintf("the first row holds the number %s", cell.Clip(c)))
		}
	}
	return true
}

// headerCells returns a header with a name for each cell of a row, "" for one that
// has none.
func (d *dialect) headerCells(cells []string) []string {
	if d.hash {
		named := func(cell string) bool { return strings.HasPrefix(cell, "#") }
		switch rest := strings.TrimLeft(cells[0], "# "); {
		case cells[0] == "#" && d.sep == ' ':
			cells = cells[1:]
		case rest != "" && (strings.HasPrefix(cells[0], "# ") || !slices.ContainsFunc(cells[1:], named)): // the mark is the line's, and no name's
			cells[0] = rest
		}
	}
	switch d.lacking {
	case lacksRowNames:
		return append([]string{rowNames}, cells...)
	case lacksLast:
		return append(cells, "")
	}
	return cells
}

// rowNames is what the column of R's row names is called.
const rowNames = "rownames"

// dropTail leaves out columns at the end that the header does not name and that
// hold nothing, as the separators at the end of lines make them.
func (b *builder) dropTail() {
	n, most := len(b.columns), b.tail
	if !b.Header {
		most = 1
	}
	for n > 1 && len(b.columns)-n < most {
		if c := b.columns[n-1]; c.numbers+c.texts > 0 || len(c.tokens) > 0 {
			break
		}
		n--
	}
	for i := len(b.columns) - b.tail; i < n; i++ {
		b.Notes.Add(note.TopicFile, []string{b.columns[i].name}, "column %d has no name in the header and is called %q", i+1, b.columns[i].name)
	}
	if n == len(b.columns) {
		return
	}
	if dropped := len(b.columns) - n; dropped == 1 {
		b.Notes.Add(note.TopicFile, nil, "every line ends with a separator and nothing behind it; no column is made of that")
	} else {
		b.Notes.Add(note.TopicFile, nil, "every line ends with %d separators and nothing behind them; no columns are made of that", dropped)
	}
	b.columns = b.columns[:n]
	for i, row := range b.Preview {
		b.Preview[i] = row[:n]
	}
}
