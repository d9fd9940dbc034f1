package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/synth"
)

// converge fits until the solver stops, for at most 100 iterations.
func converge(t testing.TB, kind fm.Kind, k int, z design.Design, y []float64, lambda float64) (*GaussNewton, *fm.Model, Progress) {
	t.Helper()
	_, d := z.Dims()
	m, g := fm.New(kind, d, k), NewGaussNewton()
	p := run(t, g, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, 1, 0)
	for p.Stop == "" && p.Iteration < 100 {
		p = advance(t, g, 1)
	}
	return g, m, p
}

// under returns a solver that has done two steps on table(3, 6), at some distance
// from its end, and a random change of its model.
func under(t *testing.T, kind fm.Kind, lambda float64, factors bool) (g *GaussNewton, x []float64) {
	t.Helper()
	z, y := table(3, 6)
	g = NewGaussNewton()
	run(t, g, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, fm.New(kind, 6, 2), 1, 2)
	g.tangent.point, g.tangent.factorMode = g.point, factors
	return g, change(g.tangent, 8)
}

// change returns a random x of the tangent space: E is a symmetric matrix times V.
func change(t *tangent, seed uint64) []float64 {
	q, m, k := t.q, t.m, t.m+1
	x, s := gaussian(random(seed), q*k), gaussian(random(seed+1), q*q)
	symmetrize(s, q, .5)
	for j := range q {
		clear(x[j*k+1 : (j+1)*k])
	}
	kernel.Gemm(q, m, q, 1, s, q, 1, t.v, m, 1, x[1:], k)
	return x
}

// jacobian returns Jx.
func jacobian(t *tangent, x []float64) []float64 {
	t.setDirection(x)
	t.z.Each(design.BlockRows, t.forwardBlock)
	rho := append([]float64(nil), t.change...)
	mean := kernel.Sum(rho) / float64(len(rho))
	for i := range rho {
		rho[i] -= mean
	}
	return rho
}

// moved evaluates the model after a step of h·x in another point.
func moved(g *GaussNewton, x []float64, h float64) *point {
	g.tangent.point = g.point
	for i, v := range x {
		g.x[i] = h * v
	}
	g.makeCandidate()
	g.tangent.point = g.point
	return g.trial
}

// modes are the ways a model is moved: all kinds in the tangent space, FM by its
// factors too.
var modes = []struct {
	kind    fm.Kind
	factors bool
}{{fm.IFM, false}, {fm.GFM, false}, {fm.FM, false}, {fm.FM, true}}

func TestJMeetsFiniteDifferencesAlongTheRetraction(t *testing.T) {
	for _, mode := range modes {
		g, x := under(t, mode.kind, 0, mode.factors)
		want := jacobian(g.tangent, x)
		const h = 1e-5
		up := append([]float64(nil), moved(g, x, h).r...)
		down := moved(g, x, -h).r
		for i, v := range want {
			// Central differences err by h² times a third derivative of about 100 and
			// by rounding, 1e-15/h.
			require.InDelta(t, v, (up[i]-down[i])/(2*h), 1e-7*(1+math.Abs(v)), "%v, row %d", mode, i)
		}
	}
}

func TestTheGradientMeetsFiniteDifferencesOfTheLoss(t *testing.T) {
	for _, mode := range modes {
		for _, lambda := range []float64{0, 30} {
			g, x := under(t, mode.kind, lambda, mode.factors)
			g.tangent.gradient(g.gradientAt)
			const h = 1e-5
			up := moved(g, x, h).loss
			down := moved(g, x, -h).loss
			slope := kernel.Dot(g.gradientAt[:len(x)], x)
			require.NotZero(t, slope)
			// As above; the loss is about 1e-2 and its rounding 1e-18.
			assert.InDelta(t, slope, (up-down)/(2*h), 1e-7*max(1, math.Abs(slope)), "%v, λ = %g", mode, lambda)
		}
	}
}

