package solve

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
	"ifmlab/core/moment"
)

// eliminate returns the weights of 𝓜 and 𝓦.
func (a *Algorithm1) eliminate(columns *algorithm1Columns) (algorithm1Weights, error) {
	weights := algorithm1Weights{kind: a.model.Kind, printed: a.Printed, centred: a.Centred && !a.Printed && a.model.Kind == fm.GFM}
	if weights.kind == fm.IFM {
		return weights, nil
	}
	kappa, phi, floor := a.Kappa, a.Phi, moment.TauFloor
	if kappa == nil && phi == nil {
		if !a.Unguarded {
			floor = moment.EstimatedTauFloor(columns.n)
		}
		for j := range columns.moments {
			kappa = append(kappa, columns.moments[j].Kappa())
			phi = append(phi, columns.moments[j].Phi())
		}
	}
	if len(kappa) != a.model.D || len(phi) != a.model.D {
		return weights, invalid.Shape("moment", "%d κ and %d φ for %d columns, want one of each for every column", len(kappa), len(phi), a.model.D)
	}
	var err error
	if a.Pseudo {
		weights.g, weights.h, err = moment.PseudoEliminationWeights(kappa, phi, moment.PseudoCut)
	} else {
		weights.g, weights.h, err = moment.EliminationWeights(kappa, phi, floor)
	}
	return weights, err
}

// firstFactors sets Ū to the top eigenvectors of 𝓜(y), the columns' h being
// the lower triangle of H(y), which it overwrites.
func (a *Algorithm1) firstFactors(columns *algorithm1Columns) {
	d := a.model.D
	a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.Adjoint(a.p1, a.y[lo:hi], 1)
		b.SquaresAdjoint(a.p2, a.y[lo:hi])
	})
	sum := kernel.Sum(a.y)
	a.weights.set(a.c, a.omega, sum, a.p1, a.p2, a.n)
	if mean := a.weights.mean(sum, a.n); mean != 0 {
		kernel.Axpy(-mean/2, columns.gram, columns.h)
	}
	for j, c := range a.c {
		columns.h[j*d+j] -= c
	}
	algorithm1Eigenvectors(a.u, columns.h, d, a.k)
}

// algorithm1Weights say what 𝓜 and 𝓦 make of the moments of a residual.
type algorithm1Weights struct {
	kind    fm.Kind
	printed bool      // ½P0 stays in the diagonal
	centred bool      // H is that of r − P0, which has no ½P0 in its diagonal
	g, h    []float64 // d×2; nil for iFM
}

// set sets c and omega, d each, so that 𝓜 = H(r) − diag(c) and 𝓦 = omega, from
// the sums Σr, Zᵀr and (Z²)ᵀr over n rows.
//
//	gFM   c = ½(P0 + G₁∘P1 + G₂∘P2)      omega = H₁∘P1 + H₂∘P2
//	iFM   c = (Z²)ᵀr/(2n)                omega = P1
//
// As printed, and for 𝓜 = H(r − P0) − diag(c), c has no P0.
func (w algorithm1Weights) set(c, omega []float64, sum float64, linear, squares []float64, n int) {
	p0 := sum / float64(n)
	for j := range c {
		p1, square := linear[j]/float64(n), squares[j]/float64(n)
		if w.kind == fm.IFM {
			c[j], omega[j] = square/2, p1
			continue
		}
		p2 := square - p0
		c[j] = (float64(w.g[2*j]*p1) + float64(w.g[2*j+1]*p2)) / 2
		if !w.printed && !w.centred {
			c[j] += p0 / 2
		}
		omega[j] = float64(w.h[2*j]*p1) + float64(w.h[2*j+1]*p2)
	}
}

// mean returns what is taken from a residual of this sum before H is formed of it.
func (w algorithm1Weights) mean(sum float64, n int) float64 {
	if w.centred {
		return sum / float64(n)
	}
	return 0
}
