package pair

import (
	"cmp"
	"math"

	"ifmlab/core/design"
	"ifmlab/core/order"
)

const (
	// Two columns are nearly one if, sorted by one, the other changes from row to row by
	// less than a tenth of what it changes in random order. Two Gaussian columns are nearly
	// one from a correlation of .995 on.
	mostChange = .1
	sampleRows = 10_000
)

// nearlyOne reports whether one of two columns nearly follows from the other. A column that
// follows from levels is an [Alias], so only numbers are sorted by. O(rows·log² rows).
func nearlyOne(a, b design.Raw) bool {
	return a.Numbers != nil && follows(b, a.Numbers) || b.Numbers != nil && follows(a, b.Numbers)
}

// follows reports whether a column nearly follows from the numbers x.
func follows(column design.Raw, x []float64) bool {
	var rows []int
	for i, v := range x[:min(len(x), sampleRows)] {
		if v == v && !(column.Numbers != nil && math.IsNaN(column.Numbers[i])) {
			rows = append(rows, i)
		}
	}
	step := func(i, j int) float64 {
		if column.Codes[i] == column.Codes[j] {
			return 0
		}
		return 1
	}
	if column.Numbers != nil {
		rank := make([]float64, len(x))
		of := func(i int) float64 { return column.Numbers[rows[i]] }
		byValue := order.Of(len(rows), func(i, j int) int { return cmp.Compare(of(i), of(j)) })
		for place, i := range byValue {
			rank[rows[i]] = float64(place)
			if place > 0 && of(i) == of(byValue[place-1]) { // equals share a rank
				rank[rows[i]] = rank[rows[byValue[place-1]]]
			}
		}
		step = func(i, j int) float64 { return math.Abs(rank[i] - rank[j]) }
	}
	along, around := 0.0, 0.0
	sorted := order.Of(len(rows), func(i, j int) int { return cmp.Compare(x[rows[i]], x[rows[j]]) })
	for i := 1; i < len(rows); i++ {
		along += step(rows[sorted[i-1]], rows[sorted[i]])
		around += step(rows[i-1], rows[i])
	}
	return along < mostChange*around
}