func TestThePredictedFallIsThatOfTheQuadratic(t *testing.T) {
	for _, mode := range modes {
		g, _ := under(t, mode.kind, 30, mode.factors)
		g.gradient()
		g.tangent.damping = .2
		predicted := g.solve()
		g.tangent.damping = 0
		x := append([]float64(nil), g.x[:g.point.size(g.tangent.q)]...)
		image := make([]float64, len(x))
		g.tangent.normal(image, x)
		want := -kernel.Dot(g.gradientAt[:len(x)], x) - kernel.Dot(x, image)/2
		require.Positive(t, want)
		// The floor under the damping is 1e-10 of ½‖x‖², which is not 1e4 times the fall.
		assert.InEpsilon(t, want, predicted, 1e-6, "%v", mode)
	}
}

// The product of the normal equations reads each row once. ⟨x', Nx⟩ is that of two
// passes over J, which meets finite differences, and of the penalty by its definition.
func TestTheNormalProductIsThatOfItsParts(t *testing.T) {
	for _, mode := range modes {
		const lambda = 40.
		g, x := under(t, mode.kind, lambda, mode.factors)
		g.tangent.damping = .3
		got := make([]float64, len(x))
		g.tangent.normal(got, x)
		n := float64(g.tangent.n)
		for seed := range uint64(5) {
			other := change(g.tangent, 20+seed)
			want := kernel.Dot(jacobian(g.tangent, other), jacobian(g.tangent, x)) / n
			for i := range x {
				if i%(g.tangent.m+1) > 0 {
					want += .3 * other[i] * x[i]
				}
			}
			want += 2 * lambda / n * kernel.Dot(matrixChange(g.tangent, x), matrixChange(g.tangent, other))
			assert.InDelta(t, want, kernel.Dot(other, got), 1e-8, "%v: floor·⟨x,x'⟩ is 1e-9", mode)
		}
	}
}

// matrixChange returns V·Cᵀ + C·Vᵀ, element by element.
func matrixChange(t *tangent, x []float64) []float64 {
	t.scaleChange(t.c, t.m, x[1:], t.m+1)
	out := make([]float64, t.q*t.q)
	for i := range t.q {
		for j := range t.q {
			for f := range t.m {
				out[i*t.q+j] += t.v[i*t.m+f]*t.c[j*t.m+f] + t.c[i*t.m+f]*t.v[j*t.m+f]
			}
		}
	}
	return out
}

func TestThePreconditionerIsTheNormalMatrixOfGaussianRows(t *testing.T) {
	const n, d, k = 40000, 6, 1
	rng := random(31)
	z := design.NewDense(n, d, autoregressive(n, d, .5, rng))
	y := gaussian(rng, n)
	for i := range y {
		y[i] += 20 * z.Row(i)[0] * z.Row(i)[3]
	}
	g := NewGaussNewton()
	run(t, g, Problem{Source: Whole(z, y)}, fm.New(fm.IFM, d, k), 1, 1)
	g.tangent.point = g.point
	m, product := g.tangent.m, make([]float64, d*(g.tangent.m+1))
	identity := 0.0
	for seed := range uint64(20) {
		x, e := change(g.tangent, seed), make([]float64, d*m)
		for j := range d {
			x[j*(m+1)] = 0
			copy(e[j*m:(j+1)*m], x[j*(m+1)+1:])
		}
		g.tangent.normal(product, x)
		got, size := make([]float64, d*m), kernel.Dot(x, x)
		g.tangent.gaussianNormal(got, e, 1)
		want := kernel.Dot(x, product)
		// A mean of n products of four Gaussians, whose variance is about 100.
		assert.InDelta(t, want/size, kernel.Dot(e, got)/size, 3*10/math.Sqrt(n), "seed %d", seed)
		identity = max(identity, math.Abs(want/size-1))
	}
	assert.Greater(t, identity, .3, "without the correction it would be wrong")
}

