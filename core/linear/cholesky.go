package linear

import "ifmlab/core/blas"

// smallestPivot is where a matrix with a diagonal of about 1 counts as
// singular: rounding alone leaves pivots of up to about d·1e-16, and a pivot of
// 1e-11 is a column that others explain to five digits.
const smallestPivot = 1e-11

// factor is the lower triangle L of a Cholesky decomposition, d×d and row-major.
type factor struct {
	l []float64
	d int
}

// cholesky replaces the lower triangle of a, d×d and row-major, by L with
// A = LLᵀ, and reports whether every pivot was above smallestPivot; a is spoilt
// where not. The rest of a is not read. O(d³/3).
func cholesky(a []float64, d int) (l factor, ok bool) {
	l, ok = factor{a, d}, blas.Cholesky(a, d)
	for i := range d {
		if root := a[i*d+i]; !(root*root > smallestPivot) {
			return l, false
		}
	}
	return l, ok
}

// solveCholesky sets x to the solution of LLᵀx = b; they may be the same slice.
// O(d²).
func solveCholesky(x []float64, l factor, b []float64) {
	copy(x, b)
	blas.SolveCholesky(l.l, l.d, x)
}
