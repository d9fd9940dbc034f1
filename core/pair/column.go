package pair

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/order"
)

// Few is the number of rows below which a cell of an effect says little, a product
// is not tested, and a level is merged with other such levels.
const Few = 5

const (
	knots      = 5   // of a number, at quantiles 0, ¼, ½, ¾, 1
	fineKnots  = 33  // of its main effect once a pair of it is about to be named
	rowsAKnot  = 25  // that a fine knot has at least
	mostLevels = 500 // of a column; those beyond, the rarest, are merged
)

// Place is one feature of a column.
type Place struct {
	Knot    float64 // of a number; NaN for a level
	Level   string  // of a column of levels
	Merged  int     // levels that are merged in it; else 0
	Missing bool    // it stands for missing cells
}

// column is how one column of the table becomes features. A row has up to three
// that are not 0: two hats and a piece of a parabola, or one level.
type column struct {
	places []Place   // its features, without the parabolas
	bumps  int       // the parabolas, one between two knots
	code   []int32   // a row each: the feature, of a number the knot at its left
	right  []float64 // a row each: the share of the hat at its right, NaN where missing; nil for levels
}

// features returns the number of features, with parabolas.
func (c *column) features() int { return len(c.places) + c.bumps }

// entries holds what is not 0 of a row of some features.
type entries struct {
	index [4]int32
	value [4]float64
}

// row sets e to the features of row i and returns how many there are. The hats or
// the level come first, then the parabola t(1−t).
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
	if c.bumps == 0 {
		return 2
	}
	e.index[2], e.value[2] = int32(len(c.places))+k, t*(1-t)
	return 3
}

// newColumn makes features of the cells of a column. O(rows·log² rows).
func newColumn(raw design.Raw) *column {
	if raw.Numbers != nil {
		return newNumbers(raw.Numbers, knots)
	}
	return newLevels(raw)
}

// newFine makes many hats of a number, without parabolas.
func newFine(x []float64) *column {
	c := newNumbers(x, finest(len(x)))
	c.bumps = 0
	return c
}

// finest returns the number of fine hats for so many rows.
func finest(rows int) int { return max(knots, min(fineKnots, rows/rowsAKnot)) }

// newNumbers puts a knot at every value where there are no more values, else so many
// at the ends and at quantiles of the first 10,000 values.
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
	c := &column{code: make([]int32, len(x))}
	for _, v := range at {
		c.places = append(c.places, Place{Knot: v})
	}
	missing := int32(len(c.places))
	if blank {
		c.places = append(c.places, Place{Knot: math.NaN(), Missing: true})
	}
	if !few {
		c.bumps = len(at) - 1
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

// distinct returns the values of x, sorted, and whether they are so many or fewer.
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

// newLevels makes a feature of each level, in the order of byNumber; those seen fewer
// than [Few] times, and those beyond the commonest 500, share one, the last.
func newLevels(raw design.Raw) *column {
	seen := make([]int, len(raw.Levels))
	blank := false
	for _, code := range raw.Codes {
		if code < 0 {
			blank = true
		} else {
			seen[code]++
		}
	}
	byCount := order.Of(len(seen), func(i, j int) int { return seen[j] - seen[i] })
	kept := make([]bool, len(seen))
	for i, l := range byCount {
		kept[l] = i < mostLevels && seen[l] >= Few
	}
	c := &column{code: make([]int32, len(raw.Codes))}
	to, merged := make([]int32, len(seen)), 0
	for _, l := range byNumber(raw.Levels) {
		if to[l] = int32(len(c.places)); kept[l] {
			c.places = append(c.places, Place{Knot: math.NaN(), Level: raw.Levels[l]})
		} else if seen[l] > 0 {
			merged++
		}
	}
	missing := int32(len(c.places))
	if blank {
		c.places = append(c.places, Place{Knot: math.NaN(), Missing: true})
	}
	other := int32(len(c.places))
	if merged > 0 {
		c.places = append(c.places, Place{Knot: math.NaN(), Merged: merged})
	}
	for i, code := range raw.Codes {
		switch {
		case code < 0:
			c.code[i] = missing
		case kept[code]:
			c.code[i] = to[code]
		default:
			c.code[i] = other
		}
	}
	return c
}

// byNumber returns the places of levels in the order in which a reader looks for
// them: those that are numbers from the least on, then the others as they are.
// O(levels·log² levels).
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
