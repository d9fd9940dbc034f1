package synth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/moment"
)

func TestOrthonormalTruthsHaveTheirSpectrum(t *testing.T) {
	for _, c := range []struct {
		scenario Scenario
		k        int
		want     []float64 // without the zeros
	}{
		{PSD, 1, []float64{1}},
		{PSD, 3, []float64{.5, .75, 1}},
		{Flipped, 3, []float64{-1, -.75, -.5}},
		{Mixed, 1, []float64{1}},
		{Mixed, 5, []float64{-.875, -.625, .5, .75, 1}},
		{PSD, 9, []float64{.5, .5625, .625, .6875, .75, .8125, .875, .9375, 1}}, // k = d
	} {
		s := generate(t, Config{Scenario: c.scenario, Truth: OrthonormalFactors, KeepDiagonal: true, D: 9, K: c.k})
		require.Equal(t, fm.GFM, s.Truth.Kind)
		m := s.Truth.Interaction()
		for i := range m {
			m[i] /= 9 // over columns of variance 1
		}
		var eigen mat.EigenSym
		require.True(t, eigen.Factorize(mat.NewSymDense(9, m), false))
		want := append(make([]float64, 9-c.k), c.want...)
		slices.Sort(want)
		// Nine numbers of at most 1, rounded in a dozen products each.
		assert.InDeltaSlice(t, want, eigen.Values(nil), 1e-14, "%s, rank %d", c.scenario, c.k)
		norm := 0.0
		for _, w := range s.Truth.W {
			norm += w * w / 9
		}
		assert.InDelta(t, 1, norm, 1e-15*9, "a unit vector, its squares rounded nine times")
	}
}

func TestTheDiagonalIsAllThatKeepingItAdds(t *testing.T) {
	for _, truth := range []Factors{GaussianFactors, OrthonormalFactors} {
		c := Config{Scenario: Mixed, Truth: truth, D: 6, K: 3, N: 5}
		removed := generate(t, c).Truth
		c.KeepDiagonal = true
		kept := generate(t, c).Truth
		assert.Equal(t, removed.W, kept.W)
		m := kept.Interaction()
		for i := range 6 {
			assert.NotZero(t, m[i*6+i])
			m[i*6+i] = 0
		}
		assert.Equal(t, removed.Interaction(), m)
	}
}

// outcomes calls f for every row that independent columns of three or two
// values can be, with its probability. In the place of the exponential
// distribution, which takes any value, it has one of three values that has its
// moments up to E x⁴, by the rule of Gauss and Laguerre.
func outcomes(c Config, f func(x []float64, p float64)) {
	values, shares := []float64{-math.Sqrt(1 + c.Tau), 0, math.Sqrt(1 + c.Tau)}, []float64{.5 / (1 + c.Tau), c.Tau / (1 + c.Tau), .5 / (1 + c.Tau)}
	switch c.Features {
	case Exponential:
		values = []float64{.4157745567834791, 2.294280360279042, 6.289945082937479}
		shares = nil
		for i, v := range values { // v/(16·L₄(v)²)
			values[i] = v - 1
			l4 := (v*v*v*v - 16*v*v*v + 72*v*v - 96*v + 24) / 24
			shares = append(shares, v/(16*l4*l4))
		}
	case TwoPoint:
		p := c.Share
		values, shares = []float64{math.Sqrt((1 - p) / p), -math.Sqrt(p / (1 - p))}, []float64{p, 1 - p}
	}
	x := make([]float64, c.D)
	var choose func(j int, p float64)
	choose = func(j int, p float64) {
		if j == c.D {
			f(x, p)
			return
		}
		for v := range values {
			x[j] = values[v] / math.Sqrt(float64(c.D))
			choose(j+1, p*shares[v])
		}
	}
	choose(0, 1)
}

