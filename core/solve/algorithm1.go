package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// Algorithm1 is the paper's own solver, alternating gradient descent with high-order moment
// elimination, for gFM and iFM. With the residual r = f − y over a batch of n rows, and Z
// of n×d,
//
//	P0 = mean(r)    P1 = Zᵀr/n    P2 = (Z²)ᵀr/n − P0    H(r) = Zᵀdiag(r)Z/(2n)
//	gFM   𝓜 = H(r) − ½P0·I − ½diag(G₁∘P1 + G₂∘P2)    𝓦 = H₁∘P1 + H₂∘P2    (Eqs. 7 and 10)
//	iFM   𝓜 = H(r) − diag                             𝓦 = P1
//
// it starts from w = 0, V = 0 and Ū, the k eigenvectors of 𝓜(y) with the largest
// |eigenvalues|, and in every iteration sets, all with one residual,
//
//	U = V − 𝓜Ū    Ū⁺ = qr(U)    V⁺ = V(ŪᵀŪ⁺) − 𝓜Ū⁺    w⁺ = w − 𝓦
//
// G and H are those of [moment.EliminationWeights]. The model has U = Ū and no bias, b = 0.
// There is no step size, and nothing is random.
//
// Paper: 𝓜 without −½P0·I; here: with it, because P0 ≈ tr(M − M*) is in every element of
// the diagonal of H(r). Without it, every iteration multiplies the error of the trace by
// −k/2. [Algorithm1.Printed] shows that.
//
// Paper: prints 𝒜′𝒜(z) in H(z); here: 𝒜′(z), because z is a vector with a number a row. The
// sign of 𝓜(y), which should be 𝓜(−y), moves no eigenvector.
//
// It needs independent columns of mean 0 and mean square 1. Start refuses others as far as
// means and correlations show them. k is the rank of M, which is symmetric: 2k for
// M = U*V*ᵀ. Columns of U and V beyond d stay 0. The source may be fixed, or give every
// iteration new rows, from which the fit learns about twice as fast.
//
// Only Start forms d×d matrices and takes O(n·d² + d³). An iteration of iFM costs
// 4·n·d·k + 4·n·d multiply-adds for a dense Z, 2·n·d fewer than one of AGD, and half as
// much again for new rows. One of gFM costs n·d fewer, or 2·n·d. It takes 2·n·k + n
// numbers of space.
type Algorithm1 struct {
	// Printed leaves out −½P0·I, as the paper prints it, to show the effect. The error of
	// gFM then grows if k ≥ 2 and tr(M*) is not 0, so its fit ends only at a loss of 1e30
	// times its start. iFM's 𝓜 has no diagonal and does not change.
	Printed bool
	// Centred takes H(r − P0) in place of −½P0·I, for gFM and unless Printed:
	//
	//	𝓜 = H(r − P0) − ½diag(G₁∘P1 + G₂∘P2)
	//
	// H(P0) is ½P0·ZᵀZ/n, of expectation ½P0·I. So 𝓜 keeps its expectation and loses P0
	// times the chance correlations of the columns, most of the noise while the trace of M
	// is wrong. At n = 20kd, d = 40 and eigenvalues of one sign, the error of M after one
	// iteration is .75 times as large for k = 2 and .4 times for k = 12. The final rate
	// hardly changes. iFM's trace is 0, so it does not change.
	Centred bool
	// Kappa and Phi are the moments E x³ and E x⁴ of the columns, d of each. If they are
	// nil, gFM estimates them from the first batch.
	Kappa, Phi []float64
	// Pseudo uses a pseudo-inverse of the moments, so columns may take two values only.
	Pseudo bool
	// Unguarded inverts estimated moments down to [moment.TauFloor], the floor of known
	// ones, and not only to [moment.EstimatedTauFloor].
	Unguarded bool
	// Record, unless nil, receives the matrices of each iteration. That takes O(n·d²) a
	// Step and changes no bit of the fit.
	Record *IterationMatrices

	algorithm1Fit
}

