package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// GaussNewton fits dense data by Gauss–Newton steps on symmetric matrices of at
// most k positive and k negative eigenvalues (FM: k positive). It works in
// coordinates of its own: columns and targets centred and scaled, and the
// columns made uncorrelated by the root R of their correlations, Σ = RᵀR. There
// the interactions are L̃ = RLRᵀ, L those of the scaled columns before a diagonal
// is removed, and it minimises
//
//	½‖f − y‖² + λ‖L̃‖²
//
// with λ = Penalty.L2 and L̃ in the unit of the targets. This is not AGD's penalty:
// w goes free, and interactions pay for what they do to the predictions of
// Gaussian rows, whatever the units of the columns.
//
// A step solves the least squares of all matrices L̃ + V·Cᵀ + C·Vᵀ, which are the
// tangent space at L̃ = V·diag(s)·Vᵀ, by conjugate gradients, and keeps the
// largest eigenvalues of the result. A direction that the data does not need
// costs nothing, because V stays orthonormal as its eigenvalue goes to 0. There
// is nothing to choose but the rank, and nothing is drawn at random.
//
// Each iteration is two to sixty passes over the rows, and the start costs
// n·d² + 100·d³ multiply-adds. It keeps a copy of the rows and n·(4k+5) numbers.
//
// The zero value is ready; a GaussNewton fits one model at a time.
type GaussNewton struct {
	// Prune makes the rank an upper bound: where the fit comes to its end,
	// eigenvalues that could as well be the noise of the targets are dropped, and
	// the fit goes on without them. The step that drops them may raise the loss.
	// The threshold was found on Gaussian columns, and it can drop a direction of
	// the truth that is hardly above the noise.
	Prune bool

	model  *fm.Model
	space  *space
	t      *tangent
	signed *signed
	at     *point // where the fit stands
	try    *point // the candidate

	// q×(m+1) each: the gradient, and of conjugate gradients the solution, the
	// residual, that preconditioned, the same before, the direction and its image.
	g, x, residual, z, before, along, image []float64

	damping, growth float64 // μ and ν
	accuracy        float64 // η
	lastGradient    float64 // 0 for none
	lastGain        float64
	small           int // accepted steps in a row that changed little

	spectral []float64 // of FM: the spectral values of s, for factor steps from 0
	factors  factorSteps

	iteration int
	work      float64 // passes of the start, and of products of one column
	last      Progress
	failed    error
}

// factorSteps are FM's when steps in the tangent space fail.
type factorSteps struct {
	left    int // outer iterations
	next    int // how many the next time
	damping float64
}

const (
	mostAccuracy = .1
	mostProducts = 60    // of conjugate gradients
	mostRejected = 25    // candidates of a step
	exact        = 1e-14 // residual, in standard deviations of the target, that is rounding
	noFall       = 1e-13 // a fall of the loss, relative to it, that is rounding
)

// NewGaussNewton returns a solver that is ready to start.
func NewGaussNewton() *GaussNewton { return new(GaussNewton) }

