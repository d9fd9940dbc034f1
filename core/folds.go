package core

import (
	"cmp"
	"math"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
)

// K-fold cross-validation. All rows but the test rows are cut into folds
// ([roles.Plan.CrossValidation]), and three kinds of work follow one another, all pieces of one
// kind being independent:
//
//   - [WeighFold], once a fold: ridge's error on the fold by every penalty. The penalty
//     with the lowest mean over the folds is the weights' for all that follows.
//   - [OpenFold], once a fold and cell: a run that trains all candidates on the other
//     folds, as a run without folds does, and is validated by this one.
//   - [OpenFound], once a cell: the run that a reader looks at. The candidate and the
//     iteration with the lowest mean over the folds are chosen, and it alone is trained
//     on all these rows, of als after those of its rank that it starts from.
//
// Nothing in this looks at test rows before the last run's records do. Means are taken
// in the order of the folds, so that who did the work, and when, changes no bit.
//
// The lowest mean is taken, and not the simplest candidate within one standard error of
// it: the errors of two candidates on one fold go together, so that their difference is
// far surer than either mean, and the rule would give away accuracy that is there. Of
// equal means the first wins, which is that with the smaller rank, and of one rank the
// stronger penalty.

// whole is the fold of a run that is none: it trains on all rows that do not test or,
// where the settings ask for no folds, on those that do not validate either.
const whole = -1

// folded reports whether s asks for cross-validation.
func folded(s spec.Spec) bool { return s.Source == "table" && s.Folds > 1 }

// Folds returns how many folds s asks for, 0 for none.
func Folds(s spec.Spec) int {
	if folded(s) {
		return s.Folds
	}
	return 0
}

// taken returns the split of a trial: of a fold, if it is one.
func taken(s spec.Spec, trial, fold int, plan *roles.Plan) (*roles.Split, error) {
	if folded(s) && fold != whole {
		all, err := crossed(s, trial, plan)
		if err != nil {
			return nil, err
		}
		return all[fold], nil
	}
	split := plan.Split(Stream(s.Seed, trial, StreamSplit))
	if folded(s) {
		return split.Whole(), nil
	}
	return split, nil
}

// crossed returns the folds of a trial.
func crossed(s spec.Spec, trial int, plan *roles.Plan) ([]*roles.Split, error) {
	split := plan.Split(Stream(s.Seed, trial, StreamSplit))
	return plan.CrossValidation(split, s.Folds, Stream(s.Seed, trial, StreamFolds))
}

// FoldRidge is ridge's validation error on one fold, in the measure that [Run.Measure]
// names, an entry a penalty in the order in which they are tried.
type FoldRidge struct {
	Linear []float64 // numbers as they are
	Hats   []float64 // numbers as piecewise-linear bases; nil where these are not tried
}

// FoldErrors is what the candidates of a run reach on one fold: Valid of the records of
// each, in the order in which they are tried. One that was not tried, because ridge was
// exact, may be missing at the end.
type FoldErrors [][]float64

// Append adds a record, which come in their order.
func (e *FoldErrors) Append(r Record) {
	for len(*e) <= r.Candidate {
		*e = append(*e, nil)
	}
	(*e)[r.Candidate] = append((*e)[r.Candidate], r.Valid)
}

// Found is what all folds have found, each at its place.
type Found struct {
	Ridge  []FoldRidge
	Errors []FoldErrors
}

// FoldError says that work on folds was asked for with something missing or too much.
type FoldError struct {
	What        string
	Found, Want int
}

func (e *FoldError) Error() string {
	return message.Sprintf("core: found %d %s, want %d as the settings have folds; do all folds, each once", e.Found, e.What, e.Want)
}

func (*FoldError) Kind() string { return "FoldError" }

// UnchosenError says that no candidate could be trained on every fold.
type UnchosenError struct{ Folds int }

func (e *UnchosenError) Error() string {
	return message.Sprintf("core: no candidate has an error that is a number on each of the %d folds; take fewer folds, or look for rows far beyond the others", e.Folds)
}

func (*UnchosenError) Kind() string { return "UnchosenError" }

