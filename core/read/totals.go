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
	surenessOfNamed   = 1
	surenessOfGap     = 5
	surenessOfNumbers = 6
)

// runningSum sums up the numbers of a column over some rows.
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
	if totals == nil && b.isTotal(last, func(c *table.Column) runningSum {
		m, v := c.Moments(), c.Number(last)
		n := float64(m.Count())
		return runningSum{n: n - 1, sum: n*m.Mean() - v, absolute: n * max(m.Max(), -m.Min()), least: m.Min(), most: m.Max()}
	}) {
		totals = []int{last}
	}
	if totals == nil {
		return
	}
	line, text := b.Line(totals[0]), cell.Quote(b.firstText(totals[0]))
	if n := len(totals); n == 1 {
		b.Notes.Add(note.TopicFile, nil, "line %d is no row but the sums or means of those above it, as %s, and is left out", line, text)
	} else {
		b.Notes.Add(note.TopicFile, nil, "%d rows, the first on line %d, are no rows but the sums or means of those above them, as %s, and are left out", n, line, text)
	}
	b.keepRows(func(row int) bool {
		_, is := slices.BinarySearch(totals, row)
		return !is
	})
}

// labelOf reports whether a text of the row stands out from its column or a cell is missing that
// others are not, and whether a text names a total.
func (b *builder) labelOf(row int) (apart, named bool) {
	for _, c := range b.Columns {
		v, text := c.Number(row), c.Text(row)
		switch {
		case v == v:
		case text == "":
			apart = apart || 10*c.MissingCount < b.Rows
		default:
			apart = apart || c.CountText(text) == 1 && (c.Numeric() || 2*len(c.Entries) <= b.Rows)
			named = named || title.Of(text).Holds(totalWords)
		}
	}
	return apart, named
}

// isTotal reports whether the numbers of a row are all sums or means.
func (b *builder) isTotal(row int, above func(*table.Column) runningSum) bool {
	places, least := 0.0, float64(surenessOfNumbers)
	for _, c := range b.Columns {
		v := c.Number(row)
		if v != v || !c.Numeric() {
			continue
		}
		sum := above(c)
		sure := sum.sureness(v, c.Text(row))
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
	group, all := map[*table.Column]*runningSum{}, map[*table.Column]*runningSum{}
	reset := func(sums map[*table.Column]*runningSum) {
		for _, c := range b.Columns {
			sums[c] = &runningSum{least: math.Inf(1), most: math.Inf(-1)}
		}
	}
	reset(group)
	reset(all)
	of := func(sums map[*table.Column]*runningSum) func(*table.Column) runningSum {
		return func(c *table.Column) runningSum { return *sums[c] }
	}
	for row := range b.Rows {
		_, named := b.labelOf(row)
		switch {
		case named && (b.isTotal(row, of(group)) || row == b.Rows-1 && b.isTotal(row, of(all))):
			totals = append(totals, row)
			reset(group)
		default:
			for _, c := range b.Columns {
				group[c].add(c.Number(row))
				all[c].add(c.Number(row))
			}
		}
	}
	if n := len(totals); n > 0 && totals[n-1] == b.Rows-1 {
		return totals
	}
	return nil
}
