// Package trees fits gradient boosted regression trees, a baseline that follows
// steps and interactions of any order and knows none of them by name.
//
// The target is predicted as its mean plus a sum of small trees. Each tree is
// fitted to what the ones before it leave, and only a share of it is added. A
// column's values are put into at most 255 bins of about as many rows each, so
// that a split is searched for in a histogram of residuals; cells that are missing
// go to the side where they lower the loss more. Levels are put in order by their
// mean target. All that is learnt comes from the training rows; the validation
// rows say how many trees there are, and which of two settings they come from.
//
// Of classes, 0 and 1, the trees add up to the log-odds of class 1: the loss is the
// logistic one, log(1 + eᶠ) − y·f, and each tree takes a step of Newton's on it.
package trees

import (
	"math"

	"ifmlab/core/data"
	"ifmlab/core/kernel"
)

// Rows is some rows of a table.
type Rows struct {
	Columns []data.Raw // as [data.Plan.Raw] gives them
	Y       []float64  // targets
}

// Terms says how rows count and what is learnt of their targets; its zero value
// is 1 each and squares.
type Terms struct {
	Classes      bool      // targets are 0 or 1, and the log-odds of 1 are predicted
	Train, Valid []float64 // weights of the rows; nil for 1 each
}

// Booster is boosted trees being grown.
type Booster struct {
	columns []column
	scale   float64 // a power of 2, near the largest training target
	mean    float64 // of the training targets over scale; of classes its log-odds
	classes bool
	grower  *grower // nil once no more trees are grown
	train   part
	valid   part
	tried   []ensemble
	grown   int

	judged []float64               // targets of the validation rows as they are judged
	judge  func(y float64) float64 // what is predicted, so; nil where that is as it is learnt
}

// part is rows on their way: their targets over scale less the mean, or their
// classes, what is predicted of that, without the mean, their weights, and the bins
// of their columns.
type part struct {
	y, f   []float64
	weight []float64 // nil for 1 each
	bins   [][]uint8
}

// ensemble is the trees of one setting.
type ensemble struct {
	setting
	trees []tree
	best  float64 // lowest loss over validation rows
	at    int     // the number of trees it is reached with
}

