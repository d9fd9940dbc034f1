package fm

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Scratch is the working space of [Model.Predict]. Its zero value is ready, and reusing it
// saves allocations. Concurrent calls must not share it.
type Scratch struct{ factors, products, part, diagonal, scores []float64 }

// Predict sets dst to the predictions for the rows of Z:
//
//	dst = b + Zw + rowsum(ZU ∘ ZV) − Z²·rowsum(U ∘ V)
//
// with V = U for FM and without the last term for gFM. Z has D columns and len(dst) rows. Of
// classes dst has the scores of each row next to each other.
// The unit is that of the scaled target; see [Model.Raw] for the reader's units. s may be
// nil.
//
// It costs O(D·Rank) a row for a dense Z, O(nnz·Rank) for a sparse one, and O(D·Rank) a call.
// It takes space for a copy of the factors and a block of rows; neither M nor anything of
// n×D is formed. One product, Z·[w|U|V], reads Z once.
func (m *Model) Predict(dst []float64, z design.Design, s *Scratch) {
	if s == nil {
		s = new(Scratch)
	}
	if classes := len(m.Classes); classes > 0 {
		s.scores = grow(s.scores, len(dst)/classes)
		part := s.scores
		for c, of := range m.Classes {
			of.Predict(part, z, s)
			for i, v := range part {
				dst[i*classes+c] = v
			}
		}
		return
	}
	k, right := m.Rank, m.Rank // where ZV starts in a row of products
	columns := 1 + 2*k
	if m.Kind == FM {
		right, columns = 0, 1+k
	}
	s.factors = grow(s.factors, m.D*columns)
	s.products = grow(s.products, design.BlockRows*columns)
	s.part = grow(s.part, design.BlockRows)
	s.diagonal = grow(s.diagonal, m.D)
	for j := range m.D {
		row := s.factors[j*columns:][:columns]
		row[0] = m.W[j]
		copy(row[1:], m.U[j*k:][:k])
		if right > 0 {
			copy(row[1+right:], m.V[j*k:][:k])
		}
	}
	kernel.RowDots(s.diagonal, m.U, m.Right(), k)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		part := s.part[:hi-lo]
		if m.Kind == GFM {
			clear(part)
		} else {
			b.SquaresForward(part, s.diagonal)
		}
		products := s.products[:(hi-lo)*columns]
		b.Forward(products, s.factors, columns)
		for i := range part {
			row := products[i*columns:][:columns]
			zu, zv := row[1:][:k], row[1+right:][:k]
			var second float64
			for f, v := range zu {
				second += float64(v * zv[f])
			}
			dst[lo+i] = row[0] + second - part[i] + m.B
		}
	})
}

// grow returns a slice of n numbers, x itself if it is long enough.
func grow(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
