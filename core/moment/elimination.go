package moment

import (
	"math"
	"strconv"

	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// TauFloor is the smallest τ at which exact moments are inverted. Moments of order 1 are
// rounded to about 1e-16, so that weights have ten digits at τ = 1e-6, and fewer below.
const TauFloor = 1e-6

// EstimatedTauFloor returns the smallest τ at which moments of n rows are inverted,
//
//	1/√n
//
// and at least [TauFloor]. Two of the weights are 2κ/τ and −κ/τ. They should be 0 for a
// symmetric column, but near τ = 0 the κ of n rows has an error of about 2/√n. At the floor
// these weights are about 4 and 2, as large as the true weights. They are small only at
// several times that τ, so n must grow like 1/τ². φ has a smaller error there, √(τ/n) for
// columns of three points. The weight 1 − 2/τ is then off by 2τ^(−3/2)/√n: a small share of
// itself, although to make it small needs n like 1/τ³, more than the paper's Lemma 6 has.
//
// This is a floor for the weights and not for the fit. −κ/τ is multiplied by a number with a
// factor τ, so that an error of w that 2κ/τ enlarges comes back smaller. Below the floor,
// Algorithm 1 finds gFM's truth from 960 to 7680 fresh rows an iteration if τ is above about
// 30/n, and with true moments above about 10/n (24 columns, k = 2).
func EstimatedTauFloor(n int) float64 { return max(TauFloor, 1/math.Sqrt(float64(n))) }

// PseudoCut is the default for the smallest eigenvalue in [PseudoEliminationWeights]. A
// symmetric column has the eigenvalues 1 and τ. In general the smaller one is between τ/φ
// and τ. It is 0 for two values, and .8 for the uniform distribution.
const PseudoCut = .1

// EliminationWeights returns the weights that cancel the third and fourth
// moments of the columns from the steps of Algorithm 1. Row j of g and of h
// solves
//
//	⎡ 1   κⱼ     ⎤        ⎡ κⱼ     ⎤    ⎡ 1   κⱼ     ⎤        ⎡ 1 ⎤
//	⎣ κⱼ  φⱼ − 1 ⎦ Gⱼᵀ =  ⎣ φⱼ − 3 ⎦    ⎣ κⱼ  φⱼ − 1 ⎦ Hⱼᵀ =  ⎣ 0 ⎦    (Eqs. 8 and 9)
//
// with kappa and phi of length d, the raw moments E x³ and E x⁴ of columns of mean 0 and
// variance 1. All are dimensionless. For Gaussian columns (κ = 0, φ = 3) every row of g is
// (0, 0) and every row of h is (1, 0): the step is the plain gradient.
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

// PseudoEliminationWeights is [EliminationWeights] with a truncated pseudo-inverse. It leaves
// out eigenvalues below cut, which must be positive:
//
//	A⁺ = Σ_{λ ≥ cut} qqᵀ/λ    λ = (φ ± √((φ − 2)² + 4κ²))/2
//
// So every column has weights, even one of two values. For such a column the step ignores
// the diagonal of M, which can still be learnt if the rest of a low-rank M determines it.
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
		return nil, nil, invalid.Shape("moment", "there are %d κ and %d φ, expected one of each for every column", len(kappa), len(phi))
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

// pseudoInverse returns the inverse on the eigenvectors with eigenvalues of at least cut, and
// 0 on the others. With eigenvalues p > q, the projection for p is (A − qI)/(p − q).
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

// SingularMomentError says that a column's moments cannot be inverted, because it has only
// two values, or nearly so.
type SingularMomentError struct {
	Feature    int    // from 0
	Name       string // of the feature; "" if only its number is known
	Tau, Floor float64
}

func (e *SingularMomentError) Error() string {
	if math.IsNaN(e.Tau) || math.IsInf(e.Tau, 0) {
		return message.Sprintf("moment: feature %s has τ = %g, expected a finite number. Drop the feature, which is constant or has values too large for a fourth power", e.feature(), e.Tau)
	}
	return message.Sprintf("moment: feature %s has τ = %.2g, expected at least %.2g. Drop the feature or fit iFM, which does not need τ", e.feature(), e.Tau, e.Floor)
}

func (*SingularMomentError) Kind() string { return "SingularMomentError" }

func (e *SingularMomentError) feature() string {
	if e.Name != "" {
		return e.Name
	}
	return strconv.Itoa(e.Feature)
}
