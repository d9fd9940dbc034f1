package linear

import (
	"math"

	"ifmlab/core/data"
	"ifmlab/core/kernel"
)

// mostKernelRows keeps [NewKernelRidge] within some ten seconds in a browser and
// two matrices of 72 MB.
const mostKernelRows = 3000

// KernelRidge fits f(z) = Σᵢ cᵢ·exp(−γ‖z − zᵢ‖²), a bump on every row, with
//
//	(K + αI)·c = y        Kᵢⱼ = exp(−γ‖zᵢ − zⱼ‖²)
//
// which minimises ‖Kc − y‖² + α·cᵀKc, for any α and γ. There is no bias, so the
// targets are best given without their mean.
type KernelRidge struct {
	d       int
	y       []float64
	mean    []float64 // of the columns: distances are more exact without it
	rows    []float64 // n×d, less the mean
	squares []float64 // n×n, lower triangle: squared distances
	factor  []float64 // scratch, n×n
}

// KernelFit is what [KernelRidge] fitted.
type KernelFit struct {
	C     []float64 // n, a weight a row
	Gamma float64
	ridge *KernelRidge
}

// NewKernelRidge prepares fits to the n rows of Z and their targets: O(n²·d), once
// for all α and γ, and 16·n² bytes. It returns a [*ShapeError], a
// [*NotFiniteError] or, where n is above 3000, a [*TooManyRowsError].
func NewKernelRidge(z data.Design, y []float64) (*KernelRidge, error) {
	n, d := z.Dims()
	if _, _, err := centre(n, y); err != nil {
		return nil, err
	}
	if n > mostKernelRows {
		return nil, &TooManyRowsError{Rows: n}
	}
	r := &Ridge{z: z, n: n, d: d}
	if err := r.moments(); err != nil {
		return nil, err
	}
	k := &KernelRidge{d: d, y: y, mean: r.mean, rows: make([]float64, n*d), squares: make([]float64, n*n), factor: make([]float64, n*n)}
	k.each(z, func(lo, _ int, rows []float64) { copy(k.rows[lo*d:], rows) })
	Distances(k.squares, k.rows, nil, d)
	return k, nil
}

// each calls f for blocks of rows less the mean.
func (k *KernelRidge) each(z data.Design, f func(lo, hi int, rows []float64)) {
	eachWritten(z, func(lo, hi int, rows []float64) {
		for i := range rows {
			rows[i] -= k.mean[i%k.d]
		}
		f(lo, hi, rows)
	})
}

// Fit returns the fit for one α ≥ 0 and one γ > 0. It returns a [*PenaltyError], a
// [*GammaError] or, where α is about 0 and rows are alike, a
// [*SingularKernelError]. It costs n³/6 multiply-adds and n²/2 exponentials.
func (k *KernelRidge) Fit(alpha, gamma float64) (KernelFit, error) {
	if !(alpha >= 0) || math.IsInf(alpha, 1) {
		return KernelFit{}, &PenaltyError{Found: alpha}
	}
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return KernelFit{}, &GammaError{Found: gamma}
	}
	c := make([]float64, len(k.y))
	for i := range c {
		from := i * len(c)
		Gaussian(k.factor[from:from+i+1], k.squares[from:from+i+1], gamma)
	}
	if err := SolveKernel(c, k.factor, k.y, alpha); err != nil {
		return KernelFit{}, err
	}
	return KernelFit{C: c, Gamma: gamma, ridge: k}, nil
}

// Predict sets dst to f of the rows of Z. O(len(dst)·n·d).
func (f KernelFit) Predict(dst []float64, z data.Design) {
	n := len(f.C)
	block := make([]float64, min(len(dst), data.BlockRows)*n)
	f.ridge.each(z, func(lo, hi int, rows []float64) {
		bumps := block[:(hi-lo)*n]
		Distances(bumps, rows, f.ridge.rows, f.ridge.d)
		Gaussian(bumps, bumps, f.Gamma)
		clear(dst[lo:hi])
		kernel.Gemm(hi-lo, 1, n, 1, bumps, n, 1, f.C, 1, 1, dst[lo:hi], 1)
	})
}

// Distances sets dst to the squared distances of n rows a from m rows b, of d
// numbers each:
//
//	‖a − b‖² = ‖a‖² + ‖b‖² − 2·aᵀb, and no less than 0,
//
// to about 1e-16 of ‖a‖² + ‖b‖². dst is n×m. Where b is nil, it is a itself, and
// dst is n×n, of which the lower triangle is set; rows alike are at exactly 0.
// O(n·m·d), half of that where b is nil.
func Distances(dst, a, b []float64, d int) {
	n := len(a) / d
	clear(dst)
	if b == nil {
		addGram(dst, n, 1, a, 1, d, d)
		norms := make([]float64, n)
		for i := range norms {
			norms[i] = dst[i*n+i]
			for j := range i + 1 {
				dst[i*n+j] = max(norms[i]+norms[j]-2*dst[i*n+j], 0)
			}
		}
		return
	}
	m := len(b) / d
	kernel.Gemm(n, m, d, 1, a, d, 1, b, 1, d, dst, m)
	norms := make([]float64, m)
	for j := range norms {
		norms[j] = kernel.Dot(b[j*d:][:d], b[j*d:][:d])
	}
	for i := range n {
		norm := kernel.Dot(a[i*d:][:d], a[i*d:][:d])
		for j, v := range dst[i*m:][:m] {
			dst[i*m+j] = max(norm+norms[j]-2*v, 0)
		}
	}
}

// Gaussian sets dst to exp(−γ·squares), element by element; they may be the same
// slice, and are of one length.
func Gaussian(dst, squares []float64, gamma float64) {
	for i, v := range squares {
		dst[i] = math.Exp(-gamma * v)
	}
}

// SolveKernel sets c to the solution of (K + αI)·c = y, where k, n×n, holds the
// lower triangle of K, which has 1 on its diagonal, and is spoilt. It returns a
// [*SingularKernelError]. O(n³/6).
func SolveKernel(c, k, y []float64, alpha float64) error {
	n := len(c)
	for i := range n {
		k[i*n+i] += alpha
	}
	l, ok := cholesky(k, n)
	if !ok {
		return &SingularKernelError{Alpha: alpha}
	}
	solveCholesky(c, l, y)
	return nil
}
