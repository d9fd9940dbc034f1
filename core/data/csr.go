package data

import "ifmlab/core/kernel"

// CSR is a [Design] that holds the elements of Z that are not 0, row by row. A
// design of one-hot columns is one: it takes 12 bytes an element, however many
// levels there are.
type CSR struct {
	d      int
	z      kernel.Sparse
	blocks []csrBlock // of BlockRows rows
}

// newCSR returns the design of d columns with these rows. It keeps z.
func newCSR(d int, z kernel.Sparse) *CSR {
	c := &CSR{d: d, z: z}
	n, _ := c.Dims()
	for lo := 0; lo < n; lo += BlockRows {
		c.blocks = append(c.blocks, c.block(lo, min(lo+BlockRows, n)))
	}
	return c
}

func (c *CSR) block(lo, hi int) csrBlock {
	return csrBlock{kernel.Sparse{Start: c.z.Start[lo : hi+1], Column: c.z.Column, Value: c.z.Value}}
}

// Dims returns the number of rows and of columns.
func (c *CSR) Dims() (n, d int) { return len(c.z.Start) - 1, c.d }

// Row returns row i written out.
func (c *CSR) Row(i int) []float64 {
	row := make([]float64, c.d)
	for e := c.z.Start[i]; e < c.z.Start[i+1]; e++ {
		row[c.z.Column[e]] = c.z.Value[e]
	}
	return row
}

// Each calls f for consecutive blocks of at most rows rows. With BlockRows rows
// it does not allocate. Several calls may run at once.
func (c *CSR) Each(rows int, f func(lo, hi int, b Block)) {
	n, _ := c.Dims()
	if rows == BlockRows {
		for i := range c.blocks {
			f(i*BlockRows, min((i+1)*BlockRows, n), &c.blocks[i])
		}
		return
	}
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		b := c.block(lo, hi)
		f(lo, hi, &b)
	}
}

// csrBlock is consecutive rows of a CSR.
type csrBlock struct{ z kernel.Sparse }

func (b *csrBlock) Forward(dst, p []float64, k int) { b.z.Forward(dst, p, k) }
func (b *csrBlock) Adjoint(acc, r []float64, k int) { b.z.Adjoint(acc, r, k) }
func (b *csrBlock) SquaresForward(dst, c []float64) { b.z.RowSquares(dst, c) }
func (b *csrBlock) SquaresAdjoint(acc, r []float64) { b.z.ColSquares(acc, r) }
