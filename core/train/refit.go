package train

import (
	"ifmlab/core/fm"
	"ifmlab/core/study"
	"ifmlab/core/trial"
)

// refits reports whether the model that leads is fitted once more, to the training and the
// validation rows: where validation rows of a table have chosen it. Drawn rows have none to
// add. A run that follows a path of folds trains on all these rows from the first.
func (r *Run) refits() bool { return r.validates && r.source.Refit != nil && r.lead.model != nil }

// refit does an iteration of the last fit. It returns the record of the model that leads,
// whose errors on training and test rows are new once the fit is over.
func (r *Run) refit() (Record, error) {
	if r.state.refit == nil {
		r.state = training{refit: study.New(r.fitAgain)}
	}
	err := r.state.refit.Next()
	if r.state.refit.Done() {
		if err == nil {
			on := r.lead.on
			record := &r.lead.record
			record.Last, record.Rose, record.Stop = true, 0, "the choice, fitted once more to the training and validation rows"
			record.Train, record.Test = r.eval.errorOn(r.lead.model, on.Train, &on.Encoding.Target), r.TestError()
		}
		r.end()
	}
	record := r.lead.record
	if record.Lead = r.lead.candidate; !record.Last {
		record.Last, record.Rose, record.Stop = true, 0, ""
	}
	return record, err
}

// fitAgain trains the path to the model that leads on the training and validation rows. Its
// factors start from the same random numbers.
func (r *Run) fitAgain(yield func() bool) error {
	on, err := r.lead.on.Refit(r.source, r.lead.record.Encoding == Hats)
	if err != nil {
		return err
	}
	base, err := on.Ridge()
	if err != nil {
		return err
	}
	model, err := r.along(on.Train, base.Fit, base.Total, r.Path(), r.start(), yield)
	if err != nil {
		return err
	}
	r.lead.on, r.lead.model = on, on.Centred(model, nil)
	return nil
}

// FitAll trains the path to the model that leads on all rows, test rows included, which on
// holds as training rows. It yields as [Run.Along] does.
func (r *Run) FitAll(on *trial.Trial, yield func() bool) (*fm.Model, error) {
	base, err := r.Leading().Ridge()
	if err != nil {
		return nil, err
	}
	model, err := r.Along(on.Train, r.penalty(base, on.Train), r.Path(), r.start(), yield)
	if err != nil {
		return nil, err
	}
	return on.Centred(model, nil), nil
}

// Fitted says which rows of a table the model that leads was fitted to.
func (r *Run) Fitted() fm.Fitted {
	switch {
	case r.spec.Source != "table":
		return fm.FittedUnknown
	case r.lead.record.Last || r.followed != nil:
		return fm.FittedChosen
	}
	return fm.FittedTraining
}
