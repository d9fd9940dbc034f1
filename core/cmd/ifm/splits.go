package main

import (
	"ifmlab/core/estimator"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/trees"
)

// quickWork is the bytes of the design times the iterations, up to which train goes on to
// tenSplits unasked. Ten splits then take a few seconds.
const (
	quickWork = 1e9
	tenSplits = 10
)

// repeat adds to the scores what the models reach on other splits of the rows. It asks no
// more of rows in the order of time, whose last fifth is always the same, and of test rows of a file of
// their own.
func (c *call) repeat(f *estimator.Fitted, table *table.Table, s spec.Spec, r *report, progress *progress) error {
	defer progress.end()
	n := c.splits
	if r.TooFew != "" { // nothing is concluded
		return nil
	}
	if n == 0 {
		p, err := task.NewPlan(s, table)
		if err != nil {
			return err
		}
		if p.Folds > 0 || p.Trees > trees.Quick || float64(p.Bytes)*float64(p.Steps) > quickWork {
			return nil
		}
		n = tenSplits
	}
	if n < 2 || s.Split == "time" || table.Test != nil {
		return nil
	}
	all, err := f.Splits(c.context(), n, func(done, of int) { progress.update("%d of %d more splits", done, of) })
	if err != nil {
		return err
	}
	r.Splits = len(all[f.Kind()])
	for i := range r.Scores {
		score := &r.Scores[i]
		if score.Lead == nil { // the model itself
			score.Mean = real(all.Mean(f.Kind()))
			continue
		}
		score.Mean = real(all.Mean(score.Name))
		lead := all.Lead(f.Kind(), score.Name)
		score.Splits = &leadReport{real(lead.By), real(lead.Low), real(lead.High), real(lead.P)}
	}
	return nil
}
