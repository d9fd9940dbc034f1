package solve

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// factorSteps are steps P ← P + F with PPᵀ = L̃, which FM takes when those in the
// tangent space fail. They keep every eigenvalue positive where those of the
// tangent space would turn negative and be cut off.
type factorSteps struct {
	left    int // iterations
	next    int // how many the next time: 5 the first, then 10, 20 and so on
	damping float64
}

const fewestFactorSteps = 5

// endFactors counts an iteration, and goes back to the tangent space when enough
// were done.
func (g *GaussNewton) endFactors() {
	if !g.t.factors {
		return
	}
	if g.factors.left == 0 {
		g.t.factors = false
		g.lastGradient, g.accuracy = 0, mostAccuracy
		return
	}
	g.factors.left--
}

// toFactors begins factor steps. From s = 0 they start at the spectral values,
// times what lowers the loss most. It reports whether there is anything to start
// from.
func (g *GaussNewton) toFactors() bool {
	p := g.at
	largest := 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	if largest == 0 {
		if len(g.spectral) != p.m {
			return false
		}
		copy(p.s, g.spectral)
		r := g.try.r
		copy(r, p.r)
		g.t.evaluate(p)
		by, _ := g.lineSearch(r, p, 0)
		if !(by > 0) {
			return false
		}
		for i := range p.s[:p.m] {
			p.s[i] *= by
			largest = max(largest, p.s[i])
		}
	}
	for i, s := range p.s[:p.m] {
		p.s[i] = max(s, 1e-6*largest)
	}
	g.t.evaluate(p)
	g.beginFactors()
	return true
}

func (g *GaussNewton) beginFactors() {
	g.t.factors = true
	g.factors.left, g.factors.next = g.factors.next-1, 2*g.factors.next
	g.lastGradient, g.accuracy, g.growth = 0, mostAccuracy, 2
}

// restore gives s back as it was before factor steps, and ends them, unless before
// is nil: nothing came of them.
func (g *GaussNewton) restore(before []float64) {
	if before == nil {
		return
	}
	copy(g.at.s, before)
	if g.t.factors {
		g.t.factors = false
		g.factors.next = max(g.factors.next/2, fewestFactorSteps)
	}
	g.t.evaluate(g.at)
}

// lineSearch returns by which factor to multiply s of p from first on, so that the
// loss falls most, and by how much it does: both are 0 where it would not. The
// residual is r without these columns and p's with them, which becomes the
// difference. O(n).
func (g *GaussNewton) lineSearch(r []float64, p *point, first int) (by, fall float64) {
	kernel.Axpy(-1, r, p.r)
	n, total := float64(g.space.n), 0.0
	added := p.s[first:p.m]
	for _, s := range added {
		total += math.Abs(s)
	}
	slope := -kernel.Dot(r, p.r) / n
	bend := kernel.Dot(p.r, p.r) / n
	if !(slope > 0) || !(math.Sqrt(bend) > 1e-10*total) { // as where columns never meet
		return 0, 0
	}
	bend += float64(2 * g.t.lambda * kernel.Dot(added, added))
	return slope / bend, slope * slope / bend / 2
}

// grow gives FM the directions that are left to it where the fit has come to its
// end: the eigenvectors of the largest positive eigenvalues of
//
//	−½R⁻ᵀ(Xᵀdiag(r)X/n − diag)R⁻¹
//
// across V, which is minus half the gradient. Its trace between the roots is 0, so
// that an eigenvalue is positive unless all are 0. It reports whether that lowered
// the loss by more than 1e-5 of it; factor steps go on from there.
// O(n·d²/2 + 9·d³), and a pass.
func (g *GaussNewton) grow() bool {
	if g.model.Kind != fm.FM || g.signed.most == 0 {
		return false
	}
	s, from, to := g.space, g.at, g.try
	kept := g.kept(to)
	room := g.signed.most - kept
	if room == 0 {
		return false
	}
	h := g.halfGradient(from.r, true)
	g.across(h, to.v, kept)
	found := &point{v: make([]float64, s.q*room), s: make([]float64, room)}
	g.signed.truncateTo(found, h, signs{positive: room}, room)
	if found.m == 0 {
		return false
	}
	v, m := to.v, kept+found.m
	joined := make([]float64, s.q*m)
	for j := range s.q {
		copy(joined[j*m:], v[j*kept:(j+1)*kept])
		copy(joined[j*m+kept:(j+1)*m], found.v[j*found.m:])
	}
	copy(to.v, joined)
	copy(to.s[kept:], found.s[:found.m])
	copy(to.omega, from.omega)
	to.m = m
	g.t.evaluate(to)
	by, fall := g.lineSearch(from.r, to, kept)
	if !(fall > littleFall*from.loss) {
		g.t.point = from
		return false
	}
	for f := range to.s[kept:m] {
		to.s[kept+f] *= by
	}
	g.t.evaluate(to)
	if !(to.loss < from.loss) {
		g.t.point = from
		return false
	}
	g.at, g.try = to, from
	g.beginFactors()
	g.small, g.rejected, g.lastGain = 0, 0, 1
	return true
}

// kept sets V and s of to to the columns of the point that count, and returns how
// many they are.
func (g *GaussNewton) kept(to *point) int {
	p, largest := g.at, 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	var columns []int
	for f, s := range p.s[:p.m] {
		if s > uncounted*largest {
			columns = append(columns, f)
		}
	}
	m := len(columns)
	for f, column := range columns {
		to.s[f] = p.s[column]
		for j := range g.space.q {
			to.v[j*m+f] = p.v[j*p.m+column]
		}
	}
	return m
}

// across sets H to (1 − VVᵀ)H(1 − VVᵀ), V being q×m.
func (g *GaussNewton) across(h, v []float64, m int) {
	q := g.space.q
	for range 2 { // from the left, then, transposed, from the right
		inner := g.inner[:m*q]
		clear(inner)
		kernel.Gemm(m, q, q, 1, v, 1, m, h, q, 1, inner, q)
		kernel.Gemm(q, q, m, -1, v, m, 1, inner, q, 1, h, q)
		for i := range q {
			for j := range i {
				h[i*q+j], h[j*q+i] = h[j*q+i], h[i*q+j]
			}
		}
	}
	symmetrize(h, q, .5)
}
