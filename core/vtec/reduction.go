package vtec

import (
	"math"

	"ifmlab/core/kernel"
)

// reduction is the same least squares on the training differences with half of the rows.
//
// Double differences around a triangle of edges add up to 0. So those along e edges between
// t training stations follow from at most t−1 of them. Let B be the e×t matrix of edges,
// with a 1 and a −1 in each row, and BᵀB = FᵀF with F upper triangular, r×t. Then B = QF
// with QᵀQ = I. For any function f of the points and any y, satellite by satellite,
//
//	‖y − Bf‖² = ‖Qᵀy − Ff‖² + ‖y‖² − ‖Qᵀy‖²
//
// where f stands for its differences from the reference satellite. So there are r rows for
// each satellite instead of e: 15 instead of 33 in the paper's net.
//
// A point has at most ten columns that differ from 0, and satellites share little but
// angles, so the Gram matrix has the form of an arrow. Rows are dense all the same: to use
// the arrow took twice the code and .85 of the time. Points are ordered by training station,
// then satellite, the reference last.
type reduction struct {
	satellites, stations, rank, d int       // M−1, t, r, D
	f                             []float64 // r×t
	x                             []float64 // encodings, (t·M)×D
	squares                       []float64 // F·(squares of encodings), less the reference's
	point                         []int     // of the window, by ours

	h, raw, wide []float64 // scratch
}

// rows has the rows of the reduced least squares for one function, r·(M−1) of them.
type rows struct {
	x    []float64 // ×D
	gram []float64 // D×D, lower triangle
}

// reduce returns the window's reduction, made once.
func (w *Window) reduce() *reduction {
	if w.reduction != nil {
		return w.reduction
	}
	t, m, d := w.stations-1, w.M, w.D
	r := &reduction{satellites: m - 1, stations: t, d: d, f: squareRoot(w.laplacian(), t)}
	r.rank = len(r.f) / t
	var satellites []int
	for s := range m {
		if s != w.Reference {
			satellites = append(satellites, s)
		}
	}
	for k := range w.stations {
		if k == w.test {
			continue
		}
		for _, s := range append(satellites, w.Reference) {
			p := s*w.stations + k
			r.point = append(r.point, p)
			r.x = append(r.x, w.X[p*d:][:d]...)
		}
	}
	r.h, r.raw, r.wide = make([]float64, t*m), make([]float64, t*m*d), make([]float64, r.rank*m*d)
	for i, v := range r.x {
		r.raw[i] = v * v
	}
	r.squares = make([]float64, r.rank*r.satellites*d)
	r.toReference(r.squares, r.raw)
	w.reduction = r
	return r
}

// project returns Qᵀy and ‖y‖² − ‖Qᵀy‖² for numbers of the training differences.
func (r *reduction) project(w *Window, y []float64) (projected []float64, lost float64) {
	t, m := r.stations, r.satellites+1
	at := make([]int, len(w.points))
	for p, q := range r.point {
		at[q] = p
	}
	sums := make([]float64, t*m) // Bᵀy
	for i, d := range w.Train {
		sums[at[d.Points[0]]] += y[i]
		sums[at[d.Points[1]]] -= y[i]
	}
	// Fᵀ(Qᵀy) = Bᵀy, from the top: a row of F begins where the last began or later.
	for i := range r.rank {
		row := r.f[i*t:][:t]
		pivot := 0
		for row[pivot] == 0 {
			pivot++
		}
		for s := range r.satellites {
			v := sums[pivot*m+s] / row[pivot]
			projected = append(projected, v)
			for k := pivot; k < t; k++ {
				sums[k*m+s] -= row[k] * v
			}
		}
	}
	return projected, max(0, kernel.Dot(y, y)-kernel.Dot(projected, projected))
}

// laplacian returns BᵀB of the edges between training stations, t×t.
func (w *Window) laplacian() []float64 {
	t := w.stations - 1
	index := func(station int) int {
		if station > w.test {
			station--
		}
		return station
	}
	l := make([]float64, t*t)
	for _, e := range w.edges {
		if e[0] != w.test && e[1] != w.test {
			a, b := index(e[0]), index(e[1])
			l[a*t+a]++
			l[b*t+b]++
			l[a*t+b]--
			l[b*t+a]--
		}
	}
	return l
}

