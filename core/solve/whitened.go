package solve

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// space is a problem in the coordinates of Gauss–Newton. X, n×d, are the columns that vary,
// centred and divided by their standard deviations. So is y. R is q×d with
//
//	RᵀR = Σ = XᵀX/n
//
// so the columns of XR⁻¹ are uncorrelated and have variance 1. With Σ = QΛQᵀ, R is √Λ·Qᵀ.
// whiten treats eigenvalues near 0: there XR⁻¹ has a variance below 1, and linear
// coefficients have an R of their own.
type space struct {
	n, d, q  int
	columns  []int         // d: their places in the design
	mean, sd []float64     // d: of the columns
	center   float64       // mean of the targets
	unit     float64       // their standard deviation
	x        []float64     // n×d
	z        *design.Dense // the same
	y        []float64     // n
	diagonal bool          // the model has its diagonal removed

	firstRows   *design.Dense // the first rows of the design
	predictions []float64     // of the model for firstRows
	scratch     fm.Scratch

	linearRoot   []float64 // d×q: R⁻¹ of the linear coefficients
	inverseRoots []float64 // 2d×q: that of the interactions above ΣR⁻¹
	root         []float64 // d×q: Rᵀ of the interactions; it is ΣR⁻¹ if no eigenvalue was raised
	squares      []float64 // d×d: the squares of the elements of Σ
	scaled       []float64 // of rows×d: of gram
}

const (
	// mostColumns bounds the eigendecompositions: a handful of this size takes a minute.
	mostColumns = 1000
	// mostElements bounds the numbers of a sparse design that are written out: 335 MB.
	mostElements = 5 << 23
)

// standardize returns the columns and targets of a batch, centred and scaled. It returns an
// [*UnsupportedError] if there are too many, and a [*DivergedError] if a sum of squares is
// not finite. O(n·d).
func standardize(b Batch, diagonal bool) (*space, error) {
	n, d := b.Z.Dims()
	_, dense := b.Z.(*design.Dense)
	switch {
	case d > mostColumns:
		return nil, &UnsupportedError{Solver: "Gauss-Newton", What: message.Sprintf("%d columns", d), Instead: "use ScaledGD or AGD"}
	case !dense && n > mostElements/max(d, 1):
		return nil, &UnsupportedError{Solver: "Gauss-Newton", What: message.Sprintf("a sparse design of %d elements", n*d), Instead: "use ScaledGD or AGD"}
	}
	s := &space{n: n, diagonal: diagonal, y: make([]float64, n)}
	copy(s.y, b.Y)
	_, mean, sd := center(s.y, n, 1)
	s.center, s.unit = mean[0], sd[0]

	x := denseCopy(b.Z)
	rows := min(n, 64)
	s.firstRows, s.predictions = design.NewDense(rows, d, append([]float64(nil), x[:rows*d]...)), make([]float64, rows)
	finite, mean, sd := center(x, n, d)
	if !finite || s.unit-s.unit != 0 {
		return nil, &DivergedError{Loss: math.NaN()}
	}
	for j, v := range sd {
		if v > 0 {
			s.columns = append(s.columns, j)
			s.mean, s.sd = append(s.mean, mean[j]), append(s.sd, v)
		}
	}
	s.d = len(s.columns)
	for i := range n {
		row := x[i*s.d:][:s.d] // never beyond the numbers still to be read
		for j, column := range s.columns {
			row[j] = x[i*d+column] / s.sd[j]
		}
	}
	s.x = x[:n*s.d]
	s.z = design.NewDense(n, s.d, s.x)
	if s.unit > 0 {
		for i := range s.y {
			s.y[i] /= s.unit
		}
	}
	return s, nil
}

// denseCopy returns a copy of Z, row-major without gaps.
func denseCopy(z design.Design) []float64 {
	n, d := z.Dims()
	x, write := make([]float64, n*d), denseRows(z)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) { write(x[lo*d:hi*d], lo, hi, b) })
	return x
}

