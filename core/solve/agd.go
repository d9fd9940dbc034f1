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
// iFM costs six passes over Z, or four if w needs none ([linearStep]). FM takes
// two fewer. That is about 4·n·d·k + 7·n·d multiply-adds for a dense Z and iFM. It takes
// 3·n·k + 3·n numbers of space and d² for ZᵀZ. A Step does not allocate.
//
// Passes alternate between forwards and backwards. So each begins with the rows that the
// last one left in the cache.
//
// Row weights c multiply the squares of r. For the logistic loss r is p − y, and a line
// search starts from the minimum of the quadratic model along the line. It doubles or
// quarters that step as long as the loss falls.
//
// AGD reads the rows again in every iteration, so its source must be fixed. The
// zero value is ready; an AGD fits one model at a time.
type AGD struct {
	// StartNorm is ‖U‖₂ of the factors that Start draws. 0 stands for .1 for FM and for 1
	// otherwise. iFM and gFM take the same steps from any norm, because V is smaller as U
	// is larger; powers of two give the same bits. FM has U on both sides, so its steps
	// differ.
	StartNorm float64

	model  *fm.Model
	z      design.Design
	n      int
	lambda float64

	residual      []float64 // n: the residual f − y
	loss          rowLoss
	gradient      []float64 // n: derivatives of the loss by f: r itself where no weights and classes are
	zu, zv        []float64 // n×k: ZU and ZV; zv is nil for FM
	zg            []float64 // n×k: the product of Z and the gradient of U or V
	first, second []float64 // n: first and second derivative of r along the direction; s for FM

	gradientW []float64 // d: gradient of w
	descent   []float64 // d×k: gradient of U or V
	weights   []float64 // d: weights of the columns of Z² in p
	weights2  []float64 // d: in s
	squares   []float64 // d: (Z²)ᵀr
	block     []float64 // of rows×k: r ∘ ZU
	part      []float64 // of rows: the diagonal's share of p or s

	linear     linearStep
	current    blockUpdate // what addGradient and forward work on
	slopeAlong float64     // ⟨gradient, g⟩: ‖g‖² unless g is scaled
	scaling    *scaledGD   // what makes a direction of the gradient; nil where it is the gradient
	// The passes over Z, made once: a closure made in Step would be allocated
	// there.
	linearGradient, linearForward, factorGradient, factorForward func(lo, hi int, b design.Block)

	iteration int
	passes    float64
	start     float64 // loss of iteration 0
	limit     float64 // loss above which the fit is given up
	err       error
}

// blockUpdate names the factor that moves and the one that stays.
type blockUpdate struct {
	block, other []float64 // d×k: U and V in either order, the same for FM
	zOther       []float64 // n×k: Z·held
	double       bool      // FM: block and held are one matrix
	diagonal     bool      // the model has its diagonal removed
	last         bool      // no other factor moves in this iteration
}

// NewAGD returns a solver that is ready to start.
func NewAGD() *AGD { return new(AGD) }

// Start draws U, sets V to 0 and returns iteration 0. U has orthonormal columns
// times StartNorm. If the rank is above d, U is Gaussian.
//
// It returns a [*invalid.ShapeError] when rows, targets and model do not fit together,
// an [*UnsupportedError] for rows that change, a [*invalid.WeightError] or a [*invalid.ClassError]
// for invalid weights and classes, and a [*DivergedError] when the loss is not finite.
func (a *AGD) Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	return a.restart(nil, p, m, rng)
}

// restart starts AGD, or ScaledGD if scaling is not nil.
func (a *AGD) restart(scaling *scaledGD, p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	*a = AGD{scaling: scaling, StartNorm: a.StartNorm}
	progress, err := a.begin(p, m, rng)
	a.err = err
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
	a.setResidual(batch.Y)
	a.loss.begin(p.Loss, batch, a.residual, -1)
	a.gradient = a.residual
	if a.loss.hessian != nil {
		a.gradient = make([]float64, n)
	}
	a.updateGradient()
	a.linear.begin(a)
	a.passes = .5 + float64(m.Rank)/float64(2*a.columns()) // Z·[w|U|V] for r, then ZU
	progress := a.progress()
	a.start = progress.Loss
	a.limit = float64(10*a.start) + float64(1e-24*kernel.Dot(batch.Y, batch.Y))
	return progress, a.check(progress)
}

