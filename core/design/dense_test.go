package design_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
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
		x, p, r, c := gaussians(n*d, 1), gaussians(d*k, 2), gaussians(n*k, 3), gaussians(d, 4)
		z := design.NewDense(n, d, x)
		for _, rows := range []int{1, 2, 100, design.BlockRows, 1000} {
			t.Run(fmt.Sprint(n, d, k, " by ", rows), func(t *testing.T) {
				forward, adjoint := make([]float64, n*k), make([]float64, d*k)
				squares, columns := make([]float64, n), make([]float64, d)
				seen := 0
				z.Each(rows, func(lo, hi int, b design.Block) {
					require.Equal(t, seen, lo)
					require.LessOrEqual(t, hi-lo, rows)
					seen = hi
					b.Forward(forward[lo*k:hi*k], p, k)
					b.Adjoint(adjoint, r[lo*k:hi*k], k)
					b.SquaresForward(squares[lo:hi], c)
					b.SquaresAdjoint(columns, r[lo*k:lo*k+hi-lo])
				})
				require.Equal(t, n, seen)
				wantForward, wantAdjoint := make([]float64, n*k), make([]float64, d*k)
				wantSquares := make([]float64, n)
				for i := range n {
					for j := range d {
						v := x[i*d+j]
						for f := range k {
							wantForward[i*k+f] += v * p[j*k+f]
							wantAdjoint[j*k+f] += v * r[i*k+f]
						}
						wantSquares[i] += v * v * c[j]
					}
				}
				// Sums of at most 300 terms of order 1.
				assert.InDeltaSlice(t, wantForward, forward, 1e-12)
				assert.InDeltaSlice(t, wantAdjoint, adjoint, 1e-12)
				assert.InDeltaSlice(t, wantSquares, squares, 1e-12)
				if k == 1 {
					want := make([]float64, d)
					for i := range n {
						for j := range d {
							want[j] += x[i*d+j] * x[i*d+j] * r[i]
						}
					}
					assert.InDeltaSlice(t, want, columns, 1e-12)
				}
			})
		}
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
