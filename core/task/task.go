// Package task puts settings on a table: its plan, its splits, and the rows of its trials.
package task

import (
	"cmp"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/measure"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Task is the training of models on one trial of a table.
type Task struct {
	Spec  spec.Spec
	Trial int
	Table *table.Table
}

// At returns the task of a cell of s. It returns a [*trial.CellError].
func At(s spec.Spec, cell int, table *table.Table) (*Task, error) {
	c, err := trial.CellAt(s, cell)
	return &Task{Spec: trial.PointAt(s, c.Point).Spec, Trial: c.Trial, Table: table}, err
}

// Folds returns the number of folds of a cross-validation that s asks for, 0 for none.
func Folds(s spec.Spec) int {
	if s.Source == "table" && s.Folds > 1 {
		return s.Folds
	}
	return 0
}

// WithoutFolds returns the task with validation rows in place of cross-validation. Where
// something beside the models has a penalty or an encoding to choose, these choose it.
func (t *Task) WithoutFolds() *Task {
	own := *t
	own.Spec.Folds = 0
	return &own
}

// Plan returns the plan of the table.
func (t *Task) Plan() (*roles.Plan, error) {
	return planOf(t.Spec, t.Table, settingsOf(t.Spec, t.Table))
}

// ValidationSplit returns the split of the trial into training, validation and test rows,
// whether the settings ask for folds or not.
func (t *Task) ValidationSplit(plan *roles.Plan) *roles.Split {
	return plan.Split(trial.Stream(t.Spec.Seed, t.Trial, trial.StreamSplit))
}

// Split returns the split of a fold, or of all rows that do not test.
func (t *Task) Split(plan *roles.Plan, fold int) (*roles.Split, error) {
	split := t.ValidationSplit(plan)
	switch {
	case Folds(t.Spec) == 0:
		return split, nil
	case fold == trial.NoFold:
		return split.MergeValidation(), nil
	}
	all, err := t.folds(plan)
	if err != nil {
		return nil, err
	}
	return all[fold], nil
}

func (t *Task) folds(plan *roles.Plan) ([]*roles.Split, error) {
	return plan.CrossValidation(t.ValidationSplit(plan), t.Spec.Folds, trial.Stream(t.Spec.Seed, t.Trial, trial.StreamFolds))
}

// Source returns the source of the rows of a fold, or of all rows. Errors of its Open are
// those of [table.Table.Plan] and [roles.Plan.Dataset].
func (t *Task) Source(fold int) trial.Source {
	source := trial.Source{
		Key:  trial.Key{Settings: t.Spec.Encode(), Trial: t.Trial, Fold: fold, Table: t.Table},
		Open: func(hats bool) (*trial.Trial, error) { return t.open(fold, hats) },
	}
	if fold == trial.NoFold && Folds(t.Spec) == 0 {
		source.Refit = func(hats bool) (*trial.Trial, error) { return t.Refit(hats, false) }
	}
	return source
}

// Refit opens the rows that a chosen model is fitted to once more: validation rows train, too,
// and if all is set so do the test rows, which are still the test part. Errors are those of
// [Task.Source].
func (t *Task) Refit(hats, all bool) (*trial.Trial, error) {
	settings := settingsOf(t.Spec, t.Table)
	settings.PiecewiseLinear = hats
	plan, err := plan(t.Spec, t.Table, settings, false)
	if err != nil {
		return nil, err
	}
	split := t.ValidationSplit(plan).MergeValidation()
	if all {
		split.Train = slices.Concat(split.Train, split.Test)
	}
	return rowsOf(t.Spec, plan, split)
}

func (t *Task) open(fold int, hats bool) (*trial.Trial, error) {
	if t.Table == nil {
		return nil, trial.NoTableError{}
	}
	all := fold == trial.NoFold
	settings := settingsOf(t.Spec, t.Table)
	settings.PiecewiseLinear = hats
	plan, err := plan(t.Spec, t.Table, settings, all && !hats)
	if err != nil {
		return nil, err
	}
	split, err := t.Split(plan, fold)
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(t.Spec, plan, split)
	if err != nil {
		return nil, err
	}
	if all && Folds(t.Spec) > 0 && rows.Encoding.Target.Logistic {
		folds, err := t.folds(plan)
		if err != nil {
			return nil, err
		}
		for _, f := range folds {
			rows.Folds = append(rows.Folds, func() (train, held design.Part) {
				return encode.Part(plan, &rows.Encoding, f.Train), encode.Part(plan, &rows.Encoding, f.Valid)
			})
		}
	}
	if all && !hats && train.Searches(t.Spec) && t.Spec.Encoding != train.Linear {
		t.tryHats(rows, len(rows.Train.Y)+len(rows.Valid.Y)+len(rows.Test.Y))
	}
	return rows, nil
}

// encoding returns the encoding of all rows that do not test, and its split.
func (t *Task) encoding(hats bool) (*design.Encoding, *roles.Split, error) {
	settings := settingsOf(t.Spec, t.Table)
	settings.PiecewiseLinear = hats
	plan, err := plan(t.Spec, t.Table, settings, false)
	if err != nil {
		return nil, nil, err
	}
	split, err := t.Split(plan, trial.NoFold)
	if err != nil {
		return nil, nil, err
	}
	encoding, _, err := encode.Encoding(plan, split)
	return encoding, split, err
}

// tryHats finds out whether numbers can be tried as piecewise-linear bases: not if no
// column has more than two of them, or if their design would be too large, which is noted.
// It costs O(features) if that is plain, else O(rows·columns).
func (t *Task) tryHats(rows *trial.Trial, n int) {
	if bends(rows, n) {
		return
	}
	encoding, _, err := t.encoding(true)
	switch {
	case err != nil:
		rows.LinearOnly = true
		rows.Notes = append(rows.Notes, note.Note{Topic: note.TopicFeatures, Text: "numbers are not tried as piecewise-linear bases: " + err.Error()})
	case len(encoding.Features) == len(rows.Encoding.Features):
		rows.LinearOnly = true
	}
}

// LinearOnly reports whether nothing is to be tried with numbers as piecewise-linear bases,
// as all rows that do not test tell.
func (t *Task) LinearOnly() (bool, error) {
	encoding, split, err := t.encoding(false)
	if err != nil {
		return false, err
	}
	rows := &trial.Trial{Dataset: &design.Dataset{Encoding: *encoding}}
	t.tryHats(rows, split.Rows())
	return rows.LinearOnly, nil
}

// rowsOf encodes the rows of a split of a table.
func rowsOf(s spec.Spec, plan *roles.Plan, split *roles.Split) (*trial.Trial, error) {
	set, err := encode.DatasetOf(plan, split)
	if err != nil {
		return nil, err
	}
	set.Notes = append(plan.Notes, set.Notes...)
	rows := &trial.Trial{Dataset: set, ManyLevels: plan.ManyLevels() > 1}
	if train.Searches(s) { // the largest first: of two that predict alike it is taken
		rows.Penalties = append(rows.Penalties, s.LambdaW...)
		if rows.ManyLevels && slices.Equal(s.LambdaW, spec.Default().LambdaW) {
			rows.Penalties = train.Between(rows.Penalties)
		}
		order.Sort(rows.Penalties, func(a, b float64) int { return cmp.Compare(b, a) })
		return rows, nil
	}
	for _, lambda := range s.Lambdas {
		rows.Penalties = append(rows.Penalties, measure.Total(set.Train)*lambda)
	}
	return rows, nil
}

// bends reports whether some column has more than two numbers for certain, and a
// design of bases room: a number takes 8 bytes of a row, and 12 as a basis, beside what
// says where the row starts.
//
// Numbers x from a to b with mean μ and variance σ² have (μ−a)(b−μ) − σ² as the mean of
// (x−a)(b−x), which is 0 for a and b and at most (b−a)²/4 between them. Where it is over
// a thousandth of (b−a)², .4 % of the rows lie between, and some of those are among the
// thousands that corners are looked for in.
func bends(t *trial.Trial, rows int) bool {
	if 2*t.Encoding.Bytes(rows)+8*int64(rows) > design.MaxBytes {
		return false
	}
	return slices.ContainsFunc(t.Encoding.Features, func(f design.Feature) bool {
		span := (f.Most - f.Least) / 3 // a feature is held to one more on either side
		a, b := f.Least+span, f.Most-span
		return f.Kind == design.FeatureValue && float64((f.Mean-a)*(b-f.Mean))-float64(f.Scale*f.Scale) > .001*float64(span*span)
	})
}
