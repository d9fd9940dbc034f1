package csv

import (
	"strings"

	"ifmlab/core/cell"
)

// MaxSniffed is how many records of the sample a guess looks at.
const MaxSniffed = 500

// separators are the candidates, the likelier first where a sample speaks
// equally for two: text in cells holds commas and spaces more often than the
// others.
var separators = [...]rune{'\t', ';', '|', ',', ' '}

// guessSeparator returns the candidate that cuts the sample's records most
// evenly into two or more cells; among those that do so about equally well, the
// one that leaves most cells that are numbers. It returns ',' if none fits. Lines
// that begin with # count only where there are no others to speak of.
func guessSeparator(sample string, complete bool) rune {
	var fits, numbers [len(separators)]float64
	best := 0.0
	for i, sep := range separators {
		d := Dialect{Sep: sep, Quote: '"'}
		records := d.cut(sample, complete).records
		var plain []sampled
		for _, r := range records {
			if !r.hash() {
				plain = append(plain, r)
			}
		}
		if len(plain) > 1 {
			records = plain
		}
		fits[i], numbers[i] = fit(records, sep)
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
func fit(records []sampled, sep rune) (share, numbers float64) {
	counts := map[int]int{}
	usual, rows := 0, 0
	for _, r := range records {
		n := len(r.cells)
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
	if len(records[0].cells) != usual {
		share *= 0.9
	}
	cells, read := 0, 0
	for _, r := range records {
		for _, c := range r.cells {
			cells++
			c = strings.TrimSpace(c)
			if _, ok := cell.ParseNumber(c, '.'); ok {
				read++
			} else if _, ok = cell.ParseNumber(c, ','); ok && sep != ',' {
				read++
			}
		}
	}
	return share, float64(read) / float64(cells)
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

// SniffPoints returns, a column each, what stands before decimal fractions in
// most cells of the sample that have a mark, and what does in most of the file;
// the file's for a column without such cells. Columns that the sample's first
// record lacks are left out.
func (d *Dialect) SniffPoints(sample []byte, complete bool) (points []byte, usual byte) {
	records := d.cut(string(sample), complete).records
	for len(records) > 0 && records[0].line < d.Skip {
		records = records[1:]
	}
	if len(records) == 0 {
		return nil, '.'
	}
	votes, all := make([]int, len(records[0].cells)), 0 // for the comma, less those for the point
	for _, r := range records {
		for i, c := range r.cells[:min(len(r.cells), len(votes))] {
			c = strings.TrimSpace(c)
			vote := 0
			if strings.IndexByte(c, ',') >= 0 {
				if _, ok := cell.ParseNumber(c, ','); ok {
					vote = 1
				}
			} else if strings.IndexByte(c, '.') >= 0 {
				if _, ok := cell.ParseNumber(c, '.'); ok {
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
	if d.Sep != ',' {
		usual = point(all, '.')
	}
	points = make([]byte, len(votes))
	for i, v := range votes {
		points[i] = point(v, usual)
	}
	return points, usual
}
