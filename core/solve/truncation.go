package solve

import (
	"math"
	"slices"

	"ifmlab/core/eigen"
	"ifmlab/core/kernel"
)

// truncation reduces symmetric d×d matrices to a limited number of positive and negative
// eigenvalues, the largest in size.
type truncation struct {
	d        int
	capacity int // columns of V
	limit    signCounts
	eigen    *eigen.Decomposition

	indices      []int
	matrix       []float64 // d×d, or 2m×2m
	basis        []float64 // 2m×d: the columns of [V, C − VVᵀC] as rows, then of its Q
	upper        []float64 // 2m×2m: its R
	middle       []float64 // 2m×2m
	product      []float64 // 2m×2m
	coefficients []float64 // 2m×m
}

// newTruncation returns a truncation to the limit. It has room for most eigenvalues.
func newTruncation(d, most int, limit signCounts) *truncation {
	size := max(d, 2*most)
	return &truncation{
		d: d, capacity: limit.within(d), limit: limit, eigen: eigen.New(size), matrix: make([]float64, size*size),
		basis: make([]float64, 2*most*d), upper: make([]float64, 4*most*most), middle: make([]float64, 4*most*most),
		product: make([]float64, 4*most*most), coefficients: make([]float64, 2*most*most),
	}
}

// truncate sets V and s of p to the largest eigenvectors and eigenvalues of A, d×d, that the
// limit allows. It overwrites A. O(d³).
func (b *truncation) truncate(p *point, a []float64) { b.truncateTo(p, a, b.limit, b.capacity, 0) }

// truncateTo is truncate with other limits. It leaves out eigenvalues of at most least times
// the largest.
func (b *truncation) truncateTo(p *point, a []float64, limit signCounts, most int, least float64) {
	b.eigen.Of(a, b.d)
	b.indices = largestEigenvalues(b.indices, b.eigen, b.d, limit, most, least)
	p.m = len(b.indices)
	for f, at := range b.indices {
		p.s[f] = b.eigen.Values[at]
		for j, v := range b.eigen.Vectors[at*b.d:][:b.d] {
			p.v[j*p.m+f] = v
		}
	}
}

// retract sets V and s of to to those of the truncated
//
//	V diag(s) Vᵀ + V·Cᵀ + C·Vᵀ
//
// which lies in the range of [V, C − VVᵀC] = QR. So it is Q·R·T·Rᵀ·Qᵀ with
//
//	T = ⎡ diag(s) + VᵀC + CᵀV   1 ⎤
//	    ⎣ 1                     0 ⎦
//
// c is C, d×m; V and s are those of from. O(d·m² + m³), or O(d³) if 2m ≥ d.
func (b *truncation) retract(to, from *point, c []float64) {
	d, m := b.d, from.m
	if 2*m >= d {
		a := b.matrix[:d*d]
		clear(a)
		for i := range d { // V diag(s)/2 + C, times Vᵀ, is half of it
			for f, s := range from.s[:m] {
				b.basis[i*m+f] = c[i*m+f] + float64(s*from.v[i*m+f])/2
			}
		}
		kernel.Gemm(d, d, m, 1, b.basis, m, 1, from.v, 1, m, a, d)
		symmetrize(a, d, 1)
		b.truncate(to, a)
		return
	}
	size := 2 * m
	vc := b.middle[:m*m]
	clear(vc)
	kernel.Gemm(m, m, d, 1, from.v, 1, m, c, m, 1, vc, m)
	for j := range d {
		for f := range m {
			b.basis[f*d+j] = from.v[j*m+f]
			b.basis[(m+f)*d+j] = c[j*m+f]
		}
	}
	kernel.Gemm(m, d, m, -1, vc, 1, m, from.v, 1, m, b.basis[m*d:], d)
	b.finishRetract(to, vc, from.s[:m], size)
}

// finishRetract is the rest of retract. VᵀC is m×m, and basis holds size columns.
func (b *truncation) finishRetract(to *point, vc, s []float64, size int) {
	d, m := b.d, len(s)
	t := b.product[:size*size]
	clear(t)
	for i := range m {
		for j := range m {
			t[i*size+j] = vc[i*m+j] + vc[j*m+i]
		}
		t[i*size+i] += s[i]
		t[i*size+m+i], t[(m+i)*size+i] = 1, 1
	}
	orthonormalizeRows(b.basis, b.upper, size, d)
	rt, a := b.middle[:size*size], b.matrix[:size*size]
	clear(rt)
	clear(a)
	kernel.Gemm(size, size, size, 1, b.upper, size, 1, t, size, 1, rt, size)
	kernel.Gemm(size, size, size, 1, rt, size, 1, b.upper, 1, size, a, size)
	symmetrize(a, size, .5)
	b.truncateInBasis(to, a, size)
}

// truncateInBasis sets V and s of to to the truncated Q·A·Qᵀ, with A of size×size and Qᵀ in
// basis.
func (b *truncation) truncateInBasis(to *point, a []float64, size int) {
	b.truncateInto(to, b.basis, b.coefficients, a, size)
}

