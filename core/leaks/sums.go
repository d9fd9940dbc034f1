package leaks

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// explainedBy returns the share of the variance of y that the means of n classes explain.
func explainedBy(class []int32, n int, y []float64) float64 {
	counts, sums, all, squares := make([]float64, n), make([]float64, n), 0.0, 0.0
	for i, k := range class {
		counts[k]++
		sums[k] += y[i]
		all += y[i]
	}
	mean, between := all/float64(len(y)), 0.0
	for k, count := range counts {
		d := sums[k]/count - mean
		between += float64(count * d * d)
	}
	for _, v := range y {
		squares += float64((v - mean) * (v - mean))
	}
	return between / squares
}

// bestCut returns the share of the variance of y that one cut of x explains at most, and the
// largest number below it. It is 0 with missing numbers.
func bestCut(x, y []float64) (share, cut float64) {
	if missingIn(x) > 0 {
		return 0, 0
	}
	at := order.Of(len(x), func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	n, all, below := float64(len(y)), 0.0, 0.0
	for _, v := range y {
		all += v
	}
	variance := all/n - float64(all/n*all/n) // of 0 and 1
	for k, i := range at[:max(1, len(at))-1] {
		below += y[i]
		if x[at[k+1]] == x[i] {
			continue
		}
		low := float64(k + 1)
		d := below/low - (all-below)/(n-low)
		if explained := low / n * (1 - low/n) * d * d / variance; explained > share {
			share, cut = explained, x[i]
		}
	}
	return share, cut
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
		case j == 0 || math.Abs(w) > weak:
			return nil
		}
	}
	if len(parts) < 2 || kernel.Dot(rest, rest) > left {
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
