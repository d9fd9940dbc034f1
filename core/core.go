package core

import (
	"ifmlab/core/assess"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Version names the curves: it changes when the same Spec and seed no longer
// give the same bits, in the commit that writes testdata/golden.txt anew.
const Version = train.Version

// Run is a cell that is trained, with what is asked of it.
type Run struct {
	*train.Run
	*assess.Assessment
}

// Cells returns the number of cells of s, one per point, trial and model. O(1).
func Cells(s spec.Spec) int { return trial.Cells(s) }

// Open prepares cell number cell of s: it draws or encodes the rows, and trains nothing
// yet. Table is nil for drawn rows. One of the others that has the same settings, table
// and trial shares its rows and baselines with the new run, which then costs next to
// nothing. Errors are [*trial.CellError], [trial.NoTableError], [*train.LossError] and
// those of [table.Table.Plan] and [roles.Plan.Dataset].
//
// If the settings ask for cross-validation, Open trains every fold before it returns, one
// after another. To train folds in parallel, call [assess.CrossValidate] and
// [OpenCrossValidated].
func Open(s spec.Spec, cell int, table *table.Table, others ...*Run) (*Run, error) {
	if task.Folds(s) > 0 {
		found, err := assess.CrossValidate(s, cell, table, assess.InTurn, nil)
		if err != nil {
			return nil, err
		}
		return OpenCrossValidated(s, cell, table, found, others...)
	}
	t, err := task.At(s, cell, table)
	if err != nil {
		return nil, err
	}
	source := trial.Drawn(t.Spec, t.Trial)
	if s.Source == "table" {
		source = t.Source(trial.NoFold)
	}
	run, err := train.Search(s, cell, source, trained(others)...)
	return assessed(run, err, table, others)
}

// OpenFold prepares to train on all folds but one, as [assess.OnFold] says.
func OpenFold(s spec.Spec, cell, fold int, table *table.Table, ridge []assess.FoldRidge, others ...*Run) (*Run, error) {
	run, err := assess.OnFold(s, cell, fold, table, ridge, trained(others)...)
	return assessed(run, err, table, others)
}

// OpenCrossValidated prepares to train what a cross-validation has chosen, as
// [assess.CrossValidation.Run] says.
func OpenCrossValidated(s spec.Spec, cell int, table *table.Table, found assess.CrossValidation, others ...*Run) (*Run, error) {
	run, err := found.Run(s, cell, table, trained(others)...)
	return assessed(run, err, table, others)
}

func trained(runs []*Run) (all []*train.Run) {
	for _, r := range runs {
		all = append(all, r.Run)
	}
	return all
}

func assessed(run *train.Run, err error, table *table.Table, others []*Run) (*Run, error) {
	if err != nil {
		return nil, err
	}
	var t *task.Task
	if run.Spec().Source == "table" {
		t = &task.Task{Spec: run.Spec(), Trial: run.Cell().Trial, Table: table}
	}
	var assessments []*assess.Assessment
	for _, r := range others {
		assessments = append(assessments, r.Assessment)
	}
	return &Run{run, assess.Of(run, t, assessments...)}, nil
}

// Close ends a run that is not done: its rows are given up, unless others share them, and
// Next returns io.EOF. It lets go of the table, too. What has been learnt and found can
// still be asked for.
func (r *Run) Close() {
	r.Run.Close()
	r.Assessment.Close()
}
