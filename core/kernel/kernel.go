// Package kernel has the hot loops: matrix products, weighted squares and dot products.
// Everything that costs O(n·d) or more goes through it. gonum's blas64 took 188 ms in a
// browser for what takes 7 ms here, because Go's wasm has no SIMD.
//
// # Order of summation
//
// Sums of floating-point numbers depend on their order, and a link must give the same curve,
// bit for bit, in every browser. So the doc comment of each function states the order of its
// additions, which is part of its contract. Products are rounded before they are added;
// there is no fused multiply-add.
//
// # Two bodies
//
// Every function has a body in plain Go. Most have a second body in vectors: in Go's
// assembly with four numbers on amd64 (AVX) and with two on arm64 (NEON). IFMLAB_SIMD=0
// turns it off. Under js/wasm, where Go has no SIMD, the host links simd/kernel.wasm, in
// f64x2 vectors, to Go's own memory (web/src/engine/link.mjs). All bodies give the same bits,
// because a lane belongs to one sum. Without a second body the same program uses the first.
//
// A js/wasm program that imports this package needs a host that links the kernel: the page's
// worker or wasm/exec. For other hosts, such as Go's own go_js_wasm_exec, build it with
// -tags purego, which leaves out the assembly, too.
//
// Matrices are row-major float64 slices. The caller is responsible for shapes: a slice that
// is too short panics before anything is written. Products allocate nothing, and calls on
// different destinations may run at the same time.
package kernel

// Body names the active body, "simd" or "go".
func Body() string {
	if simd {
		return "simd"
	}
	return "go"
}

// Dot returns Σ xᵢ·yᵢ. The lengths must be equal. It costs O(n).
//
// Order: eight sums from 0, element i into sum i mod 8, over whole groups of eight; then
// ((s₀+s₂)+(s₄+s₆)) + ((s₁+s₃)+(s₅+s₇)); then the elements of the last, incomplete group one
// after the other.
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

// Axpy sets y = y + alpha·x. The lengths must be equal. It costs O(n). No sum has more than
// two terms.
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
