package solve

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// point is a model in the coordinates of a space:
//
//	L̃ = V diag(s) Vᵀ,  L = R⁻¹L̃R⁻ᵀ
//	f = β + XR⁻¹ω + Σ_g s_g·a_g² − X²·Σ_g s_g·Vx_g²        a = X·Vx,  Vx = R⁻¹V
//
// without the last term for gFM. V is q×m with orthonormal columns.
type point struct {
	m     int
	v     []float64 // q×m
	s     []float64 // m
	omega []float64 // q
	beta  float64

	vx     []float64 // 2d×m: Vx above ΣVx
	a      []float64 // n×(m+1): ½ and the row of a
	r      []float64 // n: f − y, of mean 0
	misfit float64   // ½·mean r²
	loss   float64   // misfit + λ‖L̃‖²
}

func newPoint(s *space, most int) *point {
	return &point{
		v: make([]float64, s.q*most), s: make([]float64, most), omega: make([]float64, s.q),
		vx: make([]float64, 2*s.d*most), a: make([]float64, s.n*(most+1)), r: make([]float64, s.n),
	}
}

// tangent is the least-squares problem at a point. A change of the model is x = [ω|E],
// q×(m+1), with VᵀE symmetric; factor steps have F in place of E. It changes L̃ by
// V·Cᵀ + C·Vᵀ with
//
//	C = K(E) = ½E + (1/√8 − ½)·V·VᵀE        or C_g = √s_g·F_g
//
// and the prediction, to first order, by Jx. K makes JᵀJ/n about 1 on Gaussian rows. J
// subtracts the mean of Jx, because the bias makes up for it.
type tangent struct {
	*space
	*point
	lambda     float64 // of the penalty λ‖L̃‖², for ½·mean r²
	damping    float64 // μ
	factorMode bool    // E is F

	directions     []float64 // d×(m+1): R⁻¹[ω|C]
	products       []float64 // of rows×(m+1)
	part           []float64 // of rows
	change         []float64 // n: Jx
	adjointSum     []float64 // d×(m+1): Xᵀ[ρ|2ρ∘a], then the gradient of [ω|C]
	adjointSquares []float64 // d: (X²)ᵀρ
	weights        []float64 // d: those of the columns of X²
	c              []float64 // q×m: C
	g              []float64 // q×m: the argument of K
	inner          []float64 // m×m
	images         []float64 // 2d×m
	rows           []float64 // 2d

	residual, step, image []float64 // q×m: of the preconditioner's iterations

	forwardBlock, adjointBlock, normalBlock, evaluateBlock func(lo, hi int, b design.Block)

	modelRank int     // columns of V at the model's rank
	work      float64 // products with all rows: halves of a pass
}

const (
	root8 = 1 / (2 * math.Sqrt2) // 1/√8

	// leastDamping is the least damping. Without it, the rounding of a gradient, 1e-16 to
	// 1e-12, would be divided by a curvature that is rounding too, if columns never meet
	// or are collinear.
	leastDamping = 1e-10
)

func newTangent(s *space, most int, lambda float64) *tangent {
	rows, d, q := min(s.n, design.BlockRows), s.d, s.q
	t := &tangent{
		space: s, lambda: lambda,
		directions: make([]float64, d*(most+1)), products: make([]float64, rows*(most+1)), part: make([]float64, rows),
		change: make([]float64, s.n), adjointSum: make([]float64, d*(most+1)), adjointSquares: make([]float64, d), weights: make([]float64, d),
		c: make([]float64, q*most), g: make([]float64, q*most), inner: make([]float64, most*most),
		images: make([]float64, 2*d*most), rows: make([]float64, 2*d),
		residual: make([]float64, q*most), step: make([]float64, q*most), image: make([]float64, q*most),
	}
	t.forwardBlock, t.adjointBlock, t.evaluateBlock = t.forward, t.adjoint, t.evaluateRows
	t.normalBlock = func(lo, hi int, b design.Block) {
		t.forward(lo, hi, b)
		t.adjoint(lo, hi, b)
	}
	return t
}

