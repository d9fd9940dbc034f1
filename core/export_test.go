package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/measure"
)

// TruthFactors returns U and V of the truth.
func TruthFactors(r *Run) (u, v []float64) { return r.Rows().Truth.U, r.Rows().Truth.Right() }

// HatRows returns the rows with numbers as piecewise-linear bases.
func HatRows(r *Run) *design.Dataset {
	rows, err := r.Rows().WithHats(r.Source())
	if err != nil {
		panic(err)
	}
	return rows.Dataset
}

// Spread returns the mean of the training targets and their ends.
func (r *Run) Spread() (s struct{ Mean, Least, Most float64 }) {
	target := &r.Rows().Encoding.Target
	s.Mean, s.Least, s.Most = target.Mean, math.Inf(1), math.Inf(-1)
	for _, v := range r.Rows().Train.Y {
		s.Least, s.Most = min(s.Least, v*target.Scale), max(s.Most, v*target.Scale)
	}
	return s
}

// Platt fits a calibration to log-odds of rows of classes.
func Platt(f, y []float64) measure.Calibration { return measure.Platt(f, y, nil) }
