// Package assess finds out what a trained model is worth: cross-validation, prediction
// intervals, class metrics, pairs that act together, and the baselines that it meets.
package assess

import (
	"ifmlab/core/pair"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// Assessment holds what is asked of a run.
type Assessment struct {
	run       *train.Run
	task      *task.Task // nil for drawn rows, and once it is closed
	shared    *shared
	intervals *Intervals // nil until asked for
}

// shared holds what runs on the same rows share, each nil until asked for.
type shared struct {
	quadratic *Quadratic
	trees     *Trees
	pairs     *pair.Search
	logged    *Logged
}

// Of returns the assessment of a run on a task; the task is nil for drawn rows. It shares
// results with one of the other assessments if that is on the same rows.
func Of(run *train.Run, on *task.Task, others ...*Assessment) *Assessment {
	a := &Assessment{run: run, task: on, shared: &shared{}}
	for _, other := range others {
		if other.run.Rows() == run.Rows() {
			a.shared = other.shared
		}
	}
	return a
}

// Close ends the searches that are not done and lets go of the table. What has been found
// can still be asked for.
func (a *Assessment) Close() {
	if pairs := a.shared.pairs; pairs != nil && !pairs.Done() { // another run of the trial begins anew
		pairs.Close()
		a.shared.pairs = nil
	}
	if a.intervals != nil {
		a.intervals.Close()
	}
	a.task = nil
}
