package position

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// CovarianceError says that a matrix is no covariance, because it is not positive definite or
// not finite.
type CovarianceError struct {
	Size, Row int
	Pivot     float64 // of the factorization in that row
}

func (e *CovarianceError) Error() string {
	return message.Sprintf("vtec: the %d×%d covariance matrix has the pivot %.3g in row %d, expected a positive one. Look for two satellites in the same direction", e.Size, e.Size, e.Pivot, e.Row)
}

func (*CovarianceError) Kind() string { return "CovarianceError" }

// factor replaces the upper triangle of q, n×n and row-major, by U, and d by D:
//
//	Q = U·D·Uᵀ, U upper triangular with a diagonal of 1, D diagonal
//
// It does not touch the lower triangle and overwrites the diagonal. It returns a
// [*CovarianceError] if a pivot is at most 1e-14 of its row's variance, which is rounding.
// O(n³/3).
func factor(q, d []float64) error {
	n := len(d)
	for i := range n {
		d[i] = q[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		pivot := q[i*n+i]
		if !(pivot > 1e-14*d[i]) || math.IsInf(pivot, 0) {
			return &CovarianceError{Size: n, Row: i, Pivot: pivot}
		}
		d[i] = pivot
		for k := range i {
			ratio := q[k*n+i] / pivot
			for j := k; j >= 0; j-- {
				q[j*n+k] -= float64(ratio * q[j*n+i])
			}
		}
		for k := range i {
			q[k*n+i] /= pivot
		}
	}
	return nil
}

// solve sets b to the solution x of UDUᵀx = b. O(n²).
func solve(u, d, b []float64) {
	n := len(d)
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= float64(u[i*n+j] * b[j])
		}
	}
	for i, v := range d {
		b[i] /= v
		for j := range i {
			b[i] -= float64(u[j*n+i] * b[j])
		}
	}
}

// integers solves the integer least squares problem
//
//	min over integer z of (z − a)ᵀQ⁻¹(z − a)
//
// for one covariance Q, n×n, and any number of vectors a. It finds the best and the second
// best z. Q is reduced once, by a unimodular T that makes the numbers â = Ta nearly
// uncorrelated, TQTᵀ = UDUᵀ with
//
//	|Uᵢⱼ| ≤ ½ for i < j, and Dᵢ + U²ᵢ,ᵢ₊₁·Dᵢ₊₁ ≥ δ·Dᵢ₊₁, δ = .99
//
// This is the algorithm of Lenstra, Lenstra and Lovász on the lattice of Q. Satellite
// navigation calls it LAMBDA's decorrelation (Teunissen 1995; the swaps are those of Chang,
// Yang and Zhou, MLAMBDA, 2005). With cᵢ = âᵢ − Σ_j>i Uᵢⱼ(cⱼ − ẑⱼ) the sum of squares is
// Σ(cᵢ − ẑᵢ)²/Dᵢ. The search goes down from the last term, always to the nearest integer
// first (Schnorr and Euchner 1994).
type integers struct {
	n       int
	t, back []float64    // n×n: T, and (T⁻¹)ᵀ, whose rows are the columns of T⁻¹
	u, d    []float64    // n×n and n: U above the diagonal, D
	limit   int          // nodes of a search at most
	nodes   int          // of the last search
	z       [2][]float64 // the two best of the last search, as Tz

	// For a search: a rounded, and T times the rest. For each level: its integer, its
	// centre, their difference, the step to the next integer, and the sum from the last
	// level on.
	whole, mean, at, centre, off, step, sum []float64
}

// Lovász's δ, and the largest number of nodes of a search, about 2 ms. With 14 satellites good
// predictions take 60 nodes and hopeless ones 2000. With 40, hopeless ones would take more
// than a quarter of a million and fix no position.
const (
	lovasz    = .99
	mostNodes = 1 << 14
)

// newIntegers reduces a copy of Q, of which it reads the upper triangle. It returns a
// [*CovarianceError] if Q is not positive definite. O(n³) for each order of magnitude of
// Q's condition, at worst O(n⁴).
func newIntegers(q []float64, n int) (*integers, error) {
	s := &integers{n: n, limit: mostNodes}
	at := make([]float64, 3*n*n+10*n+1)
	take := func(size int) []float64 {
		taken := at[:size:size]
		at = at[size:]
		return taken
	}
	s.t, s.back, s.u, s.d = take(n*n), take(n*n), take(n*n), take(n)
	s.z = [2][]float64{take(n), take(n)}
	s.whole, s.mean, s.at, s.centre = take(n), take(n), take(n), take(n)
	s.off, s.step, s.sum = take(n), take(n), take(n+1)
	for i := range n {
		s.t[i*n+i], s.back[i*n+i] = 1, 1
	}
	copy(s.u, q)
	if err := factor(s.u, s.d); err != nil {
		return nil, err
	}
	s.reduce()
	return s, nil
}

