package estimator

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// Fitted is a trained model with its test rows. It is not safe for concurrent use; its
// Model is.
type Fitted struct {
	*Model
	Notes   note.Notes // about the rows: dropped columns, merged levels, clipped numbers
	Trained []Trained
	Best    train.Record // the iteration of the model; its errors are those of the last fit

	table *table.Table
	spec  Options
	run   *core.Run // of the model
	test  train.Predictions
}

// Trained is the best iteration of one kind of model. Its test error is that which is compared
// with the baselines: of classes calibrated, where that is used.
type Trained struct {
	Kind string // "fm", "gfm" or "ifm"
	train.Record
}

// Fit trains on the rows of x, n×d, and their n targets, and returns the kind of
// model, rank, penalty and encoding that predict the validation rows best. A nil o
// is [Default]: iFM on three fifths of the rows, drawn by the seed. For a CSV file of the
// same rows in the same order, with the target last, the page finds the same bits;
// natively the numbers agree to 1e-9.
//
// A target with two values has classes, and models predict the probability of the larger
// one unless o.Loss is "squared". Columns in o.Categorical have levels that are written as
// numbers.
//
// Fit returns a [*ShapeError], a [*NotFiniteError], a [*SettingError], a
// [*NoValidationError]; a [*fault.PlanError] below [roles.MinRows] rows, for a
// constant target, if no column varies, and for a design that is too large; the errors of the solver; and the cause when ctx ends. It
// costs O(iterations·candidates·n·d·k) and 16·n·d bytes.
func Fit(ctx context.Context, x mat.Matrix, y []float64, o *Options) (*Fitted, error) {
	own := orDefault(o)
	if own.Target == "" {
		own.Target = "y"
	}
	if err := own.check(); err != nil {
		return nil, err
	}
	table, err := own.table(x, y)
	if err != nil {
		return nil, err
	}
	if err := own.checkShares(len(y)); err != nil {
		return nil, err
	}
	for _, name := range table.Names() {
		if name != own.Target && !slices.Contains(own.Categorical, name) && !slices.Contains(own.Ignore, name) {
			own.Numeric = append(slices.Clip(own.Numeric), name) // whatever its name says
		}
	}
	f, err := fit(ctx, table, own)
	if err != nil {
		return nil, err
	}
	f.names, err = own.names(len(table.Names()) - 1)
	return f, err
}

// orDefault returns a copy of o, or of the default for nil.
func orDefault(o *Options) Options {
	if o == nil {
		return Default()
	}
	return *o
}

// FitTable trains on a table as [Fit] does on a matrix: three fifths of the rows
// train, a fifth validates, a fifth tests. It returns a [*QuestionsError] if the
// file or its target is ambiguous, a [*task.UnknownColumnError] for a
// column that o names and the table does not have, and the errors of Fit.
func FitTable(ctx context.Context, table *table.Table, o *Options) (*Fitted, error) {
	own := orDefault(o)
	if err := own.check(); err != nil {
		return nil, err
	}
	if own.shares() {
		return nil, &SettingError{"ValidShare and TestShare", "other than a fifth", "a fifth each, for a table"}
	}
	if err := task.CheckNames(own.Spec, table); err != nil {
		return nil, err
	}
	questions, err := Questions(table, &own)
	if err != nil {
		return nil, err
	}
	if _, err := task.NewPlan(own.Spec, table); len(questions) > 0 && err != nil {
		if fault.IsPlan(err, fault.TooFewRows) { // no answer changes it
			return nil, err
		}
	}
	if len(questions) > 0 {
		return nil, &QuestionsError{File: table.Name, Questions: questions}
	}
	return fit(ctx, table, own)
}

