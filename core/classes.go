package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/solve"
)

// Measure returns what the errors of r are measured in, [measure.RMSE] or
// [measure.LogLoss].
func (r *Run) Measure() string { return measure.Of(&r.rows.Encoding.Target) }

// ClassNames returns the classes of the target, the one that is 0 first, if models
// learn how likely the other is; else nil.
func (r *Run) ClassNames() []string { return measure.Classes(&r.rows.Encoding.Target) }

// lossOf returns what models of a target minimise.
func lossOf(t *design.Target) solve.Loss {
	if t.Logistic {
		return solve.Logistic
	}
	return solve.Squared
}

// LossError says that a solver does not fit the logistic loss.
type LossError struct{ Solver, Target string }

func (e *LossError) Error() string {
	return message.Sprintf("core: the solver %s fits the squared loss alone, and %s has two classes; choose als, agd or scaled, or set loss=squared", e.Solver, e.Target)
}

func (*LossError) Kind() string { return "LossError" }

// checkLoss returns a [*LossError] unless the solver of r fits the loss of its target.
func (r *Run) checkLoss() error {
	target := &r.rows.Encoding.Target
	if !target.Logistic {
		return nil
	}
	switch r.newSolver(r.rows.Train.Z).(type) {
	case *solve.ALS, *solve.AGD, *solve.ScaledGD:
		return nil
	}
	return &LossError{Solver: solverOf(r.spec), Target: target.Name}
}

// penalized is a linear model for any penalty.
type penalized interface {
	Fit(total float64) (linear.Fit, error)
}

// newLinear prepares ridge on some rows, logistic where they are of two classes.
func newLinear(t *design.Target, z design.Design, y, weight []float64) (penalized, error) {
	if t.Logistic {
		return linear.NewLogistic(z, y, weight)
	}
	return linear.NewWeightedRidge(z, y, weight)
}

// constant returns what is predicted of the scaled target without any feature: its
// mean, or the log-odds of it.
func constant(t *design.Target, y, weight []float64) float64 {
	mean := measure.Mean(y, weight)
	if t.Logistic {
		return math.Log(mean / (1 - mean))
	}
	return mean
}

// spread returns the loss of the mean over all training rows, in units of the scaled
// target: half of what they count, as the variance is 1, or of classes their entropy.
func (r *rows) spread() float64 {
	n := measure.Total(r.Train)
	if !r.Encoding.Target.Logistic {
		return n / 2
	}
	share := r.Encoding.Target.Mean
	return -n * (float64(share*math.Log(share)) + float64((1-share)*math.Log(1-share)))
}

// nearlyApart reports whether a fit gives all but a twentieth of the training rows'
// classes more than a half.
func (r *rows) nearlyApart(fit *linear.Fit) bool {
	y := r.Train.Y
	f := make([]float64, len(y))
	fit.Predict(f, r.Train.Z)
	wrong := 0
	for i, v := range f {
		if float64((y[i]-.5)*v) <= 0 {
			wrong++
		}
	}
	return 20*wrong <= len(y)
}

// judge settles what rows that ridge has not seen say of it, and tells of training rows
// that are separable.
func (r *rows) judge(b *ridge) error {
	var seen unseen
	if r.held == nil {
		seen.predict(r.Valid, func(f []float64) { b.shown.Predict(f, r.Valid.Z) })
	}
	for fold := range r.held {
		train, held := r.without(fold)
		fit, err := fitLinear(&r.Encoding.Target, train, b.total)
		if err != nil {
			return err
		}
		shown := centredFit(fit, r.levels())
		seen.predict(held, func(f []float64) { shown.Predict(f, held.Z) })
	}
	b.calibration = seen.platt()
	if b.fit.Separable {
		r.Notes = append(r.Notes, note.Note{Topic: note.TopicTarget, Columns: []string{r.Encoding.Target.Name}, Text: message.Sprintf("a linear model tells the class of all %d training rows: they are separable, so that nothing but the penalty holds probabilities off 0 and 1", len(r.Train.Y))})
	}
	return nil
}

// calibrate settles the calibration of the model that leads, once the run is over.
func (r *Run) calibrate() {
	on := r.bestOn
	if on == nil || !on.Encoding.Target.Logistic {
		return
	}
	if r.legs == nil {
		r.unseen.predict(on.Valid, func(f []float64) { r.best.Predict(f, on.Valid.Z, &r.eval.scratch) })
	} else if r.folds == nil || r.folds.Finish() != nil {
		r.unseen = unseen{}
	}
	c := r.unseen.platt()
	r.platt, r.unseen, r.folds = &c, unseen{}, nil
}

