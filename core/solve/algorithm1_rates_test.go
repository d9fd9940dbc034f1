package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/moment"
	"ifmlab/core/synth"
)

// The theorem's shape: the error falls linearly, at a rate like √(kd/n).
func TestCorrectedAlgorithm1ConvergesAtTheTheoremsRate(t *testing.T) {
	const d, k = 40, 3
	multiples, seeds := []int{60, 120, 240}, uint64(2) // of fifteen fits all were within 1.37 and 1.47
	if testing.Short() {
		multiples, seeds = []int{60}, 1
	}
	for _, multiple := range multiples {
		n := multiple * k * d
		for seed := range seeds {
			rng := random(seed)
			truth := newSecondOrder(fm.GFM, d, k, true, rng)
			eps := recoveries(t, NewAlgorithm1(), fm.GFM, truth, fresh(func() Batch { return truth.rows(gaussianColumns, n, rng) }), k, 30)
			scaled := rate(eps) * math.Sqrt(float64(n)/(k*d))
			t.Logf("n = %d kd, seed %d: rate %.3f, rate·√(n/kd) %.2f, ε_T/ε₀ %.1g after %d", multiple, seed, rate(eps), scaled, eps[len(eps)-1]/eps[0], len(eps)-1)
			// Measured 1.45 to 1.48 on a prototype.
			assert.GreaterOrEqual(t, scaled, 1.2, "n = %d kd, seed %d", multiple, seed)
			assert.LessOrEqual(t, scaled, 1.8, "n = %d kd, seed %d", multiple, seed)
			assert.Less(t, eps[len(eps)-1], 1e-4*eps[0])
		}
	}
}

func TestSignsAreRefusedForGFMAndFittedByIFM(t *testing.T) {
	const d, k, n = 20, 2, 100 * 2 * 20
	rng := random(3)
	truth := newSecondOrder(fm.GFM, d, k, true, rng)
	b := truth.rows(signColumns, n, rng)
	for want, a := range map[float64]*Algorithm1{1 / math.Sqrt(n): {}, moment.TauFloor: {Kappa: slices.Repeat([]float64{0}, d), Phi: slices.Repeat([]float64{1}, d)}} {
		_, err := a.Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.GFM, d, k), nil)
		var singular *moment.SingularMomentError
		require.ErrorAs(t, err, &singular)
		assert.Equal(t, want, singular.Floor)
		assert.InDelta(t, 0, singular.Tau, 1e-12)
		assert.Zero(t, singular.Feature)
		_, again := a.Step()
		assert.Equal(t, err, again)
	}
	truth = newSecondOrder(fm.IFM, d, k, true, random(4))
	eps := recoveries(t, NewAlgorithm1(), fm.IFM, truth, fresh(func() Batch { return truth.rows(signColumns, n, rng) }), k, 25)
	assert.Less(t, eps[len(eps)-1], 1e-3*eps[0])
}

// Columns of nearly two values, with a τ that n rows cannot tell from 0, have an
// inverse, but one of errors: the cut has to leave it out.
func TestPseudoInverseLeavesOutWhatIsNearlySingular(t *testing.T) {
	const d, k, n = 20, 2, 100 * 2 * 20
	rng, of := random(1), threePoint(1/(1+.2/math.Sqrt(n)))
	truth := newSecondOrder(fm.GFM, d, k, true, rng)
	eps := recoveries(t, &Algorithm1{Pseudo: true}, fm.GFM, truth, fresh(func() Batch { return truth.rows(of, n, rng) }), k, 20)
	t.Logf("ε falls to %.2g of its start in %d iterations", eps[len(eps)-1]/eps[0], len(eps)-1)
	assert.Less(t, eps[len(eps)-1], 1e-3*eps[0]) // 9e-6 at most, over five seeds
}

// scaled draws a sample and divides its columns by 1/√D, their standard
// deviation, and its targets by theirs. y are the training targets.
func scaled(t testing.TB, c synth.Config, seed uint64) (s *synth.Sample, train, test *design.Dense, y []float64) {
	t.Helper()
	stream := func(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }
	s, err := synth.Generate(c, synth.Streams{Truth: stream(0), Train: stream(1), Test: stream(2)})
	require.NoError(t, err)
	for _, rows := range []synth.Rows{s.Train, s.Test} {
		for i := range rows.X {
			rows.X[i] *= math.Sqrt(float64(c.D))
		}
		for i := range rows.Y {
			rows.Y[i] /= s.SD
		}
	}
	return s, design.NewDense(c.N, c.D, s.Train.X), design.NewDense(c.Test, c.D, s.Test.X), s.Train.Y
}
