package moment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/moment"
)

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

func TestEliminationWeightsRejectsRademacher(t *testing.T) {
	_, _, err := moment.EliminationWeights([]float64{0, 0, 0}, []float64{3, 1, 1}, moment.TauFloor)
	var singular *moment.SingularMomentError
	require.ErrorAs(t, err, &singular)
	assert.Equal(t, &moment.SingularMomentError{Feature: 1, Tau: 0, Floor: 1e-6}, singular)
	assert.EqualError(t, err, "moment: feature 1 has τ = 0, expected at least 1e-06. Drop the feature or fit iFM, which does not need τ")
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
