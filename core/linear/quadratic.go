package linear

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// What [NewQuadratic] takes on: a page waits for it, some ten seconds at most.
const (
	mostFeatures = 1000 // d: the moments of their products take 24 MB
	mostUnknowns = 1500 // m: two matrices of 18 MB
	mostProducts = 2e10 // multiply-adds before the factors
)

// affordable reports whether a fit of d features to n rows, with p columns in
// all, keeps within that.
func affordable(d, p, n int) bool {
	m, most := float64(min(n, p)), float64(max(n, p))
	return d <= mostFeatures && m <= mostUnknowns && 2*float64(n)*float64(d)*float64(d)+m*m*most/2 <= mostProducts
}

// Quadratic fits ridge regression to the columns of Z, their squares and their
// products,
//
//	min over w, b of ½Σcᵢ(φᵢᵀw + b − yᵢ)² + ½λ‖w‖²
//
// for any number of λ, c being the weights of the rows, 1 unless they are given: all that a factorization machine could learn, without its
// rank. Φ has a column for each zⱼ, for each zⱼ² where zⱼ has three values or
// more in the rows that are fitted (of two the square is affine in zⱼ), and for
// each zᵢ·zⱼ with i < j; those that are constant are left out, as the product of
// two levels of a column is. All columns of Φ are centred and divided by their
// standard deviation over the rows that are fitted, so the bias is not penalised.
//
// The normal equations are solved, or their dual, in as many unknowns as there
// are rows, where there are more columns than rows:
//
//	(ΦᵀΦ + λI)·w = Φᵀy        w = Φᵀa,  (ΦΦᵀ + λI)·a = y
//
// with the rows of Φ and y times √c.
//
// A Cholesky factor for each λ costs a third of the cube of their size; one
// decomposition into eigenvectors, that would serve all, as much as 27 of them.
type Quadratic struct {
	z          design.Design
	n, d       int
	y          []float64 // n: centred, times root
	bias       float64   // mean of the targets
	root       []float64 // n: √c; nil where they are 1
	total      float64   // of the weights
	terms      []term
	dual       bool
	gram       []float64 // lower triangle of ΦᵀΦ/n, or of ΦΦᵀ/n; its size is that of right
	right      []float64 // Φᵀy/n, or y
	written    []float64 // n×(d+1), all rows and a 1, of the dual; else nil
	decomposed []float64 // scratch, as long as gram
}

// term is a column of Φ: the product of columns i ≤ j of Z, of which column d is
// all 1, less its mean and divided by its standard deviation.
type term struct {
	i, j     int
	mean, sd float64
}

// Surface is a quadratic model: f(z) = B + zᵀW + zᵀMz.
type Surface struct {
	B float64
	W []float64 // d
	M []float64 // d×d, row-major, symmetric
}

// NewQuadratic prepares fits to the n rows of Z, n×d, and their targets, with weights,
// nil for 1 each. With p columns of Φ, m = min(n, p) and M = max(n, p) it costs
// 2·n·d² + ½m²·M multiply-adds, once for all λ, and 16·m² + 24·d² bytes, and 8·n·d in
// the dual. It returns a [*ShapeError], a [*NotFiniteError], a [*WeightError], or,
// where d is above 1000, m above 1500 or the cost above 2·10¹⁰, a
// [*TooManyProductsError].
func NewQuadratic(z design.Design, y, weight []float64) (*Quadratic, error) {
	n, d := z.Dims()
	centred, mean, err := centre(n, y, weight)
	if err != nil {
		return nil, err
	}
	if !affordable(d, 0, n) {
		return nil, &TooManyProductsError{Features: d, Columns: d * (d + 3) / 2, Rows: n}
	}
	q := &Quadratic{z: z, n: n, d: d, y: centred, bias: mean, root: roots(weight), total: totalWeight(n, weight)}
	if q.root != nil {
		kernel.RowScale(q.y, q.root, q.y, 1)
	}
	if err := q.choose(); err != nil {
		return nil, err
	}
	if p := len(q.terms); !affordable(d, p, n) {
		return nil, &TooManyProductsError{Features: d, Columns: p, Rows: n}
	}
	q.multiply(len(q.terms) > n)
	return q, nil
}

// Columns returns the number of columns of Φ.
func (q *Quadratic) Columns() int { return len(q.terms) }

// choose sets the terms, with their means and standard deviations.
func (q *Quadratic) choose() error {
	e := q.d + 1
	sums, squares := make([]float64, e*e), make([]float64, e*e) // of products and of their squares, lower triangles
	values := make([]distinct, q.d)
	var weighed []float64
	q.each(func(lo, hi int, x []float64) {
		weigh := func() []float64 {
			if q.root == nil {
				return x
			}
			weighed = append(weighed[:0], x...)
			kernel.RowScale(weighed, q.root[lo:hi], weighed, e)
			return weighed
		}
		addGram(sums, e, 1, weigh(), e, 1, len(x)/e)
		for i, v := range x {
			if j := i % e; j < q.d && (q.root == nil || q.root[lo+i/e] > 0) {
				values[j].see(v)
			}
			x[i] = v * v
		}
		addGram(squares, e, 1, weigh(), e, 1, len(x)/e)
	})
	for i := range q.d {
		for j := i; j < e; j++ {
			if j == i && !values[i].many {
				continue
			}
			t := term{i: i, j: j}
			at := j*e + i
			if found := squares[at]; math.IsNaN(found) || math.IsInf(found, 0) {
				return &NotFiniteError{What: "column", Index: i, Found: found}
			}
			if t.mean, t.sd = spread(sums[at], squares[at], q.total); t.sd > 0 {
				q.terms = append(q.terms, t)
			}
		}
	}
	return nil
}

