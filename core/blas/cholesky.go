package blas

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"ifmlab/core/kernel"
)

// panel is how many columns are factored at a time; LAPACK has 64, too.
const panel = 64

// Cholesky replaces the lower triangle of A, n×n and row-major, by L with
// A = LLᵀ. It reports whether A is positive definite; where it is not, the work
// stops half done. The rest of A is not read.
//
// It is LAPACK's Potrf, panel by panel in the same order, and gives the bits of
// lapack64.Potrf on Kernels, without what gonum needs for every size, type and
// machine: 20 kB of what a reader waits for. O(n³/3).
func Cholesky(a []float64, n int) bool {
	for lo := 0; lo < n; lo += panel {
		size := min(panel, n-lo)
		left, diagonal := matrix{a[lo*n:], n, 1}, a[lo*n+lo:]
		if lo > 0 {
			addTriangle(blas.Lower, size, lo, -1, left, left, diagonal, n)
		}
		if !choleskyPanel(diagonal, size, n) {
			return false
		}
		if below := n - lo - size; below > 0 {
			rows := a[(lo+size)*n:]
			if lo > 0 {
				matrix{rows, n, 1}.times(below, size, lo, -1, left.transposed(), rows[lo:], n)
			}
			solveTriangle(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, below, size, 1, diagonal, n, rows[lo:], n)
		}
	}
	return true
}

// choleskyPanel is Cholesky column by column, LAPACK's Potf2; rows begin lda
// numbers apart.
func choleskyPanel(a []float64, n, lda int) bool {
	for j := range n {
		row := a[j*lda:]
		pivot := row[j]
		if j > 0 {
			pivot -= kernel.Dot(row[:j], row[:j])
		}
		if !(pivot > 0) {
			row[j] = pivot
			return false
		}
		pivot = math.Sqrt(pivot)
		row[j] = pivot
		if j+1 == n {
			return true
		}
		below := a[(j+1)*lda:]
		if j > 0 {
			matrix{below, lda, 1}.times(n-j-1, 1, j, -1, matrix{row, 1, 1}, below[j:], lda)
		}
		scale := 1 / pivot
		for i := range n - j - 1 {
			below[i*lda+j] *= scale
		}
	}
	return true
}

// SolveCholesky replaces b, n numbers, by the solution x of LLᵀx = b. O(n²).
func SolveCholesky(l []float64, n int, b []float64) {
	solveTriangle(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, n, 1, 1, l, n, b, 1)
	solveTriangle(blas.Left, blas.Lower, blas.Trans, blas.NonUnit, n, 1, 1, l, n, b, 1)
}
