package estimator

import (
	"context"
	"fmt"

	"ifmlab/core/message"
	"ifmlab/core/task"
)

// Baseline is another model's result on the test rows.
type Baseline struct {
	Name      string
	Error     float64   // of the test rows, in the measure of [Model.Measure]; NaN without test rows
	Predicted []float64 // of the rows of [Fitted.Test], as theirs
	Choice    string    // what validation rows chose, in words, or ""
}

// Mean predicts the mean of the targets that the model was fitted to, or the shares of the
// classes.
func (f *Fitted) Mean() (Baseline, error) {
	predicted := make([]float64, len(f.test.Actual))
	target := &f.run.Leading().Encoding.Target
	for i, y := range f.test.Actual {
		if predicted[i] = target.Mean; target.Shares != nil {
			predicted[i] = target.Shares[int(y)]
		}
	}
	base, err := f.run.Baselines()
	return Baseline{Name: "mean", Error: base.Mean, Predicted: predicted}, err
}

// Ridge is ridge regression on the features, logistic for a target with classes. Validation
// rows choose its penalty.
func (f *Fitted) Ridge() (Baseline, error) {
	base, err := f.run.Baselines()
	return Baseline{Name: "linear", Error: base.Ridge, Predicted: f.test.Ridge, Choice: fmt.Sprintf("λ = %.4g a row", base.Lambda)}, err
}

// Additive is ridge with numbers as piecewise-linear bases: a curve for each column and no
// interaction. ok is false where that is not tried, or where validation rows find it no
// better than [Fitted.Ridge].
func (f *Fitted) Additive() (b Baseline, ok bool) {
	a := f.run.Additive()
	if a == nil {
		return b, false
	}
	return Baseline{Name: "curves", Error: a.Test, Predicted: a.Predicted, Choice: fmt.Sprintf("λ = %.4g a row", a.Lambda)}, true
}

// Quadratic is ridge regression on the features, their squares and all their products.
// It encodes the table once more. Errors are those of [assess.Assessment.Quadratic].
func (f *Fitted) Quadratic() (Baseline, error) {
	q, err := f.run.Quadratic()
	return Baseline{Name: "pairs", Error: q.Error, Predicted: q.Predicted, Choice: fmt.Sprintf("λ = %.4g a row, of %d columns", q.Lambda, q.Columns)}, err
}

// Trees are gradient boosted regression trees, which need validation rows. progress, if
// not nil, is called after every tree. Errors are those of [assess.Assessment.Trees], and the cause
// when ctx ends. Package trees has the cost.
func (f *Fitted) Trees(ctx context.Context, progress func(grown, most int)) (Baseline, error) {
	if !f.run.Validates() && task.Folds(f.spec.Spec) == 0 {
		return Baseline{}, &NoValidationError{Choices: 2}
	}
	t, err := f.run.Trees()
	for err == nil && !t.Done {
		if ctx.Err() != nil {
			return Baseline{}, context.Cause(ctx)
		}
		if err = t.Next(); err == nil && progress != nil {
			progress(t.Grown, t.Most)
		}
	}
	if err != nil {
		return Baseline{}, err
	}
	return Baseline{Name: "boosted trees", Error: t.Error, Predicted: t.Predicted, Choice: fmt.Sprintf("%d %s of at most %d leaves", t.Count, message.Either(t.Count == 1, "tree", "trees"), t.Leaves)}, nil
}
