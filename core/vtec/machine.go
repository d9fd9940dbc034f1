package vtec

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
	"ifmlab/core/triangular"
)

// The sweeps of a factorization machine end when one lowers the objective by less than
// leastDecrease of it, or after mostSweeps. On the simulator's first five days, with tuned
// λ, smaller decreases change only the sixth decimal of an RMSE. 60 sweeps change that of
// FM by 1 % and do not improve iFM's.
const (
	leastDecrease = 1e-3
	mostSweeps    = 20
)

// longestStep is the longest extrapolation, in lengths of a sweep's step.
const longestStep = 64

// smallestDamping is added to a penalty, as a share of the mean diagonal of the Gram
// matrix. So every system is solvable with a penalty of 0. It only shortens a step.
const smallestDamping = 1e-10

// TuningError says which of the [Parameters] no fit can use.
type TuningError struct {
	Method Method
	Field  string // "rank", "λ", "λ of w", "length" or "noise"
	Found  float64
}

func (e *TuningError) Error() string {
	return message.Sprintf("vtec: %s of %s is %g, expected a finite number of at least %g", e.Field, e.Method, e.Found, e.least())
}

func (*TuningError) Kind() string { return "TuningError" }

func (e *TuningError) least() float64 {
	switch e.Field {
	case "rank":
		return 1
	case "length":
		return leastLength
	case "noise":
		return leastNoise
	}
	return 0
}

// notFinite returns the error of a fit whose predictions are not finite.
func notFinite(m Method) error {
	return invalid.NotFinite("vtec", "%s predicts NaN or ±Inf, expected delays below 1e100 m", m)
}

// machine is a factorization machine on a window,
//
//	F(x) = wᵀx + Σ_f [(u_f·x)(v_f·x) − Σⱼ u_fj v_fj xⱼ²]
//
// with V = U for FM, and without the last sum for gFM, which keeps the diagonal. It has no
// bias, because double differences cancel it.
//
// Targets are y/ρ, with ρ the root mean square of all double differences y. So penalties
// have no unit:
//
//	min over w, U, V of Σᵢ (yᵢ/ρ − F(xᵢ₀) + F(xᵢ₁) + F(xᵢ₂) − F(xᵢ₃))² + λ_w‖w‖² + λ(‖U‖² + ‖V‖²)
//
// or λ‖U‖² for FM. It is a sum over the n training differences, not a mean.
type machine struct {
	*reduction
	k                            int
	keepsDiagonal                bool      // gFM
	parameters                   []float64 // w, U and, unless FM, V: the next three are parts of it
	w                            []float64
	u, v                         []float64 // k×d; the same slice for FM
	residual                     []float64 // reduced
	unreachable                  float64   // the part of ‖y/ρ‖² that no f of the points can explain
	lambda, lambdaW              float64
	linearRows                   *rows
	factorRows                   *rows
	system                       []float64 // d×d
	lastParameters, lastResidual []float64 // parameters and residual before the last sweep

	step, gradient, diagonal, trial, curved, values, squared []float64 // scratch
}

