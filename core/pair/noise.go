package pair

import (
	"ifmlab/core/kernel"
)

// uneven tests a pair once more, for noise that is not of one size: that of counts
// and prices grows with them. scratch holds the pair's products P, after advance, and
// found is what they explain. With T = P − HC purified, Q its columns made
// orthonormal, and e what remains of the targets, the covariance of Qᵀr is estimated
// from the rows themselves,
//
//	B = Qᵀ·diag(e²)·Q·n/left
//
// and ‖Qᵀr‖²/tr B is about F distributed with (tr B)²/tr B² degrees of freedom and
// left (Box, "Some theorems on quadratic forms applied in the study of analysis of
// variance problems I", 1954). Where the noise is of one size, B is near σ̂² times the
// identity, and this is the F test. It returns the logarithm of the p value.
// With r features, w products and e entries a row it costs n·(e+4)² + r²·w + w²·r +
// w³.
func (c *candidate) uneven(b *basis, scratch *written, found solution) float64 {
	if found.df == 0 || found.left <= 0 {
		return 0
	}
	w, r := c.block.width, b.rank()
	through := make([]float64, r*w) // C
	column := make([]float64, r)
	for j := range w {
		for i := range r {
			column[i] = c.w[i*w+j]
		}
		backward(b.l, column)
		for i, v := range column {
			through[i*w+j] = v
		}
	}
	d := b.rest(through, scratch, found.weights)
	for i, e := range d {
		d[i] = float64(e*e) * float64(len(d)) / float64(found.left)
	}

	// TᵀDT = PᵀDP − (HᵀDP)ᵀC + Cᵀ(HᵀDH·C − HᵀDP)
	a, cross, weighted := make([]float64, w*w), make([]float64, r*w), scratch.scaled(d)
	gram(a, c.block, weighted)
	b.times(cross, weighted, 0)
	kernel.Gemm(w, w, r, -1, cross, 1, w, through, w, 1, a, w)
	for i, v := range cross {
		cross[i] = -v
	}
	kernel.Gemm(r, w, r, 1, b.moments(d), r, 1, through, w, 1, cross, w)
	kernel.Gemm(w, w, r, 1, through, 1, w, cross, w, 1, a, w)

	df := found.df
	rows := make([][]float64, df)
	for i, k := range found.kept {
		rows[i] = make([]float64, df)
		for j, q := range found.kept {
			rows[i][j] = a[k*w+q]
		}
		forward(found.l, rows[i])
	}
	trace, whole := 0.0, 0.0
	for j := range df {
		of := make([]float64, df)
		for i, row := range rows {
			of[i] = row[j]
		}
		forward(found.l, of)
		trace += of[j]
		whole += kernel.Dot(of, of)
	}
	if !(trace > 0) {
		return found.logP
	}
	return logTail(found.sum/trace, trace*trace/whole, float64(found.left))
}

// rest returns what is left of the residual beside products of these weights, which
// the basis explains through C.
func (b *basis) rest(through []float64, products *written, weights []float64) []float64 {
	w := len(weights)
	own := make([]float64, b.rank())
	kernel.Gemm(b.rank(), 1, w, 1, through, w, 1, weights, 1, 1, own, 1)
	rest := append([]float64(nil), b.residual...)
	var e entries
	for i, n := range products.count {
		for k := range n {
			at := 4*i + int(k)
			rest[i] -= float64(products.value[at] * weights[products.index[at]])
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

// moments returns Hᵀ·diag(d)·H, rank×rank.
func (b *basis) moments(d []float64) []float64 {
	r := b.rank()
	all := make([]float64, r*r)
	var own written
	for k, block := range b.blocks {
		own.write(block, len(d))
		sums := make([]float64, r*block.width)
		b.times(sums, own.scaled(d), 0)
		for f, at := range b.at[k] {
			if at < 0 {
				continue
			}
			for i := range r {
				all[i*r+int(at)] = sums[i*block.width+f]
			}
		}
	}
	return all
}

// scaled returns the block with each row i times d[i].
func (w *written) scaled(d []float64) written {
	s := *w
	s.value = append([]float64(nil), w.value...)
	for i := range s.value {
		s.value[i] *= d[i/4]
	}
	return s
}
