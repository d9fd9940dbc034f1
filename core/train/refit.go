package train

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/measure"
	"ifmlab/core/message"
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
		if record := &r.lead.record; err == nil {
			record.Last, record.Rose, record.Stop = true, 0, "the choice as it was, because fitted again it predicts its own rows worse"
			if r.lead.again {
				record.Stop = "the choice, fitted again to the training and validation rows"
				record.Train, record.Test = r.eval.errorOn(r.lead.model, r.lead.on.Train, &r.lead.on.Encoding.Target), r.TestError()
			}
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
// factors start from the same random numbers. The choice stays if the new fit is clearly worse
// on these rows: with few rows, one of them far from the others, the same path can end far off.
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
	model = on.Centred(model, nil)
	lead, choice := &r.lead, r.loss(r.lead.model, r.lead.on, r.lead.on.Train, r.lead.on.Valid)
	lead.loss = choice
	if found := r.loss(model, on, on.Train); found <= clearlyWorse*choice {
		lead.on, lead.model, lead.again, lead.loss, lead.centre = on, model, true, found, nil
	}
	return nil
}

// clearlyWorse is the loss of a new fit over that of the choice on the same rows. No last fit
// of the public tables of the tests comes near it.
const clearlyWorse = 1.2

// loss returns the sum over rows of what a model is fitted to: squared errors, of logarithms
// where the target is learnt as these, or log-losses.
func (r *Run) loss(m *fm.Model, on *trial.Trial, parts ...design.Part) (sum float64) {
	target := on.Encoding.Target
	target.Log = design.LogNone
	for _, p := range parts {
		e := r.eval.errorOn(m, p, &target)
		if !target.Logistic { // it is a root
			e *= e
		}
		sum += float64(e * measure.Total(p))
	}
	return sum
}

// FitAll trains the path to the model that leads on all rows, test rows included, which on
// holds as training rows. It yields as [Run.Along] does. It returns a [*RefitError] if that
// model is clearly worse on these rows than the one that leads.
func (r *Run) FitAll(on *trial.Trial, yield func() bool) (*fm.Model, error) {
	base, err := r.Leading().Ridge()
	if err != nil {
		return nil, err
	}
	model, err := r.Along(on.Train, r.penalty(base, on.Train), r.Path(), r.start(), yield)
	if err != nil {
		return nil, err
	}
	model = on.Centred(model, nil)
	choice := r.lead.loss + r.loss(r.lead.model, r.lead.on, r.lead.on.Test)
	if found := r.loss(model, on, on.Train); r.lead.loss > 0 && !(found <= clearlyWorse*choice) {
		return nil, &RefitError{found / choice}
	}
	return model, nil
}

// RefitError says that a model fitted to all rows predicts them worse than the choice does.
type RefitError struct{ Ratio float64 } // of the sums of squared errors, or of log-losses

func (e *RefitError) Error() string {
	return message.Sprintf("train: fitted to all rows, the model predicts them worse than the choice (the loss is %.3g times as large); save the choice", e.Ratio)
}

func (*RefitError) Kind() string { return "RefitError" }

// Fitted says which rows of a table the model that leads was fitted to.
func (r *Run) Fitted() fm.Fitted {
	switch {
	case r.spec.Source != "table":
		return fm.FittedUnknown
	case r.lead.again || r.followed != nil:
		return fm.FittedChosen
	}
	return fm.FittedTraining
}
