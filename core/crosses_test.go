package core_test

import (
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
		if rank == 1 {
			assert.InDelta(t, truth.At(1, 0)*truth.At(2, 0)/(c*c), found[1*d+2], 1e-14, "what is not of the row is M_ij·M_lj/c²")
		}
		if rank == d-1 {
			assert.InDeltaSlice(t, truth.RawMatrix().Data, found, 1e-13, "with d − 1 of them there is no row left")
		}
	}
}
