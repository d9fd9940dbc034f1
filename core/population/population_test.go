package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"ifmlab/core/invalid"
)

// six returns the pairs of a matrix of six features.
func six(of func(i, j int) float64) (pairs []float64) {
	for i := range 6 {
		for j := i + 1; j < 6; j++ {
			pairs = append(pairs, of(i, j))
		}
	}
	return pairs
}

// among has v between the first n features.
func among(n int, v float64) []float64 {
	return six(func(_, j int) float64 {
		if j < n {
			return v
		}
		return 0
	})
}

// between has 1 between the first three features and the last three.
func between(i, j int) float64 {
	if i < 3 && j >= 3 {
		return 1
	}
	return 0
}

func compare(t *testing.T, pairs []float64, k int) *Contest {
	t.Helper()
	c, err := Compare(pairs, k)
	require.NoError(t, err)
	return c
}

// rounding is an error share: sums of squares are lowered to 1e-22 of that of M, or
// to where rounding stops them.
const rounding = 1e-9

func TestTheGradientAndTheHessianAreThoseOfTheSumOfSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, form := range [][2]int{{2, 0}, {1, 1}, {0, 1}, {2, 2}} {
		s := newSearch(symmetric(Drawn(6, 2, 0), 6), 6, 0, form[0], form[1])
		for i := range s.x {
			s.x[i] = rng.NormFloat64()
		}
		s.value(s.x)
		s.differentiate()
		f := func(x []float64) float64 { return s.value(x) / 2 }
		gradient := append([]float64{}, s.g...)
		for i, want := range fd.Gradient(nil, f, s.x, &fd.Settings{Formula: fd.Central}) {
			assert.InDelta(t, want, gradient[i], 1e-6, "gradient %d of %v", i, form)
		}
		at, size := append([]float64{}, s.x...), len(s.x)
		for i := range size {
			column := fd.Derivative(func(v float64) float64 { s.x[i] = v; s.value(s.x); s.differentiate(); return s.g[0] }, at[i], &fd.Settings{Formula: fd.Central})
			s.x[i] = at[i]
			s.value(s.x)
			s.differentiate()
			assert.InDelta(t, column, s.h[i], 1e-6, "first row of the Hessian, %d of %v", i, form)
			for j := range i {
				assert.Equal(t, s.h[i*size+j], s.h[j*size+i], "it is symmetric")
			}
		}
	}
}

// slowly returns the lowest share that gonum's BFGS reaches from many starts.
func slowly(pairs []float64, plus, minus, starts int) float64 {
	s, rng := newSearch(symmetric(pairs, 6), 6, 0, plus, minus), rand.New(rand.NewPCG(9, 9))
	least, start := math.Inf(1), make([]float64, len(s.x))
	for range starts {
		for i := range start {
			start[i] = rng.NormFloat64()
		}
		result, _ := optimize.Minimize(optimize.Problem{
			Func: func(x []float64) float64 { return s.value(x) / 2 },
			Grad: func(g, x []float64) {
				copy(s.x, x)
				s.value(s.x)
				s.differentiate()
				copy(g, s.g)
			},
		}, start, &optimize.Settings{MajorIterations: 300}, &optimize.BFGS{})
		least = min(least, 2*result.F)
	}
	return math.Sqrt(least / sumOfSquares(pairs))
}

// Where a limit is nearest, the slow search creeps for ever.
func TestASlowSearchFromManyStartsFindsNothingBetter(t *testing.T) {
	limits := 0
	for i := range 12 {
		pairs := Drawn(6, 6, i)
		for _, form := range [][2]int{{2, 0}, {1, 1}} {
			fit, want := nearest(pairs, 6, form[0], form[1]), slowly(pairs, form[0], form[1], 15)
			assert.LessOrEqual(t, fit.Share, want+1e-9, "matrix %d, %v", i, form)
			if fit.Unbounded() {
				limits++
				continue
			}
			assert.InDelta(t, want, fit.Share, 1e-6, "matrix %d, %v: and the slow one gets there", i, form)
		}
	}
	assert.Positive(t, limits, "some are limits")
}

func TestATruthThatAModelCanWriteIsFoundToRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, form := range [][2]int{{1, 0}, {0, 1}, {2, 0}, {1, 1}, {3, 0}, {2, 1}} {
		for trial := range 5 {
			s := newSearch(make([]float64, 36), 6, 0, form[0], form[1])
			for i := range s.best {
				s.best[i] = rng.NormFloat64()
			}
			truth := make([]float64, 15)
			s.write(truth, make([]float64, 15), 6)
			fit := nearest(truth, 6, form[0], form[1])
			assert.Less(t, fit.Share, rounding, "%v, trial %d", form, trial)
			assert.InDeltaSlice(t, truth, fit.Pairs, 1e-6)
		}
	}
}

func TestTheClosedForms(t *testing.T) {
	for name, c := range map[string]struct {
		pairs []float64
		fm    float64 // share
		ifm   float64
	}{
		"nothing":                            {six(func(int, int) float64 { return 0 }), 0, 0},
		"a lone negative pair":               {among(2, -1), 0, 0},
		"all alike":                          {among(6, 1), 0, 0},
		"a triangle of three at 120 degrees": {among(3, -.5), 0, 0},
		// Two features are hidden: of four against each other one pair is left, of six six.
		"four against each other": {among(4, -1), math.Sqrt(1. / 6), 0},
		"six against each other":  {among(6, -1), math.Sqrt(6. / 15), 0},
	} {
		found := compare(t, c.pairs, 1)
		assert.InDelta(t, c.fm, found.FM.Share, rounding, name)
		assert.InDelta(t, c.ifm, found.IFM.Share, rounding, name)
	}
	sorted := compare(t, six(between), 1)
	assert.InDelta(t, 3, slices.Max(sorted.Eigenvalues), 1e-12)
	assert.InDelta(t, -3, slices.Min(sorted.Eigenvalues), 1e-12)
	assert.Greater(t, sorted.Score, 40.0, "not one pair is negative")
}

