package table

import (
	"math"
	"math/bits"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/moment"
)

// Beyond returns the rows whose numbers cannot be squared, in order.
func (c *Column) Beyond(rows int) (large []int) {
	if max(c.Max, -c.Min) <= Largest {
		return nil
	}
	for row := range rows {
		if math.Abs(c.Number(row)) > Largest {
			large = append(large, row)
		}
	}
	return large
}

// Squarable returns a copy of the column in which numbers that cannot be squared
// are none.
func (c *Column) Squarable() *Column {
	out := *c
	out.Values, out.Entries = make(Blocks[float64], len(c.Values)), append([]Entry(nil), c.Entries...)
	for i, block := range c.Values {
		out.Values[i] = append([]float64(nil), block...)
		for j, v := range block {
			if math.Abs(v) > Largest {
				out.Values[i][j] = math.NaN()
			}
		}
	}
	for i, e := range out.Entries {
		if math.Abs(e.Number) > Largest {
			out.Entries[i].Number = math.NaN()
		}
	}
	return &out
}

// Known returns the values that are not NaN, in to.
func Known(values, to []float64) []float64 {
	n := 0
	for _, v := range values {
		to[n] = v
		if v == v {
			n++
		}
	}
	return to[:n]
}

// distinctNumbers returns how many different numbers the entries stand for:
// 1 and 1.0 are one.
func distinctNumbers(entries []Entry) int {
	numbers := make([]float64, 0, len(entries))
	for _, e := range entries {
		if e.Number == e.Number {
			numbers = append(numbers, e.Number)
		}
	}
	slices.Sort(numbers)
	return len(slices.Compact(numbers))
}

// Numeric reports whether the column is one of numbers: at least 90 % of its
// cells that are not missing are, and they are no codes.
func (c *Column) Numeric() bool {
	return c.NumberCount > 0 && cell.Mostly(c.NumberCount, c.NumberCount+c.TextCount) && !c.Coded && !c.Named
}

// Rows returns how many cells the column has.
func (c *Column) Rows() int { return length(c.Codes) + length(c.Values) }

// Fractions reports whether some number of the second form is not whole.
func (c *Column) Fractions() bool {
	for _, block := range c.Values {
		if slices.ContainsFunc(block, func(v float64) bool { return v != math.Trunc(v) && v == v }) {
			return true
		}
	}
	return false
}

// Cells returns in how many rows a text stands that is no number.
func (c *Column) Cells(text string) int {
	for _, e := range c.Entries {
		if e.Text == text {
			return e.Count
		}
	}
	return 0
}

// TooLarge returns the rows of a numeric column whose numbers cannot be squared,
// none where there are so many that the column's unit is at fault, which
// [encode.Encoding] tells.
func (c *Column) TooLarge(rows int) []int {
	large := c.Beyond(rows)
	if fault.TooMany(len(large), rows) {
		return nil
	}
	return large
}

// Largest is the largest number that can be centred and squared.
const Largest = 1e150

// Centreable reports whether numbers of this size can be centred and squared
// without overflow or loss.
func Centreable(least, most, sd float64) bool {
	return math.Max(math.Abs(least), math.Abs(most)) <= Largest && (least == most || sd > 0 && !math.IsInf(sd, 0))
}

func (c *Column) Kind() design.Kind {
	if c.Block != nil {
		return design.Sparse
	}
	if c.Numeric() {
		return design.Numeric
	}
	return design.Categorical
}

// Constant reports whether all cells that are not missing are the same.
func (c *Column) Constant() bool {
	if c.TextCount == 0 && !c.Coded {
		return c.NumberCount == 0 || c.Min == c.Max
	}
	return !c.AsNumbers && len(c.Entries) == 1
}

// FirstText returns the first cell that is not missing.
func (c *Column) FirstText() string {
	for row := 0; row < c.NumberCount+c.TextCount+c.MissingCount; row++ {
		if !c.IsMissing(row) {
			return c.Text(row)
		}
	}
	return ""
}

// MostlyDiffers reports whether most numbers stand in one row alone.
func (c *Column) MostlyDiffers() bool {
	n, _ := c.Differ(true)
	return 2*n > c.NumberCount
}

// Moments returns those of the numbers. O(entries).
func (c *Column) Moments() moment.Accumulator {
	m := c.sums
	for _, e := range c.Entries {
		if !c.AsNumbers && e.Number == e.Number {
			m.AddCount(e.Number, e.Count)
		}
	}
	return m
}

// Uniform reports whether numbers have the moments of evenly spread ones, κ = 0 and
// φ = 1.8, as identifiers that are drawn or counted have and amounts hardly ever.
func (c *Column) Uniform() bool {
	m := c.Moments()
	return math.Abs(m.Kappa()) < .15 && math.Abs(m.Phi()-1.8) < .15
}

// Whole reports whether all numbers are whole and small enough to tell apart.
func (c *Column) Whole() bool {
	whole := func(v float64) bool { return v == math.Trunc(v) || v != v }
	if max(c.Max, -c.Min) >= 1<<53 {
		return false
	}
	if !c.AsNumbers {
		for _, e := range c.Entries {
			if !whole(e.Number) {
				return false
			}
		}
		return true
	}
	for _, block := range c.Values {
		for _, v := range block {
			if !whole(v) {
				return false
			}
		}
	}
	return true
}

// Steps returns 1 if each cell is a whole number, one more than the last, −1 if
// one less, and 0 for other columns and fewer than three cells. O(1) unless the
// column is one less, almost always.
func (c *Column) Steps() float64 {
	switch {
	case c.NumberCount <= 2 || c.MissingCount+c.TextCount > 0:
		return 0
	case c.rising:
		return 1
	case c.Max-c.Min != float64(c.NumberCount-1):
		return 0
	}
	for row := range c.NumberCount {
		if c.Number(row) != c.Max-float64(row) {
			return 0
		}
	}
	return -1
}

// Differ returns how many different numbers a column of whole numbers holds. For
// a column kept as numbers it counts only where it is asked to, and returns at
// least so many else; exact says whether none are taken for one another: of
// numbers spread widely a few may be, about one in a thousand. O(rows) of time and
// 2 bytes a row.
func (c *Column) Differ(count bool) (n int, exact bool) {
	if !c.AsNumbers {
		return distinctNumbers(c.Entries), true
	}
	if !count {
		return c.distinct, false
	}
	shift := 64 - bits.Len(uint(16*c.NumberCount))
	marks := make([]uint64, 1<<(64-shift)>>6)
	exact = c.Max-c.Min < float64(64*len(marks))
	for _, block := range c.Values {
		for _, v := range block {
			if v != v {
				continue
			}
			at := uint64(v - c.Min)
			if !exact {
				at = at * 0x9e3779b97f4a7c15 >> shift
			}
			marks[at>>6] |= 1 << (at & 63)
		}
	}
	for _, m := range marks {
		n += bits.OnesCount64(m)
	}
	if !exact { // marks that were hit twice, by linear counting
		all := float64(64 * len(marks))
		n = int(math.Round(-all * math.Log1p(-float64(n)/all)))
	}
	return min(n, c.NumberCount), exact
}

func (c *Column) NeverFalls() bool {
	last := c.Min
	for row := range c.NumberCount + c.TextCount + c.MissingCount {
		v := c.Number(row)
		if v < last {
			return false
		}
		if v == v {
			last = v
		}
	}
	return true
}

// Two reports whether the column holds two different values.
func (c *Column) Two() bool { return !c.AsNumbers && len(c.Entries) == 2 }
