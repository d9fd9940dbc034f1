package kernel

import "math"

// Logistic returns p = 1/(1 + e⁻ᶠ), the probability with log-odds f. It is precise to a few
// units in the last place, even for p near 0.
func Logistic(f float64) float64 {
	e := math.Exp(-math.Abs(f))
	if f < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// LogLoss returns log(1 + eᶠ) − y·f for y 0 or 1: −log of the probability of y at log-odds f.
// It does not overflow, and keeps the digits of a loss near 0.
func LogLoss(f, y float64) float64 {
	loss, _, _ := LogLossSlopes(f, y)
	return loss
}

// LogLossSlopes returns [LogLoss] and its derivatives by f, p = [Logistic] of f:
//
//	slope = p − y    curvature = p·(1 − p)
//
// each without cancellation. It takes one exponential and one logarithm.
func LogLossSlopes(f, y float64) (loss, slope, curvature float64) {
	e := math.Exp(-math.Abs(f))
	far, near := 1/(1+e), e/(1+e) // p and 1 − p, the larger first
	loss, curvature = math.Log1p(e), float64(far*near)
	wrong := f > 0 // f favours the other class
	if y == 1 {
		wrong = f < 0
	}
	slope = near
	if wrong {
		slope = far
		loss += math.Abs(f)
	}
	if y == 1 {
		slope = -slope
	}
	return loss, slope, curvature
}
