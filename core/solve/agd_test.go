package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
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

// U·c and V/c are the same UVᵀ, and steps along exact lines keep it so: what c is
// does not show. A power of two does not even round.
func TestTheSizeOfTheStartIsNothingToIFMAndSomethingToFM(t *testing.T) {
	const d, k, n = 12, 2, 600
	losses := func(kind fm.Kind, norm float64, scaled bool) (list []float64) {
		rng := random(8)
		b := newSecondOrder(kind, d, k, false, rng).rows(gaussianColumns, n, rng)
		var s Solver = &AGD{StartNorm: norm}
		if scaled {
			s = &ScaledGD{StartNorm: norm}
		}
		p, err := s.Start(Problem{Source: Whole(b.Z, b.Y), Loss: Squared}, fm.New(kind, d, k), random(9))
		for range 30 {
			require.NoError(t, err)
			list = append(list, p.Loss)
			p, err = s.Step()
		}
		return list
	}
	for _, scaled := range []bool{false, true} {
		for _, kind := range []fm.Kind{fm.IFM, fm.GFM} {
			usual := losses(kind, 0, scaled)
			assert.Equal(t, usual, losses(kind, 1, scaled), "%v, scaled %v: 0 stands for 1", kind, scaled)
			if !scaled { // there ε has the units of HᵀH, and 1 of the penalty's
				assert.Equal(t, usual, losses(kind, 1024, scaled), kind)
				assert.Equal(t, usual, losses(kind, 1./1024, scaled), kind)
			}
		}
		assert.Equal(t, losses(fm.FM, 0, scaled), losses(fm.FM, .1, scaled), "FM, scaled %v: 0 stands for a tenth", scaled)
	}
	assert.NotEqual(t, losses(fm.FM, .125, false)[29], losses(fm.FM, 8, false)[29])
}

// scaledStarted is started for ScaledGD.
func scaledStarted(t *testing.T, kind fm.Kind, lambda float64) (s *ScaledGD, m *fm.Model, z *design.Dense, y []float64) {
	t.Helper()
	const d, k = 6, 3
	z, y = table(3, d)
	m, s = fm.New(kind, d, k), NewScaledGD()
	run(t, s, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, 4, 2)
	return s, m, z, y
}

func TestScaledDirectionIsTheGradientTimesTheInverseGram(t *testing.T) {
	for _, kind := range kinds {
		for _, lambda := range []float64{0, 7} {
			s, m, _, y := scaledStarted(t, kind, lambda)
			held := m.Right()
			mv := blockUpdate{block: m.U, other: held, zOther: s.agd.zv, diagonal: kind == fm.IFM}
			if kind == fm.FM {
				mv = blockUpdate{block: m.U, other: m.U, zOther: s.agd.zu, double: true, diagonal: true}
			}
			s.agd.scaling = nil
			s.agd.setDescent(mv)
			gradient := mat.NewDense(m.D, m.Rank, append([]float64{}, s.agd.descent...)) // which meets finite differences
			s.agd.scaling = new(scaledGD)
			s.agd.setDescent(mv)

			h := mat.NewDense(m.D, m.Rank, held)
			var gram, inverse, want, product mat.Dense
			gram.Mul(h.T(), h)
			ridge := 1e-10*mat.Trace(&gram)/float64(m.Rank) + lambda/float64(len(y))
			for f := range m.Rank {
				gram.Set(f, f, gram.At(f, f)+ridge)
			}
			require.NoError(t, inverse.Inverse(&gram))
			want.Mul(gradient, &inverse)
			product.MulElem(gradient, &want)
			// Rounding times the condition of the Gram matrix, about 1e3 here.
			assert.InDeltaSlice(t, want.RawMatrix().Data, s.agd.descent, 1e-11*mat.Norm(&want, 2), "%v, λ = %g", kind, lambda)
			assert.InEpsilon(t, mat.Sum(&product), s.agd.slopeAlong, 1e-11, "%v, λ = %g", kind, lambda)
		}
	}
}

// Rows that each weigh 1 are the same problem, but w takes passes of its own there.
func TestDescentTakesTheSameStepsWhetherWHasPassesOfItsOwnOrNot(t *testing.T) {
	for _, kind := range kinds {
		for _, lambda := range []float64{0, 7} {
			z, y := table(3, 6)
			ones := make([]float64, len(y))
			for i := range ones {
				ones[i] = 1
			}
			var losses [2][]float64
			for i, source := range []Batches{Whole(z, y), Weighted(z, y, ones)} {
				a := NewAGD()
				p := run(t, a, Problem{Source: source, Penalty: L2(lambda)}, fm.New(kind, 6, 3), 4, 0)
				assert.Equal(t, i == 0, a.linear.gram != nil)
				for range 30 {
					losses[i] = append(losses[i], p.Loss)
					p = advance(t, a, 1)
				}
			}
			// Rounding, which thirty steps make ten times larger at most.
			assert.InEpsilonSlice(t, losses[1], losses[0], 1e-11, "%v, λ = %g", kind, lambda)
		}
	}
}

// Two columns that are nearly one leave a line on which gᵀ(ZᵀZ)g is nothing but
// rounding; a step as long as that says would be of any length.
func TestALineThatTheGramMatrixCannotMeasureTakesItsPass(t *testing.T) {
	const n = 200
	x, y := make([]float64, 2*n), make([]float64, n)
	for i := range y {
		common, own := float64(i%2*2-1), 1e-6*float64(i/2%2*2-1)
		x[2*i], x[2*i+1] = common+own, common-own
		y[i] = own
	}
	a := NewAGD()
	start := run(t, a, Problem{Source: Whole(design.NewDense(n, 2, x), y)}, fm.New(fm.IFM, 2, 1), 1, 0)
	_, ok := a.linear.curvature([]float64{1, -1})
	assert.False(t, ok)
	_, ok = a.linear.curvature([]float64{1, 1})
	assert.True(t, ok)
	end := advance(t, a, 1)
	// What is left is the rounding of 1 ± 1e-6.
	assert.InDeltaSlice(t, []float64{.5, -.5}, a.model.W, 1e-4)
	assert.Less(t, end.Loss, 1e-8*start.Loss)
}

// What ScaledGD is for: U·A and V·A⁻ᵀ are the same M, and it takes the same steps
// from either.
func TestScaledStepsDoNotDependOnHowTheFactorsShareTheirProduct(t *testing.T) {
	for _, kind := range []fm.Kind{fm.GFM, fm.IFM} {
		var predictions [2][]float64
		for i, stretch := range [][]float64{{1, 1, 1}, {8, .25, 2}} { // exact in binary
			s, m, z, y := scaledStarted(t, kind, 0)
			for j := range m.D {
				for f, by := range stretch {
					m.U[j*m.Rank+f] *= by
					m.V[j*m.Rank+f] /= by
				}
			}
			s.agd.setResidual(y)
			z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Forward(s.agd.zv[lo*m.Rank:hi*m.Rank], m.V, m.Rank) })
			advance(t, s, 5)
			predictions[i] = make([]float64, len(y))
			m.Predict(predictions[i], z, nil)
		}
		// Predictions are of order 10. The ridge of 1e-10 is what tells the two
		// apart, times the square of the lengths' ratio, 32.
		assert.InDeltaSlice(t, predictions[0], predictions[1], 1e-5, "%v", kind)
	}
}
