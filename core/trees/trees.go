// Package trees fits gradient boosted regression trees, a baseline that can follow steps
// and interactions of any order.
//
// The prediction is the mean of the target plus a sum of small trees. Each tree is fitted
// to the residuals of the trees before it, and only a share of it is added. The values of
// a column go into at most 255 bins with about equal numbers of rows, and splits are found
// in histograms of residuals. Missing cells go to the side that lowers the loss more.
// Levels are ordered by their mean target. Training rows decide everything but the number
// of trees and the choice between two settings, which validation rows make.
//
// For classes 0 and 1 the trees add up to the log-odds of class 1. The loss is then the
// logistic loss log(1 + eᶠ) − y·f, and each tree is a Newton step on it.
package trees

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
)

// Rows are rows of a table.
type Rows struct {
	Columns []design.Raw // of [roles.Plan.Raw]
	Y       []float64    // targets
}

// Options are the loss and the row weights. The zero value is squared loss and weight 1.
type Options struct {
	Classes      bool      // targets are 0 or 1, and trees predict the log-odds of 1
	Train, Valid []float64 // weights of the rows; nil for 1 each
}

// Booster grows boosted trees.
type Booster struct {
	columns   []column
	scale     float64 // a power of 2, near the largest training target
	mean      float64 // of the training targets over scale; for classes its log-odds
	classes   bool
	grower    *grower // nil once all trees have grown
	train     part
	valid     part
	ensembles []ensemble
	grown     int
	again     bool // the one ensemble has a fixed number of trees

	validTarget []float64               // of the validation rows, in the units of transform
	transform   func(f float64) float64 // of predictions, before they are validated; nil for none
}

// part is the state of training or validation rows.
type part struct {
	y      []float64 // targets over scale less the mean, or classes
	f      []float64 // predictions of y, without the mean
	weight []float64 // nil for 1 each
	bins   [][]uint8 // a column each
}

// ensemble has the trees of one setting.
type ensemble struct {
	setting
	trees []tree
	loss  float64 // the lowest over validation rows
	count int     // of trees at that loss
}

// Again returns a booster that grows the best ensemble of one that is done anew on other
// rows: as many trees of the same setting. Errors are those of [New].
func (b *Booster) Again(rows Rows, weight []float64) (*Booster, error) {
	again, err := New(rows, rows, Options{Classes: b.classes, Train: weight, Valid: weight})
	if err != nil {
		return nil, err
	}
	best := b.best()
	again.again, again.ensembles[0].setting = true, best.setting
	if again.ensembles[0].maxTrees = best.count; best.count == 0 {
		again.grower = nil
	}
	return again, nil
}

// New prepares trees on training rows, with validation rows that decide their number. Both
// have the same columns in the same order, and levels are identified by their texts. A
// level without training rows counts as missing. A row of weight 2 counts as two rows,
// except in the bins of columns with more than 255 values, which hold rows.
//
// It returns a [*invalid.ShapeError] if a part has no rows or shapes disagree, a
// [*invalid.NotFiniteError] for a target, a [*invalid.WeightError], and a [*SizeError] if
// histograms would take more than 268 MB. For classes it may return a [*invalid.ClassError],
// or a [*invalid.OneClassError] if the training rows have one class only. O(rows·columns).
func New(train, valid Rows, o Options) (*Booster, error) {
	if err := check("training", train, o.Train, o.Classes); err != nil {
		return nil, err
	}
	if err := check("validation", valid, o.Valid, o.Classes); err != nil {
		return nil, err
	}
	b := &Booster{scale: scaleOf(train.Y), classes: o.Classes}
	total := float64(len(train.Y))
	if o.Train != nil {
		total = kernel.Sum(o.Train)
	}
	if b.classes {
		b.scale = 1
	}
	for i, y := range train.Y {
		if o.Train != nil {
			y *= o.Train[i]
		}
		b.mean += y / b.scale / total
	}
	centred := b.centred(train.Y) // which levels are ordered by
	b.train.weight, b.valid.weight = o.Train, o.Valid
	if !b.classes {
		b.train.y, b.valid.y = centred, b.centred(valid.Y)
	} else {
		ones := 0.0
		for i, y := range train.Y {
			ones += float64(weightOf(o.Train, i) * y)
		}
		for class, weight := range [...]float64{total - ones, ones} {
			if !(weight > 0) {
				return nil, &invalid.OneClassError{Rows: invalid.Rows{Package: "trees", Part: "training"}, Class: 1 - class}
			}
		}
		b.mean = math.Log(ones / (total - ones))
		b.train.y, b.valid.y = train.Y, valid.Y
	}
	for i := range train.Columns {
		raw := &train.Columns[i]
		c := column{name: raw.Name, kind: raw.Kind}
		values := raw.Numbers
		if c.kind != design.Numeric {
			values = c.order(raw, centred, o.Train)
		}
		c.edges = edges(values)
		b.columns = append(b.columns, c)
		b.train.bins = append(b.train.bins, c.binned(values))
	}
	if err := b.same("validation", valid.Columns); err != nil {
		return nil, err
	}
	b.valid.bins = b.binned(valid.Columns)
	b.grower = newGrower(b.columns, b.train.bins, len(train.Y))
	if b.classes || o.Train != nil {
		b.grower.useNewton(b.classes, b.mean, o.Train, total)
	}
	if bytes := b.grower.bytes(); bytes > maxBytes {
		return nil, &SizeError{Columns: len(b.columns), Bytes: bytes}
	}
	b.begin()
	return b, nil
}

