package blas

import (
	"gonum.org/v1/gonum/blas"

	"ifmlab/core/kernel"
)

// leaf is the size of the diagonal blocks of a triangle that are not worth a
// call of a kernel of their own.
const leaf = 16

// matrix has element (i,j) at data[i·rs + j·cs].
type matrix struct {
	data   []float64
	rs, cs int
}

func (a matrix) transposed() matrix { return matrix{a.data, a.cs, a.rs} }

// from returns a without its first i rows and j columns.
func (a matrix) from(i, j int) matrix { return matrix{a.data[i*a.rs+j*a.cs:], a.rs, a.cs} }

// times adds alpha·A·B to C, m×n with ldc numbers between the starts of its
// rows; A is m×k.
func (a matrix) times(m, n, k int, alpha float64, b matrix, c []float64, ldc int) {
	kernel.Gemm(m, n, k, alpha, a.data, a.rs, a.cs, b.data, b.rs, b.cs, c, ldc)
}

// operand returns op(A), and whether t is a transposition that gonum knows.
func operand(t blas.Transpose, a []float64, lda int) (matrix, bool) {
	switch t {
	case blas.NoTrans:
		return matrix{a, lda, 1}, true
	case blas.Trans, blas.ConjTrans:
		return matrix{a, 1, lda}, true
	}
	return matrix{}, false
}

func isTriangle(ul blas.Uplo) bool { return ul == blas.Lower || ul == blas.Upper }

// holds reports whether a holds rows×cols numbers, at least one, as its
// dimensions say.
func holds(a []float64, rows, cols, lda int) bool {
	return rows > 0 && cols > 0 && lda >= cols && len(a) >= (rows-1)*lda+cols
}

// holdsOp is holds of an A whose op(A) is rows×cols.
func holdsOp(t blas.Transpose, a []float64, rows, cols, lda int) bool {
	if t != blas.NoTrans {
		rows, cols = cols, rows
	}
	return holds(a, rows, cols, lda)
}

// strided reports whether x holds n numbers, at least one, a positive increment
// apart.
func strided(x []float64, n, inc int) bool { return n > 0 && inc > 0 && len(x) > (n-1)*inc }

