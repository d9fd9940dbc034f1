package core

import (
	"math"

	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Kept is a model that was kept in a file, with what it takes to predict the rows
// of any table that has its columns.
type Kept struct {
	Model    *fm.Model
	Encoding data.Encoding
}

// ReadModel reads a model file (package fm describes it). It returns a
// [*fm.FileError] for one that is broken, or whose features are not those that a
// table's columns make. O(bytes).
func ReadModel(file []byte) (*Kept, error) {
	m, enc, err := fm.Parse(file)
	if err != nil {
		return nil, err
	}
	k := &Kept{Model: m, Encoding: enc}
	return k, k.check()
}

// check returns a *fm.FileError unless the features of each column stand next to
// each other, a column's number first, if it has one, or its knots, two or more and
// ascending.
func (k *Kept) check() error {
	wrong := func(name string) error {
		return &fm.FileError{Field: "features", Found: "out of order at " + name, Want: "those of a column next to each other, a value, or two ascending knots or more, before the others"}
	}
	seen, last := map[string]bool{}, data.Feature{}
	knots := 0 // of the column so far
	for j, f := range k.Encoding.Features {
		first := j == 0 || f.Column != last.Column
		follows := !first && last.Kind == data.FeatureKnot
		switch {
		case first && seen[f.Column], !first && f.Kind == data.FeatureValue,
			!first && f.Kind == data.FeatureKnot && !(follows && f.Knot > last.Knot),
			knots == 1 && !(follows && f.Kind == data.FeatureKnot):
			return wrong(f.Name)
		case first:
			knots = 0
		}
		if f.Kind == data.FeatureKnot {
			knots++
		}
		last = f
		seen[f.Column] = true
	}
	if knots == 1 {
		return wrong(last.Name)
	}
	return nil
}

// Features returns the names of the columns of the design.
func (k *Kept) Features() []string { return featureNames(k.Encoding) }

// Learnt returns what of the target the model has learnt, in words, as
// [data.Target.Learnt] does.
func (k *Kept) Learnt() string { return k.Encoding.Target.Learnt() }

// Interaction returns M in units of what the model has learnt per standard deviation of both features
// (for a feature of 0 and 1, per change from one to the other): in the features'
// own units a pair of large numbers would look weak. It returns a [*TooWideError]
// beyond [MaxMatrix] features. O(d²k).
func (k *Kept) Interaction() (Matrix, error) {
	if d := k.Model.D; d > MaxMatrix {
		return Matrix{}, &TooWideError{Features: d}
	}
	m := Matrix{Names: k.Features(), Values: k.Model.Interaction(), Eigenvalues: eigenvalues(k.Model, nil, k.Encoding.Target.Scale), Rank: k.Model.Rank}
	for i := range m.Values {
		m.Values[i] *= k.Encoding.Target.Scale
	}
	clearApart(m.Values, k.Encoding)
	return m, nil
}

// Predicted is what a model says of a table, in target units, a row each.
type Predicted struct {
	Line      []int32 // of the file
	Predicted []float64
	Actual    []float64 // NaN where the table does not say
	RMSE      float64   // of the rows with both; NaN without one
	Notices   []string
	// Skipped are cells that could not be used as they stand, and rows whose
	// prediction is no finite number; the first 1000, in the order of lines.
	Skipped      []data.RowError
	SkippedCount int
}

// predictBytes bounds the design of the rows that are predicted together.
const predictBytes = 16 << 20

// Predict predicts every row of a table as [Run.Predictions] does its test rows:
// bit for bit, unless the design that was trained on was beyond [data.MaxBytes]
// before all that can be sparse was made so, which sums in another order.
// [data.Table.Apply] says what becomes of missing cells and unknown levels, and
// returns the error. A prediction that is not finite, since cells lie far beyond
// those of the training rows, is NaN and its row is listed; one whose logarithm was
// learnt is held, as [data.Target.Raw] says, and counted in the notices. It costs
// O(rows·(columns + features·rank)), and of memory 16 MB and the result.
func (k *Kept) Predict(table *data.Table) (*Predicted, error) {
	a, err := table.Apply(&k.Encoding)
	if err != nil {
		return nil, err
	}
	n, target := table.Rows(), &k.Encoding.Target
	p := &Predicted{
		Line: make([]int32, n), Predicted: make([]float64, n), Actual: a.Actual,
		Notices: a.Notices, Skipped: a.Odd, SkippedCount: a.OddCount,
	}
	if p.Actual == nil {
		p.Actual = make([]float64, n)
		for i := range p.Actual {
			p.Actual[i] = math.NaN()
		}
	}
	step := max(1, int(predictBytes/k.Encoding.Bytes(data.BlockRows))) * data.BlockRows
	var scratch fm.Scratch
	sum, rows, held := 0.0, 0, 0
	for lo := 0; lo < n; lo += step {
		hi := min(lo+step, n)
		part := p.Predicted[lo:hi]
		k.Model.Predict(part, a.Rows(lo, hi), &scratch)
		for i, v := range part {
			row := lo + i
			v = target.Raw(v)
			if target.Log != data.LogNone && v == target.Most {
				held++
			}
			p.Line[row] = int32(table.Line(row))
			if !finite(v) {
				v = math.NaN()
				p.skip(table, row)
			}
			part[i] = v
			if e := v - p.Actual[row]; e == e {
				sum += float64(e * e)
				rows++
			}
		}
	}
	if held > 0 {
		p.Notices = append(p.Notices, message.Sprintf("%s would be predicted beyond %.4g, far above the training rows, in %d of %d rows; it is held to that there", target.Name, target.Most, held, n))
	}
	p.RMSE = math.Sqrt(sum / float64(rows)) // 0/0 is NaN
	order.Sort(p.Skipped, func(a, b data.RowError) int { return a.Line - b.Line })
	return p, nil
}

// skip lists a row whose prediction is not finite.
func (p *Predicted) skip(table *data.Table, row int) {
	p.SkippedCount++
	if line := table.Line(row); len(p.Skipped) < 1000 {
		p.Skipped = append(p.Skipped, data.RowError{Problem: data.NotNumber, File: table.Name, Line: line,
			Message: "the prediction is not a finite number; look for a cell far beyond those that the model was trained on"})
	}
}

func featureNames(enc data.Encoding) []string {
	names := make([]string, len(enc.Features))
	for i, f := range enc.Features {
		names[i] = f.Name
	}
	return names
}
