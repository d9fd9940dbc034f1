// Package kernel holds the hot loops: matrix products, weighted squares, dot
// products. Everything that costs O(n·d) or more goes through it.
//
// # Order of summation
//
// Sums of floating-point numbers depend on their order, and a link must give
// the same curve, bit for bit, in every browser. So the doc comment of each
// function states the order in which it adds, and that order is part of its
// contract. Products are rounded before they are added: no fused multiply-add.
//
// # Two bodies
//
// The body in plain Go is always there. On amd64 a second one in Go's assembly has
// vectors of four numbers, where the processor has AVX, and on arm64 one of two, of
// NEON; IFMLAB_SIMD=0 declines them.
// Under js/wasm, where Go has no SIMD, the host links one in f64x2 vectors,
// simd/kernel.wasm, to Go's own memory (web/src/engine/link.mjs). All give the same
// bits: a lane belongs to one sum. Where there is no second body, the Go body does
// all the work: one program, both ways.
//
// A js/wasm program that imports this package needs a host that links the kernel:
// the page's worker or wasm/exec. For any other, Go's own go_js_wasm_exec for
// instance, build it with -tags purego, which leaves out the assembly as well.
//
// Matrices are row-major float64 slices. Shapes are the caller's duty: a slice
// that is too short panics before anything is written. Nothing here allocates,
// and calls on different destinations may run side by side.
package kernel

// Body names the body at work, "simd" or "go".
func Body() string {
	if simd {
		return "simd"
	}
	return "go"
}

// Dot returns Σ xᵢ·yᵢ. The lengths must be equal. It costs O(n).
//
// Order: eight running sums from 0, element i into sum i mod 8, over the whole
// groups of eight; then ((s₀+s₂)+(s₄+s₆)) + ((s₁+s₃)+(s₅+s₇)); then the
// elements of the last, incomplete group one after the other.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	if simd && len(x) >= leastProducts {
		return simdDot(x, y)
	}
	return dot(x, y)
}

func dot(x, y []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(x) >= 8 && len(y) >= 8 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		s4 += float64(x[4] * y[4])
		s5 += float64(x[5] * y[5])
		s6 += float64(x[6] * y[6])
		s7 += float64(x[7] * y[7])
		x, y = x[8:], y[8:]
	}
	sum := ((s0 + s2) + (s4 + s6)) + ((s1 + s3) + (s5 + s7))
	y = y[:len(x)]
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// Sum returns Σ xᵢ, added in the order of [Dot]. It costs O(n).
func Sum(x []float64) float64 {
	if simd && len(x) >= leastProducts {
		return simdSum(x)
	}
	return sum(x)
}

func sum(x []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(x) >= 8 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
		x = x[8:]
	}
	sum := ((s0 + s2) + (s4 + s6)) + ((s1 + s3) + (s5 + s7))
	for _, v := range x {
		sum += v
	}
	return sum
}

// Axpy sets y = y + alpha·x. The lengths must be equal. It costs O(n); no sum
// is longer than two terms.
func Axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	if simd && len(x) >= leastProducts {
		simdAxpy(alpha, x, y)
		return
	}
	axpy(alpha, x, y)
}

func axpy(alpha float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		y[0] += float64(alpha * x[0])
		y[1] += float64(alpha * x[1])
		y[2] += float64(alpha * x[2])
		y[3] += float64(alpha * x[3])
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float64(alpha * v)
	}
}
