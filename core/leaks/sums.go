package leaks

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/kernel"
	"ifmlab/core/moment"
	"ifmlab/core/order"
)

// explainedBy returns the share of the variance of y that the means of the classes explain.
func explainedBy(class codes, y []float64) float64 {
	groups, all := make([]moment.Accumulator, class.n), moment.Accumulator{}
	all.AddAll(y)
	for i, k := range class.of {
		groups[k].AddAll(y[i : i+1])
	}
	between := 0.0
	for _, g := range groups {
		d := g.Mean() - all.Mean()
		between += float64(float64(g.Count()) * d * d)
	}
	return between / float64(float64(len(y))*all.SD()*all.SD())
}

// bands reports whether the classes are bands of v, as grades are of a score: each has its own
// range, and most gaps between two are no wider than one within a range. Classes that merely lie
// far apart have wider gaps. A range may be one number. cut is the largest value of the lowest.
func bands(class codes, v []float64) (cut float64, ok bool) {
	if missingIn(v) > 0 {
		return 0, false
	}
	at := order.Of(len(v), func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	var ranges [][2]float64
	widest := 0.0 // gap within a range
	for k, i := range at {
		if k > 0 && class.of[i] == class.of[at[k-1]] {
			widest = max(widest, v[i]-v[at[k-1]])
			ranges[len(ranges)-1][1] = v[i]
		} else if ranges = append(ranges, [2]float64{v[i], v[i]}); len(ranges) > class.n {
			return 0, false
		}
	}
	narrow := 0
	for k, high := range ranges[1:] {
		low := ranges[k]
		switch gap := high[0] - low[1]; {
		case gap == 0:
			return 0, false
		case gap <= widest, low[0] == low[1], high[0] == high[1]:
			narrow++
		}
	}
	return ranges[0][1], len(ranges) > 1 && 2*narrow >= len(ranges)-1
}

// addends returns the columns which with y add up to a total, nil if there are none: least squares
// leaves little of the total, and y and each other column that counts have a weight of about 1.
func addends(total sampleColumn, columns []sampleColumn, y []float64) (names []string) {
	const left, near, weak = .05, .1, .1
	rows := make([]int, len(y))
	for i := range rows {
		rows[i] = i
	}
	rest, own := unitLength(total.x, rows)
	var z [][]float64
	var weights []float64 // that a part has if its numbers count once
	for _, c := range append([]sampleColumn{{x: y}}, columns...) {
		if c.name == total.name || slices.ContainsFunc(rows, func(i int) bool { return !(c.x[i] >= 0 && c.x[i] <= total.x[i]) }) {
			continue // it is below 0 or above the total
		}
		if unit, length := unitLength(c.x, rows); length > 0 {
			z, weights, names = append(z, unit), append(weights, length/own), append(names, c.name)
		}
	}
	if len(z) < 2 || names[0] != "" || len(rows) <= 3*len(z) || len(rows) < fewestPairs {
		return nil
	}
	parts := names[:0]
	for j, w := range leastSquares(z, rest) {
		kernel.Axpy(-w, z[j], rest)
		switch isOne := math.Abs(w/weights[j]-1) < near; {
		case isOne:
			parts = append(parts, names[j])
		case math.Abs(w) > weak:
			return nil
		}
	}
	if len(parts) < 2 || parts[0] != "" || kernel.Dot(rest, rest) > left {
		return nil
	}
	return parts[1:]
}

// sharesFrom returns how many columns from the first on, at least three, add up to whole in
// every row, 0 for none.
func sharesFrom(columns []sampleColumn, whole float64) int {
	sums := make([]float64, len(columns[0].x))
	for n, c := range columns {
		all := true
		for row, v := range c.x {
			if !(v >= 0) {
				return 0
			}
			sums[row] += v
			all = all && math.Abs(sums[row]-whole) <= sumRounding*whole
		}
		if all && n >= 2 {
			return n + 1
		}
	}
	return 0
}
