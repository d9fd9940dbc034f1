package pair

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mathext"
)

func TestTheTailOfFAtItsEnds(t *testing.T) {
	for _, f := range []float64{1e-6, 1, 1e9} { // of one degree of freedom the ratio is Cauchy's, squared
		assert.InEpsilon(t, math.Log(2/math.Pi*math.Atan(1/math.Sqrt(f))), logTail(f, 1, 1), 1e-12, "%g", f)
	}
	assert.Zero(t, logTail(0, 3, 4))
	assert.Zero(t, logTail(math.NaN(), 3, 4))
	assert.Equal(t, math.Inf(-1), logTail(math.Inf(1), 3, 4))
}

func TestTheTailOfFIsGonumsBeta(t *testing.T) {
	for _, a := range []float64{1, 4, 16, 111, 950} {
		for _, b := range []float64{1, 13, 1800, 90_000} {
			for _, f := range []float64{.01, .5, .97, 1, 1.1, 1.6, 3, 20} {
				want := mathext.RegIncBeta(b/2, a/2, b/(b+a*f))
				if want < 1e-290 { // gonum's is 0 below 1e-308, ours a logarithm
					assert.Less(t, logTail(f, a, b), math.Log(1e-289))
					continue
				}
				assert.InDelta(t, math.Log(want), logTail(f, a, b), 1e-9, "F(%g, %g) at %g", a, b, f)
			}
		}
	}
}

func TestTheNoncentralFIsItsSeriesWithGonumsBeta(t *testing.T) {
	for _, c := range [][4]float64{{1, 3, 7, .5}, {30, 16, 1800, 400}, {900, 23, 9571, 2e4}, {5, 900, 90_000, 3000}} {
		f, a, b, lambda := c[0], c[1], c[2], c[3]
		want := 0.0
		for j := 0.0; j < lambda+1000; j++ {
			gamma, _ := math.Lgamma(j + 1)
			if w := math.Exp(-lambda/2 + j*math.Log(lambda/2) - gamma); w > 1e-20 {
				want += w * mathext.RegIncBeta(a/2+j, b/2, a*f/(a*f+b))
			}
		}
		assert.InDelta(t, want, noncentral(f, a, b, lambda), 1e-9, "%v", c)
	}
	assert.InDelta(t, 1-math.Exp(logTail(2.2, 7, 90)), noncentral(2.2, 7, 90, 0), 1e-14)
}

func TestAnIntervalHasTheQuantilesAtItsEnds(t *testing.T) {
	for _, c := range [][3]float64{{6, 16, 1900}, {850, 23, 9571}, {2, 111, 1800}, {60, 1, 20}} {
		low, high := noncentrality(c[0], c[1], c[2])
		assert.Greater(t, high, low)
		assert.InDelta(t, .975, noncentral(c[0], c[1], c[2], low), 1e-6, "%v", c)
		assert.InDelta(t, .025, noncentral(c[0], c[1], c[2], high), 1e-6, "%v", c)
	}
	low, high := noncentrality(99_900./16, 16, 1900)
	above, further := noncentrality(100_100./16, 16, 1900)
	assert.InEpsilon(t, low, above, .02, "the long series and what stands for it meet")
	assert.InEpsilon(t, high, further, .02)
	low, high = noncentrality(1, 16, 1900)
	assert.Zero(t, low, "what noise alone explains may be nothing")
	assert.Greater(t, high, 0.0)
	low, high = noncentrality(1e-3, 16, 1900)
	assert.Zero(t, low+high)
}