// evaluate sets vx, a, r, β and the losses of p from V, s and ω, and makes p the point of
// the tangent space. Half a pass.
func (t *tangent) evaluate(p *point) {
	t.point = p
	d, q, m := t.d, t.q, p.m
	k := m + 1
	clear(p.vx[:2*d*m])
	kernel.Gemm(2*d, m, q, 1, t.inverseRoots, q, 1, p.v, m, 1, p.vx, m)
	b := t.directions[:d*k]
	clear(b)
	kernel.Gemm(d, 1, q, 1, t.linearRoot, q, 1, p.omega, 1, 1, b, k)
	for j := range d {
		row, weight := p.vx[j*m:][:m], 0.0
		copy(b[j*k+1:], row)
		for g, v := range row {
			weight += float64(float64(p.s[g]*v) * v)
		}
		t.weights[j] = weight
	}
	t.z.Each(design.BlockRows, t.evaluateBlock)
	p.beta = -kernel.Sum(p.r) / float64(t.n)
	for i := range p.r {
		p.r[i] += p.beta
	}
	p.misfit = kernel.Dot(p.r, p.r) / float64(2*t.n)
	p.loss = p.misfit + float64(t.lambda*kernel.Dot(p.s[:m], p.s[:m]))
	t.count(1)
}

func (t *tangent) evaluateRows(lo, hi int, b design.Block) {
	p, part := t.point, t.part[:hi-lo]
	k := p.m + 1
	if t.diagonal {
		b.SquaresForward(part, t.weights)
	} else {
		clear(part)
	}
	a := p.a[lo*k : hi*k]
	b.Forward(a, t.directions, k)
	s := p.s[:p.m]
	for i, less := range part {
		row := a[i*k:][:k]
		f := row[0] - less - t.y[lo+i]
		row[0] = .5
		for g, v := range row[1:] {
			f += float64(float64(s[g]*v) * v)
		}
		p.r[lo+i] = f
	}
}

// setDirection sets C, R⁻¹[ω|C] and the weights of X² from x, for forward.
func (t *tangent) setDirection(x []float64) {
	d, q, m := t.d, t.q, t.m
	k := m + 1
	t.scaleChange(t.c, m, x[1:], k)
	b := t.directions[:d*k]
	clear(b)
	kernel.Gemm(d, 1, q, 1, t.linearRoot, q, 1, x, k, 1, b, k)
	kernel.Gemm(d, m, q, 1, t.inverseRoots, q, 1, t.c, m, 1, b[1:], k)
	for j := range d {
		row, weight := b[j*k+1:][:m], 0.0
		for g, v := range t.vx[j*m:][:m] {
			weight += float64(v * row[g])
		}
		t.weights[j] = weight
	}
}

// forward sets a block of ρ to Jx, with its mean:
//
//	XR⁻¹ω + 2(rowsum(a ∘ XR⁻¹C) − X²·rowsum(Vx ∘ R⁻¹C))
func (t *tangent) forward(lo, hi int, b design.Block) {
	k := t.m + 1
	part, rho, products := t.part[:hi-lo], t.change[lo:hi], t.products[:(hi-lo)*k]
	if t.diagonal {
		b.SquaresForward(part, t.weights)
	}
	b.Forward(products, t.directions, k)
	kernel.RowDots(rho, t.a[lo*k:hi*k], products, k)
	if t.diagonal {
		kernel.Axpy(-1, part, rho)
	}
	kernel.Axpy(1, rho, rho)
}

// adjoint adds a block of ρ to adjointSum and adjointSquares.
func (t *tangent) adjoint(lo, hi int, b design.Block) {
	k := t.m + 1
	rho, products := t.change[lo:hi], t.products[:(hi-lo)*k]
	if t.diagonal {
		b.SquaresAdjoint(t.adjointSquares, rho)
	}
	kernel.RowScale(products, rho, t.a[lo*k:hi*k], k)
	b.Adjoint(t.adjointSum, products, k) // half of Xᵀ[ρ|2ρ∘a]
}

