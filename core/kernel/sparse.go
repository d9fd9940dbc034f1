package kernel

// Sparse is m rows of a sparse matrix: element e of row i, for
// Start[i] ≤ e < Start[i+1], has the value Value[e] in column Column[e]. Start
// has m+1 elements.
type Sparse struct {
	Start  []int
	Column []int32
	Value  []float64
}

// rows returns m.
func (z Sparse) rows() int { return len(z.Start) - 1 }

// row returns the elements of row i.
func (z Sparse) row(i int) ([]int32, []float64) {
	columns, values := z.Column[z.Start[i]:z.Start[i+1]], z.Value[z.Start[i]:z.Start[i+1]]
	return columns, values[:len(columns)]
}

// Forward sets dst = Z·P. P is d×k and dst m×k, row-major without gaps. It
// costs O(nnz·k).
//
// Order: for each element of dst from 0, the elements of the row of Z one after
// the other.
func (z Sparse) Forward(dst, p []float64, k int) {
	dst = dst[:z.rows()*k]
	for i := range z.rows() {
		columns, values := z.row(i)
		out := dst[i*k:][:k]
		switch k {
		case 1:
			var s float64
			for e, j := range columns {
				s += float64(values[e] * p[j])
			}
			out[0] = s
			continue
		case 4: // sums in registers
			var s0, s1, s2, s3 float64
			for e, j := range columns {
				v, x := values[e], (*[4]float64)(p[int(j)*4:])
				s0 += float64(v * x[0])
				s1 += float64(v * x[1])
				s2 += float64(v * x[2])
				s3 += float64(v * x[3])
			}
			out[0], out[1], out[2], out[3] = s0, s1, s2, s3
			continue
		}
		clear(out)
		for e, j := range columns {
			v := values[e]
			for f, x := range p[int(j)*k:][:k] {
				out[f] += float64(v * x)
			}
		}
	}
}

// Adjoint adds Zᵀ·R to acc. R is m×k and acc d×k, row-major without gaps. It
// costs O(nnz·k).
//
// Order: one row after the other, and within a row one element after the other.
func (z Sparse) Adjoint(acc, r []float64, k int) {
	r = r[:z.rows()*k]
	for i := range z.rows() {
		columns, values := z.row(i)
		from := r[i*k:][:k]
		switch k {
		case 1:
			for e, j := range columns {
				acc[j] += float64(values[e] * from[0])
			}
			continue
		case 4:
			r0, r1, r2, r3 := from[0], from[1], from[2], from[3]
			for e, j := range columns {
				v, out := values[e], (*[4]float64)(acc[int(j)*4:])
				out[0] += float64(v * r0)
				out[1] += float64(v * r1)
				out[2] += float64(v * r2)
				out[3] += float64(v * r3)
			}
			continue
		}
		for e, j := range columns {
			v, out := values[e], acc[int(j)*k:][:k]
			for f, x := range from {
				out[f] += float64(v * x)
			}
		}
	}
}

// RowSquares sets dstᵢ = Σⱼ (cⱼ·zᵢⱼ)·zᵢⱼ. It costs O(nnz).
//
// Order: from 0, the elements of the row one after the other.
func (z Sparse) RowSquares(dst, c []float64) {
	dst = dst[:z.rows()]
	for i := range dst {
		columns, values := z.row(i)
		var s float64
		for e, j := range columns {
			v := values[e]
			s += float64(float64(c[j]*v) * v)
		}
		dst[i] = s
	}
}

// ColSquares adds Σᵢ (rᵢ·zᵢⱼ)·zᵢⱼ to accⱼ. It costs O(nnz).
//
// Order: one row after the other, and within a row one element after the other.
func (z Sparse) ColSquares(acc, r []float64) {
	r = r[:z.rows()]
	for i, s := range r {
		columns, values := z.row(i)
		for e, j := range columns {
			v := values[e]
			acc[j] += float64(float64(s*v) * v)
		}
	}
}
