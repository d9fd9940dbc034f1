package kernel

// RowDots sets dst to the inner products of the rows of A and B:
//
//	dstᵢ = Σ_f aᵢ_f·bᵢ_f
//
// A and B are len(dst)×k, row-major without gaps. It costs O(n·k).
//
// Order: from 0, one f after the other.
func RowDots(dst, a, b []float64, k int) {
	a, b = a[:len(dst)*k], b[:len(dst)*k]
	if simd && len(a) >= leastProducts {
		simdRowDots(dst, a, b, k)
		return
	}
	rowDots(dst, a, b, k)
}

func rowDots(dst, a, b []float64, k int) {
	for i := range dst {
		x, y := a[:k], b[:k]
		a, b = a[k:], b[k:]
		var s float64
		for f, v := range x {
			s += float64(v * y[f])
		}
		dst[i] = s
	}
}

// RowScale sets each row of dst to the row of A times its element of r:
//
//	dstᵢ_f = rᵢ·aᵢ_f
//
// A and dst are len(r)×k, row-major without gaps, and may be the same slice. It costs O(n·k)
// and adds nothing.
func RowScale(dst, r, a []float64, k int) {
	dst, a = dst[:len(r)*k], a[:len(r)*k]
	if simd && len(a) >= leastProducts {
		simdRowScale(dst, r, a, k)
		return
	}
	rowScale(dst, r, a, k)
}

func rowScale(dst, r, a []float64, k int) {
	for _, s := range r {
		x, y := a[:k], dst[:k]
		a, dst = a[k:], dst[k:]
		for f, v := range x {
			y[f] = s * v
		}
	}
}