// awkwardUnits are columns of means and scales that no one would choose.
func awkwardUnits(seed uint64, n, d int) (*design.Dense, []float64) {
	rng := random(seed)
	x, y := gaussian(rng, n*d), make([]float64, n)
	for i := range n {
		row := x[i*d:][:d]
		y[i] = 5e4 + 300*(row[0]+row[1]*row[2]-row[3]*row[d-1]+.1*rng.NormFloat64())
		for j := range row {
			row[j] = 1e3*float64(j%3-1) + row[j]*math.Pow(10, float64(j%7-3))
		}
	}
	return design.NewDense(n, d, x), y
}

func TestTheUnitsOfColumnsDoNotMatter(t *testing.T) {
	const n, d = 300, 7
	z, y := awkwardUnits(3, n, d)
	var plain []float64
	for i := range n {
		for j, v := range z.Row(i) {
			plain = append(plain, (v-1e3*float64(j%3-1))/math.Pow(10, float64(j%7-3)))
		}
	}
	for _, kind := range kinds {
		_, _, want := converge(t, kind, 2, design.NewDense(n, d, plain), y, 3)
		_, _, got := converge(t, kind, 2, z, y, 3)
		// Columns of 1000 ± 0.001 keep ten of their digits.
		assert.InEpsilonSlice(t, []float64{want.RMSE, want.Loss}, []float64{got.RMSE, got.Loss}, 1e-6, "%v", kind)
	}
}

func TestTheRankCountsWhatIsNotRounding(t *testing.T) {
	// gFM keeps its diagonal, so nothing but the truth fits: 2xᵀuuᵀx.
	z, _ := table(2, 5)
	y := make([]float64, 2*design.BlockRows+37)
	for i := range y {
		along := z.Row(i)[0] + z.Row(i)[3]
		y[i] = 1 + z.Row(i)[1] + 2*along*along
	}
	g, _, p := converge(t, fm.GFM, 2, z, y, 0)
	positive, negative := g.Rank()
	assert.Equal(t, [2]int{1, 0}, [2]int{positive, negative}, "%v", p)
}

func TestOneStepMoreThanEnoughChangesNothing(t *testing.T) {
	z, y := table(2, 5)
	g, m, p := converge(t, fm.IFM, 2, z, y, 1)
	require.NotEmpty(t, p.Stop)
	before := clone(m)
	again := advance(t, g, 1)
	assert.Equal(t, p, again)
	assert.Equal(t, before, m)
}

// slowLoss is the objective from its definition: ½‖f − y‖² + λ·tr(LΣLΣ), L being
// the interactions with their diagonal and Σ the covariances of the columns, their
// eigenvalues raised to what whiten says.
func slowLoss(m *fm.Model, z *design.Dense, y []float64, lambda float64) float64 {
	n, d := z.Dims()
	l := (&fm.Model{Kind: fm.GFM, D: d, Rank: m.Rank, U: m.U, V: m.Right()}).Interaction()
	covariance, mean := make([]float64, d*d), make([]float64, d)
	for i := range n {
		for j, v := range z.Row(i) {
			mean[j] += v / float64(n)
		}
	}
	for i := range n {
		for a, v := range z.Row(i) {
			for b, w := range z.Row(i) {
				covariance[a*d+b] += (v - mean[a]) * (w - mean[b]) / float64(n)
			}
		}
	}
	if m.Kind != fm.GFM {
		raise(covariance, d)
	}
	product, trace := make([]float64, d*d), 0.0
	kernel.Gemm(d, d, d, 1, l, d, 1, covariance, d, 1, product, d)
	for a := range d {
		for b := range d {
			trace += product[a*d+b] * product[b*d+a]
		}
	}
	return objective(m, z, y, 0) + lambda*trace
}

// raise raises the eigenvalues of the correlations that belong to covariances to 1e-5
// times how many columns vary.
func raise(covariance []float64, d int) {
	var columns []int
	for j := range d {
		if covariance[j*d+j] > 0 {
			columns = append(columns, j)
		}
	}
	n := len(columns)
	e, correlation := eigen.New(n), make([]float64, n*n)
	for a, i := range columns {
		for b, j := range columns {
			correlation[a*n+b] = covariance[i*d+j] / math.Sqrt(covariance[i*d+i]*covariance[j*d+j])
		}
	}
	sd := make([]float64, n)
	for a, i := range columns {
		sd[a] = math.Sqrt(covariance[i*d+i])
	}
	e.Of(correlation, n)
	for f, v := range e.Values {
		for a, i := range columns {
			for b, j := range columns {
				covariance[i*d+j] += max(0, 1e-5*float64(n)-v) * e.Vectors[f*n+a] * e.Vectors[f*n+b] * sd[a] * sd[b]
			}
		}
	}
}

