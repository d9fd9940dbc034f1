package design

import (
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// Dense is a [Design] that stores all of Z, row-major without gaps.
type Dense struct {
	n, d   int
	x      []float64
	blocks []denseBlock // of BlockRows rows
}

// NewDense returns the n×d design with element (i,j) at x[i·d+j]. It keeps x, and panics if
// len(x) is not n·d. O(n/BlockRows).
func NewDense(n, d int, x []float64) *Dense {
	if n < 0 || d < 0 || len(x) != n*d {
		panic(message.Sprintf("design: a dense design of %d×%d from %d numbers", n, d, len(x)))
	}
	z := &Dense{n: n, d: d, x: x, blocks: make([]denseBlock, 0, (n+BlockRows-1)/BlockRows)}
	for lo := 0; lo < n; lo += BlockRows {
		z.blocks = append(z.blocks, z.block(lo, min(lo+BlockRows, n)))
	}
	return z
}

func (z *Dense) block(lo, hi int) denseBlock {
	return denseBlock{m: hi - lo, d: z.d, x: z.x[lo*z.d : hi*z.d]}
}

// Dims returns the number of rows and of columns.
func (z *Dense) Dims() (n, d int) { return z.n, z.d }

// Row returns row i, not a copy of it.
func (z *Dense) Row(i int) []float64 { return z.x[i*z.d : (i+1)*z.d : (i+1)*z.d] }

// Rows returns rows lo ≤ i < hi, not a copy of them.
func (z *Dense) Rows(lo, hi int) []float64 { return z.x[lo*z.d : hi*z.d : hi*z.d] }

// Each calls f for consecutive blocks of at most rows rows. With BlockRows rows
// it does not allocate. Several calls may run at once.
func (z *Dense) Each(rows int, f func(lo, hi int, b Block)) {
	if rows == BlockRows {
		for i := range z.blocks {
			b := &z.blocks[i]
			f(i*BlockRows, i*BlockRows+b.m, b)
		}
		return
	}
	if rows < 1 {
		panic(message.Sprintf("design: blocks of %d rows", rows))
	}
	for lo := 0; lo < z.n; lo += rows {
		b := z.block(lo, min(lo+rows, z.n))
		f(lo, lo+b.m, &b)
	}
}

// Back is Each from the last block to the first.
func (z *Dense) Back(rows int, f func(lo, hi int, b Block)) {
	if rows == BlockRows {
		for i := len(z.blocks) - 1; i >= 0; i-- {
			b := &z.blocks[i]
			f(i*BlockRows, i*BlockRows+b.m, b)
		}
		return
	}
	for lo := lastBlock(z.n, rows); lo >= 0; lo -= rows {
		b := z.block(lo, min(lo+rows, z.n))
		f(lo, lo+b.m, &b)
	}
}

// lastBlock returns the first row of the last block, negative if n is 0.
func lastBlock(n, rows int) int {
	if rows < 1 {
		panic(message.Sprintf("design: blocks of %d rows", rows))
	}
	return (n+rows-1)/rows*rows - rows
}

// denseBlock is m rows of a Dense.
type denseBlock struct {
	m, d int
	x    []float64
}

func (b *denseBlock) Forward(dst, p []float64, k int) {
	clear(dst[:b.m*k])
	b.addForward(dst, p, k)
}

// addForward adds Z·P to dst.
func (b *denseBlock) addForward(dst, p []float64, k int) {
	kernel.Gemm(b.m, k, b.d, 1, b.x, b.d, 1, p, k, 1, dst, k)
}

func (b *denseBlock) Adjoint(acc, r []float64, k int) {
	kernel.Gemm(b.d, k, b.m, 1, b.x, 1, b.d, r, k, 1, acc, k)
}

func (b *denseBlock) SquaresForward(dst, c []float64) {
	kernel.RowSquares(dst[:b.m], b.x, c[:b.d])
}

func (b *denseBlock) SquaresAdjoint(acc, r []float64) {
	kernel.ColSquares(acc[:b.d], b.x, r[:b.m])
}
