package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// GaussNewton fits dense data by Gauss–Newton steps on symmetric matrices of at
// most k positive and k negative eigenvalues (FM: k positive). It centres and scales
// columns and targets. It decorrelates the columns by the root R of their correlations,
// Σ = RᵀR. If a diagonal is removed, eigenvalues of Σ near 0 are raised. In these
// coordinates the interactions are L̃ = RLRᵀ, with L those of the scaled columns and their
// diagonal. It minimises
//
//	½‖f − y‖² + λ‖L̃‖²
//
// with λ = Penalty.L2 and L̃ in the unit of the targets. This is not AGD's penalty: w has
// none, and interactions pay for their part in the predictions of Gaussian rows, whatever
// the units of the columns.
//
// A step solves the least squares over all matrices L̃ + V·Cᵀ + C·Vᵀ, the tangent space at
// L̃ = V·diag(s)·Vᵀ, by conjugate gradients. It keeps the largest eigenvalues of the result.
// V stays orthonormal as an eigenvalue goes to 0, so a direction that the data does not
// need costs nothing. Only the rank has to be chosen, and nothing is random. FM cuts off
// negative eigenvalues. If that raises the loss, it takes steps of its factors. If its fit
// ends with fewer than k eigenvalues, it adds some along the gradient.
//
// If the fit ends or is slow, it tries one more eigenvalue of each sign, and before that,
// for iFM with enough rows, all of them. That leads out of bad minima, which columns have
// that are not Gaussian or are strongly correlated. Until it leads to a better model, the
// last one stays, and Rejected is set. If more eigenvalues reach a lower loss than the
// model's rank does, Stop says so. core/cmd/bench/README.md says how often.
//
// Each iteration takes two to sixty-five passes over the rows, and the start costs
// n·d² + 100·d³ multiply-adds. An escape costs n·d²/2 + 11·d³, up to 200·d²·(2k+6) to
// return from it, and some passes with more columns. GaussNewton keeps a copy of the rows
// and n·(4k+9) numbers, n·(2d+5) if it may escape to all eigenvalues.
//
// The zero value is ready; a GaussNewton fits one model at a time.
type GaussNewton struct {
	model      *fm.Model
	space      *space
	tangent    *tangent
	truncation *truncation
	point      *point // the present point
	trial      *point

	// q×(m+1) each: the gradient; for conjugate gradients the solution, the residual, the
	// preconditioned residual z, the last z, the direction and its image.
	gradientAt, x, residual, z, lastZ, direction, image []float64

	damping, growth float64 // μ and ν
	accuracy        float64 // η
	lastGradient    float64 // 0 for none
	lastGain        float64
	smallSteps      int  // accepted steps in a row that changed little
	rejections      int  // since the last accepted candidate
	rejectedAll     bool // no candidate of the iteration was accepted
	products        int  // of conjugate gradients in this iteration

	escape *escape

	gram, half, h []float64 // d×d, q×d, q×q: of halfGradient
	inner         []float64 // most×q: of across

	spectral []float64 // FM: the first values of s, for factor steps from 0
	factors  factorSteps

	positive, negative int // eigenvalues of the model

	iteration int
	work      float64 // passes of the start, and of products of one column
	last      Progress
	err       error
}

const (
	mostAccuracy = .1

	// leastAccuracy stops the conjugate gradients before directions that the data hardly
	// tell apart, such as a single column, whose square is removed. These take tens of
	// products; a new iteration gains more for less.
	leastAccuracy = 3e-3

	mostProducts    = 60    // of conjugate gradients in an iteration; after half of them no further candidate is tried
	mostRejected    = 25    // candidates of a step
	exactResidual   = 1e-14 // in standard deviations of the target: a smaller residual is rounding
	disagreement    = 1e-3  // of model and fit, in standard deviations of the target: more is an error
	noFall          = 1e-13 // of the loss: a smaller fall is rounding
	littleFall      = 1e-5  // of the loss: a smaller fall is not worth another step
	leastEigenvalue = 1e-8  // of the largest: smaller eigenvalues do not count
	leastGain       = 1e-4  // of the predicted fall: the least that a candidate has to reach
)

// NewGaussNewton returns a solver that is ready to start.
func NewGaussNewton() *GaussNewton { return new(GaussNewton) }