func (a *AGD) allocate(d, k int) {
	n, rows := a.n, min(a.n, design.BlockRows)
	a.residual, a.first = make([]float64, n), make([]float64, n)
	a.zu, a.zg = make([]float64, n*k), make([]float64, n*k)
	if a.model.Kind == fm.FM {
		a.second, a.weights2 = make([]float64, n), make([]float64, d)
	} else {
		a.zv = make([]float64, n*k)
	}
	a.gradientW, a.descent = make([]float64, d), make([]float64, d*k)
	a.weights, a.squares = make([]float64, d), make([]float64, d)
	a.block, a.part = make([]float64, rows*k), make([]float64, rows)

	a.linearGradient = func(lo, hi int, b design.Block) { b.Adjoint(a.gradientW, a.gradient[lo:hi], 1) }
	a.linearForward = func(lo, hi int, b design.Block) { b.Forward(a.first[lo:hi], a.gradientW, 1) }
	a.factorGradient, a.factorForward = a.addGradient, a.forward
}

// setResidual sets ZU, ZV and the residual from the model. V is 0, except FM's, which is U.
func (a *AGD) setResidual(y []float64) {
	a.model.Predict(a.residual, a.z, nil)
	kernel.Axpy(-1, y, a.residual)
	a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		k := a.model.Rank
		b.Forward(a.zu[lo*k:hi*k], a.model.U, k)
	})
}

// Step does one iteration. It returns a [*DivergedError] when the loss is no
// longer finite or above ten times its start.
func (a *AGD) Step() (Progress, error) {
	if a.err != nil {
		return Progress{Iteration: a.iteration, Loss: math.NaN(), RMSE: math.NaN(), Passes: a.passes}, a.err
	}
	a.iteration++
	a.passes++
	a.stepBias()
	a.stepLinear()
	switch m := a.model; m.Kind {
	case fm.FM:
		a.stepSquare()
	default:
		a.stepFactor(blockUpdate{block: m.V, other: m.U, zOther: a.zu, diagonal: m.Kind == fm.IFM}, a.zv)
		a.stepFactor(blockUpdate{block: m.U, other: m.V, zOther: a.zv, diagonal: m.Kind == fm.IFM, last: true}, a.zu)
	}
	progress := a.progress()
	a.err = a.check(progress)
	return progress, a.err
}

// stepBias sets b ← b − mean(r).
func (a *AGD) stepBias() {
	if a.loss.kind == Logistic {
		a.model.B += a.loss.stepIntercept(a.residual)
	} else {
		mean := a.loss.mean(a.residual)
		a.model.B -= mean
		for i := range a.residual {
			a.residual[i] -= mean
		}
		a.linear.shift(mean)
	}
	a.updateGradient()
}

// updateGradient sets the derivatives of the loss from the residuals.
func (a *AGD) updateGradient() {
	switch {
	case a.loss.kind == Logistic:
		a.loss.update(a.residual)
		for i, s := range a.loss.gradient {
			a.gradient[i] = -s
		}
	case a.loss.weight != nil:
		kernel.RowScale(a.gradient, a.loss.weight, a.residual, 1)
	}
}

// stepLinear moves w along −g, g = Zᵀr + λw, which moves r along −Zg.
func (a *AGD) stepLinear() {
	l := &a.linear
	if l.gram != nil {
		copy(a.gradientW, l.zr)
		kernel.Axpy(a.lambda, a.model.W, a.gradientW)
		if curvature, ok := l.curvature(a.gradientW); ok {
			gg := kernel.Dot(a.gradientW, a.gradientW)
			l.pending = gg / (curvature + float64(a.lambda*gg))
			kernel.Axpy(-l.pending, a.gradientW, a.model.W)
			return
		}
	} else {
		clear(a.gradientW)
		kernel.Axpy(a.lambda, a.model.W, a.gradientW)
		a.z.Each(design.BlockRows, a.linearGradient)
	}
	a.z.Back(design.BlockRows, a.linearForward)
	eta := a.lineMinimum(kernel.Dot(a.gradientW, a.gradientW), a.model.W, a.gradientW)
	kernel.Axpy(-eta, a.gradientW, a.model.W)
	kernel.Axpy(-eta, a.first, a.residual)
	a.updateGradient()
}

