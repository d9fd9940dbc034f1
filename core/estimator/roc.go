package estimator

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

// NotTwoError says that a target does not have two values.
type NotTwoError struct{ Target string }

func (e *NotTwoError) Error() string {
	return fmt.Sprintf("estimator: %s has more than two values, want a target of two; ask for ridge instead", e.Target)
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
