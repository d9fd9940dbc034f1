package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core/fm"
	"ifmlab/core/moment"
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

func TestFlippedIsPSDNegatedToTheLastBit(t *testing.T) {
	for name, c := range everySetting() {
		t.Run(name, func(t *testing.T) {
			c.D, c.K, c.N, c.Test, c.Noise = 12, 3, 300, 50, .5
			c.Scenario = PSD
			psd := generate(t, c)
			c.Scenario = Flipped
			flipped := generate(t, c)
			assert.Equal(t, psd.Train.X, flipped.Train.X)
			assert.Equal(t, psd.Test.X, flipped.Test.X)
			assert.Equal(t, psd.Train.Y, negated(flipped.Train.Y))
			assert.Equal(t, psd.Test.Y, negated(flipped.Test.Y))
			assert.Equal(t, psd.Truth.W, negated(flipped.Truth.W))
			assert.Equal(t, psd.Truth.Interaction(), negated(flipped.Truth.Interaction()))
			assert.Equal(t, psd.SD, flipped.SD)
			assert.Equal(t, psd.SecondOrderSD, flipped.SecondOrderSD)
		})
	}
}

// columns are one setting of every distribution, and two where its parameter
// matters.
func columns() map[string]Config {
	return map[string]Config{
		"gaussian":       {Features: Gaussian},
		"uniform":        {Features: Uniform},
		"laplace":        {Features: Laplace},
		"exponential":    {Features: Exponential},
		"threepoint .2":  {Features: ThreePoint, Tau: .2},
		"threepoint 6":   {Features: ThreePoint, Tau: 6},
		"twopoint .5":    {Features: TwoPoint, Share: .5},
		"twopoint .1":    {Features: TwoPoint, Share: .1},
		"slider 0":       {Features: Slider},
		"slider .7":      {Features: Slider, Tau: .7},
		"slider 2":       {Features: Slider, Tau: 2},
		"neighbours":     {Rho: .8},
		"t5":             {Features: T5},
		"t3":             {Features: T3},
		"lognormal":      {Features: Lognormal},
		"counts":         {Features: Counts},
		"equicorrelated": {Features: Equicorrelated},
	}
}

// heavy reports whether columns have tails of which a mean over rows says little.
func heavy(c Config) bool { return c.Features == T5 || c.Features == T3 || c.Features == Lognormal }

// everySetting is every distribution under both truths, with and without the
// diagonal.
func everySetting() map[string]Config {
	all := map[string]Config{}
	for name, c := range columns() {
		for _, c.Truth = range []Factors{GaussianFactors, OrthonormalFactors} {
			for _, c.KeepDiagonal = range []bool{false, true} {
				if c.Features == T3 && c.KeepDiagonal {
					continue // refused
				}
				all[fmt.Sprintf("%s, %s, diagonal %v", name, c.Truth, c.KeepDiagonal)] = c
			}
		}
	}
	return all
}

func negated(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = 0 - v // not −v: 0 stays 0
	}
	return out
}

func TestFreshBatchesGoOnWhereTheTrainingRowsEnd(t *testing.T) {
	for name, c := range everySetting() {
		t.Run(name, func(t *testing.T) {
			c.Scenario, c.D, c.K, c.N, c.Test, c.Noise = Flipped, 5, 2, 40, 20, .3
			first := generate(t, c)
			fresh, err := Fresh(c, first.Truth, first.SD, streams(5).Train)
			require.NoError(t, err)
			c.N = 80
			both := generate(t, c)
			assert.Equal(t, []any{first.Truth, first.Test}, []any{both.Truth, both.Test}, "more training rows leave all else as it was")
			assert.Equal(t, first.Train, fresh.Next())
			assert.Equal(t, Rows{X: both.Train.X[40*5:], Y: both.Train.Y[40:]}, fresh.Next())
			assert.Same(t, &fresh.Next().X[0], &fresh.Next().X[0], "batches share their memory")
		})
	}
	_, err := Fresh(Config{}, nil, 1, nil)
	require.ErrorAs(t, err, new(*ConfigError))
}

func TestNoiseIsInUnitsOfTheTargets(t *testing.T) {
	c := Config{Scenario: PSD, D: 20, K: 4, N: 40000}
	clean := generate(t, c)
	c.Noise = .5
	noisy := generate(t, c)
	noise := make([]float64, c.N)
	for i := range noise {
		noise[i] = noisy.Train.Y[i] - clean.Train.Y[i]
	}
	// A standard deviation over 40000 Gaussian rows is off by .35 %.
	assert.InEpsilon(t, .5*clean.SD, stat.PopStdDev(noise, nil), .02)
}

