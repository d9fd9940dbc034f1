package kernel

import (
	"math"

	"ifmlab/core/message"
)

// Hats is an m×d matrix for piecewise-linear functions through knots. For each such column of
// a table, a row has two neighbouring numbers, 1 − t and t. They take 12 bytes: a place and t.
type Hats struct {
	d, per int
	left   []int32   // m×per: the column of 1 − t; t is in the next one
	at     []float64 // m×per: t
}

// NewHats returns the matrix of d columns whose row i has 1 − at[e] in column left[e] and
// at[e] in column left[e] + 1, for i·per ≤ e < (i+1)·per. It keeps both slices. It panics if
// their lengths differ or are no multiple of per, or if a place is not below d − 1. It costs
// O(m·per).
func NewHats(d, per int, left []int32, at []float64) Hats {
	if per < 1 || d < 0 || d > math.MaxInt32 || len(left) != len(at) || len(left)%per != 0 {
		panic(message.Sprintf("kernel: hats of %d columns, %d a row, from %d places and %d numbers", d, per, len(left), len(at)))
	}
	for e, j := range left {
		if j < 0 || int(j) >= d-1 {
			panic(message.Sprintf("kernel: element %d of hats is in columns %d and %d of %d", e, int(j), int(j)+1, d))
		}
	}
	return Hats{d, per, left, at}
}

// Dims returns m and d.
func (z Hats) Dims() (m, d int) { return len(z.left) / max(z.per, 1), z.d }

// Rows returns rows lo ≤ i < hi, which share the memory of z. O(1).
func (z Hats) Rows(lo, hi int) Hats {
	return Hats{z.d, z.per, z.left[lo*z.per : hi*z.per], z.at[lo*z.per : hi*z.per]}
}

// Row returns the places and the numbers t of row i. They are not copies.
func (z Hats) Row(i int) (left []int32, at []float64) {
	lo, hi := i*z.per, (i+1)*z.per
	return z.left[lo:hi:hi], z.at[lo:hi:hi]
}

// Forward adds Z·P to dst. P is d×k and dst m×k, row-major without gaps. It costs
// O(m·per·k).
//
// Order: for each element of dst from it on, one hat after the other. Each adds the sum of
// its two products.
func (z Hats) Forward(dst, p []float64, k int) {
	m, d := z.Dims()
	dst, p = dst[:m*k], p[:d*k]
	for i := range m {
		to := dst[i*k:][:k]
		left, at := z.Row(i)
		for e, j := range left {
			t := at[e]
			s := 1 - t
			low, high := p[int(j)*k:][:k], p[int(j+1)*k:][:k]
			for f := range to {
				to[f] += float64(s*low[f]) + float64(t*high[f])
			}
		}
	}
}

// Adjoint adds Zᵀ·R to acc. R is m×k and acc d×k, row-major without gaps. It costs
// O(m·per·k).
//
// Order: for each element of acc from it on, one row after the other.
func (z Hats) Adjoint(acc, r []float64, k int) {
	m, d := z.Dims()
	acc, r = acc[:d*k], r[:m*k]
	for i := range m {
		from := r[i*k:][:k]
		left, at := z.Row(i)
		for e, j := range left {
			t := at[e]
			s := 1 - t
			low, high := acc[int(j)*k:][:k], acc[int(j+1)*k:][:k]
			for f, v := range from {
				low[f] += float64(s * v)
				high[f] += float64(t * v)
			}
		}
	}
}

// SquaresForward adds Z²·c to dst, with squares taken element by element. O(m·per).
//
// Order: as [Hats.Forward].
func (z Hats) SquaresForward(dst, c []float64) {
	m, d := z.Dims()
	dst, c = dst[:m], c[:d]
	for i := range m {
		left, at := z.Row(i)
		for e, j := range left {
			t := at[e]
			s := 1 - t
			dst[i] += float64(float64(s*s)*c[j]) + float64(float64(t*t)*c[j+1])
		}
	}
}

// SquaresAdjoint adds (Z²)ᵀ·r to acc. O(m·per).
//
// Order: as [Hats.Adjoint].
func (z Hats) SquaresAdjoint(acc, r []float64) {
	m, d := z.Dims()
	acc, r = acc[:d], r[:m]
	for i, v := range r {
		left, at := z.Row(i)
		for e, j := range left {
			t := at[e]
			s := 1 - t
			acc[j] += float64(float64(s*s) * v)
			acc[j+1] += float64(float64(t*t) * v)
		}
	}
}
