package core

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
)

// unseen is what models say of rows of classes that have not trained them, which a
// [Calibration] is fitted to. Where folds choose there are no validation rows: the
// model that they have chosen is then fitted anew to the rows without each fold, the way
// that it was, and predicts that fold, so that all rows but the test rows calibrate.
type unseen struct {
	f, y, weight []float64 // log-odds, classes and weights; nil for 1 each

	fold   int         // that is predicted next
	held   design.Part // its rows
	refit  *refit      // nil before it begins
	rng    *rand.Rand
	failed bool // a fit: nothing is known then
}

// predict adds rows and what predict makes of them.
func (u *unseen) predict(p design.Part, predict func(f []float64)) {
	if len(p.Y) == 0 {
		return
	}
	f := make([]float64, len(p.Y))
	predict(f)
	u.f, u.y, u.weight = append(u.f, f...), append(u.y, p.Y...), append(u.weight, p.Weight...)
}

// platt fits a calibration to all that was predicted.
func (u *unseen) platt() Calibration { return platt(u.f, u.y, u.weight) }

// without returns the rows of r that train where fold number fold is held out, and
// those of the fold, in the features of r.
func (r *rows) without(fold int) (train, held design.Part) {
	s := r.held[fold]
	return r.part(&r.Encoding, s.Train), r.part(&r.Encoding, s.Valid)
}

// fitLinear fits ridge by one penalty, logistic where the rows are of two classes.
func fitLinear(t *design.Target, p design.Part, penalty float64) (linear.Fit, error) {
	ridge, err := newLinear(t, p.Z, p.Y, p.Weight)
	if err != nil {
		return linear.Fit{}, err
	}
	return ridge.Fit(penalty)
}

// way returns the path of a run that folds have chosen, before it is gone.
func (r *Run) way() (all []spent) {
	for i, leg := range r.legs {
		all = append(all, spent{lambda: r.candidates[i].lambda, iterations: leg.iterations})
	}
	return all
}

// refold does as much of the fits without a fold as there are folds, so that they are
// done about when the run is: each of these fits takes as many iterations as the run.
func (r *Run) refold() {
	on := r.on(r.candidates[r.now])
	if r.legs == nil || on.held == nil || r.best == nil {
		return
	}
	if r.unseen == nil {
		r.unseen = &unseen{rng: Stream(r.spec.Seed, r.cell.Trial, StreamCalibration)}
	}
	for range on.held {
		r.unseen.step(r, on)
	}
}

// whole ends the fits without a fold, and reports whether there is a prediction of
// every row.
func (u *unseen) whole(r *Run) bool {
	if u == nil {
		return false
	}
	for on := r.leading(); !u.failed && u.fold < len(on.held); {
		u.step(r, on)
	}
	return !u.failed
}

// step begins the fit without the next fold, or does an iteration of it.
func (u *unseen) step(r *Run, on *rows) {
	if u.failed || u.fold == len(on.held) {
		return
	}
	var model *fm.Model
	var err error
	switch {
	case u.refit != nil:
		var done bool
		if done, err = u.refit.next(); done {
			model = u.refit.model
		}
	case r.best.Rank > 0:
		var train design.Part
		train, u.held = on.without(u.fold)
		u.refit, err = r.newRefit(train.Z, train.Y, train.Weight, on.ridge.total, r.way(), u.rng)
	default:
		var train design.Part
		var fit linear.Fit
		train, u.held = on.without(u.fold)
		fit, err = fitLinear(&on.Encoding.Target, train, on.ridge.total)
		model = fm.New(r.cell.Model, len(fit.W), 0)
		start(model, fit)
	}
	if u.failed = err != nil; u.failed || model == nil {
		return
	}
	if levels := on.levels(); len(levels) > 0 {
		model = centred(model, nil, levels)
	}
	u.predict(u.held, func(f []float64) { model.Predict(f, u.held.Z, nil) })
	u.held, u.refit = design.Part{}, nil
	u.fold++
}
