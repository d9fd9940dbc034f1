package estimator

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/linear"
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

// mostKernelRows is how many training rows kernel ridge takes: its matrix has as many
// rows and columns, 200 MB.
const mostKernelRows = 5000

// TooManyRowsError says that a method does not take so many training rows.
type TooManyRowsError struct {
	Method      string
	Found, Most int
}

func (e *TooManyRowsError) Error() string {
	return fmt.Sprintf("estimator: %s takes at most %d training rows, found %d; take a part of the rows", e.Method, e.Most, e.Found)
}

// KernelRidge is kernel ridge regression with a Gaussian kernel over the features,
//
//	f(z) = mean y + Σᵢ cᵢ·exp(−γ‖z − zᵢ‖²)    (K + αI)·c = y − mean y
//
// with numbers scaled to variance 1. Weights of rows count in errors and not in this fit. Validation rows choose α from .001, .01, .1, 1
// and γ from .1/d, .3/d, 1/d, d being the number of features. It returns a
// [*NoValidationError], a [*TooManyRowsError] beyond 5000 training rows, a
// [*ClassesError] for a target of classes, and what ctx says when it is done.
// O(n²·d + n³).
func (f *Fitted) KernelRidge(ctx context.Context) (Baseline, error) {
	if f.Classes() != nil {
		return Baseline{}, &ClassesError{"kernel ridge", f.Target()}
	}
	r, err := f.rows()
	if err != nil {
		return Baseline{}, err
	}
	n, d := r.train.Z.Dims()
	switch {
	case len(r.valid.Y) == 0:
		return Baseline{}, &NoValidationError{Choices: 12}
	case n > mostKernelRows:
		return Baseline{}, &TooManyRowsError{"kernel ridge", n, mostKernelRows}
	}
	x, mean := written(r.train.Z), linear.Mean(r.train.Y)
	y := make([]float64, n)
	for i, v := range r.train.Y {
		y[i] = v - mean
	}
	squares, bumps, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n)
	linear.Distances(squares, x, nil, d)
	predict := func(part part, gamma float64) []float64 {
		rows := written(part.Z)
		near, f := make([]float64, len(part.Y)*n), make([]float64, len(part.Y))
		if len(f) > 0 {
			linear.Distances(near, rows, x, d)
		}
		linear.Gaussian(near, near, gamma)
		for i := range f {
			f[i] = mean
			for j, v := range c {
				f[i] += near[i*n+j] * v
			}
			f[i] = r.target.Raw(f[i])
		}
		return f
	}
	best := Baseline{Name: "kernel ridge", Error: math.NaN()}
	least := math.Inf(1)
	for _, gamma := range []float64{.1, .3, 1} {
		gamma /= float64(d)
		for _, alpha := range []float64{.001, .01, .1, 1} {
			if ctx.Err() != nil {
				return Baseline{}, context.Cause(ctx)
			}
			linear.Gaussian(bumps, squares, gamma)
			if err := linear.SolveKernel(c, bumps, y, alpha); err != nil {
				continue // of rows that are alike; a larger α tells them apart
			}
			if valid := rmse(predict(r.valid, gamma), r.valid.raw, r.valid.Weight); valid < least {
				least = valid
				best.Predicted = predict(r.test, gamma)
				best.Chosen = fmt.Sprintf("α = %g, γ = %.4g", alpha, gamma)
			}
		}
	}
	if best.Predicted == nil {
		return best, &linear.SingularKernelError{Alpha: 1}
	}
	best.Error = rmse(best.Predicted, r.test.raw, r.test.Weight)
	return best, nil
}

// ClassesError says that a method fits numbers alone.
type ClassesError struct{ Method, Target string }

func (e *ClassesError) Error() string {
	return fmt.Sprintf("estimator: %s fits the squared loss alone, and %s has two classes; ask for Ridge, or set loss=squared", e.Method, e.Target)
}

// part is a part of the rows, encoded.
type part struct {
	data.Part
	raw []float64 // targets in units of the table
}

// encoded are the rows that a model was trained, chosen and tested on, numbers as
// they are.
type encoded struct {
	train, valid, test part
	target             data.Target
}

// rows encodes the rows once more, as the run did.
func (f *Fitted) rows() (*encoded, error) {
	plan, err := core.PlanTable(f.spec.Spec, f.table)
	if err != nil {
		return nil, err
	}
	split := plan.Split(core.Stream(f.spec.Seed, 0, core.StreamSplit))
	set, err := plan.Dataset(core.Stream(f.spec.Seed, 0, core.StreamSplit))
	if err != nil {
		return nil, err
	}
	return &encoded{
		train:  part{set.Train, plan.Targets(split.Train)},
		valid:  part{set.Valid, plan.Targets(split.Valid)},
		test:   part{set.Test, plan.Targets(split.Test)},
		target: set.Encoding.Target,
	}, nil
}

// written returns a design row by row.
func written(z data.Design) []float64 {
	n, d := z.Dims()
	rows := z.(interface{ Row(i int) []float64 }) // both forms have it
	x := make([]float64, 0, n*d)
	for i := range n {
		x = append(x, rows.Row(i)...)
	}
	return x
}

// rmse counts each row's weight; nil for 1 each. It is NaN of no rows.
func rmse(f, y, weight []float64) float64 {
	squares := make([]float64, len(f))
	for i, v := range f {
		squares[i] = (v - y[i]) * (v - y[i])
	}
	return math.Sqrt(stat.Mean(squares, weight))
}
