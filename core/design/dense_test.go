package design_test

import (
	"math"
	"math/rand/v2"
	"slices"
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
		rows, taken := []int32{0, int32(n - 1), int32(n / 2), 0}, []float64(nil)
		for _, i := range rows {
			taken = append(taken, x[8*i:][:8]...)
		}
		matchSlowLoops(t, design.Take(mixed, rows), taken, k)
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
		for _, backward := range []bool{false, true} {
			got := [][]float64{make([]float64, n*k), make([]float64, d*k), make([]float64, n), make([]float64, d)}
			var blocks [][2]int
			each := z.Each
			if backward {
				each = z.Back
			}
			each(rows, func(lo, hi int, b design.Block) {
				require.LessOrEqual(t, hi-lo, rows)
				blocks = append(blocks, [2]int{lo, hi})
				b.Forward(got[0][lo*k:hi*k], p, k)
				b.Adjoint(got[1], r[lo*k:hi*k], k)
				b.SquaresForward(got[2][lo:hi], c)
				b.SquaresAdjoint(got[3], r[lo:hi])
			})
			if backward {
				slices.Reverse(blocks)
			}
			seen := 0
			for _, b := range blocks {
				require.Equal(t, seen, b[0])
				seen = b[1]
			}
			require.Equal(t, n, seen)
			for of := range want { // sums of at most 300 terms of order 1
				assert.InDeltaSlice(t, want[of], got[of], 1e-12, "%T, %d×%d, k = %d, %d rows at a time: product %d", z, n, d, k, rows, of)
			}
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
	dst := []float64{9, 9, 9, 9}
	z.Each(design.BlockRows, func(_, _ int, b design.Block) { b.Forward(dst, []float64{1, 0, 10, 1}, 2) })
	assert.Equal(t, []float64{21, 2, 43, 4}, dst)
}

func TestRowsThatGrowLeaveTheNextOnesAsTheyAre(t *testing.T) {
	z := design.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	assert.Equal(t, []float64{3, 4, 9}, append(z.Row(1), 9))
	assert.Equal(t, []float64{1, 2, 3, 4, 9}, append(z.Rows(0, 2), 9))
	assert.Equal(t, []float64{5, 6}, z.Rows(2, 3))
}

func TestFromMatrixScalesByRootMeanSquareOfTrainingRows(t *testing.T) {
	rng := stream(4)
	const n, m, d = 200, 50, 3
	draw := func(n int) design.Matrix {
		x := design.Matrix{X: make([]float64, n*d), Y: make([]float64, n)}
		for i := range x.X {
			x.X[i] = 1 + rng.NormFloat64()
		}
		for i := range x.Y {
			x.Y[i] = 10 * rng.NormFloat64()
		}
		return x
	}
	clone := func(m design.Matrix) design.Matrix { return design.Matrix{X: slices.Clone(m.X), Y: slices.Clone(m.Y)} }
	train, test := draw(n), draw(m)
	set, err := design.FromMatrix([]string{"x1", "x2", "x3"}, "y", clone(train), clone(test))
	require.NoError(t, err)
	for j, f := range set.Encoding.Features {
		squares := 0.0
		for i := range n {
			squares += train.X[i*d+j] * train.X[i*d+j] / n
		}
		assert.InDelta(t, math.Sqrt(squares), f.Scale, 1e-13)
		assert.Zero(t, f.Mean)
		assert.Equal(t, design.FeatureValue, f.Kind)
		for i := range m {
			assert.InDelta(t, test.X[i*d+j], f.Scale*set.Test.Z.(interface{ Row(int) []float64 }).Row(i)[j], 1e-14)
		}
	}
	for i := range n {
		assert.InDelta(t, train.Y[i], set.Encoding.Target.Scale*set.Train.Y[i], 1e-13)
	}
	rows, columns := set.Valid.Z.Dims()
	assert.Equal(t, []int{0, d}, []int{rows, columns})
	assert.Equal(t, 1, set.Train.Line[0])
}

func TestFromMatrixRejectsWhatIsNoMatrix(t *testing.T) {
	good := func() design.Matrix { return design.Matrix{X: []float64{1, 2, 3, 4, 5, 6}, Y: []float64{1, 2, 3}} }
	two := []string{"a", "b"}
	for _, c := range []struct {
		message     string
		names       []string
		train, test design.Matrix
	}{
		{"no columns", nil, good(), good()},
		{"6 and 6 numbers for 3 and 3 rows of 3 columns", []string{"a", "b", "c"}, good(), good()},
		{"6 and 5 numbers", two, good(), design.Matrix{X: good().X[:5], Y: good().Y}},
		{"1 training rows", two, design.Matrix{X: []float64{1, 2}, Y: []float64{1}}, good()},
		{"0 test rows", two, good(), design.Matrix{}},
		{"the target is 1 in all 3 training rows, so there is nothing to learn; ask for more rows", two, design.Matrix{X: good().X, Y: []float64{1, 1, 1}}, good()},
		{"the target has standard deviation NaN", two, design.Matrix{X: good().X, Y: []float64{1, math.NaN(), 1}}, good()},
		{"column b is 0 in all 3 training rows; ask for more rows, or for a smaller τ", two, design.Matrix{X: []float64{1, 0, 2, 0, 3, 0}, Y: good().Y}, good()},
		{"column a has root mean square +Inf", two, design.Matrix{X: []float64{math.Inf(1), 0, 2, 1, 3, 0}, Y: good().Y}, good()},
		{"test row 2 holds a number that is not finite", two, good(), design.Matrix{X: []float64{1, 2, math.NaN(), 4, 5, 6}, Y: good().Y}},
		{"test row 3 holds a number that is not finite", two, good(), design.Matrix{X: good().X, Y: []float64{1, 2, math.Inf(-1)}}},
	} {
		_, err := design.FromMatrix(c.names, "y", c.train, c.test)
		require.ErrorAs(t, err, new(*design.ShapeError), c.message)
		assert.Contains(t, err.Error(), c.message)
	}
}

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
