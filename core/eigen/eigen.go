// Package eigen decomposes symmetric matrices into eigenvalues and eigenvectors.
//
// It replaces gonum's lapack for two reasons. lapack's rotations call math.Hypot, and
// assembly on some machines, which round differently from a browser, so that a fit would
// have other bits there. And lapack's takes 50 kB of the engine (brotli), this one 4.
package eigen

import (
	"math"

	"ifmlab/core/kernel"
)

// Decomposition is the working space for matrices up to some size, with the result for the
// last one.
type Decomposition struct {
	Values  []float64 // n, in no order
	Vectors []float64 // n×n: row i belongs to value i, and the rows are orthonormal

	off, beta, left, right, p []float64
}

// New returns the working space for matrices up to most×most. O(most²).
func New(most int) *Decomposition {
	return &Decomposition{
		Values: make([]float64, most), Vectors: make([]float64, most*most),
		off: make([]float64, most), beta: make([]float64, most), p: make([]float64, most),
		left: make([]float64, 2*most), right: make([]float64, 2*most),
	}
}

// Of sets Values and Vectors to those of A, n×n, symmetric and row-major:
//
//	A = Σᵢ valueᵢ·vectorᵢ·vectorᵢᵀ
//
// It overwrites A. The values of −A are the negatives, with the same vectors up to their
// signs. A NaN in A gives NaNs. It costs about 9n³ multiply-adds.
func (e *Decomposition) Of(a []float64, n int) {
	e.tridiagonalize(a, n)
	e.accumulate(a, n)
	e.diagonalize(n, true)
}

// ValuesOf only sets Values, to the same bits, for about 2n³/3 multiply-adds. It overwrites A.
func (e *Decomposition) ValuesOf(a []float64, n int) {
	e.tridiagonalize(a, n)
	e.diagonalize(n, false)
}

// tridiagonalize brings A to tridiagonal form T, with Values on its diagonal and off beside
// it. It applies n−2 reflections H = I − β·v·vᵀ and leaves their v in A:
//
//	A = Q T Qᵀ,  Q = H₀H₁⋯
func (e *Decomposition) tridiagonalize(a []float64, n int) {
	for j := range n {
		row := a[j*n:][:n]
		e.Values[j], e.off[j], e.beta[j] = row[j], 0, 0
		if j == n-1 {
			break
		}
		v := row[j+1:]
		e.off[j] = v[0]
		if tail := kernel.Dot(v[1:], v[1:]); tail < 1e-290 { // whose reciprocal may overflow
			continue
		}
		e.off[j] = -math.Copysign(math.Sqrt(kernel.Dot(v, v)), v[0])
		v[0] -= e.off[j]
		e.beta[j] = 2 / kernel.Dot(v, v)
		// H A H = A − v·wᵀ − w·vᵀ with w = p − ½β(pᵀv)v, p = βAv.
		size, rest := len(v), a[(j+1)*n+j+1:]
		w := e.p[:size]
		clear(w)
		kernel.Gemm(size, 1, size, e.beta[j], rest, n, 1, v, 1, 1, w, 1)
		kernel.Axpy(-e.beta[j]*kernel.Dot(w, v)/2, v, w)
		for i, x := range v {
			e.left[2*i], e.left[2*i+1] = x, w[i]
		}
		copy(e.right, w)
		copy(e.right[size:], v)
		kernel.Gemm(size, size, 2, -1, e.left, 2, 1, e.right, size, 1, rest, n)
	}
}

// accumulate sets Vectors to Qᵀ from the reflections in A.
func (e *Decomposition) accumulate(a []float64, n int) {
	q := e.Vectors[:n*n]
	clear(q)
	for j := range n {
		q[j*n+j] = 1
	}
	for j := n - 3; j >= 0; j-- {
		if e.beta[j] == 0 {
			continue
		}
		v, rest := a[j*n+j+1:(j+1)*n], q[(j+1)*n+j+1:]
		p := e.p[:len(v)]
		clear(p)
		kernel.Gemm(len(v), 1, len(v), -e.beta[j], rest, n, 1, v, 1, 1, p, 1)
		kernel.Gemm(len(v), len(v), 1, 1, p, 1, 1, v, len(v), 1, rest, n)
	}
}

// diagonalize brings T to diagonal form by QL iterations with implicit shifts. With vectors
// it applies the same rotations to the rows of Vectors.
func (e *Decomposition) diagonalize(n int, vectors bool) {
	const most = 60 // iterations for one value; two are usual
	d, off := e.Values, e.off
	for l := range n {
		for range most {
			m := l
			for m < n-1 && !(math.Abs(off[m]) <= 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1]))) {
				m++
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * off[l])
			g = d[m] - d[l] + off[l]/(g+math.Copysign(hypotenuse(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := float64(s*off[i]), float64(c*off[i])
				r := hypotenuse(f, g)
				if off[i+1] = r; r == 0 { // T splits here
					d[i+1] -= p
					off[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = float64(s * r)
				d[i+1] = g + p
				g = float64(c*r) - b
				if vectors {
					rotate(e.Vectors[i*n:][:n], e.Vectors[(i+1)*n:][:n], c, s)
				}
			}
			if i < l {
				d[l] -= p
				off[l], off[m] = g, 0
			}
		}
	}
}

// rotate sets x to c·x − s·y and y to s·x + c·y.
func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		y[i] = float64(s*v) + float64(c*w)
		x[i] = float64(c*v) - float64(s*w)
	}
}

// hypotenuse returns √(x² + y²) without overflow of the squares. (Some machines fuse the
// products of math.Hypot.)
func hypotenuse(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if x == 0 {
		return 0
	}
	y /= x
	return x * math.Sqrt(1+float64(y*y))
}
