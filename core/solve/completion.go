package solve

import (
	"math"

	"ifmlab/core/kernel"
)

// completion finds, for a matrix of too many eigenvalues, one of the model's rank that
// predicts about the same. The two may differ by a diagonal. With T truncated, it repeats
//
//	A = H + Eᵀ·diag(δ)·E    T = trunc(A)    δ ← own diagonal of T less that of H
//
// until δ converges. H = F·diag(s)·Fᵀ is L̃ and E is Rᵀ, or H is L and E is 1. Where it
// ends depends on where it starts, so each escape starts from another diagonal of L.
//
// A is neither written out nor decomposed. T comes from the range of W, which has a few
// more columns than T and takes one step of subspace iteration each time. One round costs
// O(2·d²·(m+spareRows)), and there are 15 to 100.
type completion struct {
	first              []float64 // d: the first δ
	d, block           int
	basis, image       []float64 // block×d: W, its rows orthonormal, and W·A
	across, along      []float64 // block×m: W·F, block×d: W·Eᵀ
	unwhitened         []float64 // d×m: the factor of T before whitening
	ownDiagonal, delta []float64 // d: the diagonal of L of H, and δ
	rest               []float64 // d
	upper, small       []float64 // block×block
	coefficients       []float64 // block×m
	truncated          point     // T, without fields that depend on rows
}

const (
	spareRows         = 4    // rows of W more than H has eigenvalues
	mostCompletions   = 100  // of one escape
	diagonalTolerance = 1e-6 // of the squared change of δ, relative to the squared diagonal of T
)

func newCompletion(s *space, narrow, wide int) completion {
	d, block := s.d, min(wide+spareRows, s.d)
	numbers := func(n int) []float64 { return make([]float64, n) }
	return completion{
		d: d, block: block, basis: numbers(block * d), image: numbers(block * d), across: numbers(block * wide), along: numbers(block * d),
		first: numbers(d), unwhitened: numbers(d * narrow), ownDiagonal: numbers(d), delta: numbers(d), rest: numbers(d), upper: numbers(block * block), small: numbers(block * block),
		coefficients: numbers(block * narrow), truncated: point{v: numbers(d * narrow), s: numbers(narrow)},
	}
}

// diagonalShares are the shares of L's diagonal that the first completions of a fit leave
// out at their start. None suits all problems.
var diagonalShares = [...]float64{1, 1.5, .5, 2, 0}

// setDiagonals sets ownDiagonal to the diagonal of the L of p, and the first δ of completion
// number attempt. After the shares it starts from other diagonals,
//
//	L_jj = .7·ρ_j·z_j        ρ_j² = Σ_{l≠j} L_jl²
//
// with z_j from −1 to 1 evenly spread, as multiples of the golden ratio are modulo 1. ρ_j
// bounds the diagonal of most matrices of low rank. O(d·m²).
func (c *completion) setDiagonals(p *point, attempt int) {
	m := p.m
	v := p.vx[:c.d*m]
	clear(c.small[:m*m])
	kernel.Gemm(m, m, c.d, 1, v, 1, m, v, m, 1, c.small, m)
	for j := range c.d {
		row, squares := v[j*m:][:m], 0.0 // of row j of L
		for f, u := range row {
			for g, w := range row {
				squares += float64(float64(p.s[f]*u) * float64(float64(p.s[g]*w)*c.small[f*m+g]))
			}
		}
		own := diagonalOf(row, p.s)
		c.ownDiagonal[j] = own
		if attempt < len(diagonalShares) {
			c.first[j] = -diagonalShares[attempt] * own
			continue
		}
		_, part := math.Modf(float64(j+1) * math.Phi * float64(attempt))
		c.first[j] = float64(.7*math.Sqrt(max(0, squares-float64(own*own)))*(float64(2*part)-1)) - own
	}
}

// diagonalOf returns Σ_g s_g·v_g².
func diagonalOf(v, s []float64) float64 {
	sum := 0.0
	for g, u := range v {
		sum += float64(float64(s[g]*u) * u)
	}
	return sum
}

// complete sets V and s of to to T for H = F·diag(s)·Fᵀ, with F of d×len(s). E and its
// transposed inverse are d×d, nil for 1.
func (c *completion) complete(to *point, b *truncation, f, s, e, inverse []float64) {
	d, m := c.d, len(s)
	c.start(f, m, e)
	for range 4 { // to the range of A
		orthonormalizeRows(c.basis, c.upper, c.block, d)
		c.multiply(f, s, e)
		c.basis, c.image = c.image, c.basis
	}
	for range mostCompletions {
		orthonormalizeRows(c.basis, c.upper, c.block, d)
		c.multiply(f, s, e)
		clear(c.small)
		kernel.Gemm(c.block, c.block, d, 1, c.image, d, 1, c.basis, 1, d, c.small, c.block)
		symmetrize(c.small, c.block, .5)
		b.truncateInto(to, c.basis, c.coefficients, c.small, c.block)
		if c.updateDiagonal(to, inverse) {
			break
		}
		c.basis, c.image = c.image, c.basis
	}
}

// start sets δ. It sets W to F and the columns with the largest diagonals.
func (c *completion) start(f []float64, m int, e []float64) {
	d := c.d
	copy(c.delta, c.first)
	for i := range min(m, c.block) {
		for j := range d {
			c.basis[i*d+j] = f[j*m+i]
		}
	}
	copy(c.rest, c.ownDiagonal)
	for i := m; i < c.block; i++ {
		at := 0
		for j, v := range c.rest {
			if math.Abs(v) > math.Abs(c.rest[at]) {
				at = j
			}
		}
		c.rest[at] = 0
		row := c.basis[i*d:][:d]
		if e != nil {
			copy(row, e[at*d:])
			continue
		}
		clear(row)
		row[at] = 1
	}
}

// multiply sets image to W·A.
func (c *completion) multiply(f, s, e []float64) {
	d, m, block := c.d, len(s), c.block
	across := c.across[:block*m]
	clear(across)
	kernel.Gemm(block, m, d, 1, c.basis, d, 1, f, m, 1, across, m)
	for i := range across {
		across[i] *= s[i%m]
	}
	clear(c.image)
	kernel.Gemm(block, d, m, 1, across, m, 1, f, 1, m, c.image, d)
	along := c.basis
	if e != nil {
		along = c.along
		clear(along)
		kernel.Gemm(block, d, d, 1, c.basis, d, 1, e, 1, d, along, d)
	}
	for i := range block {
		for j, v := range c.delta {
			v *= along[i*d+j]
			if e != nil {
				along[i*d+j] = v
				continue
			}
			c.image[i*d+j] += v
		}
	}
	if e != nil {
		kernel.Gemm(block, d, d, 1, along, d, 1, e, d, 1, c.image, d)
	}
}

// updateDiagonal sets δ from T and reports whether it has converged.
func (c *completion) updateDiagonal(t *point, inverse []float64) bool {
	d, m := c.d, t.m
	v := t.v[:d*m]
	if inverse != nil {
		v = c.unwhitened[:d*m]
		clear(v)
		kernel.Gemm(d, m, d, 1, inverse, d, 1, t.v, m, 1, v, m)
	}
	moved, size := 0.0, 0.0
	for j := range d {
		hidden := diagonalOf(v[j*m:][:m], t.s)
		by := hidden - c.ownDiagonal[j] - c.delta[j]
		moved += float64(by * by)
		size += float64(hidden * hidden)
		c.delta[j] = hidden - c.ownDiagonal[j]
	}
	return !(moved > diagonalTolerance*size)
}