// columnsOf draws one number of a column of some sort, before is that of the column
// before.
var columnsOf = []func(rng *rand.Rand, before float64) float64{
	func(rng *rand.Rand, _ float64) float64 { return rng.NormFloat64() },
	func(rng *rand.Rand, _ float64) float64 { return float64(rng.IntN(2)) },
	func(rng *rand.Rand, _ float64) float64 { return 1e9 + 1e6*float64(rng.IntN(3)) },
	func(rng *rand.Rand, _ float64) float64 { return math.Pow(rng.NormFloat64(), 9) },
	func(rng *rand.Rand, _ float64) float64 { return 3 },
	func(rng *rand.Rand, before float64) float64 { return 2 * before },
	func(rng *rand.Rand, _ float64) float64 { return 1e-8 * rng.NormFloat64() },
}

func TestNoSmallTableIsTooOdd(t *testing.T) {
	for seed := range uint64(200) {
		rng := random(seed)
		n, d, k := 1+rng.IntN(40), 1+rng.IntN(12), rng.IntN(15)
		x, y, sort := make([]float64, n*d), make([]float64, n), make([]int, d)
		for j := range sort {
			sort[j] = rng.IntN(len(columnsOf))
		}
		for i := range n {
			before := 0.0
			for j := range d {
				before = columnsOf[sort[j]](rng, before)
				x[i*d+j] = before
			}
			y[i] = float64(rng.IntN(5))
		}
		g, m := NewGaussNewton(), fm.New(kinds[seed%3], d, k)
		p := run(t, g, Problem{Source: Whole(design.NewDense(n, d, x), y), Penalty: L2(float64(3 * rng.IntN(2)))}, m, 1, 0)
		for p.Stop == "" && p.Iteration < 30 {
			last := p
			p = advance(t, g, 1)
			require.LessOrEqual(t, p.Loss, last.Loss*(1+1e-13), "seed %d, iteration %d", seed, p.Iteration)
		}
		require.False(t, math.IsNaN(p.Loss) || math.IsNaN(p.RMSE) || math.IsNaN(m.B), "seed %d", seed)
	}
}

func TestLevelsThatNeverMeetGetNoInteractions(t *testing.T) {
	z, y := awkwardRows(2, 200, 1)
	_, m, p := converge(t, fm.IFM, 2, z, y, 0)
	for _, u := range append(m.U, m.V...) {
		assert.InDelta(t, 0, u, 1e-6, "their M does nothing, whatever it is")
	}
	assert.NotEmpty(t, p.Stop)
	assert.Equal(t, 1, p.Iteration, "it does not go on to fit rounding")
}

func TestAConstantTargetIsFittedAtTheStart(t *testing.T) {
	z, _ := table(2, 3)
	n, _ := z.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = 7.1
	}
	for _, kind := range kinds {
		_, m, p := converge(t, kind, 2, z, y, 1)
		assert.Equal(t, Progress{Stop: "the targets are constant"}, p)
		assert.Equal(t, 7.1, m.B)
	}
	_, m, p := converge(t, fm.IFM, 2, design.NewDense(4, 1, []float64{5, 5, 5, 5}), []float64{1, 2, 3, 4}, 0)
	assert.Equal(t, "no column varies", p.Stop)
	assert.Equal(t, 2.5, m.B)
	assert.InDelta(t, math.Sqrt(1.25), p.RMSE, 1e-15)
	assert.InDelta(t, 2.5, p.Loss, 1e-14)
}

