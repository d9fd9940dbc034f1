package kernel

import "ifmlab/core/message"

// Sizes of blocks. Only panel is part of the order of summation. A tile of 4×2 sums, with
// four numbers of A and two of B, fits into the sixteen floating-point registers of amd64
// and of Go's wasm. stripes bounds the packed columns of B, 16 kB on the stack.
const (
	panel    = 128
	tileRows = 4
	tileCols = 2
	stripes  = 8
)

// Gemm adds a matrix product to C:
//
//	C += alpha·A·B
//
// A is m×k with element (i,p) at a[i·ars+p·acs], and B is k×n with element (p,j) at
// b[p·brs+j·bcs], so that swapping the strides transposes. C is m×n and row-major, with ldc
// numbers between the starts of its rows. It must not overlap A or B. It costs O(m·n·k).
//
// Order: for each element of C and each panel of 128 of the inner dimension in turn, the
// products of the panel are added one after the other from 0; then alpha times that sum is
// added to C.
func Gemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	if m|n|k|ars|acs|brs|bcs|ldc < 0 || m > 1 && ldc < n {
		panic(message.Sprintf("kernel: Gemm of %d×%d×%d with strides %d, %d and %d, %d into rows %d apart", m, n, k, ars, acs, brs, bcs, ldc))
	}
	if m == 0 || n == 0 || k == 0 {
		return
	}
	_, _, _ = a[(m-1)*ars+(k-1)*acs], b[(k-1)*brs+(n-1)*bcs], c[(m-1)*ldc+n-1]
	if simd && m*n*k >= leastProducts {
		simdGemm(m, n, k, alpha, a, ars, acs, b, brs, bcs, c, ldc)
		return
	}
	gemm(m, n, k, alpha, a, ars, acs, b, brs, bcs, c, ldc)
}

// gemm is the pure-Go body of Gemm, for checked shapes.
func gemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, brs, bcs int, c []float64, ldc int) {
	switch {
	case n == 1 && acs == 1:
		gemvRows(m, k, alpha, a, ars, b, brs, c, ldc)
		return
	case n == 1 && ars == 1:
		gemvColumns(m, k, alpha, a, acs, b, brs, c, ldc)
		return
	}
	var packedB [stripes][panel][tileCols]float64
	var packedA [panel][tileRows]float64
	for p0 := 0; p0 < k; p0 += panel {
		inner := min(panel, k-p0)
		even := inner + inner%2 // an odd panel ends in 0·0, which changes no sum
		if even > inner {
			packedA[inner] = [tileRows]float64{}
			for j := range packedB {
				packedB[j][inner] = [tileCols]float64{}
			}
		}
		for j0 := 0; j0 < n; j0 += stripes * tileCols {
			columns := min(stripes*tileCols, n-j0)
			for j := 0; j < columns; j += tileCols {
				packColumns(packedB[j/tileCols][:inner], b[p0*brs+(j0+j)*bcs:], brs, bcs, min(tileCols, columns-j))
			}
			for i := 0; i < m; i += tileRows {
				rows := min(tileRows, m-i)
				packRows(packedA[:inner], a[i*ars+p0*acs:], ars, acs, rows)
				for j := 0; j < columns; j += tileCols {
					sums := tile(packedA[:even], packedB[j/tileCols][:even])
					for f := range rows {
						at := (i+f)*ldc + j0 + j
						c[at] += float64(alpha * sums[f][0])
						if j+1 < columns {
							c[at+1] += float64(alpha * sums[f][1])
						}
					}
				}
			}
		}
	}
}

// packColumns copies len(dst) rows of one or two numbers, with 0 for a missing second one.
func packColumns(dst [][tileCols]float64, src []float64, rowStride, colStride, columns int) {
	at := 0
	for p := range dst {
		if dst[p][0] = src[at]; columns == tileCols {
			dst[p][1] = src[at+colStride]
		} else {
			dst[p][1] = 0
		}
		at += rowStride
	}
}

// packRows copies len(dst) columns of one to four numbers, with 0 for missing ones.
func packRows(dst [][tileRows]float64, src []float64, rowStride, colStride, rows int) {
	switch {
	case rows < tileRows:
		for p := range dst {
			dst[p] = [tileRows]float64{}
			for f := range rows {
				dst[p][f] = src[f*rowStride+p*colStride]
			}
		}
	case colStride == 1:
		x0, x1 := src[:len(dst)], src[rowStride:][:len(dst)]
		x2, x3 := src[2*rowStride:][:len(dst)], src[3*rowStride:][:len(dst)]
		for p := range dst {
			q := &dst[p]
			q[0], q[1], q[2], q[3] = x0[p], x1[p], x2[p], x3[p]
		}
	case rowStride == 1:
		at := 0
		for p := range dst {
			dst[p] = [tileRows]float64(src[at:])
			at += colStride
		}
	default:
		for p := range dst {
			for f := range tileRows {
				dst[p][f] = src[f*rowStride+p*colStride]
			}
		}
	}
}

