// Package core is the front door: it turns a [spec.Spec], and a table where the
// Spec asks for one, into runs that are stepped one record at a time.
//
//	run, err := core.Open(s, cell, table)
//	for !run.Done() {
//		record, err := run.Next()
//		...
//	}
//
// A Spec names independent cells, one model on one trial each; [Cells] counts
// them. Cells share no state, so any number of them may run at once, in any
// order, on any number of machines, and give the same bits.
//
// # Notation
//
// X is the n×d design matrix, a row per instance; the paper's X is its
// transpose. U and V are d×k factor matrices, k the rank, M the d×d
// interaction matrix, of which only the symmetric part counts:
//
//	f(x) = b + xᵀw + xᵀMx
//	FM    M = UUᵀ − diag(UUᵀ)        conventional (Eq. 2)
//	gFM   M = UVᵀ                    generalized, the diagonal kept (Eq. 4)
//	iFM   M = UVᵀ − diag(UVᵀ)        improved: decoupled, zero diagonal
//
// The sum runs over all i ≠ j (Eq. 1), which is twice Rendle's sum over i < j
// (Eq. 3).
//
// # Randomness
//
// Every draw comes from a PCG stream named by the seed, the trial and a
// purpose ([Stream]). Truth, rows and split belong to the trial, so all models
// of a trial see the same table; the start belongs to the trial and the model,
// so a curve does not change when another model is added beside it.
package core
