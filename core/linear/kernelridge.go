package linear

import (
	"math"

	"ifmlab/core/kernel"
)

// Distances sets dst, n×m, to the squared distances of n rows a from m rows b, of d numbers
// each:
//
//	‖a − b‖² = ‖a‖² + ‖b‖² − 2·aᵀb, and at least 0,
//
// to about 1e-16 of ‖a‖² + ‖b‖². A nil b stands for a: then dst is n×n, only its lower
// triangle is set, and equal rows have distance 0. O(n·m·d), half of that for a nil b.
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

// Gaussian sets dst to exp(−γ·squares), element by element. Both have the same length, and
// may be the same slice.
func Gaussian(dst, squares []float64, gamma float64) {
	for i, v := range squares {
		dst[i] = math.Exp(-gamma * v)
	}
}

// SolveKernel sets c to the solution of (K + αI)·c = y. k, n×n, has the lower triangle of
// K, with 1 on the diagonal; it is overwritten. It returns a [*SingularKernelError].
// O(n³/6).
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
