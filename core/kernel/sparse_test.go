package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sparse draws m×d rows of which a share is not 0, some of them empty, as a
// Sparse and written out.
func sparse(rng *rand.Rand, m, d int, share float64) (Sparse, []float64) {
	z, dense := Sparse{Start: []int{0}}, make([]float64, m*d)
	for i := range m {
		for j := range d {
			if rng.Float64() < share && i%5 != 3 {
				v := rng.NormFloat64()
				z.Column, z.Value = append(z.Column, int32(j)), append(z.Value, v)
				dense[i*d+j] = v
			}
		}
		z.Start = append(z.Start, len(z.Column))
	}
	return z, dense
}

func TestSparseProductsAreTheSumsOverElements(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range []int{0, 1, 4, 9} {
		for _, d := range []int{1, 3, 17} {
			for _, k := range []int{1, 2, 4, 5} {
				z, x := sparse(rng, m, d, .4)
				p, r, c := gaussian(rng, d*k), gaussian(rng, m*k), gaussian(rng, d)

				forward, want := gaussian(rng, m*k), make([]float64, m*k)
				z.Forward(forward, p, k)
				adjoint := gaussian(rng, d*k)
				wantAdjoint := append([]float64(nil), adjoint...)
				z.Adjoint(adjoint, r, k)
				rows, wantRows := gaussian(rng, m), make([]float64, m)
				z.RowSquares(rows, c)
				columns := gaussian(rng, d)
				wantColumns := append([]float64(nil), columns...)
				z.ColSquares(columns, r[:m])
				for i := range m {
					for j := range d {
						v := x[i*d+j]
						for f := range k {
							want[i*k+f] += float64(v * p[j*k+f])
							wantAdjoint[j*k+f] += float64(v * r[i*k+f])
						}
						wantRows[i] += float64(float64(c[j]*v) * v)
						wantColumns[j] += float64(float64(r[i]*v) * v)
					}
				}
				// The order is the same and adding 0 changes nothing: the same bits.
				require.Equal(t, want, forward)
				require.Equal(t, wantAdjoint, adjoint)
				require.Equal(t, wantRows, rows)
				require.Equal(t, wantColumns, columns)
			}
		}
	}
}

func TestSparseProductsDoNotAllocate(t *testing.T) {
	z, _ := sparse(rand.New(rand.NewPCG(1, 1)), 20, 10, .3)
	p, r := make([]float64, 30), make([]float64, 60)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		z.Forward(r, p, 3)
		z.Adjoint(p, r, 3)
		z.RowSquares(r[:20], p[:10])
		z.ColSquares(p[:10], r[:20])
	}))
}
