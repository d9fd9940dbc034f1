package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

var kinds = []fm.Kind{fm.FM, fm.GFM, fm.IFM}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// table is a random problem of three blocks, the last one incomplete: Gaussian
// columns of different means and scales, targets of second order with noise.
func table(seed uint64, d int) (*design.Dense, []float64) {
	const n = 2*design.BlockRows + 37
	rng := random(seed)
	x, truth := gaussian(rng, n*d), gaussian(rng, d*d)
	y := gaussian(rng, n)
	for i := range n {
		row := x[i*d:][:d]
		for j := range row {
			row[j] = row[j]*(1+.1*float64(j)) + .3*float64(j%3-1)
		}
		for a := range row {
			y[i] += 2 * row[a] * truth[a]
			for b := range a {
				y[i] += row[a] * row[b] * truth[a*d+b]
			}
		}
	}
	return design.NewDense(n, d, x), y
}

// coefficients returns the model written out.
func coefficients(m *fm.Model) fm.Coefficients {
	return fm.Coefficients{B: m.B, W: m.W, M: m.Interaction()}
}

func predict(c fm.Coefficients, x []float64) float64 {
	f := c.B
	for i, v := range x {
		f += v * c.W[i]
		for j, w := range x {
			f += v * c.M[i*len(x)+j] * w
		}
	}
	return f
}

// clone returns a copy that shares nothing with m.
func clone(m *fm.Model) *fm.Model {
	c := fm.New(m.Kind, m.D, m.Rank)
	c.Set(m)
	return c
}

// objective is the loss that AGD minimises, from its definition: the sum over
// rows of ½(f − y)², f summed over all pairs, plus the penalty.
func objective(m *fm.Model, z *design.Dense, y []float64, lambda float64) float64 {
	c, loss := coefficients(m), 0.0
	for i := range y {
		loss += square(predict(c, z.Row(i))-y[i]) / 2
	}
	for _, block := range [][]float64{m.W, m.U, m.V} {
		for _, v := range block {
			loss += lambda * v * v / 2
		}
	}
	return loss
}

func square(x float64) float64 { return x * x }

// started returns a solver on table(3, d) whose model has left the zeros of its
// start.
func started(t *testing.T, kind fm.Kind, lambda float64) (a *AGD, m *fm.Model, z *design.Dense, y []float64) {
	t.Helper()
	const d, k = 6, 3
	z, y = table(3, d)
	m, a = fm.New(kind, d, k), NewAGD()
	run(t, a, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, 4, 2)
	return a, m, z, y
}

// blocks names each matrix of a model with the direction that AGD takes in it.
func blocks(a *AGD, m *fm.Model) map[string]struct {
	values    []float64
	direction func() []float64
} {
	type block = struct {
		values    []float64
		direction func() []float64
	}
	diagonal := m.Kind != fm.GFM
	factor := func(mv blockUpdate) func() []float64 {
		return func() []float64 { a.setDescent(mv); return a.descent }
	}
	out := map[string]block{"w": {m.W, func() []float64 { a.stepLinear(); return a.gradientW }}}
	if m.Kind == fm.FM {
		out["U"] = block{m.U, factor(blockUpdate{block: m.U, other: m.U, zOther: a.zu, double: true, diagonal: true})}
		return out
	}
	out["U"] = block{m.U, factor(blockUpdate{block: m.U, other: m.V, zOther: a.zv, diagonal: diagonal})}
	out["V"] = block{m.V, factor(blockUpdate{block: m.V, other: m.U, zOther: a.zu, diagonal: diagonal})}
	return out
}

func TestGradientsMeetFiniteDifferences(t *testing.T) {
	for _, kind := range kinds {
		for _, lambda := range []float64{0, 7} {
			a, m, z, y := started(t, kind, lambda)
			for name, block := range blocks(a, m) {
				at := append([]float64{}, block.values...)
				want := fd.Gradient(nil, func(x []float64) float64 {
					copy(block.values, x)
					return objective(m, z, y, lambda)
				}, at, &fd.Settings{Formula: fd.Central})
				copy(block.values, at)
				got := block.direction()
				scale := 0.0
				for _, g := range want {
					scale = max(scale, math.Abs(g))
				}
				require.NotZero(t, scale)
				// Central differences of a loss L with steps of 6e-6 are good to
				// eps·L/6e-6, here 1e-7 of the largest entry with a margin of ten.
				for i := range want {
					require.InDelta(t, want[i], got[i], 1e-6*scale, "%v, λ = %g, %s[%d]", kind, lambda, name, i)
				}
			}
		}
	}
}

func TestProductsStayCurrent(t *testing.T) {
	for _, kind := range kinds {
		a, m, z, y := started(t, kind, .5)
		advance(t, a, 1000)
		f := make([]float64, len(y))
		m.Predict(f, z, nil)
		kernel.Axpy(-1, y, f)
		// A thousand updates of a residual, rounded to eps of targets of about 10.
		for i := range f {
			require.InDelta(t, f[i], a.residual[i], 1e-11, "%v, row %d", kind, i)
		}
	}
}

