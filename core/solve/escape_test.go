package solve

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// exponential draws noiseless rows of an iFM of k columns over centred exponential
// columns: n×d of variance 1/d.
func exponential(n, d, k int, seed uint64) (*design.Dense, []float64, *fm.Model) {
	rng := random(seed)
	truth := fm.New(fm.IFM, d, k)
	for _, v := range [][]float64{truth.W, truth.U, truth.V} {
		for i := range v {
			v[i] = rng.NormFloat64() / math.Sqrt(float64(d))
		}
	}
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range x {
		x[i] = (rng.ExpFloat64() - 1) / math.Sqrt(float64(d))
	}
	z := design.NewDense(n, d, x)
	truth.Predict(y, z, nil)
	return z, y, truth
}

// disturbed adds noise of so many standard deviations to y.
func disturbed(y []float64, by float64, seed uint64) []float64 {
	_, _, sd := center(append([]float64(nil), y...), len(y), 1)
	out := gaussian(random(seed), len(y))
	for i, v := range y {
		out[i] = v + by*sd[0]*out[i]
	}
	return out
}

// fitted runs a fit to its end, with escapes or without.
func fitted(t *testing.T, kind fm.Kind, k int, z *design.Dense, y []float64, escapes bool) (*GaussNewton, *fm.Model, []Progress) {
	t.Helper()
	_, d := z.Dims()
	g, m := NewGaussNewton(), fm.New(kind, d, k)
	p := run(t, g, Problem{Source: Whole(z, y)}, m, 1, 0)
	if !escapes {
		g.escape.narrowMost = 0
	}
	all := []Progress{p}
	for p.Stop == "" && p.Iteration < 300 {
		p = advance(t, g, 1)
		all = append(all, p)
	}
	return g, m, all
}

func TestAFitLeavesABadMinimum(t *testing.T) {
	stuck, seeds := 0, uint64(30)
	if os.Getenv("IFMLAB_FULL") != "" {
		seeds = 300
	}
	for seed := range seeds {
		z, y, _ := exponential(1000, 20, 2, seed)
		_, _, without := fitted(t, fm.IFM, 2, z, y, false)
		g, _, with := fitted(t, fm.IFM, 2, z, y, true)
		end := with[len(with)-1]
		assert.Less(t, end.RMSE, 1e-10, "seed %d: the truth, at its rank and without noise", seed)
		if without[len(without)-1].RMSE < 1e-6 {
			continue
		}
		stuck++
		assert.Positive(t, g.escape.count, "seed %d", seed)
		for i, p := range with[1:] {
			assert.LessOrEqual(t, p.Loss, with[i].Loss, "seed %d: the model never becomes worse", seed)
			assert.Equal(t, p.Rejected, p.Loss == with[i].Loss, "seed %d, iteration %d: it is held while the fit is elsewhere", seed, p.Iteration)
		}
	}
	assert.Positive(t, stuck, "else nothing was to be shown")
	t.Logf("without escapes %d of %d end above the truth", stuck, seeds)
}

