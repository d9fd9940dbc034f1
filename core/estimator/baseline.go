package estimator

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"ifmlab/core"
	"ifmlab/core/trees"
)

// Baseline is what a simpler model, or another one, makes of the test rows.
type Baseline struct {
	Name      string
	Error     float64   // of the test rows, in what [Model.Measure] says; NaN without any
	Predicted []float64 // a test row each, in the order of [Fitted.Test], in units of the target; of classes the probability of the second
	Chosen    string    // on validation rows, in words; ""
}

// Mean predicts the mean of the training targets; of classes their shares.
func (f *Fitted) Mean() (Baseline, error) {
	predicted := make([]float64, len(f.test.Actual))
	for i := range predicted {
		predicted[i] = f.kept.Encoding.Target.Mean
	}
	base, err := f.run.Baselines()
	return Baseline{Name: "mean", Error: base.Mean, Predicted: predicted}, err
}

// Ridge is ridge regression on the features, logistic where the target has classes, its
// penalty chosen on validation rows.
func (f *Fitted) Ridge() (Baseline, error) {
	base, err := f.run.Baselines()
	return Baseline{Name: "ridge", Error: base.Ridge, Predicted: f.test.Ridge, Chosen: fmt.Sprintf("λ = %.4g a row", base.Lambda)}, err
}

// Quadratic is ridge regression on the features, their squares and all their
// products: no rank, and one exact solution. Its errors are those of
// [core.Run.Quadratic]; the table is encoded once more.
func (f *Fitted) Quadratic() (Baseline, error) {
	q, err := f.run.Quadratic()
	return Baseline{Name: "quadratic ridge", Error: q.Error, Predicted: q.Predicted, Chosen: fmt.Sprintf("λ = %.4g a row, of %d columns", q.Lambda, q.Columns)}, err
}

// Trees are gradient boosted regression trees, which need validation rows. progress
// is called after every tree with how many there are at most, if it is not nil. Errors are those of
// [core.Run.Trees], and what ctx says when it is done. Package trees has the cost.
func (f *Fitted) Trees(ctx context.Context, progress func(grown, most int)) (Baseline, error) {
	if !f.run.Validates() && core.Folds(f.spec.Spec) == 0 {
		return Baseline{}, &NoValidationError{Choices: 2}
	}
	t, err := f.run.Trees()
	for err == nil && !t.Done {
		if ctx.Err() != nil {
			return Baseline{}, context.Cause(ctx)
		}
		if err = t.Next(); err == nil && progress != nil {
			progress(t.Grown, trees.MostTrees)
		}
	}
	if err != nil {
		return Baseline{}, err
	}
	return Baseline{Name: "boosted trees", Error: t.Error, Predicted: t.Predicted, Chosen: fmt.Sprintf("%d trees of at most %d leaves", t.Count, t.Leaves)}, nil
}

// rmse counts each row's weight; nil for 1 each. It is NaN of no rows.
func rmse(f, y, weight []float64) float64 {
	squares := make([]float64, len(f))
	for i, v := range f {
		squares[i] = (v - y[i]) * (v - y[i])
	}
	return math.Sqrt(stat.Mean(squares, weight))
}
