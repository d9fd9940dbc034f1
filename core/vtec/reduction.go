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
// Every function here is linear in the at most ten columns of a point that may differ from
// 0. The columns of all clusters come first, those of the reference last among them, then
// the angles. So the Gram matrix is an arrow, because satellites share little but angles.
// Points are ordered by training station, then satellite, the reference last.
type reduction struct {
	satellites, stations, rank int // M−1, t, r
	d                          int
	column                     []int // of an encoding, by ours
	angles                     []float64
	places                     [][2]float64 // displacements of points
	pair                       []int        // of each point: the index of its satellite and cluster
	pairs                      []pair
	squares                    []float64 // F·(squares of angles), less the reference's
	f                          []float64 // r×t
	pairTerms                  []term    // the places of the pairs' products in a Gram matrix
	firstColumn                []int     // of each row of a Gram matrix: the first column that may differ from 0
	point                      []int     // of the window, by ours

	h, raw, rawPlaces, wide, product []float64 // scratch
}

// pair is a satellite and a cluster that has some of its points. Its two columns begin at
// column.
type pair struct{ satellite, cluster, column int }

// term adds factor·product[from] to a Gram matrix at to.
type term struct {
	from, to int
	factor   float64
}

// rows has the rows of the reduced least squares for one function. Each satellite has r
// rows in the columns of angles, and the pairs have columns of displacements. The reference
// enters the rows of all others.
type rows struct {
	angles []float64 // (r·others)×8
	places []float64 // r×2·pairs
	gram   []float64 // d×d, lower triangle
}

