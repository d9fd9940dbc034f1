package solve

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// linearStep lets AGD move w without a pass over Z of its own, where the loss is
// squared, rows count the same and Z is dense with at most gramColumns columns:
//
//	‖Zg‖² = gᵀ(ZᵀZ)g    Zᵀ(r − ηp) = Zᵀr − ηZᵀp
//
// The first gives the length of the step before Zg is known, so that r takes the step
// block by block as the next pass comes by. The second gives the next gradient: Zᵀr
// and Zᵀp are gathered by the last two passes of an iteration, while their blocks are
// in the cache. Memory is what limits those passes.
type linearStep struct {
	gram   []float64 // d×d: ZᵀZ; nil where w takes two passes of its own
	trace  float64   // of it
	ones   []float64 // d: Zᵀ1
	zr     []float64 // d: Zᵀr
	zp, zs []float64 // d: Zᵀp and Zᵀs
	gram1  []float64 // d: (ZᵀZ)g
	behind float64   // r still has to take so much of −Zg; 0 when it is current
	last   bool      // the passes are those of the last factor of an iteration, which gather
}

const (
	// gramColumns is the most columns of which ZᵀZ is formed: it costs as much as
	// three iterations of iFM of rank 8 then.
	gramColumns = 256
	// flat is the size of gᵀ(ZᵀZ)g beside tr(ZᵀZ)·‖g‖² below which rounding may be
	// more than a millionth of it. Such a step takes its passes.
	flat = 1e-8
)

// begin forms ZᵀZ, Zᵀ1 and Zᵀr where they serve. O(n·d²).
func (l *linearStep) begin(a *AGD) {
	z, dense := a.z.(*design.Dense)
	n, d := a.z.Dims()
	if !dense || d > gramColumns || a.rows.bends != nil {
		return
	}
	l.gram, l.ones, l.zr = make([]float64, d*d), make([]float64, d), make([]float64, d)
	l.zp, l.gram1 = make([]float64, d), make([]float64, d)
	if a.s != nil {
		l.zs = make([]float64, d)
	}
	ones := make([]float64, min(n, design.BlockRows))
	for i := range ones {
		ones[i] = 1
	}
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		const stripe = 64 // columns at a time, so that half of the products are left out
		m, rows := hi-lo, z.Rows(lo, hi)
		for j := 0; j < d; j += stripe {
			kernel.Gemm(d-j, min(stripe, d-j), m, 1, rows[j:], 1, d, rows[j:], d, 1, l.gram[j*d+j:], d)
		}
		b.Adjoint(l.ones, ones[:m], 1)
		b.Adjoint(l.zr, a.r[lo:hi], 1)
	})
	for i := range d {
		l.trace += l.gram[i*d+i]
		for j := range i {
			l.gram[j*d+i] = l.gram[i*d+j]
		}
	}
}

// shift takes a shift of all residuals by −mean into Zᵀr.
func (l *linearStep) shift(mean float64) {
	if l.gram != nil {
		kernel.Axpy(-mean, l.ones, l.zr)
	}
}

// curvature returns ‖Zg‖², or false where it takes a pass to know that.
func (l *linearStep) curvature(g []float64) (float64, bool) {
	if l.gram == nil {
		return 0, false
	}
	d := len(g)
	clear(l.gram1)
	kernel.Gemm(d, 1, d, 1, l.gram, d, 1, g, 1, 1, l.gram1, 1)
	c := kernel.Dot(g, l.gram1)
	return c, c > flat*l.trace*kernel.Dot(g, g)
}

// catchUp brings the residuals of a block of rows up to the last step of w, along −g.
func (l *linearStep) catchUp(b design.Block, g, r, part []float64) {
	if l.behind != 0 {
		b.Forward(part, g, 1)
		kernel.Axpy(-l.behind, part, r)
	}
}

// begins says whether the passes that follow are those of the last factor.
func (l *linearStep) begins(last bool) {
	l.last = last && l.gram != nil
	if l.last {
		clear(l.zr)
		clear(l.zp)
		clear(l.zs)
	}
}
