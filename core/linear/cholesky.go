package linear

import (
	"math"

	"ifmlab/core/kernel"
)

// smallestPivot is where a matrix with a diagonal of about 1 counts as
// singular: rounding alone leaves pivots of up to about d·1e-16, and a pivot of
// 1e-11 is a column that others explain to five digits.
const smallestPivot = 1e-11

// cholesky replaces the lower triangle of a, d×d and row-major, by L with
// A = LLᵀ, and reports whether every pivot was above smallestPivot; a is spoilt
// where not. The rest of a is not read. O(d³/3).
func cholesky(a []float64, d int) bool {
	for i := range d {
		row := a[i*d:][:d]
		for j := range i {
			row[j] = (row[j] - kernel.Dot(row[:j], a[j*d:][:j])) / a[j*d+j]
		}
		pivot := row[i] - kernel.Dot(row[:i], row[:i])
		if !(pivot > smallestPivot) {
			return false
		}
		row[i] = math.Sqrt(pivot)
	}
	return true
}

// solveCholesky sets x to the solution of LLᵀx = b; they may be the same slice.
// O(d²).
func solveCholesky(x, l, b []float64) {
	d := len(b)
	copy(x, b)
	for i := range d {
		row := l[i*d:][:d]
		x[i] = (x[i] - kernel.Dot(row[:i], x[:i])) / row[i]
	}
	for i := d - 1; i >= 0; i-- {
		row := l[i*d:][:d]
		x[i] /= row[i]
		kernel.Axpy(-x[i], row[:i], x[:i])
	}
}
