package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/synth"
)

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

// curve returns the test RMSE at iterations 0 to steps, in units of the
// standard deviation of the second-order part.
func curve(t *testing.T, kind fm.Kind, c synth.Config, seed uint64, steps int) []float64 {
	t.Helper()
	s, train, test, y := scaled(t, c, seed)
	m, a, f := fm.New(kind, c.D, c.K), NewAGD(), make([]float64, c.Test)
	_, err := a.Start(Problem{Source: Whole(train, y)}, m, rand.New(rand.NewPCG(seed, 4)))
	rmse := make([]float64, steps+1)
	var scratch fm.Scratch
	for i := range rmse {
		require.NoError(t, err)
		m.Predict(f, test, &scratch)
		kernel.Axpy(-1, s.Test.Y, f)
		rmse[i] = math.Sqrt(kernel.Dot(f, f)/float64(c.Test)) * s.SD / s.SecondOrderSD
		_, err = a.Step()
	}
	return rmse
}

// The same link gives the same curve: on every machine, natively and in wasm.
// When one of these numbers changes, so does every curve that was ever shared;
// write in the commit why.
func TestACurveHasTheSameBitsEverywhere(t *testing.T) {
	c := synth.Config{Scenario: synth.Mixed, D: 13, K: 3, N: 700, Test: 300, Noise: .1}
	for kind, want := range map[fm.Kind]float64{fm.FM: 0x1.40a07bc4ce54fp-01, fm.GFM: 0x1.27f5b96ef83c6p-02, fm.IFM: 0x1.3c88900fd987cp-03} {
		got := curve(t, kind, c, 1, 30)[30]
		assert.Equal(t, want, got, "%v: %x", kind, got)
	}
}
