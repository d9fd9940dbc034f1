package kernel

// RowSquares sets dst = X²·c, with squares taken element by element:
//
//	dstᵢ = Σⱼ (cⱼ·xᵢⱼ)·xᵢⱼ
//
// X is len(dst)×len(c), row-major without gaps. It costs O(n·d).
//
// Order: that of [Dot] within each row, over j.
func RowSquares(dst, x, c []float64) {
	x = x[:len(dst)*len(c)]
	if simd && len(x) >= leastProducts {
		simdRowSquares(dst, x, c)
		return
	}
	rowSquares(dst, x, c)
}

func rowSquares(dst, x, c []float64) {
	d := len(c)
	for i := range dst {
		row, w := x[:d], c
		x = x[d:]
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		for len(row) >= 8 && len(w) >= 8 {
			s0 += float64(float64(w[0]*row[0]) * row[0])
			s1 += float64(float64(w[1]*row[1]) * row[1])
			s2 += float64(float64(w[2]*row[2]) * row[2])
			s3 += float64(float64(w[3]*row[3]) * row[3])
			s4 += float64(float64(w[4]*row[4]) * row[4])
			s5 += float64(float64(w[5]*row[5]) * row[5])
			s6 += float64(float64(w[6]*row[6]) * row[6])
			s7 += float64(float64(w[7]*row[7]) * row[7])
			row, w = row[8:], w[8:]
		}
		sum := ((s0 + s2) + (s4 + s6)) + ((s1 + s3) + (s5 + s7))
		w = w[:len(row)]
		for j, v := range row {
			sum += float64(float64(w[j]*v) * v)
		}
		dst[i] = sum
	}
}

// ColSquares adds (X²)ᵀ·r to acc, with squares taken element by element:
//
//	accⱼ += Σᵢ (rᵢ·xᵢⱼ)·xᵢⱼ
//
// X is len(r)×len(acc), row-major without gaps. It costs O(n·d).
//
// Order: for each j from accⱼ on, one row after the other.
func ColSquares(acc, x, r []float64) {
	x = x[:len(r)*len(acc)]
	if simd && len(x) >= leastProducts {
		simdColSquares(acc, x, r)
		return
	}
	colSquares(acc, x, r)
}

func colSquares(acc, x, r []float64) {
	n, d := len(r), len(acc)
	i := 0
	for ; i+4 <= n; i += 4 { // four rows at a time save three of four loads and stores of acc
		r0, r1, r2, r3 := r[i], r[i+1], r[i+2], r[i+3]
		x0, x1, x2, x3 := x[i*d:][:d], x[(i+1)*d:][:d], x[(i+2)*d:][:d], x[(i+3)*d:][:d]
		for j := range acc {
			a, b, c, e := x0[j], x1[j], x2[j], x3[j]
			s := acc[j]
			s += float64(float64(r0*a) * a)
			s += float64(float64(r1*b) * b)
			s += float64(float64(r2*c) * c)
			s += float64(float64(r3*e) * e)
			acc[j] = s
		}
	}
	for ; i < n; i++ {
		row := x[i*d:][:d]
		for j, v := range row {
			acc[j] += float64(float64(r[i]*v) * v)
		}
	}
}
