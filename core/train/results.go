package train

import (
	"bytes"
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/interaction"
	"ifmlab/core/measure"
	"ifmlab/core/spec"
	"ifmlab/core/trial"
)

// Predictions holds the test rows in target units. Two classes are 0 and 1, and their
// predictions probabilities of class 1. More classes are 0, 1, 2, …, and the predictions the
// probabilities of the row's own.
type Predictions struct {
	Line      []int // of the file; the row's number, from 1, for synthetic rows
	Actual    []float64
	Weight    []float64 // what each row counts; nil for 1 each
	Predicted []float64 // of classes calibrated, where that is used
	Ridge     []float64 // what ridge predicts for the same rows
	Additive  []float64 // what the additive baseline does; nil where there is none
	Error     float64   // of Predicted, in the measure of the run

	Probabilities []float64 // of more than two classes, those of a row next to each other; else nil
}

// Baselines holds the test errors of the simplest models, in the measure that
// [Run.Measure] names.
type Baselines struct {
	Mean   float64 // the training mean; of classes the share of class 1 as a probability
	Ridge  float64
	Lambda float64 // ridge's, a row, chosen on validation rows; 0 without them
}

// Features returns the names of the columns of the design, that of the model that
// leads once there is one.
func (r *Run) Features() []string { return interaction.Names(r.Leading().Encoding) }

// Leading returns the rows that the model that leads was trained on.
func (r *Run) Leading() *trial.Trial {
	if r.lead.on != nil {
		return r.lead.on
	}
	return r.rows
}

// Target returns the name of the target.
func (r *Run) Target() string { return r.rows.Encoding.Target.Name }

// Quantity names the modelled quantity, as [design.Target.Quantity] does. Interactions are in
// its units.
func (r *Run) Quantity() string { return r.rows.Encoding.Target.Quantity() }

// Truth returns M* of synthetic rows, in the units of the features as drawn;
// ok is false for a table.
func (r *Run) Truth() (m interaction.Matrix, ok bool) {
	if r.rows.Truth == nil {
		return interaction.Matrix{}, false
	}
	truth := r.rows.Truth
	return interaction.Matrix{Names: r.Features(), Values: truth.Interaction(), Eigenvalues: truth.Eigenvalues(nil), Rank: truth.Rank}, true
}

// Interaction returns M of the model that leads, as [interaction.Of] does. It returns
// [ErrNoModel] before the first record, and a [*interaction.TooWideError] beyond
// [interaction.MaxFeatures] features. Of more than two classes it is that of the first. O(d²k).
func (r *Run) Interaction() (interaction.Matrix, error) {
	if r.lead.model == nil {
		return interaction.Matrix{}, ErrNoModel
	}
	var units []float64 // of a table those of the features differ, so that eigenvalues in them mean nothing
	if r.rows.Truth != nil {
		for _, f := range r.rows.Encoding.Features {
			units = append(units, 1/f.Scale)
		}
	}
	model, encoding := r.Calibrated()
	if model.Classes != nil {
		model = model.Classes[0]
	}
	m, err := interaction.Of(model, encoding, units)
	m.Lambda, m.Iteration = r.lead.record.Lambda, r.lead.record.Iteration
	return m, err
}

// TestError returns the error of [Run.Predictions] in the measure of the run. Once the run
// is over, it is that of calibrated probabilities. It is NaN before the first record.
// O(n·d·k).
func (r *Run) TestError() float64 {
	if r.lead.model == nil {
		return math.NaN()
	}
	model, encoding := r.Calibrated()
	return r.eval.errorOn(model, r.Leading().Test, &encoding.Target)
}

// Predictions returns the predictions of the model that leads for the test rows. It
// returns [ErrNoModel] before the first record. O(n·d·k), and what [Run.Baselines]
// costs the first time.
func (r *Run) Predictions() (Predictions, error) {
	if r.lead.model == nil {
		return Predictions{}, ErrNoModel
	}
	model, encoding := r.Calibrated()
	test, target := r.Leading().Test, &encoding.Target
	p := Predictions{
		Line:   test.Line,
		Weight: test.Weight,
		Actual: make([]float64, len(test.Y)),
		Error:  r.TestError(),
	}
	f := make([]float64, len(test.Y)*target.Scores())
	model.Predict(f, test.Z, &r.eval.scratch)
	if target.Scores() > 1 {
		p.Probabilities = measure.Probabilities(f, target)
	}
	p.Predicted = measure.Predicted(f, test.Y, target)
	base, on, err := r.rows.Baseline(r.source, false)
	if err != nil {
		return Predictions{}, err
	}
	f = make([]float64, len(f))
	base.Calibrated().Predict(f, on.Test.Z)
	p.Ridge = measure.Predicted(f, test.Y, &on.Encoding.Target)
	if r.additive != nil {
		p.Additive = r.additive.Predicted
	}
	copy(p.Actual, test.Raw)
	for i, y := range test.Y {
		if test.Raw == nil {
			p.Actual[i] = target.Raw(y)
		}
	}
	return p, nil
}