func TestGenerateRejectsSettingsThatMakeNoSense(t *testing.T) {
	good := Config{Scenario: PSD, D: 3, K: 1, N: 4, Test: 2}
	for want, change := range map[string]func(*Config){
		`synth: the scenario is "worse", expected "psd", "flipped" or "mixed"`:                                              func(c *Config) { c.Scenario = "worse" },
		"synth: the number of features is 0, expected at least 1":                                                           func(c *Config) { c.D = 0 },
		"synth: the rank is -1, expected at least 1":                                                                        func(c *Config) { c.K = -1 },
		"synth: the number of training rows is -1, expected at least 0":                                                     func(c *Config) { c.N = -1 },
		"synth: the number of test rows is -2, expected at least 0":                                                         func(c *Config) { c.Test = -2 },
		"synth: the noise is NaN, expected a finite number of at least 0":                                                   func(c *Config) { c.Noise = math.NaN() },
		`synth: the truth is "round", expected "gaussian" or "orthonormal"`:                                                 func(c *Config) { c.Truth = "round" },
		"synth: the rank is 4, expected at most 3, the number of features, of orthonormal factors":                          func(c *Config) { c.Truth, c.K = OrthonormalFactors, 4 },
		`synth: the scenario is "flipped", expected "mixed" where the pairs of the truth are given`:                         func(c *Config) { c.Scenario, c.Pairs = Flipped, "1,2,3" },
		`synth: the list of the truth's pairs is "1,two,3", expected 3 numbers from −1000000 to 1000000 between commas`:     func(c *Config) { c.Scenario, c.Pairs = Mixed, "1,two,3" },
		`synth: the list of the truth's pairs is "1000001,2,3", expected 3 numbers from −1000000 to 1000000 between commas`: func(c *Config) { c.Scenario, c.Pairs = Mixed, "1000001,2,3" },
		`synth: the list of the truth's pairs is "1,NaN,3", expected 3 numbers from −1000000 to 1000000 between commas`:     func(c *Config) { c.Scenario, c.Pairs = Mixed, "1,NaN,3" },
		`synth: the list of the truth's pairs is "1,2", expected 3 numbers from −1000000 to 1000000 between commas`:         func(c *Config) { c.Scenario, c.Pairs = Mixed, "1,2" },
		`synth: the distribution of the columns is "cauchy", expected "gaussian", "uniform", "laplace", "exponential", "threepoint", "twopoint", "slider", "t5", "t3", "lognormal", "counts", "equicorrelated" or "onehot"`: func(c *Config) { c.Features = "cauchy" },
		"synth: τ is -1, expected a number from 0 to 1e+06 for three-point columns":                                                           func(c *Config) { c.Features, c.Tau = ThreePoint, -1 },
		"synth: τ is 2.5, expected a number from 0 to 2 for slider columns, which go from ±1 to Gaussian":                                     func(c *Config) { c.Features, c.Tau = Slider, 2.5 },
		"synth: τ is NaN, expected a number from 0 to 2 for slider columns, which go from ±1 to Gaussian":                                     func(c *Config) { c.Features, c.Tau = Slider, math.NaN() },
		"synth: the share of the larger value is 1, expected a number from 1e-06 to 0.999999":                                                 func(c *Config) { c.Features, c.Share = TwoPoint, 1 },
		"synth: the correlation of neighbouring columns is 1, expected a number between -1 and 1":                                             func(c *Config) { c.Rho = 1 },
		"synth: the correlation of neighbouring columns is 0.5, expected 0, or Gaussian columns: sums of others have other moments":           func(c *Config) { c.Features, c.Rho = Laplace, .5 },
		"synth: the diagonal of the truth is kept, expected it 0 for t3 columns: their squares have no variance, and targets would have none": func(c *Config) { c.Features, c.KeepDiagonal = T3, true },
	} {
		c := good
		change(&c)
		_, err := Generate(c, streams(1))
		require.ErrorAs(t, err, new(*ConfigError))
		assert.EqualError(t, err, want)
	}
	s, err := Generate(Config{Scenario: PSD, D: 1, K: 1}, streams(1))
	require.NoError(t, err, "no rows and a single feature are fine")
	assert.Zero(t, s.SecondOrderSD, "one feature has no pairs")
}

func TestScenariosDifferInTheFactorsAloneAndFigure1IsTheDefault(t *testing.T) {
	c := Config{Scenario: PSD, D: 5, K: 2, N: 10, Test: 2}
	psd := generate(t, c)
	assert.Equal(t, psd.Truth.U, psd.Truth.V)
	assert.Equal(t, predicted(psd.Truth, psd.Train.X), psd.Train.Y)
	c.Scenario = Mixed
	mixed := generate(t, c)
	assert.Equal(t, psd.Truth.W, mixed.Truth.W)
	assert.Equal(t, psd.Truth.U, mixed.Truth.U)
	assert.NotEqual(t, mixed.Truth.U, mixed.Truth.V)
	assert.Equal(t, psd.Train.X, mixed.Train.X)
	c.Truth, c.Features = GaussianFactors, Gaussian
	assert.Equal(t, mixed, generate(t, c))
	assert.Equal(t, fm.IFM, mixed.Truth.Kind)
}

