package pair

import (
	"math"

	"ifmlab/core/design"
)

// mostByChance is the most copies of a row that are expected by chance where copies count
// once.
const mostByChance = .01

// once returns the table with one row for all rows of equal features, with the mean of
// their targets. Rows that may be equal by chance stay: the number of such is estimated from
// columns of numbers and, if these are too few, targets, as if they were independent.
// O(rows·columns), or O(rows) if all rows differ in a column.
func once(columns []design.Raw, y []float64, rows Rows) ([]design.Raw, []float64, Rows) {
	of := make([]int32, len(y)) // for each row that of its kind
	first := []int{0}           // rows that differ
	split := func(value func(i int) uint64) {
		if len(first) == len(y) {
			return
		}
		seen := make(map[[2]uint64]int32, len(first))
		first = first[:0]
		for i, c := range of {
			key := [2]uint64{uint64(c), value(i)}
			at, ok := seen[key]
			if !ok {
				at = int32(len(seen))
				seen[key], first = at, append(first, i)
			}
			of[i] = at
		}
	}
	number := func(x []float64) func(i int) uint64 {
		return func(i int) uint64 { return math.Float64bits(x[i]) }
	}
	code := func(x []int32) func(i int) uint64 { return func(i int) uint64 { return uint64(x[i]) } }
	for _, raw := range columns {
		if raw.Numbers != nil {
			split(number(raw.Numbers))
		} else {
			split(code(raw.Codes))
		}
	}
	if rows.Group != nil {
		split(code(rows.Group))
	}
	if len(first) >= len(y) {
		return columns, y, rows
	}
	chance := float64(len(first)) // how many other rows are equal to a row
	alike := func(x []float64) {
		count, pairs := map[uint64]int{}, 0
		for _, i := range first {
			at := math.Float64bits(x[i])
			pairs += count[at]
			count[at]++
		}
		chance *= 2 * float64(pairs) / float64(len(first)) / max(float64(len(first)-1), 1)
	}
	for _, raw := range columns {
		if raw.Numbers != nil {
			alike(raw.Numbers)
		}
	}
	if chance > mostByChance {
		split(number(y))
		if alike(y); chance > mostByChance {
			return columns, y, rows
		}
	}
	pick := make([]design.Raw, len(columns))
	for k, raw := range columns {
		raw.Numbers, raw.Codes = picked(raw.Numbers, first), picked(raw.Codes, first)
		pick[k] = raw
	}
	mean, count := make([]float64, len(first)), make([]float64, len(first))
	for i, at := range of {
		count[at]++
		mean[at] += (y[i] - mean[at]) / count[at]
	}
	return pick, mean, Rows{picked(rows.Weight, first), picked(rows.Group, first), picked(rows.Place, first)}
}

// picked returns the numbers at some places, or nil for none.
func picked[T any](x []T, at []int) []T {
	if x == nil {
		return nil
	}
	out := make([]T, len(at))
	for k, i := range at {
		out[k] = x[i]
	}
	return out
}
