//go:build (!(js && wasm) && !amd64 && !arm64) || purego

package kernel

// There is no second body here. simd is a constant, so that the compiler drops every call of
// the functions below.
const (
	simd          = false
	leastProducts = 0
)

const unlinked = "kernel: no SIMD body in this build"

func simdGemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	panic(unlinked)
}
func simdDot(x, y []float64) float64          { panic(unlinked) }
func simdSum(x []float64) float64             { panic(unlinked) }
func simdAxpy(alpha float64, x, y []float64)  { panic(unlinked) }
func simdRowSquares(dst, x, c []float64)      { panic(unlinked) }
func simdColSquares(acc, x, r []float64)      { panic(unlinked) }
func simdRowDots(dst, a, b []float64, k int)  { panic(unlinked) }
func simdRowScale(dst, r, a []float64, k int) { panic(unlinked) }
func simdSparseForward(m, k int, dst []float64, start, column []int32, p []float64) {
	panic(unlinked)
}
func simdSparseAdjoint(m, k int, acc []float64, start, column []int32, r []float64) {
	panic(unlinked)
}