// distinct tells whether more than two numbers have been seen.
type distinct struct {
	a, b float64
	seen int // of a and b
	many bool
}

func (s *distinct) see(v float64) {
	switch {
	case s.many || s.seen > 0 && v == s.a || s.seen > 1 && v == s.b:
	case s.seen == 0:
		s.a, s.seen = v, 1
	case s.seen == 1:
		s.b, s.seen = v, 2
	default:
		s.many = true
	}
}

// each calls f for blocks of rows of [Z 1] written out, which f may spoil.
func (q *Quadratic) each(f func(lo, hi int, x []float64)) {
	var extended []float64
	eachWritten(q.z, func(lo, hi int, rows []float64) {
		extended = extended[:0]
		for i := range hi - lo {
			extended = append(append(extended, rows[i*q.d:][:q.d]...), 1)
		}
		f(lo, hi, extended)
	})
}

// expand sets dst to so many columns of Φ, from first on, for the rows x of
// [Z 1], which begin with row lo.
func (q *Quadratic) expand(dst, x []float64, lo, first, columns int) {
	e := q.d + 1
	terms := q.terms[first : first+columns]
	for i := range len(x) / e {
		row, out := x[i*e:][:e], dst[i*columns:][:columns]
		for c, t := range terms {
			out[c] = (float64(row[t.i]*row[t.j]) - t.mean) / t.sd
		}
	}
	if q.root != nil {
		rows := len(x) / e
		kernel.RowScale(dst[:rows*columns], q.root[lo:lo+rows], dst, columns)
	}
}

// multiply sets gram and right.
func (q *Quadratic) multiply(dual bool) {
	p, e, share := len(q.terms), q.d+1, 1/q.total
	q.dual, q.written = dual, nil
	if !dual {
		q.gram, q.right = make([]float64, p*p), make([]float64, p)
		phi := make([]float64, min(q.n, design.BlockRows)*p)
		q.each(func(lo, hi int, x []float64) {
			rows := phi[:(hi-lo)*p]
			q.expand(rows, x, lo, 0, p)
			addGram(q.gram, p, share, rows, p, 1, hi-lo)
			kernel.Gemm(p, 1, hi-lo, share, rows, 1, p, q.y[lo:hi], 1, 1, q.right, 1)
		})
	} else {
		q.gram, q.right = make([]float64, q.n*q.n), q.y
		q.written = make([]float64, q.n*e)
		q.each(func(lo, _ int, x []float64) { copy(q.written[lo*e:], x) })
		q.stripes(func(first, columns int, phi []float64) { addGram(q.gram, q.n, share, phi, 1, columns, columns) })
	}
	q.decomposed = make([]float64, len(q.gram))
}

// Fit returns the fit for one λ ≥ 0, the total penalty: n times a penalty a row.
// A penalty a row of less than 1e-10, or 1e-12 times the number of columns, counts
// as that: where columns are collinear there would be no factor, and predictions
// differ by about 1e-5 of the targets' size at most. It costs m³/3 + O(m·M), and
// the Surface takes 8·d² bytes. It returns a [*PenaltyError] for any other λ.
func (q *Quadratic) Fit(lambda float64) (Surface, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return Surface{}, &PenaltyError{Found: lambda}
	}
	x := q.solve(max(lambda/q.total, 10*smallestPivot, 1e-12*float64(len(q.terms))))
	if q.dual {
		x = q.primal(x)
	}
	return q.surface(q.bias, x), nil
}

// solve returns (G + penalty·I)⁻¹·right, with a larger penalty where rounding
// leaves no factor.
func (q *Quadratic) solve(penalty float64) []float64 {
	size := len(q.right)
	x := make([]float64, size)
	for ; ; penalty *= 10 {
		copy(q.decomposed, q.gram)
		for i := range size {
			q.decomposed[i*size+i] += penalty
		}
		if l, ok := cholesky(q.decomposed, size); ok {
			solveCholesky(x, l, q.right)
			return x
		}
	}
}

// primal returns Φᵀa/n, n the sum of the weights.
func (q *Quadratic) primal(a []float64) []float64 {
	w := make([]float64, len(q.terms))
	q.stripes(func(first, columns int, phi []float64) {
		kernel.Gemm(columns, 1, q.n, 1/q.total, phi, 1, columns, a, 1, 1, w[first:], 1)
	})
	return w
}

// stripes calls f for some columns of Φ after the other, all rows of them, in the
// dual.
func (q *Quadratic) stripes(f func(first, columns int, phi []float64)) {
	const atOnce = 128
	phi := make([]float64, q.n*atOnce)
	for first := 0; first < len(q.terms); first += atOnce {
		columns := min(atOnce, len(q.terms)-first)
		q.expand(phi, q.written, 0, first, columns)
		f(first, columns, phi)
	}
}

// Predict sets dst to f(z) for the rows of Z, len(dst) of them, with len(s.W)
// columns. O(n·d²).
func (s Surface) Predict(dst []float64, z design.Design) {
	d := len(s.W)
	var products []float64
	eachWritten(z, func(lo, hi int, rows []float64) {
		products = append(products[:0], make([]float64, len(rows))...)
		for i := range hi - lo {
			copy(products[i*d:], s.W)
		}
		kernel.Gemm(hi-lo, d, d, 1, rows, d, 1, s.M, d, 1, products, d)
		kernel.RowDots(dst[lo:hi], products, rows, d)
		for i := range dst[lo:hi] {
			dst[lo+i] += s.B
		}
	})
}