// reduce returns the window's reduction, made once.
func (w *Window) reduce() *reduction {
	if w.reduction != nil {
		return w.reduction
	}
	t, m := w.stations-1, w.M
	r := &reduction{satellites: m - 1, stations: t, d: w.D}
	r.f = squareRoot(w.laplacian(), t)
	r.rank = len(r.f) / t
	satellite := make([]int, 0, m) // the reference last
	for s := range m {
		if s != w.Reference {
			satellite = append(satellite, s)
		}
	}
	satellite = append(satellite, w.Reference)
	station := make([]int, 0, t)
	for k := range w.stations {
		if k != w.test {
			station = append(station, k)
		}
	}
	r.columns(w, satellite, station)

	squares := make([]float64, t*m*angles)
	for k, a := range station {
		for s, b := range satellite {
			p := b*w.stations + a
			r.point = append(r.point, p)
			row := w.X[p*w.D:][:w.D]
			g := 2 * int(w.Cluster[p])
			r.places = append(r.places, [2]float64{row[g], row[g+1]})
			r.angles = append(r.angles, row[2*m:]...)
			for j, v := range row[2*m:] {
				squares[(k*m+s)*angles+j] = v * v
			}
		}
	}
	n := r.rank * r.satellites
	r.h = make([]float64, t*m)
	r.raw = make([]float64, t*m*angles)
	r.rawPlaces = make([]float64, t*2*len(r.pairs))
	r.wide = make([]float64, r.rank*m*angles)
	r.product = make([]float64, 2*len(r.pairs)*max(r.satellites*angles, 2*len(r.pairs)))
	r.squares = make([]float64, n*angles)
	r.toReference(r.squares, squares)

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

// columns orders the columns and finds which of them meet.
func (r *reduction) columns(w *Window, satellite, station []int) {
	const unseen, apart, shared = 0, 1, 2
	of := make([]int, w.M)
	for s, b := range satellite {
		for _, a := range station {
			if g := w.Cluster[b*w.stations+a]; s < r.satellites {
				of[g] = max(of[g], apart)
			} else {
				of[g] = shared
			}
		}
	}
	place := make([]int, w.M)
	for kind := range shared + 1 {
		for g, v := range of {
			if v == kind {
				place[g] = len(r.column)
				r.column = append(r.column, 2*g, 2*g+1)
			}
		}
	}
	for j := range angles {
		r.column = append(r.column, 2*w.M+j)
	}
	known := make([]int, w.M*w.M)
	for _, a := range station {
		for s, b := range satellite {
			g := int(w.Cluster[b*w.stations+a])
			if known[s*w.M+g] == 0 {
				r.pairs = append(r.pairs, pair{s, g, place[g]})
				known[s*w.M+g] = len(r.pairs)
			}
			r.pair = append(r.pair, known[s*w.M+g]-1)
		}
	}
	r.firstColumn = make([]int, r.d)
	for i := range 2 * w.M {
		r.firstColumn[i] = i
	}
	v := 2 * len(r.pairs)
	for p, a := range r.pairs {
		for q, b := range r.pairs {
			factor := 0.
			switch {
			case a.satellite == b.satellite && a.satellite == r.satellites:
				factor = float64(r.satellites)
			case a.satellite == b.satellite, a.satellite == r.satellites, b.satellite == r.satellites:
				factor = 1
			}
			for c := range 4 {
				i, j := a.column+c/2, b.column+c%2
				if factor != 0 && j <= i {
					r.pairTerms = append(r.pairTerms, term{(2*p+c/2)*v + 2*q + c%2, i*r.d + j, factor})
					r.firstColumn[i] = min(r.firstColumn[i], j)
				}
			}
		}
	}
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

// toReference sets dst, (r·satellites)×8, to F times the eight numbers of each point, less
// those of the reference.
func (r *reduction) toReference(dst, points []float64) {
	m := r.satellites + 1
	clear(r.wide)
	kernel.Gemm(r.rank, m*angles, r.stations, 1, r.f, r.stations, 1, points, m*angles, 1, r.wide, m*angles)
	for i := range r.rank {
		all := r.wide[i*m*angles:][:m*angles]
		reference := all[r.satellites*angles:]
		out := dst[i*r.satellites*angles:][:r.satellites*angles]
		for at := 0; at < len(out); at += angles {
			x, y, z := (*[angles]float64)(all[at:]), (*[angles]float64)(reference), (*[angles]float64)(out[at:])
			for j := range z {
				z[j] = x[j] - y[j]
			}
		}
	}
}

// newRows returns rows to fill.
func (r *reduction) newRows() *rows {
	return &rows{
		angles: make([]float64, r.rank*r.satellites*angles),
		places: make([]float64, r.rank*2*len(r.pairs)),
		gram:   make([]float64, r.d*r.d),
	}
}

// linear sets the rows to those of wᵀx: the encodings themselves.
func (r *reduction) linear(to *rows) {
	r.toReference(to.angles, r.angles)
	for p, q := range r.pair {
		r.setPair(p, q, r.places[p])
	}
	r.finish(to)
}

// bilinear sets the rows to those of (u·x)(v·x) − Σ uⱼvⱼxⱼ² as a function of v:
//
//	ρⱼ = (u·x − uⱼxⱼ)xⱼ
//
// or, for gFM, to those of (u·x)(v·x): ρⱼ = (u·x)xⱼ.
func (r *reduction) bilinear(to *rows, u []float64, kept bool) {
	last := u[r.d-angles:]
	r.dot(u)
	kernel.RowScale(r.raw, r.h, r.angles, angles)
	r.toReference(to.angles, r.raw)
	if kept {
		for p, q := range r.pair {
			x := r.places[p]
			r.setPair(p, q, [2]float64{r.h[p] * x[0], r.h[p] * x[1]})
		}
		r.finish(to)
		return
	}
	for at := 0; at < len(to.angles); at += angles {
		x, y, z := (*[angles]float64)(to.angles[at:]), (*[angles]float64)(r.squares[at:]), (*[angles]float64)(last)
		for j := range x {
			x[j] -= z[j] * y[j]
		}
	}
	for p, q := range r.pair {
		x, c := r.places[p], r.pairs[q].column
		r.setPair(p, q, [2]float64{(r.h[p] - u[c]*x[0]) * x[0], (r.h[p] - u[c+1]*x[1]) * x[1]})
	}
	r.finish(to)
}

// dot sets h to u·x of each point.
func (r *reduction) dot(u []float64) {
	for p, q := range r.pair {
		x, c := r.places[p], r.pairs[q].column
		r.h[p] = u[c]*x[0] + u[c+1]*x[1]
	}
	kernel.Gemm(len(r.h), 1, angles, 1, r.angles, angles, 1, u[r.d-angles:], 1, 1, r.h, 1)
}

// setPair sets the columns of displacements in a point's row.
func (r *reduction) setPair(point, pair int, v [2]float64) {
	m := r.satellites + 1
	if r.pairs[pair].satellite == r.satellites {
		v[0], v[1] = -v[0], -v[1]
	}
	copy(r.rawPlaces[(point/m*len(r.pairs)+pair)*2:], v[:])
}

// finish sets the rows of places from rawPlaces and forms the Gram matrix.
func (r *reduction) finish(to *rows) {
	v, wide, n := 2*len(r.pairs), r.satellites*angles, r.rank*r.satellites
	clear(to.places)
	kernel.Gemm(r.rank, v, r.stations, 1, r.f, r.stations, 1, r.rawPlaces, v, 1, to.places, v)
	g := to.gram
	clear(g)
	lead := r.d - angles
	kernel.Gemm(angles, angles, n, 1, to.angles, 1, angles, to.angles, angles, 1, g[lead*r.d+lead:], r.d)
	product := r.product[:v*wide]
	clear(product)
	kernel.Gemm(v, wide, r.rank, 1, to.places, 1, v, to.angles, wide, 1, product, wide)
	for p, a := range r.pairs {
		for c := range 2 {
			row := product[(2*p+c)*wide:][:wide]
			if a.satellite < r.satellites {
				row = row[a.satellite*angles:][:angles]
			}
			for ; len(row) > 0; row = row[angles:] {
				for j := range angles {
					g[(lead+j)*r.d+a.column+c] += row[j]
				}
			}
		}
	}
	product = r.product[:v*v]
	clear(product)
	kernel.Gemm(v, v, r.rank, 1, to.places, 1, v, to.places, v, 1, product, v)
	for _, t := range r.pairTerms {
		g[t.to] += t.factor * product[t.from]
	}
}

// adjoint sets b to Rᵀx for r·satellites numbers x.
func (r *reduction) adjoint(b []float64, of *rows, x []float64) {
	v := 2 * len(r.pairs)
	clear(b)
	kernel.Gemm(angles, 1, len(x), 1, of.angles, 1, angles, x, 1, 1, b[r.d-angles:], 1)
	product := r.product[:v*r.satellites]
	clear(product)
	kernel.Gemm(v, r.satellites, r.rank, 1, of.places, 1, v, x, r.satellites, 1, product, r.satellites)
	for p, a := range r.pairs {
		for c := range 2 {
			row := product[(2*p+c)*r.satellites:][:r.satellites]
			if a.satellite < r.satellites {
				row = row[a.satellite:][:1]
			}
			for _, s := range row {
				b[a.column+c] += s
			}
		}
	}
}

// subtract subtracts alpha·R·b from x.
func (r *reduction) subtract(x []float64, of *rows, alpha float64, b []float64) {
	kernel.Gemm(len(x), 1, angles, -alpha, of.angles, angles, 1, b[r.d-angles:], 1, 1, x, 1)
	v := 2 * len(r.pairs)
	for i := range r.rank {
		row, out := of.places[i*v:][:v], x[i*r.satellites:][:r.satellites]
		all := 0.0
		for p, a := range r.pairs {
			s := alpha * (row[2*p]*b[a.column] + row[2*p+1]*b[a.column+1])
			if a.satellite < r.satellites {
				out[a.satellite] -= s
			} else {
				all += s
			}
		}
		for s := range out {
			out[s] -= all
		}
	}
}

// subtractPoints subtracts from x the reduced differences of numbers of points.
func (r *reduction) subtractPoints(x, points []float64) {
	m := r.satellites + 1
	wide := r.wide[:r.rank*m]
	clear(wide)
	kernel.Gemm(r.rank, m, r.stations, 1, r.f, r.stations, 1, points, m, 1, wide, m)
	for i := range r.rank {
		row, out := wide[i*m:][:m], x[i*r.satellites:][:r.satellites]
		for s := range out {
			out[s] -= row[s] - row[r.satellites]
		}
	}
}

// factorize replaces the lower triangle of a, d×d, by L with A = LLᵀ, row by row. It reports
// whether A is positive definite. It skips the columns before firstColumn, where L is 0 too.
func (r *reduction) factorize(a []float64) bool {
	d := r.d
	for i := range d {
		row := a[i*d:][:i+1]
		for j := r.firstColumn[i]; j < i; j++ {
			from := max(r.firstColumn[i], r.firstColumn[j])
			s := row[j]
			above := a[j*d+from : j*d+j]
			left := row[from:][:len(above)]
			for k, v := range above {
				s -= left[k] * v
			}
			row[j] = s / a[j*d+j]
		}
		s := row[i]
		for _, v := range row[r.firstColumn[i]:i] {
			s -= v * v
		}
		if !(s > 0) {
			return false
		}
		row[i] = math.Sqrt(s)
	}
	return true
}

// solve sets b to the solution x of LLᵀx = b.
func (r *reduction) solve(l, b []float64) {
	d := r.d
	for i := range d {
		s, row := b[i], l[i*d+r.firstColumn[i]:i*d+i]
		known := b[r.firstColumn[i]:][:len(row)]
		for k, v := range row {
			s -= v * known[k]
		}
		b[i] = s / l[i*d+i]
	}
	for i := d - 1; i >= 0; i-- {
		s, row := b[i]/l[i*d+i], l[i*d+r.firstColumn[i]:i*d+i]
		open := b[r.firstColumn[i]:][:len(row)]
		for k, v := range row {
			open[k] -= v * s
		}
		b[i] = s
	}
}
