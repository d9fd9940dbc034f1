package solve

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

func (a *algorithm1Fit) loss() float64 { return kernel.Dot(a.residual, a.residual) / 2 }

// progress returns the progress of the fit.
func (a *algorithm1Fit) progress() Progress {
	loss := a.loss()
	p := Progress{Iteration: a.iteration, Loss: loss, RMSE: math.Sqrt(2 * loss / float64(a.n)), Passes: a.passes}
	if loss == 0 && a.source.Fixed() {
		p.Stop = "the training loss is 0"
	}
	return p
}

// check returns a *DivergedError unless the loss is finite and, per row, below the limit. It
// records when the loss began to rise.
func (a *Algorithm1) check(p Progress) error {
	perRow := p.Loss / float64(a.n)
	if perRow <= a.lossPerRow {
		a.risingSince = 0
	} else if a.risingSince == 0 {
		a.risingSince = p.Iteration
	}
	a.lossPerRow = perRow
	if perRow <= a.mostPerRow && !math.IsInf(perRow, 1) {
		return nil
	}
	instead := "use the solver gauss-newton, or more rows"
	if a.Printed && a.model.Kind == fm.GFM {
		instead = "that is what the printed form does; use the corrected one"
	}
	return &DivergedError{Iteration: p.Iteration, Began: a.risingSince, Loss: p.Loss, Start: a.start, Instead: instead}
}

// IterationMatrices are the matrices of an iteration of Algorithm 1, row-major, in the units
// of its rows.
type IterationMatrices struct {
	Iteration int
	Mean      float64   // P0, of the residual
	H         []float64 // d×d: H(r), or H(r − P0) for a centred fit
	M         []float64 // d×d: 𝓜(r), which is H except for its diagonal
	U         []float64 // d×k: V − 𝓜Ū
	Q         []float64 // d×k: Ū⁺ = qr(U)
	V         []float64 // d×k: V⁺; the model has learnt sym(Ū⁺V⁺ᵀ)
}

// iterationMatrices returns the matrices of an iteration before it orthonormalizes a.next,
// which is U. H is that of the residual less shift. O(n·d²).
func (a *algorithm1Fit) iterationMatrices(mean, shift float64) IterationMatrices {
	d := a.model.D
	r := make([]float64, a.n)
	for i, v := range a.residual {
		r[i] = v - shift
	}
	held := IterationMatrices{Iteration: a.iteration, Mean: mean, H: describeColumns(a.z, r).h, U: append([]float64{}, a.next...)}
	for i := range d {
		for j := range i {
			held.H[j*d+i] = held.H[i*d+j]
		}
	}
	held.M = append(held.M, held.H...)
	for j, c := range a.c {
		held.M[j*d+j] -= c
	}
	return held
}
