package measure

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Calibration says how log-odds f of a model become those of the probabilities that
// are shown, Slope·f + Offset (Platt, "Probabilistic outputs for support vector
// machines", 1999). Both are fitted to rows that have not trained the model: to the
// validation rows or, where folds have chosen it, to each fold as the model that is
// fitted anew without that fold predicts it. They are used where these rows show by more
// than chance that f is off: where twice what all rows' log-loss falls by exceeds 5.99,
// the 95 % quantile of χ² with two degrees of freedom, and the slope is positive, so
// that the order of rows stays. Of rows with weights chance goes by their effective
// number, as [Effective] has it.
//
// The scores of more than two classes have a Slope alone (temperature scaling: Guo et al., "On
// Calibration of Modern Neural Networks", 2017), and the quantile is that of one degree of
// freedom, 3.84.
type Calibration struct {
	Slope, Offset float64 // as fitted, whether they are used or not
	Used          bool
	Rows          int // that have not trained the model; 0 where there were none, or all of one class: then they are 1 and 0
}

// Platt fits a calibration to log-odds f of rows of classes y, in which each counts its
// weight; nil for 1 each. As Platt does, it takes classes for (ones + 1)/(ones + 2) and
// 1/(zeros + 2), so that rows that are separable have a fit. f may be the scores of more than
// two classes. O(rows).
func Platt(f, y, weight []float64) Calibration {
	if len(f) > len(y) {
		return temperature(f, y, weight)
	}
	c := Calibration{Slope: 1}
	n := Effective(len(y), weight)
	scale := 1.
	if weight != nil {
		scale = n / kernel.Sum(weight)
	}
	counts := func(i int) float64 { return float64(scale * Weight(weight, i)) }
	ones, zeros := 0., 0.
	for i, v := range y {
		ones += float64(counts(i) * v)
		zeros += float64(counts(i) * (1 - v))
	}
	if ones == 0 || zeros == 0 {
		return c
	}
	c.Rows = len(y)
	towards := [2]float64{1 / (zeros + 2), (ones + 1) / (ones + 2)}
	loss := func(a, b float64) (sum float64) {
		for i, v := range f {
			g := float64(a*v) + b
			sum += float64(counts(i) * (kernel.LogLoss(g, 0) - float64(towards[int(y[i])]*g)))
		}
		return sum
	}
	a, b := 1.0, 0.0
	now := loss(a, b)
	for range 50 {
		var da, db, aa, ab, bb float64
		for i, v := range f {
			p := kernel.Logistic(float64(a*v) + b)
			slope, bend := float64(counts(i)*(p-towards[int(y[i])])), float64(counts(i)*float64(p*(1-p)))
			da += float64(slope * v)
			db += slope
			aa += float64(float64(bend*v) * v)
			ab += float64(bend * v)
			bb += bend
		}
		det := float64(aa*bb) - float64(ab*ab)
		if !(det > 1e-12*float64(aa*bb)) { // all rows are predicted alike
			break
		}
		stepA, stepB := (float64(bb*da)-float64(ab*db))/det, (float64(aa*db)-float64(ab*da))/det
		gain := float64(stepA*da) + float64(stepB*db)
		t := 1.0
		for ; t > 1e-10 && !(loss(a-t*stepA, b-t*stepB) <= now-float64(1e-4*t*gain)); t /= 2 {
		}
		if t <= 1e-10 {
			break
		}
		a, b = a-float64(t*stepA), b-float64(t*stepB)
		now = loss(a, b)
		if gain < 1e-12*now {
			break
		}
	}
	c.Slope, c.Offset = a, b
	const chance = 5.991464547107979
	c.Used = a > 0 && 2*n*(MeanLogLoss(f, y, weight, 1)-MeanLogLoss(c.Apply(f), y, weight, 1)) > chance
	return c
}

// Apply returns calibrated log-odds, or scores.
func (c *Calibration) Apply(f []float64) []float64 {
	out := make([]float64, len(f))
	for i, v := range f {
		out[i] = float64(c.Slope*v) + c.Offset
	}
	return out
}

// OutOfSample holds the log-odds or scores of rows that have not trained the model that
// predicts them.
type OutOfSample struct{ f, y, weight []float64 } // log-odds, classes and weights; nil for 1 each

// Add adds rows and their predictions.
func (o *OutOfSample) Add(p design.Part, scores int, predict func(f []float64)) {
	if len(p.Y) == 0 {
		return
	}
	f := make([]float64, len(p.Y)*scores)
	predict(f)
	o.f, o.y, o.weight = append(o.f, f...), append(o.y, p.Y...), append(o.weight, p.Weight...)
}

// Platt fits a calibration to all predictions.
func (o *OutOfSample) Platt() Calibration { return Platt(o.f, o.y, o.weight) }
