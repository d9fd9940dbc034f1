package read

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

var totalWords = []string{"total", "totals", "subtotal", "subtotals", "sum", "average", "avg", "mean", "summe", "zwischensumme", "gesamt", "insgesamt", "mittelwert", "somme", "moyenne", "suma"}

// How surely numbers are sums or means: the decimal logarithm of the chance that others come as
// near. A row whose text says so needs least, and one that differs in nothing else most.
const (
	surenessOfNamed   = 1.
	surenessOfGap     = 5.
	surenessOfNumbers = 6.
)

// runningSum sums up the numbers of a column over some rows. Its range holds 0.
type runningSum struct{ n, sum, absolute, least, most float64 }

func (s *runningSum) add(v float64) {
	if v == v {
		s.n++
		s.sum += v
		s.absolute += math.Abs(v)
		s.least, s.most = min(s.least, v), max(s.most, v)
	}
}

// sureness returns how surely v is the sum or the mean of the numbers, in decimal places, or
// −1 if it is neither. text is v as written.
func (s *runningSum) sureness(v float64, text string) float64 {
	unit := 1.0
	if _, fraction, ok := strings.Cut(text, "."); ok {
		unit = math.Pow(10, -float64(len(fraction)))
	}
	exact := unit/2 + 1e-12*s.absolute
	rounded := exact + unit/2*math.Sqrt(s.n) // a sum of numbers that were rounded
	mean, span := s.sum/s.n, s.most-s.least
	places := func(of, within float64) float64 { return max(0, math.Log10(of/(2*within))) }
	switch {
	case s.n < 2:
		return -1
	case math.Abs(v-s.sum) <= exact:
		return places(max(span, math.Abs(v)), exact)
	case math.Abs(v-s.sum) <= rounded:
		return places(max(span, math.Abs(v)), rounded)
	case math.Abs(v-mean) <= exact:
		return places(span, exact)
	}
	return -1
}

// dropTotals drops the last row, or one after each group of rows, if its numbers are the sums
// or means of those above it. O(columns), and O(rows·columns) if the last row is named as such.
func (b *builder) dropTotals() {
	last := b.Rows - 1
	if last < 3 || b.Format != table.FormatText || slices.Contains(b.options.Answers.DataRows, "footer") {
		return
	}
	var totals []int
	if _, named := b.labelOf(last); named {
		totals = b.groupTotals()
	}
	if totals == nil {
		above := make([]runningSum, len(b.Columns))
		for i, c := range b.Columns {
			m := c.Moments()
			n := float64(m.Count())
			above[i] = runningSum{n: n - 1, sum: n*m.Mean() - c.Number(last), absolute: n * max(m.Max(), -m.Min()), least: m.Min(), most: m.Max()}
		}
		if !b.isTotal(last, above) {
			return
		}
		totals = []int{last}
	}
	b.Notes.Add(note.TopicFile, nil, "rows whose numbers are the sums or means above them are no rows of the table and are left out: %d, the first %s on line %d", len(totals), cell.Quote(b.firstText(totals[0])), b.Line(totals[0]))
	b.keepRows(func(row int) bool {
		_, is := slices.BinarySearch(totals, row)
		return !is
	})
}

// labelOf reports whether a text of the row stands out from its column or a cell is missing that
// others are not, and whether a text names a total.
func (b *builder) labelOf(row int) (apart, named bool) {
	for _, c := range b.Columns {
		switch text := c.Text(row); {
		case text == "":
			apart = apart || 10*c.MissingCount < b.Rows
		case math.IsNaN(c.Number(row)):
			apart = apart || c.CountText(text) == 1 && (c.Numeric() || 2*len(c.Entries) <= b.Rows)
			named = named || title.Of(text).Holds(totalWords)
		}
	}
	return apart, named
}

// isTotal reports whether the numbers of a row are all sums or means of those above it.
func (b *builder) isTotal(row int, above []runningSum) bool {
	places, least := 0.0, surenessOfNumbers
	for i, c := range b.Columns {
		v := c.Number(row)
		if v != v || !c.Numeric() {
			continue
		}
		sure := above[i].sureness(v, c.Text(row))
		if sure < 0 {
			return false
		}
		places += sure
	}
	if apart, named := b.labelOf(row); named {
		least = surenessOfNamed
	} else if apart {
		least = surenessOfGap
	}
	return places >= least
}

// groupTotals returns the rows that are totals of all rows since the last such row. The last
// row of the table may be the total of all. It returns nil if rows follow the last total.
func (b *builder) groupTotals() (totals []int) {
	group, all := make([]runningSum, len(b.Columns)), make([]runningSum, len(b.Columns))
	for row := range b.Rows {
		if _, named := b.labelOf(row); named && (b.isTotal(row, group) || row == b.Rows-1 && b.isTotal(row, all)) {
			totals = append(totals, row)
			clear(group)
			continue
		}
		for i, c := range b.Columns {
			group[i].add(c.Number(row))
			all[i].add(c.Number(row))
		}
	}
	if n := len(totals); n > 0 && totals[n-1] == b.Rows-1 {
		return totals
	}
	return nil
}
