package leaks

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gaussian returns columns of rows, of which some are sums of those before them.
func gaussian(rng *rand.Rand, rows, columns, sums int) [][]float64 {
	x := make([][]float64, columns)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range x[j] {
			x[j][i] = rng.NormFloat64()
			if j >= columns-sums {
				x[j][i] = x[0][i] - 2*x[j-1][i]
			}
		}
	}
	return x
}

func TestLeastSquaresLeavesWhatIsOrthogonalToEveryColumn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ rows, columns, sums int }{{30, 1, 0}, {40, 5, 0}, {40, 6, 2}, {200, 20, 7}} {
		all := make([]int, c.rows)
		for i := range all {
			all[i] = i
		}
		x := gaussian(rng, c.rows, c.columns, c.sums)
		for j := range x {
			x[j], _ = unitLength(x[j], all)
		}
		y, _ := unitLength(gaussian(rng, c.rows, 1, 0)[0], all)
		w := leastSquares(x, y)
		for i := range y {
			for j := range x {
				y[i] -= w[j] * x[j][i]
			}
		}
		zeros := 0
		for j := range x {
			sum := 0.
			for i := range y {
				sum += x[j][i] * y[i]
			}
			assert.InDelta(t, 0, sum, 1e-9, "column %d of %v", j, c)
			if w[j] == 0 {
				zeros++
			}
		}
		assert.Equal(t, c.sums, zeros, "what others say is passed over")
	}
}

// copiesByCorrelation says what copies does, from the definition.
func copiesByCorrelation(a, b []float64) bool {
	for i := range a {
		if (a[i] != a[i]) != (b[i] != b[i]) {
			return false
		}
	}
	return math.Abs(correlation(a, b)) > 1-copyDistance
}

func TestCopiesAreColumnsOfCorrelationOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 400 {
		n := 10 + rng.IntN(60)
		a, b := make([]float64, n), make([]float64, n)
		noise := math.Pow(10, -2-rng.Float64()*6)
		for i := range a {
			a[i] = rng.NormFloat64()
			if rng.IntN(3) == 0 {
				a[i] = 0
			}
			b[i] = 5 - 3*a[i] + noise*rng.NormFloat64()
			if rng.IntN(n) == 0 {
				a[i], b[i] = math.NaN(), math.NaN()
			}
			if rng.IntN(4*n) == 0 {
				b[i] = math.NaN()
			}
		}
		one, two := sampleColumn{x: a}, sampleColumn{x: b}
		one.standardize()
		two.standardize()
		if one.z == nil || two.z == nil {
			continue
		}
		want := copiesByCorrelation(a, b)
		if r := math.Abs(correlation(a, b)); math.Abs(r-1+copyDistance) < 1e-12 {
			continue // rounding decides
		}
		require.Equal(t, want, one.copies(two), "noise %g", noise)
		if want {
			found++
		}
	}
	assert.Greater(t, found, 50)
	assert.Less(t, found, 350)
}

func TestACorrelationIsOfTheRowsThatAreKnown(t *testing.T) {
	nan := math.NaN()
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, nan, 900}
	b := []float64{2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 700, nan}
	assert.InDelta(t, 31./33, correlation(a, b), 1e-15, "1 − 6·10/990 of ranks")
	assert.True(t, math.IsNaN(correlation(a[1:], b[1:])), "nine rows")
	assert.True(t, math.IsNaN(correlation(make([]float64, 12), b)), "it does not vary")
}

func TestLevelsAreOneToOneWhereTheirNumbersAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	equal := 0
	for range 2000 {
		n := 1 + rng.IntN(8)
		a, b := make([]int32, n), make([]int32, n)
		for i := range n {
			a[i], b[i] = int32(rng.IntN(3))-1, int32(rng.IntN(3))-1
		}
		to, back, one := map[int32]int32{}, map[int32]int32{}, true
		for i := range n {
			if v, ok := to[a[i]]; ok && v != b[i] {
				one = false
			}
			if v, ok := back[b[i]]; ok && v != a[i] {
				one = false
			}
			to[a[i]], back[b[i]] = b[i], a[i]
		}
		x, y := numbered("", a), numbered("", b)
		require.Equal(t, one, assert.ObjectsAreEqual(x.of, y.of), "%v %v", a, b)
		assert.Equal(t, len(to), x.n)
		if one {
			equal++
		}
	}
	assert.Greater(t, equal, 100)
}
