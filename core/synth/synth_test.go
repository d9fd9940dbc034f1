package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func streams(seed uint64) Streams {
	return Streams{
		Truth: rand.New(rand.NewPCG(seed, 0)),
		Train: rand.New(rand.NewPCG(seed, 1)),
		Test:  rand.New(rand.NewPCG(seed, 2)),
	}
}

func generate(t *testing.T, c Config) *Sample {
	t.Helper()
	s, err := Generate(c, streams(5))
	require.NoError(t, err)
	return s
}

func TestTargetsAreTheSumOverAllPairs(t *testing.T) {
	for _, scenario := range []Scenario{PSD, Flipped, Mixed} {
		t.Run(string(scenario), func(t *testing.T) {
			c := Config{Scenario: scenario, D: 7, K: 2, N: 140, Test: 11}
			s := generate(t, c)
			m := s.Truth
			for i, y := range s.Train.Y {
				x := s.Train.X[i*c.D:][:c.D]
				want := 0.0
				for a := range x {
					want += x[a] * m.W[a]
					for b := range x {
						for f := range c.K {
							if a != b {
								want += x[a] * x[b] * m.U[a*c.K+f] * m.V[b*c.K+f]
							}
						}
					}
				}
				// About 100 terms below 1 in size, each rounded a few times.
				require.InDelta(t, want, y, 1e-14)
			}
		})
	}
}

func TestFlippedIsPSDNegatedToTheLastBit(t *testing.T) {
	c := Config{Scenario: PSD, D: 12, K: 3, N: 300, Test: 50, Noise: .5}
	psd := generate(t, c)
	c.Scenario = Flipped
	flipped := generate(t, c)
	assert.Equal(t, psd.Train.X, flipped.Train.X)
	assert.Equal(t, psd.Test.X, flipped.Test.X)
	assert.Equal(t, psd.Train.Y, negated(flipped.Train.Y))
	assert.Equal(t, psd.Test.Y, negated(flipped.Test.Y))
	assert.Equal(t, psd.Truth.Interaction(), negated(flipped.Truth.Interaction()))
	assert.Equal(t, psd.SecondOrderSD, flipped.SecondOrderSD)
}

func negated(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = 0 - v // not −v: 0 stays 0
	}
	return out
}

func TestMoreTrainingRowsLeaveEverythingElseAsItWas(t *testing.T) {
	c := Config{Scenario: Mixed, D: 5, K: 2, N: 100, Test: 20, Noise: .1}
	few := generate(t, c)
	c.N = 300
	many := generate(t, c)
	assert.Equal(t, few.Truth, many.Truth)
	assert.Equal(t, few.Test, many.Test)
	assert.Equal(t, few.Train.X, many.Train.X[:100*5])
	assert.Equal(t, few.Train.Y, many.Train.Y[:100])
}

func TestScenariosShareTheLinearTermAndTheRows(t *testing.T) {
	c := Config{Scenario: PSD, D: 5, K: 2, N: 10, Test: 2}
	psd := generate(t, c)
	c.Scenario = Mixed
	mixed := generate(t, c)
	assert.Equal(t, psd.Truth.W, mixed.Truth.W)
	assert.Equal(t, psd.Truth.U, mixed.Truth.U)
	assert.Equal(t, psd.Train.X, mixed.Train.X)
}

func TestStandardDeviationsAreThoseOfManyRows(t *testing.T) {
	for _, scenario := range []Scenario{PSD, Mixed} {
		t.Run(string(scenario), func(t *testing.T) {
			c := Config{Scenario: scenario, D: 20, K: 4, N: 40000}
			clean := generate(t, c)
			c.Noise = .5
			noisy := generate(t, c)
			second, noise := make([]float64, c.N), make([]float64, c.N)
			for i := range second {
				x := clean.Train.X[i*c.D:][:c.D]
				second[i] = clean.Train.Y[i]
				for j, w := range clean.Truth.W {
					second[i] -= x[j] * w
				}
				noise[i] = noisy.Train.Y[i] - clean.Train.Y[i]
			}
			// A standard deviation over 40000 rows is off by 0.35 % (Gaussian) to
			// about 1 % (heavier tails); 4 % is four times the worst.
			assert.InEpsilon(t, clean.SD, sd(clean.Train.Y), .04)
			assert.InEpsilon(t, clean.SecondOrderSD, sd(second), .04)
			assert.InEpsilon(t, .5*clean.SD, sd(noise), .02)
			assert.InEpsilon(t, 1/math.Sqrt(20), sd(clean.Train.X), .01)
		})
	}
}

func sd(x []float64) float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	return math.Sqrt(square)
}

func TestGenerateRejectsSettingsThatMakeNoSense(t *testing.T) {
	good := Config{Scenario: PSD, D: 3, K: 1, N: 4, Test: 2}
	for want, change := range map[string]func(*Config){
		`synth: the scenario is "worse", want "psd", "flipped" or "mixed"`: func(c *Config) { c.Scenario = "worse" },
		"synth: the number of features is 0, want at least 1":              func(c *Config) { c.D = 0 },
		"synth: the rank is -1, want at least 1":                           func(c *Config) { c.K = -1 },
		"synth: the number of training rows is -1, want at least 0":        func(c *Config) { c.N = -1 },
		"synth: the number of test rows is -2, want at least 0":            func(c *Config) { c.Test = -2 },
		"synth: the noise is NaN, want a finite number of at least 0":      func(c *Config) { c.Noise = math.NaN() },
	} {
		c := good
		change(&c)
		_, err := Generate(c, streams(1))
		var typed *ConfigError
		require.ErrorAs(t, err, &typed)
		assert.EqualError(t, err, want)
	}
	s, err := Generate(Config{Scenario: PSD, D: 1, K: 1}, streams(1))
	require.NoError(t, err, "no rows and a single feature are fine")
	assert.Zero(t, s.SecondOrderSD, "one feature has no pairs")
}

func ExampleGenerate() {
	s, err := Generate(Config{Scenario: Flipped, D: 30, K: 3, N: 1800, Test: 1000}, streams(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(s.Train.X), len(s.Train.Y), len(s.Test.Y), s.Truth.Kind)
	// Output: 54000 1800 1000 ifm
}
