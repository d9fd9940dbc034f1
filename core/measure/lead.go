package measure

import "math"

// Losses returns the loss of each row, for predictions as [Predicted] returns them: the squared
// error of a number, or −log of the probability of the row's class, of so many classes. A
// probability of 0 counts as 2⁻⁵³.
func Losses(predicted, actual []float64, classes int) []float64 {
	losses := make([]float64, len(actual))
	for i, p := range predicted {
		switch {
		case classes == 0:
			losses[i] = (p - actual[i]) * (p - actual[i])
			continue
		case classes == 2 && actual[i] < .5:
			p = 1 - p
		}
		losses[i] = -math.Log(max(p, 0x1p-53))
	}
	return losses
}

// Lead is the difference between the errors of two predictors on the same rows.
type Lead struct {
	By        float64 // the other's error less one's own: positive if one's own is better
	Low, High float64 // of the 95 % confidence interval
	P         float64 // two-sided p-value of no difference
}

// LeadOf returns how much the error of one predictor is below that of another. With the ratio
// ρ of the other's loss to one's own, each a sum over the same rows,
//
//	RMSE_b − RMSE_a = RMSE_a·(√ρ − 1)             of numbers
//	log-loss_b − log-loss_a = log-loss_a·(ρ − 1)  of classes
//
// and the interval is that of [RatioOf] on the same scale: it claims no error below 0, and one
// row with a large error makes it wide. With fewer than [FewestCompared] rows, or rows that
// differ from the commonest target, it has no upper end. O(n·log n).
func LeadOf(own, its, actual, weight []float64, classes int) Lead {
	root := math.Sqrt
	if classes > 0 {
		root = func(v float64) float64 { return v }
	}
	rarer, _ := Rarer(actual, weight)
	ratioOf := func(a, b []float64) Ratio {
		r := RatioOf(a, b, weight)
		if rarer < FewestCompared {
			r.Low, r.High, r.P = 0, math.Inf(1), 1
		}
		return r
	}
	if error := root(Mean(own, weight)); error > 0 {
		ratio := ratioOf(own, its)
		above := func(ratio float64) float64 { return error * (root(ratio) - 1) }
		return Lead{above(ratio.Of), above(ratio.Low), above(ratio.High), ratio.P}
	}
	error := root(Mean(its, weight)) // no multiple of 0 is an error
	ratio := ratioOf(its, own)
	below := func(ratio float64) float64 { return error * (1 - root(ratio)) }
	return Lead{below(ratio.Of), max(0, below(ratio.High)), below(ratio.Low), ratio.P}
}
