package pair

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/order"
)

// MinRows is the number of rows below which a product is not tested, and a
// level is merged with other such levels.
const MinRows = 5

const (
	knots       = 5   // of a number, at quantiles 0, ¼, ½, ¾, 1
	fineKnots   = 33  // of its main effect before a pair of it is named
	rowsPerKnot = 25  // the fewest for a fine knot
	maxLevels   = 500 // of a column; the rarest beyond are merged
)

// column has the features of a column of the table. A row has at most three that are not 0:
// two hats and a parabola, or one level.
type column struct {
	features  int       // without the parabolas
	parabolas int       // one between two knots
	code      []int32   // for each row its feature or, of a number, the knot at its left
	right     []float64 // for each row its hat at the right, NaN for a missing cell; nil for levels
}

// width returns the number of features, with parabolas.
func (c *column) width() int { return c.features + c.parabolas }

// entries are the features of a row that are not 0.
type entries struct {
	index [4]int32
	value [4]float64
}

// row sets e to the non-zero features of row i and returns their number. The hats or the
// level come first, then the parabola t(1−t).
func (c *column) row(i int, e *entries) int {
	k := c.code[i]
	e.index[0], e.value[0] = k, 1
	if c.right == nil {
		return 1
	}
	t := c.right[i]
	if t != t { // missing
		return 1
	}
	e.index[1] = k + 1
	e.value[0], e.value[1] = 1-t, t
	if c.parabolas == 0 {
		return 2
	}
	e.index[2], e.value[2] = int32(c.features)+k, t*(1-t)
	return 3
}

// newColumn makes the features of a column. O(rows·log² rows).
func newColumn(raw design.Raw) *column {
	if raw.Numbers != nil {
		return newNumbers(raw.Numbers, knots)
	}
	return newLevels(raw)
}

// newFine makes many hats for a number, without parabolas.
func newFine(x []float64) *column {
	c := newNumbers(x, maxKnots(len(x)))
	c.parabolas = 0
	return c
}

// maxKnots returns the number of fine hats for so many rows.
func maxKnots(rows int) int { return max(knots, min(fineKnots, rows/rowsPerKnot)) }

// newNumbers puts a knot at every value if there are no more values than knots. Otherwise it
// puts them at the ends and at quantiles of the first 10,000 values.
func newNumbers(x []float64, knots int) *column {
	present, blank := []float64(nil), false
	for _, v := range x {
		if v == v {
			present = append(present, v)
		} else {
			blank = true
		}
	}
	at, few := distinct(present, knots)
	if !few {
		least, most := slices.Min(present), slices.Max(present)
		sorted := present[:min(len(present), 10_000)]
		slices.Sort(sorted)
		at = append(at, least)
		for q := 1; q < knots-1; q++ {
			if v := order.Quantile(sorted, float64(q)/float64(knots-1)); v > at[len(at)-1] && v < most {
				at = append(at, v)
			}
		}
		at = append(at, most)
	}
	c := &column{features: len(at), code: make([]int32, len(x))}
	missing := int32(len(at))
	if blank {
		c.features++
	}
	if !few {
		c.parabolas = len(at) - 1
		c.right = make([]float64, len(x))
	}
	for i, v := range x {
		k := 0
		for k+1 < len(at) && at[k+1] <= v {
			k++
		}
		switch {
		case v != v:
			c.code[i] = missing
			if !few {
				c.right[i] = v
			}
		case few:
			c.code[i] = int32(k)
		default:
			k = min(k, len(at)-2)
			c.code[i], c.right[i] = int32(k), (v-at[k])/(at[k+1]-at[k])
		}
	}
	return c
}

// distinct returns the different values of x in order, or false if there are more than most.
func distinct(x []float64, most int) (values []float64, few bool) {
	for _, v := range x {
		if slices.Contains(values, v) {
			continue
		}
		if len(values) == most {
			return nil, false
		}
		values = append(values, v)
	}
	order.Sort(values, func(a, b float64) int { return cmp.Compare(a, b) })
	return values, true
}

// newLevels makes a feature for each level, in the order of byNumber. Levels in fewer than
// [MinRows] rows, and those beyond the commonest 500, share the last feature.
func newLevels(raw design.Raw) *column {
	rows := make([]int, len(raw.Levels))
	blank := false
	for _, code := range raw.Codes {
		if code < 0 {
			blank = true
		} else {
			rows[code]++
		}
	}
	byCount := order.Of(len(rows), func(i, j int) int { return rows[j] - rows[i] })
	own := make([]bool, len(rows))
	for i, l := range byCount {
		own[l] = i < maxLevels && rows[l] >= MinRows
	}
	c := &column{code: make([]int32, len(raw.Codes))}
	to, merged := make([]int32, len(rows)), false
	for _, l := range byNumber(raw.Levels) {
		if to[l] = int32(c.features); own[l] {
			c.features++
		} else if rows[l] > 0 {
			merged = true
		}
	}
	missing := int32(c.features)
	if blank {
		c.features++
	}
	other := int32(c.features)
	if merged {
		c.features++
	}
	for i, code := range raw.Codes {
		switch {
		case code < 0:
			c.code[i] = missing
		case own[code]:
			c.code[i] = to[code]
		default:
			c.code[i] = other
		}
	}
	return c
}

// byNumber returns the order of the features of levels, which rounding depends on: numbers by
// their size, then other texts in their order. O(levels·log² levels).
func byNumber(levels []string) []int {
	numbers := make([]float64, len(levels))
	for i, level := range levels {
		v, err := strconv.ParseFloat(level, 64)
		if err != nil || v != v {
			v = math.Inf(1)
		}
		numbers[i] = v
	}
	return order.Of(len(levels), func(i, j int) int { return cmp.Compare(numbers[i], numbers[j]) })
}
