package position

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// covariance returns RᵀΛR with a random rotation R, and Λ from scale to
// scale·condition.
func covariance(n int, scale, condition float64, rng *rand.Rand) []float64 {
	gauss := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			gauss.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(gauss)
	var r, q mat.Dense
	qr.QTo(&r)
	lambda := make([]float64, n)
	for i := range lambda {
		lambda[i] = scale * math.Pow(condition, float64(i)/float64(max(1, n-1)))
	}
	q.Product(r.T(), mat.NewDiagDense(n, lambda), &r)
	symmetric := make([]float64, n*n)
	for i := range n {
		for j := range n {
			symmetric[i*n+j] = (q.At(i, j) + q.At(j, i)) / 2
		}
	}
	return symmetric
}

// squareSum returns (z − a)ᵀQ⁻¹(z − a), by gonum.
func squareSum(t *testing.T, q, z, a []float64) float64 {
	n := len(a)
	var chol mat.Cholesky
	require.True(t, chol.Factorize(mat.NewSymDense(n, q)))
	v, x := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		v.SetVec(i, z[i]-a[i])
	}
	require.NoError(t, chol.SolveVecTo(x, v))
	return mat.Dot(v, x)
}

// best returns the best z of the last search, or the second best.
func best(s *integers, rank int) []float64 {
	z := make([]float64, s.n)
	s.integer(z, rank)
	return z
}

// bruteForce returns the two smallest sums of squares over all integers of the box
// that holds every z with a sum of at most bound, |zᵢ − aᵢ|² ≤ bound·Qᵢᵢ, and the z
// of the smallest; size is how many there are, and nothing is tried where they are
// more than most.
func bruteForce(t *testing.T, q, a []float64, bound float64, most int) (least [2]float64, best []float64, size int) {
	n := len(a)
	var chol mat.Cholesky
	require.True(t, chol.Factorize(mat.NewSymDense(n, q)))
	var inverse mat.SymDense
	require.NoError(t, chol.InverseTo(&inverse))
	low, high := make([]float64, n), make([]float64, n)
	size = 1
	for i := range n {
		radius := math.Sqrt(bound*q[i*n+i])*(1+1e-9) + 1e-9
		low[i], high[i] = math.Ceil(a[i]-radius), math.Floor(a[i]+radius)
		if high[i] < low[i] {
			return [2]float64{math.Inf(1), math.Inf(1)}, nil, 0
		}
		if size *= int(high[i]-low[i]) + 1; size > most {
			return least, nil, size
		}
	}
	least = [2]float64{math.Inf(1), math.Inf(1)}
	z := append([]float64(nil), low...)
	for {
		sum := 0.0
		for i := range n {
			for j := range n {
				sum += (z[i] - a[i]) * inverse.At(i, j) * (z[j] - a[j])
			}
		}
		if sum < least[0] {
			least[0], least[1] = sum, least[0]
			best = append(best[:0], z...)
		} else if sum < least[1] {
			least[1] = sum
		}
		i := 0
		for ; i < n; i++ {
			if z[i]++; z[i] <= high[i] {
				break
			}
			z[i] = low[i]
		}
		if i == n {
			return least, best, size
		}
	}
}

func TestTheTwoBestIntegersAreThoseOfBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	done, ill := 0, 0
	want := 600
	if testing.Short() {
		want = 150
	}
	for done < want {
		n := 1 + rng.IntN(4)
		condition := math.Pow(10, 6*rng.Float64())
		q := covariance(n, math.Pow(10, -4+3*rng.Float64()), condition, rng)
		a := make([]float64, n)
		for i := range a {
			a[i] = 20 * rng.NormFloat64()
		}
		s, err := newIntegers(q, n)
		require.NoError(t, err)
		squares, ok := s.search(a)
		require.True(t, ok)
		require.LessOrEqual(t, squares[0], squares[1])
		// Whatever is as good as the second best lies in this box, so that nothing in it
		// is better is a proof, whichever search it was that gave the bound.
		least, z, size := bruteForce(t, q, a, squares[1], 200000)
		if size > 200000 {
			continue // a wide box of an ill-conditioned Q: most are in reach, see below
		}
		done++
		if condition > 1e4 && n > 1 {
			ill++
		}
		// Both forms of the sum lose as many digits as Q has orders of magnitude.
		for i := range 2 {
			require.InEpsilon(t, least[i], squares[i], 1e-8, "n = %d, condition %.2g", n, condition)
			require.InEpsilon(t, least[i], squareSum(t, q, best(s, i), a), 1e-8, "the z it returns has the sum it returns")
		}
		if least[1] > least[0]*(1+1e-6) {
			require.Equal(t, z, best(s, 0))
		}
	}
	assert.Greater(t, ill, want/10, "of ill-conditioned ones")
}