func checkFold(s spec.Spec, fold int) error {
	if fold < 0 || fold >= Folds(s) {
		return &FoldError{What: "as the number of a fold, from 0,", Found: fold, Want: Folds(s)}
	}
	return nil
}

// WeighFold fits ridge to the rows of the other folds of a trial, by every penalty and
// in every encoding that s tries, and judges it by fold number fold. Its errors are a
// [*FoldError] for a fold that there is not, and those of [Open].
func WeighFold(s spec.Spec, trial, fold int, table *table.Table) (FoldRidge, error) {
	var found FoldRidge
	if err := checkFold(s, fold); err != nil {
		return found, err
	}
	weigh := func(hats bool) ([]float64, error) {
		r, err := encoded(s, trial, fold, table, hats)
		if err != nil {
			return nil, err
		}
		r.every = true
		_, err = r.baselines()
		return r.tried, err
	}
	var err error
	if found.Linear, err = weigh(false); err != nil || !searches(s) || s.Encoding == linearly {
		return found, err
	}
	straight, err := straight(s, trial, table)
	if err == nil && !straight {
		found.Hats, err = weigh(true)
	}
	return found, err
}

// straight reports whether nothing is to be tried with numbers as piecewise-linear
// bases, as all rows that do not test tell.
func straight(s spec.Spec, trial int, table *table.Table) (bool, error) {
	plan, err := roles.NewPlan(table, settingsOf(s, table))
	if err != nil {
		return false, err
	}
	split, err := taken(s, trial, whole, plan)
	if err != nil {
		return false, err
	}
	encoding, _, err := encode.Encoding(plan, split)
	if err != nil {
		return false, err
	}
	r := &rows{Dataset: &design.Dataset{Encoding: *encoding}}
	err = r.straighten(s, trial, table, split.Rows())
	return r.straight, err
}

// weights returns the places of the penalties that ridge chooses over the folds, with
// numbers as they are and as bases, and whether the latter are left out.
func (f Found) weights(s spec.Spec) (chosen [2]int, straight bool, err error) {
	if len(f.Ridge) != s.Folds {
		return chosen, false, &FoldError{What: "folds with ridge's errors", Found: len(f.Ridge), Want: s.Folds}
	}
	straight = true
	for encoding := range chosen {
		lowest := math.NaN()
		for i := range f.Ridge[0].of(encoding) {
			mean := meanOver(len(f.Ridge), func(fold int) float64 {
				if all := f.Ridge[fold].of(encoding); i < len(all) {
					return all[i]
				}
				return math.NaN()
			})
			if mean < lowest || lowest != lowest && mean == mean {
				chosen[encoding], lowest = i, mean
			}
			straight = straight && encoding == 0
		}
		if f.Ridge[0].of(encoding) != nil && lowest != lowest {
			return chosen, straight, &UnchosenError{Folds: s.Folds}
		}
	}
	return chosen, straight, nil
}

