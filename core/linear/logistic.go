package linear

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
)

// Logistic fits logistic ridge regression to targets 0 and 1,
//
//	min over w, b of Σcᵢ(log(1 + e^fᵢ) − yᵢfᵢ) + ½λ‖w‖²        f = Zw + b
//
// for any number of λ, with row weights c. The bias has no penalty. The objective is that
// of scikit-learn's LogisticRegression(C=1/λ), and its minimum is unique.
//
// Each step is Newton's: weighted ridge regression on the quadratic model of the loss
// (iteratively reweighted least squares),
//
//	weights h = c·p(1 − p)    targets f + c(y − p)/h
//
// by the Cholesky factor or the conjugate gradients of [Ridge]. A step that does not lower
// the objective enough is halved until it does. gonum's optimize would add 230 kB (brotli,
// with mat) to the engine.
type Logistic struct {
	z         design.Design
	n, d      int
	y, weight []float64 // weight is nil for 1 each
	total     float64   // of the weights
	sd        []float64 // d: of the columns
	odds      float64   // log-odds of the share of ones
}

const (
	newtonSteps = 100 // at most; 6 to 8 are common, 30 for separable rows
	// newtonEnough ends a fit after a step that promises to lower the objective by less
	// than this share. Such a step moves predictions by about 1e-6 and leaves the square of
	// that; rounding would hide what another step gains.
	newtonEnough = 1e-12
	// leastLogistic replaces leastPenalty, which would change the fifth digit of the
	// weights of collinear columns.
	leastLogistic = 1e-10
	// leastCurvature keeps targets finite for a row that is almost certain and wrong.
	leastCurvature = 1e-12
	// newtonBudget replaces gramBudget, because every step has a Gram matrix.
	newtonBudget = gramBudget / 10
)

// NewLogistic prepares fits to the n rows of Z and their classes y, 0 or 1, with row
// weights; nil is 1 each. It returns a [*invalid.ShapeError], a [*invalid.NotFiniteError]
// for a column, a [*invalid.ClassError], a [*invalid.WeightError], or a
// [*invalid.OneClassError] if all rows with a weight have the same class. O(n·d).
func NewLogistic(z design.Design, y, weight []float64) (*Logistic, error) {
	r, err := newRidge(z, y, weight, 0)
	if err != nil {
		return nil, err
	}
	var sums [2]float64
	if err := inLinear.Classes(y); err != nil {
		return nil, err
	}
	for i, v := range y {
		sums[int(v)] += weightOf(weight, i)
	}
	for class := range sums {
		if sums[1-class] == 0 {
			return nil, &invalid.OneClassError{Rows: inLinear, Class: class}
		}
	}
	return &Logistic{z: z, n: r.n, d: r.d, y: y, weight: weight, total: r.total, sd: r.sd, odds: math.Log(sums[1] / sums[0])}, nil
}

// weightOf returns the weight of a row.
func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// Fit returns the fit for one λ ≥ 0, the total penalty. f is the log-odds of class 1. A
// penalty a row below 1e-10, for columns of standard deviation 1, counts as 1e-10. This
// keeps weights finite if rows are separable, by all columns or by a level that only one
// class has; [Fit.Separable] reports it. Fit costs about 7 fits of [NewWeightedRidge]. It
// returns a [*PenaltyError] for any other λ.
func (l *Logistic) Fit(lambda float64) (Fit, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return Fit{}, &PenaltyError{Found: lambda}
	}
	penalty := make([]float64, l.d)
	for j, s := range l.sd {
		penalty[j] = max(lambda, float64(leastLogistic*l.total)*s*s)
	}
	at := Fit{W: make([]float64, l.d), B: l.odds}
	f, by := slices.Repeat([]float64{l.odds}, l.n), make([]float64, l.n)
	slope, hessian, target := make([]float64, l.n), make([]float64, l.n), make([]float64, l.n)
	loss := l.loss(f, nil, 0)
	for range newtonSteps {
		for i, y := range l.y {
			_, s, h := kernel.LogLossSlopes(f[i], y)
			h = max(h, leastCurvature)
			c := weightOf(l.weight, i)
			slope[i], hessian[i] = float64(c*s), float64(c*h)
			target[i] = f[i] - s/h
		}
		r, err := newRidge(l.z, target, hessian, newtonBudget)
		if err != nil {
			return Fit{}, err
		}
		to := r.fit(func(j int) float64 { return penalty[j] })
		to.Predict(by, l.z)
		kernel.Axpy(-1, f, by)
		kernel.Axpy(-1, at.W, to.W) // the step
		to.B -= at.B
		var cost, linear, square float64 // penalty along the step t: ½cost + t·linear + ½t²·square
		for j, p := range penalty {
			cost += float64(float64(p*at.W[j]) * at.W[j])
			linear += float64(float64(p*at.W[j]) * to.W[j])
			square += float64(float64(p*to.W[j]) * to.W[j])
		}
		size, along := loss+cost/2, kernel.Dot(slope, by)+linear
		t := 1.0
		last := math.Abs(along) <= newtonEnough*size
		for !last {
			moved := l.loss(f, by, t)
			if moved-loss+float64(t*linear)+float64(t*t*square)/2 <= 1e-4*t*along {
				loss = moved
				break
			}
			if t /= 2; t < 1e-12 {
				return l.separable(at, f), nil
			}
		}
		kernel.Axpy(t, to.W, at.W)
		at.B += float64(t * to.B)
		kernel.Axpy(t, by, f)
		if last {
			break
		}
	}
	return l.separable(at, f), nil
}

// loss returns Σcᵢ(log(1 + e^gᵢ) − yᵢgᵢ) for g = f + t·by. A nil by is 0.
func (l *Logistic) loss(f, by []float64, t float64) (sum float64) {
	for i, y := range l.y {
		g := f[i]
		if by != nil {
			g += float64(t * by[i])
		}
		sum += float64(weightOf(l.weight, i) * kernel.LogLoss(g, y))
	}
	return sum
}

// separable returns the fit with Separable set from its log-odds f of the training rows.
func (l *Logistic) separable(fit Fit, f []float64) Fit {
	fit.Separable = true
	for i, y := range l.y {
		if weightOf(l.weight, i) > 0 && float64((y-.5)*f[i]) <= 0 {
			fit.Separable = false
		}
	}
	return fit
}