// Where neighbours correlate at .97, one more eigenvalue of each sign promises little, or
// the fit creeps. All of them lead to the truth.
func TestAFitToStronglyCorrelatedColumnsEscapesToAllEigenvalues(t *testing.T) {
	const n, d, k, rho = 610, 12, 2, .97
	stuck, missed, seeds := 0, 0, []uint64{5, 48, 58, 63}
	if os.Getenv("IFMLAB_FULL") != "" {
		seeds = seeds[:0]
		for seed := range uint64(300) {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		_, _, truth := exponential(1, d, k, seed)
		x, y := gaussian(random(seed+1000), n*d), make([]float64, n)
		for i := range n {
			for j := 1; j < d; j++ {
				x[i*d+j] = rho*x[i*d+j-1] + math.Sqrt(1-rho*rho)*x[i*d+j]
			}
		}
		z := design.NewDense(n, d, x)
		truth.Predict(y, z, nil)
		_, _, all := fitted(t, fm.IFM, k, z, y, true)
		if rmse := all[len(all)-1].RMSE; rmse > 1e-6 {
			missed++
			t.Logf("seed %d ends at an RMSE of %.2g", seed, rmse)
		}
		without := NewGaussNewton()
		p := run(t, without, Problem{Source: Whole(z, y)}, fm.New(fm.IFM, d, k), 1, 0)
		without.escape.fullMost = 0
		for p.Stop == "" && p.Iteration < 300 {
			p = advance(t, without, 1)
		}
		if p.RMSE > 1e-6 {
			stuck++
		}
	}
	assert.LessOrEqual(t, missed, len(seeds)/200, "one of 300 is known")
	assert.Positive(t, stuck, "else nothing was to be shown")
	t.Logf("without them %d of %d end above the truth", stuck, len(seeds))
}

// At half the rank of the columns the shares of L's own diagonal lead back to the same bad
// minimum. Other diagonals lead out of it.
func TestCompletionsStartFromOtherDiagonalsAfterTheShares(t *testing.T) {
	for _, seed := range []uint64{15, 79, 108, 130, 186, 234} {
		z, y, _ := exponential(350, 8, 2, seed)
		g, _, all := fitted(t, fm.IFM, 2, z, y, true)
		assert.Less(t, all[len(all)-1].RMSE, 1e-10, "seed %d", seed)
		assert.Greater(t, g.escape.count, len(diagonalShares), "seed %d: else it shows nothing", seed)
	}
}

func TestAnEscapeThatNoiseExplainsLeavesTheFitAsItIs(t *testing.T) {
	for _, kind := range kinds {
		z, y, _ := exponential(1000, 20, 2, 3)
		if kind == fm.FM {
			truth := fm.New(fm.FM, 20, 2)
			copy(truth.U, gaussian(random(4), len(truth.U)))
			truth.Predict(y, z, nil)
		}
		y = disturbed(y, .5, 5)
		_, want, without := fitted(t, kind, 2, z, y, false)
		g, m, with := fitted(t, kind, 2, z, y, true)
		before, after := without[len(without)-1], with[len(with)-1]
		require.Positive(t, g.escape.count, "%v", kind)
		require.False(t, g.escape.lowerLoss, "%v", kind)
		assert.Equal(t, before.Loss, after.Loss, "%v: to the last bit", kind)
		assert.Equal(t, before.Stop, after.Stop, "%v", kind)
		assert.Equal(t, [][]float64{want.W, want.U, want.V}, [][]float64{m.W, m.U, m.V}, "%v", kind)
		assert.LessOrEqual(t, after.Passes, 1.5*before.Passes, "%v: what it costs is little beside the fit", kind)
	}
}

func TestAFitBelowTheRankOfTheTruthSaysSo(t *testing.T) {
	z, y, _ := exponential(1500, 20, 2, 1)
	_, _, all := fitted(t, fm.IFM, 1, z, disturbed(y, .05, 2), true)
	assert.Equal(t, stopAbove, all[len(all)-1].Stop)
	_, _, all = fitted(t, fm.IFM, 2, z, disturbed(y, .05, 2), true)
	assert.Equal(t, stopLoss, all[len(all)-1].Stop)
}

// A matrix of rank 2 hidden behind a number on its diagonal is found again.
func TestTheCompletionFindsWhatADiagonalHides(t *testing.T) {
	t.Run("of independent columns", func(t *testing.T) { completes(t, false) })
	t.Run("of columns of which one is the sum of two others", func(t *testing.T) { completes(t, true) })
}

func completes(t *testing.T, collinear bool) {
	const d, k = 9, 1
	z, y, _ := exponential(4000, d, k, 6)
	if n, _ := z.Dims(); collinear {
		for i := range n {
			row := z.Row(i)
			row[d-1] = row[0] + row[1]
		}
	}
	g := NewGaussNewton()
	run(t, g, Problem{Source: Whole(z, y)}, fm.New(fm.IFM, d, k), 1, 0)
	root, inverse := g.space.root, g.space.inverseRoots[:d*d]
	u, v := gaussian(random(7), d), gaussian(random(8), d)
	h := make([]float64, d*d)
	for i := range d {
		for j := range d {
			h[i*d+j] = u[i]*u[j] - v[i]*v[j] + 3*root[2*d+i]*root[2*d+j] - root[5*d+i]*root[5*d+j]
		}
	}
	want := append([]float64(nil), h...)
	for i := range d {
		for j := range d {
			want[i*d+j] = u[i]*u[j] - v[i]*v[j]
		}
	}
	e := &g.escape.completion
	from, to := newPoint(g.space, 4), newPoint(g.space, 4)
	g.truncation.truncateTo(from, append([]float64(nil), h...), signCounts{2, 2}, 4, 0)
	kernel.Gemm(2*d, from.m, d, 1, g.space.inverseRoots, d, 1, from.v, from.m, 1, from.vx, from.m)
	e.setDiagonals(from, 0)
	// The residuals of the points, whose linear parts are the same.
	g.tangent.evaluate(from)
	moved := func(p *point) float64 {
		copy(p.omega, from.omega)
		g.tangent.evaluate(p)
		sum := 0.0
		for i, r := range p.r {
			sum += (r - from.r[i]) * (r - from.r[i]) / float64(len(p.r))
		}
		return math.Sqrt(sum)
	}
	whole := moved(newPoint(g.space, 0)) // of a point without interactions
	e.complete(to, g.truncation, from.v, from.s[:from.m], root, inverse)
	// δ settles to 1e-3 of the diagonal.
	if !collinear { // else L̃ along what no row shows counts here, too, and the scaled columns serve
		assert.Less(t, moved(to), .01*whole, "in whitened columns")
		assert.InDeltaSlice(t, want, to.matrix(d), .02, "in whitened columns")
	}
	e.complete(&e.truncated, g.truncation, from.vx[:d*from.m], from.s[:from.m], nil, nil)
	g.truncation.transform(to, &e.truncated, root)
	assert.Less(t, moved(to), .01*whole, "in scaled ones")
	if !collinear {
		assert.InDeltaSlice(t, want, to.matrix(d), .02, "in scaled ones")
	}
}

// A symmetric matrix of full rank has all its numbers, one of rank 1 those of a vector,
// and each rank more has one number less to choose.
func TestAFitHasTheNumbersOfItsSymmetricMatrix(t *testing.T) {
	s := &space{q: 7}
	const linear = 1 + 7
	assert.Equal(t, linear, s.parameters(0))
	assert.Equal(t, linear+7, s.parameters(1))
	assert.Equal(t, linear+7*8/2, s.parameters(7))
	for m := range 7 {
		assert.Equal(t, 7-m, s.parameters(m+1)-s.parameters(m))
	}
}

func TestOrthonormalRowsMultiplyBackAndDependentOnesVanish(t *testing.T) {
	const size, d = 4, 9
	rng := random(5)
	w := gaussian(rng, size*d)
	for j := range d {
		w[2*d+j] = w[j] - 3*w[d+j]
	}
	q, r := slices.Clone(w), make([]float64, size*size)
	orthonormalizeRows(q, r, size, d)
	for f := range size {
		for j := range d {
			product := 0.0
			for e := range size {
				product += r[e*size+f] * q[e*d+j]
			}
			require.InDelta(t, w[f*d+j], product, 1e-13)
		}
	}
	assert.Equal(t, make([]float64, d), q[2*d:3*d])
	assert.Zero(t, r[2*size+2])
}

func TestTopKeepsTheLargestOfEachSign(t *testing.T) {
	e := eigen.New(6)
	copy(e.Values, []float64{1, -5, 3, -2, 4, 1e-20})
	assert.Equal(t, []int{1, 4, 2}, largestEigenvalues(nil, e, 6, signCounts{2, 1}, 6, 0))
	assert.Equal(t, []int{4, 2, 0, 5}, largestEigenvalues(nil, e, 6, signCounts{6, 0}, 6, 0))
	assert.Equal(t, []int{4, 2, 0}, largestEigenvalues(nil, e, 6, signCounts{6, 0}, 6, 1e-15), "rounding is left out")
	assert.Equal(t, []int{1}, largestEigenvalues(nil, e, 6, signCounts{6, 6}, 1, 0))
}

// The one of few columns goes through a basis of V and C, the other through the whole
// matrix, as this oracle does.
func TestARetractionIsTheTruncatedMatrix(t *testing.T) {
	const d = 7
	for _, m := range []int{2, 3, 4} {
		rng := random(uint64(m))
		limit := signCounts{m, 1}
		g := newTruncation(d, limit.within(d), limit)
		from, to := tall(d, g.capacity), tall(d, g.capacity)
		from.m = m
		rows := gaussian(rng, m*d)
		orthonormalizeRows(rows, make([]float64, m*m), m, d)
		for f := range m {
			from.s[f] = float64(2 - f)
			for j := range d {
				from.v[j*m+f] = rows[f*d+j]
			}
		}
		c := gaussian(rng, d*m)
		whole := make([]float64, d*d)
		for i := range d {
			for j := range d {
				for f := range m {
					whole[i*d+j] += from.s[f]*from.v[i*m+f]*from.v[j*m+f] + from.v[i*m+f]*c[j*m+f] + c[i*m+f]*from.v[j*m+f]
				}
			}
		}
		want := tall(d, g.capacity)
		newTruncation(d, limit.within(d), limit).truncate(want, whole)
		g.retract(to, from, c)
		assert.Equal(t, want.m, to.m)
		assert.InDeltaSlice(t, want.matrix(d), to.matrix(d), 1e-12, "m = %d", m)
	}
}

func tall(d, most int) *point {
	return &point{v: make([]float64, d*most), s: make([]float64, most)}
}

// matrix returns V·diag(s)·Vᵀ.
func (p *point) matrix(d int) []float64 {
	out := make([]float64, d*d)
	for i := range d {
		for j := range d {
			for f, s := range p.s[:p.m] {
				out[i*d+j] += s * p.v[i*p.m+f] * p.v[j*p.m+f]
			}
		}
	}
	return out
}

// descended returns the RMSE after 1000 iterations of AGD.
func descended(t *testing.T, kind fm.Kind, k int, z *design.Dense, y []float64) float64 {
	t.Helper()
	_, d := z.Dims()
	return run(t, NewAGD(), Problem{Source: Whole(z, y)}, fm.New(kind, d, k), 1, 1000).RMSE
}

// skewed are lognormal columns that depend on a flag, which is the target.
func skewed(seed uint64) (*design.Dense, []float64) {
	const n, d = 300, 6
	rng := random(seed)
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range n {
		flag := float64(rng.IntN(2))
		for j := range d {
			x[i*d+j] = math.Exp(.8*rng.NormFloat64() + flag*float64(j%3-1))
		}
		y[i] = flag + .1*rng.NormFloat64()
	}
	return design.NewDense(n, d, x), y
}

// In all of these the first step in the tangent space is rejected; in 5, 22 and 36
// the spectral values lead uphill too.
func TestFMFitsSkewedTablesAsWellAsAGD(t *testing.T) {
	for _, seed := range []uint64{5, 8, 22, 25, 36} {
		z, y := skewed(seed)
		g, _, p := converge(t, fm.FM, 2, z, y, 0)
		assert.Greater(t, g.factors.nextIterations, fewestFactorSteps, "seed %d: factor steps were needed", seed)
		// They may stop in other minima, and the last part in 1000 of a descent is slow.
		assert.Less(t, p.RMSE, 1.002*descended(t, fm.FM, 2, z, y), "seed %d", seed)
	}
}

// The spectral matrix has no positive eigenvalue: the squares, which FM cannot
// follow, outweigh the product, which it can.
func TestFMGrowsFromNothing(t *testing.T) {
	const n = 200
	rng := random(0)
	x, y := gaussian(rng, 2*n), make([]float64, n)
	for i := range y {
		a, b := x[2*i], x[2*i+1]
		y[i] = -a*a - b*b + a*b/2
	}
	z := design.NewDense(n, 2, x)
	g := NewGaussNewton()
	start := run(t, g, Problem{Source: Whole(z, y)}, fm.New(fm.FM, 2, 1), 1, 0)
	require.Zero(t, g.point.m)
	_, _, p := converge(t, fm.FM, 1, z, y, 0)
	assert.Less(t, p.RMSE, .99*start.RMSE)
	assert.Less(t, p.RMSE, descended(t, fm.FM, 1, z, y)*(1+1e-6), "at the only minimum")
}

func TestDirectionsGrowAlongTheGradient(t *testing.T) {
	z, y := skewed(1)
	g := NewGaussNewton()
	run(t, g, Problem{Source: Whole(z, y)}, fm.New(fm.FM, 6, 1), 1, 0)
	p := g.point
	require.Zero(t, p.s[0])
	h := g.halfGradient(p.r, true)
	q := g.space.q
	loss := func(u []float64, s float64) float64 {
		copy(p.v, u)
		p.s[0] = s
		g.tangent.evaluate(p)
		return p.loss
	}
	for seed := range uint64(5) {
		u := gaussian(random(seed), q)
		want := 0.0
		for i := range q {
			want -= 2 * u[i] * kernel.Dot(h[i*q:][:q], u)
		}
		const step = 1e-4
		// The loss is quadratic in s, so that a central difference has but rounding.
		assert.InDelta(t, want, (loss(u, step)-loss(u, -step))/(2*step), 1e-10, "seed %d", seed)
	}
}

func TestWhatGrowsIsAcrossWhatIsThere(t *testing.T) {
	const q, m = 6, 2
	g := &GaussNewton{space: &space{q: q}, inner: make([]float64, m*q)}
	v, scratch := gaussian(random(2), m*q), make([]float64, m*m)
	orthonormalizeRows(v, scratch, m, q) // m rows
	columns := make([]float64, q*m)
	for f := range m {
		for j := range q {
			columns[j*m+f] = v[f*q+j]
		}
	}
	h := gaussian(random(3), q*q)
	symmetrize(h, q, .5)
	want := make([]float64, q*q)
	for i := range q {
		for j := range q {
			for a := range q {
				for b := range q {
					want[i*q+j] += acrossElement(v, m, q, i, a) * h[a*q+b] * acrossElement(v, m, q, b, j)
				}
			}
		}
	}
	g.projectOut(h, columns, m)
	assert.InDeltaSlice(t, want, h, 1e-13)
}

// acrossElement returns element (i,j) of 1 − VVᵀ, the m rows of v being those of Vᵀ.
func acrossElement(v []float64, m, q, i, j int) float64 {
	p := 0.0
	if i == j {
		p = 1
	}
	for f := range m {
		p -= v[f*q+i] * v[f*q+j]
	}
	return p
}

// From s = 0 the loss along the spectral values is lowest where they are scaled to.
func TestFactorStepsFromNothingStartAtTheSpectralValues(t *testing.T) {
	scales := map[bool]bool{}
	for _, seed := range []uint64{5, 8, 25} {
		z, y := skewed(seed)
		g := NewGaussNewton()
		run(t, g, Problem{Source: Whole(z, y)}, fm.New(fm.FM, 6, 2), 1, 0)
		p := g.point
		require.Equal(t, make([]float64, p.m), p.s[:p.m])
		before := p.loss
		started := g.startFactors()
		scales[started] = true
		if !started {
			for _, by := range []float64{1e-4, 1e-2, 1} { // they lead uphill
				copy(p.s, g.spectral)
				kernel.Axpy(by-1, g.spectral, p.s[:p.m])
				g.tangent.evaluate(p)
				assert.Greater(t, p.loss, before, "seed %d", seed)
			}
			continue
		}
		assert.True(t, g.tangent.factorMode)
		least, by := p.loss, p.s[0]/g.spectral[0]
		for i, v := range g.spectral {
			assert.InEpsilon(t, by*v, p.s[i], 1e-12)
		}
		for _, step := range []float64{-.1, .1, -1} {
			kernel.Axpy(step*by, g.spectral, p.s[:p.m])
			g.tangent.evaluate(p)
			assert.Greater(t, p.loss, least, "seed %d", seed)
			kernel.Axpy(-step*by, g.spectral, p.s[:p.m])
		}
	}
	assert.Len(t, scales, 2, "of these three, uphill and downhill")
}

func TestFactorStepsAreFiveThenTenThenTwenty(t *testing.T) {
	g := &GaussNewton{tangent: &tangent{}, factors: factorSteps{nextIterations: fewestFactorSteps}, lastGradient: 3, accuracy: 3}
	for _, want := range []int{5, 10, 20} {
		g.beginFactors()
		got := 1 // the iteration that began them
		for g.countFactorStep(); g.tangent.factorMode; g.countFactorStep() {
			got++
			g.lastGradient, g.accuracy = 3, 3
		}
		assert.Equal(t, []float64{0, mostAccuracy}, []float64{g.lastGradient, g.accuracy}, "the first solve of the tangent space is as after a start")
		assert.Equal(t, want, got)
	}
}

func TestFactorStepsThatCameToNothingLeaveNothing(t *testing.T) {
	g, _ := under(t, fm.FM, 0, false)
	before, loss := append([]float64(nil), g.point.s[:g.point.m]...), g.point.loss
	g.point.s[0] = 0
	before[0] = 0
	g.tangent.evaluate(g.point)
	loss = g.point.loss
	require.True(t, g.startFactors())
	require.NotEqual(t, loss, g.point.loss, "a value of 0 was raised")
	g.undoFactors(before)
	assert.Equal(t, loss, g.point.loss)
	assert.False(t, g.tangent.factorMode)
	assert.Equal(t, fewestFactorSteps, g.factors.nextIterations)
}