// denseRows returns a function that sets dst to the dense rows lo ≤ i < hi of Z.
func denseRows(z design.Design) func(dst []float64, lo, hi int, b design.Block) {
	_, d := z.Dims()
	if dense, ok := z.(*design.Dense); ok {
		return func(dst []float64, lo, hi int, _ design.Block) {
			for i := lo; i < hi; i++ {
				copy(dst[(i-lo)*d:], dense.Row(i))
			}
		}
	}
	identity := make([]float64, d*d)
	for j := range d {
		identity[j*d+j] = 1
	}
	return func(dst []float64, _, _ int, b design.Block) { b.Forward(dst, identity, d) }
}

// center subtracts its mean from each column of X, n×d. It returns the means, the standard
// deviations, and whether all are finite. The standard deviation of a constant column is
// exactly 0, because distances from the first row are summed.
func center(x []float64, n, d int) (finite bool, mean, sd []float64) {
	mean, sd = make([]float64, d), make([]float64, d)
	first := append([]float64(nil), x[:d]...)
	for i := range n {
		kernel.Axpy(-1, first, x[i*d:][:d])
	}
	ones := make([]float64, design.BlockRows)
	for i := range ones {
		ones[i] = 1
	}
	z := design.NewDense(n, d, x)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(mean, ones[:hi-lo], 1) })
	for j := range mean {
		mean[j] /= float64(n)
	}
	for i := range n {
		kernel.Axpy(-1, mean, x[i*d:][:d])
	}
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.SquaresAdjoint(sd, ones[:hi-lo]) })
	finite = true
	for j := range sd {
		sd[j] = math.Sqrt(sd[j] / float64(n))
		mean[j] += first[j]
		finite = finite && sd[j]-sd[j] == 0 && mean[j]-mean[j] == 0
	}
	return finite, mean, sd
}

// gram sets G, d×d, to Xᵀdiag(r)X/n, or to XᵀX/n if r is nil. It returns the number of
// multiply-adds, about n·d²/2.
func (s *space) gram(g, r []float64) (work float64) {
	const stripe = 16 // columns at a time, so that nearly half of the products are left out
	d := s.d
	clear(g)
	if s.scaled == nil {
		s.scaled = make([]float64, min(s.n, design.BlockRows)*d)
	}
	for lo := 0; lo < s.n; lo += design.BlockRows {
		hi := min(lo+design.BlockRows, s.n)
		rows := s.x[lo*d : hi*d]
		right := rows
		if r != nil {
			right = s.scaled[:len(rows)]
			kernel.RowScale(right, r[lo:hi], rows, d)
		}
		for j := 0; j < d; j += stripe {
			width := min(stripe, d-j)
			kernel.Gemm(d-j, width, hi-lo, 1/float64(s.n), rows[j:], 1, d, right[j:], d, 1, g[j*d+j:], d)
			work += float64(d-j) * float64(width) * float64(hi-lo)
		}
	}
	mirrorLower(g, d)
	return work
}

// mirrorLower copies the lower triangle of A, d×d, to the upper one.
func mirrorLower(a []float64, d int) {
	for i := range d {
		for j := range i {
			a[j*d+i] = a[i*d+j]
		}
	}
}

// whiten sets q, linearRoot, inverseRoots, root and squares from Σ = QΛQᵀ, which it
// overwrites. O(d³).
//
// A direction whose eigenvalue is rounding gets no linear coefficient, because the rows say
// nothing about it. Such directions exist if all levels of a category have a column.
// Interactions along them differ: if the diagonal is removed, L = n·nᵀ with Xn = 0 still
// adds −n_j²x_j² to the predictions. So these directions stay, with a least eigenvalue
// that keeps their coefficients moderate. gFM's have no effect and go.
func (s *space) whiten(sigma []float64) {
	const (
		rounding = 1e-13 // of d, the sum of all eigenvalues
		least    = 1e-5
		nothing  = 1e-10
	)
	d := s.d
	s.squares = make([]float64, d*d)
	for i, v := range sigma {
		s.squares[i] = v * v
	}
	e := eigen.New(d)
	e.Of(sigma, d)
	var kept []int
	for i, v := range e.Values {
		if s.diagonal || v > rounding*float64(d) {
			kept = append(kept, i)
		}
	}
	s.q = len(kept)
	s.linearRoot, s.inverseRoots, s.root = make([]float64, d*s.q), make([]float64, 2*d*s.q), make([]float64, d*s.q)
	inverse, image := s.inverseRoots[:d*s.q], s.inverseRoots[d*s.q:]
	for f, at := range kept {
		v := e.Values[at]
		root, along := 0.0, math.Sqrt(max(v, least*float64(d)))
		if v > rounding*float64(d) {
			root = math.Sqrt(v)
		}
		for j, u := range e.Vectors[at*d:][:d] {
			if root > 0 {
				s.linearRoot[j*s.q+f] = u / root
			}
			if s.diagonal || v > nothing*float64(d) {
				inverse[j*s.q+f], image[j*s.q+f] = u/along, u*(v/along)
				s.root[j*s.q+f] = image[j*s.q+f]
				if v < least*float64(d) {
					s.root[j*s.q+f] = u * along
				}
			}
		}
	}
}

