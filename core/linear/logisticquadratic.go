package linear

import "ifmlab/core/design"

// mostLogistic bounds the multiply-adds of one Newton step of a logistic quadratic fit.
// Each of up to ten penalties takes about seven steps.
const mostLogistic = 4e8

// affordableLogistic is affordable for a logistic fit.
func affordableLogistic(d, p, n int) bool {
	return affordable(d, 0, n) && float64(n)*float64(p)*float64(min(n, p)) <= mostLogistic
}

// LogisticQuadratic fits logistic ridge regression to the columns of Φ of [Quadratic],
// among them squares and products of the columns of Z,
//
//	min over w, b of Σcᵢ(log(1 + e^fᵢ) − yᵢfᵢ) + ½λ‖w‖²        f = Φw + b
//
// for any number of λ and classes y of 0 and 1. Φ is centred and scaled over the weighted
// rows, and stored densely.
type LogisticQuadratic struct {
	terms *Quadratic
	fits  *Logistic
}

// NewLogisticQuadratic prepares fits to the n rows of Z and their classes, with row
// weights; nil is 1 each. With p columns of Φ it costs 2·n·d² multiply-adds and 8·n·p
// bytes. It returns the errors of [NewLogistic], or a [*TooManyProductsError] if d is
// above 1000 or n·p·min(n, p) above 4·10⁸.
func NewLogisticQuadratic(z design.Design, y, weight []float64) (*LogisticQuadratic, error) {
	n, d := z.Dims()
	if err := shape(n, y); err != nil {
		return nil, err
	}
	if !affordableLogistic(d, 0, n) {
		return nil, &TooManyProductsError{Features: d, Columns: d * (d + 3) / 2, Rows: n, Classes: true}
	}
	if err := checkWeights(n, weight); err != nil {
		return nil, err
	}
	q := &Quadratic{z: z, n: n, d: d, root: roots(weight), total: totalWeight(n, weight)}
	if err := q.choose(); err != nil {
		return nil, err
	}
	q.root = nil // the fit applies the weights itself
	p := len(q.terms)
	if !affordableLogistic(d, p, n) {
		return nil, &TooManyProductsError{Features: d, Columns: p, Rows: n, Classes: true}
	}
	phi := make([]float64, n*p)
	q.each(func(lo, hi int, x []float64) { q.expand(phi[lo*p:hi*p], x, lo, 0, p) })
	fits, err := NewLogistic(design.NewDense(n, p, phi), y, weight)
	if err != nil {
		return nil, err
	}
	return &LogisticQuadratic{terms: q, fits: fits}, nil
}

// Columns returns the number of columns of Φ.
func (q *LogisticQuadratic) Columns() int { return q.terms.Columns() }

// Fit returns the fit for one λ ≥ 0, the total penalty, as a surface of log-odds. It costs
// as much as [Logistic.Fit] on Φ, and the Surface takes 8·d² bytes. It returns a
// [*PenaltyError] for any other λ.
func (q *LogisticQuadratic) Fit(lambda float64) (Surface, error) {
	fit, err := q.fits.Fit(lambda)
	if err != nil {
		return Surface{}, err
	}
	return q.terms.surface(fit.B, fit.W), nil
}

// surface returns the model with a bias and weights of the columns of Φ.
func (q *Quadratic) surface(bias float64, x []float64) Surface {
	d := q.d
	s := Surface{B: bias, W: make([]float64, d), M: make([]float64, d*d)}
	for c, t := range q.terms {
		v := x[c] / t.sd
		s.B -= float64(v * t.mean)
		if t.j == d {
			s.W[t.i] = v
		} else {
			s.M[t.i*d+t.j] += v / 2
			s.M[t.j*d+t.i] += v / 2
		}
	}
	return s
}
