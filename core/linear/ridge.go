package linear

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
)

// gramBudget is the number of multiply-adds, about two seconds in a browser, above which
// the Gram matrix and its factors cost more than the passes they save.
const gramBudget = 4e9

// Ridge fits
//
//	min over w, b of ½Σcᵢ(zᵢᵀw + b − yᵢ)² + ½λ‖w‖²
//
// for any number of λ, with row weights c, 1 by default. The columns may have any means
// and scales. The bias has no penalty: columns and targets are centred, and
// b = mean(y − Zw). Means and deviations are weighted.
//
// If columns are collinear, as the levels of a column are with the bias, and λ is too
// small to decide their weights, leastPenalty makes the problem regular. It picks about
// the smallest of the fits that are almost equally good, instead of one by rounding.
//
// A fit takes conjugate gradients on the least-squares problem itself (CGLS). Their
// accuracy depends on the condition number and not on its square. The preconditioner is
// the Cholesky factor of Z̃ᵀZ̃ + λS⁻², where Z̃ is Z centred and divided by its standard
// deviations S, and two or three passes over Z are enough. If there are more columns than
// rows, or the Gram matrix would cost more than gramBudget, columns are only scaled, and
// a fit takes at most 2·min(n, d) + 100 passes.
type Ridge struct {
	z    design.Design
	n, d int
	mean []float64 // d: of the columns
	sd   []float64 // d: of the columns; 0 for a constant one, whose w is 0
	y    []float64 // n: centred, times root
	bias float64   // mean of the targets
	gram []float64 // d×d, of Z̃, lower triangle; nil if it costs too much

	weight, root []float64 // n: c and √c; nil for 1 each
	total        float64   // sum of the weights
	weighted     []float64 // n: scratch of adjoint; nil without weights
}

// NewRidge prepares fits to the n rows of Z and their targets. It returns a
// [*invalid.ShapeError] or a [*invalid.NotFiniteError]. O(n·d²), once for all λ.
func NewRidge(z design.Design, y []float64) (*Ridge, error) { return NewWeightedRidge(z, y, nil) }

// NewWeightedRidge is [NewRidge] with row weights; nil is 1 each. A row of weight 2 counts
// as two rows, and one of weight 0 not at all. It may also return a [*invalid.WeightError].
func NewWeightedRidge(z design.Design, y, weight []float64) (*Ridge, error) {
	return newRidge(z, y, weight, gramBudget)
}

// newRidge is NewWeightedRidge with a budget for the Gram matrix, in multiply-adds.
func newRidge(z design.Design, y, weight []float64, budget float64) (*Ridge, error) {
	n, d := z.Dims()
	centred, mean, err := centre(n, y, weight)
	if err != nil {
		return nil, err
	}
	r := &Ridge{z: z, n: n, d: d, bias: mean, y: centred, weight: weight, root: roots(weight), total: totalWeight(n, weight)}
	if weight != nil {
		r.weighted = make([]float64, n)
		kernel.RowScale(r.y, r.root, r.y, 1)
	}
	if err := r.moments(); err != nil {
		return nil, err
	}
	// A factor costs d³/3, and one Gram matrix serves a handful of λ.
	if d <= n && float64(n+2*d)*float64(d)*float64(d) <= budget {
		r.multiply()
	}
	return r, nil
}

// totalWeight returns the sum of the weights of n rows, n for nil.
func totalWeight(n int, weight []float64) float64 {
	if weight == nil {
		return float64(n)
	}
	return kernel.Sum(weight)
}

// roots returns the square roots of weights, nil for nil.
func roots(weight []float64) []float64 {
	if weight == nil {
		return nil
	}
	root := make([]float64, len(weight))
	for i, c := range weight {
		root[i] = math.Sqrt(c)
	}
	return root
}

// checkWeights returns an error unless weight is nil or has valid weights of n rows.
func checkWeights(n int, weight []float64) error {
	if weight != nil && len(weight) != n {
		return invalid.Shape("linear", "there are %d weights, expected %d as in the design", len(weight), n)
	}
	return inLinear.Weights(weight)
}

// centre returns the targets of n rows less their weighted mean. It returns a
// [*invalid.ShapeError], a [*invalid.NotFiniteError] or a [*invalid.WeightError].
func centre(n int, y, weight []float64) (centred []float64, mean float64, err error) {
	if err := cmp.Or(shape(n, y), inLinear.Targets(y), checkWeights(n, weight)); err != nil {
		return nil, 0, err
	}
	if mean = Mean(y); weight != nil {
		mean = kernel.Dot(weight, y) / kernel.Sum(weight)
	}
	centred = make([]float64, n)
	for i, v := range y {
		centred[i] = v - mean
	}
	return centred, mean, nil
}