// collect sets dst to Jᵀρ·scale from adjointSum and adjointSquares, for ρ less its mean:
//
//	[ R⁻ᵀXᵀρ | K(G) ],  G = 2R⁻ᵀ[Xᵀ(ρ∘a) − ((X²)ᵀρ)∘Vx] + penalty
//
// with the penalty's share that the caller left in g.
func (t *tangent) collect(dst []float64, mean, scale float64) {
	d, q, m := t.d, t.q, t.m
	k := m + 1
	// Jᵀ1 needs no pass: Xᵀ1 = 0, Xᵀa = nΣVx, (X²)ᵀ1 = n.
	shift := float64(mean * float64(t.n)) // rounded: no machine may fuse it below
	for j := range d {
		row, own, image := t.adjointSum[j*k:][:k], 0.0, t.vx[(d+j)*m:][:m]
		if t.diagonal {
			own = t.adjointSquares[j] - shift
		}
		row[0] *= 2
		for g, v := range t.vx[j*m:][:m] {
			row[1+g] = 2 * (row[1+g] - float64(own*v) - float64(shift*image[g]))
		}
	}
	dst = dst[:q*k]
	clear(dst)
	kernel.Gemm(q, 1, d, scale, t.linearRoot, 1, q, t.adjointSum, k, 1, dst, k)
	kernel.Gemm(q, m, d, scale, t.inverseRoots, 1, q, t.adjointSum[1:], k, 1, t.g, m)
	t.scaleChange(dst[1:], k, t.g, m)
}

// gradient sets dst to the gradient of the loss at the point: half a pass.
func (t *tangent) gradient(dst []float64) {
	clear(t.adjointSum)
	clear(t.adjointSquares)
	copy(t.change, t.r)
	t.z.Back(design.BlockRows, t.adjointBlock)
	for j := range t.q {
		for g, s := range t.s[:t.m] {
			t.g[j*t.m+g] = 4 * t.lambda * s * t.v[j*t.m+g]
		}
	}
	t.collect(dst, 0, 1/float64(t.n))
	t.count(1)
}

// normal sets dst to (JᵀJ/n + the penalty's Hessian + damping)·x: a pass, in which
// each block of rows is read once.
func (t *tangent) normal(dst, x []float64) {
	t.setDirection(x)
	clear(t.adjointSum)
	clear(t.adjointSquares)
	t.z.Each(design.BlockRows, t.normalBlock)
	t.addPenalty()
	t.collect(dst, kernel.Sum(t.change)/float64(t.n), 1/float64(t.n))
	k := t.m + 1
	for i := range dst[:t.q*k] {
		damping := leastDamping
		if i%k > 0 {
			damping += t.damping
		}
		dst[i] += float64(damping * x[i])
	}
	t.count(2)
}

// count adds products with all rows. They cost more with more columns than the model's.
func (t *tangent) count(products float64) {
	t.work += products * max(1, float64(t.m+2)/float64(t.modelRank+2))
}

// addPenalty sets g to the gradient, with respect to C, of the penalty of the change:
//
//	4λ(C + V·CᵀV)        of λ‖V·Cᵀ + C·Vᵀ‖²
func (t *tangent) addPenalty() {
	q, m := t.q, t.m
	clear(t.g)
	if t.lambda == 0 {
		return
	}
	clear(t.inner)
	kernel.Gemm(m, m, q, 1, t.c, 1, m, t.v, m, 1, t.inner, m)
	kernel.Gemm(q, m, m, 4*t.lambda, t.v, m, 1, t.inner, m, 1, t.g, m)
	kernel.Axpy(4*t.lambda, t.c[:q*m], t.g[:q*m])
}