// stepFactor moves one factor matrix of gFM or iFM along −g. Here g is the gradient, or
// its product with ScaledGD's matrix. The prediction is linear in the factor, so r moves
// along −p exactly. For V, with its diagonal removed,
//
//	p = rowsum(ZU ∘ Zg) − Z²·rowsum(U ∘ g)
//
// zblock, the product of Z and the block, is kept current.
func (a *AGD) stepFactor(m blockUpdate, zblock []float64) {
	a.setDescent(m)
	eta := a.lineMinimum(a.slopeAlong, m.block, a.descent)
	kernel.Axpy(-eta, a.descent, m.block)
	kernel.Axpy(-eta, a.zg, zblock)
	kernel.Axpy(-eta, a.first, a.residual)
	if m.last {
		kernel.Axpy(-eta, a.linear.zp, a.linear.zr)
	}
	a.updateGradient()
}

// stepSquare moves U of FM along −g. The prediction is quadratic in it: at
// U − t·g the residual is r + t·p + t²·s with
//
//	p = −2[rowsum(ZU ∘ Zg) − Z²·rowsum(U ∘ g)]    s = rowsum((Zg)²) − Z²·rowsum(g²)
//
// and the loss a quartic in t.
func (a *AGD) stepSquare() {
	u := a.model.U
	a.setDescent(blockUpdate{block: u, other: u, zOther: a.zu, double: true, diagonal: true, last: true})
	gg := kernel.Dot(a.descent, a.descent)
	// a.p holds −p/2 here.
	var t float64
	if a.loss.kind == Logistic {
		kernel.Axpy(-3, a.first, a.first) // f moves by −2t·p + t²·s
		line := a.loss.lineModel(a.first, a.second)
		line.a -= float64(a.lambda * kernel.Dot(u, a.descent))
		line.b += float64(a.lambda * gg / 2)
		if line.a < 0 {
			t = a.loss.lineSearch(a.residual, a.first, a.second, line.minimum(), -a.lambda*kernel.Dot(u, a.descent), a.lambda*gg)
		}
		for i := range a.first {
			a.first[i] /= -2
		}
	} else {
		t = quartic{
			a: float64(-2*a.loss.dot(a.residual, a.first)) - float64(a.lambda*kernel.Dot(u, a.descent)),
			b: float64(2*a.loss.dot(a.first, a.first)) + a.loss.dot(a.residual, a.second) + float64(a.lambda*gg/2),
			c: -2 * a.loss.dot(a.first, a.second),
			d: a.loss.dot(a.second, a.second) / 2,
		}.minimum()
	}
	kernel.Axpy(-t, a.descent, u)
	kernel.Axpy(-t, a.zg, a.zu)
	kernel.Axpy(-2*t, a.first, a.residual)
	kernel.Axpy(t*t, a.second, a.residual)
	kernel.Axpy(-2*t, a.linear.zp, a.linear.zr)
	kernel.Axpy(t*t, a.linear.zs, a.linear.zr)
	a.updateGradient()
}

// setDescent sets g to the gradient of the block that m names,
//
//	g = Zᵀ(r ∘ Z·other) − diag((Z²)ᵀr)·other + λ·block      (the first two doubled for FM)
//
// or, for ScaledGD, to that times (otherᵀ·other + (ε + λ/n)I)⁻¹. It also sets
//
//	slopeAlong   the inner product of g and the gradient
//	zg           Z·g
//	first        p = rowsum(Z·other ∘ Zg) − Z²·rowsum(other ∘ g)
//	second       s = rowsum((Zg)²) − Z²·rowsum(g²)                  (FM)
//
// gFM lacks the terms in Z². A gradient that is only rounding counts as 0.
func (a *AGD) setDescent(m blockUpdate) {
	a.current = m
	k := a.model.Rank
	clear(a.descent)
	clear(a.squares)
	a.linear.startPasses(m.last)
	a.z.Each(design.BlockRows, a.factorGradient)
	a.linear.pending = 0
	if m.diagonal {
		for j, s := range a.squares {
			kernel.Axpy(-s, m.other[j*k:][:k], a.descent[j*k:][:k])
		}
	}
	if rr := kernel.Dot(a.gradient, a.gradient); kernel.Dot(a.descent, a.descent) <= float64(rounding*rounding*rr)*kernel.Dot(m.zOther, m.zOther) {
		clear(a.descent)
	}
	if m.double {
		kernel.Axpy(1, a.descent, a.descent)
	}
	kernel.Axpy(a.lambda, m.block, a.descent)
	if a.scaling != nil {
		a.slopeAlong = a.scaling.apply(a.descent, m.other, k, a.lambda/a.curvature())
	} else {
		a.slopeAlong = kernel.Dot(a.descent, a.descent)
	}
	kernel.RowDots(a.weights, m.other, a.descent, k)
	if m.double {
		kernel.RowDots(a.weights2, a.descent, a.descent, k)
	}
	a.z.Back(design.BlockRows, a.factorForward)
}