// enumerate is bruteForce for more numbers: the same box, but of each number only
// those values that the bound leaves once the ones after it are chosen, by the
// Cholesky factor R of Q⁻¹ = RᵀR as it comes, without reduction or order.
func enumerate(t *testing.T, q, a []float64, bound float64) (least [2]float64, best []float64) {
	n := len(a)
	var chol, factor mat.Cholesky
	require.True(t, chol.Factorize(mat.NewSymDense(n, q)))
	var inverse mat.SymDense
	require.NoError(t, chol.InverseTo(&inverse))
	require.True(t, factor.Factorize(&inverse))
	var r mat.TriDense
	factor.UTo(&r)
	least = [2]float64{math.Inf(1), math.Inf(1)}
	z := make([]float64, n)
	var choose func(k int, sum float64)
	choose = func(k int, sum float64) {
		if k < 0 {
			if sum < least[0] {
				least[0], least[1] = sum, least[0]
				best = append(best[:0], z...)
			} else if sum < least[1] {
				least[1] = sum
			}
			return
		}
		centre := a[k]
		for j := k + 1; j < n; j++ {
			centre -= r.At(k, j) / r.At(k, k) * (z[j] - a[j])
		}
		radius := math.Sqrt(max(0, bound-sum)) / r.At(k, k)
		for z[k] = math.Ceil(centre - radius); z[k] <= centre+radius; z[k]++ {
			off := (z[k] - centre) * r.At(k, k)
			choose(k-1, sum+off*off)
		}
	}
	choose(n-1, 0)
	return least, best
}

// The search needs no reduced numbers to be right, only to be short; without, its
// levels turn back and forth many times, which reduced ones hardly ever ask for.
func TestTheTwoBestOfManyIntegersAreThoseOfAPlainEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for i := range 200 {
		n := 8 + rng.IntN(9)
		q := covariance(n, .05, math.Pow(10, 2*rng.Float64()), rng)
		s, err := newIntegers(q, n)
		require.NoError(t, err)
		if i%2 > 0 {
			n = 2 + rng.IntN(3)
			q = covariance(n, .01, math.Pow(10, 4*rng.Float64()), rng)
			s, err = newIntegers(q, n)
			require.NoError(t, err)
			copy(s.u, q)
			require.NoError(t, factor(s.u, s.d))
			for j := range n * n {
				s.t[j], s.back[j] = 0, 0
				if j%(n+1) == 0 {
					s.t[j], s.back[j] = 1, 1
				}
			}
		}
		a := make([]float64, n)
		for i := range a {
			a[i] = 20 * rng.NormFloat64()
		}
		squares, ok := s.search(a)
		require.True(t, ok)
		least, z := enumerate(t, q, a, squares[1]*(1+1e-9))
		require.InEpsilon(t, least[0], squares[0], 1e-9, "n = %d", n)
		require.InEpsilon(t, least[1], squares[1], 1e-9, "n = %d", n)
		require.Equal(t, z, best(s, 0))
	}
}

func TestTheReductionIsUnimodularAndReduced(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 2, 3, 8, 26, 40} {
		for range 10 {
			q := covariance(n, 1e-4, math.Pow(10, 6*rng.Float64()), rng)
			s, err := newIntegers(q, n)
			require.NoError(t, err)
			// Integers of determinant ±1: TᵀT⁻¹ is exactly the identity, and both are integer.
			for i := range n {
				for k := range n {
					sum := 0.0
					for j := range n {
						sum += s.t[i*n+j] * s.back[k*n+j]
					}
					want := 0.0
					if i == k {
						want = 1
					}
					require.Equal(t, want, sum, "sums of products of small integers are exact")
				}
				for _, v := range append(s.t[i*n:(i+1)*n:(i+1)*n], s.back[i*n:(i+1)*n]...) {
					require.Equal(t, math.Round(v), v)
				}
			}
			require.InDelta(t, 1, math.Abs(mat.Det(mat.NewDense(n, n, append([]float64(nil), s.t...)))), 1e-6)
			// UDUᵀ is TQTᵀ; its numbers come from Q's by sums that cancel, so relative to Q.
			var reduced, diff mat.Dense
			u, tm := mat.NewDense(n, n, nil), mat.NewDense(n, n, s.t)
			for i := range n {
				u.Set(i, i, 1)
				for j := i + 1; j < n; j++ {
					u.Set(i, j, s.u[i*n+j])
				}
			}
			reduced.Product(tm, mat.NewDense(n, n, q), tm.T())
			diff.Product(u, mat.NewDiagDense(n, s.d), u.T())
			diff.Sub(&diff, &reduced)
			require.Less(t, mat.Norm(&diff, 2), 1e-10*mat.Norm(mat.NewDense(n, n, q), 2)*math.Max(1, mat.Norm(tm, 2)))
			for i := range n {
				for j := i + 1; j < n; j++ {
					require.LessOrEqual(t, math.Abs(s.u[i*n+j]), .5+1e-12, "size")
				}
				if i+1 < n {
					v := s.u[i*n+i+1]
					require.GreaterOrEqual(t, s.d[i]+v*v*s.d[i+1], lovasz*s.d[i+1]*(1-1e-9), "Lovász")
				}
			}
		}
	}
}

