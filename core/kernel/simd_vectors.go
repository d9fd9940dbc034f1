//go:build (amd64 || arm64) && !purego

package kernel

// The bodies in the .s files, with four lanes of AVX or two of NEON. Sizes must be checked and
// above 0. They keep no pointer.

//go:noescape
func tile8(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)

//go:noescape
func tile4(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)

//go:noescape
func rowSums16(k int, a *float64, ars int, v *float64, sums *[16]float64)

//go:noescape
func rowSums4(k int, a *float64, ars int, v *float64, sums *[16]float64)

//go:noescape
func vecDot(n int, x, y *float64) float64

//go:noescape
func vecSum(n int, x *float64) float64

//go:noescape
func vecAxpy(n int, alpha float64, x, y *float64)

//go:noescape
func vecRowSquares(n, d int, dst, x, c *float64)

//go:noescape
func vecColSums(n, d int, acc, x *float64, stride int, r *float64)

//go:noescape
func vecColSquares(n, d int, acc, x *float64, stride int, r *float64)

//go:noescape
func vecRowDots(n, k int, dst, a, b *float64)

//go:noescape
func vecRowScale(n, k int, dst, r, a *float64)

var (
	// simd reports whether vectors are used. Only tests change it.
	simd = linked
	// leastProducts is the size from which a call, some 3 ns, is worth it. Only tests
	// change it.
	leastProducts = 16
)

func simdDot(x, y []float64) float64 { return vecDot(len(x), &x[0], &y[0]) }

func simdSum(x []float64) float64 { return vecSum(len(x), &x[0]) }

func simdAxpy(alpha float64, x, y []float64) { vecAxpy(len(x), alpha, &x[0], &y[0]) }

func simdRowSquares(dst, x, c []float64) {
	vecRowSquares(len(dst), len(c), &dst[0], &x[0], &c[0])
}

// simdColSquares leaves the rows after the last group of four to Go.
func simdColSquares(acc, x, r []float64) {
	fours := len(r) &^ 3
	if fours > 0 {
		vecColSquares(fours, len(acc), &acc[0], &x[0], len(acc), &r[0])
	}
	colSquares(acc, x[fours*len(acc):], r[fours:])
}

// simdRowDots leaves the rows after the last group of four to Go.
func simdRowDots(dst, a, b []float64, k int) {
	fours := len(dst) &^ 3
	if fours > 0 {
		vecRowDots(fours, k, &dst[0], &a[0], &b[0])
	}
	rowDots(dst[fours:], a[fours*k:], b[fours*k:], k)
}

func simdRowScale(dst, r, a []float64, k int) { vecRowScale(len(r), k, &dst[0], &r[0], &a[0]) }

func simdSparseForward(m, k int, dst []float64, start, column []int32, p []float64) {
	sparseForward(m, k, dst, start, column, p)
}

func simdSparseAdjoint(m, k int, acc []float64, start, column []int32, r []float64) {
	sparseAdjoint(m, k, acc, start, column, r)
}