// setModel sets m to the model of p, over the columns of the design and in the unit of the
// targets. With ℓ_g = Vx_g/sd and t_g = ℓ_gᵀ·mean,
//
//	sym(UVᵀ) = unit·Σ_g s_g·ℓ_g·ℓ_gᵀ    U = P + Q,  V = P − Q    (FM: U = P)
//	w = unit·R⁻¹ω/sd − 2M·mean    b = center + unit·β − meanᵀ(unit·R⁻¹ω/sd) + meanᵀM·mean
//
// P has the columns √(unit·s_g)·ℓ_g of the positive s_g, Q those of the negative. M has its
// diagonal removed, except for gFM. setModel reports whether all coefficients are finite.
// O(d·k + d²).
func (s *space) setModel(m *fm.Model, p *point) (finite bool) {
	clear(m.W)
	clear(m.U)
	clear(m.V)
	m.B = s.center
	if p == nil {
		return true
	}
	k, size := m.Rank, p.m
	w := make([]float64, s.d)
	kernel.Gemm(s.d, 1, s.q, s.unit, s.linearRoot, s.q, 1, p.omega, 1, 1, w, 1)
	m.B += float64(s.unit * p.beta)
	for i, v := range w {
		w[i] = v / s.sd[i]
		m.B -= float64(s.mean[i] * w[i])
	}
	positive, negative := 0, 0
	for g, v := range p.s[:size] {
		column, sign := positive, 1.0
		switch {
		case v > 0:
			positive++
		case v < 0:
			column, sign = negative, -1
			negative++
		default:
			continue
		}
		scale, along := math.Sqrt(s.unit*math.Abs(v)), 0.0
		for i, j := range s.columns {
			l := scale * p.vx[i*size+g] / s.sd[i]
			along += float64(l * s.mean[i])
			m.U[j*k+column] += l
			if m.Kind != fm.FM {
				m.V[j*k+column] += float64(sign * l)
			}
		}
		m.B += float64(sign * along * along)
		for i := range w {
			l := scale * p.vx[i*size+g] / s.sd[i]
			missing := 0.0
			if s.diagonal {
				missing = l * s.mean[i]
				m.B -= float64(sign * missing * missing)
			}
			w[i] -= float64(2 * sign * l * (along - missing))
		}
	}
	finite = m.B-m.B == 0
	for i, j := range s.columns {
		m.W[j] = w[i]
		finite = finite && w[i]-w[i] == 0
	}
	for i, u := range m.U {
		finite = finite && u-u == 0 && (m.V == nil || m.V[i]-m.V[i] == 0)
	}
	return finite
}

// disagreement returns the largest difference of m's predictions from the fit, on the first
// rows, in standard deviations of the targets. It is NaN or +Inf if they are not finite.
// O(d·k).
func (s *space) disagreement(m *fm.Model, p *point) float64 {
	m.Predict(s.predictions, s.firstRows, &s.scratch)
	worst := 0.0
	for i, f := range s.predictions {
		worst = max(worst, math.Abs((f-s.center)/s.unit-s.y[i]-p.r[i]))
	}
	return worst
}

// PrecisionError says that the model in the units of the columns predicts something else
// than the fit to the scaled columns, because too many digits cancel.
type PrecisionError struct {
	Iteration int
	Off       float64 // in standard deviations of the targets; it may be NaN
}

func (e *PrecisionError) Error() string {
	return message.Sprintf("solve: at iteration %d the coefficients of the fit, in the units of its columns, predict %.2g standard deviations of the target beside it; centre and scale the columns and the target", e.Iteration, e.Off)
}

func (*PrecisionError) Kind() string { return "PrecisionError" }
