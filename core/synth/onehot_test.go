package synth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

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

// spreadOver returns the standard deviation of a model over rows.
func spreadOver(m *fm.Model, x []float64) float64 {
	f := predicted(m, x)
	mean, square := 0.0, 0.0
	for _, v := range f {
		mean += v / float64(len(f))
		square += v * v / float64(len(f))
	}
	return math.Sqrt(square - mean*mean)
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
		assert.InEpsilon(t, spreadOver(s.Truth, all), s.SD, 1e-12)
		clear(s.Truth.W)
		assert.InEpsilon(t, spreadOver(s.Truth, all), s.SecondOrderSD, 1e-12, "nothing of M is linear")
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
