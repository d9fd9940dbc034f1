package solve

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// linearStep lets AGD move w without a pass over Z of its own. It needs the squared loss,
// rows of equal weight, and a dense Z of at most gramColumns columns:
//
//	‖Zg‖² = gᵀ(ZᵀZ)g    Zᵀ(r − ηp) = Zᵀr − ηZᵀp
//
// The first gives the length of the step before Zg is known, so the next pass applies the
// step to r block by block. The second gives the next gradient. The last two passes of an
// iteration gather Zᵀr and Zᵀp while their blocks are in the cache, because memory limits
// those passes.
type linearStep struct {
	gram         []float64 // d×d: ZᵀZ; nil if w takes two passes of its own
	trace        float64   // of it
	ones         []float64 // d: Zᵀ1
	zr           []float64 // d: Zᵀr
	zp, zs       []float64 // d: Zᵀp and Zᵀs
	gramGradient []float64 // d: (ZᵀZ)g
	pending      float64   // the step along −Zg that r has not taken yet
	last         bool      // in the passes of the last factor of an iteration, which gather
}

const (
	// gramColumns bounds the columns for which ZᵀZ is formed. At that size it costs as
	// much as three iterations of iFM of rank 8.
	gramColumns = 256
	// flatCurvature bounds gᵀ(ZᵀZ)g, relative to tr(ZᵀZ)·‖g‖². Below it, rounding may be
	// more than a millionth of the curvature, and the step takes its passes.
	flatCurvature = 1e-8
)

// begin forms ZᵀZ, Zᵀ1 and Zᵀr if they can be used. O(n·d²).
func (l *linearStep) begin(a *AGD) {
	z, dense := a.z.(*design.Dense)
	n, d := a.z.Dims()
	if !dense || d > gramColumns || a.loss.hessian != nil {
		return
	}
	l.gram, l.ones, l.zr = make([]float64, d*d), make([]float64, d), make([]float64, d)
	l.zp, l.gramGradient = make([]float64, d), make([]float64, d)
	if a.second != nil {
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
		b.Adjoint(l.zr, a.residual[lo:hi], 1)
	})
	for i := range d {
		l.trace += l.gram[i*d+i]
		for j := range i {
			l.gram[j*d+i] = l.gram[i*d+j]
		}
	}
}

// shift updates Zᵀr when all residuals fall by mean.
func (l *linearStep) shift(mean float64) {
	if l.gram != nil {
		kernel.Axpy(-mean, l.ones, l.zr)
	}
}

// curvature returns ‖Zg‖². ok is false if that takes a pass.
func (l *linearStep) curvature(g []float64) (c float64, ok bool) {
	if l.gram == nil {
		return 0, false
	}
	d := len(g)
	clear(l.gramGradient)
	kernel.Gemm(d, 1, d, 1, l.gram, d, 1, g, 1, 1, l.gramGradient, 1)
	c = kernel.Dot(g, l.gramGradient)
	return c, c > flatCurvature*l.trace*kernel.Dot(g, g)
}

// applyPending applies the pending step of w, along −g, to the residuals of a block.
func (l *linearStep) applyPending(b design.Block, g, r, part []float64) {
	if l.pending != 0 {
		b.Forward(part, g, 1)
		kernel.Axpy(-l.pending, part, r)
	}
}

// startPasses says whether the next passes are those of the last factor.
func (l *linearStep) startPasses(last bool) {
	l.last = last && l.gram != nil
	if l.last {
		clear(l.zr)
		clear(l.zp)
		clear(l.zs)
	}
}
