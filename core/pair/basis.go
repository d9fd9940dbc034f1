package pair

import (
	"math"

	"ifmlab/core/kernel"
)

// Shares of a feature's sum of squares below which it is an alias of others.
const (
	// A main effect is an alias if the features before it explain all but a share of 1e-8.
	// Rounding leaves up to d·1e-16. If a smaller share counted, 1e-16 would grow by its
	// inverse, past the share below.
	aliasOfMain = 1e-8
	// A product is an alias if main effects and the products before it explain all but a
	// share of 1e-6, a thousandth of its standard deviation. Noise would drown the rest.
	aliasOfOthers = 1e-6
)

// block has the features of one column of the table, the products of a pair of columns, or
// the constant 1.
type block struct {
	width         int
	first, second *column   // second is nil for a column, both are nil for the constant
	product       []int32   // of a pair: the place of feature f of first times g of second, −1 for none
	root          []float64 // √ of the weights of rows; nil for 1 each
}

// row sets e to the non-zero features of row i, times the root of its weight, and returns
// their number.
func (b *block) row(i int, e *entries) int {
	n := b.unweighted(i, e)
	if b.root != nil {
		for j := range n {
			e.value[j] *= b.root[i]
		}
	}
	return n
}

// unweighted is row without the weight.
func (b *block) unweighted(i int, e *entries) int {
	if b.first == nil {
		e.index[0], e.value[0] = 0, 1
		return 1
	}
	n := b.first.row(i, e)
	if b.second == nil {
		return n
	}
	var f, g entries
	f = *e
	m := min(b.second.row(i, &g), 2)
	stride, count := b.second.features, 0
	for j := range min(n, 2) {
		of := b.product[int(f.index[j])*stride:]
		for k := range m {
			if at := of[g.index[k]]; at >= 0 {
				e.index[count], e.value[count] = at, f.value[j]*g.value[k]
				count++
			}
		}
	}
	return count
}

// gram adds AᵀB to dst, a.width×b.width. O(n·entries²).
func gram(dst []float64, a *block, b entryTable) {
	var e entries
	for i, count := range b.count {
		for j := range a.row(i, &e) {
			row := dst[int(e.index[j])*b.width:][:b.width]
			for k := range count {
				at := 4*i + int(k)
				row[b.index[at]] += float64(e.value[j] * b.value[at])
			}
		}
	}
}

// entryTable has the entries of a block, with 4 places a row.
type entryTable struct {
	width int
	count []uint8
	index []int32
	value []float64
}

// fill sets the table to the entries of n rows. O(n).
func (w *entryTable) fill(b *block, n int) {
	if len(w.count) != n {
		w.count, w.index, w.value = make([]uint8, n), make([]int32, 4*n), make([]float64, 4*n)
	}
	w.width = b.width
	var e entries
	for i := range n {
		m := b.row(i, &e)
		w.count[i] = uint8(m)
		copy(w.index[4*i:], e.index[:m])
		copy(w.value[4*i:], e.value[:m])
	}
}

// times sets dst, one number a feature, to Bᵀr.
func (w *entryTable) times(dst, r []float64) {
	clear(dst)
	for i, n := range w.count {
		for k := range n {
			at := 4*i + int(k)
			dst[w.index[at]] += float64(w.value[at] * r[i])
		}
	}
}

// basis is least squares on the features of some blocks. It has the Cholesky factor of
// their moments, HᵀH = LLᵀ, without features that are aliases of those before them. gonum's
// mat cannot extend a factor by rows, and would cost 200 kB of the engine (brotli).
type basis struct {
	blocks   []*block
	at       [][]int32   // for each feature of each block its row of L, −1 for an alias
	l        [][]float64 // row i has i+1 numbers
	residual []float64   // n: of the targets, times the roots of the weights
	rows     float64     // how many rows of equal weight tell as much
}

// clone returns a basis that can be extended without changing b.
func (b *basis) clone() *basis {
	return &basis{
		blocks: b.blocks[:len(b.blocks):len(b.blocks)], at: b.at[:len(b.at):len(b.at)], l: b.l[:len(b.l):len(b.l)],
		residual: append([]float64(nil), b.residual...), rows: b.rows,
	}
}

