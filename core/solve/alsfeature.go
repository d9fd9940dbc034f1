package solve

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/triangular"
)

// featureBlock has the unknowns of one feature: w and its rows of U and V. A row that does
// not move is nil.
type featureBlock struct {
	j    int
	u, v []float64 // k
	size int
}

// updateBlock sets the block of feature j to its minimum, with its rows of u and v unless
// nil.
func (s *ALS) updateBlock(j int, u, v []float64) {
	k, column := s.k, &s.columns[j]
	b := featureBlock{j: j, size: 1}
	if u != nil {
		b.u = u[j*k:][:k]
		b.size += k
	}
	if v != nil {
		b.v = v[j*k:][:k]
		b.size += k
	}
	p, count := b.size, column.Len(s.n)
	gram, right := s.gram[:p*p], s.right[:p]
	clear(gram)
	clear(right)
	for lo := 0; lo < count; lo += chunkRows {
		rows := s.gather(column, lo, min(lo+chunkRows, count))
		x := s.writeColumns(&b, rows)
		bent := x
		if s.loss.hessian != nil {
			bent = s.weighted[:len(x)]
			kernel.RowScale(bent, s.rowWeight[:len(rows)], x, p)
		}
		kernel.Gemm(p, p, len(rows), 1, x, 1, p, bent, p, 1, gram, p)
		kernel.Gemm(p, 1, len(rows), 1, x, 1, p, s.rowGradient, 1, 1, right, 1)
	}
	s.solveBlock(&b, gram, right)
	if s.loss.kind == Logistic {
		s.backtrack(&b, column, right)
	}
	for lo := 0; lo < count; lo += chunkRows {
		hi := min(lo+chunkRows, count)
		rows := s.rowIndex[:hi-lo]
		if count > chunkRows { // else X is there still
			rows = s.gather(column, lo, hi)
			s.writeColumns(&b, rows)
		}
		s.applyChange(&b, rows)
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

// backtrack shortens the change of a block until it lowers the objective. It updates the
// loss of the rows. right is Xᵀ times their downward slopes.
func (s *ALS) backtrack(b *featureBlock, column *design.Column, right []float64) {
	p, count := b.size, column.Len(s.n)
	by := s.lineSquare[:count]
	clear(by)
	for lo := 0; lo < count; lo += chunkRows {
		hi := min(lo+chunkRows, count)
		if count > chunkRows { // else X is there still
			s.writeColumns(b, s.gather(column, lo, hi))
		}
		kernel.Gemm(hi-lo, 1, p, 1, s.x, p, 1, s.change, 1, 1, by[lo:hi], 1)
	}
	var linear, square float64 // of the penalty
	for e, v := range s.change[:p] {
		lambda, now := s.penaltyOf(b, e)
		linear += float64(float64(lambda*now) * v)
		square += float64(float64(lambda*v) * v)
	}
	along := linear - kernel.Dot(right, s.change[:p])
	t := s.loss.backtrack(s.residual, column.Rows, by, along, linear, square)
	if t == 0 { // even of a change that is not finite
		clear(s.change[:p])
	}
	for e := range s.change[:p] {
		s.change[e] *= t
	}
}

// gather returns rows lo to hi of a column. It sets their values, gradients and weights.
func (s *ALS) gather(column *design.Column, lo, hi int) []int32 {
	rows := s.rowIndex[:hi-lo]
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
	case s.loss.gradient != nil:
		for i, row := range rows {
			s.rowGradient[i], s.rowWeight[i] = s.loss.gradient[row], s.loss.hessian[row]
		}
	case s.loss.hessian != nil:
		for i, row := range rows {
			s.rowWeight[i] = s.loss.hessian[row]
			s.rowGradient[i] = s.rowWeight[i] * s.residual[row]
		}
	default:
		for i, row := range rows {
			s.rowGradient[i] = s.residual[row]
		}
	}
	return rows
}

// writeColumns returns X for some rows.
func (s *ALS) writeColumns(b *featureBlock, rows []int32) []float64 {
	p, first := b.size, 0 // of the columns of products that go with the unknown factors
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
		from := s.products[int(row)*s.width+first:][:len(to)]
		for f, shift := range theta[:len(to)] {
			to[f] = float64(times*z) * (from[f] - float64(z*shift))
		}
	}
	return x
}

// solveBlock sets the change of a block to (XᵀX + Λ)⁻¹(Xᵀr − Λθ).
func (s *ALS) solveBlock(b *featureBlock, gram, right []float64) {
	p, change := b.size, s.change[:b.size]
	for e := range p {
		lambda, now := s.penaltyOf(b, e)
		change[e] = right[e] - float64(lambda*now)
		gram[e*p+e] += lambda + float64(damping*gram[e*p+e])
	}
	// A pivot is a difference of sums: below 1e-14 of the diagonal it is rounding.
	triangular.Cholesky(gram, p, 1e-14)
	triangular.Forward(gram, change)
	triangular.Backward(gram, change)
}

// penaltyOf returns the penalty on unknown e of a block, and its value now.
func (s *ALS) penaltyOf(b *featureBlock, e int) (lambda, now float64) {
	switch {
	case e == 0:
		return s.Weights, s.model.W[b.j]
	case b.u != nil && e <= s.k:
		return s.lambda, b.u[e-1]
	}
	return s.lambda, b.v[e-(b.size-s.k)]
}

// applyChange updates residual and products for the change of a block in some rows.
func (s *ALS) applyChange(b *featureBlock, rows []int32) {
	p, first := b.size, 0
	by := s.rowGradient[:len(rows)]
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
		s.residual[row] -= by[i]
		z := s.values[i]
		to := s.products[int(row)*s.width+first:][:len(moved)]
		for f, v := range moved {
			to[f] += float64(z * v)
		}
	}
}
