package linear

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	_ "ifmlab/core/blas"
)

// smallestPivot is where a matrix with a diagonal of about 1 counts as
// singular: rounding alone leaves pivots of up to about d·1e-16, and a pivot of
// 1e-11 is a column that others explain to five digits.
const smallestPivot = 1e-11

// cholesky replaces the lower triangle of a, d×d and row-major, by L with
// A = LLᵀ, and reports whether every pivot was above smallestPivot; a is spoilt
// where not. The rest of a is not read. O(d³/3).
func cholesky(a []float64, d int) (l blas64.Triangular, ok bool) {
	l, ok = lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: d, Data: a, Stride: max(1, d)})
	for i := range d {
		if root := a[i*d+i]; !(root*root > smallestPivot) {
			return l, false
		}
	}
	return l, ok
}

// solveCholesky sets x to the solution of LLᵀx = b; they may be the same slice.
// O(d²).
func solveCholesky(x []float64, l blas64.Triangular, b []float64) {
	copy(x, b)
	lapack64.Potrs(l, blas64.General{Rows: len(x), Cols: 1, Data: x, Stride: 1})
}
