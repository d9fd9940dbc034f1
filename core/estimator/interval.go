package estimator

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core/assess"
)

// Calibrate adds prediction intervals to the model and its file, by conformal prediction.
// It refits the model four times, each time without a quarter of the training and
// validation rows, and takes the errors on that quarter. Among rows like these, the share
// Level of [Options] lies within the intervals. progress, if not nil, is called with the
// number of folds that are done.
//
// It returns a [*assess.NoIntervalError] for a target with classes and for too few rows, and
// the cause when ctx ends. After an error the model is unchanged. It costs about four times
// the training of the best candidate.
func (f *Fitted) Calibrate(ctx context.Context, progress func(done, of int)) (*assess.IntervalReport, error) {
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
	return search.Result(), f.take(file)
}

// Intervals returns the ends of the prediction intervals of the rows of x, in units of
// the target. It returns a [*assess.NoIntervalError] for a model without intervals, and the
// errors of [Model.Predict]. O(n·d·k).
func (m *Model) Intervals(x mat.Matrix) (low, high []float64, err error) {
	if m.saved.Model.Interval == nil {
		return nil, nil, &assess.NoIntervalError{Message: "the model has no prediction intervals; calibrate it before it is saved"}
	}
	table, err := m.table(x)
	if err != nil {
		return nil, nil, err
	}
	p, err := m.saved.Predict(table)
	if err != nil {
		return nil, nil, err
	}
	return p.Low, p.High, nil
}