// scaleOf returns a power of 2 that brings all targets to within ±1. Dividing by it is
// exact, and the squares neither overflow nor vanish.
func scaleOf(y []float64) float64 {
	largest := 0.0
	for _, v := range y {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, max(-1000, min(exponent, 1023))) // a power with a finite inverse
}

// centred returns y/scale − mean.
func (b *Booster) centred(y []float64) []float64 {
	centred := make([]float64, len(y))
	for i, v := range y {
		centred[i] = v/b.scale - b.mean
	}
	return centred
}

// binned returns the bins of columns that have been checked.
func (b *Booster) binned(columns []design.Raw) [][]uint8 {
	bins := make([][]uint8, len(columns))
	for j := range columns {
		c := &b.columns[j]
		bins[j] = c.binned(c.values(&columns[j]))
	}
	return bins
}

// begin starts an ensemble with the next setting.
func (b *Booster) begin() {
	b.train.f, b.valid.f = make([]float64, len(b.train.y)), make([]float64, len(b.valid.y))
	b.ensembles = append(b.ensembles, ensemble{setting: settings[len(b.ensembles)], loss: b.validLoss()})
}

// ValidateOn makes validation compare transformed predictions with y, which has a number
// for each validation row: prices, for instance, if trees learn their logarithms. Call it
// before the first Next. O(rows).
func (b *Booster) ValidateOn(y []float64, transform func(f float64) float64) {
	b.validTarget, b.transform = y, transform
	b.ensembles[0].loss = b.validLoss()
}

// validLoss returns the loss over validation rows: the sum of squared errors or, for
// classes, of logistic losses.
func (b *Booster) validLoss() (sum float64) {
	switch {
	case b.classes:
		for i, y := range b.valid.y {
			sum += float64(weightOf(b.valid.weight, i) * kernel.LogLoss(b.mean+b.valid.f[i], y))
		}
		return sum
	case b.transform == nil:
		return b.valid.loss()
	}
	for i, y := range b.validTarget {
		e := b.transform((b.mean+b.valid.f[i])*b.scale) - y
		sum += float64(weightOf(b.valid.weight, i) * float64(e*e))
	}
	return sum
}

// weightOf returns the weight of a row.
func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// loss returns Σ (f − y)², weighted.
func (p *part) loss() (sum float64) {
	for i, y := range p.y {
		e := p.f[i] - y
		sum += float64(weightOf(p.weight, i) * float64(e*e))
	}
	return sum
}

// Next grows one tree and reports whether it was the last one. After the last one it frees
// the memory that only training needs. With n training rows, d columns and trees of L
// leaves it costs at most n·d·(1 + ½·log₂L) additions to histograms, and 4L searches
// through 256·d bins.
func (b *Booster) Next() (done bool) {
	if b.grower == nil {
		return true
	}
	now := &b.ensembles[len(b.ensembles)-1]
	t := b.grower.grow(b.train.y, b.train.f, now.leaves, now.rate)
	b.grown++
	if len(t) > 1 {
		t.add(b.valid.f, b.valid.bins)
		now.trees = append(now.trees, t)
		if loss := b.validLoss(); b.again || loss < now.loss*better {
			now.loss, now.count = loss, len(now.trees)
		}
		if len(now.trees) < now.maxTrees && len(now.trees)-now.count < patience {
			return false
		}
	}
	now.trees = now.trees[:now.count]
	if !b.again && len(b.ensembles) < len(settings) {
		b.begin()
		return false
	}
	b.grower, b.train, b.valid, b.validTarget = nil, part{}, part{}, nil
	return true
}

// Grown returns the number of trees grown so far, at most [MaxTrees].
func (b *Booster) Grown() int { return b.grown }

// Best returns the size of the ensemble with the lowest validation loss so far: the number
// of trees, and the most leaves of each. Without trees, every prediction is the mean.
func (b *Booster) Best() (trees, leaves int) {
	best := b.best()
	return best.count, best.leaves
}

func (b *Booster) best() *ensemble {
	best := &b.ensembles[0]
	for i := range b.ensembles {
		if b.ensembles[i].loss < best.loss {
			best = &b.ensembles[i]
		}
	}
	return best
}

// Predict returns the predictions of the best ensemble for rows, or the log-odds of class
// 1. It returns a [*invalid.ShapeError] unless the columns are those of the training rows.
// O(rows·(columns + trees·depth)).
func (b *Booster) Predict(columns []design.Raw) ([]float64, error) {
	if err := b.same("further", columns); err != nil {
		return nil, err
	}
	rows := length(&columns[0])
	if err := cells("further", columns, rows); err != nil {
		return nil, err
	}
	best := b.best()
	f, bins := make([]float64, rows), b.binned(columns)
	for _, t := range best.trees[:best.count] {
		t.add(f, bins)
	}
	for i := range f {
		f[i] = (b.mean + f[i]) * b.scale
	}
	return f, nil
}
