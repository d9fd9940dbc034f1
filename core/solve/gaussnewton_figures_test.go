package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/synth"
)

// descent is a fit of a synthetic truth: the relative test RMSE (divided by the
// standard deviation of the test targets) and the passes done at every
// iteration.
type descent struct {
	test, passes []float64
	last         Progress
	secondOrder  float64 // of the targets, in their standard deviations
}

// reach returns the passes after which the test RMSE was below a bound, +Inf
// where it never was.
func (h descent) reach(bound float64) float64 {
	for i, v := range h.test {
		if v <= bound {
			return h.passes[i]
		}
	}
	return math.Inf(1)
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

// descend fits the truth of a scenario on correlated rows until the solver
// stops or the test RMSE is enough, for at most 60 iterations.
func descend(t testing.TB, kind fm.Kind, c synth.Config, rho float64, k int, seed uint64, enough float64) descent {
	t.Helper()
	stream := func(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }
	drawn := c
	drawn.N, drawn.Test = 0, 0
	s, err := synth.Generate(drawn, synth.Streams{Truth: stream(0), Train: stream(1), Test: stream(2)})
	require.NoError(t, err)
	train := design.NewDense(c.N, c.D, autoregressive(c.N, c.D, rho, stream(1)))
	test := design.NewDense(c.Test, c.D, autoregressive(c.Test, c.D, rho, stream(2)))
	y, want := make([]float64, c.N), make([]float64, c.Test)
	s.Truth.Predict(y, train, nil)
	s.Truth.Predict(want, test, nil)
	return follow(t, kind, k, train, y, test, want, s.SecondOrderSD, enough)
}

func follow(t testing.TB, kind fm.Kind, k int, train *design.Dense, y []float64, test *design.Dense, want []float64, secondOrder, enough float64) descent {
	_, _, sd := center(slices.Clone(want), len(want), 1)
	h := descent{secondOrder: secondOrder / sd[0]}
	_, d := train.Dims()
	m, g := fm.New(kind, d, k), NewGaussNewton()
	p, err := g.Start(Problem{Source: Whole(train, y)}, m, nil)
	f := make([]float64, len(want))
	var scratch fm.Scratch
	for {
		require.NoError(t, err)
		m.Predict(f, test, &scratch)
		kernel.Axpy(-1, want, f)
		h.test = append(h.test, math.Sqrt(kernel.Dot(f, f)/float64(len(f)))/sd[0])
		h.passes = append(h.passes, p.Passes)
		h.last = p
		if p.Stop != "" || p.Iteration == 60 || h.test[len(h.test)-1] <= enough {
			return h
		}
		p, err = g.Step()
	}
}

// spread returns the median and the largest.
func spread(x []float64) (median, worst float64) {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2], x[len(x)-1]
}

// The figures of the default solver at the size of the paper's Figure 1, in
// passes over the rows, the two Gram matrices (about 5 for iFM, 8 for FM) included.
// Those of iFM on independent columns are an acceptance test of the whole. Where
// columns are correlated the worst of four seeds took 42 passes at most, 4 more than
// their median, so two tell enough of a bound of 120.
func TestGaussNewtonFitsTheTruthInAFewPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("22 fits of 15000×100 take a minute")
	}
	for _, c := range []struct {
		scenario synth.Scenario
		kind     fm.Kind
		rho      float64
		n        int
		six, ten float64 // passes to 1e-6 and 1e-10
		seeds    uint64
	}{
		{synth.PSD, fm.FM, 0, 15000, 30, 45, 10},
		{synth.Mixed, fm.IFM, .3, 15000, 120, 0, 2},
		{synth.Mixed, fm.IFM, .6, 15000, 120, 0, 2},
		{synth.Mixed, fm.IFM, .9, 15000, 120, 0, 2},
		{synth.PSD, fm.IFM, .3, 15000, 120, 0, 2},
		{synth.PSD, fm.IFM, .6, 15000, 120, 0, 2},
		{synth.PSD, fm.IFM, .9, 15000, 120, 0, 2},
		{synth.PSD, fm.IFM, 0, 1500, 200, 0, 10},
		{synth.Mixed, fm.IFM, 0, 1500, 400, 0, 10},
	} {
		t.Run(fmt.Sprintf("%s %v, correlation %g, %d rows", c.scenario, c.kind, c.rho, c.n), func(t *testing.T) {
			t.Parallel()
			var six, ten []float64
			enough := 1e-6
			if c.ten > 0 {
				enough = 1e-10
			}
			for seed := range c.seeds {
				h := descend(t, c.kind, synth.Config{Scenario: c.scenario, D: 100, K: 5, N: c.n, Test: 5000}, c.rho, 5, seed, enough)
				six, ten = append(six, h.reach(1e-6)), append(ten, h.reach(1e-10))
			}
			median, worst := spread(six)
			assert.LessOrEqual(t, worst, c.six, "%.0f", six)
			t.Logf("passes to 1e-6: %.0f, at worst %.0f", median, worst)
			if c.ten > 0 {
				median, worst = spread(ten)
				assert.LessOrEqual(t, worst, c.ten, "%.0f", ten)
				t.Logf("to 1e-10: %.0f, at worst %.0f", median, worst)
			}
		})
	}
}

// Where FM cannot follow the truth: in c it ends at the part of negative sign, in b
// within a fifth of the whole second-order part, lower than AGD in 100 iterations
// (.90 and up), for it drifts on to where AGD would be after thousands.
func TestGaussNewtonsFMEndsAtItsFloors(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of passes over 15000×100 take a minute")
	}
	for _, c := range []struct {
		scenario  synth.Scenario
		low, high float64 // test RMSE in standard deviations of the second-order part
	}{{synth.Flipped, .80, 1.05}, {synth.Mixed, .60, .80}} {
		t.Run(string(c.scenario), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(4) {
				h := descend(t, fm.FM, synth.Config{Scenario: c.scenario, D: 100, K: 5, N: 15000, Test: 5000}, 0, 5, seed, 0)
				end := h.test[len(h.test)-1] / h.secondOrder
				assert.GreaterOrEqual(t, end, c.low, "seed %d", seed)
				assert.LessOrEqual(t, end, c.high, "seed %d", seed)
				t.Logf("%.3f after %.0f passes, %d iterations: %s", end, h.last.Passes, h.last.Iteration, h.last.Stop)
			}
		})
	}
}
