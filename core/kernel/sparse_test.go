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

func TestSparseProductsAddInTheStatedOrder(t *testing.T) {
	eachBody(t, sparseProductsAddInTheStatedOrder)
}

func sparseProductsAddInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range []int{0, 1, 4, 9, 128} {
		for _, d := range []int{0, 1, 3, 17, 70} {
			for _, k := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 31} {
				z, x := sparse(rng, m, d, .4)
				p, r := gaussian(rng, d*k), gaussian(rng, m*k)
				forward, adjoint := gaussian(rng, m*k), gaussian(rng, d*k)
				wantForward, wantAdjoint := append([]float64{}, forward...), append([]float64{}, adjoint...)
				z.Forward(forward, p, k)
				z.Adjoint(adjoint, r, k)
				for i := range m {
					for j := range d {
						for f := range k {
							wantForward[i*k+f] += float64(x[i*d+j] * p[j*k+f])
							wantAdjoint[j*k+f] += float64(x[i*d+j] * r[i*k+f])
						}
					}
				}
				// The order is the same and adding 0 changes nothing: the same bits.
				require.Equal(t, wantForward, forward, "m = %d, d = %d, k = %d", m, d, k)
				require.Equal(t, wantAdjoint, adjoint, "m = %d, d = %d, k = %d", m, d, k)
			}
		}
	}
}

func TestSparseProductsDoNotAllocate(t *testing.T) { eachBody(t, sparseProductsDoNotAllocate) }

func sparseProductsDoNotAllocate(t *testing.T) {
	z, _ := sparse(rand.New(rand.NewPCG(1, 1)), 20, 10, .3)
	p, r := make([]float64, 30), make([]float64, 60)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		z.Rows(2, 18).Forward(r, p, 3)
		z.Adjoint(p, r, 3)
	}))
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

func TestProductsOfValuesAddInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range []int{0, 1, 9, 128} {
		for _, d := range []int{1, 3, 70} {
			for _, k := range []int{1, 2, 5, 8} {
				whole, x := sparse(rng, m, d, .4)
				value := gaussian(rng, len(whole.column))
				e := int(whole.start[0])
				for i := range m {
					columns, _ := whole.Row(i)
					for range columns {
						x[i*d+int(whole.column[e])] = value[e]
						e++
					}
				}
				z := NewSparse(d, whole.start, whole.column, value)
				p, r := gaussian(rng, d*k), gaussian(rng, m*k)
				forward, adjoint, rows, columns := gaussian(rng, m*k), gaussian(rng, d*k), gaussian(rng, m), gaussian(rng, d)
				wantForward, wantAdjoint := append([]float64{}, forward...), append([]float64{}, adjoint...)
				wantRows, wantColumns := append([]float64{}, rows...), append([]float64{}, columns...)
				z.Forward(forward, p, k)
				z.Adjoint(adjoint, r, k)
				z.SquaresForward(rows, p[:d])
				z.SquaresAdjoint(columns, r[:m])
				for i := range m {
					for j := range d {
						v := x[i*d+j]
						wantRows[i] += float64(float64(v*v) * p[j])
						wantColumns[j] += float64(float64(v*v) * r[i])
						for f := range k {
							wantForward[i*k+f] += float64(v * p[j*k+f])
							wantAdjoint[j*k+f] += float64(v * r[i*k+f])
						}
					}
				}
				require.Equal(t, wantForward, forward)
				require.Equal(t, wantAdjoint, adjoint)
				require.Equal(t, wantRows, rows)
				require.Equal(t, wantColumns, columns)
			}
		}
	}
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{2}, []float64{1}) })
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{1}, []float64{1, 2}) })
}