// factors fits FM, iFM or gFM to the training differences and predicts the test
// differences.
//
// It starts from the ridge fit of w. iFM and gFM start from U ~ N(0, 1/d) and V = 0, FM
// from a tenth of such a U. A sweep goes once through the factors, then through w. For iFM
// and gFM, F is linear in v_f and in u_f, so each in turn becomes the ridge fit to the
// residual of the others. For FM, u_f takes a Gauss–Newton step, whose damping grows until
// the objective does not rise. Then all parameters go on in the direction of the sweep, to
// the minimum on that line. So the objective never rises.
//
// It returns a [*TuningError] or an [*invalid.NotFiniteError]. A sweep costs
// O(k·(r·M·d + d²)), with r the number of stations less two.
func (w *Window) factors(dst []float64, m Method, p Parameters, rng *rand.Rand) error {
	k, lambda, lambdaW := p.Rank, p.Penalty, p.Linear
	if k < 1 {
		return &TuningError{m, "rank", float64(k)}
	}
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return &TuningError{m, "λ", lambda}
	}
	if !(lambdaW >= 0) || math.IsInf(lambdaW, 1) {
		return &TuningError{m, "λ of w", lambdaW}
	}
	scale := w.targetScale()
	if scale == 0 {
		clear(dst)
		return nil
	}
	f := w.newMachine(m, k, lambda, lambdaW, scale, rng)
	before := f.objective()
	for range mostSweeps {
		f.sweep()
		now := f.objective()
		if before-now < leastDecrease*before {
			break
		}
		before = now
	}
	f.predict(dst, w, scale)
	for _, v := range dst {
		if v-v != 0 {
			return notFinite(m)
		}
	}
	return nil
}

// targetScale returns ρ, the root mean square of the training differences.
func (w *Window) targetScale() float64 { return math.Sqrt(kernel.Dot(w.Y, w.Y) / float64(len(w.Y))) }

func (w *Window) newMachine(m Method, k int, lambda, lambdaW, scale float64, rng *rand.Rand) *machine {
	r := w.reduce()
	d := r.d
	f := &machine{
		reduction: r, k: k, keepsDiagonal: m == GFM, lambda: lambda, lambdaW: lambdaW,
		parameters: make([]float64, d*(1+k+k)),
		linearRows: r.newRows(), factorRows: r.newRows(),
		system: make([]float64, d*d),
		step:   make([]float64, d), gradient: make([]float64, d), diagonal: make([]float64, d), trial: make([]float64, r.rank*r.satellites), values: make([]float64, len(r.h)), squared: make([]float64, len(r.h)),
	}
	y := make([]float64, len(w.Y))
	for i, v := range w.Y {
		y[i] = v / scale
	}
	f.residual, f.unreachable = r.project(w, y)
	f.lastResidual, f.curved = make([]float64, len(f.trial)), make([]float64, len(f.trial))
	if m == FM {
		f.parameters = f.parameters[:d*(1+k)]
	}
	f.lastParameters = make([]float64, len(f.parameters))
	f.slice(f.parameters)
	deviation := 1 / math.Sqrt(float64(d))
	if m == FM {
		deviation /= 10
	}
	for c := range k {
		for _, j := range w.drawOrder() {
			f.u[c*d+j] = deviation * rng.NormFloat64()
		}
	}
	if m == FM {
		for c := range k {
			f.subtractPoints(f.residual, f.quadratic(f.u[c*d:][:d]))
		}
	}
	r.linear(f.linearRows)
	f.fit(f.w, f.linearRows, lambdaW)
	return f
}

// drawOrder returns the columns in the order in which starts are drawn: clusters without
// training points, others, those with points of the reference, angles. All documented
// results are those of this order.
func (w *Window) drawOrder() (columns []int) {
	kinds := make([]int, w.M)
	for p, g := range w.Cluster {
		switch {
		case p%w.stations == w.test:
		case p/w.stations == w.Reference:
			kinds[g] = 2
		default:
			kinds[g] = max(kinds[g], 1)
		}
	}
	for kind := range 3 {
		for g, v := range kinds {
			if v == kind {
				columns = append(columns, 2*g, 2*g+1)
			}
		}
	}
	for j := range angles {
		columns = append(columns, 2*w.M+j)
	}
	return columns
}

// slice makes w, u and v the parts of all, which is laid out like parameters.
func (f *machine) slice(all []float64) {
	size := f.k * f.d
	f.w, f.u = all[:f.d], all[f.d:][:size]
	f.v = all[len(all)-size:]
}

// objective returns the value that the fit minimizes.
func (f *machine) objective() float64 {
	penalty := kernel.Dot(f.u, f.u)
	if &f.u[0] != &f.v[0] {
		penalty += kernel.Dot(f.v, f.v)
	}
	return f.unreachable + kernel.Dot(f.residual, f.residual) + f.lambdaW*kernel.Dot(f.w, f.w) + f.lambda*penalty
}