func TestLossIsTheDefinition(t *testing.T) {
	for _, kind := range kinds {
		a, m, z, y := started(t, kind, 2)
		p := advance(t, a, 1)
		assert.InEpsilon(t, objective(m, z, y, 2), p.Loss, 1e-12, "%v", kind)
		assert.InEpsilon(t, math.Sqrt(2*objective(m, z, y, 0)/float64(len(y))), p.RMSE, 1e-12, "%v", kind)
		assert.Equal(t, 3, p.Iteration)
	}
}

func stepV(a *AGD) {
	m := a.model
	a.stepFactor(blockUpdate{block: m.V, other: m.U, zOther: a.zu, diagonal: m.Kind == fm.IFM}, a.zv)
}

func stepU(a *AGD) {
	m := a.model
	a.stepFactor(blockUpdate{block: m.U, other: m.V, zOther: a.zv, diagonal: m.Kind == fm.IFM}, a.zu)
}

// along sets m to the point that is part of the way from one model to another.
func along(m, from, to *fm.Model, part float64) {
	for _, b := range [][3][]float64{{m.W, from.W, to.W}, {m.U, from.U, to.U}, {m.V, from.V, to.V}} {
		for i := range b[0] {
			b[0][i] = b[1][i] + part*(b[2][i]-b[1][i])
		}
	}
}

func TestStartKeepsTheLinearPartItIsGiven(t *testing.T) {
	z, y := table(2, 5)
	for _, kind := range kinds {
		m := fm.New(kind, 5, 2)
		copy(m.W, []float64{1, -2, 3, 0, .5})
		m.B = 4
		want := clone(m)
		p := run(t, NewAGD(), Problem{Source: Whole(z, y)}, m, 6, 0)
		assert.Equal(t, want.W, m.W)
		assert.Equal(t, want.B, m.B)
		assert.Equal(t, 0, p.Iteration)
		assert.InEpsilon(t, objective(m, z, y, 0), p.Loss, 1e-12)
	}
}

func TestALossAboveTenTimesItsStartIsADivergence(t *testing.T) {
	a, _, _, _ := started(t, fm.IFM, 0)
	a.residual[0] = 1e6 // no input does this: the line search is exact
	p, err := a.Step()
	var diverged *DivergedError
	require.ErrorAs(t, err, &diverged)
	assert.Equal(t, &DivergedError{Iteration: 3, Began: 3, Loss: p.Loss, Start: a.start}, diverged)
	assert.Contains(t, err.Error(), "at iteration 3")
	assert.Contains(t, err.Error(), "and has risen since iteration 3; scale the columns")
}

func TestALineWithoutCurvatureIsNotFollowed(t *testing.T) {
	// One row, one column: nothing is left to fit once the bias is.
	z := design.NewDense(1, 1, []float64{2})
	for _, kind := range kinds {
		m, a := fm.New(kind, 1, 1), NewAGD()
		run(t, a, Problem{Source: Whole(z, []float64{3})}, m, 1, 0)
		for range 3 {
			p := advance(t, a, 1)
			assert.InDelta(t, 0, p.Loss, 1e-28, "%v", kind)
		}
	}
}

func TestEachStepEndsAtTheMinimumOfItsLine(t *testing.T) {
	steps := map[fm.Kind]map[string]func(*AGD){
		fm.FM:  {"w": (*AGD).stepLinear, "U": (*AGD).stepSquare},
		fm.GFM: {"w": (*AGD).stepLinear, "V": stepV, "U": stepU},
		fm.IFM: {"w": (*AGD).stepLinear, "V": stepV, "U": stepU},
	}
	for _, kind := range kinds {
		for name, step := range steps[kind] {
			// λ small beside the rows, and so large that it decides the step.
			for _, lambda := range []float64{0, 7, 1e4} {
				for _, isScaled := range []bool{false, true} {
					a, m, z, y := started(t, kind, lambda)
					if isScaled {
						var s *ScaledGD
						s, m, z, y = scaledStarted(t, kind, 7) // at 1e4 the factors would be 0 by now
						a = &s.agd
						a.lambda = lambda
					}
					before := clone(m)
					step(a)
					here, at := objective(m, z, y, lambda), fmt.Sprintf("%v, %s, λ = %g, scaled %v", kind, name, lambda, isScaled)
					assert.Less(t, here, objective(before, z, y, lambda), at)
					for _, part := range []float64{.1, .9, .99, 1.01, 1.1, 2} {
						beside := clone(before)
						along(beside, before, m, part)
						assert.Less(t, here, objective(beside, z, y, lambda), "%s, %g of the step", at, part)
					}
				}
			}
		}
	}
}