// moments sets the means and standard deviations of the columns.
func (r *Ridge) moments() error {
	sums, squares := make([]float64, r.d), make([]float64, r.d)
	ones := slices.Repeat([]float64{1}, design.BlockRows)
	r.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		weight := ones[:hi-lo]
		if r.weight != nil {
			weight = r.weight[lo:hi]
		}
		b.Adjoint(sums, weight, 1)
		b.SquaresAdjoint(squares, weight)
	})
	r.mean, r.sd = sums, squares
	for j := range r.d {
		if err := finiteColumn(j, squares[j]); err != nil {
			return err
		}
		r.mean[j], r.sd[j] = spread(sums[j], squares[j], r.total)
	}
	return nil
}

// spread returns the mean and standard deviation of numbers from their sum and the sum
// of their squares. total is their number or the sum of their weights. The deviation is 0
// if the numbers differ only by the rounding of the two sums.
func spread(sum, squares, total float64) (mean, sd float64) {
	mean, square := sum/total, squares/total
	variance := square - float64(mean*mean)
	if variance <= 1e-13*square {
		return mean, 0
	}
	return mean, math.Sqrt(variance)
}

// multiply sets the lower triangle of gram to Z̃ᵀZ̃ over the sum of the weights. These are
// correlations, with 1 on the diagonal.
func (r *Ridge) multiply() {
	d := r.d
	r.gram = make([]float64, d*d)
	eachDense(r.z, func(lo, hi int, rows []float64) {
		for at := 0; at < len(rows); at += d {
			row := rows[at:][:d]
			for j, v := range row {
				row[j] = r.scaled(j, v-r.mean[j])
			}
		}
		if r.root != nil {
			kernel.RowScale(rows, r.root[lo:hi], rows, d)
		}
		addGram(r.gram, d, 1/r.total, rows, d, 1, len(rows)/d)
	})
}

// eachDense calls f with dense copies of blocks of rows of Z, (hi−lo)×d numbers each. f
// may overwrite them. It costs O(n·d) for a dense Z, else O(n·d²) and space for d² more
// numbers.
func eachDense(z design.Design, f func(lo, hi int, rows []float64)) {
	n, d := z.Dims()
	if dense, ok := z.(*design.Dense); ok {
		block := make([]float64, min(n, design.BlockRows)*d)
		for lo := 0; lo < n; lo += design.BlockRows {
			hi := min(lo+design.BlockRows, n)
			f(lo, hi, block[:copy(block, dense.Rows(lo, hi))])
		}
		return
	}
	identity := make([]float64, d*d)
	for j := range d {
		identity[j*d+j] = 1
	}
	block := make([]float64, min(n, design.BlockRows)*d)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		rows := block[:(hi-lo)*d]
		b.Forward(rows, identity, d)
		f(lo, hi, rows)
	})
}

// addGram adds alpha·XᵀX to the lower triangle of gram, size×size. X has so many rows,
// with element (p,j) at x[p·prs+j·pcs]. O(rows·size²/2).
func addGram(gram []float64, size int, alpha float64, x []float64, prs, pcs, rows int) {
	const stripe = 64 // columns at a time, which saves half of the products
	for j := 0; j < size; j += stripe {
		left := x[j*pcs:]
		kernel.Gemm(size-j, min(stripe, size-j), rows, alpha, left, pcs, prs, left, prs, pcs, gram[j*size+j:], size)
	}
}

// scaled returns v divided by the standard deviation of column j, or 0 for a constant
// column.
func (r *Ridge) scaled(j int, v float64) float64 {
	if r.sd[j] == 0 {
		return 0
	}
	return v / r.sd[j]
}

// Fit returns the fit for one λ ≥ 0, the total penalty: n times the penalty a row of
// weight 1. If λ is 0 and columns are collinear, it returns one of the many least-squares
// fits, of moderate size. It returns a [*PenaltyError] for any other λ.
func (r *Ridge) Fit(lambda float64) (Fit, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return Fit{}, &PenaltyError{Found: lambda}
	}
	return r.fit(func(int) float64 { return lambda }), nil
}

