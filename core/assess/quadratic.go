package assess

import (
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Quadratic is the strongest of the simple models: ridge on the features, their squares
// and their products. For classes it is logistic and predicts probabilities.
type Quadratic struct {
	Error     float64 // of the test rows, in the measure that [measure.Of] names
	Lambda    float64 // a row, chosen on validation rows from ridge's candidates, with folds on those that there are without; 0 without them
	Columns   int     // of features, squares and products together
	Predicted []float64

	calibration measure.Calibration // of classes, by validation rows
}

// Quadratic fits ridge to the features of the rows, scaled as for every model,
// with their squares and products, all scaled to variance 1 over training rows
// ([linear.Quadratic], of classes [linear.LogisticQuadratic]). What validation rows choose is
// fitted once more, to these and the training rows. The first call for the rows of a trial costs what
// preparing and fitting these cost, and, on a run that is done,
// the rows once more, for they are let go of. It may come before the first record.
//
// It returns a [*linear.TooManyProductsError] for more products than a page can
// wait for, a [*TestRowError] if the target of a test row is so far from those of the
// training rows that the square of its error is no number, and a [trial.NoTableError] if the run is closed and
// its table gone with it.
func (a *Assessment) Quadratic() (Quadratic, error) {
	if a.shared.quadratic != nil {
		return *a.shared.quadratic, nil
	}
	var rows *trial.Trial
	var err error
	if a.task != nil && task.Folds(a.task.Spec) > 0 {
		rows, err = a.task.WithoutFolds().Source(trial.NoFold).Open(false)
	} else {
		rows, err = a.run.Rows().Again(a.run.Source(), false)
	}
	if err != nil {
		return Quadratic{}, err
	}
	q, err := fitQuadratic(rows, measure.Calibration{})
	if err != nil {
		return Quadratic{}, err
	}
	if len(rows.Valid.Y) > 0 {
		all, err := a.run.Rows().Refit(a.run.Source(), false)
		if err != nil {
			return Quadratic{}, err
		}
		n := measure.Total(rows.Train) // of which so many pseudo-rows are a share, or not
		if !train.Searches(a.run.Spec()) {
			n = measure.Total(all.Train)
		}
		again := *all
		again.Penalties = []float64{q.Lambda * n}
		if q, err = fitQuadratic(&again, q.calibration); err != nil {
			return Quadratic{}, err
		}
	}
	a.shared.quadratic = q
	return *q, nil
}

// TestRowError says that the test RMSE of quadratic ridge is not finite. Features are
// clipped, so the target of a test row is too far out.
type TestRowError struct {
	Target string
	Found  float64
}

func (e *TestRowError) Error() string {
	return message.Sprintf("assess: its test RMSE is %g; look for a test row whose %s is far from the others", e.Found, e.Target)
}

func (*TestRowError) Kind() string { return "TestRowError" }

// fitQuadratic fits it to the training rows. Of classes validation rows calibrate it, or
// without them, the calibration is given.
func fitQuadratic(t *trial.Trial, calibration measure.Calibration) (*Quadratic, error) {
	target := &t.Encoding.Target
	fits, err := newQuadratic(target, t.Train)
	if err != nil {
		return nil, err
	}
	surface, lambda, err := t.Choose(func(total float64) (trial.Predictor, error) { return fits.Fit(total) })
	if err != nil {
		return nil, err
	}
	if target.Logistic && len(t.Valid.Y) > 0 {
		f := make([]float64, len(t.Valid.Y))
		surface.Predict(f, t.Valid.Z)
		calibration = measure.Platt(f, t.Valid.Y, t.Valid.Weight)
	}
	predicted := make([]float64, len(t.Test.Y))
	surface.Predict(predicted, t.Test.Z)
	if calibration.Used {
		predicted = calibration.Apply(predicted)
	}
	test := measure.Error(slices.Clone(predicted), t.Test, target)
	for i, y := range predicted {
		predicted[i] = target.Raw(y)
	}
	if len(predicted) > 0 && !measure.Finite(test) {
		return nil, &TestRowError{Target: t.Encoding.Target.Name, Found: test}
	}
	return &Quadratic{Error: test, Lambda: lambda / measure.Total(t.Train), Columns: fits.Columns(), Predicted: predicted, calibration: calibration}, nil
}

// products is ridge with squares and products for any penalty.
type products interface {
	Columns() int
	Fit(total float64) (linear.Surface, error)
}

func newQuadratic(t *design.Target, p design.Part) (products, error) {
	if t.Scores() > 1 {
		return nil, &ManyClassesError{What: "regression with pairs", Target: t.Name, Classes: len(t.Levels)}
	}
	if t.Logistic {
		return linear.NewLogisticQuadratic(p.Z, p.Y, p.Weight)
	}
	return linear.NewQuadratic(p.Z, p.Y, p.Weight)
}
