package kernel

import (
	"math"

	"ifmlab/core/message"
)

// Sparse is an m×d matrix of zeros and ones that holds where the ones are, in 4
// bytes each. Its squares, element by element, are itself.
type Sparse struct {
	d      int
	start  []int32 // m+1: the ones of row i are in columns column[start[i]:start[i+1]]
	column []int32
}

// NewSparse returns the matrix whose row i is 1 in columns start[i] to
// start[i+1]−1 of the list column; one that is named twice counts twice. It keeps
// both slices, and panics if start does not rise from 0 or more to len(column) or
// less, or a column is not one of the d. It costs O(m + ones).
func NewSparse(d int, start, column []int32) Sparse {
	if len(start) == 0 || d < 0 || d > math.MaxInt32 {
		panic(message.Sprintf("kernel: a sparse matrix of %d columns with %d starts", d, len(start)))
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
	return Sparse{d, start, column}
}

// Dims returns m and d.
func (z Sparse) Dims() (m, d int) { return len(z.start) - 1, z.d }

// Rows returns rows lo ≤ i < hi, which share the memory of z. O(1).
func (z Sparse) Rows(lo, hi int) Sparse { return Sparse{z.d, z.start[lo : hi+1], z.column} }

// Row returns the columns in which row i is 1, not a copy of them.
func (z Sparse) Row(i int) []int32 { return z.column[z.start[i]:z.start[i+1]:z.start[i+1]] }

// ones returns how many there are.
func (z Sparse) ones() int { return int(z.start[len(z.start)-1] - z.start[0]) }

// Forward adds Z·P to dst. P is d×k and dst m×k, row-major without gaps. It
// costs O(m·k + ones·k).
//
// Order: for each element of dst from it on, the ones of the row one after the
// other.
func (z Sparse) Forward(dst, p []float64, k int) {
	m, d := z.Dims()
	dst, p = dst[:m*k], p[:d*k]
	if simd && z.ones()*k >= leastProducts {
		simdSparseForward(m, k, dst, z.start, z.column, p)
		return
	}
	sparseForward(m, k, dst, z.start, z.column, p)
}

// sparseForward takes four columns of P at a time, whose sums stay in registers.
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

// Adjoint adds Zᵀ·R to acc. R is m×k and acc d×k, row-major without gaps. It
// costs O(m·k + ones·k).
//
// Order: for each element of acc from it on, one row after the other.
func (z Sparse) Adjoint(acc, r []float64, k int) {
	m, d := z.Dims()
	acc, r = acc[:d*k], r[:m*k]
	if simd && z.ones()*k >= leastProducts {
		simdSparseAdjoint(m, k, acc, z.start, z.column, r)
		return
	}
	sparseAdjoint(m, k, acc, z.start, z.column, r)
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