// The formulas know a distribution by κ and φ alone. Here are κ = 0 with a τ and
// κ ≠ 0 without, and, for terms in both, κ = 2 with τ = 4.
func TestStandardDeviationsAreThoseOfEveryPossibleRow(t *testing.T) {
	for _, c := range []Config{
		{Features: TwoPoint, Share: .2}, {Features: TwoPoint, Share: .5}, {Features: TwoPoint, Share: .9},
		{Features: ThreePoint, Tau: .3}, {Features: ThreePoint, Tau: 4},
		{Features: Exponential},
	} {
		for _, c.KeepDiagonal = range []bool{false, true} {
			c.Scenario, c.Truth, c.D, c.K = Mixed, OrthonormalFactors, 5, 3
			s := generate(t, c)
			bare := fm.New(s.Truth.Kind, c.D, c.K)
			bare.Set(s.Truth)
			clear(bare.W)
			mean, variance, both, total := 0.0, 0.0, 0.0, 0.0
			shared := make([]float64, c.D) // E x·xᵀMx
			outcomes(c, func(x []float64, p float64) {
				q, f := predicted(bare, x)[0], predicted(s.Truth, x)[0]
				total += p
				mean += p * q
				variance += p * q * q
				both += p * f * f
				for j, v := range x {
					shared[j] += p * q * v
				}
			})
			// Some 243 outcomes, all sums below 100: 1e-12 is 45 roundings of
			// the largest.
			require.InDelta(t, 1, total, 1e-12)
			variance, both = variance-mean*mean, both-mean*mean
			assert.InDelta(t, both, s.SD*s.SD, 1e-12)
			for _, v := range shared { // what xᵀMx has in common with xⱼ, of variance 1/D
				variance -= v * v * float64(c.D)
			}
			assert.InDelta(t, variance, s.SecondOrderSD*s.SecondOrderSD, 1e-12, "%+v", c)
		}
	}
}

func TestCorrelatedColumnsSpreadAsTheirCovarianceSays(t *testing.T) {
	for _, keep := range []bool{false, true} {
		c := Config{Scenario: Mixed, KeepDiagonal: keep, D: 7, K: 2, Rho: -.7}
		s := generate(t, c)
		covariance := mat.NewDense(7, 7, nil)
		for i := range 7 {
			for j := range 7 {
				covariance.Set(i, j, math.Pow(-.7, math.Abs(float64(i-j)))/7)
			}
		}
		m, w := mat.NewDense(7, 7, s.Truth.Interaction()), mat.NewVecDense(7, s.Truth.W)
		var product, square mat.Dense
		product.Mul(m, covariance)
		square.Mul(&product, &product)
		second := 2 * mat.Trace(&square)
		// A few hundred products, each rounded.
		assert.InEpsilon(t, second, s.SecondOrderSD*s.SecondOrderSD, 1e-12)
		assert.InEpsilon(t, mat.Inner(w, covariance, w)+second, s.SD*s.SD, 1e-12)
	}
}

func TestATruthOfGivenPairsHasThemAndNothingElseChanges(t *testing.T) {
	for _, factors := range []Factors{GaussianFactors, OrthonormalFactors} {
		c := Config{Scenario: Mixed, D: 4, K: 1, N: 50, Test: 10, Truth: factors}
		drawn, err := Generate(c, streams(3))
		require.NoError(t, err)
		c.Pairs = "1,-0.5,0,0.25,2,-3"
		given, err := Generate(c, streams(3))
		require.NoError(t, err)
		assert.Equal(t, drawn.Train.X, given.Train.X)
		assert.Equal(t, drawn.Test.X, given.Test.X)
		assert.Equal(t, drawn.Truth.W, given.Truth.W)
		assert.Equal(t, []float64{
			0, 4, -2, 0,
			4, 0, 1, 8,
			-2, 1, 0, -12,
			0, 8, -12, 0,
		}, given.Truth.Interaction(), "d times as large over columns of variance 1/d; all exact in binary")
		// 2Σ_{i≠j} m², over columns of variance 1.
		assert.InEpsilon(t, math.Sqrt(4*(1+.25+.0625+4+9)), given.SecondOrderSD, 1e-15)
	}
}

// oneHotTable is a table of 3 columns of 4 levels, with blocks 12 and 13 as they are, 23 flipped.
var oneHotTable = Config{Scenario: Mixed, Pairs: "1,1,-1", Features: OneHot, Levels: 4, D: 12, K: 2, N: 200, Test: 20, Noise: .1}

// everyRow has each combination of levels once: it is the population.
func everyRow(c Config) []float64 {
	high, low := oneHotValues(c.Levels)
	rows := [][]float64{nil}
	for range c.D / c.Levels {
		var longer [][]float64
		for _, row := range rows {
			for level := range c.Levels {
				x := slices.Repeat([]float64{low / math.Sqrt(float64(c.D))}, c.Levels)
				x[level] = high / math.Sqrt(float64(c.D))
				longer = append(longer, slices.Concat(row, x))
			}
		}
		rows = longer
	}
	return slices.Concat(rows...)
}

func predicted(m *fm.Model, x []float64) []float64 {
	f := make([]float64, len(x)/m.D)
	m.Predict(f, design.NewDense(len(f), m.D, x), &fm.Scratch{})
	return f
}

func TestARowOfOneHotColumnsHasOneLevelOfEach(t *testing.T) {
	x := generate(t, oneHotTable).Train.X
	for i := 0; i < len(x); i += 4 {
		high := 0
		for _, v := range x[i : i+4] {
			if v > 0 {
				high++
			}
		}
		require.Equal(t, 1, high, "column %d", i/4)
	}
}

