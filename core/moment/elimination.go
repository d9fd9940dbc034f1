package moment

import (
	"math"
	"strconv"

	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// TauFloor is the least τ that exact moments are inverted at. Moments of order 1
// are rounded to about 1e-16, so at τ = 1e-6 the weights keep ten digits; below
// it they are on the way to nothing but rounding.
const TauFloor = 1e-6

// EstimatedTauFloor returns the least τ that moments of n rows are inverted at,
//
//	1/√n
//
// and at least [TauFloor]. Among the weights are 2κ/τ and −κ/τ, which should be 0
// for a symmetric column; but near τ = 0 the κ of n rows is off by about 2/√n, so
// at the floor they are about 4 and 2, as large as the weights that belong there,
// and small only where τ is several times larger: n must grow like 1/τ². φ is known
// better there, to √(τ/n) for columns of three points, which leaves the weight 1 − 2/τ
// off by 2τ^(−3/2)/√n: a small share of itself, though in itself it asks for n like
// 1/τ³, more than the paper's Lemma 6 has.
//
// It is a floor of the weights and not of the fit: −κ/τ is multiplied by a number
// that τ is a factor of, so that an error of w that 2κ/τ enlarges comes back
// smaller. Gone on with below it, Algorithm 1 finds gFM's truth from 960 to 7680
// fresh rows an iteration where τ is above about 30/n, with true moments above
// about 10/n (24 columns, k = 2).
func EstimatedTauFloor(n int) float64 { return max(TauFloor, 1/math.Sqrt(float64(n))) }

// PseudoCut is the least eigenvalue that [PseudoEliminationWeights] keeps when
// nothing else is asked for. For a symmetric column the eigenvalues are 1 and τ;
// for any, the smaller is between τ/φ and τ. Two values have 0, the uniform
// distribution .8.
const PseudoCut = .1

// EliminationWeights returns the weights that cancel the third and fourth
// moments of the columns from the steps of Algorithm 1. Row j of g and of h
// solves
//
//	⎡ 1   κⱼ     ⎤        ⎡ κⱼ     ⎤    ⎡ 1   κⱼ     ⎤        ⎡ 1 ⎤
//	⎣ κⱼ  φⱼ − 1 ⎦ Gⱼᵀ =  ⎣ φⱼ − 3 ⎦    ⎣ κⱼ  φⱼ − 1 ⎦ Hⱼᵀ =  ⎣ 0 ⎦    (Eqs. 8 and 9)
//
// with kappa and phi of length d, the raw moments E x³ and E x⁴ of columns of
// mean 0 and variance 1; all are dimensionless. For Gaussian columns (κ = 0,
// φ = 3) every row of g is (0, 0) and every row of h is (1, 0): the step is the
// plain gradient.
//
// The results are d×2, row-major. EliminationWeights returns a [*invalid.ShapeError]
// when the lengths differ, and a [*SingularMomentError] for the first column
// with τⱼ = |φⱼ − 1 − κⱼ²| < tauFloor (Definition 2) or without a finite τ.
// It costs O(d).
func EliminationWeights(kappa, phi []float64, tauFloor float64) (g, h []float64, err error) {
	return weights(kappa, phi, func(j int, a symmetric) (symmetric, error) {
		// Paper: ‖A⁻¹‖ ≤ 1/τ; here: λmax(A)/τ, because τ is |det A| and not the
		// smaller eigenvalue.
		if tau := Tau(kappa[j], phi[j]); !(tau >= tauFloor) || math.IsInf(tau, 1) {
			return symmetric{}, &SingularMomentError{Feature: j, Tau: tau, Floor: tauFloor}
		}
		det := float64(a.xx*a.yy) - float64(a.xy*a.xy)
		return symmetric{xx: a.yy / det, xy: -a.xy / det, yy: a.xx / det}, nil
	})
}

// PseudoEliminationWeights is [EliminationWeights] with a truncated
// pseudo-inverse: eigenvalues below cut, which must be positive, are left out,
//
//	A⁺ = Σ_{λ ≥ cut} qqᵀ/λ    λ = (φ ± √((φ − 2)² + 4κ²))/2
//
// so every column has weights, those of two values too. Of these the step does
// not see the diagonal of M: where the rest of a low-rank M tells it, it is
// learnt nevertheless.
//
// It returns a [*invalid.ShapeError] when the lengths differ, and a
// [*SingularMomentError] for the first column whose moments are not finite. It
// costs O(d).
func PseudoEliminationWeights(kappa, phi []float64, cut float64) (g, h []float64, err error) {
	return weights(kappa, phi, func(j int, a symmetric) (symmetric, error) {
		if tau := Tau(kappa[j], phi[j]); math.IsNaN(tau) || math.IsInf(tau, 1) {
			return symmetric{}, &SingularMomentError{Feature: j, Tau: tau}
		}
		return a.pseudoInverse(cut), nil
	})
}

// weights returns A⁻¹(κ, φ−3)ᵀ and A⁻¹(1, 0)ᵀ of every column.
func weights(kappa, phi []float64, invert func(j int, a symmetric) (symmetric, error)) (g, h []float64, err error) {
	if len(kappa) != len(phi) {
		return nil, nil, invalid.Shape("moment", "%d κ and %d φ, want one of each for every column", len(kappa), len(phi))
	}
	g, h = make([]float64, 2*len(kappa)), make([]float64, 2*len(kappa))
	for j, k := range kappa {
		inverse, err := invert(j, symmetric{xx: 1, xy: k, yy: phi[j] - 1})
		if err != nil {
			return nil, nil, err
		}
		g[2*j], g[2*j+1] = inverse.times(k, phi[j]-3)
		h[2*j], h[2*j+1] = inverse.times(1, 0)
	}
	return g, h, nil
}

// symmetric is a symmetric 2×2 matrix.
type symmetric struct{ xx, xy, yy float64 }

func (a symmetric) times(x, y float64) (float64, float64) {
	return float64(a.xx*x) + float64(a.xy*y), float64(a.xy*x) + float64(a.yy*y)
}

// pseudoInverse returns the inverse on the eigenvectors with eigenvalues of at
// least cut, 0 on the others. With eigenvalues p > q, qqᵀ of p is (A − qI)/(p − q).
func (a symmetric) pseudoInverse(cut float64) symmetric {
	half := (a.xx + a.yy) / 2
	gap := (a.xx - a.yy) / 2
	root := math.Sqrt(float64(gap*gap) + float64(a.xy*a.xy))
	large := half + root
	small := (float64(a.xx*a.yy) - float64(a.xy*a.xy)) / large // without cancellation
	switch {
	case !(large >= cut):
		return symmetric{}
	case small >= cut:
		det := large * small
		return symmetric{xx: a.yy / det, xy: -a.xy / det, yy: a.xx / det}
	}
	scale := 1 / (large * 2 * root)
	return symmetric{xx: (a.xx - small) * scale, xy: a.xy * scale, yy: (a.yy - small) * scale}
}

// SingularMomentError says that a column's moments cannot be inverted: it takes
// two values, or nearly so.
type SingularMomentError struct {
	Feature    int    // from 0
	Name       string // of the feature; "" where only its number is known
	Tau, Floor float64
}

func (e *SingularMomentError) Error() string {
	if math.IsNaN(e.Tau) || math.IsInf(e.Tau, 0) {
		return message.Sprintf("moment: feature %s has τ = %g, want a finite number; drop the feature, which is constant or holds values too large for a fourth power", e.feature(), e.Tau)
	}
	return message.Sprintf("moment: feature %s has τ = %.2g, want at least %.2g; drop the feature or fit iFM, which does not need τ", e.feature(), e.Tau, e.Floor)
}

func (*SingularMomentError) Kind() string { return "SingularMomentError" }

func (e *SingularMomentError) feature() string {
	if e.Name != "" {
		return e.Name
	}
	return strconv.Itoa(e.Feature)
}
