package kernel

import (
	"math"

	"ifmlab/core/message"
)

// Entries is an m×d matrix that holds what is not 0 in it: 12 bytes each. Its zero
// value has no columns.
type Entries struct {
	d      int
	start  []int32 // m+1: row i has entries start[i] ≤ e < start[i+1]
	column []int32
	value  []float64
}

// NewEntries returns the matrix whose row i holds value[e] in column[e] for start[i]
// ≤ e < start[i+1]; two of one column add up. It keeps the slices, and panics if
// start does not rise from 0 or more to their length or less, or a column is not one
// of the d. It costs O(m + entries).
func NewEntries(d int, start, column []int32, value []float64) Entries {
	if len(value) != len(column) || d > math.MaxInt32 {
		panic(message.Sprintf("kernel: %d entries have %d columns", len(value), len(column)))
	}
	NewSparse(d, start, column) // checks them
	return Entries{d, start, column, value}
}

// Dims returns m and d.
func (z Entries) Dims() (m, d int) { return max(0, len(z.start)-1), z.d }

// Rows returns rows lo ≤ i < hi, which share the memory of z. O(1).
func (z Entries) Rows(lo, hi int) Entries {
	return Entries{z.d, z.start[lo : hi+1], z.column, z.value}
}

// Row returns the columns of the entries of row i and their values, not copies.
func (z Entries) Row(i int) (column []int32, value []float64) {
	lo, hi := z.start[i], z.start[i+1]
	return z.column[lo:hi:hi], z.value[lo:hi:hi]
}

// Take returns a matrix of these rows, in this order. O(entries of them).
func (z Entries) Take(rows []int32) Entries {
	out := Entries{d: z.d, start: make([]int32, 1, len(rows)+1)}
	for _, i := range rows {
		column, value := z.Row(int(i))
		out.column, out.value = append(out.column, column...), append(out.value, value...)
		out.start = append(out.start, int32(len(out.column)))
	}
	return out
}

// Forward adds Z·P to dst. P is d×k and dst m×k, row-major without gaps. It costs
// O(m + entries·k).
//
// Order: for each element of dst from it on, the entries of the row one after the
// other.
func (z Entries) Forward(dst, p []float64, k int) {
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		to := dst[i*k:][:k]
		for e, j := range column {
			v := value[e]
			for f, x := range p[int(j)*k:][:k] {
				to[f] += float64(v * x)
			}
		}
	}
}

// Adjoint adds Zᵀ·R to acc. R is m×k and acc d×k, row-major without gaps. It costs
// O(m + entries·k).
//
// Order: for each element of acc from it on, one row after the other.
func (z Entries) Adjoint(acc, r []float64, k int) {
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		from := r[i*k:][:k]
		for e, j := range column {
			v := value[e]
			to := acc[int(j)*k:][:k]
			for f, x := range from {
				to[f] += float64(v * x)
			}
		}
	}
}

// SquaresForward adds Z²·c to dst, squares taken element by element: c has d elements
// and dst m. O(m + entries), in the order of Forward.
func (z Entries) SquaresForward(dst, c []float64) {
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		for e, j := range column {
			dst[i] += float64(float64(value[e]*value[e]) * c[j])
		}
	}
}

// SquaresAdjoint adds (Z²)ᵀ·r to acc: r has m elements and acc d. O(m + entries), in
// the order of Adjoint.
func (z Entries) SquaresAdjoint(acc, r []float64) {
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		for e, j := range column {
			acc[j] += float64(float64(value[e]*value[e]) * r[i])
		}
	}
}
