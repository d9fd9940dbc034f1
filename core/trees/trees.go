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
package trees

import (
	"math"

	"ifmlab/core/data"
)

// Rows is some rows of a table.
type Rows struct {
	Columns []data.Raw // as [data.Plan.Raw] gives them
	Y       []float64  // targets
}

// Booster is boosted trees being grown.
type Booster struct {
	columns []column
	scale   float64 // a power of 2, near the largest training target
	mean    float64 // of the training targets over scale
	grower  *grower // nil once no more trees are grown
	train   part
	valid   part
	tried   []ensemble
	grown   int

	judged []float64               // targets of the validation rows as they are judged
	judge  func(y float64) float64 // what is predicted, so; nil where that is as it is learnt
}

// part is rows on their way: their targets over scale less the mean, what is
// predicted of that, and the bins of their columns.
type part struct {
	y, f []float64
	bins [][]uint8
}

// ensemble is the trees of one setting.
type ensemble struct {
	setting
	trees []tree
	best  float64 // lowest sum of squares over validation rows
	at    int     // the number of trees it is reached with
}

// New prepares trees on training rows, with validation rows that end them. The
// columns of both are the same, in the same order; levels are known by their
// texts. A level that training rows do not have counts as missing. It returns a
// [*ShapeError] if a part has no rows or the shapes disagree, a [*NotFiniteError]
// for a target that is no finite number and a [*SizeError] if histograms would
// take more than 268 MB. O(rows·columns).
func New(train, valid Rows) (*Booster, error) {
	if err := check("training", train); err != nil {
		return nil, err
	}
	if err := check("validation", valid); err != nil {
		return nil, err
	}
	b := &Booster{scale: scaleOf(train.Y)}
	for _, y := range train.Y {
		b.mean += y / b.scale / float64(len(train.Y))
	}
	b.train.y, b.valid.y = b.centred(train.Y), b.centred(valid.Y)
	for i := range train.Columns {
		raw := &train.Columns[i]
		c := column{name: raw.Name, kind: raw.Kind}
		values := raw.Numbers
		if c.kind != data.Numeric {
			values = c.order(raw, b.train.y)
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

// validLoss returns the sum of squares over validation rows.
func (b *Booster) validLoss() (sum float64) {
	if b.judge == nil {
		return b.valid.loss()
	}
	for i, y := range b.judged {
		e := b.judge((b.mean+b.valid.f[i])*b.scale) - y
		sum += float64(e * e)
	}
	return sum
}

// loss returns Σ (f − y)².
func (p *part) loss() (sum float64) {
	for i, y := range p.y {
		e := p.f[i] - y
		sum += float64(e * e)
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

// Predict returns what the ensemble that leads predicts for rows, given by
// columns like those of the training rows. It returns a [*ShapeError] for others.
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
