// Package population fits FM and iFM to an interaction matrix as infinitely many rows
// would. Then only the form of a model keeps it from the truth.
//
// Let the columns of x be independent with mean 0 and variance 1. The truth and a model have
// interactions xᵀMx and xᵀM̂x, with symmetric matrices of diagonal 0. For i < j and k < l the
// mean of xᵢxⱼxₖxₗ is 1 if both pairs are the same, else 0. So the mean squared error of a
// model's second-order part is
//
//	E(xᵀMx − xᵀM̂x)² = 4·Σᵢ<ⱼ(Mᵢⱼ − M̂ᵢⱼ)²
//
// for any such columns: no column is squared, so third and fourth moments do not matter. A
// linear part is uncorrelated with this and is fitted exactly. Dependent columns, or columns
// of another mean, need other weights.
//
// Both models have one form, with P d×plus and Q d×minus:
//
//	M̂ = PPᵀ − QQᵀ without its diagonal
//
// FM of rank r has plus = r and minus = 0. iFM of rank k has plus = minus = k, because the
// symmetric part of UVᵀ is PPᵀ − QQᵀ with P = (U + V)/2 and Q = (U − V)/2. So FM of rank 2k
// and iFM of rank k have 2dk parameters each. In both, 2dk − k(2k − 1) of them are free; the
// others rotate the columns of P and Q and do not change M̂.
package population

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/eigen"
	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// Widest is the largest number of features.
const Widest = 10

// Floor is the error, as a share, below which a model counts as exact in [Score].
const Floor = 0.01

// Fit is the best of one model that was found.
type Fit struct {
	Pairs  []float64 // M̂ᵢⱼ of the pairs i < j, row by row
	RMSE   float64   // √E(xᵀMx − xᵀM̂x)², in units of the target
	Share  float64   // RMSE ÷ RMSE of a model without interactions; 0 if M is 0
	Hidden []int     // features whose rows are those of M in a limit; see Unbounded
}

// Unbounded reports whether M̂ is only a limit: on the way to it, the entries of P and Q at
// the hidden features grow without bound. See [Compare].
func (f *Fit) Unbounded() bool { return len(f.Hidden) > 0 }

// Contest is FM against iFM at equal numbers of parameters.
type Contest struct {
	D           int
	Pairs       []float64 // of M
	Eigenvalues []float64 // of M, in no order
	Vectors     []float64 // d×d: row i belongs to eigenvalue i
	RMSE        float64   // of a model without interactions
	FM, IFM     Fit
	Score       float64
}

// RankError says that a rank is out of range.
type RankError struct{ Rank, D int }

func (e *RankError) Error() string {
	return message.Sprintf("population: rank %d of %d features; choose one from 1 to %d", e.Rank, e.D, max(1, e.D/2))
}

func (*RankError) Kind() string { return "RankError" }

const largest = 1000 // of an entry: its eighth power is far from overflow

// Compare fits FM of rank 2k and iFM of rank k to M, given by its pairs i < j, row by row. A
// fit has the smallest Σᵢ<ⱼ(Mᵢⱼ − M̂ᵢⱼ)² from several starts.
//
// The set of all M̂ of a model is not closed. A column of P with c at feature h and Mₕⱼ/c
// elsewhere makes row h of M̂ that of M, with any signs. The c² is on the diagonal, which is
// left out, and the rest of what the column adds goes to 0 as c grows. So the smallest error
// may be a limit that no P and Q reach. The limits are known. For a set H of features, each
// with one column of P or of Q, the rows of H are those of M, and the rest is an M̂ with the
// other columns. (If the diagonal of PPᵀ − QQᵀ grows without bound on H alone, its inverse
// there goes to 0. The rest is then the Schur complement of H, whose rank is smaller by the
// size of H.) Compare tries every H. A fit is unbounded if a non-empty H is better by more
// than rounding.
//
// Damped Newton steps from seeded starts lower each sum of squares, of degree 4. The same M
// gives the same bits on every machine, except for the eigenvalues, which agree to rounding.
// The minimum need not be the global one, but in the tests a slow search from many more
// starts finds nothing better.
//
// It returns a [*invalid.ShapeError], a [*invalid.NotFiniteError] or, unless
// 1 ≤ k ≤ max(1, d/2), a [*RankError]. It tries Σₕ d!/(h!(d − h)!) sets for h up to 2k, and
// a step costs O(d³k³): about 5 ms for d = 6 and k = 1.
func Compare(pairs []float64, k int) (*Contest, error) {
	d, err := features(pairs)
	if err != nil {
		return nil, err
	}
	if k < 1 || k > max(1, d/2) {
		return nil, &RankError{k, d}
	}
	c := &Contest{D: d, Pairs: pairs, FM: nearest(pairs, d, 2*k, 0), IFM: nearest(pairs, d, k, k)}
	c.RMSE = 2 * math.Sqrt(sumOfSquares(pairs))
	c.Score = Score(c.FM.Share, c.IFM.Share)
	e := eigen.New(d)
	e.Of(symmetric(pairs, d), d)
	c.Eigenvalues, c.Vectors = e.Values, e.Vectors
	return c, nil
}

// Score returns how many times FM's error is iFM's, both as shares:
//
//	max(fm, Floor) / max(ifm, Floor)
//
// At 1 both are equally good, and below it FM is better. The floor keeps the score between
// Floor and 1/Floor if a model is exact, and at 1 if both are.
func Score(fm, ifm float64) float64 { return max(fm, Floor) / max(ifm, Floor) }

// Drawn returns the pairs of a random M. Each is a multiple of 0.1 from −1 to 1, all equally
// likely. The same seed and number give the same M.
func Drawn(d int, seed uint64, number int) []float64 {
	rng := rand.New(rand.NewPCG(seed, uint64(number)))
	pairs := make([]float64, d*(d-1)/2)
	for i := range pairs {
		pairs[i] = float64(rng.IntN(21)-10) / 10
	}
	return pairs
}

// features returns d for d(d − 1)/2 valid pairs.
func features(pairs []float64) (d int, err error) {
	for d = 2; d*(d-1)/2 < len(pairs); d++ {
	}
	if d > Widest || d*(d-1)/2 != len(pairs) {
		return 0, invalid.Shape("population", "found %d numbers, expected one for each pair of d features: d(d − 1)/2 numbers, with d from 2 to %d", len(pairs), Widest)
	}
	at := 0
	for i := range d {
		for j := i + 1; j < d; j++ {
			if !(math.Abs(pairs[at]) <= largest) {
				return 0, invalid.NotFinite("population", "the pair of features %d and %d is %g, expected a number from −1000 to 1000", i+1, j+1, pairs[at])
			}
			at++
		}
	}
	return d, nil
}

// symmetric returns the d×d matrix of the pairs.
func symmetric(pairs []float64, d int) []float64 {
	m := make([]float64, d*d)
	at := 0
	for i := range d {
		for j := i + 1; j < d; j++ {
			m[i*d+j], m[j*d+i] = pairs[at], pairs[at]
			at++
		}
	}
	return m
}

func sumOfSquares(x []float64) (sum float64) {
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}
