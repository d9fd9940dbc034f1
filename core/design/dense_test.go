package design_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

func gaussians(n int, seed uint64) []float64 {
	rng := stream(seed)
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func TestBlocksMatchTheSlowLoops(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 1}, {5, 3, 2}, {128, 7, 1}, {129, 4, 3}, {300, 10, 8}, {257, 1, 1}, {3, 20, 5}} {
		n, d, k := shape[0], shape[1], shape[2]
		x := gaussians(n*d, 1)
		matchSlowLoops(t, design.NewDense(n, d, x), x, k)
		mixed, x := everyForm(n)
		matchSlowLoops(t, mixed, x, k)
	}
}

// everyForm returns rows with features of every form, and the same written out: a run, two
// levels, three hats and an entry.
func everyForm(n int) (*design.Mixed, []float64) {
	const d = 8
	x, own, entries := make([]float64, n*d), gaussians(2*n, 5), gaussians(n, 6)
	start, ones, last, left, at := []int32{0}, []int32(nil), []int32(nil), []int32(nil), []float64(nil)
	for i := range n {
		row, level, knot, share := x[i*d:][:d], 2+i%2, 4+i/2%2, float64(i%5)/4
		copy(row, own[2*i:][:2])
		row[level], row[knot], row[knot+1], row[7] = 1, 1-share, share, entries[i]
		start, ones, last = append(start, int32(i+1)), append(ones, int32(level)), append(last, 7)
		left, at = append(left, int32(knot)), append(at, share)
	}
	levels, hats := kernel.NewSparse(d, start, ones, nil), kernel.NewHats(d, 1, left, at)
	return design.NewMixed([]design.Run{{At: 0, Z: design.NewDense(n, 2, own)}}, levels, hats, kernel.NewSparse(d, start, last, entries)), x
}

func matchSlowLoops(t *testing.T, z design.Design, x []float64, k int) {
	t.Helper()
	n, d := z.Dims()
	p, r, c := gaussians(d*k, 2), gaussians(n*k, 3), gaussians(d, 4)
	want := [][]float64{make([]float64, n*k), make([]float64, d*k), make([]float64, n), make([]float64, d)}
	for i := range n {
		for j := range d {
			v := x[i*d+j]
			for f := range k {
				want[0][i*k+f] += v * p[j*k+f]
				want[1][j*k+f] += v * r[i*k+f]
			}
			want[2][i] += v * v * c[j]
			want[3][j] += v * v * r[i]
		}
	}
	for _, rows := range []int{1, 2, 100, design.BlockRows, 1000} {
		got := [][]float64{make([]float64, n*k), make([]float64, d*k), make([]float64, n), make([]float64, d)}
		seen := 0
		z.Each(rows, func(lo, hi int, b design.Block) {
			require.Equal(t, seen, lo)
			require.LessOrEqual(t, hi-lo, rows)
			seen = hi
			b.Forward(got[0][lo*k:hi*k], p, k)
			b.Adjoint(got[1], r[lo*k:hi*k], k)
			b.SquaresForward(got[2][lo:hi], c)
			b.SquaresAdjoint(got[3], r[lo:hi])
		})
		require.Equal(t, n, seen)
		for of := range want { // sums of at most 300 terms of order 1
			assert.InDeltaSlice(t, want[of], got[of], 1e-12, "%T, %d×%d, k = %d, %d rows at a time: product %d", z, n, d, k, rows, of)
		}
	}
}

func TestANumberIsBetweenTwoKnots(t *testing.T) {
	for _, c := range []struct {
		v    float64
		left int32
		t    float64
	}{{-1, 0, 0}, {0, 0, 0}, {1, 0, .5}, {2, 1, 0}, {2.5, 1, .25}, {4, 1, 1}, {9, 1, 1}} {
		left, at := design.Between([]float64{0, 2, 4}, c.v)
		assert.Equal(t, []float64{float64(c.left), c.t}, []float64{float64(left), at}, "%g", c.v)
	}
}

func TestAWrongShapePanics(t *testing.T) {
	assert.Panics(t, func() { design.NewDense(2, 2, make([]float64, 3)) })
	assert.Panics(t, func() { design.NewDense(2, 2, make([]float64, 4)).Each(0, func(int, int, design.Block) {}) })
}

func TestForwardForgetsWhatItsDestinationHeld(t *testing.T) {
	z := design.NewDense(2, 2, []float64{1, 2, 3, 4})
	dst := []float64{9, 9}
	z.Each(design.BlockRows, func(_, _ int, b design.Block) { b.Forward(dst, []float64{1, 10}, 1) })
	assert.Equal(t, []float64{21, 43}, dst)
}

func TestRowsThatGrowLeaveTheNextOnesAsTheyAre(t *testing.T) {
	z := design.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	assert.Equal(t, []float64{3, 4, 9}, append(z.Row(1), 9))
	assert.Equal(t, []float64{1, 2, 3, 4, 9}, append(z.Rows(0, 2), 9))
	assert.Equal(t, []float64{5, 6}, z.Rows(2, 3))
}
