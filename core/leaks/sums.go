package leaks

import (
	"cmp"
	"math"

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
	isPart := func(x []float64) bool { // never below 0, never above the total
		for i, v := range x {
			if !(v >= 0 && v <= total.x[i]) {
				return false
			}
		}
		return true
	}
	rows := make([]int, len(y))
	for i := range rows {
		rows[i] = i
	}
	if len(rows) < fewestPairs || !isPart(y) {
		return nil
	}
	z, spread := [][]float64{unitLength(y, rows)}, []float64{lengthOf(y)}
	for _, c := range columns {
		if c.name != total.name && isPart(c.x) && lengthOf(c.x) > 0 {
			z, spread, names = append(z, unitLength(c.x, rows)), append(spread, lengthOf(c.x)), append(names, c.name)
		}
	}
	if len(rows) <= 3*len(z) || len(z) < 2 {
		return nil
	}
	rest, own := unitLength(total.x, rows), lengthOf(total.x)
	w := leastSquares(z, rest)
	parts := names[:0]
	for j := range z {
		kernel.Axpy(-w[j], z[j], rest)
		switch isOne := math.Abs(w[j]*own/spread[j]-1) < near; {
		case !isOne && (j == 0 || math.Abs(w[j]) > weak):
			return nil
		case isOne && j > 0:
			parts = append(parts, names[j-1])
		}
	}
	if len(parts) == 0 || kernel.Dot(rest, rest) > left {
		return nil
	}
	return parts
}

// lengthOf returns the root of the sum of squares of x about its mean.
func lengthOf(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
	}
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum)
}

// sharesFrom returns how many columns from the first on, at least three, add up to whole in
// every row, 0 for none.
func sharesFrom(columns []sampleColumn, whole float64) int {
	for n := 3; n <= len(columns); n++ {
		all := true
		for row := 0; all && row < len(columns[0].x); row++ {
			sum := 0.0
			for _, c := range columns[:n] {
				all = all && c.x[row] >= 0
				sum += c.x[row]
			}
			all = all && math.Abs(sum-whole) <= sumRounding*whole
		}
		if all {
			return n
		}
	}
	return 0
}
