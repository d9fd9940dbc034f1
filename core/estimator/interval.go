package estimator

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
)

// Calibrate finds how far predictions may be off, by conformal prediction: the model is
// fitted anew four times, each time without a quarter of the rows that train and
// validate, and is off by so much on these. Of rows like them, the share Level of
// [Options] lies within its intervals. From then on the model, and its file, has them.
// progress is called with the folds that are done, if it is not nil.
//
// It returns a [*core.NoIntervalError] for a target of two values and where the rows
// are too few for the level, and what ctx says when it is done; the model is then as
// it was. It costs about four times what training costs on the way to the best candidate.
func (f *Fitted) Calibrate(ctx context.Context, progress func(done, of int)) (*core.Ranged, error) {
	search, err := f.run.Intervals()
	if err != nil {
		return nil, err
	}
	for !search.Done() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := search.Next(); err != nil {
			return nil, err
		}
		if _, done, of := search.Progress(); progress != nil {
			progress(done, of)
		}
	}
	file, err := f.run.Model()
	if err != nil {
		return nil, err
	}
	m, err := read(file)
	if err != nil {
		return nil, err
	}
	m.names = f.names
	f.Model = m
	return search.Result(), nil
}

// Intervals returns the ends of the prediction intervals of the rows of x, in units of
// the target. It returns a [*core.NoIntervalError] for a model that was saved without,
// and the errors of [Model.Predict]. O(n·d·k).
func (m *Model) Intervals(x mat.Matrix) (low, high []float64, err error) {
	if m.kept.Model.Interval == nil {
		return nil, nil, &core.NoIntervalError{Message: "the model has no prediction intervals; calibrate it before it is saved"}
	}
	table, err := m.table(x)
	if err != nil {
		return nil, nil, err
	}
	p, err := m.kept.Predict(table)
	if err != nil {
		return nil, nil, err
	}
	return p.Low, p.High, nil
}
