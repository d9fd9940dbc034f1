package linear

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Logistic fits logistic ridge regression to targets 0 and 1,
//
//	min over w, b of Σcᵢ(log(1 + e^fᵢ) − yᵢfᵢ) + ½λ‖w‖²        f = Zw + b
//
// for any number of λ, c being the weights of the rows. The bias is not penalised.
// It is what scikit-learn's LogisticRegression(C=1/λ) minimises; the minimum is
// unique.
//
// Each step is Newton's, which is weighted ridge regression on what the quadratic
// model of the loss asks for (iteratively reweighted least squares),
//
//	weights h = c·p(1 − p)    targets f + c(y − p)/h
//
// and so takes what [Ridge] takes, by Cholesky or by conjugate gradients. A step that
// does not lower the objective enough is halved until it does.
type Logistic struct {
	z         design.Design
	n, d      int
	y, weight []float64 // weight is nil for 1 each
	total     float64   // of the weights
	sd        []float64 // d: of the columns
	odds      float64   // log-odds of the share of ones
}

const (
	newtonSteps = 100 // at most; 6 to 8 are common, 30 where rows are separable
	// newtonEnough ends a fit after a step that is to lower the objective by less than
	// this share of it: such a step moves predictions by some 1e-6, and what it leaves
	// is the square of that. Rounding would hide whether another lowers it.
	newtonEnough = 1e-12
	// leastLogistic is leastPenalty, which would move the weights of collinear columns in
	// the fifth digit here.
	leastLogistic = 1e-10
	// leastBend keeps targets finite where a row is as good as certain, and wrong.
	leastBend = 1e-12
	// newtonBudget is gramBudget for a Gram matrix in every step.
	newtonBudget = gramBudget / 10
)

// NewLogistic prepares fits to the n rows of Z and their classes y, 0 or 1, with
// weights of the rows, nil for 1 each: O(n·d). It returns a [*ShapeError], a
// [*NotFiniteError] for a column, a [*ClassError], a [*WeightError], or, where all
// rows with a weight are of one class, a [*OneClassError].
func NewLogistic(z design.Design, y, weight []float64) (*Logistic, error) {
	r, err := newRidge(z, y, weight, 0)
	if err != nil {
		return nil, err
	}
	var sums [2]float64
	for i, v := range y {
		if v != 0 && v != 1 {
			return nil, &ClassError{Row: i, Found: v}
		}
		sums[int(v)] += weightOf(weight, i)
	}
	for class := range sums {
		if sums[1-class] == 0 {
			return nil, &OneClassError{Class: class}
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

// Fit returns the fit for one λ ≥ 0, the total penalty: f is the log-odds of class 1.
// A penalty a row of less than 1e-10 on columns of standard deviation 1 counts as
// that, which keeps the weights finite where rows are separable, by all columns or by
// a level that only one class has; [Fit.Separable] says whether they are. It costs
// some 7 fits of [NewWeightedRidge]. It returns a [*PenaltyError] for any other λ.
func (l *Logistic) Fit(lambda float64) (Fit, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return Fit{}, &PenaltyError{Found: lambda}
	}
	penalty := make([]float64, l.d)
	for j, s := range l.sd {
		penalty[j] = max(lambda, float64(leastLogistic*l.total)*s*s)
	}
	at := Fit{W: make([]float64, l.d), B: l.odds}
	f, by := filled(l.n, l.odds), make([]float64, l.n)
	slope, bend, target := make([]float64, l.n), make([]float64, l.n), make([]float64, l.n)
	loss := l.loss(f, nil, 0)
	for range newtonSteps {
		for i, y := range l.y {
			_, s, h := kernel.LogLossSlopes(f[i], y)
			h = max(h, leastBend)
			c := weightOf(l.weight, i)
			slope[i], bend[i] = float64(c*s), float64(c*h)
			target[i] = f[i] - s/h
		}
		r, err := newRidge(l.z, target, bend, newtonBudget)
		if err != nil {
			return Fit{}, err
		}
		to := r.fit(func(j int) float64 { return penalty[j] })
		to.Predict(by, l.z)
		kernel.Axpy(-1, f, by)
		kernel.Axpy(-1, at.W, to.W) // the step
		to.B -= at.B
		var cost, linear, square float64 // of the penalty along the step t: ½cost + t·linear + ½t²·square
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
				return l.judged(at, f), nil
			}
		}
		kernel.Axpy(t, to.W, at.W)
		at.B += float64(t * to.B)
		kernel.Axpy(t, by, f)
		if last {
			break
		}
	}
	return l.judged(at, f), nil
}

// loss returns Σcᵢ(log(1 + e^gᵢ) − yᵢgᵢ) of g = f + t·by, by nil for 0.
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

// judged returns the fit with what its predictions of the training rows say.
func (l *Logistic) judged(fit Fit, f []float64) Fit {
	fit.Separable = true
	for i, y := range l.y {
		if weightOf(l.weight, i) > 0 && float64((y-.5)*f[i]) <= 0 {
			fit.Separable = false
		}
	}
	return fit
}

// filled returns n numbers v.
func filled(n int, v float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = v
	}
	return all
}
