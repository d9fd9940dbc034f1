package moment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

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

func TestAValueOfWeightTwoCountsAsTwoAndAMissingOneNotAtAll(t *testing.T) {
	x := draw(300, gaussian)
	var weight, twice []float64
	for i, v := range x {
		weight = append(weight, float64(i%3))
		twice = append(twice, slices.Repeat([]float64{v}, i%3)...)
	}
	want, got := accumulateAll(twice), moment.Weighted(append(x, math.NaN()), append(weight, 5))
	for _, of := range []func(a *moment.Accumulator) float64{
		(*moment.Accumulator).Mean, (*moment.Accumulator).SD, (*moment.Accumulator).Kappa, (*moment.Accumulator).Phi,
	} {
		assert.InDelta(t, of(want), of(&got), 1e-12)
	}
	assert.Equal(t, *accumulate(nil), moment.Weighted(nil, nil))
	all := moment.Weighted(x, nil)
	assert.InDelta(t, accumulateAll(x).SD(), all.SD(), 1e-12)
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

func TestAnEmptyColumnHasNoMoments(t *testing.T) {
	var a moment.Accumulator
	for _, v := range []float64{a.Mean(), a.SD(), a.Min(), a.Max(), a.Kappa(), a.Phi(), a.Tau()} {
		assert.True(t, math.IsNaN(v))
	}
	assert.Zero(t, a.Count())
}

// known are the moments of distributions of mean 0 and variance 1.
var known = []struct {
	name       string
	kappa, phi float64
}{
	{"Gaussian", 0, 3},
	{"uniform", 0, 1.8},
	{"Laplace", 0, 6},
	{"exponential", 2, 9},
	{"exponential, mirrored", -2, 9},
	{"three points, tau 1", 0, 2},
	{"three points, tau .05", 0, 1.05},
	{"skewed, tau .11", 3, 10.11},
}

func momentsOfKnown() (kappa, phi []float64) {
	for _, c := range known {
		kappa, phi = append(kappa, c.kappa), append(phi, c.phi)
	}
	return kappa, phi
}

// matrixOf is A_j of Eq. 8.
func matrixOf(kappa, phi float64) *mat.SymDense {
	return mat.NewSymDense(2, []float64{1, kappa, kappa, phi - 1})
}

func TestEliminationWeightsRejectsWhatTheFloorDoes(t *testing.T) {
	for _, c := range []struct {
		phi, floor float64
		ok         bool
	}{{1.25, .25, true}, {1.25, .26, false}, {.75, .25, true}, {.75, .26, false}} { // exact in binary
		_, _, err := moment.EliminationWeights([]float64{0}, []float64{c.phi}, c.floor)
		assert.Equal(t, c.ok, err == nil, "%+v: %v", c, err)
	}
}

func TestMomentsThatAreNotFiniteAreRejected(t *testing.T) {
	for _, bad := range [][2]float64{{math.NaN(), 3}, {0, math.NaN()}, {0, math.Inf(1)}, {1e200, 1}} {
		for name, weights := range map[string]func(kappa, phi []float64, least float64) (g, h []float64, err error){
			"inverse": moment.EliminationWeights, "pseudo": moment.PseudoEliminationWeights,
		} {
			_, _, err := weights([]float64{0, bad[0]}, []float64{3, bad[1]}, .1)
			var singular *moment.SingularMomentError
			require.ErrorAs(t, err, &singular, "%v, %s", bad, name)
			assert.Equal(t, 1, singular.Feature)
			assert.Contains(t, err.Error(), "expected a finite number")
		}
	}
}

func TestEliminationWeightsNeedBothMomentsOfEveryColumn(t *testing.T) {
	_, _, err := moment.EliminationWeights(make([]float64, 3), make([]float64, 2), 0)
	assert.EqualError(t, err, "moment: there are 3 κ and 2 φ, expected one of each for every column")
	_, _, err = moment.PseudoEliminationWeights(nil, make([]float64, 2), .1)
	assert.EqualError(t, err, "moment: there are 0 κ and 2 φ, expected one of each for every column")
}

// pseudoInverse is the oracle: the sum over eigenvectors, of gonum.
func pseudoInverse(kappa, phi, cut float64) *mat.Dense {
	var e mat.EigenSym
	e.Factorize(matrixOf(kappa, phi), true)
	var q mat.Dense
	e.VectorsTo(&q)
	inverse := mat.NewDense(2, 2, nil)
	for i, value := range e.Values(nil) {
		if value >= cut {
			var part mat.Dense
			part.Outer(1/value, q.ColView(i), q.ColView(i))
			inverse.Add(inverse, &part)
		}
	}
	return inverse
}

// The paper's Lemma 6 has an error of at most δ from n ≥ C(1 + q/τ)/(τδ²) on, q = 2 − τ
// here: an error times √n that grows like 1/τ. By the delta method that of G₂ =
// 1 − 2/τ is 2(1 + τ)τ^(−3/2), because √n·sd(φ̂) = (1 + τ)√τ for three points.
func TestTheErrorOfTheWeightsOutgrowsLemma6(t *testing.T) {
	const n, trials = 10_000, 150
	rng := rand.New(rand.NewPCG(6, 6))
	var beyond []float64
	for _, tau := range []float64{.3, .03} {
		p, sum := 1/(1+tau), 0.0
		for range trials {
			below, above := 0, 0
			for range n {
				if u := rng.Float64(); u < p/2 {
					below++
				} else if u < p {
					above++
				}
			}
			var a moment.Accumulator
			a.AddCount(-1/math.Sqrt(p), below)
			a.AddCount(0, n-below-above)
			a.AddCount(1/math.Sqrt(p), above)
			g, _, err := moment.EliminationWeights([]float64{a.Kappa()}, []float64{a.Phi()}, moment.TauFloor)
			require.NoError(t, err)
			off := g[1] - (1 - 2/tau)
			sum += off * off / trials
		}
		sd := math.Sqrt(sum * n)
		// 150 squares make a root that is right within 6 %. Three of those, and 6 % that
		// the square of the 300 zeros' 6 % adds.
		assert.InEpsilon(t, 2*(1+tau)*math.Pow(tau, -1.5), sd, .25, "τ = %g", tau)
		beyond = append(beyond, sd/math.Sqrt((1+(2-tau)/tau)/tau))
	}
	// (1 + q/τ)/τ is 2/τ²: no constant makes up for what grows like 1/√τ.
	assert.Greater(t, beyond[1], 2*beyond[0], "2.5 times for a tenth of τ")
}

func ExampleEliminationWeights() {
	g, h, err := moment.EliminationWeights([]float64{0, 2}, []float64{1.8, 9}, moment.TauFloor)
	fmt.Printf("uniform: G = %.1f, H = %.1f\n", g[:2], h[:2])
	fmt.Printf("exponential: G = %.1f, H = %.1f, %v\n", g[2:], h[2:], err)
	_, _, err = moment.EliminationWeights([]float64{0}, []float64{1}, moment.TauFloor)
	fmt.Println(err)
	// Output:
	// uniform: G = [0.0 -1.5], H = [1.0 0.0]
	// exponential: G = [1.0 0.5], H = [2.0 -0.5], <nil>
	// moment: feature 0 has τ = 0, expected at least 1e-06. Drop the feature or fit iFM, which does not need τ
}

func TestTheFloorOfEstimatedMomentsFallsAsRowsGrow(t *testing.T) {
	assert.Equal(t, .25, moment.EstimatedTauFloor(16))
	assert.Equal(t, 1./1024, moment.EstimatedTauFloor(1<<20))
	assert.Equal(t, moment.TauFloor, moment.EstimatedTauFloor(1<<60))
}

// checkWeights compares weights with inverses of A_j times their right-hand sides.
func checkWeights(t *testing.T, kappa, phi, g, h []float64, near float64, inverse func(kappa, phi float64) *mat.Dense) {
	t.Helper()
	require.Len(t, g, 2*len(kappa))
	require.Len(t, h, 2*len(kappa))
	for j := range kappa {
		for _, weights := range []struct{ got, right []float64 }{
			{g[2*j:][:2], []float64{kappa[j], phi[j] - 3}},
			{h[2*j:][:2], []float64{1, 0}},
		} {
			var want mat.VecDense
			want.MulVec(inverse(kappa[j], phi[j]), mat.NewVecDense(2, weights.right))
			assert.InDeltaSlice(t, want.RawVector().Data, weights.got, near, "κ = %g, φ = %g", kappa[j], phi[j])
		}
	}
}

// Rounding times the condition of A, 1e3 at most where it is inverted.
func TestWeightsSolveTheirEquations(t *testing.T) {
	kappa, phi := momentsOfKnown()
	g, h, err := moment.EliminationWeights(kappa, phi, moment.TauFloor)
	require.NoError(t, err)
	checkWeights(t, kappa, phi, g, h, 1e-11, func(kappa, phi float64) *mat.Dense { return pseudoInverse(kappa, phi, 0) })
	for _, share := range []float64{.5, .3, .05} { // columns of two values: φ = 1 + κ²
		k := (1 - 2*share) / math.Sqrt(share*(1-share))
		kappa, phi = append(kappa, k), append(phi, 1+k*k)
	}
	for _, cut := range []float64{.01, .1, .5, 20} { // at 20 nothing is left
		g, h, err := moment.PseudoEliminationWeights(kappa, phi, cut)
		require.NoError(t, err)
		checkWeights(t, kappa, phi, g, h, 1e-11, func(kappa, phi float64) *mat.Dense { return pseudoInverse(kappa, phi, cut) })
	}
}