// scaleChange sets dst to K(E), or to √s_g·F_g. Element (j,g) is at j·stride + g. K maps E
// to C. It is symmetric, so it also maps the gradient with respect to C to that with
// respect to E. That gradient is a symmetric matrix times V. The antisymmetric part of
// VᵀE does not change L̃ and stays 0.
func (t *tangent) scaleChange(dst []float64, dstStride int, e []float64, stride int) {
	q, m := t.q, t.m
	for j := range q {
		for g, s := range t.s[:m] {
			by := .5
			if t.factorMode {
				by = math.Sqrt(s)
			}
			dst[j*dstStride+g] = by * e[j*stride+g]
		}
	}
	if t.factorMode || m == 0 {
		return
	}
	clear(t.inner)
	kernel.Gemm(m, m, q, root8-.5, t.v, 1, m, e, stride, 1, t.inner, m)
	kernel.Gemm(q, m, m, 1, t.v, m, 1, t.inner, m, 1, dst, dstStride)
}

// precondition sets z to about (JᵀJ/n + …)⁻¹·res without a pass over the rows. ω stays. E
// comes from conjugate gradients with the JᵀJ/n of Gaussian rows, which is the identity
// for gFM. They end after 20 iterations or at a residual of .03.
func (t *tangent) precondition(z, res []float64) {
	const most, enough = 20, .03 * .03
	q, m := t.q, t.m
	k, size := m+1, q*m
	copy(z, res[:q*k])
	if m == 0 {
		return
	}
	shift := 1 + t.damping + t.lambda + 1e-3
	if t.factorMode || !t.diagonal {
		for j := range q {
			for g, s := range t.s[:m] {
				by := shift
				if t.factorMode {
					by = float64(4*s*(1+t.lambda)) + t.damping + leastDamping
				}
				z[j*k+1+g] /= by
			}
		}
		return
	}
	r, p, image := t.residual[:size], t.step[:size], t.image[:size]
	for j := range q {
		copy(r[j*m:(j+1)*m], res[j*k+1:])
		clear(z[j*k+1 : (j+1)*k])
	}
	copy(p, r)
	rr := kernel.Dot(r, r)
	first := rr
	for range most {
		if !(rr > enough*first) {
			break
		}
		t.gaussianNormal(image, p, shift)
		alpha := rr / kernel.Dot(p, image)
		for j := range q {
			kernel.Axpy(alpha, p[j*m:(j+1)*m], z[j*k+1:(j+1)*k])
		}
		kernel.Axpy(-alpha, image, r)
		last := rr
		rr = kernel.Dot(r, r)
		for i, v := range r {
			p[i] = v + float64(rr/last*p[i])
		}
	}
}

// gaussianNormal sets dst to N(E), q×m, the JᵀJ/n of Gaussian rows. It is 1 except for the
// removed diagonal. With D = 2·rowsum(Vx ∘ R⁻¹C), t = 2·rowsum(ΣVx ∘ ΣR⁻¹C) and S the
// squares of the elements of Σ,
//
//	N(E) = shift·E + K( R⁻ᵀ[2(2SD − 2t) ∘ Vx] − 4(ΣR⁻¹)ᵀ[D ∘ ΣVx] )
func (t *tangent) gaussianNormal(dst, e []float64, shift float64) {
	d, q, m := t.d, t.q, t.m
	t.scaleChange(t.c, m, e, m)
	both := t.images[:2*d*m]
	clear(both)
	kernel.Gemm(2*d, m, q, 1, t.inverseRoots, q, 1, t.c, m, 1, both, m)
	kernel.RowDots(t.rows, t.vx[:2*d*m], both, m) // D/2 above t/2
	removed, by := t.weights, t.rows[:d]
	clear(removed)
	kernel.Gemm(d, 1, d, 8, t.squares, d, 1, by, 1, 1, removed, 1) // 4SD
	for j := range d {
		removed[j] -= float64(8 * t.rows[d+j])
		t.rows[d+j] = -8 * t.rows[j]
		t.rows[j] = removed[j]
	}
	kernel.RowScale(both, t.rows, t.vx[:2*d*m], m)
	clear(t.g[:q*m])
	kernel.Gemm(q, m, 2*d, 1, t.inverseRoots, 1, q, both, m, 1, t.g, m)
	t.scaleChange(dst, m, t.g, m)
	kernel.Axpy(shift, e, dst)
}
