//go:build ((js && wasm) || amd64 || arm64) && !purego

package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// body is one of the bodies that a test may choose; use returns what undoes it.
type body struct {
	name string
	use  func() (undo func())
}

var bodies = func() []body {
	choose := func(with bool, least int) func() func() {
		return func() func() {
			wasSIMD, was := simd, leastProducts
			simd, leastProducts = with, least
			return func() { simd, leastProducts = wasSIMD, was }
		}
	}
	both := []body{{"go", choose(false, 0)}, {"simd", choose(true, 1)}}
	if !linked {
		return both[:1]
	}
	return both
}()

// bits returns what distinguishes −0 from 0. NaNs are one: WebAssembly leaves
// their sign and payload open.
func bits(x []float64) []uint64 {
	result := make([]uint64, len(x))
	for i, v := range x {
		if result[i] = math.Float64bits(v); v != v {
			result[i] = math.Float64bits(math.NaN())
		}
	}
	return result
}

// Every length around the groups of four, eight and sixteen, from every place in a
// vector on. What stands before and behind a slice is compared as well: the SIMD body
// never leaves it.
func TestBothBodiesGiveTheSameBitsAtEveryLengthAndPlace(t *testing.T) {
	if !linked {
		t.Skip("this machine has one body")
	}
	rng := rand.New(rand.NewPCG(1, 9))
	hard := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64}
	const most, margin = 67, 4
	for n := range most + 1 {
		for place := range margin {
			rows := 1 + rng.IntN(9)
			draw := func(n int) []float64 {
				x := gaussian(rng, n+2*margin)
				for i := range x {
					if place%2 == 1 && rng.IntN(3*most) == 0 {
						x[i] = hard[rng.IntN(len(hard))]
					}
				}
				return x
			}
			of := func(x []float64, n int) []float64 { return x[place:][:n:n] }
			matrix, row, column := draw(rows*n), draw(n), draw(rows)
			results := func(body body) (all [][]float64) {
				defer body.use()()
				written := func(x []float64, write func(x []float64)) {
					x = append([]float64{}, x...)
					write(x)
					all = append(all, x)
				}
				x, y, r := of(matrix, rows*n), of(row, n), of(column, rows)
				all = append(all, []float64{Dot(x[:n], y), Sum(y)})
				written(row, func(to []float64) { Axpy(-1.7, x[:n], of(to, n)) })
				written(row, func(to []float64) { ColSquares(of(to, n), x, r) })
				written(row, func(to []float64) { Gemm(n, 1, rows, -1.3, x, 1, n, r, 1, 1, of(to, n), 1) })
				written(column, func(to []float64) { RowSquares(of(to, rows), x, y) })
				written(column, func(to []float64) { RowDots(of(to, rows), x, x, n) })
				written(column, func(to []float64) { Gemm(rows, 1, n, -1.3, x, n, 1, y, 1, 1, of(to, rows), 1) })
				written(matrix, func(to []float64) { RowScale(of(to, rows*n), r, x, n) })
				written(matrix, func(to []float64) { Gemm(rows, n, 1, -1.3, r, 1, 1, y, n, 1, of(to, rows*n), n) })
				written(matrix, func(to []float64) { Gemm(n, rows, n, -1.3, draws(n), n, 1, x, 1, n, of(to, rows*n), rows) })
				return all
			}
			want, got := results(bodies[0]), results(bodies[1])
			for i := range want {
				require.Equal(t, bits(want[i]), bits(got[i]), "result %d of %d rows of %d numbers from %d on", i, rows, n, place)
			}
		}
	}
}

// draws returns n×n numbers, the same in every call.
func draws(n int) []float64 { return gaussian(rand.New(rand.NewPCG(1, 10)), n*n) }