// algorithm1Fit is the state between two iterations.
type algorithm1Fit struct {
	model  *fm.Model
	source Batches
	z      design.Design
	y      []float64
	n      int
	k      int // columns of u and v: the rank, at most d

	weights  algorithm1Weights
	w        []float64 // d
	u, v     []float64 // d×k: Ū and V
	next     []float64 // d×k: Ū⁺
	residual []float64 // n: the residual f − y of the model on the batch
	zu, zq   []float64 // n×k: ZŪ and ZŪ⁺

	p1, p2   []float64 // d
	c        []float64 // d: 𝓜 subtracts it from the diagonal of H(r)
	omega    []float64 // d: 𝓦
	acc      []float64 // d×(1+k): Zᵀ[r | r∘ZŪ]
	wuv      []float64 // d×(1+2k): [w|U|V], or its needed columns
	block    []float64 // of rows×(1+2k)
	part     []float64 // of rows
	rotation []float64 // k×k: ŪᵀŪ⁺

	iteration   int
	passes      float64
	start       float64 // loss of iteration 0
	lossPerRow  float64 // of the last iteration
	mostPerRow  float64 // a higher loss a row ends the fit
	risingSince int     // the first iteration of the present rise; 0 if the loss fell
	err         error
}

// NewAlgorithm1 returns the corrected form, which estimates moments.
func NewAlgorithm1() *Algorithm1 { return new(Algorithm1) }

// maxAlgorithm1Columns bounds the d×d matrices of Start to 32 MB each.
const maxAlgorithm1Columns = 2048

// Start sets w, b and V to 0 and U to the eigenvectors of 𝓜(y), on the source's first batch.
// It returns iteration 0. It draws nothing, so rng may be nil.
//
// It returns
//   - an [*UnsupportedError] for FM, a penalty, another loss or more than 2048 columns,
//   - an [*invalid.ShapeError] if rows, targets, model and moments do not fit together, or
//     there are fewer than two rows,
//   - a [*DivergedError] if a number is not finite,
//   - an [*UnstandardizedError] or a [*DependentColumnsError] for unsuitable columns,
//   - for gFM, a [*moment.SingularMomentError] for a column with τ below
//     [moment.EstimatedTauFloor], or below [moment.TauFloor] if Kappa and Phi are known or
//     the fit is Unguarded.
func (a *Algorithm1) Start(p Problem, m *fm.Model, _ *rand.Rand) (Progress, error) {
	a.algorithm1Fit = algorithm1Fit{}
	progress, err := a.begin(p, m)
	a.err = err
	return progress, err
}

func (a *Algorithm1) begin(p Problem, m *fm.Model) (Progress, error) {
	refuse := func(what, instead string) (Progress, error) {
		return Progress{}, &UnsupportedError{Solver: "Algorithm 1", What: what, Instead: instead}
	}
	switch {
	case m.Kind == fm.FM:
		return refuse("FM", "fit gFM or iFM, or use the solver gauss-newton")
	case p.Loss != Squared:
		return Progress{}, squaredOnly("Algorithm 1", p.Loss, Batch{})
	case p.Penalty.L2 != 0:
		return refuse("a penalty", "set it to 0, or use the solver gauss-newton")
	case m.D > maxAlgorithm1Columns:
		return refuse(message.Sprintf("%d columns, only up to %d", m.D, maxAlgorithm1Columns), "use the solver scaled")
	}
	a.model, a.source = m, p.Source
	d := m.D
	a.k = min(m.Rank, d)
	if err := a.load(); err != nil {
		return Progress{}, err
	}
	a.w, a.u, a.v, a.next = make([]float64, d), make([]float64, d*a.k), make([]float64, d*a.k), make([]float64, d*a.k)
	a.p1, a.p2, a.c, a.omega = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	a.acc, a.wuv, a.rotation = make([]float64, d*(1+a.k)), make([]float64, d*(1+2*a.k)), make([]float64, a.k*a.k)

	for i, v := range a.y {
		a.residual[i] = -v
	}
	a.start = a.loss()
	a.lossPerRow = a.start / float64(a.n)
	a.mostPerRow = 10 * a.lossPerRow
	if a.Printed && m.Kind == fm.GFM {
		a.mostPerRow = 1e30 * a.lossPerRow
	}
	progress := a.progress()
	if err := a.check(progress); err != nil {
		return progress, err
	}
	columns := describeColumns(a.z, a.y)
	if !columns.finite() {
		return progress, &DivergedError{Loss: math.NaN(), Start: math.NaN()}
	}
	if err := columns.check(); err != nil {
		return progress, err
	}
	var err error
	if a.weights, err = a.eliminate(columns); err != nil {
		return progress, err
	}
	a.firstFactors(columns)
	if a.source.Fixed() {
		a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Forward(a.zu[lo*a.k:hi*a.k], a.u, a.k) })
		a.countPasses(a.k)
	}
	a.passes += float64(d+1) / float64(2*(1+2*m.Rank)) // two lower triangles
	a.copyToModel()
	progress.Passes = a.passes
	return progress, nil
}

