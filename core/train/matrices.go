package train

import (
	"ifmlab/core/message"
	"ifmlab/core/solve"
)

// MaxHeld is the number of columns up to which an iteration of Algorithm 1 is
// written out.
const MaxHeld = 40

// IterationMatrices is what the last iteration of Algorithm 1 held, in the units that it works
// in: columns of mean square 1, and targets of standard deviation 1.
type IterationMatrices struct {
	solve.IterationMatrices
	D, K  int
	Truth []float64 // d×d: M* in these units
}

// NotHeldError says that a run does not tell what its iterations hold.
type NotHeldError struct {
	Solver  string
	Columns int
}

func (e *NotHeldError) Error() string {
	return message.Sprintf("train: the solver is %s, of %d columns; only Algorithm 1 on %d drawn columns at most tells what its iterations hold", e.Solver, e.Columns, MaxHeld)
}

func (*NotHeldError) Kind() string { return "NotHeldError" }

// IterationMatrices returns those of the last iteration. It has to be asked for before the
// first Next, and has no matrices but the truth before the first iteration;
// every iteration then takes O(n·d²) more. It returns a [*NotHeldError] for
// other solvers, tables and more than [MaxHeld] columns.
func (r *Run) IterationMatrices() (IterationMatrices, error) {
	if r.rows.Truth == nil || !isAlgorithm1(r.spec) || r.spec.D > MaxHeld {
		return IterationMatrices{}, &NotHeldError{Solver: Solver(r.spec), Columns: len(r.rows.Encoding.Features)}
	}
	if r.hold == nil {
		r.hold = new(solve.IterationMatrices)
	}
	d, features := r.spec.D, r.rows.Encoding.Features
	held := IterationMatrices{IterationMatrices: *r.hold, D: d, K: min(r.candidates[0].Rank, d), Truth: r.rows.Truth.Interaction()}
	for i := range d {
		for j := range d {
			held.Truth[i*d+j] *= features[i].Scale * features[j].Scale / r.rows.Encoding.Target.Scale
		}
	}
	return held, nil
}
