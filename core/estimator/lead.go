package estimator

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Lead is the difference between the test errors of two models.
type Lead struct {
	By        float64 // in the measure of [Model.Measure]; positive if the model is better
	Low, High float64 // of the confidence interval
	Level     float64 // of the interval, .95
	P         float64 // two-sided p-value of no difference
}

// Lead returns how much the model's test error is below that of a baseline, with a
// confidence interval. With dᵢ the baseline's loss of row i, a squared error or log-loss,
// less the model's,
//
//	RMSE_b − RMSE_a = mean d/(RMSE_a + RMSE_b)        of numbers
//	log-loss_b − log-loss_a = mean d                  of classes
//
// and the interval is Student's t of d with n − 1 degrees of freedom, on the same scale.
// Rows are paired and assumed independent. With weights, dᵢ is multiplied by the row's
// weight over the mean weight. Lead is NaN below two test rows. It returns a [*ShapeError]
// unless b has one prediction a test row. O(n).
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
	if sd == 0 { // all rows are equal
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

// probabilityLoss returns −log of the probability of a row's class, where p is the
// probability of the second class. A probability of 0 counts as 2⁻⁵³.
func probabilityLoss(p, y float64) float64 {
	if y < .5 {
		p = 1 - p
	}
	return -math.Log(max(p, 0x1p-53))
}
