package solve

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// factorSteps are steps P ← P + F with PPᵀ = L̃. FM takes them if steps in the tangent space
// fail. They keep every eigenvalue positive; steps in the tangent space make some negative,
// which are then cut off.
type factorSteps struct {
	iterationsLeft int
	nextIterations int // of the next time: 5 at first, then 10, 20 and so on
	damping        float64
}

const fewestFactorSteps = 5

// countFactorStep counts an iteration, and returns to the tangent space after the last.
func (g *GaussNewton) countFactorStep() {
	if !g.tangent.factorMode {
		return
	}
	if g.factors.iterationsLeft == 0 {
		g.tangent.factorMode = false
		g.lastGradient, g.accuracy = 0, mostAccuracy
		return
	}
	g.factors.iterationsLeft--
}

// startFactors starts factor steps. From s = 0 they start at the spectral values, scaled so
// that the loss is lowest. It reports whether there is a point to start from.
func (g *GaussNewton) startFactors() bool {
	p := g.point
	largest := 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	if largest == 0 {
		if len(g.spectral) != p.m {
			return false
		}
		copy(p.s, g.spectral)
		r := g.trial.r
		copy(r, p.r)
		g.tangent.evaluate(p)
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
	g.tangent.evaluate(p)
	g.beginFactors()
	return true
}

func (g *GaussNewton) beginFactors() {
	g.tangent.factorMode = true
	g.factors.iterationsLeft, g.factors.nextIterations = g.factors.nextIterations-1, 2*g.factors.nextIterations
	g.lastGradient, g.accuracy, g.growth = 0, mostAccuracy, 2
}

// undoFactors sets s to its value before factor steps that failed, and ends them. It does
// nothing if before is nil.
func (g *GaussNewton) undoFactors(before []float64) {
	if before == nil {
		return
	}
	copy(g.point.s, before)
	if g.tangent.factorMode {
		g.tangent.factorMode = false
		g.factors.nextIterations = max(g.factors.nextIterations/2, fewestFactorSteps)
	}
	g.tangent.evaluate(g.point)
}

// lineSearch returns the factor for s of p, from first on, that lowers the loss most, and
// the fall of the loss. Both are 0 if no factor lowers it. r is the residual without these
// columns. p's is with them, and becomes the difference. O(n).
func (g *GaussNewton) lineSearch(r []float64, p *point, first int) (by, fall float64) {
	kernel.Axpy(-1, r, p.r)
	n, total := float64(g.space.n), 0.0
	added := p.s[first:p.m]
	for _, s := range added {
		total += math.Abs(s)
	}
	slope := -kernel.Dot(r, p.r) / n
	bend := kernel.Dot(p.r, p.r) / n
	if !(slope > 0) || !(math.Sqrt(bend) > 1e-10*total) { // columns that never meet, for example
		return 0, 0
	}
	bend += float64(2 * g.tangent.lambda * kernel.Dot(added, added))
	return slope / bend, slope * slope / bend / 2
}

// grow adds eigenvalues to an FM whose fit has ended with fewer than k. Their eigenvectors
// are those of the largest positive eigenvalues of
//
//	−½R⁻ᵀ(Xᵀdiag(r)X/n − diag)R⁻¹
//
// orthogonal to V, which is minus half the gradient. Its trace between the roots is 0. So
// an eigenvalue is positive unless all are 0. grow reports whether the loss fell by more
// than 1e-5 of it. Factor steps follow.
// O(n·d²/2 + 9·d³), and a pass.
func (g *GaussNewton) grow() bool {
	if g.model.Kind != fm.FM || g.truncation.capacity == 0 {
		return false
	}
	s, from, to := g.space, g.point, g.trial
	kept := g.significantColumns(to)
	room := g.truncation.capacity - kept
	if room == 0 {
		return false
	}
	h := g.halfGradient(from.r, true)
	g.projectOut(h, to.v, kept)
	found := &point{v: make([]float64, s.q*room), s: make([]float64, room)}
	g.truncation.truncateTo(found, h, signCounts{positive: room}, room, 0)
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
	g.tangent.evaluate(to)
	by, fall := g.lineSearch(from.r, to, kept)
	if !(fall > littleFall*from.loss) {
		g.tangent.point = from
		return false
	}
	for f := range to.s[kept:m] {
		to.s[kept+f] *= by
	}
	g.tangent.evaluate(to)
	if !(to.loss < from.loss) {
		g.tangent.point = from
		return false
	}
	g.point, g.trial = to, from
	g.beginFactors()
	g.smallSteps, g.rejections, g.lastGain = 0, 0, 1
	return true
}

// significantColumns sets V and s of to to the columns of the point whose eigenvalues are
// not negligible, and returns their number.
func (g *GaussNewton) significantColumns(to *point) int {
	p, largest := g.point, 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	var columns []int
	for f, s := range p.s[:p.m] {
		if s > leastEigenvalue*largest {
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

// projectOut sets H to (1 − VVᵀ)H(1 − VVᵀ) for a V of q×m.
func (g *GaussNewton) projectOut(h, v []float64, m int) {
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
