package train

import (
	"ifmlab/core/message"
	"ifmlab/core/solve"
)

// MaxMatrixColumns is the most columns for which the matrices of Algorithm 1's iterations
// are recorded.
const MaxMatrixColumns = 40

// IterationMatrices are the matrices of the last iteration of Algorithm 1, in its own units:
// columns of mean square 1, and targets of standard deviation 1.
type IterationMatrices struct {
	solve.IterationMatrices
	D, K  int
	Truth []float64 // d×d: M* in these units
}

// NoMatricesError says that a run does not record the matrices of its iterations.
type NoMatricesError struct {
	Solver  string
	Columns int
}

func (e *NoMatricesError) Error() string {
	return message.Sprintf("train: the solver is %s, of %d columns; only Algorithm 1 on at most %d drawn columns records the matrices of its iterations", e.Solver, e.Columns, MaxMatrixColumns)
}

func (*NoMatricesError) Kind() string { return "NoMatricesError" }

// IterationMatrices returns the matrices of the last iteration. The first call must come
// before the first Next, and makes every iteration cost O(n·d²) more. Before the first
// iteration the truth is the only matrix. It returns a [*NoMatricesError] for other
// solvers, for tables and for more than [MaxMatrixColumns] columns.
func (r *Run) IterationMatrices() (IterationMatrices, error) {
	if r.rows.Truth == nil || !isAlgorithm1(r.spec) || r.spec.D > MaxMatrixColumns {
		return IterationMatrices{}, &NoMatricesError{Solver: Solver(r.spec), Columns: len(r.rows.Encoding.Features)}
	}
	if r.storeMatrices == nil {
		r.storeMatrices = new(solve.IterationMatrices)
	}
	d, features := r.spec.D, r.rows.Encoding.Features
	matrices := IterationMatrices{IterationMatrices: *r.storeMatrices, D: d, K: min(r.candidates[0].Rank, d), Truth: r.rows.Truth.Interaction()}
	for i := range d {
		for j := range d {
			matrices.Truth[i*d+j] *= features[i].Scale * features[j].Scale / r.rows.Encoding.Target.Scale
		}
	}
	return matrices, nil
}