// sweep improves each factor and w once, then extrapolates.
func (f *machine) sweep() {
	copy(f.lastParameters, f.parameters)
	copy(f.lastResidual, f.residual)
	for c := range f.k {
		u, v := f.u[c*f.d:][:f.d], f.v[c*f.d:][:f.d]
		f.bilinear(f.factorRows, u)
		if &u[0] == &v[0] {
			f.gaussNewton(u)
			continue
		}
		f.fit(v, f.factorRows, f.lambda)
		f.bilinear(f.factorRows, v)
		f.fit(u, f.factorRows, f.lambda)
	}
	f.fit(f.w, f.linearRows, f.lambdaW)
	f.extrapolate()
}

// extrapolate goes from the parameters, which a sweep moved by Δ, to the lowest objective
// along parameters + βΔ. There F changes by β(c + q) + β²q, with c its change in the sweep
// and q its second-order part in Δ. So the objective is a polynomial of degree 4 in β.
//
// Alternating fits are slow along narrow valleys. Without this, FM needs three times the
// sweeps.
func (f *machine) extrapolate() {
	clear(f.curved)
	for i, v := range f.parameters {
		f.lastParameters[i] = v - f.lastParameters[i]
	}
	f.slice(f.lastParameters)
	for c := range f.k {
		f.subtractPoints(f.curved, f.bilinearValues(f.u[c*f.d:][:f.d], f.v[c*f.d:][:f.d]))
	}
	f.slice(f.parameters)
	for i, v := range f.lastResidual {
		f.curved[i] = -f.curved[i]
		f.lastResidual[i] = v - f.residual[i] + f.curved[i]
	}
	r, g, h := f.residual, f.lastResidual, f.curved
	w, dw, x, dx := f.parameters[:f.d], f.lastParameters[:f.d], f.parameters[f.d:], f.lastParameters[f.d:]
	p1 := 2 * (f.lambdaW*kernel.Dot(w, dw) + f.lambda*kernel.Dot(x, dx) - kernel.Dot(r, g))
	p2 := f.lambdaW*kernel.Dot(dw, dw) + f.lambda*kernel.Dot(dx, dx) + kernel.Dot(g, g) - 2*kernel.Dot(r, h)
	p3, p4 := 2*kernel.Dot(g, h), kernel.Dot(h, h)
	slope := func(b float64) float64 { return p1 + b*(2*p2+b*(3*p3+b*4*p4)) }
	low, high := 0.0, 1.0
	for slope(high) < 0 && high < longestStep {
		low, high = high, 2*high
	}
	for range 20 {
		if middle := (low + high) / 2; slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	if low*(p1+low*(p2+low*(p3+low*p4))) < 0 {
		kernel.Axpy(low, f.lastParameters, f.parameters)
		kernel.Axpy(-low, g, r)
		kernel.Axpy(-low*low, h, r)
	}
}

// fit moves b to the minimum of ‖residual − R(b′ − b)‖² + λ‖b′‖² over b′, by
//
//	(RᵀR + λI)(b′ − b) = Rᵀresidual − λb
func (f *machine) fit(b []float64, of *rows, lambda float64) {
	f.adjoint(f.step, of, f.residual)
	kernel.Axpy(-lambda, b, f.step)
	if f.newton(of, 1, lambda, 0) {
		f.subtract(f.residual, of, 1, f.step)
		kernel.Axpy(1, f.step, b)
	}
}

// newton replaces the step s by the solution of (scale·RᵀR + (λ + damping)I)s′ = s, with
// the damping as a share of the mean diagonal. It reports whether there is one.
func (f *machine) newton(of *rows, scale, lambda, damping float64) bool {
	d, mean := f.d, 0.0
	for i := range d {
		mean += of.gram[i*d+i]
	}
	mean *= scale / float64(d)
	for i := range d {
		for j, v := range of.gram[i*d:][:i+1] {
			f.system[i*d+j] = scale * v
		}
		f.system[i*d+i] += lambda + (damping+smallestDamping)*mean
	}
	if !triangular.Cholesky(f.system, d, 0) {
		return false
	}
	triangular.Forward(f.system, f.step)
	triangular.Backward(f.system, f.step)
	return true
}

// gaussNewton moves a factor u of an FM. With R the rows of u, its part of F changes with a
// step s by 2Rs + q(s), where q(s) is the part of a factor s.
func (f *machine) gaussNewton(u []float64) {
	f.adjoint(f.gradient, f.factorRows, f.residual)
	base := kernel.Dot(f.residual, f.residual) + f.lambda*kernel.Dot(u, u)
	for damping := 0.; damping < 1e6; damping = max(.01, 10*damping) {
		for j, g := range f.gradient {
			f.step[j] = 2*g - f.lambda*u[j]
		}
		if !f.newton(f.factorRows, 4, f.lambda, damping) {
			continue
		}
		copy(f.trial, f.residual)
		f.subtract(f.trial, f.factorRows, 2, f.step)
		f.subtractPoints(f.trial, f.quadratic(f.step))
		penalty := 0.0
		for j, s := range f.step {
			penalty += (u[j] + s) * (u[j] + s)
		}
		if kernel.Dot(f.trial, f.trial)+f.lambda*penalty <= base {
			copy(f.residual, f.trial)
			kernel.Axpy(1, f.step, u)
			return
		}
	}
}

// bilinear sets the rows of a factor, given the other one.
func (f *machine) bilinear(to *rows, u []float64) { f.reduction.bilinear(to, u, f.keepsDiagonal) }

// quadratic returns (u·x)² − Σ uⱼ²xⱼ² of each point, until the next call.
func (f *machine) quadratic(u []float64) []float64 { return f.bilinearValues(u, u) }

// bilinearValues returns (u·x)(v·x) − Σ uⱼvⱼxⱼ² of each point, until the next call; without
// the sum for gFM.
func (f *machine) bilinearValues(u, v []float64) []float64 {
	q := f.values
	f.dot(v)
	copy(q, f.h)
	if &u[0] != &v[0] {
		f.dot(u)
	}
	if f.keepsDiagonal {
		for p := range q {
			q[p] *= f.h[p]
		}
		return q
	}
	for j := range f.diagonal {
		f.diagonal[j] = u[j] * v[j]
	}
	kernel.RowSquares(f.squared, f.x, f.diagonal)
	for p := range q {
		q[p] = float64(f.h[p]*q[p]) - f.squared[p]
	}
	return q
}

// predict sets dst to the predicted test differences, metres.
func (f *machine) predict(dst []float64, w *Window, scale float64) {
	n, d, k := len(w.points), f.d, f.k
	diagonal := make([]float64, d)
	for i, a := range f.u {
		if !f.keepsDiagonal {
			diagonal[i%d] += float64(a * f.v[i])
		}
	}
	left, right := make([]float64, n*k), make([]float64, n*k)
	kernel.Gemm(n, k, d, 1, w.X, d, 1, f.u, 1, d, left, k)
	kernel.Gemm(n, k, d, 1, w.X, d, 1, f.v, 1, d, right, k)
	products, squares := make([]float64, n), make([]float64, n)
	kernel.RowDots(products, left, right, k)
	kernel.RowSquares(squares, w.X, diagonal)
	clear(dst)
	kernel.Gemm(len(w.Test), 1, d, scale, w.ZTest, d, 1, f.w, 1, 1, dst, 1)
	for i, t := range w.Test {
		for j, p := range t.Points {
			dst[i] += scale * signs[j] * (products[p] - squares[p])
		}
	}
}