// load takes the source's next batch.
func (a *algorithm1Fit) load() error {
	batch, err := a.source.Next()
	if err != nil {
		return err
	}
	if err := shapes(batch, a.model.D, 2); err != nil {
		return err
	}
	if err := squaredOnly("Algorithm 1", Squared, batch); err != nil {
		return err
	}
	a.z, a.y = batch.Z, batch.Y
	n, _ := batch.Z.Dims()
	if n != a.n {
		rows := min(n, design.BlockRows)
		a.n, a.residual = n, make([]float64, n)
		a.zu, a.zq = make([]float64, n*a.k), make([]float64, n*a.k)
		a.block, a.part = make([]float64, rows*(1+2*a.k)), make([]float64, rows)
	}
	return nil
}

// Step does one iteration, on the batch of Start for a fixed source, else on the next one.
// It returns the loss of the new model on the rows it has just learnt from. Step returns a
// [*DivergedError] if that is not finite or, per row, above ten times its start (see also
// Printed), and the errors of Start for rows that do not fit.
func (a *Algorithm1) Step() (Progress, error) {
	if a.err != nil {
		return Progress{Iteration: a.iteration, Loss: math.NaN(), RMSE: math.NaN(), Passes: a.passes}, a.err
	}
	if !a.source.Fixed() {
		if a.err = a.load(); a.err != nil {
			return Progress{Iteration: a.iteration, Loss: math.NaN(), RMSE: math.NaN(), Passes: a.passes}, a.err
		}
		a.predict(true)
	}
	a.iteration++
	a.update()
	a.predict(false)
	a.copyToModel()
	progress := a.progress()
	a.err = a.check(progress)
	return progress, a.err
}

// update moves Ū, V and w.
func (a *Algorithm1) update() {
	d, k := a.model.D, a.k
	sum := kernel.Sum(a.residual)
	mean := a.weights.mean(sum, a.n)
	clear(a.acc)
	clear(a.p2)
	a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.SquaresAdjoint(a.p2, a.residual[lo:hi])
		b.Adjoint(a.acc, a.scaledResiduals(lo, hi, mean), 1+k)
	})
	for j := range d {
		a.p1[j] = a.acc[j*(1+k)]
		copy(a.next[j*k:][:k], a.acc[j*(1+k)+1:])
	}
	a.weights.set(a.c, a.omega, sum, a.p1, a.p2, a.n)
	a.applyM(a.next, a.u)
	for i, v := range a.v {
		a.next[i] = v - a.next[i]
	}
	if a.Record != nil {
		*a.Record = a.iterationMatrices(sum/float64(a.n), mean)
	}
	orthonormalize(a.next, d, k)

	hq := a.acc[:d*k] // Zᵀ(r∘ZŪ⁺), for a centred fit r less its mean, then 𝓜Ū⁺
	clear(hq)
	a.z.Back(design.BlockRows, func(lo, hi int, b design.Block) {
		zq, scaled := a.zq[lo*k:hi*k], a.block[:(hi-lo)*k]
		b.Forward(zq, a.next, k)
		r := a.part[:hi-lo]
		for i := range r {
			r[i] = a.residual[lo+i] - mean
		}
		kernel.RowScale(scaled, r, zq, k)
		b.Adjoint(hq, scaled, k)
	})
	a.applyM(hq, a.next)
	clear(a.rotation)
	kernel.Gemm(k, k, d, 1, a.u, 1, k, a.next, k, 1, a.rotation, k)
	moved := a.u // Ū is not needed any more: V⁺ = V(ŪᵀŪ⁺) − 𝓜Ū⁺
	clear(moved)
	kernel.Gemm(d, k, k, 1, a.v, k, 1, a.rotation, k, 1, moved, k)
	kernel.Axpy(-1, hq, moved)
	a.u, a.v, a.next = a.next, moved, a.v
	a.zu, a.zq = a.zq, a.zu
	kernel.Axpy(-1, a.omega, a.w)
	if a.Record != nil {
		a.Record.Q, a.Record.V = append(a.Record.Q, a.u...), append(a.Record.V, a.v...)
	}
	a.countPasses(1 + 3*k)
}

