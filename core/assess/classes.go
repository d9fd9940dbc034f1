package assess

import (
	"math"

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

// ManyClassesError says that something takes numbers and two classes, and not more.
type ManyClassesError struct {
	What, Target string
	Classes      int
}

func (e *ManyClassesError) Error() string {
	return message.Sprintf("assess: %s needs a target of numbers or two classes; %s has %d classes", e.What, e.Target, e.Classes)
}

func (*ManyClassesError) Kind() string { return "ManyClassesError" }

// Classes compares how well models classify the test rows.
type Classes struct {
	Names []string     // class 0, class 1, …
	Rows  []int        // test rows of each
	Count []float64    // what they count together: their number, unless they have weights
	Most  int          // the commonest class in the rows that ridge was fitted to
	Share float64      // of class 1 in these rows; of more than two classes that of Most
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
	Brier    float64 // mean squared error of the probability; of more than two classes the mean over rows of the sum over classes
	AUC      float64 // the share of pairs of rows of both classes that are in order, ties half; NaN without both. Of more than two classes the mean over those with test rows, each against the rest
	Accuracy float64 // the share of rows whose class has a probability of half or more, or the largest
	// 95 % intervals of AUC and Accuracy; of more than two classes AUC has none: NaN.
	AUCLow, AUCHigh, AccuracyLow, AccuracyHigh float64

	Calibration measure.Calibration
	ROC         ROC
	Confusion   [][]float64 // of more than two classes: the weight of the test rows of a class, by the likeliest class
	// Of two classes, Ones and Zeros are the weights of the rows of class 1 and of class 0 with a
	// probability of k/[Thresholds] or more, k = 0, 1, …, Thresholds.
	Ones, Zeros []float64
	Bins        []ReliabilityBin // of the probability of class 1; of more than two classes of the likeliest, and how often it is right
}

// Total returns what all test rows count together.
func (c *Classes) Total() float64 { return kernel.Sum(c.Count) }

// Always returns the accuracy of saying the class that is commonest in training rows of every
// row.
func (c *Classes) Always() float64 { return c.Count[c.Most] / c.Total() }

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
	c := &Classes{Names: names, Share: on.Encoding.Target.Mean, Rows: make([]int, len(names)), Count: make([]float64, len(names))}
	if shares := on.Encoding.Target.Shares; shares != nil {
		c.Most = measure.Likeliest(shares)
		c.Share = shares[c.Most]
	} else if c.Share > .5 {
		c.Most = 1
	}
	for i, y := range test.Y {
		c.Rows[int(y)]++
		c.Count[int(y)] += measure.Weight(test.Weight, i)
	}
	f := make([]float64, len(test.Y)*on.Encoding.Target.Scores())
	a.run.Lead().Predict(f, test.Z, nil)
	c.Model = Metrics(f, test.Y, test.Weight, a.run.Calibration())
	base.Shown.Predict(f, on.Test.Z)
	c.Ridge = Metrics(f, on.Test.Y, test.Weight, base.Calibration)
	if t := a.shared.trees; t != nil {
		c.Trees = t.Metrics
	}
	return c, nil
}

// Metrics measures log-odds f of rows of classes y, or the scores of more than two classes.
// Weight is nil for 1 each.
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
	if len(f) > n {
		t.ofMany(shown, y, weight, all)
		return t
	}
	p := make([]float64, n)
	for i, v := range shown {
		p[i] = kernel.Logistic(v)
		e := p[i] - y[i]
		t.Brier += float64(float64(e*e)*measure.Weight(weight, i)) / all
	}
	by := falling(shown) // log-odds tell rows apart whose probabilities are both 1
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

// falling returns the places of f, the largest first.
func falling(f []float64) []int {
	return order.Of(len(f), func(a, b int) int {
		switch {
		case f[a] > f[b]:
			return -1
		case f[a] < f[b]:
			return 1
		}
		return a - b
	})
}

// ofMany measures scores f of rows of more than two classes, whose weights add up to all.
func (t *ClassMetrics) ofMany(f, y, weight []float64, all float64) {
	n, k := len(y), len(f)/len(y)
	p := make([]float64, len(f))
	t.Confusion = make([][]float64, k)
	for c := range t.Confusion {
		t.Confusion[c] = make([]float64, k)
	}
	sure, right, own, is := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, class := range y {
		row, w := p[i*k:][:k], measure.Weight(weight, i)
		kernel.Softmax(row, f[i*k:][:k])
		said := measure.Likeliest(row)
		sure[i] = row[said]
		if said == int(class) {
			right[i] = 1
		}
		t.Confusion[int(class)][said] += w
		t.Accuracy += float64(w * right[i])
		for c, v := range row {
			if c == int(class) {
				v--
			}
			t.Brier += float64(float64(v*v)*w) / all
		}
	}
	t.Accuracy /= all
	t.AccuracyLow, t.AccuracyHigh = measure.Wilson(t.Accuracy, measure.Effective(n, weight))
	t.Bins = reliability(falling(sure), sure, right, weight)
	present := 0.0
	for c := range k {
		for i, class := range y {
			own[i], is[i] = f[i*k+c]-kernel.LogSumExp(f[i*k:][:k], c), 0
			if int(class) == c {
				is[i] = 1
			}
		}
		if auc, _ := roc(falling(own), own, own, is, weight); auc == auc {
			t.AUC += auc
			present++
		}
	}
	t.AUC /= present // 0/0 is NaN
	t.AUCLow, t.AUCHigh = math.NaN(), math.NaN()
}
