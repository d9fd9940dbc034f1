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

// enumerate returns the two smallest sums of squares over all integers with a sum of at
// most bound, and the z of the smallest. It tries of each number all values that the
// bound leaves once the ones after it are chosen, by the Cholesky factor R of
// Q⁻¹ = RᵀR, without reduction or order. Whatever is as good as the second best lies in
// that box, whichever search it was that gave the bound.
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
func TestTheTwoBestIntegersAreThoseOfAPlainEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for i := range 300 {
		n, scale, condition := 8+rng.IntN(9), .05, 2.
		if i%3 > 0 { // few numbers, and ill-conditioned ones
			n, scale, condition = 1+rng.IntN(4), .01, 5.
		}
		q := covariance(n, scale, math.Pow(10, condition*rng.Float64()), rng)
		s, err := newIntegers(q, n)
		require.NoError(t, err)
		if i%3 == 2 {
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
		for k := range 2 { // both forms of the sum lose as many digits as Q has orders of magnitude
			require.InEpsilon(t, least[k], squares[k], 1e-8, "n = %d", n)
			require.InEpsilon(t, least[k], squareSum(t, q, best(s, k), a), 1e-8, "the z it returns has the sum it returns")
		}
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
		require.ErrorAs(t, err, new(*CovarianceError), name)
		assert.Contains(t, err.Error(), "3×3", name)
	}
}