// scaledResiduals returns [r | (r − mean)∘ZŪ] of a block of rows, (hi−lo)×(1+k).
func (a *algorithm1Fit) scaledResiduals(lo, hi int, mean float64) []float64 {
	k := a.k
	out := a.block[:(hi-lo)*(1+k)]
	for i := lo; i < hi; i++ {
		row, zu, r := out[(i-lo)*(1+k):][:1+k], a.zu[i*k:][:k], a.residual[i]
		row[0] = r
		r -= mean
		for f, v := range zu {
			row[1+f] = r * v
		}
	}
	return out
}

// applyM turns Zᵀ(r∘ZQ) into 𝓜Q = Zᵀ(r∘ZQ)/(2n) − diag(c)Q, in place.
func (a *algorithm1Fit) applyM(hq, q []float64) {
	k := a.k
	for j, c := range a.c {
		for f := j * k; f < (j+1)*k; f++ {
			hq[f] = hq[f]/float64(2*a.n) - float64(c*q[f])
		}
	}
}

// predict sets the residual of the model on the batch. If all is true it sets ZŪ too, which
// else is current.
func (a *algorithm1Fit) predict(all bool) {
	d, k := a.model.D, a.k
	right, columns := 1, 1+k // where ZV starts in a row of products
	if all {
		right, columns = 1+k, 1+2*k
	}
	wuv := a.wuv[:d*columns]
	for j := range d {
		row := wuv[j*columns:][:columns]
		row[0] = a.w[j]
		if all {
			copy(row[1:], a.u[j*k:][:k])
		}
		copy(row[right:], a.v[j*k:][:k])
	}
	diagonal := a.c // free until the next update
	kernel.RowDots(diagonal, a.u, a.v, k)
	a.z.Back(design.BlockRows, func(lo, hi int, b design.Block) {
		part := a.part[:hi-lo]
		if a.model.Kind == fm.IFM {
			b.SquaresForward(part, diagonal)
		} else {
			clear(part)
		}
		products := a.block[:(hi-lo)*columns]
		b.Forward(products, wuv, columns)
		for i := lo; i < hi; i++ {
			row, zu := products[(i-lo)*columns:][:columns], a.zu[i*k:][:k]
			if all {
				copy(zu, row[1:])
			}
			var second float64
			for f, v := range row[right:] {
				second += float64(v * zu[f])
			}
			a.residual[i] = row[0] + second - part[i-lo] - a.y[i]
		}
	})
	a.countPasses(columns)
}

// countPasses adds products of all rows with some columns to the passes.
func (a *algorithm1Fit) countPasses(columns int) {
	a.passes += float64(columns) / float64(2*(1+2*a.model.Rank))
}

// copyToModel copies the fit to the model.
func (a *algorithm1Fit) copyToModel() {
	m, k := a.model, a.k
	m.B = 0
	copy(m.W, a.w)
	clear(m.U)
	clear(m.V)
	for j := range m.D {
		copy(m.U[j*m.Rank:], a.u[j*k:][:k])
		copy(m.V[j*m.Rank:], a.v[j*k:][:k])
	}
}
