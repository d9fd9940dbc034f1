package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/synth"
)

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

// passesTo returns how many passes a solver takes until the test RMSE is below a share
// of the targets' standard deviation, +Inf if more than limit iterations.
func passesTo(t *testing.T, solver Solver, kind fm.Kind, k int, c synth.Config, seed uint64, share float64, limit int) float64 {
	t.Helper()
	s, train, test, y := scaled(t, c, seed)
	m, f := fm.New(kind, c.D, k), make([]float64, c.Test)
	p, err := solver.Start(Problem{Source: Whole(train, y)}, m, rand.New(rand.NewPCG(seed, 4)))
	for range limit {
		require.NoError(t, err)
		m.Predict(f, test, nil)
		kernel.Axpy(-1, s.Test.Y, f)
		if math.Sqrt(kernel.Dot(f, f)/float64(c.Test)) < share {
			return p.Passes
		}
		p, err = solver.Step()
	}
	return math.Inf(1)
}

func TestScaledGDTakesFewerPassesThanAGD(t *testing.T) {
	for _, c := range []struct {
		scenario synth.Scenario
		kind     fm.Kind
	}{{synth.Mixed, fm.IFM}, {synth.PSD, fm.FM}} {
		config := synth.Config{Scenario: c.scenario, D: 30, K: 3, N: 1800, Test: 500}
		seeds := uint64(6)
		if testing.Short() {
			seeds = 2
		}
		var gd, agd float64
		for seed := range seeds { // together: of iFM's fits one in six takes AGD fewer
			gd += passesTo(t, NewScaledGD(), c.kind, 3, config, seed, 1e-6, 200) / float64(seeds)
			agd += passesTo(t, NewAGD(), c.kind, 3, config, seed, 1e-6, 200) / float64(seeds)
		}
		t.Logf("%s %v: %.3g passes, AGD %.3g, means of %d", c.scenario, c.kind, gd, agd, seeds)
		assert.Less(t, gd, .9*agd, "%s %v", c.scenario, c.kind)
	}
}
