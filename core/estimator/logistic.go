package estimator

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
)

// NotTwoError says that a target is not of two values.
type NotTwoError struct{ Target string }

func (e *NotTwoError) Error() string {
	return fmt.Sprintf("estimator: %s has more than two values, want a target of two; ask for ridge instead", e.Target)
}

// Logistic is ridge-penalised logistic regression on the features, for a target of two
// values: what [Fitted.Ridge] is where the target has classes, by another way. Predicted
// are probabilities of the second one.
//
//	min over w, b of Σ log(1 + e^(−s·(zᵀw + b))) + ½λ‖w‖²,    s = ±1
//
// by L-BFGS, to a gradient of 1e-8 a row; weights of rows count in errors, and not in this
// fit, as they do in Ridge's. λ is the one of LambdaW, in pseudo-rows,
// with the lowest log-loss of the validation rows, the largest of those alike. It
// returns a [*NotTwoError], a [*NoValidationError], and what ctx says when it is
// done. O(λs·iterations·n·d).
func (f *Fitted) Logistic(ctx context.Context) (Baseline, error) {
	if f.kept.Encoding.Target.Levels == nil {
		return Baseline{}, &NotTwoError{f.Target()}
	}
	r, err := f.rows()
	if err != nil {
		return Baseline{}, err
	}
	if len(r.valid.Y) == 0 && len(f.spec.LambdaW) > 1 {
		return Baseline{}, &NoValidationError{Choices: len(f.spec.LambdaW)}
	}
	_, d := r.train.Z.Dims()
	x, valid := written(r.train.Z), written(r.valid.Z)
	penalties := slices.Clone(f.spec.LambdaW)
	slices.SortFunc(penalties, func(a, b float64) int { return compareSize(b, a) })
	least, at := math.Inf(1), make([]float64, d+1)
	var best []float64
	chosen := ""
	for _, lambda := range penalties {
		if ctx.Err() != nil {
			return Baseline{}, context.Cause(ctx)
		}
		if at, err = logistic(x, r.train.raw, d, lambda, at); err != nil {
			return Baseline{}, err
		}
		if loss := logLoss(valid, r.valid.raw, r.valid.Weight, d, at); loss < least || best == nil {
			least, best, chosen = loss, slices.Clone(at), fmt.Sprintf("λ = %g", lambda)
		}
	}
	test := written(r.test.Z)
	b := Baseline{Name: "logistic ridge", Chosen: chosen, Predicted: make([]float64, len(r.test.raw))}
	for i := range b.Predicted {
		b.Predicted[i] = 1 / (1 + math.Exp(-margin(test[i*d:][:d], best)))
	}
	b.Error = f.errorOf(b.Predicted)
	return b, nil
}

// margin returns zᵀw + b; at holds w, then b.
func margin(z, at []float64) float64 { return floats.Dot(z, at[:len(z)]) + at[len(z)] }

// logLoss returns the mean of log(1 + e^(−s·margin)) over rows with these weights, nil for
// 1 each; NaN of none.
func logLoss(x, y, weight []float64, d int, at []float64) float64 {
	losses := make([]float64, len(y))
	for i, v := range y {
		losses[i] = softplus((1 - 2*v) * margin(x[i*d:][:d], at))
	}
	return stat.Mean(losses, weight)
}

// softplus returns log(1 + eˣ), for every x.
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// logistic minimises the objective of [Fitted.Logistic], from a start that may be the
// minimum for another λ.
func logistic(x, y []float64, d int, lambda float64, from []float64) ([]float64, error) {
	n := float64(len(y)) // all is divided by it
	problem := optimize.Problem{
		Func: func(at []float64) float64 {
			w := at[:d]
			return logLoss(x, y, nil, d, at) + lambda/(2*n)*floats.Dot(w, w)
		},
		Grad: func(grad, at []float64) {
			for j := range grad {
				grad[j] = 0
			}
			for i, v := range y {
				z := x[i*d:][:d]
				e := (1/(1+math.Exp(-margin(z, at))) - v) / n
				floats.AddScaled(grad[:d], e, z)
				grad[d] += e
			}
			floats.AddScaled(grad[:d], lambda/n, at[:d])
		},
	}
	found, err := optimize.Minimize(problem, from, &optimize.Settings{GradientThreshold: 1e-8, MajorIterations: 10000, Converger: optimize.NeverTerminate{}}, &optimize.LBFGS{})
	if err != nil && (found == nil || floats.Norm(found.Gradient, math.Inf(1)) > 1e-6) { // a line search that rounding has ended is no failure
		return nil, fmt.Errorf("estimator: logistic ridge with λ = %g: %w; raise λ", lambda, err)
	}
	return found.X, nil
}

// ROC is the curve of a score that should be larger for the second of two classes:
// the share of the second class at or above a cutoff over that of the first.
type ROC struct {
	Cutoffs  []float64 // falling; the first is +Inf
	TPR, FPR []float64 // true and false positive rates
	AUC      float64   // the area below; ½ for a score that knows nothing
}

// NewROC returns the curve of scores, such as predictions of 0 and 1, for rows whose
// second class is marked. It returns a [*ShapeError] where the lengths differ or one
// class has no row. O(n·log n).
func NewROC(scores []float64, second []bool) (ROC, error) {
	return newROC(scores, second, nil)
}

// newROC is NewROC of rows with weights; nil for 1 each.
func newROC(scores []float64, second []bool, weight []float64) (ROC, error) {
	if len(scores) != len(second) {
		return ROC{}, &ShapeError{"classes", len(second), fmt.Sprintf("%d, one a score", len(scores))}
	}
	count := 0
	for _, is := range second {
		if is {
			count++
		}
	}
	if count == 0 || count == len(second) {
		return ROC{}, &ShapeError{"rows of the second class", count, fmt.Sprintf("at least one of each class, in %d rows", len(second))}
	}
	scores, second, weight = slices.Clone(scores), slices.Clone(second), slices.Clone(weight)
	stat.SortWeightedLabeled(scores, second, weight)
	tpr, fpr, cutoffs := stat.ROC(nil, scores, second, weight)
	return ROC{Cutoffs: cutoffs, TPR: tpr, FPR: fpr, AUC: integrate.Trapezoidal(fpr, tpr)}, nil
}

// ROC returns the curve of predictions of the test rows, the model's or a baseline's,
// for a target of two values; rows that have weights count these. It returns a [*NotTwoError] for any other, and the
// errors of [NewROC].
func (f *Fitted) ROC(predicted []float64) (ROC, error) {
	if f.kept.Encoding.Target.Levels == nil {
		return ROC{}, &NotTwoError{f.Target()}
	}
	second := make([]bool, len(f.test.Actual))
	for i, v := range f.test.Actual {
		second[i] = v > .5 // 0 and 1, to their rounding
	}
	return newROC(predicted, second, f.test.Weight)
}
