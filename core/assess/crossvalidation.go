package assess

import (
	"cmp"
	"math"

	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// K-fold cross-validation. All rows but the test rows are cut into folds
// ([roles.Plan.CrossValidation]), and three kinds of work follow one another. All pieces of
// one kind are independent:
//
//   - [RidgeOnFold], once a fold: ridge's error on the fold by every penalty. The penalty
//     with the lowest mean over the folds is the weights' for all that follows.
//   - [OnFold], once a fold and cell: a run that trains all candidates on the other
//     folds, as a run without folds does, and is validated by this one.
//   - [CrossValidation.Run], once a cell: the run that a reader looks at. The candidate and
//     the iteration with the lowest mean over the folds are chosen. It alone is trained
//     on all these rows, for ALS after those of its rank that it starts from.
//
// Test rows are not used before the last run. Means are taken in the order of the folds,
// so the bits do not depend on which worker trained a fold, or when.
//
// The lowest mean wins. The simplest candidate within one standard error of it would give
// accuracy away: the errors of two candidates on one fold are correlated, so their
// difference is known far better than either mean. Of equal means the smaller rank wins,
// then the stronger penalty.

// FoldRidge is the validation error of ridge on one fold for every penalty, in the order in
// which they are tried and the measure of [measure.Of].
type FoldRidge struct {
	Linear []float64 // numbers as they are
	Hats   []float64 // numbers as piecewise-linear bases; nil where these are not tried
}

// FoldErrors holds the validation errors of one fold: a list for each candidate, in the
// order in which they are tried. If ridge is exact, the last candidates are missing.
type FoldErrors [][]float64

// Append adds a record, which come in their order.
func (e *FoldErrors) Append(r train.Record) {
	for len(*e) <= r.Candidate {
		*e = append(*e, nil)
	}
	(*e)[r.Candidate] = append((*e)[r.Candidate], r.Valid)
}

// CrossValidation holds the results of all folds, in their order.
type CrossValidation struct {
	Ridge  []FoldRidge
	Errors []FoldErrors
}

// FoldError says that work on folds was asked for with something missing or too much.
type FoldError struct{ Found, Want string }

func (e *FoldError) Error() string {
	return message.Sprintf("assess: found %s, expected %s. Run every fold of the settings once", e.Found, e.Want)
}

func (*FoldError) Kind() string { return "FoldError" }

// UnchosenError says that no candidate could be trained on every fold.
type UnchosenError struct{ Folds int }

func (e *UnchosenError) Error() string {
	return message.Sprintf("assess: every candidate diverged on one of the %d folds; use fewer folds, or look for rows far beyond the others", e.Folds)
}

func (*UnchosenError) Kind() string { return "UnchosenError" }

func checkFold(s spec.Spec, fold int) error {
	if fold < 0 || fold >= task.Folds(s) {
		return &FoldError{Found: message.Sprintf("fold %d", fold), Want: message.Sprintf("0 to %d", task.Folds(s)-1)}
	}
	return nil
}

// RidgeOnFold fits ridge to the rows of the other folds, by every penalty and in every
// encoding that the settings try, and returns its errors on one fold. It returns a
// [*FoldError] for a fold out of range, and the errors of [task.Task.Source].
func RidgeOnFold(t *task.Task, fold int) (FoldRidge, error) {
	var found FoldRidge
	if err := checkFold(t.Spec, fold); err != nil {
		return found, err
	}
	tried := func(hats bool) ([]float64, error) {
		rows, err := t.Source(fold).Open(hats)
		if err != nil {
			return nil, err
		}
		rows.EveryPenalty = true
		_, err = rows.Ridge()
		return rows.Tried, err
	}
	var err error
	if found.Linear, err = tried(false); err != nil || !train.Searches(t.Spec) || t.Spec.Encoding == train.Linear {
		return found, err
	}
	linearOnly, err := t.LinearOnly()
	if err == nil && !linearOnly {
		found.Hats, err = tried(true)
	}
	return found, err
}

// source returns the source of a fold, or of all rows, with the penalty of the weights
// that the folds have chosen.
func (f CrossValidation) source(t *task.Task, fold int) (trial.Source, error) {
	weights, err := f.weights(t.Spec)
	source := t.Source(fold)
	open := source.Open
	source.Open = func(hats bool) (*trial.Trial, error) {
		rows, err := open(hats)
		if err != nil {
			return nil, err
		}
		chosen := weights[0]
		if hats {
			chosen = weights[1]
		}
		rows.LinearOnly, rows.OverFolds = len(f.Ridge[0].Hats) == 0, chosen.error
		rows.Penalties = rows.Penalties[chosen.place : chosen.place+1]
		return rows, nil
	}
	return source, err
}

// penalty is the place of a penalty in the settings, and ridge's mean error over the folds.
type penalty struct {
	place int
	error float64
}

// weights returns the penalties that ridge chooses over the folds: with numbers as they
// are, and as piecewise-linear bases.
func (f CrossValidation) weights(s spec.Spec) (chosen [2]penalty, err error) {
	if len(f.Ridge) != s.Folds {
		return chosen, &FoldError{Found: message.Sprintf("%d folds", len(f.Ridge)), Want: message.Sprintf("%d", s.Folds)}
	}
	for hats := range chosen {
		of := func(fold int) []float64 { return [...][]float64{f.Ridge[fold].Linear, f.Ridge[fold].Hats}[hats] }
		chosen[hats].error = math.NaN()
		for i := range of(0) {
			mean := meanOver(len(f.Ridge), func(fold int) float64 {
				if all := of(fold); i < len(all) {
					return all[i]
				}
				return math.NaN()
			})
			if lowest := chosen[hats].error; mean < lowest || lowest != lowest && mean == mean {
				chosen[hats] = penalty{i, mean}
			}
		}
		if lowest := chosen[hats].error; of(0) != nil && lowest != lowest {
			return chosen, &UnchosenError{Folds: s.Folds}
		}
	}
	return chosen, nil
}

// meanOver returns the mean of n numbers, summed in their order.
func meanOver(n int, of func(i int) float64) float64 {
	sum := 0.0
	for i := range n {
		sum += of(i)
	}
	return sum / float64(n)
}

// mean returns the mean over the folds of what a candidate's iteration reaches, NaN
// where it could not be trained on one of them. A fold on which it stopped earlier
// stays at its last error.
func (f CrossValidation) mean(candidate, iteration int) float64 {
	return meanOver(len(f.Errors), func(fold int) float64 {
		if candidate >= len(f.Errors[fold]) || len(f.Errors[fold][candidate]) == 0 {
			return math.NaN()
		}
		errors := f.Errors[fold][candidate]
		return errors[min(iteration, len(errors)-1)]
	})
}

// iterations returns the last iteration of a candidate on each fold, in rising order.
func (f CrossValidation) iterations(candidate int) []int {
	var all []int
	for _, errors := range f.Errors {
		if candidate < len(errors) {
			all = append(all, max(len(errors[candidate])-1, 0))
		}
	}
	order.Sort(all, cmp.Compare[int])
	return all
}

// path returns the path to the candidate and the iteration with the lowest mean: of als,
// whose fits begin where the one before ended, the candidates of its encoding and rank
// before it, each with the median of the folds' iterations; else itself.
func (f CrossValidation) path(s spec.Spec, all []train.Candidate) ([]train.Leg, error) {
	if len(f.Errors) != s.Folds {
		return nil, &FoldError{Found: message.Sprintf("%d folds", len(f.Errors)), Want: message.Sprintf("%d", s.Folds)}
	}
	best, lowest := train.Leg{}, math.NaN()
	for c := range all {
		iterations := f.iterations(c)
		for t := 0; len(iterations) > 0 && t <= iterations[len(iterations)-1]; t++ {
			if mean := f.mean(c, t); mean < lowest || lowest != lowest && mean == mean {
				best, lowest = train.Leg{Candidate: c, Lambda: all[c].Lambda, Iterations: t}, mean
			}
		}
	}
	if lowest != lowest {
		return nil, &UnchosenError{Folds: s.Folds}
	}
	var path []train.Leg
	for c := train.PathTo(all, best.Candidate); c < best.Candidate; c++ {
		iterations := f.iterations(c)
		path = append(path, train.Leg{Candidate: c, Lambda: all[c].Lambda, Iterations: iterations[len(iterations)/2]})
	}
	return append(path, best), nil
}

// OnFold prepares to train the candidates of a cell of s on all folds but one, which
// validates. Ridge is the result of [RidgeOnFold], all folds in their order. The run has
// no test rows, and shares its rows as [train.Search] says. Errors are a [*FoldError] and
// those of [train.Search].
func OnFold(s spec.Spec, cell, fold int, table *table.Table, ridge []FoldRidge, others ...*train.Run) (*train.Run, error) {
	if err := checkFold(s, fold); err != nil {
		return nil, err
	}
	t, err := task.At(s, cell, table)
	if err != nil {
		return nil, err
	}
	source, err := CrossValidation{Ridge: ridge}.source(t, fold)
	if err != nil {
		return nil, err
	}
	return train.Search(s, cell, source, others...)
}

// Run prepares to train what the folds have chosen of a cell of s, on all rows that do not
// test. Valid of its records is the mean over the folds of what the same iteration of the
// same candidate reached there. Errors are a [*FoldError], an [*UnchosenError] and those of
// [train.Search].
func (f CrossValidation) Run(s spec.Spec, cell int, table *table.Table, others ...*train.Run) (*train.Run, error) {
	t, err := task.At(s, cell, table)
	if err != nil {
		return nil, err
	}
	source, err := f.source(t, trial.NoFold)
	if err != nil {
		return nil, err
	}
	run, err := train.Search(s, cell, source, others...)
	if err != nil {
		return nil, err
	}
	return run, run.Follow(func(all []train.Candidate) ([]train.Leg, error) { return f.path(s, all) }, f.mean)
}

// Each does n pieces of work, in any order or at once, and returns an error if one did.
type Each func(n int, do func(i int) error) error

// InTurn does one piece after another, up to the first error.
func InTurn(n int, do func(i int) error) error {
	for i := range n {
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// CrossValidate does the work of all folds of a cell of s. Watch, if it is not nil, is
// shown every record of every fold, those of one fold in their order, and ends the work by
// an error. The result does not depend on each. Errors are those of [RidgeOnFold],
// [OnFold] and [train.Run.Next].
func CrossValidate(s spec.Spec, cell int, table *table.Table, each Each, watch func(fold int, r train.Record) error) (CrossValidation, error) {
	var found CrossValidation
	t, err := task.At(s, cell, table)
	if err != nil {
		return found, err
	}
	folds := task.Folds(s)
	found.Ridge, found.Errors = make([]FoldRidge, folds), make([]FoldErrors, folds)
	err = each(folds, func(fold int) (err error) {
		found.Ridge[fold], err = RidgeOnFold(t, fold)
		return err
	})
	if err != nil {
		return found, err
	}
	return found, each(folds, func(fold int) error {
		run, err := OnFold(s, cell, fold, table, found.Ridge)
		if err != nil {
			return err
		}
		defer run.Close()
		for !run.Done() {
			r, err := run.Next()
			if err != nil {
				return err
			}
			found.Errors[fold].Append(r)
			if watch != nil {
				if err := watch(fold, r); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
