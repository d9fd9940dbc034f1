//go:build js && wasm && !purego

package kernel

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
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
	both := []body{{"go", choose(false, 0)}, {"simd", choose(true, 0)}}
	if linked() == 0 {
		return both[:1]
	}
	return both
}()

// Reading the kernel's bytes here also tells go test, which caches what passed,
// that these tests depend on them.
func TestTheHostSaysWhetherItLinkedTheKernel(t *testing.T) {
	compiled, err := os.ReadFile("simd/kernel.wasm")
	require.NoError(t, err)
	assert.Less(t, len(compiled), 10000, "the worker's script holds it")
	_, err = os.ReadFile("../../web/src/engine/link.mjs")
	require.NoError(t, err)
	if os.Getenv("IFMLAB_SIMD") == "0" {
		assert.Equal(t, "go", Body())
	} else {
		assert.Equal(t, "simd", Body())
	}
}

// Sizes on both sides of the smallest call, and numbers that are hard to agree
// on: infinities, signed zeros, the smallest and the largest.
func TestBothBodiesGiveTheSameBits(t *testing.T) {
	if linked() == 0 {
		t.Skip("this host links no kernel")
	}
	defer func(was bool) { simd = was }(simd)
	rng := rand.New(rand.NewPCG(1, 8))
	hard := []float64{0, math.Copysign(0, -1), math.Inf(1), math.SmallestNonzeroFloat64, -math.MaxFloat64, 1e-300, 1e300}
	draw := func(n int, harsh bool) []float64 {
		x := gaussian(rng, n)
		for i := range x {
			if harsh && rng.IntN(8) == 0 {
				x[i] = hard[rng.IntN(len(hard))]
			}
		}
		return x
	}
	for round := range 400 {
		harsh := round%2 == 0
		m, n, k := rng.IntN(40), rng.IntN(20), rng.IntN(300)
		if round%4 == 1 {
			n = 1
		}
		ars, acs, brs, bcs, ldc := k+rng.IntN(3), 1, n+rng.IntN(3), 1, n+rng.IntN(3)
		if rng.IntN(2) == 0 {
			ars, acs = 1, m+rng.IntN(3)
		}
		if rng.IntN(2) == 0 {
			brs, bcs = 1, k+rng.IntN(3)
		}
		a, b, c := draw(m*ars+k*acs+1, harsh), draw(k*brs+n*bcs+1, harsh), draw(m*ldc+n, harsh)
		rows, columns := draw(m, harsh), draw(n, harsh)
		x, y := draw(m*n, harsh), draw(m*n, harsh)
		ones, _ := sparse(rng, m, rng.IntN(300), .2*rng.Float64())
		_, d := ones.Dims()
		factors, gradient, residuals := draw(d*n, harsh), draw(d*n, harsh), draw(m*n, harsh)
		results := func(with bool) [][]float64 {
			simd = with
			product, sum := append([]float64{}, c...), append([]float64{}, y...)
			byRow, byColumn := make([]float64, m), append([]float64{}, columns...)
			dots, scaled := make([]float64, m), make([]float64, m*n)
			Gemm(m, n, k, 1.7, a, ars, acs, b, brs, bcs, product, ldc)
			Axpy(-.3, x, sum)
			RowSquares(byRow, x, columns)
			ColSquares(byColumn, x, rows)
			RowDots(dots, x, y, n)
			RowScale(scaled, rows, x, n)
			forward, adjoint := append([]float64{}, y...), append([]float64{}, gradient...)
			ones.Forward(forward, factors, n)
			ones.Adjoint(adjoint, residuals, n)
			return [][]float64{forward, adjoint, product, sum, byRow, byColumn, dots, scaled, {Dot(x, y), Sum(x)}}
		}
		want, got := results(false), results(true)
		for i := range want {
			require.Equal(t, bits(want[i]), bits(got[i]), "result %d of %d×%d×%d", i, m, n, k)
		}
	}
}

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
