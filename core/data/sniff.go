package data

import (
	"bytes"
	"strings"

	"ifmlab/core/message"
)

// maxSniffed is how many records of the sample a guess looks at.
const maxSniffed = 500

// separators are the candidates, the likelier first where a sample speaks
// equally for two: text in cells holds commas and spaces more often than the
// others.
var separators = [...]rune{'\t', ';', '|', ',', ' '}

// guessSeparator returns the candidate that cuts the sample's records most
// evenly into two or more cells; among those that do so about equally well, the
// one that leaves most cells that are numbers. It returns ',' if none fits.
func guessSeparator(sample []byte, complete bool) rune {
	var fits, numbers [len(separators)]float64
	best := 0.0
	for i, sep := range separators {
		fits[i], numbers[i] = fit(sniffRecords(sample, complete, sep), sep)
		best = max(best, fits[i])
	}
	choice := -1
	for i := range separators {
		if best > 0 && fits[i] >= 0.9*best && (choice < 0 || numbers[i] > numbers[choice]+0.05) {
			choice = i
		}
	}
	if choice < 0 {
		return ','
	}
	return separators[choice]
}

// fit returns the share of records that have the most frequent number of cells,
// if that is at least two, a tenth less if the first record, likely the header,
// has another; and the share of all cells that are numbers.
func fit(records [][]string, sep rune) (share, numbers float64) {
	counts := map[int]int{}
	usual, rows := 0, 0
	for _, r := range records {
		n := len(r)
		counts[n]++
		rows++
		if counts[n] > counts[usual] {
			usual = n
		}
	}
	if usual < 2 {
		return 0, 0
	}
	share = float64(counts[usual]) / float64(rows)
	if len(records[0]) != usual {
		share *= 0.9
	}
	cells, read := 0, 0
	for _, r := range records {
		for _, c := range r {
			cells++
			c = strings.TrimSpace(c)
			if _, ok := parseNumber(c, '.'); ok {
				read++
			} else if _, ok = parseNumber(c, ','); ok && sep != ',' {
				read++
			}
		}
	}
	return share, float64(read) / float64(cells)
}

// sniffRecords cuts the sample's first records leniently: a quote counts only
// where a cell begins, and one that is not closed ends with its line. The last
// record is left out unless the sample is the complete file.
func sniffRecords(sample []byte, complete bool, sep rune) [][]string {
	var records [][]string
	var cells []string
	text := string(sample)
	for len(text) > 0 && len(records) < maxSniffed {
		var cell string
		var end byte
		cell, end, text = sniffCell(text, sep)
		if sep != ' ' || cell != "" { // several spaces are one separator
			cells = append(cells, cell)
		}
		if end == 0 && !complete {
			break
		}
		if end != '\n' && end != 0 {
			continue
		}
		if len(cells) > 1 || len(cells) == 1 && strings.TrimSpace(cells[0]) != "" {
			records = append(records, cells)
		}
		cells = nil
	}
	return records
}

// sniffCell cuts one cell off text. end is '\n' where its record ends, 0 where
// text ends, and something else at a separator.
func sniffCell(text string, sep rune) (cell string, end byte, rest string) {
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			if text[i] != '"' {
				continue
			}
			if i+1 < len(text) && text[i+1] == '"' {
				i++
				continue
			}
			if after := text[i+1:]; after == "" || after[0] == '\n' || after[0] == '\r' || strings.HasPrefix(after, string(sep)) {
				_, end, rest = sniffPlain(after, sep)
				return text[1:i], end, rest
			}
			break
		}
	}
	return sniffPlain(text, sep)
}

// sniffPlain cuts off a cell without regard to quotes.
func sniffPlain(text string, sep rune) (cell string, end byte, rest string) {
	i := strings.IndexAny(text, "\r\n"+string(sep))
	if i < 0 {
		return text, 0, ""
	}
	switch {
	case strings.HasPrefix(text[i:], "\r\n"):
		return text[:i], '\n', text[i+2:]
	case text[i] == '\r', text[i] == '\n':
		return text[:i], '\n', text[i+1:]
	}
	return text[:i], text[i], text[i+len(string(sep)):]
}

// sniffPoints returns, a column each, what stands before decimal fractions in
// most cells of the sample that have a mark, and what does in most of the file;
// the file's for a column without such cells. Columns that the sample's first
// record lacks are left out.
func sniffPoints(sample []byte, complete bool, sep rune) (points []byte, usual byte) {
	records := sniffRecords(sample, complete, sep)
	if len(records) == 0 {
		return nil, '.'
	}
	votes, all := make([]int, len(records[0])), 0 // for the comma, less those for the point
	for _, r := range records {
		for i, c := range r[:min(len(r), len(votes))] {
			c = strings.TrimSpace(c)
			vote := 0
			if strings.IndexByte(c, ',') >= 0 {
				if _, ok := parseNumber(c, ','); ok {
					vote = 1
				}
			} else if strings.IndexByte(c, '.') >= 0 {
				if _, ok := parseNumber(c, '.'); ok {
					vote = -1
				}
			}
			votes[i] += vote
			all += vote
		}
	}
	point := func(votes int, tie byte) byte {
		switch {
		case votes > 0:
			return ','
		case votes < 0:
			return '.'
		}
		return tie
	}
	usual = '.'
	if sep != ',' {
		usual = point(all, '.')
	}
	points = make([]byte, len(votes))
	for i, v := range votes {
		points[i] = point(v, usual)
	}
	return points, usual
}

// hintTitle returns what to do about a file whose first records have fewer
// cells than most others, as titles above a header have; "" for other files.
func hintTitle(sample []byte, complete bool, sep rune) string {
	records := sniffRecords(sample, complete, sep)
	counts := map[int]int{}
	usual := 0
	for _, r := range records {
		counts[len(r)]++
		if counts[len(r)] > counts[usual] {
			usual = len(r)
		}
	}
	if len(records) == 0 || len(records[0]) >= usual || 2*counts[usual] <= len(records) {
		return ""
	}
	above := 0
	for len(records[above]) != usual {
		above++
	}
	if above == 1 {
		return message.Sprintf("the first line looks like a title, since most others have %d fields: delete it, so that the file begins with its header", usual)
	}
	return message.Sprintf("the first %d lines look like titles, since most others have %d fields: delete them, so that the file begins with its header", above, usual)
}

// usesMacLines reports whether lines of the sample end with a lone CR.
func usesMacLines(sample []byte) bool {
	return bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0
}
