package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sparse draws m×d zeros and ones, some rows without a one, as a Sparse that is
// cut out of a longer one, and written out.
func sparse(rng *rand.Rand, m, d int, share float64) (Sparse, []float64) {
	start, column, dense := []int32{0}, []int32(nil), make([]float64, (m+2)*d)
	for i := range m + 2 {
		for j := range d {
			if rng.Float64() < share && i%5 != 3 {
				column = append(column, int32(j))
				dense[i*d+j] = 1
			}
		}
		start = append(start, int32(len(column)))
	}
	return NewSparse(d, start, column, nil).Rows(1, m+1), dense[d : (m+1)*d]
}

// The SIMD body trusts what was checked here: it must never leave its slices.
func TestSparseRefusesWhatDoesNotFit(t *testing.T) { eachBody(t, sparseRefusesWhatDoesNotFit) }

func sparseRefusesWhatDoesNotFit(t *testing.T) {
	assert.Panics(t, func() { NewSparse(3, nil, nil, nil) })
	assert.PanicsWithValue(t, "kernel: element 0 of a sparse matrix is in column 3 of 3", func() { NewSparse(3, []int32{0, 1}, []int32{3}, nil) })
	assert.PanicsWithValue(t, "kernel: row 1 of a sparse matrix starts at 2, after 0 and of 1", func() { NewSparse(3, []int32{0, 2}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 1}, []int32{-1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 2}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{-1, 1}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 1, 0, 1}, []int32{1}, nil) })
	z := NewSparse(3, []int32{0, 1, 2}, []int32{0, 2}, nil)
	dst, acc := make([]float64, 4), make([]float64, 6)
	assert.Panics(t, func() { z.Forward(dst, make([]float64, 5), 2) })
	assert.Panics(t, func() { z.Forward(dst[:3:3], make([]float64, 6), 2) })
	assert.Panics(t, func() { z.Adjoint(acc[:5:5], make([]float64, 4), 2) })
	assert.Panics(t, func() { z.Adjoint(acc, make([]float64, 3), 2) })
	assert.Panics(t, func() { z.Forward(dst, acc, -1) })
	assert.Equal(t, make([]float64, 4), dst)
	assert.Equal(t, make([]float64, 6), acc)
	columns, values := z.Row(1)
	assert.Equal(t, []int32{2}, columns)
	assert.Nil(t, values, "all are 1")
}

func TestSparseProductsAddInTheStatedOrder(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, m := range []int{0, 1, 4, 9, 128} {
			for _, d := range []int{1, 3, 17, 70} {
				for _, k := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 31} {
					for _, valued := range []bool{false, true} {
						z, x := sparse(rng, m, d, .4)
						if valued {
							value := gaussian(rng, len(z.column))
							e := z.start[0]
							for i := range x {
								if x[i] != 0 {
									x[i] = value[e]
									e++
								}
							}
							z = NewSparse(d, z.start, z.column, value)
						}
						p, r := gaussian(rng, d*k), gaussian(rng, m*k)
						got := [][]float64{gaussian(rng, m*k), gaussian(rng, d*k), gaussian(rng, m), gaussian(rng, d)}
						var want [][]float64
						for _, of := range got {
							want = append(want, append([]float64{}, of...))
						}
						z.Forward(got[0], p, k)
						z.Adjoint(got[1], r, k)
						z.SquaresForward(got[2], p[:d])
						z.SquaresAdjoint(got[3], r[:m])
						for i := range m {
							for j := range d {
								v := x[i*d+j]
								want[2][i] += float64(float64(v*v) * p[j])
								want[3][j] += float64(float64(v*v) * r[i])
								for f := range k {
									want[0][i*k+f] += float64(v * p[j*k+f])
									want[1][j*k+f] += float64(v * r[i*k+f])
								}
							}
						}
						// The order is the same and adding 0 changes nothing: the same bits.
						require.Equal(t, want, got, "m = %d, d = %d, k = %d, valued %v", m, d, k, valued)
					}
				}
			}
		}
	})
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{2}, []float64{1}) })
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{1}, []float64{1, 2}) })
}

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
