package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// AGD is alternating gradient descent with exact line search, the solver of the
// paper's curves. With r = f − y it minimises
//
//	½‖r‖² + ½λ(‖w‖² + ‖U‖² + ‖V‖²)
//
// An iteration sets b ← b − mean(r), then moves w, V and U in turn (w and U for
// FM), each along its negative gradient to the minimum on that line. There is no
// step size to choose, and the loss never rises.
//
// The residual r and the products ZU, ZV are kept current, so an iteration of
// iFM costs six passes over Z, or four where w can go without ([linearStep]), and of
// FM two fewer: about 4·n·d·k + 7·n·d multiply-adds for a dense Z and iFM. It takes
// 3·n·k + 3·n numbers of space and d² for ZᵀZ. A Step does not allocate.
//
// Passes alternate between forwards and backwards, so that each begins with the
// rows that the one before has left in the cache.
//
// Weights c of the rows weigh the squares of r. With the logistic loss of classes the
// gradients are those of r = p − y, and a line search begins with the step of the
// quadratic model along its line and doubles or quarters it as long as that lowers
// the loss.
//
// AGD reads the rows again in every iteration, so its source must be fixed. The
// zero value is ready; an AGD fits one model at a time.
type AGD struct {
	// StartNorm is ‖U‖₂ of the factors that Start draws; 0 stands for .1 for FM and
	// 1 else. iFM and gFM take the same steps from each, since V is smaller as U is
	// larger: powers of two give the same bits. FM's U is on both sides, and its
	// steps differ.
	StartNorm float64

	model  *fm.Model
	z      design.Design
	n      int
	lambda float64

	r      []float64 // n: the residual f − y
	rows   weighing
	slopes []float64 // n: derivatives of the loss by f: r itself where no weights and classes are
	zu, zv []float64 // n×k: ZU and ZV; zv is nil for FM
	zg     []float64 // n×k: the product of Z and the gradient of U or V
	p, s   []float64 // n: first and second derivative of r along the direction; s for FM

	gw       []float64 // d: gradient of w
	g        []float64 // d×k: gradient of U or V
	weights  []float64 // d: weights of the columns of Z² in p
	weights2 []float64 // d: in s
	squares  []float64 // d: (Z²)ᵀr
	block    []float64 // of rows×k: r ∘ ZU
	part     []float64 // of rows: the diagonal's share of p or s

	linear  linearStep
	move    move      // what addGradient and forward work on
	slope   float64   // ⟨gradient, g⟩: ‖g‖² unless g is scaled
	scaling *scaledGD // what makes a direction of the gradient; nil where it is the gradient
	// The passes over Z, made once: a closure made in Step would be allocated
	// there.
	linearGradient, linearForward, factorGradient, factorForward func(lo, hi int, b design.Block)

	iteration int
	passes    float64
	start     float64 // loss of iteration 0
	limit     float64 // loss above which the fit is given up
	failed    error
}

// move names the block that is moved and the one that is held.
type move struct {
	block, held []float64 // d×k: U and V in either order, the same for FM
	zheld       []float64 // n×k: Z·held
	double      bool      // FM: block and held are one matrix
	diagonal    bool      // the model has its diagonal removed
	last        bool      // no other factor moves in this iteration
}

// NewAGD returns a solver that is ready to start.
func NewAGD() *AGD { return new(AGD) }

// Start draws U, sets V to 0 and returns iteration 0. U has orthonormal columns
// times StartNorm; where the rank is above d it is Gaussian.
//
// It returns a [*invalid.ShapeError] when rows, targets and model do not fit together,
// an [*UnsupportedError] for rows that change, a [*invalid.WeightError] or a [*invalid.ClassError]
// for weights and classes that are none, and a [*DivergedError] when the loss is not
// finite.
func (a *AGD) Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	return a.restart(nil, p, m, rng)
}

// restart starts AGD, or ScaledGD where scaling is not nil.
func (a *AGD) restart(scaling *scaledGD, p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	*a = AGD{scaling: scaling, StartNorm: a.StartNorm}
	progress, err := a.begin(p, m, rng)
	a.failed = err
	return progress, err
}

