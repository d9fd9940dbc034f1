package design

import "slices"

// DefaultKnots is the number of knots of a column of numbers with many values. They are
// quantiles, with the least and the largest number among them.
const DefaultKnots = 8

// Between returns the index of the last knot before v, and the position of v between it
// and the next one, from 0 to 1. Outside the knots, v counts as the nearest one.
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

// MeanRow returns the row of a design in which each number is the mean of the training
// rows, no cell is missing, and no level is set. It is 0 but for hats beside a mean.
// O(features).
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