// rank returns the number of features that are no aliases.
func (b *basis) rank() int { return len(b.l) }

// extend adds a block. With r features before, w new ones and e entries a row it costs
// n·e² + w·r²/2.
func (b *basis) extend(added *block, scratch *entryTable) {
	n, r := len(b.residual), b.rank()
	scratch.fill(added, n)
	w := added.width
	cross := make([]float64, (r+w)*w)
	b.times(cross, *scratch, 0)
	own := cross[r*w:]
	gram(own, added, *scratch)
	places := make([]int32, w)
	for j := range w {
		whole := own[j*w+j]
		row := make([]float64, b.rank()+1)
		for i := range r {
			row[i] = cross[i*w+j]
		}
		for f, at := range places[:j] {
			if at >= 0 {
				row[at] = own[f*w+j]
			}
		}
		for i, l := range b.l {
			row[i] = (row[i] - kernel.Dot(l[:i], row[:i])) / l[i]
		}
		last := len(row) - 1
		places[j] = -1
		if left := whole - kernel.Dot(row[:last], row[:last]); left > aliasOfMain*whole && whole > 0 {
			row[last] = math.Sqrt(left)
			places[j] = int32(last)
			b.l = append(b.l, row)
		}
	}
	b.blocks, b.at = append(b.blocks, added), append(b.at, places)
}

// times sets rows of dst, rank×with.width, to those of HᵀB, for the features of block from
// and later ones. O(n·entries²).
func (b *basis) times(dst []float64, with entryTable, from int) {
	w := with.width
	for k := from; k < len(b.blocks); k++ {
		sums := make([]float64, b.blocks[k].width*w)
		gram(sums, b.blocks[k], with)
		for f, at := range b.at[k] {
			if at >= 0 {
				copy(dst[int(at)*w:][:w], sums[f*w:])
			}
		}
	}
}

// fit subtracts from the residual what the features explain. A second pass removes the rounding
// errors of the first. O(n·entries + rank²).
func (b *basis) fit() {
	for range 2 {
		g := make([]float64, b.rank())
		var e entries
		for k, block := range b.blocks {
			sums := make([]float64, block.width)
			for i, r := range b.residual {
				for j := range block.row(i, &e) {
					sums[e.index[j]] += float64(e.value[j] * r)
				}
			}
			for f, at := range b.at[k] {
				if at >= 0 {
					g[at] = sums[f]
				}
			}
		}
		forward(b.l, g)
		backward(b.l, g)
		for k, block := range b.blocks {
			weights := make([]float64, block.width)
			for f, at := range b.at[k] {
				if at >= 0 {
					weights[f] = g[at]
				}
			}
			for i := range b.residual {
				for j := range block.row(i, &e) {
					b.residual[i] -= float64(e.value[j] * weights[e.index[j]])
				}
			}
		}
	}
}

// factor returns the rows of L, LLᵀ = moments, and the columns that they belong to. It leaves
// out a column if those before explain all but the share least of whole. O(size³/3).
func factor(size int, least float64, moments func(i, j int) float64, whole func(j int) float64) (l [][]float64, free []int) {
	for j := range size {
		row := make([]float64, len(l)+1)
		for i, k := range free {
			row[i] = (moments(j, k) - kernel.Dot(l[i][:i], row[:i])) / l[i][i]
		}
		last := len(l)
		if left := moments(j, j) - kernel.Dot(row[:last], row[:last]); left > least*whole(j) {
			row[last] = math.Sqrt(left)
			l, free = append(l, row), append(free, j)
		}
	}
	return l, free
}

// forward replaces x by the solution x′ of Lx′ = x.
func forward(l [][]float64, x []float64) {
	for i, row := range l {
		x[i] = (x[i] - kernel.Dot(row[:i], x[:i])) / row[i]
	}
}

// backward replaces x by the solution x′ of Lᵀx′ = x.
func backward(l [][]float64, x []float64) {
	for i := len(l) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		kernel.Axpy(-x[i], l[i][:i], x[:i])
	}
}
