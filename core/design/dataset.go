package design

import (
	"math"

	"ifmlab/core/moment"
	"ifmlab/core/note"
)

// Part is the training, the validation or the test rows of a Dataset.
type Part struct {
	Z    Design
	Y    []float64 // the scaled target, [Target.Scaled]
	Raw  []float64 // the target in units of the table, if models learn its logarithm or log-odds; else nil
	Line []int     // of each row in the file; for simulated rows, their number from 1
	// Weight holds the weight of each row, finite and at least 0; nil: all 1.
	Weight []float64
}

// Dataset is what models are trained and tested on.
type Dataset struct {
	Train, Valid, Test Part
	Encoding           Encoding
	Notes              note.Notes
}

// SwitchLog returns s with the logarithm of the target instead of the target, or the other
// way round. The designs are shared. ok is false for a target of two values or with
// negative ones, and if the logarithm would be constant. O(rows).
func (s *Dataset) SwitchLog() (other *Dataset, ok bool) {
	t := s.Encoding.Target
	if t.Levels != nil {
		return nil, false
	}
	parts := [...]Part{s.Train, s.Valid, s.Test}
	least := math.Inf(1)
	for i := range parts {
		parts[i].Raw = s.Encoding.raw(parts[i])
		for _, v := range parts[i].Raw {
			least = min(least, v)
		}
	}
	log, ok := LogOf(least)
	if !ok || len(s.Train.Y) == 0 {
		return nil, false
	}
	encoding := s.Encoding
	if t.Log == LogNone {
		encoding.Target = LogTarget(t.Name, parts[0].Raw, parts[0].Weight, log)
	} else {
		m := moment.Weighted(parts[0].Raw, parts[0].Weight)
		encoding.Target = Target{Name: t.Name, Mean: m.Mean(), Scale: m.SD()}
	}
	if !(encoding.Target.Scale > 0) {
		return nil, false
	}
	for i := range parts {
		parts[i].Y = make([]float64, len(parts[i].Raw))
		for row, v := range parts[i].Raw {
			parts[i].Y[row] = encoding.Target.Scaled(v)
		}
		if encoding.Target.Log == LogNone {
			parts[i].Raw = nil
		}
	}
	return &Dataset{Train: parts[0], Valid: parts[1], Test: parts[2], Encoding: encoding}, true
}

// raw returns the targets in units of the table.
func (e *Encoding) raw(p Part) []float64 {
	if p.Raw != nil {
		return p.Raw
	}
	raw := make([]float64, len(p.Y))
	for i, y := range p.Y {
		raw[i] = y * e.Target.Scale
	}
	return raw
}
