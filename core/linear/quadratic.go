package linear

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Limits of [NewQuadratic], for which a page waits at most about ten seconds.
const (
	mostFeatures = 1000 // d: the moments of their products take 24 MB
	mostUnknowns = 1500 // m: two matrices of 18 MB
	mostProducts = 2e10 // multiply-adds before the factors
)

// affordable reports whether a fit of d features to n rows, with p columns in all, keeps
// within these limits.
func affordable(d, p, n int) bool {
	m, most := float64(min(n, p)), float64(max(n, p))
	return d <= mostFeatures && m <= mostUnknowns && 2*float64(n)*float64(d)*float64(d)+m*m*most/2 <= mostProducts
}

// Quadratic fits ridge regression to the columns of Z, their squares and their
// products,
//
//	min over w, b of ½Σcᵢ(φᵢᵀw + b − yᵢ)² + ½λ‖w‖²
//
// for any number of λ, with row weights c, 1 by default. This is all that a factorization
// machine could learn, without the limit of its rank. Φ has a column for each zⱼ, for each
// zⱼ² if zⱼ has three or more values (the square of two values is affine in zⱼ), and for
// each zᵢ·zⱼ with i < j. Constant columns are left out, such as the product of two levels
// of a column. All columns of Φ are centred and divided by their standard deviation over
// the fitted rows, and the bias has no penalty.
//
// It solves the normal equations or, with more columns than rows, their dual, which has
// one unknown a row:
//
//	(ΦᵀΦ + λI)·w = Φᵀy        w = Φᵀa,  (ΦΦᵀ + λI)·a = y
//
// with the rows of Φ and y times √c. A Cholesky factor for each λ costs m³/3 for m
// unknowns. One eigendecomposition, which would serve all λ, costs as much as 27 factors.
type Quadratic struct {
	z          design.Design
	n, d       int
	y          []float64 // n: centred, times root
	bias       float64   // mean of the targets
	root       []float64 // n: √c; nil for 1 each
	total      float64   // sum of the weights
	terms      []term
	dual       bool
	gram       []float64 // lower triangle of ΦᵀΦ/n or, in the dual, of ΦΦᵀ/n
	right      []float64 // Φᵀy/n or, in the dual, y
	dense      []float64 // in the dual n×(d+1), all rows of [Z 1]; else nil
	decomposed []float64 // scratch, as long as gram
}

// term is a column of Φ: the product of columns i ≤ j of [Z 1], centred and scaled. Column
// d of [Z 1] is all 1.
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

// NewQuadratic prepares fits to the n rows of Z, n×d, and their targets, with row weights;
// nil is 1 each. With p columns of Φ, m = min(n, p) and M = max(n, p) it costs
// 2·n·d² + ½m²·M multiply-adds, once for all λ. It takes 16·m² + 24·d² bytes, and 8·n·d
// more in the dual. It returns a [*invalid.ShapeError], a [*invalid.NotFiniteError], a
// [*invalid.WeightError], or a [*TooManyProductsError] if d is above 1000, m above 1500
// or the cost above 2·10¹⁰.
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
	sums, squares := make([]float64, e*e), make([]float64, e*e) // lower triangles, over products and their squares
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
				values[j].add(v)
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
			if err := finiteColumn(i, squares[at]); err != nil {
				return err
			}
			if t.mean, t.sd = spread(sums[at], squares[at], q.total); t.sd > 0 {
				q.terms = append(q.terms, t)
			}
		}
	}
	return nil
}

// distinct reports whether it has seen more than two different numbers.
type distinct struct {
	a, b  float64
	count int // how many of a and b are set
	many  bool
}

func (s *distinct) add(v float64) {
	switch {
	case s.many || s.count > 0 && v == s.a || s.count > 1 && v == s.b:
	case s.count == 0:
		s.a, s.count = v, 1
	case s.count == 1:
		s.b, s.count = v, 2
	default:
		s.many = true
	}
}

// each calls f with dense blocks of rows of [Z 1], which f may overwrite.
func (q *Quadratic) each(f func(lo, hi int, x []float64)) {
	var extended []float64
	eachDense(q.z, func(lo, hi int, rows []float64) {
		extended = extended[:0]
		for i := range hi - lo {
			extended = append(append(extended, rows[i*q.d:][:q.d]...), 1)
		}
		f(lo, hi, extended)
	})
}

// expand sets dst to the given number of columns of Φ, from column first on, for the rows
// x of [Z 1]. x begins with row lo.
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
	q.dual, q.dense = dual, nil
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
		q.dense = make([]float64, q.n*e)
		q.each(func(lo, _ int, x []float64) { copy(q.dense[lo*e:], x) })
		q.stripes(func(first, columns int, phi []float64) { addGram(q.gram, q.n, share, phi, 1, columns, columns) })
	}
	q.decomposed = make([]float64, len(q.gram))
}

// Fit returns the fit for one λ ≥ 0, the total penalty: n times the penalty a row. The
// penalty a row is at least 1e-10 and 1e-12 times the number of columns, because with
// collinear columns there would be no factor. Predictions then differ by at most about
// 1e-5 of the size of the targets. It costs m³/3 + O(m·M), and the Surface takes 8·d²
// bytes. It returns a [*PenaltyError] for any other λ.
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

// solve returns (G + penalty·I)⁻¹·right, with a larger penalty if rounding leaves no
// factor.
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

// primal returns Φᵀa/n. n is the sum of the weights.
func (q *Quadratic) primal(a []float64) []float64 {
	w := make([]float64, len(q.terms))
	q.stripes(func(first, columns int, phi []float64) {
		kernel.Gemm(columns, 1, q.n, 1/q.total, phi, 1, columns, a, 1, 1, w[first:], 1)
	})
	return w
}

// stripes calls f in the dual with all rows of some columns of Φ at a time.
func (q *Quadratic) stripes(f func(first, columns int, phi []float64)) {
	const atOnce = 128
	phi := make([]float64, q.n*atOnce)
	for first := 0; first < len(q.terms); first += atOnce {
		columns := min(atOnce, len(q.terms)-first)
		q.expand(phi, q.dense, 0, first, columns)
		f(first, columns, phi)
	}
}

// Predict sets dst to f(z) for the rows of Z, len(dst) of them, with len(s.W)
// columns. O(n·d²).
func (s Surface) Predict(dst []float64, z design.Design) {
	d := len(s.W)
	var products []float64
	eachDense(z, func(lo, hi int, rows []float64) {
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