// Baselines fits the simplest models, once: O(n·d²). Where validation rows choose ridge's
// penalty, both are fitted to these and the training rows, as the model is in the end.
func (r *Run) Baselines() (Baselines, error) {
	b, _, err := r.rows.Baseline(r.source, false)
	if err != nil {
		return Baselines{}, err
	}
	return Baselines{Mean: b.Mean, Ridge: b.Test, Lambda: b.Lambda}, nil
}

// Additive returns the additive baseline of a run that is over; nil where there is none.
func (r *Run) Additive() *trial.Additive { return r.additive }

// Model returns the model that leads as a file (package fm describes it), with its
// prediction intervals once [Run.SetInterval] has set them, or [ErrNoModel] before the
// first record.
func (r *Run) Model() ([]byte, error) {
	if r.lead.model == nil {
		return nil, ErrNoModel
	}
	return r.file(r.lead.model, r.Leading(), r.Centre(), r.interval, r.Fitted())
}

// Centre returns that of the model that leads on a table, nil for drawn rows and before the
// first record. It needs the training rows the first time.
func (r *Run) Centre() *fm.Centre {
	if on := r.Leading(); r.lead.centre == nil && r.lead.model != nil && on.Truth == nil && on.Train.Z != nil {
		r.lead.centre = on.CentreOf(r.lead.model)
	}
	return r.lead.centre
}

// File returns a model of these rows as a file, with the calibration of the run.
func (r *Run) File(model *fm.Model, on *trial.Trial, interval *fm.Interval, fitted fm.Fitted) ([]byte, error) {
	return r.file(model, on, on.CentreOf(model), interval, fitted)
}

func (r *Run) file(model *fm.Model, on *trial.Trial, centre *fm.Centre, interval *fm.Interval, fitted fm.Fitted) ([]byte, error) {
	var b bytes.Buffer
	model, encoding := r.calibrated(model, on.Encoding)
	file := *model
	file.Interval, file.Fitted, file.Centre = interval, fitted, centre
	err := file.Write(&b, encoding)
	return b.Bytes(), err
}

// evaluation is scratch for errors over rows.
type evaluation struct {
	scratch   fm.Scratch
	predicted []float64
}

// errorOn returns the RMSE over the rows of p in units of the table, of classes the
// mean log-loss, NaN when it has none.
func (e *evaluation) errorOn(m *fm.Model, p design.Part, target *design.Target) float64 {
	n := len(p.Y) * target.Scores()
	if n == 0 {
		return math.NaN()
	}
	if cap(e.predicted) < n {
		e.predicted = make([]float64, n)
	}
	f := e.predicted[:n]
	m.Predict(f, p.Z, &e.scratch)
	return measure.Error(f, p, target)
}

// Measure returns the measure of the errors of r, [measure.RMSE] or [measure.LogLoss].
func (r *Run) Measure() string { return measure.Of(&r.rows.Encoding.Target) }

// ClassNames returns the classes of the target, class 0 first. It is nil for a target that
// is learnt as a number.
func (r *Run) ClassNames() []string { return measure.Classes(&r.rows.Encoding.Target) }

// Theory returns what is known about drawn rows; ok is false for a table.
func (r *Run) Theory() (t trial.Theory, ok bool) { return r.rows.Theory() }

// Rows returns the rows of the run, with numbers as they are.
func (r *Run) Rows() *trial.Trial { return r.rows }

// Spec returns the settings of the run, of its point of a sweep.
func (r *Run) Spec() spec.Spec { return r.spec }

// Source returns the source of the rows. Of a closed run it opens nothing.
func (r *Run) Source() trial.Source { return r.source }

// Lead returns the model that leads, before its calibration; nil before the first record.
func (r *Run) Lead() *fm.Model { return r.lead.model }

// Calibration returns the calibration of the model that leads, once the run is over: that
// of no effect for a target that is learnt as a number.
func (r *Run) Calibration() measure.Calibration {
	if r.platt == nil {
		return measure.Calibration{Slope: 1}
	}
	return *r.platt
}

// SetInterval sets the prediction intervals of the model that leads, for its file.
func (r *Run) SetInterval(i *fm.Interval) { r.interval = i }

// Progress returns how many candidates have been tried, of how many.
func (r *Run) Progress() (done, of int) { return r.now, len(r.candidates) }