func (r *FoldRidge) of(encoding int) []float64 {
	if encoding == 0 {
		return r.Linear
	}
	return r.Hats
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
func (f Found) mean(candidate, iteration int) float64 {
	return meanOver(len(f.Errors), func(fold int) float64 {
		if candidate >= len(f.Errors[fold]) || len(f.Errors[fold][candidate]) == 0 {
			return math.NaN()
		}
		errors := f.Errors[fold][candidate]
		return errors[min(iteration, len(errors)-1)]
	})
}

// iterations returns the last iteration of a candidate on each fold, in rising order.
func (f Found) iterations(candidate int) []int {
	var all []int
	for _, errors := range f.Errors {
		if candidate < len(errors) {
			all = append(all, max(len(errors[candidate])-1, 0))
		}
	}
	order.Sort(all, cmp.Compare[int])
	return all
}

// legs returns the way to the candidate and the iteration with the lowest mean: of als,
// whose fits begin where the one before ended, the candidates of its encoding and rank
// before it, each with the median of the folds' iterations; else itself.
func (f Found) legs(s spec.Spec, all []candidate) ([]leg, error) {
	if len(f.Errors) != s.Folds {
		return nil, &FoldError{What: "folds with errors of candidates", Found: len(f.Errors), Want: s.Folds}
	}
	best, lowest := leg{}, math.NaN()
	for c := range all {
		iterations := f.iterations(c)
		for t := 0; len(iterations) > 0 && t <= iterations[len(iterations)-1]; t++ {
			if mean := f.mean(c, t); mean < lowest || lowest != lowest && mean == mean {
				best, lowest = leg{candidate: c, lambda: all[c].lambda, iterations: t}, mean
			}
		}
	}
	if lowest != lowest {
		return nil, &UnchosenError{Folds: s.Folds}
	}
	var way []leg
	for c := pathTo(all, best.candidate); c < best.candidate; c++ {
		iterations := f.iterations(c)
		way = append(way, leg{candidate: c, lambda: all[c].lambda, iterations: iterations[len(iterations)/2]})
	}
	return append(way, best), nil
}

// OpenFold prepares to train the candidates of cell number cell of s on all folds but
// number fold, which validates; a run that shares its rows among others helps as in
// [Open]. ridge is what [WeighFold] found, all folds in their order. The run has no
// test rows. Errors are a [*FoldError] and those of [Open].
func OpenFold(s spec.Spec, cell, fold int, table *table.Table, ridge []FoldRidge, others ...*Run) (*Run, error) {
	if err := checkFold(s, fold); err != nil {
		return nil, err
	}
	return openOn(s, cell, fold, fromTable{}, table, &Found{Ridge: ridge}, others)
}

// OpenFound prepares to train what the folds have chosen of cell number cell of s, on
// all rows that do not test. Valid of its records is the mean over the folds of what
// the same iteration of the same candidate reached there. Errors are a [*FoldError], an
// [*UnchosenError] and those of [Open].
func OpenFound(s spec.Spec, cell int, table *table.Table, found Found, others ...*Run) (*Run, error) {
	run, err := openOn(s, cell, whole, fromTable{}, table, &found, others)
	if err != nil {
		return nil, err
	}
	all := run.candidates
	if run.legs, err = found.legs(s, all); err != nil {
		run.Close()
		return nil, err
	}
	run.candidates = nil
	for _, leg := range run.legs {
		run.candidates = append(run.candidates, all[leg.candidate])
	}
	return run, nil
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

// Find does the work of all folds of cell number cell of s for [OpenFound]. watch, if it
// is not nil, is shown every record of every fold, those of one fold in their order, and
// ends the work by an error. The result does not depend on each. Errors are those of [WeighFold], [OpenFold] and
// [Run.Next].
func Find(s spec.Spec, cell int, table *table.Table, each Each, watch func(fold int, r Record) error) (Found, error) {
	var found Found
	c, err := CellAt(s, cell)
	if err != nil {
		return found, err
	}
	folds := Folds(s)
	found.Ridge, found.Errors = make([]FoldRidge, folds), make([]FoldErrors, folds)
	err = each(folds, func(fold int) (err error) {
		found.Ridge[fold], err = WeighFold(s, c.Trial, fold, table)
		return err
	})
	if err != nil {
		return found, err
	}
	return found, each(folds, func(fold int) error {
		run, err := OpenFold(s, cell, fold, table, found.Ridge)
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

// unfolded returns the run of the same trial that has validation rows in place of folds.
// Where something beside the models has a penalty or an encoding to choose, these choose
// it.
func (r *Run) unfolded() (*Run, error) {
	s := r.spec
	s.Folds = 0
	rows, err := r.origin.open(s, r.cell.Trial, whole, r.table)
	return &Run{spec: s, cell: r.cell, origin: r.origin, table: r.table, fold: whole, rows: rows}, err
}

// validOf returns what a record of this run is judged by: the mean over the folds, of a
// run that they have chosen.
func (r *Run) validOf(iteration int, valid float64) float64 {
	if r.legs == nil {
		return valid
	}
	return r.found.mean(r.legs[r.now].candidate, iteration)
}

// legReason returns why a run that folds have chosen stops a candidate here, "" to go
// on.
func (r *Run) legReason(iteration int, stop string) string {
	switch {
	case stop != "":
		return stop
	case iteration < r.legs[r.now].iterations:
		return ""
	case r.now < len(r.legs)-1:
		return "as many iterations as on half of the folds"
	}
	return "the iteration that is best over the folds"
}
