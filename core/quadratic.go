package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/message"
)

// Quadratic is what ridge on the features, their squares and their products
// makes of the test rows, in target units: the strongest of the simple models. Of
// classes it is logistic, and predicts probabilities.
type Quadratic struct {
	Error     float64 // of the test rows, in the measure that [Run.Measure] names
	Lambda    float64 // a row, chosen on validation rows from ridge's candidates, with folds on those that there are without; 0 without them
	Columns   int     // of features, squares and products together
	Predicted []float64
}

// Quadratic fits ridge to the features of the rows, scaled as for every model,
// with their squares and products, all scaled to variance 1 over training rows
// ([linear.Quadratic], of classes [linear.LogisticQuadratic]). The first call for the rows of a trial costs what
// preparing and fitting these cost, and, on a run that is done,
// the rows once more, for they are let go of. It may come before the first record.
//
// It returns a [*linear.TooManyProductsError] for more products than a page can
// wait for, a [*TestRowError] if the target of a test row is so far from those of the
// training rows that the square of its error is no number, and a [NoTableError] if the run is closed and
// its table gone with it.
func (r *Run) Quadratic() (Quadratic, error) {
	if r.rows.quadratic != nil {
		return *r.rows.quadratic, nil
	}
	rows, err := r.trainingRows(r.rows)
	if err != nil {
		return Quadratic{}, err
	}
	if r.found != nil {
		plain, err := r.unfolded()
		if err != nil {
			return Quadratic{}, err
		}
		chosen, err := plain.rows.fitQuadratic()
		if err != nil {
			return Quadratic{}, err
		}
		n := measure.Total(plain.rows.Train) // of which so many pseudo-rows are a share, or not
		if !searches(r.spec) {
			n = measure.Total(rows.Train)
		}
		all := *rows
		all.penalties = []float64{chosen.Lambda * n}
		rows = &all
	}
	q, err := rows.fitQuadratic()
	if err != nil {
		return Quadratic{}, err
	}
	r.rows.quadratic = q
	return *q, nil
}

// TestRowError says that quadratic ridge has no test RMSE that is a number: features
// are held, so that it is the target of a test row that lies too far out.
type TestRowError struct {
	Target string
	Found  float64
}

func (e *TestRowError) Error() string {
	return message.Sprintf("core: its test RMSE is %g; look for a test row whose %s is far beyond that of the others", e.Found, e.Target)
}

func (*TestRowError) Kind() string { return "TestRowError" }

func (r *rows) fitQuadratic() (*Quadratic, error) {
	target := &r.Encoding.Target
	fits, err := newQuadratic(target, r.Train)
	if err != nil {
		return nil, err
	}
	surface, lambda, err := r.choose(func(total float64) (predictor, error) { return fits.Fit(total) })
	if err != nil {
		return nil, err
	}
	predicted := make([]float64, len(r.Test.Y))
	surface.Predict(predicted, r.Test.Z)
	for i, y := range predicted {
		predicted[i] = target.Raw(y)
	}
	test := predictedError(surface, r.Test, target)
	if len(predicted) > 0 && !measure.Finite(test) {
		return nil, &TestRowError{Target: r.Encoding.Target.Name, Found: test}
	}
	return &Quadratic{Error: test, Lambda: lambda / measure.Total(r.Train), Columns: fits.Columns(), Predicted: predicted}, nil
}

// products is ridge with squares and products for any penalty.
type products interface {
	Columns() int
	Fit(total float64) (linear.Surface, error)
}

func newQuadratic(t *design.Target, p design.Part) (products, error) {
	if t.Logistic {
		return linear.NewLogisticQuadratic(p.Z, p.Y, p.Weight)
	}
	return linear.NewQuadratic(p.Z, p.Y, p.Weight)
}

// predictor is a baseline once it is fitted.
type predictor interface {
	Predict(dst []float64, z design.Design)
}

// choose returns the fit of the candidate penalties with the lowest validation
// error, and that penalty. Without validation rows there is one. Where penalties fall,
// it looks no further after several in a row that were worse.
func (r *rows) choose(fit func(total float64) (predictor, error)) (best predictor, lambda float64, err error) {
	const several = 3
	lowest, worse := math.NaN(), 0
	for i, l := range r.penalties {
		if worse == several && !r.every && i > 0 && l < r.penalties[i-1] {
			break
		}
		p, err := fit(l)
		if err != nil {
			return nil, 0, err
		}
		worse++
		valid := predictedError(p, r.Valid, &r.Encoding.Target)
		if r.every {
			r.tried = append(r.tried, valid)
		}
		if !(valid >= lowest) {
			best, lambda, lowest, worse = p, l, valid, 0
		}
	}
	return best, lambda, nil
}

// predictedError returns the RMSE of a fit over the rows of p in units of the table, of
// classes the mean log-loss, NaN when it has none.
func predictedError(fit predictor, p design.Part, target *design.Target) float64 {
	f := make([]float64, len(p.Y))
	if len(f) > 0 {
		fit.Predict(f, p.Z)
	}
	return measure.Error(f, p, target)
}
