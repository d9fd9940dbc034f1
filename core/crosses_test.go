package core_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/fm"
)

// The tests of what package core says of FM's way round its sign: columns that copy
// a row each, crosses of the matrix.

// cross gives column f of m c at a feature and what is left of its row over c at the
// others, and takes from left what the column writes off the diagonal.
func cross(m *fm.Model, left *mat.Dense, f, feature int, c float64) {
	for i := range m.D {
		m.U[i*m.Rank+f] = left.At(i, feature) / c
	}
	m.U[feature*m.Rank+f] = c
	remove(m, left, f)
}

// remove takes from left what column f of m writes off the diagonal.
func remove(m *fm.Model, left *mat.Dense, f int) {
	for i := range m.D {
		for l := range m.D {
			if i != l {
				left.Set(i, l, left.At(i, l)-m.U[i*m.Rank+f]*m.U[l*m.Rank+f])
			}
		}
	}
}

// The loophole: (c, M₂₁/c, …) has the first row of M in its product with itself,
// and c² on the diagonal, which is left out.
func TestOneColumnCopiesARowOfEitherSign(t *testing.T) {
	const d, feature = 7, 2
	truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rand.New(rand.NewPCG(16, 0)), d*d))))
	for _, c := range []float64{.5, 1, 8, 64} {
		m := fm.New(fm.FM, d, 1)
		cross(m, mat.DenseCopyOf(truth), 0, feature, c)
		found := m.Interaction()
		for i := range d {
			for l := range d {
				want := truth.At(i, feature) * truth.At(l, feature) / (c * c)
				switch {
				case i == l:
					want = 0
				case i == feature || l == feature:
					want = truth.At(i, l)
				}
				assert.InDelta(t, want, found[i*d+l], 1e-14, "c = %v: what is not of the row is M_ij·M_lj/c²", c)
			}
		}
	}
}

// A column for each feature but the last, of what those before have left, is
// Cholesky's way to factor M + D, with pivots c² of one's own choice.
func TestCrossesCopyARowEach(t *testing.T) {
	const d, c = 7, 3
	truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rand.New(rand.NewPCG(17, 0)), d*d))))
	for rank := 1; rank < d; rank++ {
		m, left := fm.New(fm.FM, d, rank), mat.DenseCopyOf(truth)
		for f := range rank {
			cross(m, left, f, f, c)
		}
		found := m.Interaction()
		assert.InDeltaSlice(t, truth.RawMatrix().Data[:rank*d], found[:rank*d], 1e-13, "%d rows, sums of up to six products of about c", rank)
		if rank == d-1 {
			assert.InDeltaSlice(t, truth.RawMatrix().Data, found, 1e-13, "with d − 1 of them there is no row left")
		}
	}
}

// Crosses for all features but three leave three pairs, which one column writes if
// their product is positive. What the crosses change of it goes as 1/c².
func TestTwoColumnsLessThanAllDoWhereThreePairsHaveAPositiveProduct(t *testing.T) {
	const d, rank, c = 6, 4, 100
	rng := rand.New(rand.NewPCG(18, 0))
	written := 0
	for range 100 {
		truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rng, d*d))))
		three, product := [3]int{}, 0.0
		for i := range d {
			for j := range i {
				for l := range j {
					if p := truth.At(i, j) * truth.At(i, l) * truth.At(j, l); p > product {
						three, product = [3]int{i, j, l}, p
					}
				}
			}
		}
		if product < .01 {
			continue
		}
		written++
		m, left := fm.New(fm.FM, d, rank), mat.DenseCopyOf(truth)
		f := 0
		for feature := range d {
			if feature != three[0] && feature != three[1] && feature != three[2] {
				cross(m, left, f, feature, c)
				f++
			}
		}
		for at, i := range three {
			j, l := three[(at+1)%3], three[(at+2)%3]
			m.U[i*rank+f] = math.Sqrt(left.At(i, j) * left.At(i, l) / left.At(j, l))
			if left.At(j, l) < 0 {
				m.U[i*rank+f] *= -1
			}
		}
		remove(m, left, f)
		assert.InDeltaSlice(t, truth.RawMatrix().Data, m.Interaction(), 1e-10, "differences of numbers of 1e4, over .2 at the least")
	}
	assert.Greater(t, written, 95, "of 2¹⁵ ways to give fifteen pairs a sign, 2⁵ have no such three")
}

// Where M_ij·M_jl·M_il < 0 for every three features, some of them turned round make all
// of M negative. M + D without a negative eigenvalue then is a multiple of I less a
// matrix of positive entries off the diagonal, whose largest eigenvalue is simple
// (Perron and Frobenius): M + D has rank d − 1 at least, and so have those near it.
func TestTwoColumnsLessThanAllDoNotWhereEveryTriangleIsNegative(t *testing.T) {
	const d = 6
	rng := rand.New(rand.NewPCG(19, 0))
	for range 300 {
		turned := make([]float64, d)
		for i := range turned {
			turned[i] = math.Copysign(1, rng.NormFloat64())
		}
		with := mat.NewSymDense(d, nil)
		for i := range d {
			with.SetSym(i, i, math.Exp(3*rng.NormFloat64()))
			for l := range i {
				with.SetSym(i, l, -turned[i]*turned[l]*(1+rng.Float64()))
			}
		}
		lowest := eigenvalues(t, with)
		assert.Greater(t, lowest[1]-lowest[0], 1.0, "without its lowest eigenvalue on the diagonal one is 0, and no second one: the smallest entry is 1")
	}
}