// truncateInto is truncateInBasis with another basis, size×d, and size×capacity numbers of
// space. It overwrites A.
func (b *truncation) truncateInto(to *point, basis, picked, a []float64, size int) {
	b.eigen.Of(a, size)
	b.indices = largestEigenvalues(b.indices, b.eigen, size, b.limit, b.capacity, 0)
	to.m = len(b.indices)
	for f, at := range b.indices {
		to.s[f] = b.eigen.Values[at]
		for i, v := range b.eigen.Vectors[at*size:][:size] {
			picked[i*to.m+f] = v
		}
	}
	v := to.v[:b.d*to.m]
	clear(v)
	kernel.Gemm(b.d, to.m, size, 1, basis, 1, b.d, picked, to.m, 1, v, to.m)
}

// transform sets V and s of to to those of (RV)·diag(s)·(RV)ᵀ, with V and s of from, and
// Rᵀ in root, d×d. O(d²·m).
func (b *truncation) transform(to, from *point, root []float64) {
	d, m := b.d, from.m
	clear(b.basis[:m*d])
	kernel.Gemm(m, d, d, 1, from.v, 1, m, root, d, 1, b.basis, d)
	orthonormalizeRows(b.basis, b.upper, m, d)
	scaled, a := b.middle[:m*m], b.matrix[:m*m]
	for i := range scaled {
		scaled[i] = b.upper[i] * from.s[i%m]
	}
	clear(a)
	kernel.Gemm(m, m, m, 1, scaled, m, 1, b.upper, 1, m, a, m)
	symmetrize(a, m, .5)
	b.truncateInBasis(to, a, m)
}

// retractFactors sets V and s of to to those of PPᵀ with P = V·diag(√s) + F. Element (j,g)
// of F is f[j·stride+g]. No s of from is negative. With P = QR it is Q·R·Rᵀ·Qᵀ. O(d·m²).
func (b *truncation) retractFactors(to, from *point, f []float64, stride int) {
	d, m := b.d, from.m
	for h, s := range from.s[:m] {
		root := math.Sqrt(s)
		for j := range d {
			b.basis[h*d+j] = float64(root*from.v[j*m+h]) + f[j*stride+h]
		}
	}
	orthonormalizeRows(b.basis, b.upper, m, d)
	a := b.matrix[:m*m]
	clear(a)
	kernel.Gemm(m, m, m, 1, b.upper, m, 1, b.upper, 1, m, a, m)
	b.truncateInBasis(to, a, m)
}

// symmetrize sets A, n×n, to scale·(A + Aᵀ).
func symmetrize(a []float64, n int, scale float64) {
	for i := range n {
		for j := range i + 1 {
			v := scale * (a[i*n+j] + a[j*n+i])
			a[i*n+j], a[j*n+i] = v, v
		}
	}
}

// orthonormalizeRows replaces the rows of W, size×d, by orthonormal ones. It sets R, upper
// triangular of size×size, so that Wᵀ = QᵀR. A row in the span of earlier ones, to
// rounding, becomes 0, and its row of R too. It is Gram–Schmidt with every projection
// done twice. O(d·size²).
func orthonormalizeRows(w, r []float64, size, d int) {
	clear(r[:size*size])
	for f := range size {
		row := w[f*d:][:d]
		before := math.Sqrt(kernel.Dot(row, row))
		for range 2 {
			for e := range f {
				q := w[e*d:][:d]
				along := kernel.Dot(q, row)
				r[e*size+f] += along
				kernel.Axpy(-along, q, row)
			}
		}
		length := math.Sqrt(kernel.Dot(row, row))
		if !(length > 1e-14*before) {
			clear(row)
			continue
		}
		r[f*size+f] = length
		for j := range row {
			row[j] /= length
		}
	}
}

// largestEigenvalues returns the indices of the largest eigenvalues in size, in that order:
// at most limit of each sign and most in all, and none of at most least times the largest.
func largestEigenvalues(into []int, e *eigen.Decomposition, n int, limit signCounts, most int, least float64) []int {
	into = into[:0]
	largest := 0.0
	for _, v := range e.Values[:n] {
		largest = max(largest, math.Abs(v))
	}
	for len(into) < most {
		best, size := -1, least*largest
		for i, v := range e.Values[:n] {
			if math.Abs(v) > size && (v > 0 && limit.positive > 0 || v < 0 && limit.negative > 0) && !slices.Contains(into, i) {
				best, size = i, math.Abs(v)
			}
		}
		if best < 0 {
			break
		}
		into = append(into, best)
		if e.Values[best] > 0 {
			limit.positive--
		} else {
			limit.negative--
		}
	}
	return into
}

// signCounts counts eigenvalues by sign.
type signCounts struct{ positive, negative int }

// within returns how many of them a d×d matrix can have.
func (s signCounts) within(d int) int { return min(s.positive+s.negative, d) }

// take counts an eigenvalue off and reports whether there was room for it.
func (s *signCounts) take(v float64) bool {
	switch {
	case v > 0 && s.positive > 0:
		s.positive--
	case v < 0 && s.negative > 0:
		s.negative--
	default:
		return false
	}
	return true
}
