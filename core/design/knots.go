package design

import "slices"

// UsualKnots is how many knots a column of numbers has unless its values are few: at
// quantiles, the least and the largest number among them.
const UsualKnots = 8

// Between returns which of the knots, two or more, stands before v, and how far v
// is on its way to the next, from 0 to 1; beyond the first and the last knot v
// counts as that knot.
func Between(knots []float64, v float64) (left int32, t float64) {
	last := len(knots) - 1
	switch {
	case v <= knots[0]:
		return 0, 0
	case v >= knots[last]:
		return int32(last - 1), 1
	}
	i, found := slices.BinarySearch(knots, v)
	if !found {
		i--
	}
	return int32(i), (v - knots[i]) / (knots[i+1] - knots[i])
}

// MeanRow returns the row of the design in which every number is the mean of the
// training rows, no cell is missing and no level is told: 0, but for the hats on
// either side of a mean. O(features).
func (e *Encoding) MeanRow() []float64 {
	z := make([]float64, len(e.Features))
	for _, g := range e.Groups() {
		var knots []float64
		for j := g.Lo; j < g.Hi && e.Features[j].Kind == FeatureKnot; j++ {
			knots = append(knots, e.Features[j].Knot)
		}
		if knots != nil {
			left, t := Between(knots, e.Features[g.Lo].Fill)
			z[g.Lo+int(left)], z[g.Lo+int(left)+1] = 1-t, t
		}
	}
	return z
}
