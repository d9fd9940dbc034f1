package linear

import (
	"math"

	"ifmlab/core/kernel"
)

// smallestPivot is the pivot below which a matrix with a diagonal of about 1 counts as
// singular. Rounding alone leaves pivots of up to about d·1e-16, and a pivot of 1e-11
// belongs to a column that others explain to five digits.
const smallestPivot = 1e-11

const (
	panel = 64 // columns that are factored at a time, as in LAPACK
	leaf  = 16 // size of the diagonal blocks that are too small for a matrix product
)

// factor is the lower triangle L of a Cholesky decomposition, d×d and row-major.
type factor struct {
	l []float64
	d int
}

// cholesky replaces the lower triangle of a, d×d and row-major, by L with A = LLᵀ. It
// reports whether every pivot was above smallestPivot; if not, a is overwritten. It does
// not read the rest of a. O(d³/3).
//
// It is LAPACK's Potrf, panel by panel in the same order. It uses core/kernel's products,
// so that a curve that starts from it has the same bits everywhere.
func cholesky(a []float64, d int) (l factor, ok bool) {
	for lo := 0; lo < d; lo += panel {
		size := min(panel, d-lo)
		left, diagonal := a[lo*d:], a[lo*d+lo:]
		subtractSquare(diagonal, left, size, lo, d)
		if !choleskyPanel(diagonal, size, d) {
			return factor{}, false
		}
		if below := d - lo - size; below > 0 {
			rows := a[(lo+size)*d:]
			if lo > 0 {
				kernel.Gemm(below, size, lo, -1, rows, d, 1, left, 1, d, rows[lo:], d)
			}
			forward(diagonal, size, d, rows[lo:], below)
		}
	}
	for i := range d {
		if root := a[i*d+i]; !(root*root > smallestPivot) {
			return factor{}, false
		}
	}
	return factor{a, d}, true
}

// Cholesky is the lower triangle L of A = LLᵀ.
type Cholesky struct{ l factor }

// NewCholesky replaces the lower triangle of a, d×d and row-major with a diagonal of about
// 1, by L. ok is false if a pivot is not above 1e-11; a is then overwritten. O(d³/3).
func NewCholesky(a []float64, d int) (c Cholesky, ok bool) {
	c.l, ok = cholesky(a, d)
	return c, ok
}

// Forward replaces count rows of d numbers by the solutions x of Lx = row. O(count·d²).
func (c Cholesky) Forward(rows []float64, count int) { forward(c.l.l, c.l.d, c.l.d, rows, count) }

// Backward replaces x, d numbers, by the solution x′ of Lᵀx′ = x. O(d²).
func (c Cholesky) Backward(x []float64) { backward(c.l.l, c.l.d, c.l.d, x) }

// subtractSquare subtracts AAᵀ, A n×k, from the lower triangle of C, n×n. Rows of both
// begin stride numbers apart.
func subtractSquare(c, a []float64, n, k, stride int) {
	if k == 0 {
		return
	}
	for lo := 0; lo < n; lo += leaf {
		hi := min(lo+leaf, n)
		size, rows := hi-lo, a[lo*stride:]
		// Both triangles of a diagonal block cost less than one alone.
		var block [leaf * leaf]float64
		kernel.Gemm(size, size, k, -1, rows, stride, 1, rows, 1, stride, block[:], leaf)
		for i := range size {
			row := c[(lo+i)*stride+lo:]
			for j := range i + 1 {
				row[j] += block[i*leaf+j]
			}
		}
		if hi < n {
			kernel.Gemm(n-hi, size, k, -1, a[hi*stride:], stride, 1, rows, 1, stride, c[hi*stride+lo:], stride)
		}
	}
}

// choleskyPanel is cholesky column by column, LAPACK's Potf2. Rows begin stride numbers
// apart. It reports whether every pivot was above 0.
func choleskyPanel(a []float64, n, stride int) bool {
	for j := range n {
		row := a[j*stride:]
		pivot := row[j]
		if j > 0 {
			pivot -= kernel.Dot(row[:j], row[:j])
		}
		if !(pivot > 0) {
			return false
		}
		pivot = math.Sqrt(pivot)
		row[j] = pivot
		if j+1 == n {
			return true
		}
		below := a[(j+1)*stride:]
		if j > 0 {
			kernel.Gemm(n-j-1, 1, j, -1, below, stride, 1, row, 1, 1, below[j:], stride)
		}
		scale := 1 / pivot
		for i := range n - j - 1 {
			below[i*stride+j] *= scale
		}
	}
	return true
}

// solveCholesky sets x to the solution of LLᵀx = b. x and b may be the same slice. O(d²).
func solveCholesky(x []float64, l factor, b []float64) {
	copy(x, b)
	forward(l.l, l.d, l.d, x, 1)
	backward(l.l, l.d, l.d, x)
}

// halved returns where a triangle is cut in two, so that matrix products do most of the
// work.
func halved(n int) int { return (n/2 + leaf - 1) / leaf * leaf }

// forward replaces count rows of n numbers by the solutions x of Lx = row. Rows of L and
// of the numbers begin stride numbers apart.
func forward(l []float64, n, stride int, rows []float64, count int) {
	if n > leaf {
		half := halved(n)
		corner, second := l[half*stride:], rows[half:]
		forward(l, half, stride, rows, count)
		if count == 1 { // the same products; for a vector the tiles of a matrix cost more
			kernel.Gemm(n-half, 1, half, -1, corner, stride, 1, rows, 1, 1, second, 1)
		} else {
			kernel.Gemm(count, n-half, half, -1, rows, stride, 1, corner, 1, stride, second, stride)
		}
		forward(corner[half:], n-half, stride, second, count)
		return
	}
	for r := range count {
		row := rows[r*stride:][:n]
		for i := range row {
			sum, of := 0.0, l[i*stride:]
			for j, v := range row[:i] {
				sum += float64(of[j] * v)
			}
			row[i] = (row[i] - sum) / of[i]
		}
	}
}

// backward replaces x, n numbers, by the solution x′ of Lᵀx′ = x. Rows of L begin stride
// numbers apart.
func backward(l []float64, n, stride int, x []float64) {
	if n > leaf {
		half := halved(n)
		corner := l[half*stride:]
		backward(corner[half:], n-half, stride, x[half:])
		kernel.Gemm(half, 1, n-half, -1, corner, 1, stride, x[half:], 1, 1, x, 1)
		backward(l, half, stride, x)
		return
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= float64(l[j*stride+i] * x[j])
		}
		x[i] /= l[i*stride+i]
	}
}