// fit returns the fit with penalty λⱼ for column j.
func (r *Ridge) fit(lambda func(j int) float64) Fit {
	// x = S·w is in standard deviations, so that λ becomes one penalty a column. Dividing
	// by n brings the diagonal of the Gram matrix to 1.
	penalty := make([]float64, r.d)
	for j, s := range r.sd {
		penalty[j] = 1
		if s > 0 {
			penalty[j] = lambda(j) / s / s / r.total
		}
	}
	precondition, singular := r.preconditioner(penalty)
	if singular {
		for j := range penalty {
			penalty[j] += leastPenalty
		}
		precondition, _ = r.preconditioner(penalty)
	}
	w := r.cgls(penalty, precondition)
	for j := range w {
		w[j] = r.scaled(j, w[j])
	}
	return Fit{W: w, B: r.bias - kernel.Dot(r.mean, w)}
}

// leastPenalty is a penalty a row for columns of standard deviation 1. It is far above
// rounding, and moves a prediction by 1e-8 of a standard deviation of the target.
const leastPenalty = 1e-8

// preconditioner returns a function that sets x to about (Z̃ᵀZ̃/n + P)⁻¹g. singular
// reports that this matrix is singular, or may be if there is no Gram matrix to check; the
// function is then useless.
func (r *Ridge) preconditioner(penalty []float64) (precondition func(x, g []float64), singular bool) {
	if r.gram == nil {
		return func(x, g []float64) {
			for j, p := range penalty {
				x[j] = g[j] / (1 + p)
			}
		}, slices.Min(penalty) < 1e-13 // divided by it, rounding of 1e-16 of the gradient is still small
	}
	factor := append([]float64(nil), r.gram...)
	for j, p := range penalty {
		factor[j*r.d+j] += p
	}
	l, ok := cholesky(factor, r.d)
	return func(x, g []float64) { solveCholesky(x, l, g) }, !ok
}

// cgls returns the minimum of ½‖Z̃x − y‖²/n + ½xᵀPx. P is diagonal, and n the sum of the
// weights, whose roots are factors of Z̃ and y.
func (r *Ridge) cgls(penalty []float64, precondition func(x, g []float64)) []float64 {
	passes, enough := 2*min(r.n, r.d)+100, 1e-26 // at most; squared size of the gradient to its start
	if r.gram != nil {
		passes, enough = 20, 1e-30
	}
	x, gradient, step, p := make([]float64, r.d), make([]float64, r.d), make([]float64, r.d), make([]float64, r.d)
	residual, forward := append([]float64(nil), r.y...), make([]float64, r.n)
	var first, last float64
	stalled := 0
	for pass := range passes {
		r.adjoint(gradient, residual)
		for j := range gradient {
			gradient[j] -= float64(penalty[j] * x[j])
		}
		precondition(step, gradient)
		size := kernel.Dot(gradient, step)
		if pass == 0 {
			first, last = size, math.Inf(1)
		}
		if size > last/4 {
			stalled++
		} else {
			stalled = 0
		}
		// With a Cholesky factor, a size that no longer falls is rounding.
		if !(size > enough*first) || r.gram != nil && stalled == 2 {
			break
		}
		for j := range p {
			p[j] = step[j] + float64(size/last*p[j])
		}
		last = size
		r.forward(forward, p)
		curvature := kernel.Dot(forward, forward) / r.total
		for j := range p {
			curvature += float64(float64(penalty[j]*p[j]) * p[j])
		}
		kernel.Axpy(size/curvature, p, x)
		kernel.Axpy(-size/curvature, forward, residual)
	}
	return x
}

// forward sets dst = Z̃x, times root.
func (r *Ridge) forward(dst, x []float64) {
	v := make([]float64, r.d)
	for j := range v {
		v[j] = r.scaled(j, x[j])
	}
	Fit{W: v, B: -kernel.Dot(r.mean, v)}.Predict(dst, r.z)
	if r.root != nil {
		kernel.RowScale(dst, r.root, dst, 1)
	}
}

// adjoint sets dst = Z̃ᵀ(root∘u)/n. n is the sum of the weights.
func (r *Ridge) adjoint(dst, u []float64) {
	if r.root != nil {
		kernel.RowScale(r.weighted, r.root, u, 1)
		u = r.weighted
	}
	clear(dst)
	r.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(dst, u[lo:hi], 1) })
	sum := kernel.Sum(u)
	for j := range dst {
		dst[j] = r.scaled(j, dst[j]-float64(r.mean[j]*sum)) / r.total
	}
}
