package measure

import (
	"cmp"
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// FewestRows returns the least number n of residuals with ⌈(n+1)·level⌉ ≤ n.
func FewestRows(level float64) (n int) {
	for n = 1; ConformalRank(n, level) > n; n++ {
	}
	return n
}

// ConformalRank returns ⌈(n+1)·level⌉, where what rounding adds does not count.
func ConformalRank(n int, level float64) int { return int(math.Ceil(float64(n+1)*level - 1e-9)) }

// ConformalQuantile returns the ⌈(n+1)·level⌉-th score in order. Of rows with weights, n being
// how many tell as much ([Effective]), it is the first at which those up to it have
// (n+1)/n·level of all weight: what Tibshirani et al. ("Conformal prediction under
// covariate shift", 2019) take, where the next row is drawn as its weight says and then
// has, as the mean of such rows has, a share 1/n of the weight of these.
func ConformalQuantile(scores, weight []float64, level float64) float64 {
	n := len(scores)
	if weight == nil {
		sorted := append([]float64(nil), scores...)
		order.Sort(sorted, cmp.Compare[float64])
		return sorted[ConformalRank(n, level)-1]
	}
	by := order.Of(n, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	wanted := kernel.Sum(weight) * level * (1 + 1/Effective(n, weight))
	wanted -= 1e-9 * wanted // what rounding adds does not count
	sum := 0.
	for _, i := range by {
		if sum += weight[i]; sum >= wanted {
			return scores[i]
		}
	}
	return scores[by[n-1]]
}