func TestColumnsHaveTheMomentsOfTheirPopulation(t *testing.T) {
	for name, c := range columns() {
		t.Run(name, func(t *testing.T) {
			c.Scenario, c.D, c.K, c.N = PSD, 4, 1, 60000
			kappa, phi := c.Moments()
			rows := generate(t, c).Train.X
			for first := range c.D { // each column on its own
				var powers [5]moment.Accumulator
				for i := first; i < len(rows); i += c.D {
					power, x := 1.0, 2*rows[i] // 2 = √D
					for p := range powers {
						powers[p].Add(power)
						power *= x
					}
				}
				for p, want := range []float64{1, 0, 1, kappa, phi} {
					if heavy(c) && p > 2 || c.Features == T3 && p > 1 {
						break // the test below is theirs
					}
					// Five standard errors of a mean over 60000 rows, and the
					// rounding of powers of fixed size, as ±1 has them.
					assert.InDelta(t, want, powers[p].Mean(), 5*powers[p].SD()/math.Sqrt(60000)+1e-12, "E x^%d", p)
				}
			}
		})
	}
}

func TestEveryDistributionHasItsMomentInvertibility(t *testing.T) {
	for name, want := range map[string]float64{
		"gaussian": 2, "uniform": .8, "laplace": 5, "exponential": 4,
		"threepoint .2": .2, "threepoint 6": 6,
		"twopoint .5": 0, "twopoint .1": 0,
		"slider 0": 0, "slider .7": .7, "slider 2": 2, "neighbours": 2,
		"t5": 8, "t3": math.Inf(1), "counts": 4, "equicorrelated": 2,
		"lognormal": math.E*math.E*math.E*math.E + math.E*math.E*math.E*2 + 3*math.E*math.E - 4 - (math.E+2)*(math.E+2)*(math.E-1),
	} {
		c, known := columns()[name]
		require.True(t, known, name)
		// Numbers below 10, rounded a few times.
		got := moment.Tau(c.Moments())
		if name == "lognormal" { // sums of powers of e
			assert.InEpsilon(t, want, got, 1e-14, name)
			continue
		}
		assert.True(t, got == want || math.Abs(got-want) < 1e-14, "%s: %v", name, got)
	}
	assert.Len(t, columns(), 17, "none is left out")
}

// Of heavy tails a mean over rows says little; how many rows are below a number does.
func TestHeavyTailsAreThoseOfTheirDistribution(t *testing.T) {
	student := func(more func(u float64) float64, scale float64) func(x float64) float64 {
		return func(x float64) float64 {
			u := x * scale
			return .5 + (math.Atan(u)+u/(1+u*u)*more(u))/math.Pi
		}
	}
	for _, c := range []struct {
		features Distribution
		below    func(x float64) float64 // probability
	}{
		// x√ν/√(ν−2) is Student's t, and u that over √ν.
		{T3, student(func(float64) float64 { return 1 }, 1)},
		{T5, student(func(u float64) float64 { return 1 + 2/(3*(1+u*u)) }, 1/math.Sqrt(3))},
		{Lognormal, func(x float64) float64 {
			v := math.Sqrt(math.E) + x*math.Sqrt(math.E*(math.E-1))
			return math.Erfc(-math.Log(max(v, 1e-300))/math.Sqrt2) / 2
		}},
	} {
		x := generate(t, Config{Scenario: PSD, D: 4, K: 1, N: 60000, Features: c.features}).Train.X
		for _, at := range []float64{-5, -2, -.7, -.4, -.1, 0, .2, .6, 1, 2, 5, 12} {
			count := 0
			for _, v := range x {
				if 2*v < at { // 2 = √D
					count++
				}
			}
			p, n := c.below(at), float64(len(x))
			// Five standard errors of a share, and one row.
			assert.InDelta(t, p, float64(count)/n, 5*math.Sqrt(p*(1-p)/n)+1/n, "%s below %g", c.features, at)
		}
	}
}

func TestTheExponentialIsThatOfTheLibrary(t *testing.T) {
	for x := -40.0; x < 40; x += .0137 {
		assert.InEpsilon(t, math.Exp(x), exponential(x), 4e-16, "a few units of the last place: %v", x)
	}
	assert.Equal(t, 1.0, exponential(0))
}

func TestCorrelatedColumnsHaveTheirCorrelation(t *testing.T) {
	const n, d = 40000, 4
	for _, c := range []struct {
		Config
		want func(apart float64) float64
	}{
		{Config{Rho: .6}, func(apart float64) float64 { return math.Pow(.6, apart) }},
		{Config{Rho: -.3}, func(apart float64) float64 { return math.Pow(-.3, apart) }},
		{Config{Features: Equicorrelated}, func(apart float64) float64 { return 1 - .1*min(apart, 1) }},
	} {
		c.Scenario, c.D, c.K, c.N = PSD, d, 1, n
		x := generate(t, c.Config).Train.X
		for i := range d {
			for j := range d {
				covariance := 0.0
				for r := range n {
					covariance += x[r*d+i] * x[r*d+j] * d / n
				}
				// The standard error of a product of two standard normal numbers is
				// √2/√40000 = .007 at most; five times that.
				assert.InDelta(t, c.want(math.Abs(float64(i-j))), covariance, .035)
			}
		}
	}
}
