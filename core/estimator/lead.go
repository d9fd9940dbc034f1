package estimator

import (
	"fmt"
	"math"

	"ifmlab/core/measure"
)

// Lead is the difference between the test errors of two models.
type Lead struct {
	By        float64 // in the measure of [Model.Measure]; positive if the model is better
	Low, High float64 // of the 95 % confidence interval
	P         float64 // two-sided p-value of no difference
}

// Lead returns how much the model's test error is below that of a baseline. With the ratio ρ
// of the baseline's loss to the model's, each a sum over the same test rows,
//
//	RMSE_b − RMSE_a = RMSE_a·(√ρ − 1)             of numbers
//	log-loss_b − log-loss_a = log-loss_a·(ρ − 1)  of classes
//
// and the interval is that of [measure.RatioOf] on the same scale: it claims no error below
// 0, and one row with a large error makes it wide. With fewer than
// [measure.FewestCompared] test rows, or test rows that differ from the commonest target, it
// has no upper end. It returns a [*ShapeError] unless b has one prediction a test row.
// O(n·log n).
func (f *Fitted) Lead(b Baseline) (Lead, error) {
	return lead(f.test.Actual, f.test.Predicted, b.Predicted, f.test.Weight, len(f.Classes()))
}

func lead(actual, a, b, weight []float64, classes int) (Lead, error) {
	n := len(actual)
	if len(a) != n || len(b) != n {
		return Lead{}, &ShapeError{"predictions", len(b), fmt.Sprintf("%d, one a test row", n)}
	}
	loss, root := squaredError, math.Sqrt
	if classes > 0 {
		loss, root = probabilityLoss, func(v float64) float64 { return v }
	}
	if classes > 2 { // each prediction is the probability of the row's own
		loss = func(p, _ float64) float64 { return probabilityLoss(p, 1) }
	}
	own, its := make([]float64, n), make([]float64, n)
	for i, y := range actual {
		own[i], its[i] = loss(a[i], y), loss(b[i], y)
	}
	rarer, _ := measure.Rarer(actual, weight)
	ratioOf := func(a, b []float64) measure.Ratio {
		r := measure.RatioOf(a, b, weight)
		if rarer < measure.FewestCompared {
			r.Low, r.High, r.P = 0, math.Inf(1), 1
		}
		return r
	}
	if error := root(measure.Mean(own, weight)); error > 0 {
		ratio := ratioOf(own, its)
		above := func(ratio float64) float64 { return error * (root(ratio) - 1) }
		return Lead{above(ratio.Of), above(ratio.Low), above(ratio.High), ratio.P}, nil
	}
	error := root(measure.Mean(its, weight)) // no multiple of 0 is an error
	ratio := ratioOf(its, own)
	below := func(ratio float64) float64 { return error * (1 - root(ratio)) }
	return Lead{below(ratio.Of), max(0, below(ratio.High)), below(ratio.Low), ratio.P}, nil
}

func squaredError(f, y float64) float64 { return (f - y) * (f - y) }

// probabilityLoss returns −log of the probability of a row's class, where p is the
// probability of the second class. A probability of 0 counts as 2⁻⁵³.
func probabilityLoss(p, y float64) float64 {
	if y < .5 {
		p = 1 - p
	}
	return -math.Log(max(p, 0x1p-53))
}
