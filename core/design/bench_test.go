package design

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ifmlab/core/kernel"
)

// BenchmarkElement times a row of 32 dense features and of ten columns of levels
// in the four products of an iteration, by the number of levels, with these
// columns dense and sparse. It says up to how many levels dense pays.
func BenchmarkElement(b *testing.B) {
	const n, numbers, columns = 8000, 32, 10
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{4, 8} {
		for _, levels := range []int{2, 3, 4, 6, 8} {
			d := numbers + columns*levels
			x, narrow := make([]float64, n*d), make([]float64, n*numbers)
			start, column := []int32{0}, []int32(nil)
			for i := range n {
				for j := range numbers {
					v := rng.NormFloat64()
					x[i*d+j], narrow[i*numbers+j] = v, v
				}
				for c := range columns {
					j := numbers + c*levels + rng.IntN(levels)
					x[i*d+j] = 1
					column = append(column, int32(j))
				}
				start = append(start, int32(len(column)))
			}
			mixed := NewMixed([]Run{{0, NewDense(n, numbers, narrow)}}, kernel.NewSparse(d, start, column, nil), kernel.Hats{}, kernel.Sparse{})
			p, out, acc := make([]float64, d*k), make([]float64, BlockRows*k), make([]float64, d*k)
			for _, design := range []struct {
				name string
				z    Design
			}{{"dense", NewDense(n, d, x)}, {"sparse", mixed}} {
				b.Run(fmt.Sprintf("k=%d/levels=%d/%s", k, levels, design.name), func(b *testing.B) {
					best := math.Inf(1) // what a busy machine disturbs least
					for b.Loop() {
						began := time.Now()
						design.z.Each(BlockRows, func(lo, hi int, block Block) {
							block.SquaresAdjoint(acc[:d], out[:hi-lo])
							block.SquaresForward(out[:hi-lo], p[:d])
							block.Forward(out[:(hi-lo)*k], p, k)
							block.Adjoint(acc, out[:(hi-lo)*k], k)
						})
						best = min(best, float64(time.Since(began).Nanoseconds()))
					}
					b.ReportMetric(best/n, "ns/row")
				})
			}
		}
	}
}
