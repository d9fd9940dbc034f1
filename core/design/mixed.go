package design

import (
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// Mixed is a [Design] with dense and sparse features: runs of neighbouring dense features,
// ones for levels with 4 bytes each, hats of numbers, and entries of sparse columns.
// Without runs and hats it is a CSR matrix.
//
// Order of summation: Forward and SquaresForward start at 0 and add each run, in the order
// of features and as a [Dense] does. Then they add the ones of the row in order, then its
// hats, then its entries. Adjoint and SquaresAdjoint sum each feature as its form does: see
// [kernel.Gemm], [kernel.ColSquares], [kernel.Sparse], [kernel.Hats] and [kernel.Entries].
type Mixed struct {
	n, d    int
	Runs    []Run
	Ones    kernel.Sparse
	Hats    kernel.Hats   // zero value if no column has knots
	Entries kernel.Sparse // zero value if no column is a block
	blocks  []mixedBlock  // of BlockRows rows
}

// Run is a run of neighbouring dense features.
type Run struct {
	At int // the first of them
	Z  *Dense
}

// NewMixed returns a design of runs, ones, hats and entries. Runs are in order and do not
// overlap. Each feature is in one of the four.
func NewMixed(runs []Run, ones kernel.Sparse, hats kernel.Hats, sparse kernel.Sparse) *Mixed {
	z := &Mixed{Runs: runs, Ones: ones, Hats: hats, Entries: sparse}
	z.n, z.d = ones.Dims()
	for lo := 0; lo < z.n; lo += BlockRows {
		z.blocks = append(z.blocks, z.block(lo, min(lo+BlockRows, z.n)))
	}
	return z
}

func (z *Mixed) block(lo, hi int) mixedBlock {
	b := mixedBlock{z: z, lo: lo, hi: hi, ones: z.Ones.Rows(lo, hi)}
	if z.hasHats() {
		b.hats = z.Hats.Rows(lo, hi)
	}
	if z.hasEntries() {
		b.sparse = z.Entries.Rows(lo, hi)
	}
	return b
}

// hasHats reports whether there are hats.
func (z *Mixed) hasHats() bool {
	_, d := z.Hats.Dims()
	return d > 0
}

// hasEntries reports whether there are entries of blocks.
func (z *Mixed) hasEntries() bool {
	_, d := z.Entries.Dims()
	return d > 0
}

// Dims returns the number of rows and of columns.
func (z *Mixed) Dims() (n, d int) { return z.n, z.d }

// Row returns row i as d numbers.
func (z *Mixed) Row(i int) []float64 {
	row := make([]float64, z.d)
	for _, r := range z.Runs {
		copy(row[r.At:], r.Z.Row(i))
	}
	ones, _ := z.Ones.Row(i)
	for _, j := range ones {
		row[j] = 1
	}
	if z.hasHats() {
		left, at := z.Hats.Row(i)
		for e, j := range left {
			row[j], row[j+1] = 1-at[e], at[e]
		}
	}
	if z.hasEntries() {
		columns, values := z.Entries.Row(i)
		for e, j := range columns {
			row[j] = values[e]
		}
	}
	return row
}

// Each calls f for consecutive blocks of at most rows rows. With BlockRows rows
// it does not allocate. Several calls may run at once.
func (z *Mixed) Each(rows int, f func(lo, hi int, b Block)) {
	if rows == BlockRows {
		for i := range z.blocks {
			b := &z.blocks[i]
			f(b.lo, b.hi, b)
		}
		return
	}
	if rows < 1 {
		panic(message.Sprintf("design: blocks of %d rows", rows))
	}
	for lo := 0; lo < z.n; lo += rows {
		b := z.block(lo, min(lo+rows, z.n))
		f(lo, b.hi, &b)
	}
}

// Back is Each from the last block to the first.
func (z *Mixed) Back(rows int, f func(lo, hi int, b Block)) {
	if rows == BlockRows {
		for i := len(z.blocks) - 1; i >= 0; i-- {
			b := &z.blocks[i]
			f(b.lo, b.hi, b)
		}
		return
	}
	for lo := lastBlock(z.n, rows); lo >= 0; lo -= rows {
		b := z.block(lo, min(lo+rows, z.n))
		f(lo, b.hi, &b)
	}
}

// mixedBlock is rows lo ≤ i < hi of a Mixed. Features stay where they are, so a
// run reads and writes its own rows of P and acc, and nothing is gathered.
type mixedBlock struct {
	z      *Mixed
	lo, hi int
	ones   kernel.Sparse
	hats   kernel.Hats
	sparse kernel.Sparse
}

func (b *mixedBlock) Forward(dst, p []float64, k int) {
	clear(dst[:(b.hi-b.lo)*k])
	for _, r := range b.z.Runs {
		dense := r.Z.block(b.lo, b.hi)
		dense.addForward(dst, p[r.At*k:], k)
	}
	b.ones.Forward(dst, p, k)
	if b.z.hasHats() {
		b.hats.Forward(dst, p, k)
	}
	b.sparse.Forward(dst, p, k)
}

func (b *mixedBlock) Adjoint(acc, r []float64, k int) {
	for _, run := range b.z.Runs {
		dense := run.Z.block(b.lo, b.hi)
		dense.Adjoint(acc[run.At*k:], r, k)
	}
	b.ones.Adjoint(acc, r, k)
	if b.z.hasHats() {
		b.hats.Adjoint(acc, r, k)
	}
	b.sparse.Adjoint(acc, r, k)
}

func (b *mixedBlock) SquaresForward(dst, c []float64) {
	dst = dst[:b.hi-b.lo]
	clear(dst)
	var squares [BlockRows]float64
	for _, r := range b.z.Runs {
		for lo := b.lo; lo < b.hi; lo += BlockRows {
			dense := r.Z.block(lo, min(lo+BlockRows, b.hi))
			part := squares[:dense.m]
			dense.SquaresForward(part, c[r.At:])
			kernel.Axpy(1, part, dst[lo-b.lo:][:dense.m])
		}
	}
	b.ones.SquaresForward(dst, c)
	if b.z.hasHats() {
		b.hats.SquaresForward(dst, c)
	}
	b.sparse.SquaresForward(dst, c)
}

func (b *mixedBlock) SquaresAdjoint(acc, r []float64) {
	for _, run := range b.z.Runs {
		dense := run.Z.block(b.lo, b.hi)
		dense.SquaresAdjoint(acc[run.At:], r)
	}
	b.ones.SquaresAdjoint(acc, r)
	if b.z.hasHats() {
		b.hats.SquaresAdjoint(acc, r)
	}
	b.sparse.SquaresAdjoint(acc, r)
}
