package pair

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mathext"
)

// Of one degree of freedom the ratio is Cauchy's, squared; of two the tail is a power.
func TestTheTailOfFIsThatOfTheTextbooks(t *testing.T) {
	for _, f := range []float64{1e-6, .1, 1, 3.5, 40, 1e4, 1e9} {
		assert.InEpsilon(t, math.Log(2/math.Pi*math.Atan(1/math.Sqrt(f))), logTail(f, 1, 1), 1e-12, "%g", f)
		for _, d := range []float64{1, 2, 7, 240, 1e5} {
			want := -d / 2 * math.Log1p(2*f/d)
			assert.InDelta(t, want, logTail(f, 2, d), 1e-13*(1+d)+1e-12*-want, "%g, %g", f, d)
		}
	}
	for _, c := range [][4]float64{{4.351244, 1, 20, .05}, {2.347878, 10, 20, .05}, {3.368186, 10, 20, .01}, {3.828, 4, 40, .01}} { // printed tables
		assert.InEpsilon(t, c[3], math.Exp(logTail(c[0], c[1], c[2])), 1e-3)
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

// The slow way: a noncentral chi-squared of a degrees of freedom is (z + √λ)² and a
// central one of a−1, so that its distribution is an integral of normal ones over
// the root u of the latter; and F asks for it at every root v of the denominator's.
func TestTheNoncentralFIsItsIntegral(t *testing.T) {
	chi := func(v, d float64) float64 { // density of the root of a chi-squared
		gamma, _ := math.Lgamma(d / 2)
		return math.Exp((d-1)*math.Log(v) - v*v/2 - (d/2-1)*math.Ln2 - gamma)
	}
	simpson := func(f func(float64) float64, from, to float64) (sum float64) {
		const steps = 400
		for i := range steps + 1 {
			w := 2 + 2*float64(i%2)
			if i == 0 || i == steps {
				w = 1
			}
			sum += w * f(from+(to-from)*float64(i)/steps)
		}
		return sum * (to - from) / (3 * steps)
	}
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	within := func(r, a, lambda float64) float64 { // P(χ'² ≤ r²)
		one := func(r float64) float64 { return normal(r-math.Sqrt(lambda)) - normal(-r-math.Sqrt(lambda)) }
		if a == 1 {
			return one(r)
		}
		// u = r·sin s, so that the integrand has no root at the end
		return simpson(func(s float64) float64 {
			if s == 0 {
				return 0
			}
			return one(r*math.Cos(s)) * chi(r*math.Sin(s), a-1) * r * math.Cos(s)
		}, 0, math.Pi/2)
	}
	for _, c := range [][4]float64{{2, 1, 10, 3}, {.4, 1, 30, 1}, {3.5, 5, 60, 8}, {1.2, 5, 60, 0}, {4, 16, 200, 40}, {2.6, 16, 200, 40}, {9, 4, 1000, 25}} {
		f, a, b, lambda := c[0], c[1], c[2], c[3]
		middle := math.Sqrt(b)
		want := simpson(func(v float64) float64 {
			if v == 0 {
				return 0
			}
			return chi(v, b) * within(v*math.Sqrt(f*a/b), a, lambda)
		}, max(0, middle-9), middle+9)
		assert.InDelta(t, want, noncentral(f, a, b, lambda), 1e-7, "%v", c)
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
