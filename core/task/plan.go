package task

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/measure"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

// Plan is what training on a table will use, and what it costs.
type Plan struct {
	*roles.Plan
	Quantity           string // of the target, in words: [design.Target.Quantity]
	Measure            string // of errors, as [measure.Of]
	Features           int    // columns of the design
	Train, Valid, Test int    // rows; with folds none validates alone
	Folds              int    // of a cross-validation; 0 for none
	Bytes              int64
	Codes              int        // different whole numbers of a target that is learned as an amount, if so few may be codes of classes; else 0
	Steps              int        // iterations of one model at most, all candidates and folds together
	Trees              float64    // what boosted trees take at most, as [trees.Work] counts it
	Notes              note.Notes // the plan's and the encoding's
}

// Repeat returns s with the kinds of columns that validation rows have chosen, so that a
// link does the same to another file.
func (p *Plan) Repeat(s spec.Spec) spec.Spec {
	for i, u := range p.Uses {
		switch {
		case u.ChoiceKind == "" || slices.Contains(s.Categorical, u.Column) || slices.Contains(s.Numeric, u.Column):
		case p.Kinds[i] == design.Categorical:
			s.Categorical = append(slices.Clip(s.Categorical), u.Column)
		default:
			s.Numeric = append(slices.Clip(s.Numeric), u.Column)
		}
	}
	return s
}

// NewPlan plans the training with s on the first trial of a table. It neither trains nor
// holds a design. Its errors are those of
// [table.Table.Plan] and [roles.Plan.Encode]. O(rows·columns).
func NewPlan(s spec.Spec, table *table.Table) (*Plan, error) {
	settings, free := settingsOf(s, table), s
	free.Categorical, free.Numeric = nil, nil
	settings.AllChoices = kindChoices(free, table)
	plan, err := plan(s, table, settings, true)
	if err != nil {
		return nil, err
	}
	t := &Task{Spec: s, Table: table}
	split, err := t.Split(plan, trial.NoFold)
	if err == nil && Folds(s) > 0 {
		_, err = t.Split(plan, s.Folds-1) // all can be filled
	}
	if err != nil {
		return nil, err
	}
	encoding, notes, err := encode.Encoding(plan, split)
	if err != nil {
		return nil, err
	}
	trained, columns := len(split.Train), 0
	if Folds(s) > 0 { // trees have validation rows all the same
		trained = len(plan.Split(trial.Stream(s.Seed, 0, trial.StreamSplit)).Train)
	}
	for i, role := range plan.Roles {
		if role == roles.RoleFeature && plan.Kinds[i] != design.Sparse {
			columns++
		}
	}
	work := trees.Work(trained, columns)
	if columns == 0 {
		work = math.Inf(1) // none are grown
	}
	return &Plan{
		Plan:     plan,
		Quantity: encoding.Target.Quantity(),
		Measure:  measure.Of(&encoding.Target),
		Features: len(encoding.Features),
		Train:    len(split.Train), Valid: len(split.Valid), Test: len(split.Test),
		Bytes: encoding.Bytes(split.Rows()),
		Codes: codes(plan),
		Folds: Folds(s),
		Steps: len(train.Candidates(s, false, plan.ManyLevels() > 1)) * s.Iterations * (1 + Folds(s)),
		Trees: work,
		Notes: append(append(note.Notes(nil), plan.Notes...), notes...),
	}, nil
}

// mostCodes is how many different whole numbers may be codes of classes.
const mostCodes = 10

// codes returns how many whole numbers the target holds if they are so few that they may be
// codes, else 0. O(rows).
func codes(p *roles.Plan) int {
	seen := map[float64]bool{}
	if p.Levels != nil {
		return 0
	}
	for _, y := range p.Targets(p.Rows) {
		if seen[y] = true; y != math.Trunc(y) || len(seen) > mostCodes {
			return 0
		}
	}
	return len(seen)
}