func (a *AGD) begin(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	name := "AGD"
	if a.scaling != nil {
		name = "ScaledGD"
	}
	batch, err := fixedRows(name, p, m)
	if err != nil {
		return Progress{}, err
	}
	n, d := batch.Z.Dims()
	drawFactors(m.U, d, m.Rank, rng)
	norm := a.StartNorm
	if norm == 0 {
		norm = 1
		if m.Kind == fm.FM {
			norm = .1
		}
	}
	for i := range m.U {
		m.U[i] *= norm
	}
	clear(m.V)
	a.model, a.z, a.n, a.lambda = m, batch.Z, n, p.Penalty.L2
	a.allocate(d, m.Rank)
	a.evaluate(batch.Y)
	a.rows.begin(p.Loss, batch, a.r, -1)
	a.slopes = a.r
	if a.rows.bends != nil {
		a.slopes = make([]float64, n)
	}
	a.follow()
	a.linear.begin(a)
	a.passes = .5 + float64(m.Rank)/float64(2*a.columns()) // Z·[w|U|V] for r, then ZU
	progress := a.progress()
	a.start = progress.Loss
	a.limit = float64(10*a.start) + float64(1e-24*kernel.Dot(batch.Y, batch.Y))
	return progress, a.check(progress)
}

func (a *AGD) allocate(d, k int) {
	n, rows := a.n, min(a.n, design.BlockRows)
	a.r, a.p = make([]float64, n), make([]float64, n)
	a.zu, a.zg = make([]float64, n*k), make([]float64, n*k)
	if a.model.Kind == fm.FM {
		a.s, a.weights2 = make([]float64, n), make([]float64, d)
	} else {
		a.zv = make([]float64, n*k)
	}
	a.gw, a.g = make([]float64, d), make([]float64, d*k)
	a.weights, a.squares = make([]float64, d), make([]float64, d)
	a.block, a.part = make([]float64, rows*k), make([]float64, rows)

	a.linearGradient = func(lo, hi int, b design.Block) { b.Adjoint(a.gw, a.slopes[lo:hi], 1) }
	a.linearForward = func(lo, hi int, b design.Block) { b.Forward(a.p[lo:hi], a.gw, 1) }
	a.factorGradient, a.factorForward = a.addGradient, a.forward
}

// evaluate sets ZU, ZV and r from the model. V is 0 where it is not FM's U.
func (a *AGD) evaluate(y []float64) {
	a.model.Predict(a.r, a.z, nil)
	kernel.Axpy(-1, y, a.r)
	a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		k := a.model.Rank
		b.Forward(a.zu[lo*k:hi*k], a.model.U, k)
	})
}

// Step does one iteration. It returns a [*DivergedError] when the loss is no
// longer finite or above ten times its start.
func (a *AGD) Step() (Progress, error) {
	if a.failed != nil {
		return Progress{Iteration: a.iteration, Loss: math.NaN(), RMSE: math.NaN(), Passes: a.passes}, a.failed
	}
	a.iteration++
	a.passes++
	a.stepBias()
	a.stepLinear()
	switch m := a.model; m.Kind {
	case fm.FM:
		a.stepSquare()
	default:
		a.stepFactor(move{block: m.V, held: m.U, zheld: a.zu, diagonal: m.Kind == fm.IFM}, a.zv)
		a.stepFactor(move{block: m.U, held: m.V, zheld: a.zv, diagonal: m.Kind == fm.IFM, last: true}, a.zu)
	}
	progress := a.progress()
	a.failed = a.check(progress)
	return progress, a.failed
}

// stepBias sets b ← b − mean(r).
func (a *AGD) stepBias() {
	if a.rows.loss == Logistic {
		a.model.B += a.rows.level(a.r)
	} else {
		mean := a.rows.mean(a.r)
		a.model.B -= mean
		for i := range a.r {
			a.r[i] -= mean
		}
		a.linear.shift(mean)
	}
	a.follow()
}

// follow brings the slopes up to the residuals.
func (a *AGD) follow() {
	switch {
	case a.rows.loss == Logistic:
		a.rows.settle(a.r)
		for i, s := range a.rows.slopes {
			a.slopes[i] = -s
		}
	case a.rows.weight != nil:
		kernel.RowScale(a.slopes, a.rows.weight, a.r, 1)
	}
}

// stepLinear moves w along −g, g = Zᵀr + λw, which moves r along −Zg.
func (a *AGD) stepLinear() {
	l := &a.linear
	if l.gram != nil {
		copy(a.gw, l.zr)
		kernel.Axpy(a.lambda, a.model.W, a.gw)
		if curvature, ok := l.curvature(a.gw); ok {
			gg := kernel.Dot(a.gw, a.gw)
			l.behind = gg / (curvature + float64(a.lambda*gg))
			kernel.Axpy(-l.behind, a.gw, a.model.W)
			return
		}
	} else {
		clear(a.gw)
		kernel.Axpy(a.lambda, a.model.W, a.gw)
		a.z.Each(design.BlockRows, a.linearGradient)
	}
	a.z.Back(design.BlockRows, a.linearForward)
	eta := a.exact(kernel.Dot(a.gw, a.gw), a.model.W, a.gw)
	kernel.Axpy(-eta, a.gw, a.model.W)
	kernel.Axpy(-eta, a.p, a.r)
	a.follow()
}

