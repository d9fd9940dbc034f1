package estimator

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Lead is by how much a model's error on test rows is below another's.
type Lead struct {
	By        float64 // in what [Model.Measure] says; above 0 the model is better
	Low, High float64 // of the confidence interval
	Level     float64 // of that, .95
	P         float64 // of both being equally good, two-sided
}

// Lead returns by how much the model's error on test rows is below that of a baseline,
// with the interval that the rows leave. With dᵢ by how much the loss of row i is
// larger of the baseline, squared errors or log-losses,
//
//	RMSE_b − RMSE_a = mean d/(RMSE_a + RMSE_b)        of numbers
//	log-loss_b − log-loss_a = mean d                  of classes
//
// and the interval is Student's t of d on n − 1 degrees of freedom, divided by the same:
// rows are paired, and taken to be independent. Of rows with weights dᵢ is times the row's
// over their mean. It is NaN below two test rows. It returns a
// [*ShapeError] where b has not a prediction a test row. O(n).
func (f *Fitted) Lead(b Baseline) (Lead, error) {
	return lead(f.test.Actual, f.test.Predicted, b.Predicted, f.test.Weight, .95, f.Classes() != nil)
}

func lead(actual, a, b, weight []float64, level float64, classes bool) (Lead, error) {
	n := len(actual)
	if len(a) != n || len(b) != n {
		return Lead{}, &ShapeError{"predictions", len(b), fmt.Sprintf("%d, one a test row", n)}
	}
	nan := math.NaN()
	if n < 2 {
		return Lead{nan, nan, nan, level, nan}, nil
	}
	loss, scale := squaredError, 1/max(rmse(a, actual, weight)+rmse(b, actual, weight), math.SmallestNonzeroFloat64)
	if classes {
		loss, scale = probabilityLoss, 1
	}
	d, usual := make([]float64, n), 1.
	if weight != nil {
		usual = stat.Mean(weight, nil)
	}
	for i, y := range actual {
		d[i] = loss(b[i], y) - loss(a[i], y)
		if weight != nil {
			d[i] *= weight[i] / usual
		}
	}
	mean, sd := stat.MeanStdDev(d, nil)
	by := mean * scale
	if sd == 0 { // all rows say the same
		p := 0.0
		if by == 0 {
			p = 1
		}
		return Lead{by, by, by, level, p}, nil
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}
	of := math.Abs(mean) / stat.StdErr(sd, float64(n))
	half := t.Quantile((1+level)/2) * stat.StdErr(sd, float64(n)) * scale
	return Lead{by, by - half, by + half, level, 2 * t.Survival(of)}, nil
}

func squaredError(f, y float64) float64 { return (f - y) * (f - y) }

// probabilityLoss returns −log of the probability of the class that a row has, where p is
// that of the second. One of 0 counts as the least above it.
func probabilityLoss(p, y float64) float64 {
	if y < .5 {
		p = 1 - p
	}
	return -math.Log(max(p, 0x1p-53))
}

// errorOf returns the error of predictions of the test rows, in what [Model.Measure] says.
func (f *Fitted) errorOf(predicted []float64) float64 {
	if f.Classes() == nil {
		return rmse(predicted, f.test.Actual, f.test.Weight)
	}
	loss := make([]float64, len(predicted))
	for i, p := range predicted {
		loss[i] = probabilityLoss(p, f.test.Actual[i])
	}
	return stat.Mean(loss, f.test.Weight)
}
