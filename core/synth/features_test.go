package synth

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/kernel"
	"ifmlab/core/moment"
)

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
	} {
		c, known := columns()[name]
		require.True(t, known, name)
		// Numbers below 10, rounded a few times.
		assert.InDelta(t, want, moment.Tau(c.Moments()), 1e-14, name)
	}
	assert.Len(t, columns(), 12, "none is left out")
}

func TestThreeFamiliesMeetInPlusAndMinusOne(t *testing.T) {
	for _, c := range []Config{{Features: ThreePoint}, {Features: TwoPoint, Share: .5}, {Features: Slider}} {
		c.Scenario, c.D, c.K, c.N = PSD, 4, 1, 100
		positive := 0
		for _, x := range generate(t, c).Train.X {
			require.Equal(t, .5, math.Abs(x), "1/√D, exact for D = 4")
			if x > 0 {
				positive++
			}
		}
		// 400 fair coins: 200 ± 10; five standard deviations.
		assert.InDelta(t, 200, positive, 50, "%s", c.Features)
	}
}

func TestDiscreteColumnsHaveTheirValuesAndNoOthers(t *testing.T) {
	for _, c := range []struct {
		Config
		values map[float64]float64 // value over standard deviation → probability
	}{
		{Config{Features: ThreePoint, Tau: 3}, map[float64]float64{-2: .125, 0: .75, 2: .125}},
		{Config{Features: TwoPoint, Share: .2}, map[float64]float64{2: .2, -.5: .8}},
	} {
		c.Scenario, c.D, c.K, c.N = Mixed, 4, 1, 10000
		count := map[float64]int{}
		for _, x := range generate(t, c.Config).Train.X {
			count[2*x]++ // 2 = √D
		}
		require.Len(t, count, len(c.values))
		for value, share := range c.values {
			// A share of 40000 is off by √(p(1−p)/40000) ≤ .0022; five times that.
			assert.InDelta(t, share, float64(count[value])/40000, .011, "%s at %g", c.Features, value)
		}
	}
}

func TestNeighbouringColumnsAreCorrelated(t *testing.T) {
	for _, rho := range []float64{.6, -.3} {
		c := Config{Scenario: PSD, D: 4, K: 1, N: 40000, Rho: rho}
		x := generate(t, c).Train.X
		for i := range c.D {
			for j := range c.D {
				covariance := 0.0
				for r := range c.N {
					covariance += x[r*c.D+i] * x[r*c.D+j] * 4 / 40000
				}
				// The standard error of a product of two standard normal numbers is
				// √2/√40000 = .007 at most; five times that.
				assert.InDelta(t, math.Pow(rho, math.Abs(float64(i-j))), covariance, .035)
			}
		}
	}
}

// The same settings draw the same rows on every machine, natively and in wasm.
// When one of these numbers changes, so does every curve over such columns that
// was ever shared; write in the commit why.
func TestADrawHasTheSameBitsEverywhere(t *testing.T) {
	want := map[string]float64{
		"exponential":   0x1.1b23adec67f78p+07,
		"gaussian":      0x1.1f3056ab67094p+08,
		"laplace":       0x1.86fff6f400702p+08,
		"neighbours":    0x1.41cecedddb34p+06,
		"slider .7":     0x1.2e3c8b382e174p+08,
		"slider 0":      0x1.2fb58874af1adp+07,
		"slider 2":      0x1.5c77b23216598p+08,
		"threepoint .2": 0x1.550d9efff9d98p+07,
		"threepoint 6":  0x1.641e4d183babap+07,
		"twopoint .1":   0x1.122c7bda005ffp+07,
		"twopoint .5":   0x1.5a9d677821244p+07,
		"uniform":       0x1.42d36d2aa5b55p+07,
	}
	for name, c := range columns() {
		c.Scenario, c.Truth, c.KeepDiagonal, c.D, c.K, c.N, c.Noise = Mixed, OrthonormalFactors, true, 11, 3, 40, .1
		y := generate(t, c).Train.Y
		got := kernel.Dot(y, y)
		assert.Equal(t, want[name], got, "%q: %x,", name, got)
	}
}