// stepFactor moves one factor matrix of gFM or iFM along −g, g being the
// gradient or what ScaledGD makes of it. The prediction is
// linear in it, so r moves along −p exactly; for V, with its diagonal removed,
//
//	p = rowsum(ZU ∘ Zg) − Z²·rowsum(U ∘ g)
//
// zblock, the product of Z and the block, is kept current.
func (a *AGD) stepFactor(m move, zblock []float64) {
	a.direction(m)
	eta := a.exact(a.slope, m.block, a.g)
	kernel.Axpy(-eta, a.g, m.block)
	kernel.Axpy(-eta, a.zg, zblock)
	kernel.Axpy(-eta, a.p, a.r)
	if m.last {
		kernel.Axpy(-eta, a.linear.zp, a.linear.zr)
	}
	a.follow()
}

// stepSquare moves U of FM along −g. The prediction is quadratic in it: at
// U − t·g the residual is r + t·p + t²·s with
//
//	p = −2[rowsum(ZU ∘ Zg) − Z²·rowsum(U ∘ g)]    s = rowsum((Zg)²) − Z²·rowsum(g²)
//
// and the loss a quartic in t.
func (a *AGD) stepSquare() {
	u := a.model.U
	a.direction(move{block: u, held: u, zheld: a.zu, double: true, diagonal: true, last: true})
	gg := kernel.Dot(a.g, a.g)
	// a.p holds −p/2 here.
	var t float64
	if a.rows.loss == Logistic {
		kernel.Axpy(-3, a.p, a.p) // f moves by −2t·p + t²·s
		line := a.rows.along(a.p, a.s)
		line.a -= float64(a.lambda * kernel.Dot(u, a.g))
		line.b += float64(a.lambda * gg / 2)
		if line.a < 0 {
			t = a.rows.search(a.r, a.p, a.s, line.best(), -a.lambda*kernel.Dot(u, a.g), a.lambda*gg)
		}
		for i := range a.p {
			a.p[i] /= -2
		}
	} else {
		t = quartic{
			a: float64(-2*a.rows.dot(a.r, a.p)) - float64(a.lambda*kernel.Dot(u, a.g)),
			b: float64(2*a.rows.dot(a.p, a.p)) + a.rows.dot(a.r, a.s) + float64(a.lambda*gg/2),
			c: -2 * a.rows.dot(a.p, a.s),
			d: a.rows.dot(a.s, a.s) / 2,
		}.best()
	}
	kernel.Axpy(-t, a.g, u)
	kernel.Axpy(-t, a.zg, a.zu)
	kernel.Axpy(-2*t, a.p, a.r)
	kernel.Axpy(t*t, a.s, a.r)
	kernel.Axpy(-2*t, a.linear.zp, a.linear.zr)
	kernel.Axpy(t*t, a.linear.zs, a.linear.zr)
	a.follow()
}

// direction sets g to the gradient of the block that m names,
//
//	g = Zᵀ(r ∘ Z·held) − diag((Z²)ᵀr)·held + λ·block        (the first two doubled for FM)
//
// or, for ScaledGD, that times (heldᵀheld + (ε + λ/n)I)⁻¹; slope to its inner product with
// the gradient; zg to Z·g, p to rowsum(Z·held ∘ Zg) − Z²·rowsum(held ∘ g) and, for FM, s to
// rowsum((Zg)²) − Z²·rowsum(g²). gFM lacks the terms in Z². A gradient of the loss
// that is nothing but rounding counts as 0.
func (a *AGD) direction(m move) {
	a.move = m
	k := a.model.Rank
	clear(a.g)
	clear(a.squares)
	a.linear.begins(m.last)
	a.z.Each(design.BlockRows, a.factorGradient)
	a.linear.behind = 0
	if m.diagonal {
		for j, s := range a.squares {
			kernel.Axpy(-s, m.held[j*k:][:k], a.g[j*k:][:k])
		}
	}
	if rr := kernel.Dot(a.slopes, a.slopes); kernel.Dot(a.g, a.g) <= float64(rounding*rounding*rr)*kernel.Dot(m.zheld, m.zheld) {
		clear(a.g)
	}
	if m.double {
		kernel.Axpy(1, a.g, a.g)
	}
	kernel.Axpy(a.lambda, m.block, a.g)
	if a.scaling != nil {
		a.slope = a.scaling.apply(a.g, m.held, k, a.lambda/a.curvature())
	} else {
		a.slope = kernel.Dot(a.g, a.g)
	}
	kernel.RowDots(a.weights, m.held, a.g, k)
	if m.double {
		kernel.RowDots(a.weights2, a.g, a.g, k)
	}
	a.z.Back(design.BlockRows, a.factorForward)
}