// fit trains all kinds of models and returns the best.
func fit(ctx context.Context, table *table.Table, o Options) (*Fitted, error) {
	var runs []*core.Run
	defer func() {
		for _, run := range runs {
			run.Close()
		}
	}()
	for cell := range core.Cells(o.Spec) {
		run, err := openRun(ctx, &o, cell, table, runs)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	f := &Fitted{table: table, spec: o}
	best := -1
	var failed error
	for i, run := range runs {
		record, err := finish(ctx, run, o.Progress)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && len(runs) == 1:
			return nil, err
		case err != nil:
			failed = err
			f.Notes.Add(note.TopicModel, nil, "%s could not be trained: %s", run.Cell().Model.String(), message.Sentence(err.Error()))
			continue
		}
		if run.ClassNames() != nil {
			p, err := run.Predictions()
			if err != nil {
				return nil, err
			}
			record.Test = p.Error
		}
		f.Trained = append(f.Trained, Trained{run.Cell().Model.String(), record})
		if best < 0 || record.Valid < f.Best.Valid {
			best, f.Best = i, record
		}
	}
	if best < 0 {
		return nil, failed
	}
	f.run, runs[best] = runs[best], runs[len(runs)-1]
	runs = runs[:len(runs)-1]
	f.Notes = append(slices.Clone(f.run.Notes()), f.Notes...)
	file, err := f.run.Model()
	if err != nil {
		return nil, err
	}
	if f.Model, err = readModel(file); err != nil {
		return nil, err
	}
	f.test, err = f.run.Predictions()
	return f, err
}

// finish runs to the end and returns the record of the best iteration.
func finish(ctx context.Context, run *core.Run, progress func(Progress)) (train.Record, error) {
	for !run.Done() {
		if ctx.Err() != nil {
			return train.Record{}, context.Cause(ctx)
		}
		record, err := run.Next()
		if err != nil {
			return train.Record{}, err
		}
		if progress != nil {
			progress(Progress{Model: run.Cell().Model.String(), Candidates: run.Candidates(), Record: record})
		}
	}
	return run.Best()
}

// FitAll fits the model to all rows of the table, test rows included, to save and to predict
// with. Encoding, rank, penalties and iterations stay. [Fitted.Test] and all errors are still
// those of the model that has not seen the test rows. Call it after [Fitted.Calibrate] to have
// intervals. progress, if not nil, is called with the number of iterations that are done. It
// returns the errors of the solver, and the cause when ctx ends.
func (f *Fitted) FitAll(ctx context.Context, progress func(done, of int)) error {
	fit, err := f.run.AllRows(false)
	if err != nil {
		return err
	}
	for !fit.Done() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := fit.Next(); err != nil {
			return err
		}
		if progress != nil {
			progress(fit.Progress())
		}
	}
	return f.take(fit.File)
}

// take makes the model of a file that of f.
func (f *Fitted) take(file []byte) error {
	m, err := readModel(file)
	if err == nil {
		m.names, f.Model = f.names, m
	}
	return err
}

// ClassMetrics returns the classification metrics of the model, of ridge, and of trees after
// [Fitted.Trees]: log-loss, area under the ROC curve, reliability. It returns a
// [*assess.NoClassesError] for a target without classes.
func (f *Fitted) ClassMetrics() (*assess.Classes, error) { return f.run.Classes() }

// Logged compares ridge on the target with ridge on its logarithm. The first call costs what
// ridge costs.
func (f *Fitted) Logged() (assess.Logged, error) { return f.run.Logged() }

// Importance returns by how much the test error rises if the cells of a column are permuted, for
// every column, or what a pair adds beyond its columns, for the strongest pairs: the most
// important first. A pair has its surface.
func (f *Fitted) Importance() ([]assess.Importance, error) { return f.run.Importance() }

// ErrorsBy returns the errors of the test rows by the levels of a column of the table, which need
// not be a feature: all rows first. After [Fitted.Calibrate] it has the coverage of prediction
// intervals, too. It returns an [*assess.NoColumnError].
func (f *Fitted) ErrorsBy(column string) ([]assess.LevelErrors, error) {
	return f.run.ErrorsBy(column)
}

// Test returns the test rows with the model's predictions.
func (f *Fitted) Test() train.Predictions { return f.test }
