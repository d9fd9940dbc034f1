package solve

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/triangular"
)

// block is what one feature's least squares move: w and its rows of U and V, of
// which one is nil where it stands still.
type block struct {
	j       int
	u, v    []float64 // k
	unknown int
}

// solve sets the block of feature j, its rows of u and v where they are not nil, to
// its minimum.
func (s *ALS) solve(j int, u, v []float64) {
	k, column := s.k, &s.columns[j]
	b := block{j: j, unknown: 1}
	if u != nil {
		b.u = u[j*k:][:k]
		b.unknown += k
	}
	if v != nil {
		b.v = v[j*k:][:k]
		b.unknown += k
	}
	p, count := b.unknown, column.Len(s.n)
	gram, right := s.gram[:p*p], s.right[:p]
	clear(gram)
	clear(right)
	for lo := 0; lo < count; lo += chunk {
		rows := s.gather(column, lo, min(lo+chunk, count))
		x := s.write(&b, rows)
		bent := x
		if s.rows.bends != nil {
			bent = s.bent[:len(x)]
			kernel.RowScale(bent, s.bend[:len(rows)], x, p)
		}
		kernel.Gemm(p, p, len(rows), 1, x, 1, p, bent, p, 1, gram, p)
		kernel.Gemm(p, 1, len(rows), 1, x, 1, p, s.part, 1, 1, right, 1)
	}
	s.step(&b, gram, right)
	if s.rows.loss == Logistic {
		s.shorten(&b, column, right)
	}
	for lo := 0; lo < count; lo += chunk {
		hi := min(lo+chunk, count)
		rows := s.at[:hi-lo]
		if count > chunk { // else X is there still
			rows = s.gather(column, lo, hi)
			s.write(&b, rows)
		}
		s.move(&b, rows)
	}
	s.model.W[j] += s.change[0]
	at := 1
	for _, factors := range [][]float64{b.u, b.v} {
		for f := range factors {
			factors[f] += s.change[at]
			at++
		}
	}
}

// shorten shortens the change of a block until it lowers the objective, and brings
// the losses of the rows up to date; right is Xᵀ times their slopes downwards.
func (s *ALS) shorten(b *block, column *design.Column, right []float64) {
	p, count := b.unknown, column.Len(s.n)
	by := s.along[:count]
	clear(by)
	for lo := 0; lo < count; lo += chunk {
		hi := min(lo+chunk, count)
		if count > chunk { // else X is there still
			s.write(b, s.gather(column, lo, hi))
		}
		kernel.Gemm(hi-lo, 1, p, 1, s.x, p, 1, s.change, 1, 1, by[lo:hi], 1)
	}
	var linear, square float64 // of the penalty
	for e, v := range s.change[:p] {
		lambda, now := s.price(b, e)
		linear += float64(float64(lambda*now) * v)
		square += float64(float64(lambda*v) * v)
	}
	along := linear - kernel.Dot(right, s.change[:p])
	t := s.rows.shorten(s.r, column.Rows, by, along, linear, square)
	if t == 0 { // even of a change that is not finite
		clear(s.change[:p])
	}
	for e := range s.change[:p] {
		s.change[e] *= t
	}
}

// gather lists the rows lo to hi of those of a column, with the column's values, what
// moves their predictions, the residuals, and their weights.
func (s *ALS) gather(column *design.Column, lo, hi int) []int32 {
	rows := s.at[:hi-lo]
	if column.Rows == nil {
		for i := range rows {
			rows[i] = int32(lo + i)
		}
	} else {
		copy(rows, column.Rows[lo:hi])
	}
	if column.Values == nil {
		for i := range rows {
			s.values[i] = 1
		}
	} else {
		copy(s.values, column.Values[lo:hi])
	}
	switch {
	case s.rows.slopes != nil:
		for i, row := range rows {
			s.part[i], s.bend[i] = s.rows.slopes[row], s.rows.bends[row]
		}
	case s.rows.bends != nil:
		for i, row := range rows {
			s.bend[i] = s.rows.bends[row]
			s.part[i] = s.bend[i] * s.r[row]
		}
	default:
		for i, row := range rows {
			s.part[i] = s.r[row]
		}
	}
	return rows
}

// write writes out X for some rows.
func (s *ALS) write(b *block, rows []int32) []float64 {
	p, first := b.unknown, 0 // of the columns of ac that go with the unknown factors
	theta := s.theta[:p-1]
	times := 1.0
	switch {
	case s.model.Kind == fm.FM:
		times = 2
		copy(theta, b.u)
	case s.model.Kind == fm.IFM:
		copy(theta, b.v)
		copy(theta[s.k:], b.u)
	case b.u == nil:
		first = s.k
		fallthrough
	default: // the diagonal is kept
		clear(theta)
	}
	x := s.x[:len(rows)*p]
	for i, row := range rows {
		z, to := s.values[i], x[i*p:][:p]
		to[0] = z
		to = to[1:]
		from := s.ac[int(row)*s.width+first:][:len(to)]
		for f, shift := range theta[:len(to)] {
			to[f] = float64(times*z) * (from[f] - float64(z*shift))
		}
	}
	return x
}

// step solves for the change of a block: (XᵀX + Λ)⁻¹(Xᵀr − Λθ).
func (s *ALS) step(b *block, gram, right []float64) {
	p, change := b.unknown, s.change[:b.unknown]
	for e := range p {
		lambda, now := s.price(b, e)
		change[e] = right[e] - float64(lambda*now)
		gram[e*p+e] += lambda + float64(damping*gram[e*p+e])
	}
	// What is below 1e-14 of the diagonal is rounding of the sums that it is the difference of.
	triangular.Cholesky(gram, p, 1e-14)
	triangular.Forward(gram, change)
	triangular.Backward(gram, change)
}

// price returns the penalty of unknown e of a block and what the unknown is.
func (s *ALS) price(b *block, e int) (lambda, now float64) {
	switch {
	case e == 0:
		return s.Weights, s.model.W[b.j]
	case b.u != nil && e <= s.k:
		return s.lambda, b.u[e-1]
	}
	return s.lambda, b.v[e-(b.unknown-s.k)]
}

// move brings r and ac up to date with the change of a block in some rows.
func (s *ALS) move(b *block, rows []int32) {
	p, first := b.unknown, 0
	by := s.part[:len(rows)]
	clear(by)
	kernel.Gemm(len(rows), 1, p, 1, s.x, p, 1, s.change, 1, 1, by, 1)
	moved := s.theta[:p-1]
	switch k := s.k; {
	case s.model.Kind == fm.IFM:
		copy(moved, s.change[1+k:p])
		copy(moved[k:], s.change[1:1+k])
	case s.model.Kind == fm.GFM && b.v == nil:
		first = k
		fallthrough
	default:
		copy(moved, s.change[1:p])
	}
	for i, row := range rows {
		s.r[row] -= by[i]
		z := s.values[i]
		to := s.ac[int(row)*s.width+first:][:len(moved)]
		for f, v := range moved {
			to[f] += float64(z * v)
		}
	}
}