// Row h of M̂ is that of M, to any accuracy, where U is large enough.
func TestAHiddenRowIsALimitOfFactors(t *testing.T) {
	pairs := among(6, -1)
	fit := nearest(pairs, 6, 2, 0)
	require.True(t, fit.Unbounded())
	require.Len(t, fit.Hidden, 2)
	// The column of a hidden feature is c there and M/c elsewhere.
	for _, c := range []float64{1e2, 1e4} {
		u := make([]float64, 12)
		for column, h := range fit.Hidden {
			for j := range 6 {
				u[j*2+column] = -1 / c
			}
			u[h*2+column] = c
		}
		u[fit.Hidden[1]*2] = 0 // the pair of both is in one of them
		at := 0
		for i := range 6 {
			for j := i + 1; j < 6; j++ {
				assert.InDelta(t, fit.Pairs[at], u[i*2]*u[j*2]+u[i*2+1]*u[j*2+1], 3/(c*c), "c = %g, pair %d %d", c, i, j)
				at++
			}
		}
	}
}

// Turning all signs turns iFM's M̂ and leaves its error, for P and Q change places.
// Turning the signs at one feature leaves both models' errors.
func TestTheSignsThatMatter(t *testing.T) {
	pairs := Drawn(6, 8, 1)
	c := compare(t, pairs, 1)
	turned := compare(t, six(func(i, j int) float64 { return -symmetric(pairs, 6)[i*6+j] }), 1)
	assert.InDelta(t, c.IFM.Share, turned.IFM.Share, rounding)
	assert.NotEqual(t, c.FM.Share, turned.FM.Share)
	one := compare(t, six(func(i, j int) float64 {
		if i == 2 || j == 2 {
			return -symmetric(pairs, 6)[i*6+j]
		}
		return symmetric(pairs, 6)[i*6+j]
	}), 1)
	assert.InDelta(t, c.FM.Share, one.FM.Share, rounding)
	assert.InDelta(t, c.IFM.Share, one.IFM.Share, rounding)
}

func TestTheScoreIsFairAndFinite(t *testing.T) {
	assert.Equal(t, 1.0, Score(0, 0), "both are exact")
	assert.Equal(t, 1.0, Score(.3, .3))
	assert.Equal(t, 2.0, Score(.5, .25))
	assert.Equal(t, 50.0, Score(.5, 0), "an exact one counts as one per cent")
	assert.Equal(t, Score(.4, .004), 1/Score(.004, .4))
}

// The bits of a matrix of hundredths, which link and screen both hold to the digit.
// They are those of amd64 and of wasm.
func TestTheSameMatrixGivesTheSameBitsOnEveryMachine(t *testing.T) {
	c := compare(t, Drawn(6, 1, 3), 1)
	assert.Equal(t, [2]uint64{0x3fe02b8cc9ce3fcd, 0x3fd6f4f403871d64}, [2]uint64{math.Float64bits(c.FM.Share), math.Float64bits(c.IFM.Share)})
}

func TestWhatCannotBeFittedIsRefused(t *testing.T) {
	for _, n := range []int{0, 2, 14, 55} {
		_, err := Compare(make([]float64, n), 1)
		assert.ErrorAs(t, err, new(*invalid.ShapeError), "%d", n)
	}
	bad := make([]float64, 15)
	for _, v := range []float64{math.NaN(), math.Inf(-1), 1001} {
		bad[6] = v
		_, err := Compare(bad, 1)
		require.ErrorAs(t, err, new(*invalid.NotFiniteError))
		assert.Contains(t, err.Error(), "the pair of features 2 and 4 ")
	}
	var rank *RankError
	for _, k := range []int{-1, 0, 4} {
		_, err := Compare(make([]float64, 15), k)
		assert.ErrorAs(t, err, &rank)
	}
}

// Rows of ±1 are independent columns of variance 1, and all of them are the population.
func TestTheErrorIsThatOfAllRowsOfSigns(t *testing.T) {
	overSigns := func(pairs []float64) float64 {
		m, sum := symmetric(pairs, 6), 0.0
		for row := range 64 {
			y := 0.0
			for i := range 6 {
				for j := range 6 {
					y += m[i*6+j] * float64(1-2*(row>>i&1)) * float64(1-2*(row>>j&1))
				}
			}
			sum += y * y / 64
		}
		return math.Sqrt(sum)
	}
	truth := Drawn(6, 4, 0)
	c := compare(t, truth, 1)
	for _, fit := range []Fit{c.FM, c.IFM} {
		off := slices.Clone(truth)
		for i, v := range fit.Pairs {
			off[i] -= v
		}
		assert.InEpsilon(t, overSigns(off), fit.RMSE, 1e-12)
	}
	assert.InEpsilon(t, overSigns(truth), c.RMSE, 1e-12)
	assert.InEpsilon(t, c.FM.RMSE/c.RMSE, c.FM.Share, 1e-12)
}
