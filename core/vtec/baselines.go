package vtec

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// descentTolerance is the accuracy of the minimum of an elastic net, see
// [linear.Descent.Minimize]. Accuracy costs nothing, because the last step solves a linear
// system.
const descentTolerance = 1e-12

// normalEquations is the least-squares problem on the double differences of a window. Ridge,
// LASSO and the elastic net share it.
type normalEquations struct {
	gram    []float64 // D×D: ZᵀZ, both triangles
	right   []float64 // Zᵀy
	weights []float64 // scratch
	descent *linear.Descent
}

// normals returns the normal equations, formed at the first call: O(n·D²).
func (w *Window) normals() *normalEquations {
	if w.normalEquations == nil {
		n, d := len(w.Train), w.D
		l := &normalEquations{gram: make([]float64, d*d), right: make([]float64, d), weights: make([]float64, d), descent: linear.NewDescent(d)}
		kernel.Gemm(d, d, n, 1, w.Z, 1, d, w.Z, d, 1, l.gram, d)
		kernel.Gemm(d, 1, n, 1, w.Z, 1, d, w.Y, 1, 1, l.right, 1)
		w.normalEquations = l
	}
	return w.normalEquations
}

// net predicts the test differences with the w of
//
//	min ‖Zw − y‖² + λ‖w‖²                               ridge
//	min ‖Zw − y‖²/(2n) + αρ‖w‖₁ + ½α(1−ρ)‖w‖²          elastic net, and LASSO with ρ = 1
//
// starting from the weights of the normal equations. If λ is 0 and columns are collinear, w is
// one of many. It returns a [*linear.PenaltyError], a [*linear.RatioError] or a
// [*linear.UnsettledError]. It costs O(D³), or some 10·D³ for α.
func (w *Window) net(dst []float64, m Method, of Parameters) error {
	if err := penalty(of.Penalty); err != nil {
		return err
	}
	l, first, second := w.normals(), 0.0, of.Penalty
	if m != Ridge {
		ratio := of.Shape
		if m == LASSO {
			ratio = 1
		}
		if !(ratio >= 0 && ratio <= 1) {
			return &linear.RatioError{Found: ratio}
		}
		total := of.Penalty * float64(len(w.Train))
		first, second = total*ratio, total*(1-ratio)
	}
	if err := l.descent.Minimize(l.weights, l.gram, l.right, first, second, descentTolerance); err != nil {
		return err
	}
	clear(dst)
	kernel.Gemm(len(dst), 1, w.D, 1, w.ZTest, w.D, 1, l.weights, 1, 1, dst, 1)
	return nil
}

// kernelRidge predicts the test differences with f(z) = Σᵢ cᵢ·exp(−γ‖z − zᵢ‖²), (K + αI)c = y, on
// rows zᵢ of Z. It returns a [*linear.PenaltyError], a [*linear.GammaError] or a
// [*linear.SingularKernelError], and costs O(n²·D + n³/6).
func (w *Window) kernelRidge(dst []float64, alpha, gamma float64) error {
	if err := penalty(alpha); err != nil {
		return err
	}
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return &linear.GammaError{Found: gamma}
	}
	k, kTest := w.distances()
	gaussians(k, k, len(w.Train), gamma)
	linear.Gaussian(kTest, kTest, gamma)
	return w.kernelFit(dst, make([]float64, len(w.Train)), k, kTest, alpha)
}

// distances returns the squared distances between the rows of Z, in the lower triangle of
// n×n, and those of the rows of ZTest to them.
func (w *Window) distances() (squares, squaresTest []float64) {
	n := len(w.Train)
	squares, squaresTest = make([]float64, n*n), make([]float64, len(w.Test)*n)
	linear.Distances(squares, w.Z, nil, w.D)
	linear.Distances(squaresTest, w.ZTest, w.Z, w.D)
	return squares, squaresTest
}

// gaussians sets the lower triangle of the kernel matrix K, n×n. k and squares may be the
// same slice.
func gaussians(k, squares []float64, n int, gamma float64) {
	for i := range n {
		from, to := i*n, i*n+i+1
		linear.Gaussian(k[from:to], squares[from:to], gamma)
	}
}

// kernelFit sets c to the weights and dst to the predictions. It overwrites k.
func (w *Window) kernelFit(dst, c, k, kTest []float64, alpha float64) error {
	if err := linear.SolveKernel(c, k, w.Y, alpha); err != nil {
		return err
	}
	clear(dst)
	kernel.Gemm(len(dst), 1, len(c), 1, kTest, len(c), 1, c, 1, 1, dst, 1)
	return nil
}

// penalty returns a [*linear.PenaltyError] unless it is finite and at least 0.
func penalty(p float64) error {
	if !(p >= 0) || math.IsInf(p, 1) {
		return &linear.PenaltyError{Found: p}
	}
	return nil
}
