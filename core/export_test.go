package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/measure"
)

// SharesRows reports whether two runs train on the same rows in memory.
func SharesRows(a, b *Run) bool { return a.rows == b.rows }

// TruthFactors returns U and V of the truth.
func TruthFactors(r *Run) (u, v []float64) { return r.rows.truth.U, r.rows.truth.Right() }

// Rows returns what a run trains on.
func Rows(r *Run) *design.Dataset { return r.rows.Dataset }

// What intervals are calibrated by.
var (
	RankOf    = rankOf
	Fewest    = fewest
	Calibrate = calibrate
	Wilson    = measure.Wilson
)

// HatRows returns what a run trains on once numbers are piecewise-linear bases: its
// first candidate's, where the settings ask for these alone.
func HatRows(r *Run) *design.Dataset {
	if err := r.prepare(r.candidates[0]); err != nil {
		panic(err)
	}
	return r.on(r.candidates[0]).Dataset
}

// Spread returns the mean of the training targets and their ends.
func (r *Run) Spread() (s struct{ Mean, Least, Most float64 }) {
	y, scale := r.rows.Train.Y, r.rows.Encoding.Target.Scale
	s.Mean, s.Least, s.Most = r.rows.Encoding.Target.Mean, math.Inf(1), math.Inf(-1)
	for _, v := range y {
		s.Least, s.Most = min(s.Least, v*scale), max(s.Most, v*scale)
	}
	return s
}

// Tell judges log-odds of rows of classes, without a calibration.
func Tell(f, y []float64) Told { return tell(f, y, nil, measure.Calibration{Slope: 1}) }

// TellWeighted is [Tell] of rows with weights.
func TellWeighted(f, y, weight []float64) Told {
	return tell(f, y, weight, measure.Calibration{Slope: 1})
}

// Platt fits a calibration to log-odds of rows of classes.
func Platt(f, y []float64) measure.Calibration { return measure.Platt(f, y, nil) }

// PlattWeighted is [Platt] of rows with weights.
func PlattWeighted(f, y, weight []float64) measure.Calibration { return measure.Platt(f, y, weight) }

// Unseen returns the validation rows of trees that are growing: what they predict for
// these once they are grown, their classes and their weights.
func Unseen(t *Trees) func() (f, y, weight []float64) {
	booster, valid, counts := t.booster, t.valid, t.counts
	return func() (f, y, weight []float64) {
		f, err := booster.Predict(valid.Columns)
		if err != nil {
			panic(err)
		}
		return f, valid.Y, counts
	}
}