// Start sets m to the linear fit, which is iteration 0, and chooses the directions
// of the first step. B, W and the factors of m are not used, nor is rng: the fit
// is the same every time.
//
// It returns a [*ShapeError] when rows, targets and model do not fit together, an
// [*UnsupportedError] for a loss that is not squared, rows that change, more than
// 1000 columns, or a sparse design of more than 42 million elements, and a
// [*DivergedError] when the rows, the targets or the loss are not finite.
func (g *GaussNewton) Start(p Problem, m *fm.Model, _ *rand.Rand) (Progress, error) {
	*g = GaussNewton{Prune: g.Prune}
	g.failed = g.begin(p, m)
	if g.failed != nil {
		g.last = Progress{Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.failed
}

func (g *GaussNewton) begin(p Problem, m *fm.Model) error {
	const name = "Gauss-Newton"
	if p.Loss != Squared {
		return &UnsupportedError{Solver: name, What: "this loss", Instead: "use the squared one"}
	}
	if !p.Source.Fixed() {
		return &UnsupportedError{Solver: name, What: "rows that change from one iteration to the next", Instead: "give it all rows at once"}
	}
	batch, err := p.Source.Next()
	if err != nil {
		return err
	}
	n, d := batch.Z.Dims()
	switch {
	case n < 1:
		return &ShapeError{What: "rows", Found: n, Want: 1}
	case len(batch.Y) != n:
		return &ShapeError{What: "targets", Found: len(batch.Y), Want: n}
	case m.D != d:
		return &ShapeError{What: "columns of the model", Found: m.D, Want: d}
	}
	g.model = m
	if g.space, err = standardize(batch, m.Kind != fm.GFM); err != nil {
		return err
	}
	s := g.space
	if s.unit == 0 || s.d == 0 {
		s.write(m, nil)
		g.last = Progress{Loss: float64(n) * s.unit * s.unit / 2, RMSE: s.unit, Stop: "no column varies"}
		if s.unit == 0 {
			g.last.Stop = "the targets are constant"
		}
		return nil
	}
	limit := signs{m.Rank, m.Rank}
	if m.Kind == fm.FM {
		limit.negative = 0
	}
	sigma, work := s.gram(nil)
	s.whiten(sigma)
	g.work = work / g.onePass()
	g.signed = newSigned(s.q, limit)
	most := g.signed.most
	g.t = newTangent(s, most, p.Penalty.L2/float64(n))
	g.at, g.try = newPoint(s, most), newPoint(s, most)
	for _, v := range []*[]float64{&g.g, &g.x, &g.residual, &g.z, &g.before, &g.along, &g.image} {
		*v = make([]float64, s.q*(most+1))
	}
	g.growth, g.accuracy, g.lastGain = 2, mostAccuracy, 1
	g.factors = factorSteps{next: 5, damping: 1e-2}
	g.linear()
	if most > 0 {
		g.search()
	}
	return g.report()
}

// onePass returns the multiply-adds of a pass: two products of all rows with the
// columns of [w|U|V] and with one column of squares.
func (g *GaussNewton) onePass() float64 {
	columns := 2*g.model.Rank + 2
	if g.model.Kind == fm.FM {
		columns = g.model.Rank + 2
	}
	return 2 * float64(g.space.n) * float64(g.space.d) * float64(columns)
}

// linear sets the point to the linear fit, ω = R⁻ᵀXᵀy/n.
func (g *GaussNewton) linear() {
	s, p := g.space, g.at
	along := make([]float64, s.d)
	s.z.Each(data.BlockRows, func(lo, hi int, b data.Block) { b.Adjoint(along, s.y[lo:hi], 1) })
	clear(p.omega)
	kernel.Gemm(s.q, 1, s.d, 1/float64(s.n), s.roots, 1, s.q, along, 1, 1, p.omega, 1)
	done := g.t.work
	g.t.evaluate(p)
	g.t.work = done // two products of one column, not of all
	g.work += 2 * float64(s.n) * float64(s.d) / g.onePass()
}

// search sets V to the directions along which L̃ would first move from 0: those of
// the truncated solution of H = L̃ less what the diagonal of L hides,
//
//	H = −½R⁻ᵀ(Xᵀdiag(r)X/n)R⁻¹    L̃ ← H + R·diag(R⁻¹·trunc(L̃)·R⁻ᵀ)·Rᵀ
//
// seven times, and leaves s at 0. (From the values themselves, as tried on
// correlated columns, steps led into bad minima.) O(n·d²/2 + 100·d³).
func (g *GaussNewton) search() {
	s, p := g.space, g.at
	d, q := s.d, s.q
	gram, work := s.gram(p.r)
	g.work += work / g.onePass()
	half, h := make([]float64, q*d), make([]float64, q*q)
	kernel.Gemm(q, d, d, -.5, s.roots, 1, q, gram, d, 1, half, d)
	kernel.Gemm(q, q, d, 1, half, d, 1, s.roots, q, 1, h, q)
	symmetrize(h, q, .5)
	times := 7
	if !s.diagonal {
		times = 0
	}
	a, hidden, root, scaled := append([]float64(nil), h...), make([]float64, d), s.roots[d*q:], make([]float64, d*q)
	for range times {
		g.signed.truncate(p, a)
		clear(p.vx)
		kernel.Gemm(d, p.m, q, 1, s.roots, q, 1, p.v, p.m, 1, p.vx, p.m)
		for j := range hidden {
			hidden[j] = 0
			for f, v := range p.vx[j*p.m:][:p.m] {
				hidden[j] += float64(p.s[f] * v * v)
			}
		}
		kernel.RowScale(scaled, hidden, root, q)
		copy(a, h)
		kernel.Gemm(q, q, d, 1, root, 1, q, scaled, q, 1, a, q)
		symmetrize(a, q, .5)
	}
	g.signed.truncate(p, a)
	if g.model.Kind == fm.FM {
		g.spectral = append([]float64(nil), p.s[:p.m]...)
	}
	clear(p.s)
	g.t.evaluate(p)
}

// report sets last to where the fit stands and the model to it.
func (g *GaussNewton) report() error {
	s, p := g.space, g.at
	size := float64(s.n) * s.unit * s.unit
	g.last = Progress{
		Iteration: g.iteration,
		Loss:      size * p.loss,
		RMSE:      s.unit * math.Sqrt(2*p.misfit),
		Passes:    g.work + g.t.work/2,
	}
	if finite := s.write(g.model, p); !finite || g.last.Loss-g.last.Loss != 0 {
		return &DivergedError{Iteration: g.iteration, Began: g.iteration, Loss: g.last.Loss, Start: g.last.Loss}
	}
	if p.misfit <= exact*exact/2 {
		g.last.Stop = "what is left of the training targets is rounding"
	}
	return nil
}

// Step does one iteration, the candidates that it rejects included. It returns a
// [*DivergedError] when a coefficient is not finite in the units of the columns.
// Where it finds nothing better, it says so in Stop and the model stays.
func (g *GaussNewton) Step() (Progress, error) {
	if g.failed != nil || g.last.Stop != "" {
		return g.last, g.failed
	}
	g.iteration++
	stop := g.iterate()
	if stop != "" && g.Prune && g.prune() {
		stop = ""
	}
	g.failed = g.report()
	if g.last.Stop == "" {
		g.last.Stop = stop
	}
	if g.failed != nil {
		g.last = Progress{Iteration: g.iteration, Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.failed
}

// Rank returns how many positive and negative eigenvalues L̃ has, those of less than
// 1e-8 of the largest not counted: a fit goes to 0 where the truth has none, but
// only to rounding. There may be more than the truth needs: a number on the
// diagonal, which is removed, takes an eigenvalue where one is to spare.
func (g *GaussNewton) Rank() (positive, negative int) {
	if g.at == nil {
		return 0, 0
	}
	largest := 0.0
	for _, s := range g.at.s[:g.at.m] {
		largest = max(largest, math.Abs(s))
	}
	for _, s := range g.at.s[:g.at.m] {
		switch {
		case s > 1e-8*largest:
			positive++
		case s < -1e-8*largest:
			negative++
		}
	}
	return positive, negative
}

// The reasons to stop.
const (
	stopGradient = "the gradient is 0"
	stopLoss     = "the training loss no longer falls"
	stopRejected = "no step lowers the training loss"
)

// iterate moves the point and returns why there is nothing more to do, "" if
// there is.
func (g *GaussNewton) iterate() (stop string) {
	t := g.t
	if t.factors && g.factors.left <= 0 {
		t.factors = false
		g.lastGradient, g.accuracy = 0, mostAccuracy
	}
	g.factors.left--
	if g.gradient() == 0 {
		return stopGradient
	}
	start, stop := g.at.loss, stopRejected
	var before []float64 // s, where factor steps have begun
	for rejected := range mostRejected {
		tangent := g.model.Kind == fm.FM && !t.factors && g.at.m > 0
		if rejected > 0 && tangent {
			before = append(before, g.at.s[:g.at.m]...)
			if !g.toFactors() {
				break
			}
			g.gradient()
		}
		g.setDamping()
		predicted := g.solve()
		if !(predicted > noFall*start) {
			if stop = stopLoss; rejected == 0 && tangent {
				g.reject()
				continue
			}
			break
		}
		g.candidate()
		fall := g.at.loss - g.try.loss
		if gain := fall / predicted; g.try.loss < start && gain > 1e-4 {
			g.at, g.try = g.try, g.at
			g.accept(gain)
			if g.small++; !(start-g.at.loss < 1e-5*start) {
				g.small = 0
			}
			if g.small >= 3 {
				return stopLoss
			}
			return ""
		}
		t.point = g.at
		g.reject()
	}
	if before != nil { // nothing came of them
		copy(g.at.s, before)
		t.factors = false
		t.evaluate(g.at)
	}
	return stop
}

// gradient sets g, and the accuracy that the solution of this iteration needs, from
// how far the gradient has fallen and how well the last step was predicted. It
// returns the size of the gradient.
func (g *GaussNewton) gradient() float64 {
	g.t.point = g.at
	size := g.at.size(g.space.q)
	g.t.gradient(g.g)
	length := math.Sqrt(kernel.Dot(g.g[:size], g.g[:size]))
	if g.lastGradient > 0 {
		ratio := length / g.lastGradient
		g.accuracy = min(mostAccuracy, max(ratio*ratio, .5*math.Abs(1-g.lastGain), 1e-8))
	}
	g.lastGradient = length
	return length
}

// size returns the length of a change: ω and E, or F.
func (p *point) size(q int) int { return q * (p.m + 1) }

// setDamping sets μ of the tangent problem.
func (g *GaussNewton) setDamping() {
	g.t.damping = g.damping
	if g.t.factors {
		largest := 0.0
		for _, s := range g.at.s[:g.at.m] {
			largest = max(largest, s)
		}
		g.t.damping = 4 * g.factors.damping * largest
	}
}

// solve sets x to about −(JᵀJ/n + …)⁻¹g by preconditioned conjugate gradients, until
// resᵀz ≤ η²·res₀ᵀz₀ or for 60 products, and returns by how much that lowers the
// loss to second order. The preconditioner is itself iterative, so that what it
// does varies: the next direction is that of flexible conjugate gradients.
func (g *GaussNewton) solve() (predicted float64) {
	t := g.t
	size := g.at.size(g.space.q)
	grad, x, res := g.g[:size], g.x[:size], g.residual[:size]
	z, before, along, image := g.z[:size], g.before[:size], g.along[:size], g.image[:size]
	clear(x)
	for i, v := range grad {
		res[i] = -v
	}
	t.precondition(z, res)
	copy(along, z)
	product := kernel.Dot(res, z)
	first := product
	for range mostProducts {
		t.normal(image, along)
		curvature := kernel.Dot(along, image)
		if !(curvature > 0) || !(product > 0) {
			break
		}
		alpha := product / curvature
		kernel.Axpy(alpha, along, x)
		kernel.Axpy(-alpha, image, res)
		copy(before, z)
		t.precondition(z, res)
		last := product
		product = kernel.Dot(res, z)
		if product <= g.accuracy*g.accuracy*first {
			break
		}
		beta := (product - kernel.Dot(res, before)) / last
		for i, v := range z {
			along[i] = v + float64(beta*along[i])
		}
	}
	// (H + damping)x = −g − res, H with the penalty and without the damping.
	damped, k := 0.0, t.m+1
	for i, v := range x {
		if i%k > 0 {
			damped += float64(v * v)
		}
	}
	xg := kernel.Dot(x, grad)
	return -xg + (xg+kernel.Dot(x, res)+float64(t.damping*damped))/2
}

// candidate sets try to the point that x leads to.
func (g *GaussNewton) candidate() {
	t, q := g.t, g.space.q
	k := g.at.m + 1
	for j := range q {
		g.try.omega[j] = g.at.omega[j] + g.x[j*k]
	}
	switch {
	case g.at.m == 0:
		g.try.m = 0
	case t.factors:
		g.signed.retractFactors(g.try, g.at, g.x[1:], k)
	default:
		t.turn(t.c, g.at.m, g.x[1:], k)
		g.signed.retract(g.try, g.at, t.c)
	}
	t.evaluate(g.try)
}

// accept sets the damping of the next iteration after a step whose fall of the
// loss was so many times the predicted one.
func (g *GaussNewton) accept(gain float64) {
	miss := float64(2*gain) - 1
	by := min(2, max(.2, 1-float64(miss*miss*miss)))
	if g.t.factors {
		g.factors.damping = max(g.factors.damping*by, 1e-9)
	} else {
		g.damping *= by
		if gain < .25 {
			g.damping = max(g.damping, 1e-3)
		} else if g.damping < 1e-6 {
			g.damping = 0
		}
	}
	g.growth, g.lastGain = 2, gain
}

// reject raises the damping.
func (g *GaussNewton) reject() {
	if g.t.factors {
		g.factors.damping *= g.growth
	} else {
		g.damping = max(g.growth*g.damping, 1e-2)
	}
	g.growth *= 2
}

// toFactors begins factor steps, P ← P + F with PPᵀ = L̃, which keep every
// eigenvalue positive where those of the tangent space would turn negative and
// be cut off: for 5 iterations the first time, then 10, 20 and so on. From s = 0
// they start at the spectral values, times what lowers the loss most. It reports
// whether there is anything to start from.
func (g *GaussNewton) toFactors() bool {
	t, p := g.t, g.at
	largest := 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	if largest == 0 {
		if len(g.spectral) != p.m {
			return false
		}
		r := g.try.r
		copy(r, p.r)
		copy(p.s, g.spectral)
		t.evaluate(p)
		kernel.Axpy(-1, r, p.r) // what the spectral values add
		n, total := float64(g.space.n), 0.0
		for _, s := range g.spectral {
			total += s
		}
		along, size, paid := kernel.Dot(r, p.r)/n, kernel.Dot(p.r, p.r)/n, kernel.Dot(g.spectral, g.spectral)
		if !(along < 0) || !(math.Sqrt(size) > 1e-10*total) { // as where columns never meet
			return false
		}
		for i := range p.s[:p.m] {
			p.s[i] *= -along / (size + float64(2*t.lambda*paid))
			largest = max(largest, p.s[i])
		}
	}
	for i, s := range p.s[:p.m] {
		p.s[i] = max(s, 1e-6*largest)
	}
	t.evaluate(p)
	t.factors = true
	g.factors.left, g.factors.next = g.factors.next, 2*g.factors.next
	g.lastGradient, g.accuracy, g.growth = 0, mostAccuracy, 2
	return true
}

// prune drops the eigenvalues that the noise of the targets could as well have
// made, and reports whether there were any. With q coordinates, m eigenvalues and
// so many degrees of freedom a row,
//
//	share = min(.9, (1 + q + q·m − m(m−1)/2)/n)    noise² = mean r²/(1 − share)
//
// those go that add less than 1.25·noise·√(q/n)/(1 − share) to the predictions of
// Gaussian rows: |s_g|·‖v_g·v_gᵀ − R·diag(Vx_g²)·Rᵀ‖. What is left becomes the limit.
// Where none is, the linear fit is the answer. O(d²·m) and half a pass.
func (g *GaussNewton) prune() bool {
	p, n, q, m := g.at, float64(g.space.n), float64(g.space.q), float64(g.at.m)
	share := min(.9, (1+q+float64(q*m)-m*(m-1)/2)/n)
	threshold := 1.25 * math.Sqrt(2*p.misfit/(1-share)*q/n) / (1 - share)
	var kept []int
	limit := signs{}
	for f, s := range p.s[:p.m] {
		if math.Abs(s)*g.space.visible(p, f) < threshold {
			continue
		}
		kept = append(kept, f)
		if s > 0 {
			limit.positive++
		} else {
			limit.negative++
		}
	}
	if len(kept) == p.m {
		return false
	}
	for j := range g.space.q {
		for to, from := range kept {
			p.v[j*len(kept)+to] = p.v[j*p.m+from] // never beyond what is still to be read
		}
	}
	for to, from := range kept {
		p.s[to] = p.s[from]
	}
	p.m = len(kept)
	g.signed.limit, g.signed.most = limit, p.m
	g.t.factors = false
	g.small, g.damping, g.growth = 0, 0, 2
	g.lastGradient, g.lastGain, g.accuracy = 0, 1, mostAccuracy
	if p.m == 0 {
		g.linear()
	} else {
		g.t.evaluate(p)
	}
	return true
}

// visible returns ‖v·vᵀ − R·diag(Vx²)·Rᵀ‖, the Frobenius norm, for column f of V: the
// standard deviation, but for √2, of what it adds to the predictions of Gaussian
// rows. It is 1 for gFM.
func (s *space) visible(p *point, f int) float64 {
	if !s.diagonal {
		return 1
	}
	squares, norm := make([]float64, s.d), 1.0
	for j := range squares {
		v, rtv := p.vx[j*p.m+f], p.vx[(s.d+j)*p.m+f]
		squares[j] = v * v
		norm -= float64(2 * squares[j] * rtv * rtv)
	}
	for j, v := range squares {
		norm += float64(v * kernel.Dot(squares, s.squares[j*s.d:][:s.d]))
	}
	return math.Sqrt(max(norm, 0))
}
