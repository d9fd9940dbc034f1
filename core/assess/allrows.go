package assess

import (
	"errors"

	"ifmlab/core/fm"
	"ifmlab/core/study"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// AllRows fits the model that leads a run to all rows of the table, test rows included, to
// save it. Encoding, rank, penalties and iterations stay. No row is left that could measure
// its error. The calibration of classes and the intervals still come from rows that their
// fits have not seen.
type AllRows struct {
	*study.Study
	File []byte // the model file, once it is done

	of        *Assessment
	intervals bool
	step      int
}

// AllRows returns a new fit to all rows. It first trains a run that is not done to its end and,
// if intervals is set, calibrates those that the target can have. The file has prediction
// intervals if [Assessment.Intervals] is done by the end. It returns [train.ErrNoModel] if the
// run was closed before its first record, and a [trial.NoTableError] for drawn rows and if the
// table is gone.
func (a *Assessment) AllRows(intervals bool) (*AllRows, error) {
	switch {
	case a.run.Done() && a.run.Lead() == nil:
		return nil, train.ErrNoModel
	case a.task == nil:
		return nil, trial.NoTableError{}
	}
	s := &AllRows{of: a, intervals: intervals}
	s.Study = study.New(s.fit)
	return s, nil
}

// Progress returns how many iterations are done, of at most how many; 0 of 0 before the run is
// trained.
func (s *AllRows) Progress() (done, of int) {
	if !s.of.run.Done() {
		return 0, 0
	}
	for _, leg := range s.of.run.Path() {
		of += 1 + leg.Iterations
	}
	if s.Done() {
		return of, of
	}
	return min(s.step, of), of
}

func (s *AllRows) fit(yield func() bool) error {
	run := s.of.run
	if err := s.of.finish(yield); err != nil {
		return err
	}
	if err := s.calibrate(yield); err != nil {
		return err
	}
	best, err := run.Best()
	if err != nil {
		return err
	}
	on, err := s.of.task.Refit(best.Encoding == train.Hats, true)
	if err != nil {
		return err
	}
	model, err := run.FitAll(on, func() bool {
		s.step++
		return yield()
	})
	if err != nil {
		return err
	}
	var interval *fm.Interval
	if found := s.of.intervals; found != nil && found.rows != nil {
		if interval, err = found.rows.interval(on, found.result.Level); err != nil {
			return err
		}
	}
	s.File, err = run.File(model, on, interval, fm.FittedAll)
	return err
}

// calibrate finishes the search for intervals, if it is asked for.
func (s *AllRows) calibrate(yield func() bool) error {
	if !s.intervals {
		return nil
	}
	search, err := s.of.Intervals()
	for err == nil && !search.Done() {
		if err = search.Next(); err == nil && !yield() {
			return study.ErrStopped
		}
	}
	if _, none := errors.AsType[*NoIntervalError](err); none {
		return nil
	}
	return err
}
