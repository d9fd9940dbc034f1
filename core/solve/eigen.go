package solve

import (
	"math"

	"ifmlab/core/kernel"
)

// eigen is the eigendecomposition of symmetric matrices of up to some size. It
// is ours because lapack's is assembly natively, which adds in another order
// than a browser does; this one has the same bits everywhere.
type eigen struct {
	values  []float64 // n, in no order
	vectors []float64 // n×n: row i belongs to value i, and the rows are orthonormal

	off, beta, left, right, p []float64
}

func newEigen(most int) *eigen {
	return &eigen{
		values: make([]float64, most), vectors: make([]float64, most*most),
		off: make([]float64, most), beta: make([]float64, most), p: make([]float64, most),
		left: make([]float64, 2*most), right: make([]float64, 2*most),
	}
}

// decompose sets values and vectors to those of A, n×n, symmetric and row-major:
//
//	A = Σᵢ valueᵢ·vectorᵢ·vectorᵢᵀ
//
// It overwrites A. Of −A the values are the negatives and the vectors the same
// up to their signs. A NaN in A gives NaNs. It costs about 9n³ multiply-adds.
func (e *eigen) decompose(a []float64, n int) {
	e.tridiagonalize(a, n)
	e.diagonalize(n)
}

// tridiagonalize brings A to tridiagonal form T, values on its diagonal and off
// beside it, with n−2 reflections H = I − β·v·vᵀ, and vectors to Qᵀ:
//
//	A = Q T Qᵀ,  Q = H₀H₁⋯
func (e *eigen) tridiagonalize(a []float64, n int) {
	for j := range n {
		row := a[j*n:][:n]
		e.values[j], e.off[j], e.beta[j] = row[j], 0, 0
		if j == n-1 {
			break
		}
		v := row[j+1:]
		e.off[j] = v[0]
		if tail := kernel.Dot(v[1:], v[1:]); tail == 0 || tail < 1e-290 { // whose reciprocal may overflow
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
	q := e.vectors[:n*n]
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

// diagonalize brings T to diagonal form by QL iterations with implicit shifts,
// and turns the rows of vectors along.
func (e *eigen) diagonalize(n int) {
	const most = 60 // iterations for one value; two are usual
	d, off := e.values, e.off
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
				f, b := s*off[i], c*off[i]
				r := hypotenuse(f, g)
				if off[i+1] = r; r == 0 { // T has come apart here
					d[i+1] -= p
					off[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = s * r
				d[i+1] = g + p
				g = float64(c*r) - b
				rotate(e.vectors[i*n:][:n], e.vectors[(i+1)*n:][:n], c, s)
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

// hypotenuse returns √(x² + y²) where the squares may overflow. (Some machines
// fuse the products of math.Hypot.)
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

// top chooses the eigenvalues of largest size, at most so many of each sign and
// at most most of all, without those of at most least times the largest. It
// returns where they are, in the order of their size.
func (e *eigen) top(into []int, n int, limit signs, most int, least float64) []int {
	into = into[:0]
	largest := 0.0
	for _, v := range e.values[:n] {
		largest = max(largest, math.Abs(v))
	}
	for len(into) < most {
		best, size := -1, least*largest
		for i, v := range e.values[:n] {
			if math.Abs(v) > size && (v > 0 && limit.positive > 0 || v < 0 && limit.negative > 0) && !contains(into, i) {
				best, size = i, math.Abs(v)
			}
		}
		if best < 0 {
			break
		}
		into = append(into, best)
		if e.values[best] > 0 {
			limit.positive--
		} else {
			limit.negative--
		}
	}
	return into
}

func contains(x []int, v int) bool {
	for _, w := range x {
		if v == w {
			return true
		}
	}
	return false
}

// signs counts eigenvalues.
type signs struct{ positive, negative int }
