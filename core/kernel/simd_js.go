//go:build js && wasm && !purego

package kernel

import "unsafe"

// The host supplies these imports, as web/src/engine/link.mjs describes. Pointers are
// addresses in Go's memory, which the kernel shares. None of them keeps a pointer, calls back
// or yields, so that no goroutine runs and nothing moves during a call.

// hostLinked returns 1 if simd/kernel.wasm has compiled, else 0.
//
//go:wasmimport kernel linked
//go:noescape
func hostLinked() int32

//go:wasmimport kernel gemm
//go:noescape
func hostGemm(m, n, k int32, alpha float64, a unsafe.Pointer, ars, acs int32, b unsafe.Pointer, brs, bcs int32, c unsafe.Pointer, ldc int32, scratch unsafe.Pointer)

//go:wasmimport kernel dot
//go:noescape
func hostDot(n int32, x, y unsafe.Pointer) float64

//go:wasmimport kernel sum
//go:noescape
func hostSum(n int32, x unsafe.Pointer) float64

//go:wasmimport kernel axpy
//go:noescape
func hostAxpy(n int32, alpha float64, x, y unsafe.Pointer)

//go:wasmimport kernel rowSquares
//go:noescape
func hostRowSquares(n, d int32, dst, x, c unsafe.Pointer)

//go:wasmimport kernel colSquares
//go:noescape
func hostColSquares(n, d int32, acc, x, r unsafe.Pointer)

//go:wasmimport kernel rowDots
//go:noescape
func hostRowDots(n, k int32, dst, a, b unsafe.Pointer)

//go:wasmimport kernel rowScale
//go:noescape
func hostRowScale(n, k int32, dst, r, a unsafe.Pointer)

//go:wasmimport kernel sparseForward
//go:noescape
func hostSparseForward(m, k int32, dst, start, column, p unsafe.Pointer)

//go:wasmimport kernel sparseAdjoint
//go:noescape
func hostSparseAdjoint(m, k int32, acc, start, column, r unsafe.Pointer)

var (
	// linked reports whether there is a body to call.
	linked = hostLinked() == 1
	// simd reports whether calls go to the host. Only tests change it.
	simd = linked
	// leastProducts is the size above which a call into the host, of about 30 ns, is worth
	// it. Only tests change it.
	leastProducts = 128
	// scratch has the packed columns of B of gemm. Calls do not overlap.
	scratch [16 * panel]float64
)

func address[T float64 | int32](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

func simdGemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	if brs == 0 && k > 1 { // the loops of the SIMD body end at the end of B
		gemm(m, n, k, alpha, a, ars, acs, b, brs, bcs, c, ldc)
		return
	}
	hostGemm(int32(m), int32(n), int32(k), alpha, address(a), int32(ars), int32(acs), address(b), int32(brs), int32(bcs), address(c), int32(ldc), unsafe.Pointer(&scratch))
}

func simdDot(x, y []float64) float64 { return hostDot(int32(len(x)), address(x), address(y)) }

func simdSum(x []float64) float64 { return hostSum(int32(len(x)), address(x)) }

func simdAxpy(alpha float64, x, y []float64) { hostAxpy(int32(len(x)), alpha, address(x), address(y)) }

func simdRowSquares(dst, x, c []float64) {
	hostRowSquares(int32(len(dst)), int32(len(c)), address(dst), address(x), address(c))
}

func simdColSquares(acc, x, r []float64) {
	hostColSquares(int32(len(r)), int32(len(acc)), address(acc), address(x), address(r))
}

func simdRowDots(dst, a, b []float64, k int) {
	hostRowDots(int32(len(dst)), int32(k), address(dst), address(a), address(b))
}

func simdRowScale(dst, r, a []float64, k int) {
	hostRowScale(int32(len(r)), int32(k), address(dst), address(r), address(a))
}

func simdSparseForward(m, k int, dst []float64, start, column []int32, p []float64) {
	hostSparseForward(int32(m), int32(k), address(dst), address(start), address(column), address(p))
}

func simdSparseAdjoint(m, k int, acc []float64, start, column []int32, r []float64) {
	hostSparseAdjoint(int32(m), int32(k), address(acc), address(start), address(column), address(r))
}
