package table

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/moment"
)

// LargeRows returns the rows whose numbers cannot be squared.
func (c *Column) LargeRows(rows int) (large []int) {
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

// Squarable returns a copy of the column without the numbers that cannot be squared.
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

// DropNaN copies the values that are not NaN to to, and returns them.
func DropNaN(values, to []float64) []float64 {
	n := 0
	for _, v := range values {
		to[n] = v
		if v == v {
			n++
		}
	}
	return to[:n]
}

// distinctNumbers returns how many different numbers the entries hold. 1 and 1.0 are one.
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

// Numeric reports whether at least 90 % of the cells that are not missing are numbers, and
// the column is no code.
func (c *Column) Numeric() bool {
	return c.NumberCount > 0 && cell.Mostly(c.NumberCount, c.NumberCount+c.TextCount) && !c.IsCode && !c.IsDateCode
}

// Rows returns how many cells the column has.
func (c *Column) Rows() int { return length(c.Codes) + length(c.Values) }

// HasFractions reports whether a column that is stored as numbers has one that is not
// whole.
func (c *Column) HasFractions() bool {
	for _, block := range c.Values {
		if slices.ContainsFunc(block, func(v float64) bool { return v != math.Trunc(v) && v == v }) {
			return true
		}
	}
	return false
}

// CountText returns how many cells hold a text that is no number.
func (c *Column) CountText(text string) int {
	for _, e := range c.Entries {
		if e.Text == text {
			return e.Count
		}
	}
	return 0
}

// TooLarge returns the rows whose numbers cannot be squared. It returns none if they are
// so many that the unit of the column is wrong, which [encode.Encoding] reports.
func (c *Column) TooLarge(rows int) []int {
	large := c.LargeRows(rows)
	if fault.TooMany(len(large), rows) {
		return nil
	}
	return large
}

// Largest is the largest number that can be centred and squared.
const Largest = 1e150

// Centreable reports whether numbers of this range and standard deviation can be centred
// and squared without overflow.
func Centreable(least, most, sd float64) bool {
	return math.Max(math.Abs(least), math.Abs(most)) <= Largest && (least == most || sd > 0 && !math.IsInf(sd, 0))
}

// Kind returns how the column's cells are best read.
func (c *Column) Kind() design.Kind {
	if c.Block != nil {
		return design.Sparse
	}
	if c.Numeric() {
		return design.Numeric
	}
	return design.Categorical
}

// IsConstant reports whether all cells that are not missing are equal.
func (c *Column) IsConstant() bool {
	if c.TextCount == 0 && !c.IsCode {
		return c.NumberCount == 0 || c.Min == c.Max
	}
	return !c.PlainNumbers && len(c.Entries) == 1
}

// Extreme returns the least number, or the largest, among those between two. It also returns
// how many cells hold it, and the number next to it. O(entries), or O(rows).
func (c *Column) Extreme(above bool, from, to float64) (v float64, cells int, next float64) {
	sign := 1.0
	if above {
		sign, from, to = -1, -to, -from
	}
	v, next = math.Inf(1), math.Inf(1)
	look := func(x float64, n int) {
		switch x *= sign; {
		case !(x >= from && x <= to):
		case x < v:
			v, cells, next = x, n, v
		case x == v:
			cells += n
		case x < next:
			next = x
		}
	}
	for _, e := range c.Entries {
		look(e.Number, e.Count)
	}
	for _, block := range c.Values {
		for _, x := range block {
			look(x, 1)
		}
	}
	return sign * v, cells, sign * next
}

// HasValues reports whether the column holds at least n different numbers.
func (c *Column) HasValues(n int) bool { return c.PlainNumbers || distinctNumbers(c.Entries) >= n }

// FirstText returns the first cell that is not missing.
func (c *Column) FirstText() string {
	for row := 0; row < c.NumberCount+c.TextCount+c.MissingCount; row++ {
		if !c.IsMissing(row) {
			return c.Text(row)
		}
	}
	return ""
}

// MostlyUnique reports whether more than half of the numbers differ.
func (c *Column) MostlyUnique() bool {
	n, _ := c.CountDistinct(true)
	return 2*n > c.NumberCount
}

// Moments returns the moments of the numbers. O(entries).
func (c *Column) Moments() moment.Accumulator {
	m := c.sums
	for _, e := range c.Entries {
		if !c.PlainNumbers && e.Number == e.Number {
			m.AddCount(e.Number, e.Count)
		}
	}
	return m
}

// IsUniform reports whether the numbers have the moments of a uniform distribution, κ = 0
// and φ = 1.8. Identifiers often do, amounts hardly ever.
func (c *Column) IsUniform() bool {
	m := c.Moments()
	return math.Abs(m.Kappa()) < .15 && math.Abs(m.Phi()-1.8) < .15
}

// IsWhole reports whether all numbers are whole and exact in a float64.
func (c *Column) IsWhole() bool {
	whole := func(v float64) bool { return v == math.Trunc(v) || v != v }
	if max(c.Max, -c.Min) >= 1<<53 {
		return false
	}
	if !c.PlainNumbers {
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

// Step returns 1 if each cell is the last one plus 1, −1 if it is the last one minus 1, and
// 0 otherwise or for fewer than three cells.
func (c *Column) Step() float64 {
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

// Direction returns 1 if each cell is a number above the last one, −1 if each is below it,
// and 0 otherwise.
func (c *Column) Direction() int {
	direction := 0
	for row := 1; row < c.Rows(); row++ {
		now := cmp.Compare(c.Number(row), c.Number(row-1))
		if now == 0 || now == -direction || c.MissingCount+c.TextCount > 0 {
			return 0
		}
		direction = now
	}
	return direction
}

// CountDistinct returns how many different numbers a column of whole numbers holds. If the
// column is stored as numbers and count is false, it returns a lower bound. Otherwise it
// counts in O(rows) with 2 bytes a row. If exact is false, the count is an estimate for
// numbers spread widely, within about 0.1 %.
func (c *Column) CountDistinct(count bool) (n int, exact bool) {
	if !c.PlainNumbers {
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

// NonDecreasing reports whether no number is less than the one before it.
func (c *Column) NonDecreasing() bool {
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

// IsBinary reports whether the column holds two different values.
func (c *Column) IsBinary() bool { return !c.PlainNumbers && len(c.Entries) == 2 }
