package linear

import (
	"math"

	"ifmlab/core/data"
)

// netTolerance is where the front's fits end, see [Descent.Minimize]: with columns
// that are all but collinear, a condition number of 1e4, it leaves ten digits of
// the weights.
const netTolerance = 1e-14

// ElasticNet fits
//
//	min over w, b of ‖Zw + b − y‖²/(2n) + αρ‖w‖₁ + ½α(1−ρ)‖w‖²
//
// for any α and ρ: LASSO where ρ is 1, ridge with λ = nα where it is 0. The bias
// is not penalised: columns and targets are centred instead, and b = mean(y − Zw).
// The columns are not scaled, so those of small numbers are the first to go.
type ElasticNet struct {
	ridge   *Ridge
	gram    []float64 // d×d: Z̃ᵀZ̃/n, Z̃ being Z centred
	right   []float64 // Z̃ᵀy/n
	descent *Descent
}

// NewElasticNet prepares fits to the n rows of Z and their targets: O(n·d²), once
// for all penalties, and 24·d² bytes. It returns a [*ShapeError], a
// [*NotFiniteError] or, where d is too large, a [*TooManyColumnsError].
func NewElasticNet(z data.Design, y []float64) (*ElasticNet, error) {
	n, d := z.Dims()
	centred, mean, err := centre(n, y)
	if err != nil {
		return nil, err
	}
	if d > mostColumns(n) {
		return nil, &TooManyColumnsError{Columns: d, Rows: n}
	}
	r := &Ridge{z: z, n: n, d: d, bias: mean, y: centred}
	if err := r.moments(); err != nil {
		return nil, err
	}
	r.multiply()
	right := make([]float64, d)
	r.adjoint(right, r.y)
	for j, s := range r.sd {
		right[j] *= s
		for k := range j + 1 {
			v := r.gram[j*d+k] * s * r.sd[k]
			r.gram[j*d+k], r.gram[k*d+j] = v, v
		}
	}
	return &ElasticNet{ridge: r, gram: r.gram, right: right, descent: NewDescent(d)}, nil
}

// mostColumns returns how many columns of n rows [NewElasticNet] takes: as many
// products as [NewQuadratic], and matrices of 72 MB.
func mostColumns(n int) int {
	return int(min(3000, math.Sqrt(mostProducts/float64(n))))
}

// Fit returns the fit for one α ≥ 0 and one ρ from 0 to 1. Where both norms leave
// the choice, as between columns that are alike with ρ = 1, it is one of the many
// minima. It returns a [*PenaltyError], a [*RatioError] or an [*UnsettledError].
func (e *ElasticNet) Fit(alpha, ratio float64) (Fit, error) {
	if !(alpha >= 0) || math.IsInf(alpha, 1) {
		return Fit{}, &PenaltyError{Found: alpha}
	}
	if !(ratio >= 0 && ratio <= 1) {
		return Fit{}, &RatioError{Found: ratio}
	}
	w := make([]float64, len(e.right))
	if err := e.descent.Minimize(w, e.gram, e.right, alpha*ratio, alpha*(1-ratio), netTolerance); err != nil {
		return Fit{}, err
	}
	b := e.ridge.bias
	for j, v := range w {
		b -= float64(e.ridge.mean[j] * v)
	}
	return Fit{W: w, B: b}, nil
}
