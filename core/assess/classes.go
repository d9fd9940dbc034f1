package assess

import (
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/train"
)

// NoClassesError says that a target has no two classes.
type NoClassesError struct{ Target string }

func (e *NoClassesError) Error() string {
	return message.Sprintf("assess: models of %s learn numbers; choose a target with two classes, and leave loss=auto", e.Target)
}

func (*NoClassesError) Kind() string { return "NoClassesError" }

// Classes compares how well models classify the test rows.
type Classes struct {
	Names []string     // class 0 and class 1
	Rows  [2]int       // test rows of each
	Count [2]float64   // what they count together: their number, unless they have weights
	Share float64      // of class 1 in the rows that ridge was fitted to
	Model ClassMetrics // what leads
	Ridge ClassMetrics
	Trees *ClassMetrics // nil until they are grown
}

// ClassMetrics measures how well one model classifies the test rows, by the probabilities
// that it shows, calibrated or not. Each row counts its weight. Intervals of shares go by
// the effective number of rows ([measure.Effective]): a row that counts twice is still one
// row.
type ClassMetrics struct {
	LogLoss  float64 // mean, nats
	Plain    float64 // the same without the calibration
	Fitted   float64 // the same with it
	Brier    float64 // mean squared error of the probability
	AUC      float64 // the share of pairs of rows of both classes that are in order, ties half; NaN without both
	Accuracy float64 // the share of rows whose class has a probability of half or more
	// 95 % intervals of AUC and Accuracy.
	AUCLow, AUCHigh, AccuracyLow, AccuracyHigh float64

	Calibration measure.Calibration
	ROC         ROC
	// Ones and Zeros are the weights of the rows of class 1 and of class 0 with a
	// probability of k/[Thresholds] or more, k = 0, 1, …, Thresholds.
	Ones, Zeros []float64
	Bins        []ReliabilityBin
}

// Always returns the accuracy of saying the class that is commoner in training rows of every
// row.
func (c *Classes) Always() float64 {
	always := 0
	if c.Share > .5 {
		always = 1
	}
	return c.Count[always] / (c.Count[0] + c.Count[1])
}

// Thresholds is the number of steps in which a threshold goes from 0 to 1.
const Thresholds = 200

// Classes judges the model that leads, ridge, and boosted trees once they are grown,
// on the test rows. It returns [train.ErrNoModel] before the first record, and a
// [*NoClassesError] where the target is learnt as a number. O(n·d·k + n·log n).
func (a *Assessment) Classes() (*Classes, error) {
	if a.run.Lead() == nil {
		return nil, train.ErrNoModel
	}
	names := a.run.ClassNames()
	if names == nil {
		return nil, &NoClassesError{Target: a.run.Target()}
	}
	base, on, err := a.run.Rows().Baseline(a.run.Source(), false)
	if err != nil {
		return nil, err
	}
	test := a.run.Leading().Test
	c := &Classes{Names: names, Share: on.Encoding.Target.Mean}
	for i, y := range test.Y {
		c.Rows[int(y)]++
		c.Count[int(y)] += measure.Weight(test.Weight, i)
	}
	f := make([]float64, len(test.Y))
	a.run.Lead().Predict(f, test.Z, nil)
	c.Model = Metrics(f, test.Y, test.Weight, a.run.Calibration())
	base.Shown.Predict(f, on.Test.Z)
	c.Ridge = Metrics(f, on.Test.Y, test.Weight, base.Calibration)
	if t := a.shared.trees; t != nil {
		c.Trees = t.Metrics
	}
	return c, nil
}

// Metrics measures log-odds f of rows of classes y. Weight is nil for 1 each.
func Metrics(f, y, weight []float64, c measure.Calibration) ClassMetrics {
	t := ClassMetrics{Plain: measure.MeanLogLoss(f, y, weight, 1), Fitted: measure.MeanLogLoss(c.Apply(f), y, weight, 1), Calibration: c}
	shown := f
	if t.LogLoss = t.Plain; c.Used {
		shown, t.LogLoss = c.Apply(f), t.Fitted
	}
	n := len(y)
	all := float64(n)
	if weight != nil {
		all = kernel.Sum(weight)
	}
	p := make([]float64, n)
	for i, v := range shown {
		p[i] = kernel.Logistic(v)
		e := p[i] - y[i]
		t.Brier += float64(float64(e*e)*measure.Weight(weight, i)) / all
	}
	// The largest first; log-odds tell rows apart whose probabilities are both 1.
	by := order.Of(n, func(a, b int) int {
		switch {
		case shown[a] > shown[b]:
			return -1
		case shown[a] < shown[b]:
			return 1
		}
		return a - b
	})
	t.AUC, t.ROC = roc(by, shown, p, y, weight)
	t.Ones, t.Zeros = counts(by, p, y, weight)
	t.Bins = reliability(by, p, y, weight)
	var of [2][]float64 // weights by class
	for i, y := range y {
		of[int(y)] = append(of[int(y)], measure.Weight(weight, i))
	}
	rows := func(class int) float64 { return measure.Effective(len(of[class]), of[class]) }
	t.AUCLow, t.AUCHigh = measure.AUCInterval(t.AUC, rows(0), rows(1))
	zeros := t.Zeros[0]
	t.Accuracy = (t.Ones[Thresholds/2] + zeros - t.Zeros[Thresholds/2]) / all
	t.AccuracyLow, t.AccuracyHigh = measure.Wilson(t.Accuracy, measure.Effective(n, weight))
	return t
}
