package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/solve"
)

// What errors are measured in: records, baselines and all that is compared.
const (
	MeasureRMSE    = "rmse"     // root mean squared error, in units of the target
	MeasureLogLoss = "log-loss" // of classes: the mean over rows of −log of the probability of the row's own class, in nats
)

// measureOf returns what errors of a target are measured in.
func measureOf(t *design.Target) string {
	if t.Logistic {
		return MeasureLogLoss
	}
	return MeasureRMSE
}

// Measure returns what the errors of r are measured in, [MeasureRMSE] or
// [MeasureLogLoss].
func (r *Run) Measure() string { return measureOf(&r.rows.Encoding.Target) }

// ClassNames returns the classes of the target, the one that is 0 first, if models
// learn how likely the other is; else nil.
func (r *Run) ClassNames() []string { return classNames(&r.rows.Encoding.Target) }

// Measure returns what errors of the model are measured in, as [Run.Measure] does.
func (k *Kept) Measure() string { return measureOf(&k.Encoding.Target) }

// ClassNames returns the classes of the model's target, as [Run.ClassNames] does.
func (k *Kept) ClassNames() []string { return classNames(&k.Encoding.Target) }

func classNames(t *design.Target) []string {
	if t.Logistic {
		return t.Levels
	}
	return nil
}

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
	mean := meanOf(y, weight)
	if t.Logistic {
		return math.Log(mean / (1 - mean))
	}
	return mean
}

// spread returns the loss of the mean over all training rows, in units of the scaled
// target: half of what they count, as the variance is 1, or of classes their entropy.
func (r *rows) spread() float64 {
	n := total(r.Train)
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

// Calibration says how log-odds f of a model become those of the probabilities that
// are shown, Slope·f + Offset (Platt, "Probabilistic outputs for support vector
// machines", 1999). Both are fitted to rows that have not trained the model: to the
// validation rows or, where folds have chosen it, to each fold as the model that is
// fitted anew without that fold predicts it. They are used where these rows show by more
// than chance that f is off: where twice what all rows' log-loss falls by exceeds 5.99,
// the 95 % quantile of χ² with two degrees of freedom, and the slope is positive, so
// that the order of rows stays. Of rows with weights chance goes by their effective
// number, as [effective] has it.
type Calibration struct {
	Slope, Offset float64 // as fitted, whether they are used or not
	Used          bool
	Rows          int // that have not trained the model; 0 where there were none, or all of one class: then they are 1 and 0
}

// platt fits a calibration to log-odds f of rows of classes y, in which each counts its
// weight; nil for 1 each. As Platt does, it takes classes for (ones + 1)/(ones + 2) and
// 1/(zeros + 2), so that rows that are separable have a fit. O(rows).
func platt(f, y, weight []float64) Calibration {
	c := Calibration{Slope: 1}
	n := effective(len(y), weight)
	scale := 1.
	if weight != nil {
		scale = n / kernel.Sum(weight)
	}
	counts := func(i int) float64 { return float64(scale * weightOf(weight, i)) }
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
	c.Used = a > 0 && 2*n*(logLoss(f, y, weight, 1)-logLoss(c.of(f), y, weight, 1)) > chance
	return c
}

// of returns log-odds as they are with the calibration.
func (c *Calibration) of(f []float64) []float64 {
	out := make([]float64, len(f))
	for i, v := range f {
		out[i] = float64(c.Slope*v) + c.Offset
	}
	return out
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
	Calibration Calibration
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
		c.Count[int(y)] += weightOf(test.Weight, i)
	}
	f := make([]float64, len(test.Y))
	r.best.Predict(f, test.Z, &r.eval.scratch)
	own := Calibration{Slope: 1}
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
func tell(f, y, weight []float64, c Calibration) Told {
	t := Told{Plain: logLoss(f, y, weight, 1), Fitted: logLoss(c.of(f), y, weight, 1), Calibration: c}
	shown := f
	if t.LogLoss = t.Plain; c.Used {
		shown, t.LogLoss = c.of(f), t.Fitted
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
		t.Brier += float64(float64(e*e)*weightOf(weight, i)) / all
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
			if w := weightOf(weight, by[i]); y[by[i]] == 1 {
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
			if w := weightOf(weight, by[at]); y[by[at]] == 1 {
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
			w := weightOf(weight, i)
			all += w
			ones += float64(w * y[i])
			squares += float64(w * w)
		}
		for _, i := range by[start:end] {
			b.Mean += float64(p[i]*weightOf(weight, i)) / all
		}
		b.Share = ones / all
		b.Low, b.High = wilson(b.Share, float64(all*all)/squares)
		bins = append(bins, b)
		for end = start; k < parts && n-(k+1)*n/parts >= end; k++ {
		}
	}
	return bins
}
