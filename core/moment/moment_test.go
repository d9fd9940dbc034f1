package moment_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/moment"
)

// direct is the oracle: the definitions, in two passes over the values.
func direct(x []float64) (mean, sd, kappa, phi float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / n
	}
	sd = math.Sqrt(sd)
	for _, v := range x {
		z := (v - mean) / sd
		kappa += z * z * z / n
		phi += z * z * z * z / n
	}
	return mean, sd, kappa, phi
}

func accumulate(x []float64) *moment.Accumulator {
	var a moment.Accumulator
	for _, v := range x {
		a.Add(v)
	}
	return &a
}

func accumulateAll(x []float64) *moment.Accumulator {
	var a moment.Accumulator
	a.AddAll(x[:len(x)/3])
	a.AddAll(x[len(x)/3:])
	return &a
}

func draw(n int, f func(*rand.Rand) float64) []float64 {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = f(rng)
	}
	return x
}

func gaussian(rng *rand.Rand) float64 { return rng.NormFloat64() }

// rising draws 0, 1, 2 …
func rising() func(*rand.Rand) float64 {
	next := -1.0
	return func(*rand.Rand) float64 { next++; return next }
}

// threePoint draws ±1/√p with probability p/2 each, else 0: φ = 1/p.
func threePoint(p float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		switch u := rng.Float64(); {
		case u < p/2:
			return -1 / math.Sqrt(p)
		case u < p:
			return 1 / math.Sqrt(p)
		}
		return 0
	}
}

func TestAccumulatorMatchesTheTwoPassDefinitions(t *testing.T) {
	for name, x := range map[string][]float64{
		"gaussian":            draw(5000, gaussian),
		"skewed":              draw(5000, func(r *rand.Rand) float64 { return r.ExpFloat64() }),
		"three points":        draw(999, threePoint(0.1)),
		"far from zero":       draw(2000, func(r *rand.Rand) float64 { return 1e6 + r.NormFloat64() }),
		"rising":              draw(5000, rising()),
		"an outlier first":    append([]float64{1e6}, draw(2000, gaussian)...),
		"tiny":                draw(2000, func(r *rand.Rand) float64 { return 1e-60 * r.NormFloat64() }),
		"huge":                draw(2000, func(r *rand.Rand) float64 { return 1e60 * r.NormFloat64() }),
		"two numbers":         {3, 5},
		"three, one repeated": {-1, 2, 2},
	} {
		for by, a := range map[string]*moment.Accumulator{"one by one": accumulate(x), "all at once": accumulateAll(x)} {
			t.Run(name+", "+by, func(t *testing.T) {
				mean, sd, kappa, phi := direct(x)
				// The oracle itself loses |mean|/sd units in the last place.
				tolerance := 1e-11 * max(1, math.Abs(mean/sd))
				assert.Equal(t, len(x), a.Count())
				assert.InDelta(t, mean, a.Mean(), tolerance*sd)
				assert.InEpsilon(t, sd, a.SD(), tolerance)
				assert.InDelta(t, kappa, a.Kappa(), tolerance*phi)
				assert.InDelta(t, phi, a.Phi(), tolerance*phi)
				assert.InDelta(t, math.Abs(phi-1-kappa*kappa), a.Tau(), tolerance*phi)
				assert.Equal(t, slices.Min(x), a.Min())
				assert.Equal(t, slices.Max(x), a.Max())
			})
		}
	}
}

func TestAValueThatIsNotFiniteLeavesNoFiniteMoments(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at := range 7 {
			x := []float64{1, 2, 3, 4, 5, 6, 7}
			x[at] = v
			for _, a := range []*moment.Accumulator{accumulate(x), accumulateAll(x)} {
				for _, m := range []float64{a.SD(), a.Kappa(), a.Phi(), a.Tau()} {
					assert.True(t, math.IsNaN(m) || math.IsInf(m, 0), "%v at %d", v, at)
				}
			}
		}
	}
}

func TestMergeEqualsAddingOneByOne(t *testing.T) {
	x := draw(1000, func(r *rand.Rand) float64 { return 5 + r.ExpFloat64() })
	whole := accumulate(x)
	for _, cut := range []int{0, 1, 500, 999, 1000} {
		left, right := accumulate(x[:cut]), accumulate(x[cut:])
		left.Merge(*right)
		require.Equal(t, whole.Count(), left.Count())
		assert.InEpsilon(t, whole.Mean(), left.Mean(), 1e-13)
		assert.InEpsilon(t, whole.SD(), left.SD(), 1e-12)
		assert.InEpsilon(t, whole.Kappa(), left.Kappa(), 1e-11)
		assert.InEpsilon(t, whole.Phi(), left.Phi(), 1e-11)
		assert.Equal(t, whole.Min(), left.Min())
		assert.Equal(t, whole.Max(), left.Max())
	}
}

func TestAConstantColumnHasNoShape(t *testing.T) {
	var a moment.Accumulator
	for range 1000 {
		a.Add(0.1)
	}
	for _, a := range []*moment.Accumulator{&a, accumulateAll(slices.Repeat([]float64{0.1}, 5000))} {
		assert.Zero(t, a.SD())
		assert.Equal(t, 0.1, a.Mean())
		assert.True(t, math.IsNaN(a.Kappa()))
		assert.True(t, math.IsNaN(a.Tau()))
	}
}

func TestTheExtremesAreKnownWhereTheSumsOverflow(t *testing.T) {
	var a moment.Accumulator
	a.AddAll([]float64{1.7e308, -1.7e308, 1.7e308, 1.7e308, -1.7e308, -1.7e308, 0})
	assert.Equal(t, -1.7e308, a.Min())
	assert.Equal(t, 1.7e308, a.Max())
	a.AddAll([]float64{1, math.NaN()})
	assert.True(t, math.IsNaN(a.Min()) && math.IsNaN(a.Max()), "after one that is not finite, no moment is")
}

func TestAMillionFarFromZeroKeepsNineDigitsOfTheirSpread(t *testing.T) {
	// Exact in binary: 1e6 + {−1, 0, 0, 1}: variance ½, φ = 2.
	x := slices.Repeat([]float64{1e6 - 1, 1e6, 1e6, 1e6 + 1}, 250_000)
	for _, a := range []*moment.Accumulator{accumulate(x), accumulateAll(x)} {
		assert.InEpsilon(t, math.Sqrt(0.5), a.SD(), 1e-9)
		assert.InEpsilon(t, 2, a.Phi(), 1e-9)
		assert.InDelta(t, 0, a.Kappa(), 1e-9)
	}
}

func TestAnEmptyColumnHasNoMoments(t *testing.T) {
	var a moment.Accumulator
	for _, v := range []float64{a.Mean(), a.SD(), a.Min(), a.Max(), a.Kappa(), a.Phi(), a.Tau()} {
		assert.True(t, math.IsNaN(v))
	}
	assert.Zero(t, a.Count())
}
