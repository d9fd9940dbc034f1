package solve

import (
	"math"

	"ifmlab/core/kernel"
)

// symmetricEigen returns the d eigenvalues of a symmetric matrix, in no order,
// and its orthonormal eigenvectors, vector j in row j of a d×d matrix:
//
//	A = Σⱼ valuesⱼ·qⱼqⱼᵀ
//
// It reads and overwrites all of a, d×d, whose elements are finite. Householder
// reflections bring A to a tridiagonal matrix, implicit QL steps that to a
// diagonal one, as EISPACK's tred2 and tql2 do. O(d³).
//
// LAPACK would do (Dsyev), but for its calls of math.Hypot, which rounds on
// amd64 otherwise than in a browser.
func symmetricEigen(a []float64, d int) (values, vectors []float64) {
	size := 0.0
	for _, v := range a {
		size = max(size, math.Abs(v))
	}
	if size > 0 {
		for i := range a {
			a[i] /= size // so that squares neither overflow nor vanish
		}
	}
	values, beside := make([]float64, d), make([]float64, d)
	vectors = tridiagonalize(a, d, values, beside)
	diagonalize(values, beside, vectors)
	for i := range values {
		values[i] *= size
	}
	return values, vectors
}

// tridiagonalize sets diagonal and beside, d each, to the tridiagonal matrix
// T = QᵀAQ, T_i,i+1 = besideᵢ, and returns Qᵀ. It overwrites a.
func tridiagonalize(a []float64, d int, diagonal, beside []float64) (q []float64) {
	weights, p := make([]float64, d), make([]float64, d)
	for i := range d {
		diagonal[i] = a[i*d+i]
		// v reflects what is right of the diagonal in row i to its first element.
		v := a[i*d+i+1 : (i+1)*d]
		if len(v) == 0 {
			break
		}
		norm := math.Sqrt(kernel.Dot(v, v))
		beside[i] = -math.Copysign(norm, v[0])
		if len(v) == 1 || norm == 0 {
			beside[i] = v[0] // nothing to reflect
			continue
		}
		v[0] -= beside[i]
		weights[i] = 2 / kernel.Dot(v, v)
		// (I − wvvᵀ)B(I − wvvᵀ) = B − vpᵀ − pvᵀ with p = wBv − ½w²(vᵀBv)v.
		p := p[:len(v)]
		for j := range v {
			p[j] = weights[i] * kernel.Dot(a[(i+1+j)*d+i+1:(i+2+j)*d], v)
		}
		kernel.Axpy(-weights[i]*kernel.Dot(p, v)/2, v, p)
		for j := range v {
			row := a[(i+1+j)*d+i+1 : (i+2+j)*d]
			kernel.Axpy(-v[j], p, row)
			kernel.Axpy(-p[j], v, row)
		}
	}
	q = make([]float64, d*d)
	for i := range d {
		q[i*d+i] = 1
	}
	for i := d - 1; i >= 0; i-- {
		if weights[i] == 0 {
			continue
		}
		v := a[i*d+i+1 : (i+1)*d]
		for j := i + 1; j < d; j++ {
			row := q[j*d+i+1 : (j+1)*d]
			kernel.Axpy(-weights[i]*kernel.Dot(row, v), v, row)
		}
	}
	return q
}

// diagonalize turns the tridiagonal matrix into one of eigenvalues, and the
// rows of q with it.
func diagonalize(diagonal, beside, q []float64) {
	d := len(diagonal)
	for l := range d {
		// Two or three steps an eigenvalue are usual, and 30 were never seen.
		for range 60 {
			m := l // the end of the block that begins at l
			for m < d-1 && math.Abs(beside[m]) > 0x1p-52*(math.Abs(diagonal[m])+math.Abs(diagonal[m+1])) {
				m++
			}
			if m == l {
				break
			}
			qlStep(diagonal, beside, q, l, m)
		}
	}
}

// qlStep does one implicit QL step on rows l to m, with the eigenvalue nearer
// to the first element of the leading 2×2 matrix as its shift.
func qlStep(diagonal, beside, q []float64, l, m int) {
	d := len(diagonal)
	g := (diagonal[l+1] - diagonal[l]) / (2 * beside[l])
	g = diagonal[m] - diagonal[l] + beside[l]/(g+math.Copysign(math.Sqrt(float64(g*g)+1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*beside[i], c*beside[i]
		r := math.Sqrt(float64(f*f) + float64(g*g))
		beside[i+1] = r
		if r == 0 { // the block falls in two
			diagonal[i+1] -= p
			beside[m] = 0
			return
		}
		s, c = f/r, g/r
		g = diagonal[i+1] - p
		r = float64((diagonal[i]-g)*s) + float64(2*c*b)
		p = s * r
		diagonal[i+1] = g + p
		g = float64(c*r) - b
		upper, lower := q[i*d:][:d], q[(i+1)*d:][:d]
		for j, x := range upper {
			y := lower[j]
			lower[j] = float64(s*x) + float64(c*y)
			upper[j] = float64(c*x) - float64(s*y)
		}
	}
	diagonal[l] -= p
	beside[l] = g
	beside[m] = 0
}
