package synth

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/fm"
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