// tile returns the product of two packed strips of equal, even length.
func tile(a [][tileRows]float64, b [][tileCols]float64) [tileRows][tileCols]float64 {
	b = b[:len(a)]
	var s00, s01, s10, s11, s20, s21, s30, s31 float64
	for len(a) >= 2 && len(b) >= 2 {
		x0, x1, x2, x3 := a[0][0], a[0][1], a[0][2], a[0][3]
		y0, y1 := b[0][0], b[0][1]
		s00 += float64(x0 * y0)
		s01 += float64(x0 * y1)
		s10 += float64(x1 * y0)
		s11 += float64(x1 * y1)
		s20 += float64(x2 * y0)
		s21 += float64(x2 * y1)
		s30 += float64(x3 * y0)
		s31 += float64(x3 * y1)
		x0, x1, x2, x3 = a[1][0], a[1][1], a[1][2], a[1][3]
		y0, y1 = b[1][0], b[1][1]
		s00 += float64(x0 * y0)
		s01 += float64(x0 * y1)
		s10 += float64(x1 * y0)
		s11 += float64(x1 * y1)
		s20 += float64(x2 * y0)
		s21 += float64(x2 * y1)
		s30 += float64(x3 * y0)
		s31 += float64(x3 * y1)
		a, b = a[2:], b[2:]
	}
	return [tileRows][tileCols]float64{{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}}
}

// gemvRows is Gemm for one column of B and rows of A without gaps, four rows at
// a time.
func gemvRows(m, k int, alpha float64, a []float64, ars int, b []float64, brs int, c []float64, ldc int) {
	var packed [panel]float64
	for p0 := 0; p0 < k; p0 += panel {
		v := packed[:min(panel, k-p0)]
		for p := range v {
			v[p] = b[(p0+p)*brs]
		}
		i := 0
		for ; i+4 <= m; i += 4 {
			at := i*ars + p0
			x0, x1 := a[at:][:len(v)], a[at+ars:][:len(v)]
			x2, x3 := a[at+2*ars:][:len(v)], a[at+3*ars:][:len(v)]
			var s0, s1, s2, s3 float64
			for p, y := range v {
				s0 += float64(x0[p] * y)
				s1 += float64(x1[p] * y)
				s2 += float64(x2[p] * y)
				s3 += float64(x3[p] * y)
			}
			c[i*ldc] += float64(alpha * s0)
			c[(i+1)*ldc] += float64(alpha * s1)
			c[(i+2)*ldc] += float64(alpha * s2)
			c[(i+3)*ldc] += float64(alpha * s3)
		}
		for ; i < m; i++ {
			x := a[i*ars+p0:][:len(v)]
			var s float64
			for p, y := range v {
				s += float64(x[p] * y)
			}
			c[i*ldc] += float64(alpha * s)
		}
	}
}

// gemvColumns is Gemm for one column of B and columns of A without gaps, which is Aᵀ·b for a
// row-major A. It takes eight columns at a time, a cache line of each row.
func gemvColumns(m, k int, alpha float64, a []float64, acs int, b []float64, brs int, c []float64, ldc int) {
	var packed [panel]float64
	for p0 := 0; p0 < k; p0 += panel {
		v := packed[:min(panel, k-p0)]
		for p := range v {
			v[p] = b[(p0+p)*brs]
		}
		i := 0
		for ; i+8 <= m; i += 8 {
			var s0, s1, s2, s3, s4, s5, s6, s7 float64
			at := i + p0*acs
			for _, y := range v {
				x := (*[8]float64)(a[at:])
				s0 += float64(x[0] * y)
				s1 += float64(x[1] * y)
				s2 += float64(x[2] * y)
				s3 += float64(x[3] * y)
				s4 += float64(x[4] * y)
				s5 += float64(x[5] * y)
				s6 += float64(x[6] * y)
				s7 += float64(x[7] * y)
				at += acs
			}
			for f, s := range [...]float64{s0, s1, s2, s3, s4, s5, s6, s7} {
				c[(i+f)*ldc] += float64(alpha * s)
			}
		}
		for ; i < m; i++ {
			var s float64
			for p, y := range v {
				s += float64(a[i+(p0+p)*acs] * y)
			}
			c[i*ldc] += float64(alpha * s)
		}
	}
}