func TestOneHotColumnsHaveTheSpreadOfTheirPopulation(t *testing.T) {
	for _, c := range []Config{oneHotTable, {Scenario: Mixed, Features: OneHot, Levels: 3, D: 9, K: 1}, {Scenario: PSD, Truth: OrthonormalFactors, Features: OneHot, Levels: 5, D: 10, K: 2}} {
		s := generate(t, c)
		all := everyRow(c)
		var column moment.Accumulator
		for i := 0; i < len(all); i += c.D {
			column.Add(all[i])
		}
		kappa, phi := c.Moments()
		assert.InDeltaSlice(t, []float64{column.Kappa(), column.Phi()}, []float64{kappa, phi}, 1e-12)
		assert.InEpsilon(t, stat.PopStdDev(predicted(s.Truth, all), nil), s.SD, 1e-12)
		clear(s.Truth.W)
		assert.InEpsilon(t, stat.PopStdDev(predicted(s.Truth, all), nil), s.SecondOrderSD, 1e-12, "nothing of M is linear")
	}
}

func TestPairsTurnTheBlocksBetweenOneHotColumns(t *testing.T) {
	plain := oneHotTable
	plain.Scenario, plain.Pairs = PSD, ""
	m, drawn := generate(t, oneHotTable).Truth.Interaction(), generate(t, plain).Truth.Interaction()
	for i := range 12 {
		for j := range 12 {
			sign := 1.0
			if i/4+j/4 == 3 && i/4 != j/4 && min(i/4, j/4) == 1 {
				sign = -1
			}
			assert.Equal(t, sign*drawn[i*12+j], m[i*12+j], "%d, %d", i, j)
			assert.Equal(t, i/4 == j/4, m[i*12+j] == 0, "no interaction within a column, %d, %d", i, j)
		}
	}
}

// A model of one-hot columns keeps its predictions, up to a constant, when levels of a
// column meet or when a block gets a constant row: rows see one w and one M.
func TestIdentifyKeepsThePredictionsOfEveryRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	m := fm.New(fm.GFM, 12, 3)
	for _, x := range [][]float64{m.W, m.U, m.V} {
		gaussian(x, 1, rng)
	}
	found := fm.New(fm.GFM, 12, 12)
	copy(found.W, m.W)
	found.V = m.Interaction()
	for i := range 12 {
		found.U[i*12+i] = 1
	}
	Identify(fm.Coefficients{W: found.W, M: found.V}, 4)
	all := everyRow(oneHotTable)
	before, after := predicted(m, all), predicted(found, all)
	for i := range before {
		assert.InDelta(t, before[0]-after[0], before[i]-after[i], 1e-12, "row %d", i)
	}
	again := slices.Clone(found.V)
	Identify(fm.Coefficients{W: found.W, M: again}, 4)
	assert.InDeltaSlice(t, found.V, again, 1e-13)
	for i := range 12 {
		sum := 0.0
		for j := range 4 {
			assert.Zero(t, found.V[i*12+i/4*4+j], "within a column")
			sum += found.V[i*12+(i/4+1)%3*4+j]
		}
		assert.InDelta(t, 0, sum, 1e-13)
	}
}

func TestOneHotSettingsThatSayNothingAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"synth: the number of levels is 1, expected at least 2: a column of one level is constant":                                         func(c *Config) { c.Levels = 1 },
		"synth: the number of features is 13, expected a multiple of the 4 levels of a column, for at least 2 columns":                     func(c *Config) { c.D = 13 },
		"synth: the number of features is 4, expected a multiple of the 4 levels of a column, for at least 2 columns":                      func(c *Config) { c.D = 4 },
		"synth: the number of training rows is 9, expected at least 10, as many as a linear model on 3 columns of 4 levels has parameters": func(c *Config) { c.N = 9 },
		`synth: the list of the truth's pairs is "0,0,0", expected at least one that is not 0`:                                             func(c *Config) { c.Pairs = "0,0,0" },
		`synth: the list of the truth's pairs is "1", expected 3 numbers from −1000000 to 1000000 between commas`:                          func(c *Config) { c.Pairs = "1" },
		"synth: the diagonal of the truth is kept, expected it 0 for one-hot columns: their squares are linear":                            func(c *Config) { c.KeepDiagonal = true },
	} {
		c := oneHotTable
		change(&c)
		_, err := Generate(c, Streams{})
		assert.EqualError(t, err, want)
		assert.ErrorAs(t, err, new(*ConfigError))
	}
}