// addGradient adds a block of rows to g and squares. Squares come first, here and in
// forward. They read the block from end to end and so bring it into the cache for the
// product.
func (a *AGD) addGradient(lo, hi int, b design.Block) {
	k, r := a.model.Rank, a.gradient[lo:hi]
	a.linear.applyPending(b, a.gradientW, r, a.part[:hi-lo])
	if a.current.diagonal {
		b.SquaresAdjoint(a.squares, r)
	}
	if a.linear.last {
		b.Adjoint(a.linear.zr, r, 1)
	}
	scaled := a.block[:(hi-lo)*k]
	kernel.RowScale(scaled, r, a.current.zOther[lo*k:hi*k], k)
	b.Adjoint(a.descent, scaled, k)
}

// forward sets the rows of a block of zg, p and s.
func (a *AGD) forward(lo, hi int, b design.Block) {
	k, part := a.model.Rank, a.part[:hi-lo]
	zg := a.zg[lo*k : hi*k]
	if a.current.diagonal {
		b.SquaresForward(part, a.weights)
	}
	b.Forward(zg, a.descent, k)
	p := a.first[lo:hi]
	kernel.RowDots(p, a.current.zOther[lo*k:hi*k], zg, k)
	if a.current.diagonal {
		kernel.Axpy(-1, part, p)
	}
	if a.current.double {
		s := a.second[lo:hi]
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

// lineMinimum returns the step along −g that minimises the loss when r moves along −p.
// slope is the inner product of the gradient and g:
//
//	η = slope/(‖p‖² + λ‖g‖²)
//
// It is 0 if a step changes nothing. For the logistic loss a line search starts there.
func (a *AGD) lineMinimum(slope float64, block, g []float64) float64 {
	gg := float64(a.lambda * kernel.Dot(g, g))
	if a.loss.kind == Logistic {
		kernel.Axpy(-2, a.first, a.first) // f moves by −t·p
		curvature := float64(2*a.loss.lineModel(a.first, nil).b) + gg
		t := a.loss.lineSearch(a.residual, a.first, nil, slope/curvature, -a.lambda*kernel.Dot(block, g), gg)
		kernel.Axpy(-2, a.first, a.first)
		return t
	}
	curvature := a.loss.dot(a.first, a.first) + gg
	if curvature == 0 {
		return 0
	}
	return slope / curvature
}

// curvature returns the largest possible curvature of the loss of all rows.
func (a *AGD) curvature() float64 {
	if a.loss.kind == Logistic {
		return a.loss.total / 4
	}
	return a.loss.total
}

// rounding is the size of a gradient, relative to ‖r‖·‖Z·other‖, below which it counts
// as 0. The gradient is the difference of two terms of about that size. So 1e-16 of it is
// rounding, and √n times as much for a column with one large element. If no two columns
// are ever nonzero together, the two terms are equal and M is 0 for any factors. A line
// search along the rounding error would then take steps of 1e30. Above the limit, a step
// of relative size 1e-12 lowers the loss by 1e-24 of itself.
const rounding = 1e-12

// progress returns the progress of the fit.
func (a *AGD) progress() Progress {
	m := a.model
	loss, rr := a.loss.sums(a.residual)
	size := kernel.Dot(m.W, m.W) + kernel.Dot(m.U, m.U) + kernel.Dot(m.V, m.V)
	return a.loss.progress(Progress{
		Iteration: a.iteration,
		Loss:      (rr + float64(a.lambda*size)) / 2,
		RMSE:      math.Sqrt(rr / a.loss.total),
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

// check returns a *DivergedError unless the loss is finite and at most ten times its
// start. A start loss of mere rounding errors is raised first.
func (a *AGD) check(p Progress) error {
	if p.Loss <= a.limit && !math.IsInf(p.Loss, 1) {
		return nil
	}
	return &DivergedError{Iteration: p.Iteration, Began: p.Iteration, Loss: p.Loss, Start: a.start} // it never rises before
}
