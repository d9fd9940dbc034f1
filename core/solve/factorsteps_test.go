package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

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

func TestFactorStepsAreFiveThenTenThenTwenty(t *testing.T) {
	g := &GaussNewton{tangent: &tangent{}, factors: factorSteps{nextIterations: fewestFactorSteps}}
	for _, want := range []int{5, 10, 20} {
		g.beginFactors()
		got := 1 // the iteration that began them
		for g.countFactorStep(); g.tangent.factorMode; g.countFactorStep() {
			got++
		}
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