func TestIntegersAddedToTheNumbersAreAddedToTheAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 50 {
		n := 2 + rng.IntN(15)
		s, err := newIntegers(covariance(n, 1e-3, 1e5, rng), n)
		require.NoError(t, err)
		a, moved := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = (2*math.Round(rng.NormFloat64()*512) + 1) / 1024 // the sum is exact, and it is never between two integers
			moved[i] = a[i] + math.Round(1e6*rng.NormFloat64())
		}
		squares, ok := s.search(a)
		require.True(t, ok)
		first, second := best(s, 0), best(s, 1)
		again, ok := s.search(moved)
		require.True(t, ok)
		assert.Equal(t, squares, again, "to the bit")
		for i := range a {
			require.Equal(t, first[i]+moved[i]-a[i], best(s, 0)[i])
			require.Equal(t, second[i]+moved[i]-a[i], best(s, 1)[i])
		}
	}
}

// Rounding is the best where the numbers are not correlated, and far from it where
// they are.
func TestRoundingIsRightOnlyWithoutCorrelation(t *testing.T) {
	s, err := newIntegers([]float64{.04, 0, 0, .01}, 2)
	require.NoError(t, err)
	squares, ok := s.search([]float64{3.25, -7.4})
	require.True(t, ok)
	assert.Equal(t, []float64{3, -7}, best(s, 0))
	assert.Equal(t, []float64{4, -7}, best(s, 1))
	assert.InDelta(t, .25*.25/.04+.4*.4/.01, squares[0], 1e-12)
	assert.InDelta(t, .75*.75/.04+.4*.4/.01, squares[1], 1e-12)

	// The textbook's three ambiguities (de Jonge and Tiberius 1996, LAMBDA).
	q := []float64{6.290, 5.978, .544, 5.978, 6.292, 2.340, .544, 2.340, 6.288}
	s, err = newIntegers(q, 3)
	require.NoError(t, err)
	squares, ok = s.search([]float64{5.450, 3.100, 2.970})
	require.True(t, ok)
	assert.Equal(t, []float64{5, 3, 4}, best(s, 0))
	assert.InDelta(t, .2183, squares[0], 5e-4)
	assert.Equal(t, []float64{6, 4, 4}, best(s, 1))
	assert.InDelta(t, .3073, squares[1], 5e-4)
}

func TestASearchThatIsTooLongSaysSo(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const n = 30
	s, err := newIntegers(covariance(n, 1, 1e4, rng), n)
	require.NoError(t, err)
	a := make([]float64, n)
	for i := range a {
		a[i] = 100 * rng.NormFloat64()
	}
	s.limit = 100
	_, ok := s.search(a)
	assert.False(t, ok)
	assert.Equal(t, 100, s.nodes)
	for _, v := range []float64{math.NaN(), math.Inf(-1), math.Inf(1), -1e300} {
		a[7] = v
		squares, ok := s.search(a)
		assert.False(t, ok, "%g has no nearest integer", v)
		assert.Zero(t, s.nodes, "and that is known at once")
		assert.True(t, math.IsInf(squares[0], 1))
	}
}

func TestAMatrixThatIsNoCovarianceIsRefused(t *testing.T) {
	nan := math.NaN()
	for name, q := range map[string][]float64{
		"two equal numbers":   {1, 1, 0, 1, 1, 0, 0, 0, 1},
		"a negative variance": {1, 0, 0, 0, -1, 0, 0, 0, 1},
		"a zero":              make([]float64, 9),
		"not a number":        {1, 0, nan, 0, 1, 0, nan, 0, 1},
		"infinity":            {math.Inf(1), 0, 0, 0, 1, 0, 0, 0, 1},
	} {
		_, err := newIntegers(q, 3)
		var refused *CovarianceError
		require.ErrorAs(t, err, &refused, name)
		assert.Contains(t, err.Error(), "3×3", name)
	}
}

// The factor of a covariance solves its equations as gonum's does.
func TestTheFactorSolvesItsEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for n := 1; n < 20; n++ {
		q := covariance(n, 1, 1e6, rng)
		b := make([]float64, n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		want := mat.NewVecDense(n, nil)
		require.NoError(t, want.SolveVec(mat.NewDense(n, n, q), mat.NewVecDense(n, append([]float64(nil), b...))))
		u, d := append([]float64(nil), q...), make([]float64, n)
		require.NoError(t, factor(u, d))
		solve(u, d, b)
		for i := range b {
			assert.InDelta(t, want.AtVec(i), b[i], 1e-9*mat.Norm(want, 2), "a condition of 1e6 costs six digits of sixteen")
		}
	}
}

func BenchmarkReduceTwentySix(b *testing.B) {
	q := covariance(26, 1e-4, 1e6, rand.New(rand.NewPCG(6, 1)))
	for b.Loop() {
		newIntegers(q, 26)
	}
}
