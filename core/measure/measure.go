// Package measure measures the errors of predictions over rows, which may have weights.
package measure

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// The measures of errors.
const (
	RMSE    = "rmse"     // root mean squared error, in units of the target
	LogLoss = "log-loss" // of classes: the mean over rows of −log of the probability of the row's own class, in nats
)

// Of returns the measure of the errors of a target.
func Of(t *design.Target) string {
	if t.Logistic {
		return LogLoss
	}
	return RMSE
}

// Classes returns the classes of a target in their order. It returns nil for a target that
// is learnt as a number.
func Classes(t *design.Target) []string {
	if t.Logistic {
		return t.Levels
	}
	return nil
}

// Total returns the sum of the weights of the rows of p; without weights their number.
func Total(p design.Part) float64 {
	if p.Weight == nil {
		return float64(len(p.Y))
	}
	return kernel.Sum(p.Weight)
}

// Weight returns the weight of row i; weight is nil for 1 each.
func Weight(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// Effective returns the number of rows of equal weight that are as informative as n rows
// with these weights: Kish's (Σw)²/Σw². Multiplying all weights by a number does not
// change it. Every standard error goes by it, and every mean by the weights themselves.
func Effective(n int, weight []float64) float64 {
	if weight == nil {
		return float64(n)
	}
	all := kernel.Sum(weight)
	return float64(all*all) / kernel.Dot(weight, weight)
}

// Mean returns the weighted mean of y; weight is nil for 1 each.
func Mean(y, weight []float64) float64 {
	if weight == nil {
		return linear.Mean(y)
	}
	return kernel.Dot(y, weight) / kernel.Sum(weight)
}

// RootMeanSquare sets f to f − y and returns √(mean f²), weighted; weight is nil for 1
// each.
func RootMeanSquare(f, y, weight []float64) float64 {
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

// MeanLogLoss returns the weighted mean log-loss of log-odds scale·f for classes y, or of
// more than two classes with the scores scale·f; weight is nil for 1 each. It is NaN without
// rows.
func MeanLogLoss(f, y, weight []float64, scale float64) float64 {
	sum := 0.0
	if len(f) > len(y) {
		k := len(f) / len(y)
		scaled := make([]float64, k)
		for i, class := range y {
			for c, v := range f[i*k:][:k] {
				scaled[c] = v * scale
			}
			sum += float64(Weight(weight, i) * (kernel.LogSumExp(scaled, -1) - scaled[int(class)]))
		}
		if weight == nil {
			return sum / float64(len(y))
		}
		return sum / kernel.Sum(weight)
	}
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

// Error returns the error of predictions f of the scaled target for the rows of p, in the
// measure of the target and units of the table. It is NaN without rows, and spoils f.
func Error(f []float64, p design.Part, target *design.Target) float64 {
	switch {
	case len(f) == 0:
		return math.NaN()
	case target.Logistic:
		return MeanLogLoss(f, p.Y, p.Weight, target.Scale)
	case target.Log == design.LogNone:
		return RootMeanSquare(f, p.Y, p.Weight) * target.Scale
	}
	for i, y := range f {
		f[i] = target.Raw(y)
	}
	return RootMeanSquare(f, p.Raw, p.Weight)
}

// Predicted returns what predictions f of the scaled target for rows y are in units of the
// table, in place: for two classes the probability of class 1. Of more than two classes it
// is the probability of the row's own class, and f is not changed.
func Predicted(f, y []float64, target *design.Target) []float64 {
	k := target.Scores()
	if k == 1 {
		for i, v := range f {
			f[i] = target.Raw(v)
		}
		return f
	}
	own, p := make([]float64, len(y)), Probabilities(f, target)
	for i, class := range y {
		own[i] = p[i*k+int(class)]
	}
	return own
}

// Probabilities returns those of more than two classes with scores f, those of a row next to
// each other.
func Probabilities(f []float64, target *design.Target) []float64 {
	p, k := make([]float64, len(f)), target.Scores()
	for i, v := range f {
		p[i] = v * target.Scale
	}
	for row := p; len(row) > 0; row = row[k:] {
		kernel.Softmax(row[:k], row[:k])
	}
	return p
}

// Likeliest returns the place of the largest of the probabilities of a row, the first of equal
// ones.
func Likeliest(p []float64) (class int) {
	for c, v := range p {
		if v > p[class] {
			class = c
		}
	}
	return class
}

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

const z = 1.959963984540054 // the normal distribution's 97.5 % quantile

// Wilson returns the 95 % interval of a share of size rows.
func Wilson(share, size float64) (from, to float64) {
	shrunk := 1 + z*z/size
	middle := (share + z*z/(2*size)) / shrunk
	half := z / shrunk * math.Sqrt(float64(share*(1-share))/size+z*z/float64(4*size*size))
	return max(0, min(share, middle-half)), min(1, max(share, middle+half)) // rounding excludes no 0 and no 1
}

// AUCInterval returns the 95 % interval of an area under the ROC curve of so many rows of
// either class: of all areas that it is within 1.96 standard errors of, each with its own
// (Newcombe, "Confidence Intervals for an Effect Size Measure Based on the Mann–Whitney
// Statistic. Part 2", Statistics in Medicine 25, 2006, method 5). An area of 1 has one, too.
func AUCInterval(auc, zeros, ones float64) (low, high float64) {
	within := func(a float64) bool {
		n := (zeros+ones)/2 - 1
		variance := float64(a*(1-a)) * (float64(2*n) + 1 - float64(3*n)/float64((2-a)*(1+a))) / float64(zeros*ones)
		return float64((auc-a)*(auc-a)) <= float64(z*z*variance)
	}
	end := func(out float64) float64 { // from 0 or 1 inwards
		in := auc
		for range 50 {
			if middle := (in + out) / 2; within(middle) {
				in = middle
			} else {
				out = middle
			}
		}
		return in
	}
	return end(0), end(1)
}