// addGradient adds a block of rows to g and squares. Squares come first, here and
// in forward: they read the block from end to end, which brings it into the
// cache for the product, which does not.
func (a *AGD) addGradient(lo, hi int, b design.Block) {
	k, r := a.model.Rank, a.slopes[lo:hi]
	a.linear.catchUp(b, a.gw, r, a.part[:hi-lo])
	if a.move.diagonal {
		b.SquaresAdjoint(a.squares, r)
	}
	if a.linear.last {
		b.Adjoint(a.linear.zr, r, 1)
	}
	scaled := a.block[:(hi-lo)*k]
	kernel.RowScale(scaled, r, a.move.zheld[lo*k:hi*k], k)
	b.Adjoint(a.g, scaled, k)
}

// forward sets the rows of a block of zg, p and s.
func (a *AGD) forward(lo, hi int, b design.Block) {
	k, part := a.model.Rank, a.part[:hi-lo]
	zg := a.zg[lo*k : hi*k]
	if a.move.diagonal {
		b.SquaresForward(part, a.weights)
	}
	b.Forward(zg, a.g, k)
	p := a.p[lo:hi]
	kernel.RowDots(p, a.move.zheld[lo*k:hi*k], zg, k)
	if a.move.diagonal {
		kernel.Axpy(-1, part, p)
	}
	if a.move.double {
		s := a.s[lo:hi]
		kernel.RowDots(s, zg, zg, k)
		b.SquaresForward(part, a.weights2)
		kernel.Axpy(-1, part, s)
		if a.linear.last {
			b.Adjoint(a.linear.zs, s, 1)
		}
	}
	if a.linear.last {
		b.Adjoint(a.linear.zp, p, 1)
	}
}

// exact returns the step along −g that minimises the loss where r moves along
// −p, slope being the inner product of the gradient and g:
//
//	η = slope/(‖p‖² + λ‖g‖²)
//
// It is 0 where moving changes nothing. Of the logistic loss it is where the search
// from there ends.
func (a *AGD) exact(slope float64, block, g []float64) float64 {
	gg := float64(a.lambda * kernel.Dot(g, g))
	if a.rows.loss == Logistic {
		kernel.Axpy(-2, a.p, a.p) // f moves by −t·p
		curvature := float64(2*a.rows.along(a.p, nil).b) + gg
		t := a.rows.search(a.r, a.p, nil, slope/curvature, -a.lambda*kernel.Dot(block, g), gg)
		kernel.Axpy(-2, a.p, a.p)
		return t
	}
	curvature := a.rows.dot(a.p, a.p) + gg
	if curvature == 0 {
		return 0
	}
	return slope / curvature
}

// curvature returns what the loss of all rows curves by at most.
func (a *AGD) curvature() float64 {
	if a.rows.loss == Logistic {
		return a.rows.total / 4
	}
	return a.rows.total
}

// rounding is the size of a gradient of the loss, relative to ‖r‖·‖Z·held‖,
// below which it is taken for 0. The gradient is the difference of two terms of
// about that size, so 1e-16 of it is rounding, and √n times as much for a column
// with one large element. Where no two columns are ever nonzero together the two
// terms are equal: M is 0 whatever the factors, and a line search along what
// rounding leaves of the gradient would fit the rounding of p, with steps of
// 1e30. Above, a step of relative size 1e-12 lowers the loss by 1e-24 of itself.
const rounding = 1e-12

// progress returns where the fit stands.
func (a *AGD) progress() Progress {
	m := a.model
	loss, rr := a.rows.losses(a.r)
	size := kernel.Dot(m.W, m.W) + kernel.Dot(m.U, m.U) + kernel.Dot(m.V, m.V)
	return a.rows.progress(Progress{
		Iteration: a.iteration,
		Loss:      (rr + float64(a.lambda*size)) / 2,
		RMSE:      math.Sqrt(rr / a.rows.total),
		Passes:    a.passes,
	}, loss, float64(a.lambda*size))
}

// columns returns how many columns [w|U|V] has, [w|U] for FM.
func (a *AGD) columns() int {
	if a.model.Kind == fm.FM {
		return 1 + a.model.Rank
	}
	return 1 + 2*a.model.Rank
}

// check returns a *DivergedError unless the loss is finite and at most ten
// times its start, a start of rounding errors only aside.
func (a *AGD) check(p Progress) error {
	if p.Loss <= a.limit && !math.IsInf(p.Loss, 1) {
		return nil
	}
	return &DivergedError{Iteration: p.Iteration, Began: p.Iteration, Loss: p.Loss, Start: a.start} // it never rises before
}