// Start sets m to the linear fit, which is iteration 0, and chooses the directions
// of the first step. It uses neither the coefficients of m nor rng: the fit is the same
// every time.
//
// It returns a [*invalid.ShapeError] when rows, targets and model do not fit together, an
// [*UnsupportedError] for a loss that is not squared, rows that change, more than
// 1000 columns, or a sparse design of more than 42 million elements, a
// [*DivergedError] when the rows, the targets or the loss are not finite, and a
// [*PrecisionError] as Step does.
func (g *GaussNewton) Start(p Problem, m *fm.Model, _ *rand.Rand) (Progress, error) {
	*g = GaussNewton{}
	g.err = g.begin(p, m)
	if g.err != nil {
		g.last = Progress{Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.err
}

func (g *GaussNewton) begin(p Problem, m *fm.Model) error {
	const name = "Gauss-Newton"
	batch, err := squaredRows(name, p, m)
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
		s.setModel(m, nil)
		g.last = Progress{Loss: float64(n) * s.unit * s.unit / 2, RMSE: s.unit, Stop: "no column varies"}
		if s.unit == 0 {
			g.last.Stop = "the targets are constant"
		}
		return nil
	}
	limit := signCounts{m.Rank, m.Rank}
	if m.Kind == fm.FM {
		limit.negative = 0
	}
	sigma := make([]float64, s.d*s.d)
	g.work = s.gram(sigma, nil) / g.onePass()
	s.whiten(sigma)
	g.escape = newEscape(s, limit)
	most := g.escape.most()
	g.truncation = newTruncation(s.q, most, limit)
	g.tangent = newTangent(s, most, p.Penalty.L2/float64(n))
	g.tangent.modelRank = g.truncation.capacity
	g.point, g.trial = newPoint(s, most), newPoint(s, most)
	g.gram, g.half, g.h, g.inner = sigma, make([]float64, s.q*s.d), make([]float64, s.q*s.q), make([]float64, most*s.q)
	for _, v := range []*[]float64{&g.gradientAt, &g.x, &g.residual, &g.z, &g.lastZ, &g.direction, &g.image} {
		*v = make([]float64, s.q*(most+1))
	}
	g.growth, g.accuracy, g.lastGain = 2, mostAccuracy, 1
	g.factors = factorSteps{nextIterations: fewestFactorSteps, damping: 1e-2}
	g.linear()
	if g.truncation.capacity > 0 {
		g.firstDirections()
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
	s, p := g.space, g.point
	along := make([]float64, s.d)
	s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(along, s.y[lo:hi], 1) })
	clear(p.omega)
	kernel.Gemm(s.q, 1, s.d, 1/float64(s.n), s.linearRoot, 1, s.q, along, 1, 1, p.omega, 1)
	done := g.tangent.work
	g.tangent.evaluate(p)
	g.tangent.work = done // two products of one column, not of all
	g.work += 2 * float64(s.n) * float64(s.d) / g.onePass()
}

