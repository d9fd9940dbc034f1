// Package blas runs gonum's linear algebra on the loops of core/kernel. To
// import it is to use it: whoever calls gonum's blas64 or lapack64 writes
//
//	import _ "ifmlab/core/blas"
//
// and gets core/kernel's products: in a browser f64x2 vectors where gonum alone
// would run plain Go, decompositions 2 to 15 times as fast, and the same bits with
// SIMD and without. Natively, where they are plain Go, gonum's assembly would be up to twice as fast, but would add
// in another order: a difference in the last digit of ridge, from which a table's
// fit starts, is one in the eighth digit of a curve thirty iterations later.
//
// The routines that a Cholesky, QR or symmetric eigendecomposition spends its
// time in are here; the others are gonum's own, and so are calls with a
// negative increment or wrong arguments, which gonum knows how to refuse.
package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"ifmlab/core/kernel"
)

// Kernels is gonum's BLAS for float64 with matrix products by core/kernel.
//
// Unlike gonum's, a product does not leave out the zeros of a factor: 0·NaN is
// NaN. With beta = 0 what the result held before does not matter, as ever.
type Kernels struct{ gonum.Implementation }

var _ blas.Float64 = Kernels{}

// Ddot returns Σ xᵢ·yᵢ.
func (b Kernels) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if incX != 1 || incY != 1 || n < 0 || len(x) < n || len(y) < n {
		return b.Implementation.Ddot(n, x, incX, y, incY)
	}
	return kernel.Dot(x[:n], y[:n])
}

// Daxpy sets y = y + alpha·x.
func (b Kernels) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if incX != 1 || incY != 1 || n < 0 || len(x) < n || len(y) < n || alpha == 0 {
		b.Implementation.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	kernel.Axpy(alpha, x[:n], y[:n])
}

// Dgemv sets y = alpha·op(A)·x + beta·y, A being m×n.
func (b Kernels) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	op, known := operand(t, a, lda)
	rows, cols := m, n
	if t != blas.NoTrans {
		rows, cols = n, m
	}
	if !known || alpha == 0 || !holds(a, m, n, lda) || !strided(x, cols, incX) || !strided(y, rows, incY) {
		b.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	scale(beta, y, rows, 1, incY)
	op.times(rows, 1, cols, alpha, matrix{x, incX, 1}, y, incY)
}

// Dger sets A = A + alpha·x·yᵀ, A being m×n.
func (b Kernels) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if incY != 1 || alpha == 0 || !holds(a, m, n, lda) || !strided(x, m, incX) || len(y) < n {
		b.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	for i := range m {
		kernel.Axpy(alpha*x[i*incX], y[:n], a[i*lda:][:n])
	}
}

// Dsymv sets y = alpha·A·x + beta·y, A being symmetric, n×n, of which the one
// triangle is read.
func (b Kernels) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if !isTriangle(ul) || alpha == 0 || !holds(a, n, n, lda) || !strided(x, n, incX) || !strided(y, n, incY) {
		b.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	scale(beta, y, n, 1, incY)
	for lo := 0; lo < n; lo += leaf {
		hi := min(lo+leaf, n)
		b.Implementation.Dsymv(ul, hi-lo, alpha, a[lo*lda+lo:], lda, x[lo*incX:], incX, 1, y[lo*incY:], incY)
		if hi == n {
			return
		}
		below := matrix{a[lo*lda+hi:], 1, lda} // rows hi to n of the columns lo to hi
		if ul == blas.Lower {
			below = matrix{a[hi*lda+lo:], lda, 1}
		}
		below.times(n-hi, 1, hi-lo, alpha, matrix{x[lo*incX:], incX, 1}, y[hi*incY:], incY)
		below.transposed().times(hi-lo, 1, n-hi, alpha, matrix{x[hi*incX:], incX, 1}, y[lo*incY:], incY)
	}
}

// Dgemm sets C = alpha·op(A)·op(B) + beta·C, C being m×n.
func (b Kernels) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	left, known := operand(tA, a, lda)
	right, alsoKnown := operand(tB, x, ldx)
	if !known || !alsoKnown || alpha == 0 || !holdsOp(tA, a, m, k, lda) || !holdsOp(tB, x, k, n, ldx) || !holds(c, m, n, ldc) {
		b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	scale(beta, c, m, n, ldc)
	left.times(m, n, k, alpha, right, c, ldc)
}

// Dsyrk sets the one triangle of C, n×n, to alpha·op(A)·op(A)ᵀ + beta·C.
func (b Kernels) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	op, known := operand(t, a, lda)
	if !known || !isTriangle(ul) || alpha == 0 || !holdsOp(t, a, n, k, lda) || !holds(c, n, n, ldc) {
		b.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	scaleTriangle(ul, beta, c, n, ldc)
	addTriangle(ul, n, k, alpha, op, op, c, ldc)
}

// Dsyr2k sets the one triangle of C, n×n, to
// alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C.
func (b Kernels) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	left, known := operand(t, a, lda)
	right, _ := operand(t, x, ldx)
	if !known || !isTriangle(ul) || alpha == 0 || !holdsOp(t, a, n, k, lda) || !holdsOp(t, x, n, k, ldx) || !holds(c, n, n, ldc) {
		b.Implementation.Dsyr2k(ul, t, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	scaleTriangle(ul, beta, c, n, ldc)
	addTriangle(ul, n, k, alpha, left, right, c, ldc)
	addTriangle(ul, n, k, alpha, right, left, c, ldc)
}

// Dtrsm sets B, m×n, to the solution X of op(A)·X = alpha·B, or of
// X·op(A) = alpha·B with A on the right.
func (b Kernels) Dtrsm(side blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	if !isSolvable(side, ul, t, diag, m, n, alpha, a, lda, x, ldx) {
		b.Implementation.Dtrsm(side, ul, t, diag, m, n, alpha, a, lda, x, ldx)
		return
	}
	solveTriangle(side, ul, t, diag, m, n, alpha, a, lda, x, ldx)
}

// Dtrmm sets B, m×n, to alpha·op(A)·B, or to alpha·B·op(A) with A on the right.
func (b Kernels) Dtrmm(side blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	if !halves(side, ul, t, m, n, alpha, a, lda, x, ldx) {
		b.Implementation.Dtrmm(side, ul, t, diag, m, n, alpha, a, lda, x, ldx)
		return
	}
	p := split(side, ul, t, m, n, a, lda, x, ldx)
	if p.lower == (side == blas.Left) { // the second half of the product needs the first of B as it was
		b.Dtrmm(side, ul, t, diag, p.m2, p.n2, alpha, p.corner, lda, p.second, ldx)
		p.addToSecond(alpha)
		b.Dtrmm(side, ul, t, diag, p.m1, p.n1, alpha, a, lda, x, ldx)
		return
	}
	b.Dtrmm(side, ul, t, diag, p.m1, p.n1, alpha, a, lda, x, ldx)
	p.addToFirst(alpha)
	b.Dtrmm(side, ul, t, diag, p.m2, p.n2, alpha, p.corner, lda, p.second, ldx)
}
