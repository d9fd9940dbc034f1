//go:build !purego

package kernel

import "os"

// The bodies in the .s files, four lanes of AVX. They trust that sizes are above 0
// and checked, and keep no pointer.

//go:noescape
func tile8(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)

//go:noescape
func tile4(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)

//go:noescape
func rowSums16(k int, a *float64, ars int, v *float64, sums *[16]float64)

//go:noescape
func rowSums4(k int, a *float64, ars int, v *float64, sums *[16]float64)

//go:noescape
func columnSums16(k int, a *float64, acs int, v *float64, sums *[16]float64)

//go:noescape
func columnSums4(k int, a *float64, acs int, v *float64, sums *[16]float64)

//go:noescape
func avxDot(n int, x, y *float64) float64

//go:noescape
func avxSum(n int, x *float64) float64

//go:noescape
func avxAxpy(n int, alpha float64, x, y *float64)

//go:noescape
func avxRowSquares(n, d int, dst, x, c *float64)

//go:noescape
func avxColSquares(n, d int, acc, x, r *float64)

//go:noescape
func avxRowDots(n, k int, dst, a, b *float64)

//go:noescape
func avxRowScale(n, k int, dst, r, a *float64)

// avx reports whether the processor has AVX and the system keeps its registers.
func avx() bool

var (
	// linked reports whether this machine can do it; IFMLAB_SIMD=0 declines.
	linked = avx() && os.Getenv("IFMLAB_SIMD") != "0"
	// simd reports whether it does. Only tests change it.
	simd = linked
	// leastProducts is the size from which a call, some 3 ns, is worth it. Only tests
	// change it.
	leastProducts = 16
)

func simdDot(x, y []float64) float64 { return avxDot(len(x), &x[0], &y[0]) }

func simdSum(x []float64) float64 { return avxSum(len(x), &x[0]) }

func simdAxpy(alpha float64, x, y []float64) { avxAxpy(len(x), alpha, &x[0], &y[0]) }

func simdRowSquares(dst, x, c []float64) {
	avxRowSquares(len(dst), len(c), &dst[0], &x[0], &c[0])
}

// simdColSquares takes the rows behind the last four in Go.
func simdColSquares(acc, x, r []float64) {
	fours := len(r) &^ 3
	if fours > 0 {
		avxColSquares(fours, len(acc), &acc[0], &x[0], &r[0])
	}
	colSquares(acc, x[fours*len(acc):], r[fours:])
}

// simdRowDots takes the rows behind the last four in Go.
func simdRowDots(dst, a, b []float64, k int) {
	fours := len(dst) &^ 3
	if fours > 0 {
		avxRowDots(fours, k, &dst[0], &a[0], &b[0])
	}
	rowDots(dst[fours:], a[fours*k:], b[fours*k:], k)
}

func simdRowScale(dst, r, a []float64, k int) { avxRowScale(len(r), k, &dst[0], &r[0], &a[0]) }

func simdSparseForward(m, k int, dst []float64, start, column []int32, p []float64) {
	sparseForward(m, k, dst, start, column, p)
}

func simdSparseAdjoint(m, k int, acc []float64, start, column []int32, r []float64) {
	sparseAdjoint(m, k, acc, start, column, r)
}
