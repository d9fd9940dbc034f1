package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// total returns what the rows of p count together: their number, unless they have
// weights.
func total(p design.Part) float64 {
	if p.Weight == nil {
		return float64(len(p.Y))
	}
	return kernel.Sum(p.Weight)
}

// weightOf returns what row i counts; weight is nil for 1 each.
func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// effective returns how many of n rows that all count the same tell as much as these:
// Kish's (Σw)²/Σw², which is n where they do, and stays as it is when all weights are
// multiplied by a number. All that says how sure something is goes by it, and all that
// is a mean by the weights themselves: a row that counts a hundred times is still one
// row that was seen.
func effective(n int, weight []float64) float64 {
	if weight == nil {
		return float64(n)
	}
	all := kernel.Sum(weight)
	return float64(all*all) / kernel.Dot(weight, weight)
}

// meanOf returns the mean of y, in which each counts its weight; nil for 1 each.
func meanOf(y, weight []float64) float64 {
	if weight == nil {
		return linear.Mean(y)
	}
	return kernel.Dot(y, weight) / kernel.Sum(weight)
}

// rootMeanSquare sets f to f − y and returns √(mean f²), in which each counts its
// weight; nil for 1 each.
func rootMeanSquare(f, y, weight []float64) float64 {
	kernel.Axpy(-1, y, f)
	if weight == nil {
		return math.Sqrt(kernel.Dot(f, f) / float64(len(f)))
	}
	sum := 0.0
	for i, e := range f {
		sum += float64(float64(e*e) * weight[i])
	}
	return math.Sqrt(sum / kernel.Sum(weight))
}

// logLoss returns the mean log-loss of log-odds f over scale for classes y, in which
// each counts its weight, nil for 1 each; NaN without rows.
func logLoss(f, y, weight []float64, scale float64) float64 {
	sum := 0.0
	if weight == nil {
		for i, v := range f {
			sum += kernel.LogLoss(v*scale, y[i])
		}
		return sum / float64(len(f))
	}
	for i, v := range f {
		sum += float64(kernel.LogLoss(v*scale, y[i]) * weight[i])
	}
	return sum / kernel.Sum(weight)
}
