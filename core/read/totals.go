package read

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/order"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

var totalWords = []string{"total", "totals", "subtotal", "subtotals", "sum", "average", "avg", "mean", "summe", "zwischensumme", "gesamt", "insgesamt", "mittelwert", "somme", "moyenne", "suma"}

// How surely numbers are sums or means: the decimal logarithm of the chance that others come as
// near. A first or last row whose text says so needs least, and one that differs in nothing else
// most.
const (
	surenessOfNamed   = 1.
	surenessOfInner   = 3. // of a row among others whose text says so
	surenessOfGap     = 5.
	surenessOfNumbers = 6.
)

// sureness returns how surely v, written as text, is the sum or the mean of the numbers of m, in
// decimal places, or −1 if it is neither. If v is one of these numbers, it does not count.
func sureness(m *moment.Accumulator, v float64, text string, included bool) float64 {
	n := float64(m.Count())
	sum, span, absolute := n*m.Mean(), m.Max()-m.Min(), n*max(m.Max(), -m.Min())
	if included {
		n, sum = n-1, sum-v
	}
	unit := 1.0
	if _, fraction, ok := strings.Cut(text, "."); ok {
		unit = math.Pow(10, -float64(len(fraction)))
	}
	exact := unit/2 + 1e-12*absolute
	rounded := exact + unit/2*math.Sqrt(n) // a sum of numbers that were rounded
	places := func(of, within float64) float64 { return max(0, math.Log10(of/(2*within))) }
	switch {
	case n < 2:
		return -1
	case math.Abs(v-sum) <= exact:
		return places(max(span, math.Abs(v)), exact)
	case math.Abs(v-sum) <= rounded:
		return places(max(span, math.Abs(v)), rounded)
	case math.Abs(v-sum/n) <= exact:
		return places(span, exact)
	}
	return -1
}

// dropTotals drops rows whose numbers are the sums or means of others: the first or last row of
// all others, and a row that is called a total of those above it. O(rows·columns).
func (b *builder) dropTotals() {
	if b.Rows < 4 || b.Format != table.FormatText || slices.Contains(b.options.Answers.DataRows, "footer") {
		return
	}
	totals := b.namedTotals()
	all := make([]moment.Accumulator, len(b.Columns))
	for i, c := range b.Columns {
		all[i] = c.Moments()
	}
	for _, row := range [...]int{0, b.Rows - 1} {
		if !slices.Contains(totals, row) && b.isTotal(row, all, true, b.surenessFor(row)) {
			totals = append(totals, row)
		}
	}
	if totals == nil {
		return
	}
	order.Sort(totals, cmp.Compare[int])
	text := message.Sprintf("line %d has sums or means of other rows and is left out", b.Line(totals[0]))
	if n := len(totals); n > 1 {
		text = message.Sprintf("%d rows have sums or means of other rows and are left out, the first on line %d", n, b.Line(totals[0]))
	}
	b.noteLeftOut("footer", text)
	b.keepRows(func(row int) bool {
		_, is := slices.BinarySearch(totals, row)
		return !is
	})
}

// surenessFor returns how sure the numbers of the first or last row must be: less if a text names
// a total, stands out from its column, or a cell is missing that others are not.
func (b *builder) surenessFor(row int) float64 {
	sure := surenessOfNumbers
	for _, c := range b.Columns {
		switch text := c.Text(row); {
		case text == "" && 10*c.MissingCount < b.Rows:
			sure = min(sure, surenessOfGap)
		case text == "" || !math.IsNaN(c.Number(row)):
		case title.Of(text).Holds(totalWords):
			return surenessOfNamed
		case c.CountText(text) == 1 && (c.Numeric() || 2*len(c.Entries) <= b.Rows):
			sure = min(sure, surenessOfGap)
		}
	}
	return sure
}

// isTotal reports whether the numbers of a row are surely all sums or means of the columns of
// some rows, which may include it.
func (b *builder) isTotal(row int, rows []moment.Accumulator, included bool, least float64) bool {
	places := 0.0
	for i, c := range b.Columns {
		v := c.Number(row)
		if v != v || !c.Numeric() {
			continue
		}
		sure := sureness(&rows[i], v, c.Text(row), included)
		if sure < 0 {
			return false
		}
		places += sure
	}
	return places >= least
}

// namedTotals returns the rows that a text calls totals and that are, of the rows above or of
// the last of them. A total of groups counts the rows of these, and not their totals.
func (b *builder) namedTotals() (totals []int) {
	const most = 10_000 // texts of a column that are looked at
	isNamed := map[string]bool{}
	var texts []*table.Column // that name totals
	for _, c := range b.Columns {
		before := len(isNamed)
		for _, e := range c.Entries[:min(most, len(c.Entries))] {
			if e.Number != e.Number && title.Of(e.Text).Holds(totalWords) {
				isNamed[e.Text] = true
			}
		}
		if len(isNamed) > before {
			texts = append(texts, c)
		}
	}
	if texts == nil {
		return nil
	}
	groups := [][]moment.Accumulator{make([]moment.Accumulator, len(b.Columns))} // the rows between totals
	for row := range b.Rows {
		if slices.ContainsFunc(texts, func(c *table.Column) bool { return isNamed[c.Text(row)] }) {
			sums := make([]moment.Accumulator, len(b.Columns))
			from := len(groups) - 1
			for ; from >= 0; from-- {
				for i := range sums {
					sums[i].Merge(groups[from][i])
				}
				if b.isTotal(row, sums, false, surenessOfInner) {
					break
				}
			}
			if from >= 0 {
				totals = append(totals, row)
				groups = append(groups[:from], sums, make([]moment.Accumulator, len(b.Columns)))
				continue
			}
		}
		for i, c := range b.Columns {
			if v := c.Number(row); v == v {
				groups[len(groups)-1][i].Add(v)
			}
		}
	}
	return totals
}