// firstDirections sets V to the directions in which L̃ moves from 0. They are those of the
// truncated solution of H = L̃ less the effect of the diagonal of L,
//
//	H = −½R⁻ᵀ(Xᵀdiag(r)X/n)R⁻¹    L̃ ← H + R·diag(R⁻¹·trunc(L̃)·R⁻ᵀ)·Rᵀ
//
// seven times. s stays 0: from the solution's own values, steps on correlated columns led
// into bad minima. O(n·d²/2 + 100·d³).
func (g *GaussNewton) firstDirections() {
	s, p := g.space, g.point
	d, q := s.d, s.q
	h := g.halfGradient(p.r, false)
	times := 7
	if !s.diagonal {
		times = 0
	}
	a, hidden, root, scaled := append([]float64(nil), h...), make([]float64, d), s.inverseRoots[d*q:], make([]float64, d*q)
	for range times {
		g.truncation.truncate(p, a)
		clear(p.vx)
		kernel.Gemm(d, p.m, q, 1, s.inverseRoots, q, 1, p.v, p.m, 1, p.vx, p.m)
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
	g.truncation.truncate(p, a)
	if g.model.Kind == fm.FM {
		g.spectral = append([]float64(nil), p.s[:p.m]...)
	}
	clear(p.s)
	g.tangent.evaluate(p)
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
	kernel.Gemm(q, d, d, -.5, s.inverseRoots, 1, q, g.gram, d, 1, g.half, d)
	kernel.Gemm(q, q, d, 1, g.half, d, 1, s.inverseRoots, q, 1, g.h, q)
	symmetrize(g.h, q, .5)
	return g.h
}

// passes returns the work so far.
func (g *GaussNewton) passes() float64 { return g.work + float64(g.tangent.work/2) }

// report sets last, and the model unless an earlier point is better.
func (g *GaussNewton) report() error {
	s, p := g.space, g.point
	if g.keepsModel() {
		g.last.Iteration, g.last.Passes, g.last.Rejected = g.iteration, g.passes(), true
		return nil
	}
	g.count()
	g.escape.modelLoss = p.loss
	size := float64(s.n) * s.unit * s.unit
	g.last = Progress{
		Iteration: g.iteration,
		Loss:      size * p.loss,
		RMSE:      s.unit * math.Sqrt(2*p.misfit),
		Passes:    g.passes(),
		Rejected:  g.rejectedAll,
	}
	if finite := s.setModel(g.model, p); !finite || g.last.Loss-g.last.Loss != 0 {
		return &DivergedError{Iteration: g.iteration, Began: g.iteration, Loss: g.last.Loss, Start: g.last.Loss}
	}
	if off := s.disagreement(g.model, p); !(off <= disagreement) {
		return &PrecisionError{Iteration: g.iteration, Off: off}
	}
	if p.misfit <= exactResidual*exactResidual/2 {
		g.last.Stop = "the remaining training error is rounding"
	}
	return nil
}

// Step does one iteration, including rejected candidates. It returns a [*DivergedError] if
// a coefficient is not finite in the units of the columns. It returns a [*PrecisionError]
// if the model predicts something else in these units. If all candidates are rejected, or
// the fit is at a higher rank, the model stays as it is and Rejected is set. If there is
// no better model, Stop says so.
func (g *GaussNewton) Step() (Progress, error) {
	if g.err != nil || g.last.Stop != "" {
		return g.last, g.err
	}
	g.iteration++
	g.rejectedAll = false
	stop := g.iterate()
	if stop != "" && !g.escape.active && g.grow() {
		stop = ""
	}
	if g.escape.active {
		stop = g.endEscape(stop)
	}
	g.err = g.report()
	if g.last.Stop == "" && g.err == nil {
		g.last.Stop = g.startEscape(stop)
	}
	if g.err != nil {
		g.last = Progress{Iteration: g.iteration, Loss: math.NaN(), RMSE: math.NaN()}
	}
	return g.last, g.err
}

// Rank returns the numbers of positive and negative eigenvalues of L̃. Those below 1e-8 of
// the largest are rounding and do not count. There may be more than the truth needs: a
// spare eigenvalue may fit a number on the diagonal, which is removed.
func (g *GaussNewton) Rank() (positive, negative int) {
	return g.positive, g.negative
}

// count sets what Rank returns.
func (g *GaussNewton) count() {
	g.positive, g.negative = 0, 0
	largest := 0.0
	for _, s := range g.point.s[:g.point.m] {
		largest = max(largest, math.Abs(s))
	}
	for _, s := range g.point.s[:g.point.m] {
		switch {
		case s > leastEigenvalue*largest:
			g.positive++
		case s < -leastEigenvalue*largest:
			g.negative++
		}
	}
}

// The reasons to stop.
const (
	stopGradient = "the gradient is 0"
	stopLoss     = "the training loss hardly falls"
	stopRejected = "no step lowers the training loss"
	stopAbove    = "the training loss hardly falls; more eigenvalues would lower it"
)

// iterate moves the point, or returns why there is nothing more to do. If the work of an
// iteration finds no better point, it sets rejectedAll, and the next iteration goes on.
func (g *GaussNewton) iterate() (stop string) {
	g.countFactorStep()
	if g.gradient() == 0 {
		return stopGradient
	}
	g.products = 0
	start := g.point.loss
	var before []float64 // s at the start of factor steps
	for g.rejections < mostRejected && stop == "" {
		tangent := g.model.Kind == fm.FM && !g.tangent.factorMode && !g.escape.active && g.point.m > 0
		if g.rejections > 0 && tangent {
			before = append(before, g.point.s[:g.point.m]...)
			if !g.startFactors() {
				stop = stopRejected
				break
			}
			tangent = false
			g.gradient()
		}
		switch g.attempt(start) {
		case better:
			return g.slowStop(start)
		case hopeless:
			if g.reject(); !tangent {
				stop = stopLoss
			}
		case worse:
			if g.reject(); g.products > mostProducts/2 {
				g.rejectedAll, g.lastGradient = true, 0
				g.undoFactors(before)
				return ""
			}
		}
	}
	if stop == "" {
		stop = stopRejected
	}
	g.undoFactors(before)
	return stop
}

// attemptResult is the result of a candidate.
type attemptResult int

const (
	better   attemptResult = iota // it is the point now
	worse                         // than the point, or hardly better
	hopeless                      // no candidate was worth a try
)

// attempt solves the tangent problem for a candidate. It moves there if the loss is below
// start.
func (g *GaussNewton) attempt(start float64) attemptResult {
	g.setDamping()
	predicted := g.solve()
	if !(predicted > noFall*start) || g.isNoise(predicted) {
		return hopeless
	}
	g.makeCandidate()
	gain := (g.point.loss - g.trial.loss) / predicted
	if !(g.trial.loss < start && gain > leastGain) {
		g.tangent.point = g.point
		return worse
	}
	g.point, g.trial = g.trial, g.point
	g.accept(gain)
	return better
}

// slowStop returns a reason to stop after three steps in a row that hardly lowered the loss.
func (g *GaussNewton) slowStop(start float64) (stop string) {
	if g.smallSteps++; !(start-g.point.loss < littleFall*start) {
		g.smallSteps = 0
	}
	if g.smallSteps >= 3 {
		return stopLoss
	}
	return ""
}

// gradient sets the gradient and returns its length. It sets the accuracy of this
// iteration from the fall of the gradient and the error of the last prediction.
func (g *GaussNewton) gradient() float64 {
	g.tangent.point = g.point
	size := g.point.size(g.space.q)
	g.tangent.gradient(g.gradientAt)
	length := math.Sqrt(kernel.Dot(g.gradientAt[:size], g.gradientAt[:size]))
	if g.lastGradient > 0 {
		ratio := length / g.lastGradient
		g.accuracy = min(mostAccuracy, max(ratio*ratio, .5*math.Abs(1-g.lastGain), leastAccuracy))
	}
	g.lastGradient = length
	return length
}

// size returns the number of elements of a change: ω and E, or F.
func (p *point) size(q int) int { return q * (p.m + 1) }

// setDamping sets μ of the tangent problem.
func (g *GaussNewton) setDamping() {
	g.tangent.damping = g.damping
	if g.tangent.factorMode {
		largest := 0.0
		for _, s := range g.point.s[:g.point.m] {
			largest = max(largest, s)
		}
		g.tangent.damping = 4 * g.factors.damping * largest
	}
}

// solve sets x to about −(JᵀJ/n + …)⁻¹·gradient by preconditioned conjugate gradients, until
// resᵀz ≤ η²·res₀ᵀz₀ or 60 products in the iteration. It returns the predicted fall of the
// loss, to second order. The preconditioner is iterative and so varies, which takes
// flexible conjugate gradients.
func (g *GaussNewton) solve() (predicted float64) {
	t := g.tangent
	size := g.point.size(g.space.q)
	grad, x, res := g.gradientAt[:size], g.x[:size], g.residual[:size]
	z, before, along, image := g.z[:size], g.lastZ[:size], g.direction[:size], g.image[:size]
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
		if !(curvature > 0) { // rounding, or nothing is left
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

// makeCandidate sets trial to the point that x leads to.
func (g *GaussNewton) makeCandidate() {
	t, q := g.tangent, g.space.q
	k := g.point.m + 1
	for j := range q {
		g.trial.omega[j] = g.point.omega[j] + g.x[j*k]
	}
	switch {
	case g.point.m == 0:
		g.trial.m = 0
	case t.factorMode:
		g.truncation.retractFactors(g.trial, g.point, g.x[1:], k)
	default:
		t.scaleChange(t.c, g.point.m, g.x[1:], k)
		g.truncation.retract(g.trial, g.point, t.c)
	}
	t.evaluate(g.trial)
}

// accept sets the damping of the next iteration. gain is the fall of the loss, relative to
// the predicted one.
func (g *GaussNewton) accept(gain float64) {
	miss := float64(2*gain) - 1
	by := min(2, max(.2, 1-float64(miss*miss*miss)))
	if g.tangent.factorMode {
		g.factors.damping = max(g.factors.damping*by, 1e-9)
	} else {
		g.damping *= by
		if gain < .25 {
			g.damping = max(g.damping, 1e-3)
		} else if g.damping < 1e-6 {
			g.damping = 0
		}
	}
	g.growth, g.lastGain, g.rejections = 2, gain, 0
}

// reject raises the damping.
func (g *GaussNewton) reject() {
	if g.tangent.factorMode {
		g.factors.damping *= g.growth
	} else {
		g.damping = max(g.growth*g.damping, 1e-2)
	}
	g.growth *= 2
	g.rejections++
}