// kept returns the model that leads as it is shown and kept, with its encoding: itself,
// or calibrated, which makes the slope its scale and moves its bias. O(d·k).
func (r *Run) kept() (*fm.Model, design.Encoding) {
	enc := r.leading().Encoding
	if c := r.platt; c != nil && c.Used {
		m := fm.New(r.best.Kind, r.best.D, r.best.Rank)
		m.Set(r.best)
		m.B += c.Offset / c.Slope
		enc.Target.Scale = c.Slope
		return m, enc
	}
	return r.best, enc
}

// NoClassesError says that a target has no two classes.
type NoClassesError struct{ Target string }

func (e *NoClassesError) Error() string {
	return message.Sprintf("core: models of %s learn numbers, want a target of two classes; choose one, and leave loss=auto", e.Target)
}

func (*NoClassesError) Kind() string { return "NoClassesError" }

// Classes is how well the test rows' classes are told.
type Classes struct {
	Names []string   // class 0 and class 1
	Rows  [2]int     // test rows of each
	Count [2]float64 // what they count together: their number, unless they have weights
	Share float64    // of class 1 in the training rows
	Model Told       // what leads
	Ridge Told
	Trees *Told // nil until they are grown
}

// Told is how well one model tells the classes of the test rows, by what it shows:
// calibrated probabilities where that is used. Of rows with weights each counts its own
// in all of it, as if it were there so often; how sure a share is goes by how many rows
// tell it ([effective]), since a row that counts twice is still one that was seen.
type Told struct {
	LogLoss     float64 // mean, nats
	Plain       float64 // the same without the calibration
	Fitted      float64 // the same with it
	Brier       float64 // mean squared error of the probability
	AUC         float64 // the share of pairs of rows of both classes that are in order, ties half; NaN without both
	Calibration measure.Calibration
	ROC         ROC
	// Ones and Zeros are what the rows of class 1 and of class 0 count together that have
	// a probability of k/[Thresholds] or more, k = 0, 1, …, Thresholds.
	Ones, Zeros []float64
	Bins        []ReliabilityBin
}

// Thresholds is the number of steps in which a threshold goes from 0 to 1.
const Thresholds = 200

// ROC is a receiver operating characteristic: of the rows with a probability of
// Threshold or more, the shares of all rows of class 0 and of all of class 1. It goes
// from (0, 0), of the threshold +Inf, to (1, 1), has a point for each probability, but
// those on a straight line between others, and of more than [MostROC] so many.
type ROC struct{ False, True, Threshold []float64 }

// MostROC is the number of points that a ROC curve has at most.
const MostROC = 200

// ReliabilityBin is a part of the test rows, about as many as the others', from the
// least probability to the largest; equal ones are together.
type ReliabilityBin struct {
	Rows      int
	Mean      float64 // probability
	Share     float64 // of class 1
	Low, High float64 // Wilson's 95 % interval of the share
}

// Classes judges the model that leads, ridge, and boosted trees once they are grown,
// on the test rows. It returns [ErrNoModel] before the first record, and a
// [*NoClassesError] where the target is learnt as a number. O(n·d·k + n·log n).
func (r *Run) Classes() (*Classes, error) {
	if r.best == nil {
		return nil, ErrNoModel
	}
	names := r.ClassNames()
	if names == nil {
		return nil, &NoClassesError{Target: r.Target()}
	}
	base, err := r.rows.baselines()
	if err != nil {
		return nil, err
	}
	test := r.leading().Test
	c := &Classes{Names: names, Share: r.rows.Encoding.Target.Mean}
	for i, y := range test.Y {
		c.Rows[int(y)]++
		c.Count[int(y)] += measure.Weight(test.Weight, i)
	}
	f := make([]float64, len(test.Y))
	r.best.Predict(f, test.Z, &r.eval.scratch)
	own := measure.Calibration{Slope: 1}
	if r.platt != nil {
		own = *r.platt
	}
	c.Model = tell(f, test.Y, test.Weight, own)
	base.shown.Predict(f, r.rows.Test.Z)
	c.Ridge = tell(f, r.rows.Test.Y, test.Weight, base.calibration)
	if t := r.rows.trees; t != nil {
		c.Trees = t.Told
	}
	return c, nil
}

// tell judges log-odds f of rows of classes y, each of which counts its weight, nil for
// 1 each.
func tell(f, y, weight []float64, c measure.Calibration) Told {
	t := Told{Plain: measure.MeanLogLoss(f, y, weight, 1), Fitted: measure.MeanLogLoss(c.Apply(f), y, weight, 1), Calibration: c}
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
	return t
}

// roc goes through rows by falling log-odds.
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

// counts counts the rows of either class from each threshold on.
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

// reliability puts rows into up to ten parts of twenty or more.
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