// New prepares trees on training rows, with validation rows that end them. The
// columns of both are the same, in the same order; levels are known by their
// texts. A level that training rows do not have counts as missing. A row of weight 2
// counts as two of them do, but for the bins of columns of more than 255 values,
// which are of rows. It returns a [*ShapeError] if a part has no rows or the shapes
// disagree, a [*NotFiniteError] for a target that is no finite number, a [*SizeError]
// if histograms would take more than 268 MB, a [*WeightError], and for classes a
// [*ClassError] or, where training rows are all of one, a [*OneClassError].
// O(rows·columns).
func New(train, valid Rows, on Terms) (*Booster, error) {
	if err := check("training", train, on.Train, on.Classes); err != nil {
		return nil, err
	}
	if err := check("validation", valid, on.Valid, on.Classes); err != nil {
		return nil, err
	}
	b := &Booster{scale: scaleOf(train.Y), classes: on.Classes}
	total := float64(len(train.Y))
	if on.Train != nil {
		total = kernel.Sum(on.Train)
	}
	if b.classes {
		b.scale = 1
	}
	for i, y := range train.Y {
		if on.Train != nil {
			y *= on.Train[i]
		}
		b.mean += y / b.scale / total
	}
	centred := b.centred(train.Y) // what levels are in order of
	b.train.weight, b.valid.weight = on.Train, on.Valid
	if !b.classes {
		b.train.y, b.valid.y = centred, b.centred(valid.Y)
	} else {
		ones := 0.0
		for i, y := range train.Y {
			ones += float64(weightOf(on.Train, i) * y)
		}
		for class, of := range [...]float64{total - ones, ones} {
			if !(of > 0) {
				return nil, &OneClassError{Class: 1 - class}
			}
		}
		b.mean = math.Log(ones / (total - ones))
		b.train.y, b.valid.y = train.Y, valid.Y
	}
	for i := range train.Columns {
		raw := &train.Columns[i]
		c := column{name: raw.Name, kind: raw.Kind}
		values := raw.Numbers
		if c.kind != data.Numeric {
			values = c.order(raw, centred, on.Train)
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
	if b.classes || on.Train != nil {
		b.grower.weigh(b.classes, b.mean, on.Train, total)
	}
	if bytes := b.grower.bytes(); bytes > maxBytes {
		return nil, &SizeError{Columns: len(b.columns), Bytes: bytes}
	}
	b.begin()
	return b, nil
}

// scaleOf returns a power of 2 that brings all targets to within ±1: dividing by
// it rounds nothing, and their squares neither overflow nor vanish.
func scaleOf(y []float64) float64 {
	largest := 0.0
	for _, v := range y {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, max(-1000, min(exponent, 1023))) // a power that has an inverse
}

// centred returns y/scale − mean.
func (b *Booster) centred(y []float64) []float64 {
	centred := make([]float64, len(y))
	for i, v := range y {
		centred[i] = v/b.scale - b.mean
	}
	return centred
}

// binned returns the bins of columns whose shape was checked.
func (b *Booster) binned(columns []data.Raw) [][]uint8 {
	bins := make([][]uint8, len(columns))
	for j := range columns {
		c := &b.columns[j]
		bins[j] = c.binned(c.values(&columns[j]))
	}
	return bins
}

// begin starts the ensemble of the next setting.
func (b *Booster) begin() {
	b.train.f, b.valid.f = make([]float64, len(b.train.y)), make([]float64, len(b.valid.y))
	b.tried = append(b.tried, ensemble{setting: settings[len(b.tried)], best: b.validLoss()})
}

// Judge makes validation rows judge trees by how far f of what is predicted is from
// y, a row each: of targets that are learnt as another function of what counts. It
// is called before the first Next. O(rows).
func (b *Booster) Judge(y []float64, f func(y float64) float64) {
	b.judged, b.judge = y, f
	b.tried[0].best = b.validLoss()
}

// validLoss returns the loss over validation rows: the sum of squares, or of classes
// that of the logistic loss.
func (b *Booster) validLoss() (sum float64) {
	switch {
	case b.classes:
		for i, y := range b.valid.y {
			sum += float64(weightOf(b.valid.weight, i) * kernel.LogLoss(b.mean+b.valid.f[i], y))
		}
		return sum
	case b.judge == nil:
		return b.valid.loss()
	}
	for i, y := range b.judged {
		e := b.judge((b.mean+b.valid.f[i])*b.scale) - y
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

// Next grows one tree and returns whether it was the last one; when it was, what
// only growing needs is let go of. With n training rows, d columns and trees of L
// leaves it costs at most n·d·(1 + ½·log₂L) additions to histograms and a look
// into each of 256·d bins for each of 2L leaves and ways for missing cells.
func (b *Booster) Next() (done bool) {
	if b.grower == nil {
		return true
	}
	now := &b.tried[len(b.tried)-1]
	t := b.grower.grow(b.train.y, b.train.f, now.leaves, now.rate)
	b.grown++
	if len(t) > 1 {
		t.add(b.valid.f, b.valid.bins)
		now.trees = append(now.trees, t)
		if loss := b.validLoss(); loss < now.best*better {
			now.best, now.at = loss, len(now.trees)
		}
		if len(now.trees) < now.most && len(now.trees)-now.at < patience {
			return false
		}
	}
	now.trees = now.trees[:now.at]
	if len(b.tried) < len(settings) {
		b.begin()
		return false
	}
	b.grower, b.train, b.valid, b.judged = nil, part{}, part{}, nil
	return true
}

// Grown returns the number of trees grown so far, of [MostTrees] at most.
func (b *Booster) Grown() int { return b.grown }

// Lead returns the size of the ensemble that has the lowest loss on validation
// rows so far: how many trees it has and how many leaves each of them may have.
// Without a tree, everything is predicted as the mean.
func (b *Booster) Lead() (trees, leaves int) {
	lead := b.lead()
	return lead.at, lead.leaves
}

func (b *Booster) lead() *ensemble {
	lead := &b.tried[0]
	for i := range b.tried {
		if b.tried[i].best < lead.best {
			lead = &b.tried[i]
		}
	}
	return lead
}

// Predict returns what the ensemble that leads predicts for rows, of classes the
// log-odds of class 1, given by columns like those of the training rows. It returns a [*ShapeError] for others.
// O(rows·(columns + trees·depth)).
func (b *Booster) Predict(columns []data.Raw) ([]float64, error) {
	if err := b.same("further", columns); err != nil {
		return nil, err
	}
	rows := length(&columns[0])
	if err := cells("further", columns, rows); err != nil {
		return nil, err
	}
	lead := b.lead()
	f, bins := make([]float64, rows), b.binned(columns)
	for _, t := range lead.trees[:lead.at] {
		t.add(f, bins)
	}
	for i := range f {
		f[i] = (b.mean + f[i]) * b.scale
	}
	return f, nil
}
