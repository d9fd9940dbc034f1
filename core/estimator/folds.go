package estimator

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Parallel is a [assess.Each] that uses all processors. After an error it starts no further
// piece of work, and returns the error of the first piece that has one.
func Parallel(n int, do func(i int) error) error {
	errs, failed := make([]error, n), atomic.Bool{}
	var next atomic.Int64
	var lanes sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		lanes.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && !failed.Load(); i = int(next.Add(1)) - 1 {
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	lanes.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// openRun opens a run. With cross-validation it first trains all folds, on all processors.
func openRun(ctx context.Context, o *Options, cell int, table *table.Table, others []*core.Run) (*core.Run, error) {
	if task.Folds(o.Spec) == 0 {
		return core.Open(o.Spec, cell, table, others...)
	}
	at, err := trial.CellAt(o.Spec, cell)
	if err != nil {
		return nil, err
	}
	var reports sync.Mutex
	found, err := assess.CrossValidate(o.Spec, cell, table, Parallel, func(fold int, r train.Record) error {
		if o.Progress != nil {
			reports.Lock()
			o.Progress(Progress{Model: at.Model.String(), Fold: fold + 1, Record: r})
			reports.Unlock()
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return core.OpenCrossValidated(o.Spec, cell, table, found, others...)
}
