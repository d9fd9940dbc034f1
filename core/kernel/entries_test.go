package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProductsOfEntriesAddInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range []int{0, 1, 9, 128} {
		for _, d := range []int{1, 3, 70} {
			for _, k := range []int{1, 2, 5, 8} {
				whole, x := sparse(rng, m, d, .4)
				value := gaussian(rng, len(whole.column))
				e := int(whole.start[0])
				for i := range m {
					for range whole.Row(i) {
						x[i*d+int(whole.column[e])] = value[e]
						e++
					}
				}
				z := NewEntries(d, whole.start, whole.column, value)
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
	assert.Panics(t, func() { NewEntries(2, []int32{0, 1}, []int32{2}, []float64{1}) })
	assert.Panics(t, func() { NewEntries(2, []int32{0, 1}, []int32{1}, nil) })
}