// scale multiplies C, m×n, by beta; 0 clears whatever is there.
func scale(beta float64, c []float64, m, n, ldc int) {
	if beta == 1 {
		return
	}
	for i := range m {
		row := c[i*ldc:][:n]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// scaleTriangle is scale for one triangle of C, n×n.
func scaleTriangle(ul blas.Uplo, beta float64, c []float64, n, ldc int) {
	for i := range n {
		if ul == blas.Lower {
			scale(beta, c[i*ldc:], 1, i+1, ldc)
		} else {
			scale(beta, c[i*ldc+i:], 1, n-i, ldc)
		}
	}
}

// addTriangle adds alpha·A·Bᵀ to one triangle of C, n×n; A and B are n×k.
func addTriangle(ul blas.Uplo, n, k int, alpha float64, a, b matrix, c []float64, ldc int) {
	for lo := 0; lo < n; lo += leaf {
		hi := min(lo+leaf, n)
		size := hi - lo
		// Both triangles of a block on the diagonal cost less than one by itself.
		var block [leaf * leaf]float64
		a.from(lo, 0).times(size, size, k, alpha, b.from(lo, 0).transposed(), block[:], leaf)
		for i := range size {
			first, last := 0, i+1
			if ul == blas.Upper {
				first, last = i, size
			}
			row := c[(lo+i)*ldc+lo:]
			for j := first; j < last; j++ {
				row[j] += block[i*leaf+j]
			}
		}
		switch {
		case hi == n:
		case ul == blas.Lower:
			a.from(hi, 0).times(n-hi, size, k, alpha, b.from(lo, 0).transposed(), c[hi*ldc+lo:], ldc)
		default:
			a.from(lo, 0).times(size, n-hi, k, alpha, b.from(hi, 0).transposed(), c[lo*ldc+hi:], ldc)
		}
	}
}

// halves reports whether a triangular A beside B, m×n, is to be cut in two. If
// not, it is small, or gonum has something to say about the arguments.
func halves(side blas.Side, ul blas.Uplo, t blas.Transpose, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) bool {
	size := n
	if side == blas.Left {
		size = m
	} else if side != blas.Right {
		return false
	}
	_, known := operand(t, a, lda)
	return known && isTriangle(ul) && alpha != 0 && size > leaf && holds(a, size, size, lda) && holds(b, m, n, ldb)
}

// pair is a triangular matrix cut in two beside a B cut in two:
//
//	⎡ A₁     ⎤ ⎡ B₁ ⎤                ⎡ A₁  C  ⎤
//	⎣ C   A₂ ⎦ ⎣ B₂ ⎦   [ B₁  B₂ ]   ⎣     A₂ ⎦
//
// with op(A) lower or upper on either side.
type pair struct {
	side                  blas.Side
	lower                 bool // op(A) is
	m1, n1, m2, n2        int  // B₁ and B₂
	off                   matrix
	first, corner, second []float64 // B₁, A₂, B₂
	ldb                   int
}

func split(side blas.Side, ul blas.Uplo, t blas.Transpose, m, n int, a []float64, lda int, b []float64, ldb int) pair {
	p := pair{side: side, lower: (ul == blas.Lower) == (t == blas.NoTrans), first: b, ldb: ldb}
	size := n
	if side == blas.Left {
		size = m
	}
	half := (size/2 + leaf - 1) / leaf * leaf
	if side == blas.Left {
		p.m1, p.n1, p.m2, p.n2, p.second = half, n, m-half, n, b[half*ldb:]
	} else {
		p.m1, p.n1, p.m2, p.n2, p.second = m, half, m, n-half, b[half:]
	}
	p.corner = a[half*lda+half:]
	stored := matrix{a[half:], lda, 1} // upper
	if ul == blas.Lower {
		stored = matrix{a[half*lda:], lda, 1}
	}
	if p.off = stored; t != blas.NoTrans {
		p.off = stored.transposed()
	}
	return p
}

// addToSecond adds alpha·C·B₁, or alpha·B₁·C, to B₂.
func (p pair) addToSecond(alpha float64) {
	if p.side == blas.Left {
		p.off.times(p.m2, p.n2, p.m1, alpha, matrix{p.first, p.ldb, 1}, p.second, p.ldb)
	} else {
		matrix{p.first, p.ldb, 1}.times(p.m2, p.n2, p.n1, alpha, p.off, p.second, p.ldb)
	}
}

// addToFirst adds alpha·C·B₂, or alpha·B₂·C, to B₁.
func (p pair) addToFirst(alpha float64) {
	if p.side == blas.Left {
		p.off.times(p.m1, p.n1, p.m2, alpha, matrix{p.second, p.ldb, 1}, p.first, p.ldb)
	} else {
		matrix{p.second, p.ldb, 1}.times(p.m1, p.n1, p.n2, alpha, p.off, p.first, p.ldb)
	}
}

// isSolvable reports whether gonum has nothing to say about the arguments of a
// Dtrsm with a triangular A beside B, m×n.
func isSolvable(side blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) bool {
	size := n
	if side == blas.Left {
		size = m
	} else if side != blas.Right {
		return false
	}
	_, known := operand(t, a, lda)
	return known && isTriangle(ul) && (diag == blas.Unit || diag == blas.NonUnit) && alpha != 0 &&
		holds(a, size, size, lda) && holds(b, m, n, ldb)
}

// solveTriangle is Dtrsm by halves, most of whose work is products.
func solveTriangle(side blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	size := n
	if side == blas.Left {
		size = m
	}
	if size <= leaf {
		solveLeaf(side, ul, t, diag, m, n, alpha, a, lda, x, ldx)
		return
	}
	p := split(side, ul, t, m, n, a, lda, x, ldx)
	if p.lower == (side == blas.Left) { // the first half of X follows from the first of B alone
		solveTriangle(side, ul, t, diag, p.m1, p.n1, alpha, a, lda, x, ldx)
		scale(alpha, p.second, p.m2, p.n2, ldx)
		p.addToSecond(-1)
		solveTriangle(side, ul, t, diag, p.m2, p.n2, 1, p.corner, lda, p.second, ldx)
		return
	}
	solveTriangle(side, ul, t, diag, p.m2, p.n2, alpha, p.corner, lda, p.second, ldx)
	scale(alpha, x, p.m1, p.n1, ldx)
	p.addToFirst(-1)
	solveTriangle(side, ul, t, diag, p.m1, p.n1, 1, a, lda, x, ldx)
}

// solveLeaf is Dtrsm by substitution, in plain Go: gonum's has assembly natively,
// which adds in another order.
func solveLeaf(side blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	op, _ := operand(t, a, lda)
	forward := (ul == blas.Lower) == (t == blas.NoTrans) // op(A) is lower
	size, count, at := m, n, matrix{b, ldb, 1}
	if side == blas.Right { // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
		op, forward, size, count, at = op.transposed(), !forward, n, m, at.transposed()
	}
	for c := range count {
		for step := range size {
			i, lo, hi := step, 0, step
			if !forward {
				i = size - 1 - step
				lo, hi = i+1, size
			}
			s := alpha * at.data[i*at.rs+c*at.cs]
			if op.cs == 1 && at.rs == 1 { // Potrf's
				s -= dot(op.data[i*op.rs+lo:][:hi-lo], at.data[lo+c*at.cs:][:hi-lo])
			} else {
				for j := lo; j < hi; j++ {
					s -= float64(op.data[i*op.rs+j*op.cs] * at.data[j*at.rs+c*at.cs])
				}
			}
			if diag == blas.NonUnit {
				s /= op.data[i*op.rs+i*op.cs]
			}
			at.data[i*at.rs+c*at.cs] = s
		}
	}
}

// dot adds one product after the other.
func dot(x, y []float64) (s float64) {
	for i, v := range x {
		s += float64(v * y[i])
	}
	return s
}
