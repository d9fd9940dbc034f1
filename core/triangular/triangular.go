// Package triangular factors small dense matrices. Its sums run in one fixed order, so
// that all fits which use it have the same bits on every machine. For matrices of some
// hundred rows, package linear factors in panels.
package triangular

import (
	"math"

	"ifmlab/core/kernel"
)

// Cholesky replaces the lower triangle of A, d×d, by L with A = LLᵀ. A must be positive
// semi-definite. A pivot of at most least times its element of the diagonal counts as 0:
// L has 0 there and below. definite reports whether there was none. O(d³/6).
func Cholesky(a []float64, d int, least float64) (definite bool) {
	definite = true
	for i := range d {
		row := a[i*d:][:d]
		diagonal := row[i]
		for j := range i + 1 {
			above := a[j*d:][:d]
			sum := row[j]
			for c := range j {
				sum -= float64(row[c] * above[c])
			}
			switch {
			case j < i:
				row[j] = quotient(sum, above[j])
			case sum > least*diagonal:
				row[i] = math.Sqrt(sum)
			default:
				row[i], definite = 0, false
			}
		}
	}
	return definite
}

// Forward replaces x by the solution of Lx′ = x. An unknown whose pivot is 0 becomes 0.
// O(d²/2).
func Forward(l, x []float64) {
	d := len(x)
	for i, sum := range x {
		row := l[i*d:][:d]
		for c := range i {
			sum -= float64(row[c] * x[c])
		}
		x[i] = quotient(sum, row[i])
	}
}

// Backward replaces x by the solution of Lᵀx′ = x, likewise.
func Backward(l, x []float64) {
	d := len(x)
	for i := d - 1; i >= 0; i-- {
		sum := x[i]
		for c := i + 1; c < d; c++ {
			sum -= float64(l[c*d+i] * x[c])
		}
		x[i] = quotient(sum, l[i*d+i])
	}
}

func quotient(sum, pivot float64) float64 {
	if pivot == 0 {
		return 0
	}
	return sum / pivot
}

// Project subtracts from c its components along the orthonormal rows of q and returns
// the norm of what remains. Twice in a row leaves c orthogonal to rounding. O(len(q)).
func Project(c, q []float64) float64 {
	for ; len(q) > 0; q = q[len(c):] {
		row := q[:len(c)]
		kernel.Axpy(-kernel.Dot(row, c), row, c)
	}
	return math.Sqrt(kernel.Dot(c, c))
}
