package fm

import (
	"ifmlab/core/data"
	"ifmlab/core/kernel"
)

// Scratch is the working space of [Model.Predict]. The zero value is ready;
// reusing one saves allocations. It must not be shared by concurrent calls.
type Scratch struct{ zu, zv, part, diagonal []float64 }

// Predict sets dst to the predictions for the rows of Z:
//
//	dst = b + Zw + rowsum(ZU ∘ ZV) − Z²·rowsum(U ∘ V)
//
// with V = U for FM and without the last term for gFM. Z has D columns and
// len(dst) rows; the unit is that of the target the model was fitted to, which
// is scaled (see [Model.Raw] for the reader's units). s may be nil.
//
// It costs O(D·Rank) a row for a dense Z, O(nnz·Rank) for a sparse one, and
// space for one block of rows; neither M nor anything of n×D is formed.
func (m *Model) Predict(dst []float64, z data.Design, s *Scratch) {
	if s == nil {
		s = new(Scratch)
	}
	k := m.Rank
	s.zu = grow(s.zu, data.BlockRows*k)
	s.zv = grow(s.zv, data.BlockRows*k)
	s.part = grow(s.part, data.BlockRows)
	s.diagonal = grow(s.diagonal, m.D)
	kernel.RowDots(s.diagonal, m.U, m.Right(), k)
	z.Each(data.BlockRows, func(lo, hi int, b data.Block) {
		out, rows := dst[lo:hi], hi-lo
		part, zu, zv := s.part[:rows], s.zu[:rows*k], s.zv[:rows*k]
		b.Forward(out, m.W, 1)
		b.Forward(zu, m.U, k)
		if m.Kind == FM {
			zv = zu
		} else {
			b.Forward(zv, m.V, k)
		}
		kernel.RowDots(part, zu, zv, k)
		kernel.Axpy(1, part, out)
		if m.Kind != GFM {
			b.SquaresForward(part, s.diagonal)
			kernel.Axpy(-1, part, out)
		}
		for i := range out {
			out[i] += m.B
		}
	})
}

// grow returns a slice of n numbers, x itself where it is long enough.
func grow(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
