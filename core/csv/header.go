package csv

import (
	"strings"
	"unicode/utf8"

	"ifmlab/core/cell"
)

// classifyFirstRow compares a first row with the records below it.
func classifyFirstRow(top []string, body []sampleRow, sep rune, usual int) FirstRow {
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
		if len(body) > 0 && len(top) == usual && (numbersBelow(top, body, sep) && areDistinctIntegers(numbers) || isCountedHeader(top, numbers, body, sep)) {
			return FirstRowNames
		}
		return firstRowNumbers
	}
	if len(body) == 0 || len(top) != usual || numbersBelow(top, body, sep) {
		return FirstRowNames
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
		if cells >= fewest && cell.Mostly(same, cells) && strings.IndexByte(shape, '9') >= 0 && len(shape) > 2 {
			alike++
		}
	}
	switch {
	case len(body) < fewest:
		return FirstRowNames
	case alike > 0:
		return FirstRowAlike
	case texts > 0 && 2*recurring >= texts && usual > 1:
		return FirstRowRepeats
	}
	return FirstRowNames
}

// areDistinctIntegers reports whether all are different whole numbers without a sign, as
// years in a header are.
func areDistinctIntegers(numbers []string) bool {
	seen := map[string]bool{}
	for _, n := range numbers {
		if strings.Trim(n, "0123456789") != "" || seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// isCountedHeader reports whether the numbers of a first row are a count of its columns
// from 0 or 1, or years, while the rows below hold other numbers.
func isCountedHeader(top, numbers []string, body []sampleRow, sep rune) bool {
	if len(numbers) < 2 || len(numbers) < len(top)-1 && !areRisingYears(numbers) || !areDistinctIntegers(numbers) {
		return false
	}
	if !areRisingYears(numbers) {
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
			if c = strings.TrimSpace(c); i < len(top) && readsAsNumber(strings.TrimSpace(top[i]), sep) && readsAsNumber(c, sep) && (strings.Trim(c, "0123456789") != "" || areRisingYears(numbers) && len(c) != 4) {
				fractions++
				break
			}
		}
	}
	return len(body) > 0 && 2*fractions >= len(body)
}

// areRisingYears reports whether the numbers are years in ascending order.
func areRisingYears(numbers []string) bool {
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

// shapeOf replaces each run of digits in a cell by 9 and each run of letters by a.
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
