package main

import (
	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/estimator"
	"ifmlab/core/spec"
)

// open opens a run. If its settings ask for folds, it does these before, and returns
// the records of each.
func open(s spec.Spec, cell int, table *data.Table) (run *core.Run, folds [][]core.Record, err error) {
	if core.Folds(s) == 0 {
		run, err = core.Open(s, cell, table)
		return run, nil, err
	}
	folds = make([][]core.Record, core.Folds(s))
	found, err := core.Find(s, cell, table, estimator.AtOnce, func(fold int, r core.Record) error {
		folds[fold] = append(folds[fold], r)
		return nil
	})
	if err == nil {
		run, err = core.OpenFound(s, cell, table, found)
	}
	return run, folds, err
}