// squareRoot returns F, upper triangular with as many rows as its rank, with FᵀF = a, t×t.
// It overwrites a. Pivots of a Laplacian are 0 or at least 1/t.
func squareRoot(a []float64, t int) []float64 {
	var f []float64
	for i := range t {
		if a[i*t+i] < 1e-6 {
			continue
		}
		row := make([]float64, t)
		scale := 1 / math.Sqrt(a[i*t+i])
		for j := i; j < t; j++ {
			row[j] = a[i*t+j] * scale
		}
		for j := i; j < t; j++ {
			kernel.Axpy(-row[j], row[j:], a[j*t+j:][:t-j])
		}
		f = append(f, row...)
	}
	return f
}

// toReference sets dst to F times the numbers of points, of each as many, less those of the
// reference.
func (r *reduction) toReference(dst, points []float64) {
	d := len(points) / len(r.point)
	width := d * (r.satellites + 1)
	wide := r.wide[:r.rank*width]
	clear(wide)
	t, half := r.stations, r.rank/2 // F is upper triangular
	kernel.Gemm(half, width, t, 1, r.f, t, 1, points, width, 1, wide, width)
	kernel.Gemm(r.rank-half, width, t-half, 1, r.f[half*t+half:], t, 1, points[half*width:], width, 1, wide[half*width:], width)
	for i := range r.rank {
		row := wide[i*width:][:width]
		reference := row[width-d:]
		for at := 0; at < width-d; at += d {
			for j, v := range reference {
				dst[j] = row[at+j] - v
			}
			dst = dst[d:]
		}
	}
}

// newRows returns rows to fill.
func (r *reduction) newRows() *rows {
	return &rows{x: make([]float64, len(r.squares)), gram: make([]float64, r.d*r.d)}
}

// linear sets the rows to those of wᵀx: the encodings themselves.
func (r *reduction) linear(to *rows) {
	r.toReference(to.x, r.x)
	r.multiply(to)
}

// bilinear sets the rows to those of (u·x)(v·x) − Σ uⱼvⱼxⱼ² as a function of v:
//
//	ρⱼ = (u·x − uⱼxⱼ)xⱼ
//
// or, for gFM, to those of (u·x)(v·x): ρⱼ = (u·x)xⱼ.
func (r *reduction) bilinear(to *rows, u []float64, kept bool) {
	r.dot(u)
	kernel.RowScale(r.raw, r.h, r.x, r.d)
	r.toReference(to.x, r.raw)
	for at := 0; at < len(to.x) && !kept; at += r.d {
		x, squares := to.x[at:][:r.d], r.squares[at:][:r.d]
		for j, v := range u {
			x[j] -= float64(v * squares[j])
		}
	}
	r.multiply(to)
}

// dot sets h to u·x of each point.
func (r *reduction) dot(u []float64) {
	clear(r.h)
	kernel.Gemm(len(r.h), 1, r.d, 1, r.x, r.d, 1, u, 1, 1, r.h, 1)
}

// multiply forms the lower triangle of the Gram matrix, some rows at a time.
func (r *reduction) multiply(to *rows) {
	const some = 8
	clear(to.gram)
	for i := 0; i < r.d; i += some {
		n := min(some, r.d-i)
		kernel.Gemm(n, i+n, len(to.x)/r.d, 1, to.x[i:], 1, r.d, to.x, r.d, 1, to.gram[i*r.d:], r.d)
	}
}

// adjoint sets b to Rᵀx for r·(M−1) numbers x.
func (r *reduction) adjoint(b []float64, of *rows, x []float64) {
	clear(b)
	kernel.Gemm(r.d, 1, len(x), 1, of.x, 1, r.d, x, 1, 1, b, 1)
}

// subtract subtracts alpha·R·b from x.
func (r *reduction) subtract(x []float64, of *rows, alpha float64, b []float64) {
	kernel.Gemm(len(x), 1, r.d, -alpha, of.x, r.d, 1, b, 1, 1, x, 1)
}

// subtractPoints subtracts from x the reduced differences of numbers of points.
func (r *reduction) subtractPoints(x, points []float64) {
	reduced := r.raw[:len(x)]
	r.toReference(reduced, points)
	kernel.Axpy(-1, reduced, x)
}
