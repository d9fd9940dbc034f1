package core

import (
	"ifmlab/core/design"
	"ifmlab/core/measure"
	"ifmlab/core/study"
)

// unseen holds log-odds of rows that have not trained the model that predicts them. A
// [measure.Calibration] is fitted to them.
type unseen struct{ f, y, weight []float64 } // log-odds, classes and weights; nil for 1 each

// predict adds rows and their predictions.
func (u *unseen) predict(p design.Part, predict func(f []float64)) {
	if len(p.Y) == 0 {
		return
	}
	f := make([]float64, len(p.Y))
	predict(f)
	u.f, u.y, u.weight = append(u.f, f...), append(u.y, p.Y...), append(u.weight, p.Weight...)
}

// platt fits a calibration to all predictions.
func (u *unseen) platt() measure.Calibration { return measure.Platt(u.f, u.y, u.weight) }

// without returns the rows of r that train without one fold, and the rows of the fold.
func (r *rows) without(fold int) (train, held design.Part) {
	s := r.held[fold]
	return r.part(&r.Encoding, s.Train), r.part(&r.Encoding, s.Valid)
}

// outOfFold trains the cross-validated model of r without each fold in turn and predicts
// that fold. So all rows but the test rows calibrate, as there are no validation rows.
func (r *Run) outOfFold(on *rows, yield func() bool) error {
	rng := Stream(r.spec.Seed, r.cell.Trial, StreamCalibration)
	for fold := range on.held {
		train, held := on.without(fold)
		model, err := r.along(train, on.ridge.total, r.legs, rng, yield)
		if err != nil {
			return err
		}
		if levels := on.levels(); len(levels) > 0 {
			model = centred(model, nil, levels)
		}
		r.unseen.predict(held, func(f []float64) { model.Predict(f, held.Z, nil) })
		if !yield() {
			return study.ErrStopped
		}
	}
	return nil
}

// stepFolds does a step of [Run.outOfFold] for each fold, so that it ends about when the
// run does.
func (r *Run) stepFolds() {
	on := r.on(r.candidates[r.now])
	if r.legs == nil || on.held == nil || r.best == nil {
		return
	}
	if r.folds == nil {
		r.folds = study.New(func(yield func() bool) error { return r.outOfFold(on, yield) })
	}
	for range on.held {
		r.folds.Next()
	}
}