func TestStartIsTheLinearFitWhateverTheModelHeld(t *testing.T) {
	z, y := table(2, 5)
	_, linear, _ := converge(t, fm.IFM, 0, z, y, 0)
	for _, kind := range kinds {
		m := fm.New(kind, 5, 2)
		m.B, m.W[3], m.U[4] = 8, -2, 3
		p := run(t, NewGaussNewton(), Problem{Source: Whole(z, y)}, m, 1, 0)
		assert.Zero(t, p.Iteration)
		assert.Equal(t, make([]float64, 10), m.U)
		for j, w := range linear.W {
			assert.InDelta(t, w, m.W[j], 1e-9)
		}
		assert.InEpsilon(t, objective(m, z, y, 0), p.Loss, 1e-12)
	}
}

// A direction along which the rows are 0 still adds to the predictions when the
// diagonal is removed: with columns a, a, b, b the products of equal ones are squares.
func TestCopiesOfColumnsMakeSquares(t *testing.T) {
	const n = 500
	rng := random(7)
	x, y := make([]float64, n*4), make([]float64, n)
	for i := range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		copy(x[4*i:], []float64{a, a, b, b})
		y[i] = a*a + b*b
	}
	_, m, p := converge(t, fm.IFM, 1, design.NewDense(n, 4, x), y, 0)
	assert.Less(t, p.RMSE, 1e-9, "%v", p)
	for _, u := range append(m.U, m.V...) {
		assert.Less(t, math.Abs(u), 10., "of moderate size")
	}
	for i := range y {
		y[i] = -x[4*i] * x[4*i]
	}
	_, _, p = converge(t, fm.FM, 1, design.NewDense(n, 4, x), y, 0)
	assert.Less(t, p.RMSE, 1e-9, "FM has −a² from a factor of a − a: %v", p)
}

func TestColumnsThatHardlyDifferAreToldApartDownToRounding(t *testing.T) {
	const n = 500
	for _, c := range []struct {
		apart     float64
		low, high float64 // RMSE
		most      float64 // coefficient
	}{
		{1e-5, 0, 1e-8, 1.1e5},
		{1e-6, 0, 1e-7, 1.1e6}, // the correlations have a rounding of 1e-16 in 1e-12
		{1e-8, .9, 1.1, 1},     // an eigenvalue of 1e-16 is rounding
		{0, .9, 1.1, 1},
	} {
		rng := random(1)
		x, y := make([]float64, 2*n), make([]float64, n)
		for i := range y {
			a, b := rng.NormFloat64(), rng.NormFloat64()
			x[2*i], x[2*i+1], y[i] = a, a+c.apart*b, b
		}
		for _, kind := range kinds {
			_, m, p := converge(t, kind, 0, design.NewDense(n, 2, x), y, 0)
			assert.GreaterOrEqual(t, p.RMSE, c.low, "%v, %g apart", kind, c.apart)
			assert.LessOrEqual(t, p.RMSE, c.high, "%v, %g apart", kind, c.apart)
			assert.LessOrEqual(t, math.Abs(m.W[0]), c.most, "%v, %g apart", kind, c.apart)
		}
	}
}

// Rows that hardly tell more than the model has coefficients make steps of many
// products, of which some fail.
func TestAnIterationHoldsWhereItsWorkIsDone(t *testing.T) {
	const n, d, k = 150, 20, 10
	rng := random(5)
	z, y := design.NewDense(n, d, autoregressive(n, d, .9, rng)), gaussian(rng, n)
	held := 0
	for _, kind := range kinds {
		m, g := fm.New(kind, d, k), NewGaussNewton()
		p, err := g.Start(Problem{Source: Whole(z, y)}, m, nil)
		stop := Stop{Tolerance: 1e-9}
		for p.Stop == "" && p.Iteration < 60 {
			require.NoError(t, err)
			if p.Rejected {
				require.Empty(t, stop.Reason(p, math.NaN()))
			}
			last, before := p, clone(m)
			p, err = g.Step()
			// Products, gradients, and for each candidate half a pass.
			require.LessOrEqual(t, p.Passes-last.Passes, 60.+5, "%v, iteration %d", kind, p.Iteration)
			if p.Rejected {
				held++
				require.Equal(t, []float64{last.Loss, last.RMSE}, []float64{p.Loss, p.RMSE})
				require.Equal(t, before, m)
			}
		}
	}
	assert.Positive(t, held)
}

