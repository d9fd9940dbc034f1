package core

import (
	"cmp"
	"math"

	"ifmlab/core/order"
)

// auc returns the area under the ROC curve: how often a row that is 1 is predicted
// above one that is 0, where a tie counts half; ½ is a guess. Rows without a
// prediction or a value count for nothing, and without rows of both kinds it is
// NaN. O(n·log² n).
func auc(predicted, actual []float64) float64 {
	var known []int32
	for i, v := range predicted {
		if v == v && actual[i] == actual[i] {
			known = append(known, int32(i))
		}
	}
	rising := order.Of(len(known), func(a, b int) int { return cmp.Compare(predicted[known[a]], predicted[known[b]]) })
	ones, above := 0, 0 // above counts halves
	for lo := 0; lo < len(rising); {
		hi, tied := lo, 0
		for ; hi < len(rising) && predicted[known[rising[hi]]] == predicted[known[rising[lo]]]; hi++ {
			if actual[known[rising[hi]]] > .5 { // 1, or what scaling left of it
				tied++
			}
		}
		zeros := lo - ones // below
		above += tied * (2*zeros + hi - lo - tied)
		ones += tied
		lo = hi
	}
	pairs := float64(ones) * float64(len(known)-ones)
	if pairs == 0 {
		return math.NaN()
	}
	return float64(above) / 2 / pairs
}
