package trial

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// Recovery measures how far a model is from the truth that made its rows.
type Recovery struct {
	w, m         []float64 // d and d×d: w* and M*, in the units of the columns as drawn
	sizeW, sizeM float64   // ‖w*‖ and ‖M*‖
	levels       int       // of a column of one-hot features, else 0
}

// newRecovery writes the truth out: O(d²k).
func newRecovery(truth *fm.Model, s spec.Spec) *Recovery {
	r := &Recovery{w: truth.W, m: truth.Interaction()}
	if s.Features == string(synth.OneHot) {
		r.levels = s.Levels
	}
	r.sizeW, r.sizeM = math.Sqrt(kernel.Dot(r.w, r.w)), math.Sqrt(kernel.Dot(r.m, r.m))
	return r
}

// Of returns ‖w − w*‖₂/‖w*‖₂ and ‖M − M*‖_F/‖M*‖_F for the coefficients of a
// model, which it spoils. On one-hot columns they are of the part of both that [synth.Identify]
// leaves. The paper's ε = ‖w − w*‖₂ + ‖M − M*‖₂ is not relative and
// has the spectral norm: at most that of Frobenius, and at least that over √d, so both
// fall at the same rate. O(d²).
func (r *Recovery) Of(c fm.Coefficients) (w, m float64) {
	if r.levels > 0 {
		synth.Identify(c, r.levels)
	}
	kernel.Axpy(-1, r.w, c.W)
	kernel.Axpy(-1, r.m, c.M)
	return math.Sqrt(kernel.Dot(c.W, c.W)) / r.sizeW, math.Sqrt(kernel.Dot(c.M, c.M)) / r.sizeM
}
