package kernel

import (
	"math"

	"ifmlab/core/message"
)

// Sparse is an m×d matrix that stores what is not 0: 12 bytes for a value, or 4 bytes each
// if all are 1. Its zero value has no columns.
type Sparse struct {
	d      int
	start  []int32 // m+1: the entries of row i are start[i] ≤ e < start[i+1]
	column []int32
	value  []float64 // nil if all are 1
}

// NewSparse returns the matrix whose row i has value[e] in column[e] for start[i] ≤ e <
// start[i+1]. A nil value stands for ones. Two entries of one place add up. It keeps the
// slices. It panics if start does not rise from 0 or more to at most their length, or if a
// column is not one of the d. It costs O(m + entries).
func NewSparse(d int, start, column []int32, value []float64) Sparse {
	if len(start) == 0 || d < 0 || d > math.MaxInt32 || value != nil && len(value) != len(column) {
		panic(message.Sprintf("kernel: a sparse matrix of %d columns with %d starts and %d values at %d places", d, len(start), len(value), len(column)))
	}
	last := int32(0)
	for i, s := range start {
		if s < last || int(s) > len(column) {
			panic(message.Sprintf("kernel: row %d of a sparse matrix starts at %d, after %d and of %d", i, int(s), int(last), len(column)))
		}
		last = s
	}
	for e, j := range column {
		if uint(j) >= uint(d) {
			panic(message.Sprintf("kernel: element %d of a sparse matrix is in column %d of %d", e, int(j), d))
		}
	}
	return Sparse{d, start, column, value}
}

// Dims returns m and d.
func (z Sparse) Dims() (m, d int) { return max(0, len(z.start)-1), z.d }

// Rows returns rows lo ≤ i < hi, which share the memory of z. O(1).
func (z Sparse) Rows(lo, hi int) Sparse {
	return Sparse{z.d, z.start[lo : hi+1], z.column, z.value}
}

// Row returns the columns of the entries of row i and their values, nil for ones. They are
// not copies.
func (z Sparse) Row(i int) (column []int32, value []float64) {
	lo, hi := z.start[i], z.start[i+1]
	if z.value != nil {
		value = z.value[lo:hi:hi]
	}
	return z.column[lo:hi:hi], value
}

// Take returns a matrix of these rows, in this order. O(entries of them).
func (z Sparse) Take(rows []int32) Sparse {
	out := Sparse{d: z.d, start: make([]int32, 1, len(rows)+1)}
	for _, i := range rows {
		column, value := z.Row(int(i))
		out.column, out.value = append(out.column, column...), append(out.value, value...)
		out.start = append(out.start, int32(len(out.column)))
	}
	return out
}

// simd reports whether a product with k columns is one for the SIMD body.
func (z Sparse) simd(m, k int) bool {
	return simd && m > 0 && int(z.start[m]-z.start[0])*k >= leastProducts
}

// Forward adds Z·P to dst. P is d×k and dst m×k, row-major without gaps. It costs
// O(m·k + entries·k).
//
// Order: for each element of dst from it on, the entries of the row one after the other.
func (z Sparse) Forward(dst, p []float64, k int) {
	m, d := z.Dims()
	dst, p = dst[:m*k], p[:d*k]
	switch {
	case z.value != nil:
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
	case z.simd(m, k):
		simdSparseForward(m, k, dst, z.start, z.column, p)
	default:
		sparseForward(m, k, dst, z.start, z.column, p)
	}
}

// sparseForward takes four columns of P at a time, so that their sums stay in registers.
func sparseForward(m, k int, dst []float64, start, column []int32, p []float64) {
	f := 0
	for ; f+4 <= k; f += 4 {
		for i := range m {
			to := (*[4]float64)(dst[i*k+f:])
			s0, s1, s2, s3 := to[0], to[1], to[2], to[3]
			for _, j := range column[start[i]:start[i+1]] {
				x := (*[4]float64)(p[int(j)*k+f:])
				s0 += x[0]
				s1 += x[1]
				s2 += x[2]
				s3 += x[3]
			}
			to[0], to[1], to[2], to[3] = s0, s1, s2, s3
		}
	}
	for ; f < k; f++ {
		for i := range m {
			s := dst[i*k+f]
			for _, j := range column[start[i]:start[i+1]] {
				s += p[int(j)*k+f]
			}
			dst[i*k+f] = s
		}
	}
}

// Adjoint adds Zᵀ·R to acc. R is m×k and acc d×k, row-major without gaps. It costs
// O(m·k + entries·k).
//
// Order: for each element of acc from it on, one row after the other.
func (z Sparse) Adjoint(acc, r []float64, k int) {
	m, d := z.Dims()
	acc, r = acc[:d*k], r[:m*k]
	switch {
	case z.value != nil:
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
	case z.simd(m, k):
		simdSparseAdjoint(m, k, acc, z.start, z.column, r)
	default:
		sparseAdjoint(m, k, acc, z.start, z.column, r)
	}
}

func sparseAdjoint(m, k int, acc []float64, start, column []int32, r []float64) {
	f := 0
	for ; f+4 <= k; f += 4 {
		for i := range m {
			from := (*[4]float64)(r[i*k+f:])
			r0, r1, r2, r3 := from[0], from[1], from[2], from[3]
			for _, j := range column[start[i]:start[i+1]] {
				to := (*[4]float64)(acc[int(j)*k+f:])
				to[0] += r0
				to[1] += r1
				to[2] += r2
				to[3] += r3
			}
		}
	}
	for ; f < k; f++ {
		for i := range m {
			v := r[i*k+f]
			for _, j := range column[start[i]:start[i+1]] {
				acc[int(j)*k+f] += v
			}
		}
	}
}

// SquaresForward adds Z²·c to dst, with squares taken element by element. c has d elements
// and dst m. O(m + entries), in the order of Forward.
func (z Sparse) SquaresForward(dst, c []float64) {
	if z.value == nil {
		z.Forward(dst, c, 1)
		return
	}
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		for e, j := range column {
			dst[i] += float64(float64(value[e]*value[e]) * c[j])
		}
	}
}

// SquaresAdjoint adds (Z²)ᵀ·r to acc. r has m elements and acc d. O(m + entries), in the
// order of Adjoint.
func (z Sparse) SquaresAdjoint(acc, r []float64) {
	if z.value == nil {
		z.Adjoint(acc, r, 1)
		return
	}
	m, _ := z.Dims()
	for i := range m {
		column, value := z.Row(i)
		for e, j := range column {
			acc[j] += float64(float64(value[e]*value[e]) * r[i])
		}
	}
}
