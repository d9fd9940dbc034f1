package pair

import "ifmlab/core/kernel"

// robustTest tests a pair for noise whose size differs between rows: that of counts and
// prices grows with them. T = P − HC are the purified products, Q an orthonormal basis of
// their columns, and e the residual beside them. The covariance of Qᵀr is estimated from
// the rows,
//
//	B = Qᵀ·diag(e²)·Q·n/noiseDF
//
// and ‖Qᵀr‖²/tr B is about F distributed with (tr B)²/tr B² and noiseDF degrees of freedom
// (Box, "Some theorems on quadratic forms applied in the study of analysis of variance
// problems I", 1954). If the noise has one size, B is near σ̂² times the identity, and this
// is the F test.
type robustTest struct {
	c        *candidate
	basis    *basis
	solution solution
	products *entryTable // of c, until logP
	through  []float64   // C, rank×width
	d        []float64   // n: e²·n/noiseDF
	moments  []float64   // Hᵀ·diag(d)·H, rank×rank
	own      entryTable
}

// robustTest begins the test. scratch holds the products until the end.
// O(rank²·width/2 + n·entries).
func (c *candidate) robustTest(b *basis, scratch *entryTable) *robustTest {
	c.advance(b, scratch)
	t := &robustTest{c: c, basis: b, solution: c.solve(b, scratch), products: scratch}
	if t.solution.df == 0 || t.solution.noiseDF <= 0 {
		return t
	}
	w, r := c.block.width, b.rank()
	t.through, t.moments = make([]float64, r*w), make([]float64, r*r)
	column := make([]float64, r)
	for j := range w {
		for i := range r {
			column[i] = c.w[i*w+j]
		}
		backward(b.l, column)
		for i, v := range column {
			t.through[i*w+j] = v
		}
	}
	t.d = t.rest()
	for i, e := range t.d {
		t.d[i] = float64(e*e) * b.rows / float64(t.solution.noiseDF)
	}
	return t
}

// rest returns the residual beside the products.
func (t *robustTest) rest() []float64 {
	b, w := t.basis, len(t.solution.weights)
	own := make([]float64, b.rank())
	kernel.Gemm(b.rank(), 1, w, 1, t.through, w, 1, t.solution.weights, 1, 1, own, 1)
	rest := append([]float64(nil), b.residual...)
	var e entries
	for i, n := range t.products.count {
		for k := range n {
			at := 4*i + int(k)
			rest[i] -= float64(t.products.value[at] * t.solution.weights[t.products.index[at]])
		}
		for k, block := range b.blocks {
			for j := range block.row(i, &e) {
				if at := b.at[k][e.index[j]]; at >= 0 {
					rest[i] += float64(e.value[j] * own[at])
				}
			}
		}
	}
	return rest
}

// block adds the moments of block k with itself and later blocks. O(n·entries²).
func (t *robustTest) block(k int) {
	if t.d == nil {
		return
	}
	b, r := t.basis, t.basis.rank()
	block := b.blocks[k]
	t.own.fill(block, len(t.d))
	sums := make([]float64, r*block.width)
	t.own.scale(t.d)
	b.times(sums, t.own, k)
	for f, at := range b.at[k] {
		if at < 0 {
			continue
		}
		for i := int(at); i < r; i++ {
			t.moments[i*r+int(at)] = sums[i*block.width+f]
			t.moments[int(at)*r+i] = sums[i*block.width+f]
		}
	}
}

// logP returns the logarithm of the p value, after all blocks:
//
//	TᵀDT = PᵀDP − (HᵀDP)ᵀC + Cᵀ(HᵀDH·C − HᵀDP)    D = diag(d)
//
// O(n·entries + rank²·width + width²·rank + width³).
func (t *robustTest) logP() float64 {
	if t.d == nil {
		return 0
	}
	w, r := t.c.block.width, t.basis.rank()
	a, cross := make([]float64, w*w), make([]float64, r*w)
	t.products.scale(t.d)
	gram(a, t.c.block, *t.products)
	t.basis.times(cross, *t.products, 0)
	kernel.Gemm(w, w, r, -1, cross, 1, w, t.through, w, 1, a, w)
	for i, v := range cross {
		cross[i] = -v
	}
	kernel.Gemm(r, w, r, 1, t.moments, r, 1, t.through, w, 1, cross, w)
	kernel.Gemm(w, w, r, 1, t.through, 1, w, cross, w, 1, a, w)

	df, l := t.solution.df, t.solution.l
	rows := make([][]float64, df)
	for i, k := range t.solution.free {
		rows[i] = make([]float64, df)
		for j, q := range t.solution.free {
			rows[i][j] = a[k*w+q]
		}
		forward(l, rows[i])
	}
	trace, whole := 0.0, 0.0
	column := make([]float64, df)
	for j := range df {
		for i, row := range rows {
			column[i] = row[j]
		}
		forward(l, column)
		trace += column[j]
		whole += kernel.Dot(column, column)
	}
	if !(trace > 0) {
		return t.solution.logP
	}
	return logTail(t.solution.sum/trace, trace*trace/whole, float64(t.solution.noiseDF))
}

// scale multiplies each row i by d[i].
func (w *entryTable) scale(d []float64) {
	for i := range w.value {
		w.value[i] *= d[i/4]
	}
}