func TestAPenaltyLeavesTheProblemWellConditioned(t *testing.T) {
	for _, mode := range modes {
		g, _ := under(t, mode.kind, 3000, mode.factors) // ten a row
		g.gradient()
		g.setDamping()
		g.accuracy = 1e-3
		before := g.tangent.work
		g.solve()
		assert.LessOrEqual(t, (g.tangent.work-before)/2, 5., "%v: products", mode)
	}
}

func TestAModelThatPredictsSomethingElseIsAnError(t *testing.T) {
	for _, c := range []struct{ x, y, offset float64 }{{1e-150, 1e150, 0}, {1e150, 1e-150, 0}, {1, 1, 1e9}, {1e-9, 1, 1e6}} {
		z, y := table(3, 6)
		n, d := z.Dims()
		x := make([]float64, 0, n*d)
		for i := range n {
			for _, v := range z.Row(i) {
				x = append(x, c.x*v+c.offset)
			}
			y[i] *= c.y
		}
		g := NewGaussNewton()
		p, err := g.Start(Problem{Source: Whole(design.NewDense(n, d, x), y)}, fm.New(fm.IFM, d, 2), nil)
		for err == nil && p.Stop == "" {
			p, err = g.Step()
		}
		var imprecise *PrecisionError
		require.ErrorAs(t, err, &imprecise, "%+v", c)
		assert.False(t, imprecise.Off <= 1e-3, "%+v: %v", c, err)
		assert.Equal(t, p.Iteration, imprecise.Iteration)
		assert.True(t, math.IsNaN(p.RMSE))
	}
	assert.EqualError(t, &PrecisionError{Iteration: 2, Off: .057}, "solve: at iteration 2 the coefficients of the fit, in the units of its columns, predict 0.057 standard deviations of the target beside it; centre and scale the columns and the target")
}

// The two Gram matrices are d(d + 16) multiply-adds a row, a pass 2d(2k + 2).
func TestPassesCountTheWork(t *testing.T) {
	_, train, _, y := scaled(t, synth.Config{Scenario: synth.Mixed, D: 32, K: 2, N: 500}, 1)
	for kind, columns := range map[fm.Kind]float64{fm.IFM: 6, fm.GFM: 6, fm.FM: 4} {
		g := NewGaussNewton()
		p := run(t, g, Problem{Source: Whole(train, y)}, fm.New(kind, 32, 2), 1, 0)
		grams, linear, start := (32.+16)/(2*columns), 2/(2*columns), .5
		assert.InDelta(t, grams+linear+start, p.Passes, 1e-12, "%v", kind)
		q := advance(t, g, 1)
		// At least a gradient, one product of conjugate gradients and a candidate.
		assert.GreaterOrEqual(t, q.Passes-p.Passes, 2., "%v", kind)
		halves := 2 * (q.Passes - p.Passes)
		assert.InDelta(t, math.Round(halves), halves, 1e-9, "%v", kind)
	}
}

// autoregressive draws n rows of variance 1/d whose columns j and l have
// correlation rho^|j−l|.
func autoregressive(n, d int, rho float64, rng *rand.Rand) []float64 {
	x, fresh := make([]float64, n*d), math.Sqrt(1-rho*rho)
	for i := range n {
		last := rng.NormFloat64()
		for j := range d {
			x[i*d+j] = last / math.Sqrt(float64(d))
			last = rho*last + fresh*rng.NormFloat64()
		}
	}
	return x
}

func TestRejectionsRaiseTheDampingFasterAndFaster(t *testing.T) {
	g := &GaussNewton{tangent: new(tangent), growth: 2}
	for _, want := range []float64{1e-2, 4e-2, .32, 5.12} {
		g.reject()
		assert.InEpsilon(t, want, g.damping, 1e-14)
	}
	assert.Equal(t, 4, g.rejections)
}
