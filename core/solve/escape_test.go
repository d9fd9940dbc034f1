package solve

import (
	"math"
	"os"
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

// completedSlowly is what completion does, with whole eigendecompositions.
func completedSlowly(h, root, inverse []float64, d int, limit signCounts) []float64 {
	e := eigen.New(d)
	own := func(a []float64) []float64 { // diag(R⁻¹AR⁻ᵀ)
		v := make([]float64, d)
		for j := range d {
			for i := range d {
				for l := range d {
					v[j] += inverse[j*d+i] * a[i*d+l] * inverse[j*d+l]
				}
			}
		}
		return v
	}
	add := func(a, v []float64, by float64) {
		for j := range d {
			for i := range d {
				for l := range d {
					a[i*d+l] += by * v[j] * root[j*d+i] * root[j*d+l]
				}
			}
		}
	}
	base := append([]float64(nil), h...)
	add(base, own(h), -1)
	a := append([]float64(nil), base...)
	for range 400 {
		e.Of(append([]float64(nil), a...), d)
		low := make([]float64, d*d)
		for _, at := range largestEigenvalues(nil, e, d, limit, limit.within(d), 0) {
			u := e.Vectors[at*d:][:d]
			for i := range d {
				kernel.Axpy(e.Values[at]*u[i], u, low[i*d:][:d])
			}
		}
		copy(a, base)
		add(a, own(low), 1)
		h = low
	}
	return h
}

// A matrix of rank 2 hidden behind a number on its diagonal is found again.
func TestTheCompletionIsThatOfWholeMatrices(t *testing.T) {
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
	slow := completedSlowly(h, root, inverse, d, signCounts{1, 1})
	e := &g.escape.completion
	from, to := newPoint(g.space, 4), newPoint(g.space, 4)
	g.truncation.truncateTo(from, append([]float64(nil), h...), signCounts{2, 2}, 4)
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
		assert.InDeltaSlice(t, slow, to.matrix(d), .02, "in whitened columns")
		assert.InDeltaSlice(t, want, to.matrix(d), .02)
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
