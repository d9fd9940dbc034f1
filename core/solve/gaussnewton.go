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
// n·d² + 100·d³ multiply-adds. It keeps a copy of the rows and n·(4k+4) numbers.
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

	// d×(m+1) each: the gradient, and of conjugate gradients the solution, the
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
	g.signed = newSigned(s.d, limit)
	most := g.signed.most
	g.t = newTangent(s, most, p.Penalty.L2/float64(n))
	g.at, g.try = newPoint(s, most), newPoint(s, most)
	for _, v := range []*[]float64{&g.g, &g.x, &g.residual, &g.z, &g.before, &g.along, &g.image} {
		*v = make([]float64, s.d*(most+1))
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
	sigma, work := s.gram(nil)
	s.whiten(sigma)
	along := make([]float64, s.d)
	s.z.Each(data.BlockRows, func(lo, hi int, b data.Block) { b.Adjoint(along, s.y[lo:hi], 1) })
	kernel.Gemm(s.d, 1, s.d, 1/float64(s.n), s.roots, 1, s.d, along, 1, 1, p.omega, 1)
	g.t.evaluate(p)
	g.t.work = 0 // two products of one column, not of all
	g.work = (work + float64(2*s.n*s.d)) / g.onePass()
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
	d := s.d
	h, work := s.gram(p.r)
	g.work += work / g.onePass()
	a, scaled := make([]float64, d*d), make([]float64, d*d)
	kernel.Gemm(d, d, d, -.5, s.roots, 1, d, h, d, 1, a, d)
	clear(h)
	kernel.Gemm(d, d, d, 1, a, d, 1, s.roots, d, 1, h, d)
	symmetrize(h, d, .5)
	copy(a, h)
	times := 7
	if !s.diagonal {
		times = 0
	}
	hidden, root := make([]float64, d), s.roots[d*d:]
	for range times {
		g.signed.truncate(p, a, 0)
		clear(p.vx)
		kernel.Gemm(d, p.m, d, 1, s.roots, d, 1, p.v, p.m, 1, p.vx, p.m)
		for j := range hidden {
			hidden[j] = 0
			for f, v := range p.vx[j*p.m:][:p.m] {
				hidden[j] += float64(p.s[f] * v * v)
			}
		}
		kernel.RowScale(scaled, hidden, root, d)
		copy(a, h)
		kernel.Gemm(d, d, d, 1, root, 1, d, scaled, d, 1, a, d)
		symmetrize(a, d, .5)
	}
	g.signed.truncate(p, a, 0)
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
		return &DivergedError{Iteration: g.iteration, Loss: g.last.Loss, Start: g.last.Loss}
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
	g.failed = g.report()
	if g.last.Stop == "" {
		g.last.Stop = stop
	}
	if g.failed != nil {
		g.last = Progress{Iteration: g.iteration, Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.failed
}

// Rank returns how many positive and negative eigenvalues the interactions have.
func (g *GaussNewton) Rank() (positive, negative int) {
	if g.at == nil {
		return 0, 0
	}
	for _, s := range g.at.s[:g.at.m] {
		if s > 0 {
			positive++
		} else if s < 0 {
			negative++
		}
	}
	return positive, negative
}

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
		return "the gradient is 0"
	}
	for rejected := range mostRejected {
		if rejected > 0 && g.model.Kind == fm.FM && !t.factors && g.at.m > 0 {
			g.toFactors()
			g.gradient()
		}
		g.setDamping()
		predicted := g.solve()
		if !(predicted > noFall*g.at.loss) && !(rejected == 0 && g.model.Kind == fm.FM && !t.factors) {
			break
		}
		g.candidate()
		fall := g.at.loss - g.try.loss
		if gain := fall / predicted; fall > 0 && gain > 1e-4 {
			relative := fall / g.at.loss
			g.at, g.try = g.try, g.at
			g.accept(gain)
			if g.small++; !(relative < 1e-5) {
				g.small = 0
			}
			if g.small >= 3 {
				return "the training loss no longer falls"
			}
			return ""
		}
		g.t.point = g.at
		g.reject()
	}
	return "no step lowers the training loss"
}

// gradient sets g, and the accuracy that the solution of this iteration needs, from
// how far the gradient has fallen and how well the last step was predicted. It
// returns the size of the gradient.
func (g *GaussNewton) gradient() float64 {
	g.t.point = g.at
	size := g.at.size(g.space.d)
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
func (p *point) size(d int) int { return d * (p.m + 1) }

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
	size := g.at.size(g.space.d)
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
	t, d := g.t, g.space.d
	k := g.at.m + 1
	for j := range d {
		g.try.omega[j] = g.at.omega[j] + g.x[j*k]
	}
	switch {
	case g.at.m == 0:
		g.try.m = 0
	case t.factors:
		g.signed.retractFactors(g.try, g.at, g.x[1:], k)
	default:
		t.change(g.x[1:], k)
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
// they start at the spectral values, times what lowers the loss most.
func (g *GaussNewton) toFactors() {
	t, p := g.t, g.at
	t.factors = true
	g.factors.left, g.factors.next = g.factors.next, 2*g.factors.next
	g.lastGradient, g.accuracy, g.growth = 0, mostAccuracy, 2
	largest := 0.0
	for _, s := range p.s[:p.m] {
		largest = max(largest, s)
	}
	if largest == 0 && len(g.spectral) == p.m {
		r := append([]float64(nil), p.r...)
		copy(p.s, g.spectral)
		t.evaluate(p)
		kernel.Axpy(-1, r, p.r) // what the spectral values add
		along, size := kernel.Dot(r, p.r), kernel.Dot(p.r, p.r)
		by := 1e-6
		if -along > by*size {
			by = -along / size
		}
		for i := range p.s[:p.m] {
			p.s[i] *= by
			largest = max(largest, p.s[i])
		}
	}
	for i, s := range p.s[:p.m] {
		p.s[i] = max(s, 1e-6*largest)
	}
	t.evaluate(p)
}
