package pair

import (
	"math"

	"ifmlab/core/kernel"
)

// candidate is a pair of columns that may interact.
type candidate struct {
	p, q    int       // columns
	support []float64 // of the products of block: rows that make up most of each
	block   *block
	score   float64 // for the choice of the pairs that are tested
	tested  test
	beside  int // blocks of the basis in the test
	purified
}

// purified has the products less what the first blocks of a basis explain:
//
//	moments = TᵀT − WᵀW,  W = L⁻¹·HᵀT
type purified struct {
	blocks  int       // of the basis
	w       []float64 // rank×width
	whole   []float64 // width: the sum of squares of each product before
	moments []float64 // width×width
}

// test is the F test of a pair.
type test struct {
	f           float64
	df, noiseDF int     // degrees of freedom
	sum         float64 // ‖Tᵀr‖²_S
	noise       float64 // σ̂²
	logP        float64
	robust      bool // logP holds for noise of any size, too
}

// newCandidate lists the products of columns p and q that can be told from noise: those
// with (Σcv)²/Σ(cv)² ≥ [MinRows], c being the weights of rows. For two levels in rows of equal
// weight this is the number of rows in which they meet, and for hats the number that makes
// up most of the product. The score says how far the squared correlations of the products
// with the residual lie above their mean under noise, in standard deviations. It takes the
// products to be orthogonal. O(rows + products).
func (s *Search) newCandidate(p, q int) *candidate {
	first, second, r := s.columns[p], s.columns[q], s.basis.residual
	noise := max(kernel.Dot(r, r)/s.basis.rows, leastNoise)
	products := first.features * second.features
	c := &candidate{p: p, q: q, block: &block{first: first, second: second, product: make([]int32, products), root: s.root}}
	for i := range c.block.product {
		c.block.product[i] = int32(i)
	}
	type sums struct{ squares, along, weights, weightSquares float64 }
	of := make([]sums, products)
	var e entries
	root := 1.0
	for i, left := range r {
		if s.root != nil {
			root = s.root[i]
		}
		for j := range c.block.unweighted(i, &e) {
			at, v := &of[e.index[j]], float64(e.value[j]*root)
			at.squares += float64(v * v)
			at.along += float64(v * left)
			v *= root
			at.weights += v
			at.weightSquares += float64(v * v)
		}
	}
	for i := range of {
		at := &of[i]
		c.block.product[i] = -1
		if at.weights > 0 && float64(at.weights*at.weights) >= MinRows*at.weightSquares {
			c.block.product[i] = int32(c.block.width)
			c.support = append(c.support, float64(at.weights*at.weights)/at.weightSquares)
			c.block.width++
			c.score += float64(at.along*at.along)/at.squares/noise - 1
		}
	}
	c.score /= math.Sqrt(2 * float64(max(c.block.width, 1)))
	return c
}

// advance subtracts what the newest blocks of a basis explain from the products, and leaves
// the entries of the products in scratch. With w products, e entries a row and r new
// features it costs n·e² + w·r²/2 + w²·r.
func (c *candidate) advance(b *basis, scratch *entryTable) {
	w := c.block.width
	scratch.fill(c.block, len(b.residual))
	if c.moments == nil {
		c.moments, c.whole = make([]float64, w*w), make([]float64, w)
		gram(c.moments, c.block, *scratch)
		for j := range w {
			c.whole[j] = c.moments[j*w+j]
		}
	}
	before := len(c.w) / max(w, 1)
	c.w = append(c.w, make([]float64, b.rank()*w-len(c.w))...)
	b.times(c.w, *scratch, c.blocks)
	for i := before; i < b.rank(); i++ {
		row, l := c.w[i*w:][:w], b.l[i]
		kernel.Gemm(w, 1, i, -1, c.w, 1, w, l, 1, 1, row, 1)
		for j := range row {
			row[j] /= l[i]
		}
	}
	fresh := c.w[before*w:]
	kernel.Gemm(w, w, b.rank()-before, -1, fresh, 1, w, fresh, w, 1, c.moments, w)
	c.blocks = len(b.blocks)
}

// solution is the test of a residual on purified products.
type solution struct {
	test
	l    [][]float64 // LLᵀ are the moments of the products that are no aliases
	free []int       // these products
}

// solve tests the products in scratch against the residual of the basis, after advance.
// O(width³/3 + n).
func (c *candidate) solve(b *basis, scratch *entryTable) solution {
	w := c.block.width
	g := make([]float64, w)
	scratch.times(g, b.residual)
	l, free := factor(w, aliasOfOthers, func(i, j int) float64 { return c.moments[i*w+j] }, func(j int) float64 { return c.whole[j] })
	x := make([]float64, len(l))
	for i, k := range free {
		x[i] = g[k]
	}
	forward(l, x)
	s := solution{test: test{df: len(l), noiseDF: int(b.rows) - b.rank() - len(l)}, l: l, free: free}
	s.sum = kernel.Dot(x, x)
	if s.df > 0 && s.noiseDF > 0 {
		rest := kernel.Dot(b.residual, b.residual)
		s.noise = max(rest-s.sum, leastNoise*b.rows) / float64(s.noiseDF)
		s.f = s.sum / float64(s.df) / s.noise
		s.logP = logTail(s.f, float64(s.df), float64(s.noiseDF))
	}
	return s
}
