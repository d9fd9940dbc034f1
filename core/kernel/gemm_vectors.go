//go:build (amd64 || arm64) && !purego

package kernel

// lanes is the most columns of B in a strip: two vectors.
const lanes = 8

// simdGemm is the vector body of Gemm, for checked shapes of at least one product.
func simdGemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	wide := n
	if n%4 == 1 && (acs == 1 || ars == 1) { // a last column that would fill a vector alone
		wide--
		simdGemv(m, k, alpha, a, ars, acs, b[wide*bcs:], brs, c[wide:], ldc)
	}
	if wide > 0 {
		simdStrips(m, wide, k, alpha, a, ars, acs, b, brs, bcs, c, ldc)
	}
}

// simdStrips takes eight or four columns of B at a time. It reads whole strips of contiguous
// numbers in place, and packs others with 0 for missing columns.
func simdStrips(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	var packed [panel * lanes]float64
	var edge [4 * lanes]float64 // of C, where a tile goes over its edge
	for p0 := 0; p0 < k; p0 += panel {
		inner := min(panel, k-p0)
		for j0 := 0; j0 < n; j0 += lanes {
			columns := min(lanes, n-j0)
			width := lanes
			if columns <= 4 {
				width = 4
			}
			strip, step := b[p0*brs+j0*bcs:], brs
			if bcs != 1 || columns < width {
				pack(packed[:inner*width], strip, width, brs, bcs, columns)
				strip, step = packed[:], width
			}
			for i := 0; i < m; i += 4 {
				rows := min(4, m-i)
				at := i*ars + p0*acs
				a0 := &a[at]
				a1, a2, a3 := a0, a0, a0 // a row that is missing is the first once more
				if rows > 1 {
					a1 = &a[at+ars]
				}
				if rows > 2 {
					a2 = &a[at+2*ars]
				}
				if rows > 3 {
					a3 = &a[at+3*ars]
				}
				to, ldc, whole := c[i*ldc+j0:], ldc, rows == 4 && columns == width
				if !whole {
					for f := range rows {
						copy(edge[f*width:], to[f*ldc:][:columns])
					}
				}
				switch {
				case whole && width == 4:
					tile4(inner, alpha, a0, a1, a2, a3, acs, &strip[0], step, &to[0], ldc)
				case whole:
					tile8(inner, alpha, a0, a1, a2, a3, acs, &strip[0], step, &to[0], ldc)
				case width == 4:
					tile4(inner, alpha, a0, a1, a2, a3, acs, &strip[0], step, &edge[0], width)
				default:
					tile8(inner, alpha, a0, a1, a2, a3, acs, &strip[0], step, &edge[0], width)
				}
				if !whole {
					for f := range rows {
						copy(to[f*ldc:][:columns], edge[f*width:])
					}
				}
			}
		}
	}
}

// pack copies rows of width numbers, with 0 behind the given columns.
func pack(dst, src []float64, width, rowStride, colStride, columns int) {
	for from := 0; len(dst) >= width; from += rowStride {
		row := dst[:width]
		dst = dst[width:]
		for j := range row {
			if row[j] = 0; j < columns {
				row[j] = src[from+j*colStride]
			}
		}
	}
}

// simdGemv is Gemm for one column of B and rows or columns of A without gaps.
func simdGemv(m, k int, alpha float64, a []float64, ars, acs int, b []float64, brs int, c []float64, ldc int) {
	var packed [panel]float64
	var sums [columnSums]float64
	for p0 := 0; p0 < k; p0 += panel {
		v := packed[:min(panel, k-p0)]
		for p := range v {
			v[p] = b[(p0+p)*brs]
		}
		if acs == 1 {
			simdGemvRows(m, alpha, a[p0:], ars, v, c, ldc)
		} else {
			simdGemvColumns(m, alpha, a[p0*acs:], acs, v, c, ldc, &sums)
		}
	}
}

// simdGemvRows takes one panel of rows: sixteen sums at a time, then four, then one.
func simdGemvRows(m int, alpha float64, a []float64, ars int, v, c []float64, ldc int) {
	var sums [16]float64
	for i := 0; i < m; {
		at, count := i*ars, 1
		switch left := m - i; {
		case left >= 16:
			rowSums16(len(v), &a[at], ars, &v[0], &sums)
			count = 16
		case left >= 4:
			rowSums4(len(v), &a[at], ars, &v[0], &sums)
			count = 4
		default:
			sums[0] = 0
			for p, y := range v {
				sums[0] += float64(a[at+p] * y)
			}
		}
		for _, s := range sums[:count] {
			c[i*ldc] += float64(alpha * s)
			i++
		}
	}
}

// columnSums is the number of sums that simdGemvColumns takes at a time. Four rows of so many
// numbers, and the next four, fit into the first-level cache.
const columnSums = 512

// simdGemvColumns takes one panel of columns, row after row of Aᵀ as they lie.
func simdGemvColumns(m int, alpha float64, a []float64, acs int, v, c []float64, ldc int, most *[columnSums]float64) {
	for i0 := 0; i0 < m; i0 += len(most) {
		sums := most[:min(len(most), m-i0)]
		clear(sums)
		fours := len(v) &^ 3
		if fours > 0 {
			vecColSums(fours, len(sums), &sums[0], &a[i0], acs, &v[0])
		}
		for p := fours; p < len(v); p++ {
			for i, x := range a[i0+p*acs:][:len(sums)] {
				sums[i] += float64(x * v[p])
			}
		}
		for i, s := range sums {
			c[(i0+i)*ldc] += float64(alpha * s)
		}
	}
}
