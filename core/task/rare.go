package task

import (
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// planOf is [roles.NewPlan]. Where two columns have many levels, as users and items do, it
// keeps rare levels apart if ridge then predicts validation rows better: the penalty shrinks
// the effect of a level with few rows, which is more than to know nothing of it.
func planOf(s spec.Spec, table *table.Table, settings roles.Settings) (*roles.Plan, error) {
	p, err := roles.NewPlan(table, settings)
	if err != nil || p.ManyLevels() < 2 || s.Rare < 2 || !train.Searches(s) {
		return p, err
	}
	errors := table.Memo("rare "+s.Encode(), func() any { return rareErrors(s, p) }).([2]float64)
	if merged, apart := errors[0], errors[1]; apart < merged {
		p.Settings.Rare = 1
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicFeatures, Text: message.Sprintf("levels seen fewer than %d times keep their own features: ridge regression's validation error is %.4g, and %.4g if they share one feature", s.Rare, apart, merged)})
	}
	return p, nil
}

// rareErrors returns ridge's errors on the validation rows of the first trial: with rare
// levels merged, and with all apart. They are 0 where either cannot be fitted.
func rareErrors(s spec.Spec, p *roles.Plan) (errors [2]float64) {
	split := p.Split(trial.Stream(s.Seed, 0, trial.StreamSplit))
	if len(split.Valid) == 0 {
		return errors
	}
	for i, rare := range [2]int{s.Rare, 1} {
		own := *p
		own.Settings.Rare, own.Settings.PiecewiseLinear = rare, false
		rows, err := rowsOf(s, &own, split)
		if err != nil {
			return [2]float64{}
		}
		base, err := rows.Ridge()
		if err != nil {
			return [2]float64{}
		}
		errors[i] = base.Valid
	}
	return errors
}
