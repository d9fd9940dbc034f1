package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// GaussNewton fits dense data by Gauss–Newton steps on symmetric matrices of at
// most k positive and k negative eigenvalues (FM: k positive). It works in
// coordinates of its own: columns and targets centred and scaled, and the
// columns made uncorrelated by the root R of their correlations, Σ = RᵀR, whose
// eigenvalues near 0 are raised where a diagonal is removed. There the
// interactions are L̃ = RLRᵀ, L those of the scaled columns with their diagonal, and
// it minimises
//
//	½‖f − y‖² + λ‖L̃‖²
//
// with λ = Penalty.L2 and L̃ in the unit of the targets. This is not AGD's penalty:
// w goes free, however large λ is, and interactions pay for what they do to the
// predictions of Gaussian rows, whatever the units of the columns.
//
// A step solves the least squares of all matrices L̃ + V·Cᵀ + C·Vᵀ, which are the
// tangent space at L̃ = V·diag(s)·Vᵀ, by conjugate gradients, and keeps the
// largest eigenvalues of the result. A direction that the data does not need
// costs nothing, because V stays orthonormal as its eigenvalue goes to 0. There
// is nothing to choose but the rank, and nothing is drawn at random. FM, whose
// negative eigenvalues are cut off, changes to steps of its factors where that
// raises the loss, and where the fit ends with fewer than k eigenvalues it grows
// along the gradient.
//
// Where the fit ends, or creeps, it tries one more eigenvalue of each sign: a bad
// minimum, as columns that are not Gaussian have, is left that way. Until that leads
// to a better model the one before stays, and Held says so; a fit that ends above
// what those eigenvalues reach says so in Stop. How often that is, by kinds of columns,
// is in core/cmd/bench/README.md.
//
// Each iteration is two to sixty-five passes over the rows, and the start costs
// n·d² + 100·d³ multiply-adds. An escape costs n·d²/2 + 11·d³, up to
// 200·d²·(2k+6) to come back from it, and some passes, of which each is dearer by what
// the added columns are. It keeps a copy of the rows
// and n·(4k+9) numbers.
//
// The zero value is ready; a GaussNewton fits one model at a time.
type GaussNewton struct {
	model  *fm.Model
	space  *space
	t      *tangent
	signed *signed
	at     *point // where the fit stands
	try    *point // the candidate

	// q×(m+1) each: the gradient, and of conjugate gradients the solution, the
	// residual, that preconditioned, the same before, the direction and its image.
	slope, x, residual, z, before, along, image []float64

	damping, growth float64 // μ and ν
	accuracy        float64 // η
	lastGradient    float64 // 0 for none
	lastGain        float64
	small           int  // accepted steps in a row that changed little
	rejected        int  // candidates since the last that was accepted
	held            bool // the iteration ended without one
	products        int  // of conjugate gradients in the iteration

	escape *escape

	gram, half, h []float64 // d×d, q×d, q×q: of halfGradient
	inner         []float64 // most×q: of across

	spectral []float64 // of FM: the spectral values of s, for factor steps from 0
	factors  factorSteps

	positive, negative int // eigenvalues of the model

	iteration int
	work      float64 // passes of the start, and of products of one column
	last      Progress
	failed    error
}

const (
	mostAccuracy = .1

	// leastAccuracy ends the solution before directions that the data hardly tell
	// apart, such as one along a single column, whose square is removed: they take
	// tens of products, and the next iteration is better for less.
	leastAccuracy = 3e-3

	mostProducts = 60    // of conjugate gradients in an iteration; after half of them it tries no further candidate
	mostRejected = 25    // candidates of a step
	exact        = 1e-14 // residual, in standard deviations of the target, that is rounding
	disagreement = 1e-3  // of model and fit, in standard deviations of the target, that is an error
	noFall       = 1e-13 // a fall of the loss, relative to it, that is rounding
	littleFall   = 1e-5  // one that is not worth another step
	uncounted    = 1e-8  // of the largest eigenvalue: one that does not count
	leastGain    = 1e-4  // the fall of a candidate, relative to what was predicted
)

// NewGaussNewton returns a solver that is ready to start.
func NewGaussNewton() *GaussNewton { return new(GaussNewton) }

