package assess

import (
	"math"

	"ifmlab/core/measure"
)

// roc returns the area under the ROC curve, and the curve, of rows by falling log-odds.
func roc(by []int, f, p, y, weight []float64) (auc float64, curve ROC) {
	type point struct {
		zeros, ones float64
		threshold   float64
	}
	points := []point{{threshold: math.Inf(1)}}
	twice := 0.0 // pairs in order, twice
	for i := 0; i < len(by); {
		last := points[len(points)-1]
		at := point{last.zeros, last.ones, p[by[i]]}
		for v := f[by[i]]; i < len(by) && f[by[i]] == v; i++ {
			if w := measure.Weight(weight, by[i]); y[by[i]] == 1 {
				at.ones += w
			} else {
				at.zeros += w
			}
		}
		twice += float64((at.zeros - last.zeros) * (last.ones + at.ones))
		if n := len(points); n > 1 { // on the line from the point before the last
			a, b := points[n-2], points[n-1]
			if float64((b.zeros-a.zeros)*(at.ones-b.ones)) == float64((at.zeros-b.zeros)*(b.ones-a.ones)) {
				points = points[:n-1]
			}
		}
		points = append(points, at)
	}
	end := points[len(points)-1]
	auc = twice / 2 / end.zeros / end.ones // 0/0 is NaN
	share := func(n, of float64) float64 {
		if of == 0 {
			return 0
		}
		return n / of
	}
	for i := range min(len(points), MostROC) {
		at := points[i]
		if len(points) > MostROC { // evenly, the first and the last among them
			at = points[i*(len(points)-1)/(MostROC-1)]
		}
		curve.False = append(curve.False, share(at.zeros, end.zeros))
		curve.True = append(curve.True, share(at.ones, end.ones))
		curve.Threshold = append(curve.Threshold, at.threshold)
	}
	return auc, curve
}

// counts returns the weights of either class from each threshold on.
func counts(by []int, p, y, weight []float64) (ones, zeros []float64) {
	ones, zeros = make([]float64, Thresholds+1), make([]float64, Thresholds+1)
	at, one, zero := 0, 0., 0.
	for k := Thresholds; k >= 0; k-- {
		for ; at < len(by) && p[by[at]] >= float64(k)/Thresholds; at++ {
			if w := measure.Weight(weight, by[at]); y[by[at]] == 1 {
				one += w
			} else {
				zero += w
			}
		}
		ones[k], zeros[k] = one, zero
	}
	return ones, zeros
}

// reliability returns up to ten parts of twenty rows or more.
func reliability(by []int, p, y, weight []float64) (bins []ReliabilityBin) {
	n := len(by)
	parts := max(1, min(10, n/20))
	for end, k := n, 1; end > 0; k++ { // the least probability is the last
		start := min(n-k*n/parts, end-1)
		for start > 0 && p[by[start-1]] == p[by[end-1]] || start > 0 && p[by[start-1]] == p[by[start]] {
			start--
		}
		b, all, ones, squares := ReliabilityBin{Rows: end - start}, 0., 0., 0.
		for _, i := range by[start:end] {
			w := measure.Weight(weight, i)
			all += w
			ones += float64(w * y[i])
			squares += float64(w * w)
		}
		for _, i := range by[start:end] {
			b.Mean += float64(p[i]*measure.Weight(weight, i)) / all
		}
		b.Share = ones / all
		b.Low, b.High = measure.Wilson(b.Share, float64(all*all)/squares)
		bins = append(bins, b)
		for end = start; k < parts && n-(k+1)*n/parts >= end; k++ {
		}
	}
	return bins
}

// ROC is a receiver operating characteristic: the shares of class 0 and of class 1 with a
// probability of Threshold or more. It goes from (0, 0), at the threshold +Inf, to (1, 1).
// It has a point for each probability that is not on a straight line between others, and
// at most [MostROC].
type ROC struct{ False, True, Threshold []float64 }

// MostROC is the number of points that a ROC curve has at most.
const MostROC = 200

// ReliabilityBin is a part of the test rows in the order of their probabilities. Parts are
// about equally large, and equal probabilities are in one part.
type ReliabilityBin struct {
	Rows      int
	Mean      float64 // probability
	Share     float64 // of class 1
	Low, High float64 // Wilson's 95 % interval of the share
}
