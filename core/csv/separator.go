package csv

import (
	"strings"

	"ifmlab/core/cell"
)

// MaxSampleRows is the number of records of the sample that guesses use.
const MaxSampleRows = 500

// separators are the candidates, the more likely one first. Commas and spaces come last
// because texts hold them more often than the others.
var separators = [...]rune{'\t', ';', '|', ',', ' '}

// guessSeparator returns the candidate that cuts the sample's records most evenly into
// two or more cells. If several do so about equally well, the one with most numbers
// wins. It returns ',' if none fits. Lines that begin with # count only if there are
// hardly any others.
func guessSeparator(sample string, complete bool) rune {
	var fits, numbers [len(separators)]float64
	best := 0.0
	for i, sep := range separators {
		d := Dialect{Sep: sep, Quote: '"'}
		records := d.cut(sample, complete).records
		var plain []sampleRow
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

// fit returns the share of records with the most frequent number of cells, and the share
// of cells that are numbers. The first share is 0 if that number is below two, and
// reduced by a tenth if the first record, likely the header, has another.
func fit(records []sampleRow, sep rune) (share, numbers float64) {
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

// cutUnquoted cuts off a cell and ignores quotes and escapes.
func cutUnquoted(text string, sep rune) (cell string, end byte, rest string) {
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

// GuessDecimalMarks guesses the decimal mark of each column of the sample's first record,
// and of the whole sample, by majority. A column without evidence gets the mark of the
// sample.
func (d *Dialect) GuessDecimalMarks(sample []byte, complete bool) (points []byte, usual byte) {
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
