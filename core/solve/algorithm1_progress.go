package solve

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

func (a *algorithm1Fit) loss() float64 { return kernel.Dot(a.r, a.r) / 2 }

// progress returns where the fit stands.
func (a *algorithm1Fit) progress() Progress {
	loss := a.loss()
	p := Progress{Iteration: a.iteration, Loss: loss, RMSE: math.Sqrt(2 * loss / float64(a.n)), Passes: a.passes}
	if loss == 0 && a.source.Fixed() {
		p.Stop = "the training loss is 0"
	}
	return p
}

// check returns a *DivergedError unless the loss is finite and a row's below
// the limit, and remembers since when it has been rising.
func (a *Algorithm1) check(p Progress) error {
	perRow := p.Loss / float64(a.n)
	if perRow <= a.perRow {
		a.rising = 0
	} else if a.rising == 0 {
		a.rising = p.Iteration
	}
	a.perRow = perRow
	if perRow <= a.limit && !math.IsInf(perRow, 1) {
		return nil
	}
	instead := "use the solver gauss-newton, or more rows"
	if a.Printed && a.model.Kind == fm.GFM {
		instead = "that is what the printed form does; use the corrected one"
	}
	return &DivergedError{Iteration: p.Iteration, Began: a.rising, Loss: p.Loss, Start: a.start, Instead: instead}
}
