package train

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/measure"
	"ifmlab/core/study"
	"ifmlab/core/trial"
)

// outOfFold trains the cross-validated model of r without each fold in turn and predicts
// that fold. So all rows but the test rows calibrate, as there are no validation rows.
func (r *Run) outOfFold(on *trial.Trial, yield func() bool) error {
	rng := trial.Stream(r.spec.Seed, r.cell.Trial, trial.StreamCalibration)
	base, err := on.Ridge()
	if err != nil {
		return err
	}
	for _, fold := range on.Folds {
		train, held := fold()
		model, err := r.Along(train, base.Total, r.followed.path, rng, yield)
		if err != nil {
			return err
		}
		if on.HasLevels() {
			model = on.Centred(model, nil)
		}
		r.state.unseen.Add(held, on.Encoding.Target.Scores(), func(f []float64) { model.Predict(f, held.Z, nil) })
		if !yield() {
			return study.ErrStopped
		}
	}
	return nil
}

// stepFolds does a step of [Run.outOfFold] for each fold, so that it ends about when the
// run does.
func (r *Run) stepFolds() {
	on := r.state.on(r)
	if r.followed == nil || on.Folds == nil || r.lead.model == nil {
		return
	}
	if r.state.folds == nil {
		r.state.folds = study.New(func(yield func() bool) error { return r.outOfFold(on, yield) })
	}
	for range on.Folds {
		r.state.folds.Next()
	}
}

// calibrate calibrates the model that leads, once the run is over.
func (r *Run) calibrate() {
	on := r.lead.on
	if on == nil || !on.Encoding.Target.Logistic {
		return
	}
	unseen := &r.state.unseen
	if r.followed == nil {
		unseen.Add(on.Valid, on.Encoding.Target.Scores(), func(f []float64) { r.lead.model.Predict(f, on.Valid.Z, &r.eval.scratch) })
	} else if r.state.folds == nil || r.state.folds.Finish() != nil {
		unseen = &measure.OutOfSample{}
	}
	c := unseen.Platt()
	r.platt = &c
}

// Calibrated returns the model that leads as it is shown and saved, with its encoding:
// itself, or calibrated, which makes the slope its scale and moves its bias. O(d·k).
func (r *Run) Calibrated() (*fm.Model, design.Encoding) {
	return r.calibrated(r.lead.model, r.Leading().Encoding)
}

func (r *Run) calibrated(model *fm.Model, enc design.Encoding) (*fm.Model, design.Encoding) {
	if c := r.platt; c != nil && c.Used {
		m := fm.NewClasses(model.Kind, model.D, model.Rank, len(model.Scores()))
		m.Set(model)
		m.B += c.Offset / c.Slope
		enc.Target.Scale = c.Slope
		return m, enc
	}
	return model, enc
}