// Start sets m to the linear fit, which is iteration 0, and chooses the directions
// of the first step. B, W and the factors of m are not used, nor is rng: the fit
// is the same every time.
//
// It returns a [*invalid.ShapeError] when rows, targets and model do not fit together, an
// [*UnsupportedError] for a loss that is not squared, rows that change, more than
// 1000 columns, or a sparse design of more than 42 million elements, a
// [*DivergedError] when the rows, the targets or the loss are not finite, and a
// [*PrecisionError] as Step does.
func (g *GaussNewton) Start(p Problem, m *fm.Model, _ *rand.Rand) (Progress, error) {
	*g = GaussNewton{}
	g.failed = g.begin(p, m)
	if g.failed != nil {
		g.last = Progress{Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.failed
}

func (g *GaussNewton) begin(p Problem, m *fm.Model) error {
	const name = "Gauss-Newton"
	batch, err := plainRows(name, p, m)
	if err != nil {
		return err
	}
	n, _ := batch.Z.Dims()
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
	sigma := make([]float64, s.d*s.d)
	g.work = s.gram(sigma, nil) / g.onePass()
	s.whiten(sigma)
	g.escape = newEscape(s, limit)
	most := g.escape.wideMost
	g.signed = newSigned(s.q, most, limit)
	g.t = newTangent(s, most, p.Penalty.L2/float64(n))
	g.t.usual = g.signed.most
	g.at, g.try = newPoint(s, most), newPoint(s, most)
	g.gram, g.half, g.h, g.inner = sigma, make([]float64, s.q*s.d), make([]float64, s.q*s.q), make([]float64, most*s.q)
	for _, v := range []*[]float64{&g.slope, &g.x, &g.residual, &g.z, &g.before, &g.along, &g.image} {
		*v = make([]float64, s.q*(most+1))
	}
	g.growth, g.accuracy, g.lastGain = 2, mostAccuracy, 1
	g.factors = factorSteps{next: fewestFactorSteps, damping: 1e-2}
	g.linear()
	if g.signed.most > 0 {
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
	s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(along, s.y[lo:hi], 1) })
	clear(p.omega)
	kernel.Gemm(s.q, 1, s.d, 1/float64(s.n), s.linear, 1, s.q, along, 1, 1, p.omega, 1)
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
	h := g.halfGradient(p.r, false)
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

// halfGradient returns −½R⁻ᵀ(Xᵀdiag(r)X/n)R⁻¹, q×q, with the diagonal of the inner
// matrix or without it. The next call overwrites it. O(n·d²/2 + 2·d³).
func (g *GaussNewton) halfGradient(r []float64, hollow bool) []float64 {
	s := g.space
	d, q := s.d, s.q
	g.work += s.gram(g.gram, r) / g.onePass()
	for j := 0; hollow && j < d; j++ {
		g.gram[j*d+j] = 0
	}
	clear(g.half)
	clear(g.h)
	kernel.Gemm(q, d, d, -.5, s.roots, 1, q, g.gram, d, 1, g.half, d)
	kernel.Gemm(q, q, d, 1, g.half, d, 1, s.roots, q, 1, g.h, q)
	symmetrize(g.h, q, .5)
	return g.h
}

// passes returns the work so far.
func (g *GaussNewton) passes() float64 { return g.work + float64(g.t.work/2) }

// report sets last to where the fit stands and the model to it, unless the best
// point is elsewhere.
func (g *GaussNewton) report() error {
	s, p := g.space, g.at
	if g.holds() {
		g.last.Iteration, g.last.Passes, g.last.Held = g.iteration, g.passes(), true
		return nil
	}
	g.count()
	g.escape.reported = p.loss
	size := float64(s.n) * s.unit * s.unit
	g.last = Progress{
		Iteration: g.iteration,
		Loss:      size * p.loss,
		RMSE:      s.unit * math.Sqrt(2*p.misfit),
		Passes:    g.passes(),
		Held:      g.held,
	}
	if finite := s.write(g.model, p); !finite || g.last.Loss-g.last.Loss != 0 {
		return &DivergedError{Iteration: g.iteration, Began: g.iteration, Loss: g.last.Loss, Start: g.last.Loss}
	}
	if off := s.disagreement(g.model, p); !(off <= disagreement) {
		return &PrecisionError{Iteration: g.iteration, Off: off}
	}
	if p.misfit <= exact*exact/2 {
		g.last.Stop = "what is left of the training targets is rounding"
	}
	return nil
}

// Step does one iteration, the candidates that it rejects included. It returns a
// [*DivergedError] when a coefficient is not finite in the units of the columns, and
// a [*PrecisionError] when in these units the model predicts something else. Where
// the candidates of 30 products were all rejected, it leaves the model as it is and
// says so in Held, as while it seeks a better model at a higher rank; where nothing
// better is to be found, in Stop.
func (g *GaussNewton) Step() (Progress, error) {
	if g.failed != nil || g.last.Stop != "" {
		return g.last, g.failed
	}
	g.iteration++
	g.held = false
	stop := g.iterate()
	if stop != "" && !g.escape.under && g.grow() {
		stop = ""
	}
	if g.escape.under {
		stop = g.returned(stop)
	}
	g.failed = g.report()
	if g.last.Stop == "" && g.failed == nil {
		g.last.Stop = g.escapes(stop)
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
	return g.positive, g.negative
}

// count sets what Rank returns.
func (g *GaussNewton) count() {
	g.positive, g.negative = 0, 0
	largest := 0.0
	for _, s := range g.at.s[:g.at.m] {
		largest = max(largest, math.Abs(s))
	}
	for _, s := range g.at.s[:g.at.m] {
		switch {
		case s > uncounted*largest:
			g.positive++
		case s < -uncounted*largest:
			g.negative++
		}
	}
}

// The reasons to stop.
const (
	stopGradient = "the gradient is 0"
	stopLoss     = "the training loss hardly falls"
	stopRejected = "no step lowers the training loss"
	stopAbove    = "the training loss hardly falls; one more eigenvalue of each sign would lower it"
)

// iterate moves the point, or returns why there is nothing more to do. Where it has
// done the work of an iteration without finding a better one, the point and the
// reason stay as they are, held is set, and the next iteration goes on from there.
func (g *GaussNewton) iterate() (stop string) {
	g.endFactors()
	if g.gradient() == 0 {
		return stopGradient
	}
	g.products = 0
	start := g.at.loss
	var before []float64 // s, where factor steps have begun
	for g.rejected < mostRejected && stop == "" {
		tangent := g.model.Kind == fm.FM && !g.t.factors && !g.escape.under && g.at.m > 0
		if g.rejected > 0 && tangent {
			before = append(before, g.at.s[:g.at.m]...)
			if !g.toFactors() {
				stop = stopRejected
				break
			}
			tangent = false
			g.gradient()
		}
		switch g.attempt(start) {
		case better:
			return g.settled(start)
		case hopeless:
			if g.reject(); !tangent {
				stop = stopLoss
			}
		case worse:
			if g.reject(); g.products > mostProducts/2 {
				g.held, g.lastGradient = true, 0
				g.restore(before)
				return ""
			}
		}
	}
	if stop == "" {
		stop = stopRejected
	}
	g.restore(before)
	return stop
}

// An outcome is what became of a candidate.
type outcome int

const (
	better   outcome = iota // it is where the fit stands now
	worse                   // than where the fit stands, or hardly better
	hopeless                // none was worth a try
)

// attempt solves the problem at the point for a candidate and goes there if that
// lowers the loss from start.
func (g *GaussNewton) attempt(start float64) outcome {
	g.setDamping()
	predicted := g.solve()
	if !(predicted > noFall*start) || g.noise(predicted) {
		return hopeless
	}
	g.candidate()
	gain := (g.at.loss - g.try.loss) / predicted
	if !(g.try.loss < start && gain > leastGain) {
		g.t.point = g.at
		return worse
	}
	g.at, g.try = g.try, g.at
	g.accept(gain)
	return better
}

// settled returns why to stop after the last of three steps in a row that hardly
// lowered the loss.
func (g *GaussNewton) settled(start float64) (stop string) {
	if g.small++; !(start-g.at.loss < littleFall*start) {
		g.small = 0
	}
	if g.small >= 3 {
		return stopLoss
	}
	return ""
}

// gradient sets slope, and the accuracy that the solution of this iteration needs,
// from how far the gradient has fallen and how well the last step was predicted. It
// returns the size of the gradient.
func (g *GaussNewton) gradient() float64 {
	g.t.point = g.at
	size := g.at.size(g.space.q)
	g.t.gradient(g.slope)
	length := math.Sqrt(kernel.Dot(g.slope[:size], g.slope[:size]))
	if g.lastGradient > 0 {
		ratio := length / g.lastGradient
		g.accuracy = min(mostAccuracy, max(ratio*ratio, .5*math.Abs(1-g.lastGain), leastAccuracy))
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

// solve sets x to about −(JᵀJ/n + …)⁻¹·slope by preconditioned conjugate gradients, until
// resᵀz ≤ η²·res₀ᵀz₀ or the iteration has had its 60 products, and returns by how
// much that lowers the loss to second order. The preconditioner is itself iterative,
// so that what it does varies: the next direction is that of flexible conjugate
// gradients.
func (g *GaussNewton) solve() (predicted float64) {
	t := g.t
	size := g.at.size(g.space.q)
	grad, x, res := g.slope[:size], g.x[:size], g.residual[:size]
	z, before, along, image := g.z[:size], g.before[:size], g.along[:size], g.image[:size]
	clear(x)
	for i, v := range grad {
		res[i] = -v
	}
	t.precondition(z, res)
	copy(along, z)
	product := kernel.Dot(res, z)
	first := product
	for g.products < mostProducts {
		g.products++
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
	g.growth, g.lastGain, g.rejected = 2, gain, 0
}

// reject raises the damping.
func (g *GaussNewton) reject() {
	if g.t.factors {
		g.factors.damping *= g.growth
	} else {
		g.damping = max(g.growth*g.damping, 1e-2)
	}
	g.growth *= 2
	g.rejected++
}
