package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hats draws m rows of hats over columns of 2 to 4 knots each, cut out of a longer
// matrix, and written out.
func hats(rng *rand.Rand, m, columns int) (Hats, []float64, int) {
	first, d := make([]int, columns), 0
	knots := make([]int, columns)
	for c := range columns {
		first[c], knots[c] = d, 2+rng.IntN(3)
		d += knots[c]
	}
	var left []int32
	var at []float64
	dense := make([]float64, (m+2)*d)
	for i := range m + 2 {
		for c := range columns {
			j, t := first[c]+rng.IntN(knots[c]-1), float64(rng.IntN(5))/4
			left, at = append(left, int32(j)), append(at, t)
			dense[i*d+j] += 1 - t
			dense[i*d+j+1] += t
		}
	}
	return NewHats(d, columns, left, at).Rows(1, m+1), dense[d : (m+1)*d], d
}

func TestHatsMultiplyAsTheMatrixWrittenOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range []int{0, 1, 7, 130} {
		for _, columns := range []int{1, 3, 8} {
			for _, k := range []int{0, 1, 2, 5, 9} {
				z, x, d := hats(rng, m, columns)
				p, r, c, s := gaussian(rng, d*k), gaussian(rng, m*k), gaussian(rng, d), gaussian(rng, m)
				forward, adjoint := make([]float64, m*k), make([]float64, d*k)
				squares, squaresAdjoint := make([]float64, m), make([]float64, d)
				z.Forward(forward, p, k)
				z.Adjoint(adjoint, r, k)
				z.SquaresForward(squares, c)
				z.SquaresAdjoint(squaresAdjoint, s)
				for i := range m {
					for j := range d {
						v := x[i*d+j]
						for f := range k {
							forward[i*k+f] -= v * p[j*k+f]
							adjoint[j*k+f] -= v * r[i*k+f]
						}
						squares[i] -= v * v * c[j]
						squaresAdjoint[j] -= v * v * s[i]
					}
				}
				// Sums of some hundred products of size 1, in another order.
				for _, left := range [][]float64{forward, adjoint, squares, squaresAdjoint} {
					for _, v := range left {
						require.InDelta(t, 0, v, 1e-12)
					}
				}
			}
		}
	}
}

func TestHatsRefuseWhatIsNoMatrix(t *testing.T) {
	assert.NotPanics(t, func() { NewHats(2, 1, []int32{0}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 1, []int32{1}, []float64{.5}) }, "t has no column")
	assert.Panics(t, func() { NewHats(2, 1, []int32{-1}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 2, []int32{0}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 0, nil, nil) })
	assert.Panics(t, func() { NewHats(2, 1, []int32{0, 0}, []float64{.5}) })
}
