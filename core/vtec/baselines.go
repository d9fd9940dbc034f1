package vtec

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// settled is how exactly the minimum of an elastic net is met, see
// [linear.Descent.Minimize]; more costs nothing, for the last step solves a linear
// system.
const settled = 1e-12

// normal is the least-squares problem on the double differences of a window, which
// ridge, LASSO and the elastic net share.
type normal struct {
	gram    []float64 // D×D: ZᵀZ, both triangles
	right   []float64 // Zᵀy
	weights []float64 // scratch
	descent *linear.Descent
}

// normal returns it, made when it is first asked for: O(n·D²).
func (w *Window) normal() *normal {
	if w.least == nil {
		n, d := len(w.Train), w.D
		l := &normal{gram: make([]float64, d*d), right: make([]float64, d), weights: make([]float64, d), descent: linear.NewDescent(d)}
		kernel.Gemm(d, d, n, 1, w.Z, 1, d, w.Z, d, 1, l.gram, d)
		kernel.Gemm(d, 1, n, 1, w.Z, 1, d, w.Y, 1, 1, l.right, 1)
		w.least = l
	}
	return w.least
}

// net predicts the test differences with the w of
//
//	min ‖Zw − y‖² + λ‖w‖²                               ridge
//	min ‖Zw − y‖²/(2n) + αρ‖w‖₁ + ½α(1−ρ)‖w‖²          elastic net, and LASSO with ρ = 1
//
// found from where the weights of normal are. If λ is 0 and columns are collinear, w is
// one of many. It returns a [*linear.PenaltyError], a [*linear.RatioError] or a
// [*linear.UnsettledError]. It costs O(D³), or some 10·D³ for α.
func (w *Window) net(dst []float64, m Method, of Parameters) error {
	if err := penalty(of.Penalty); err != nil {
		return err
	}
	l, first, second := w.normal(), 0.0, of.Penalty
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
	if err := l.descent.Minimize(l.weights, l.gram, l.right, first, second, settled); err != nil {
		return err
	}
	clear(dst)
	kernel.Gemm(len(dst), 1, w.D, 1, w.ZTest, w.D, 1, l.weights, 1, 1, dst, 1)
	return nil
}

// kernelRidge predicts them with f(z) = Σᵢ cᵢ·exp(−γ‖z − zᵢ‖²), (K + αI)c = y, on
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
	bumps(k, k, len(w.Train), gamma)
	linear.Gaussian(kTest, kTest, gamma)
	return w.kernelFit(dst, make([]float64, len(w.Train)), k, kTest, alpha)
}

// distances returns the squared distances of the rows of Z from each other, the
// lower triangle of n×n, and those of the rows of ZTest from them.
func (w *Window) distances() (squares, squaresTest []float64) {
	n := len(w.Train)
	squares, squaresTest = make([]float64, n*n), make([]float64, len(w.Test)*n)
	linear.Distances(squares, w.Z, nil, w.D)
	linear.Distances(squaresTest, w.ZTest, w.Z, w.D)
	return squares, squaresTest
}

// bumps sets the lower triangle of K, n×n; k and squares may be the same slice.
func bumps(k, squares []float64, n int, gamma float64) {
	for i := range n {
		from, to := i*n, i*n+i+1
		linear.Gaussian(k[from:to], squares[from:to], gamma)
	}
}

// kernelFit sets c to the weights, for which it spoils k, and dst to predictions.
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