// reduce makes the numbers of U small and brings the smallest of D to the end.
func (s *integers) reduce() {
	n := s.n
	for k := n - 2; k >= 0; {
		for i := k + 1; i < n; i++ {
			s.subtract(k, i)
		}
		u := s.u[k*n+k+1]
		if s.d[k]+float64(float64(u*u)*s.d[k+1]) < lovasz*s.d[k+1] {
			s.swap(k)
			k = min(k+1, n-2)
		} else {
			k--
		}
	}
}

// subtract subtracts from row k of U, and of T, the multiple of row i > k for which
// |Uₖᵢ| ≤ ½.
func (s *integers) subtract(k, i int) {
	n := s.n
	times := math.RoundToEven(s.u[k*n+i])
	if times == 0 {
		return
	}
	s.u[k*n+i] -= times
	for j := i + 1; j < n; j++ {
		s.u[k*n+j] -= float64(times * s.u[i*n+j])
	}
	for j := range n {
		s.t[k*n+j] -= times * s.t[i*n+j]
		s.back[i*n+j] += times * s.back[k*n+j]
	}
}

// swap exchanges the numbers k and k+1 and brings U and D into their form again.
func (s *integers) swap(k int) {
	n, i := s.n, k+1
	u := s.u[k*n+i]
	d := s.d[k] + float64(float64(u*u)*s.d[i])
	keep, turned := s.d[k]/d, s.d[i]*u/d
	s.d[k], s.d[i] = keep*s.d[i], d
	s.u[k*n+i] = turned
	for j := range k {
		a, b := s.u[j*n+k], s.u[j*n+i]
		s.u[j*n+k], s.u[j*n+i] = b-float64(u*a), float64(keep*a)+float64(turned*b)
	}
	for j := range n {
		if j > i {
			s.u[k*n+j], s.u[i*n+j] = s.u[i*n+j], s.u[k*n+j]
		}
		s.t[k*n+j], s.t[i*n+j] = s.t[i*n+j], s.t[k*n+j]
		s.back[k*n+j], s.back[i*n+j] = s.back[i*n+j], s.back[k*n+j]
	}
}

// search finds the two best integer vectors for a and returns their sums of squares, the
// smaller first. ok is false if it ended after limit nodes, with the best so far, or if a
// has a number that is not finite or too large to have a fraction. Each node costs O(n).
// There are a few n nodes if the best z is clear.
func (s *integers) search(a []float64) (squares [2]float64, ok bool) {
	n := s.n
	squares = [2]float64{math.Inf(1), math.Inf(1)}
	s.nodes = 0
	clear(s.z[0])
	clear(s.z[1])
	// From the nearest whole numbers, so that integers added to a are added to z.
	for j, v := range a {
		if !(math.Abs(v) < 1<<52) {
			return squares, false
		}
		s.whole[j] = math.RoundToEven(v)
		s.at[j] = v - s.whole[j]
	}
	for i := range n {
		s.mean[i] = kernel.Dot(s.t[i*n:(i+1)*n], s.at)
	}
	k := s.down(n - 1)
	for ; k < n && s.nodes < s.limit; s.nodes++ {
		off := s.centre[k] - s.at[k]
		s.off[k] = off
		sum := s.sum[k+1] + float64(off*off)/s.d[k]
		switch {
		case sum >= squares[1]:
			if k++; k == n {
				continue
			}
		case k > 0:
			s.sum[k] = sum
			k = s.down(k - 1)
			continue
		case sum < squares[0]:
			squares[0], squares[1] = sum, squares[0]
			s.z[0], s.z[1] = s.z[1], s.z[0]
			copy(s.z[0], s.at)
		default:
			squares[1] = sum
			copy(s.z[1], s.at)
		}
		s.at[k] += s.step[k]
		s.step[k] = -s.step[k] - math.Copysign(1, s.step[k])
	}
	return squares, k == n
}

// integer sets z to the best integers of the last search (rank 0) or the second
// best (rank 1). O(n²).
func (s *integers) integer(z []float64, rank int) {
	copy(z, s.whole)
	for i, v := range s.z[rank] {
		if v != 0 {
			kernel.Axpy(v, s.back[i*s.n:(i+1)*s.n], z)
		}
	}
}

// down starts level k of the search at the integer nearest to its centre, and returns k.
func (s *integers) down(k int) int {
	c := s.mean[k] - kernel.Dot(s.u[k*s.n+k+1:(k+1)*s.n], s.off[k+1:])
	s.centre[k], s.at[k] = c, math.RoundToEven(c)
	s.step[k] = math.Copysign(1, c-s.at[k])
	return k
}
