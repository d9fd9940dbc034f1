package core

import (
	"bytes"
	"cmp"
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Matrix is an interaction matrix with the names of its rows, and the fit it
// comes from.
type Matrix struct {
	Names  []string
	Values []float64 // len(Names)², row-major, symmetric; 0 of features that never meet in a row
	// Eigenvalues are those of the matrix before its diagonal is left out that are
	// not 0 by its form, largest first: Rank of FM's UUᵀ, none negative; 2·Rank of
	// sym(UVᵀ); of a truth as many as it was drawn with, K, or 2·K of Gaussian
	// factors of both signs; and at most len(Names). Of drawn rows they are in the
	// units of Values; of a table in target units for a standard deviation of both
	// features, as eigenvalues over features of different units mean nothing.
	Eigenvalues []float64
	Rank        int
	Lambda      float64 // a row
	Iteration   int
}

// MaxMatrix is the number of features beyond which an interaction matrix is not
// written out: it would take 32 MB.
const MaxMatrix = 2000

// TooWideError says that a matrix is too large to write out.
type TooWideError struct{ Features int }

func (e *TooWideError) Error() string {
	return message.Sprintf("core: the interactions of %d features are %d numbers, want at most %d features; keep the model file, which holds their factors", e.Features, e.Features*e.Features, MaxMatrix)
}

// Predictions holds the test rows, in target units; of classes 0 and 1, and the
// probabilities of class 1.
type Predictions struct {
	Line      []int // of the file; the row's number, from 1, for synthetic rows
	Actual    []float64
	Weight    []float64 // what each row counts; nil for 1 each
	Predicted []float64 // of classes calibrated, where that is used
	Ridge     []float64 // what ridge predicts for the same rows
	Error     float64   // of Predicted, in the measure that [Run.Measure] names
}

// Baselines holds the test errors of the simplest models, in the measure that
// [Run.Measure] names.
type Baselines struct {
	Mean   float64 // the training mean; of classes the share of class 1 as a probability
	Ridge  float64
	Lambda float64 // ridge's, a row, chosen on validation rows; 0 without them
}

// Features returns the names of the columns of the design, that of the model that
// leads once there is one.
func (r *Run) Features() []string { return featureNames(r.leading().Encoding) }

// leading returns what the model that leads was trained on.
func (r *Run) leading() *rows {
	if r.bestOn != nil {
		return r.bestOn
	}
	return r.rows
}

// Target returns the name of the target.
func (r *Run) Target() string { return r.rows.Encoding.Target.Name }

// Learnt returns what of the target the models learn, in words, as
// [design.Target.Learnt] does: interactions are in its units.
func (r *Run) Learnt() string { return r.rows.Encoding.Target.Learnt() }

// Truth returns M* of synthetic rows, in the units of the features as drawn;
// ok is false for a table.
func (r *Run) Truth() (m Matrix, ok bool) {
	if r.rows.truth == nil {
		return Matrix{}, false
	}
	truth := r.rows.truth
	return Matrix{Names: r.Features(), Values: truth.Interaction(), Eigenvalues: truth.Eigenvalues(nil), Rank: truth.Rank}, true
}

// Interaction returns M of the model that leads, in the units of the features
// and the target as they were given, or of its logarithm where that is learnt. It returns [ErrNoModel] before the first
// record and a [*TooWideError] beyond [MaxMatrix] features. O(d²k).
func (r *Run) Interaction() (Matrix, error) {
	if r.best == nil {
		return Matrix{}, ErrNoModel
	}
	if d := r.best.D; d > MaxMatrix {
		return Matrix{}, &TooWideError{Features: d}
	}
	model, encoding := r.kept()
	return Matrix{
		Names:       r.Features(),
		Values:      model.Raw(encoding).M,
		Eigenvalues: r.eigenvalues(),
		Rank:        r.bestAt.Rank,
		Lambda:      r.bestAt.Lambda,
		Iteration:   r.bestAt.Iteration,
	}, nil
}

// eigenvalues returns those that [Matrix] promises of the model that leads.
func (r *Run) eigenvalues() []float64 {
	var units []float64
	if r.rows.truth != nil {
		for _, f := range r.rows.Encoding.Features {
			units = append(units, 1/f.Scale)
		}
	}
	model, encoding := r.kept()
	return eigenvalues(model, units, encoding.Target.Scale)
}

// eigenvalues returns scale times those of a model over features in these units:
// with 0 for the second one of a factor that turned out a square. O(d·k² + k³).
func eigenvalues(m *fm.Model, units []float64, scale float64) []float64 {
	values := m.Eigenvalues(units)
	for i := range values {
		values[i] *= scale
	}
	if m.Kind != fm.FM {
		values = append(values, make([]float64, min(2*m.Rank, m.D)-len(values))...)
		order.Sort(values, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	return values
}

// TestError returns the error of [Run.Predictions], in the measure that [Run.Measure]
// names: of classes that of calibrated probabilities, once the run is over. It is NaN
// before the first record. O(n·d·k).
func (r *Run) TestError() float64 {
	if r.best == nil {
		return math.NaN()
	}
	model, encoding := r.kept()
	return r.eval.errorOn(model, r.leading().Test, &encoding.Target)
}

// Predictions returns what the model that leads predicts for the test rows. It
// returns [ErrNoModel] before the first record. O(n·d·k), and what [Run.Baselines]
// costs the first time.
func (r *Run) Predictions() (Predictions, error) {
	if r.best == nil {
		return Predictions{}, ErrNoModel
	}
	model, encoding := r.kept()
	test, target := r.leading().Test, &encoding.Target
	p := Predictions{
		Line:      test.Line,
		Weight:    test.Weight,
		Actual:    make([]float64, len(test.Y)),
		Predicted: make([]float64, len(test.Y)),
		Error:     r.TestError(),
	}
	model.Predict(p.Predicted, test.Z, &r.eval.scratch)
	base, err := r.rows.baselines()
	if err != nil {
		return Predictions{}, err
	}
	p.Ridge = make([]float64, len(test.Y))
	base.shown.Predict(p.Ridge, r.rows.Test.Z)
	copy(p.Actual, test.Raw)
	for i, y := range test.Y {
		if test.Raw == nil {
			p.Actual[i] = target.Raw(y)
		}
		p.Predicted[i] = target.Raw(p.Predicted[i])
		p.Ridge[i] = r.rows.Encoding.Target.Raw(p.Ridge[i])
	}
	return p, nil
}

// Baselines fits the simplest models, once: O(n·d²).
func (r *Run) Baselines() (Baselines, error) {
	b, err := r.rows.baselines()
	if err != nil {
		return Baselines{}, err
	}
	return Baselines{Mean: b.mean, Ridge: b.test, Lambda: b.lambda}, nil
}

// Model returns the model that leads as a file (package fm describes it), with its
// prediction intervals once [Run.Intervals] has found them, or [ErrNoModel] before the
// first record.
func (r *Run) Model() ([]byte, error) {
	if r.best == nil {
		return nil, ErrNoModel
	}
	var b bytes.Buffer
	model, encoding := r.kept()
	file := *model
	if r.intervals != nil {
		file.Interval = r.intervals.result.Interval
	}
	err := file.Write(&b, encoding)
	return b.Bytes(), err
}

// evaluation is the scratch of errors over rows.
type evaluation struct {
	scratch   fm.Scratch
	predicted []float64
}

// errorOn returns the RMSE over the rows of p in units of the table, of classes the
// mean log-loss, NaN when it has none.
func (e *evaluation) errorOn(m *fm.Model, p design.Part, target *design.Target) float64 {
	n := len(p.Y)
	if n == 0 {
		return math.NaN()
	}
	if cap(e.predicted) < n {
		e.predicted = make([]float64, n)
	}
	f := e.predicted[:n]
	m.Predict(f, p.Z, &e.scratch)
	return rawError(f, p, target)
}

// rawError returns the RMSE, in units of the table, of what is predicted of the scaled
// target for the rows of p, which it spoils; of classes the mean log-loss; NaN without
// rows.
func rawError(f []float64, p design.Part, target *design.Target) float64 {
	switch {
	case len(f) == 0:
		return math.NaN()
	case target.Logistic:
		return logLoss(f, p.Y, p.Weight, target.Scale)
	case target.Log == design.LogNone:
		return rootMeanSquare(f, p.Y, p.Weight) * target.Scale
	}
	for i, y := range f {
		f[i] = target.Raw(y)
	}
	return rootMeanSquare(f, p.Raw, p.Weight)
}
