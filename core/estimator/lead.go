package estimator

import (
	"fmt"

	"ifmlab/core/measure"
)

// Lead is the difference between the test errors of two models, in the measure of
// [Model.Measure]. It is positive if the model is better.
type Lead = measure.Lead

// Lead returns how much the model's test error is below that of a baseline, as
// [measure.LeadOf] does. It returns a [*ShapeError] unless b has one prediction a test row.
// O(n·log n).
func (f *Fitted) Lead(b Baseline) (Lead, error) {
	return lead(f.test.Actual, f.test.Predicted, b.Predicted, f.test.Weight, len(f.Classes()))
}

func lead(actual, a, b, weight []float64, classes int) (Lead, error) {
	n := len(actual)
	if len(a) != n || len(b) != n {
		return Lead{}, &ShapeError{"predictions", len(b), fmt.Sprintf("%d, one a test row", n)}
	}
	return measure.LeadOf(measure.Losses(a, actual, classes), measure.Losses(b, actual, classes), actual, weight, classes), nil
}
