// Package linear fits the baselines that stand beside every curve: ridge regression,
// logistic ridge regression for classes, and both with squares and products of the
// features. It also has what the paper's ionosphere experiment compares with: the elastic
// net by coordinate descent and kernel ridge regression with a Gaussian (RBF) kernel.
// Objectives are those of scikit-learn.
//
// Factors and solvers are written by hand over core/kernel. In the engine, gonum's lapack64
// would add 120 kB (brotli) and mat 200 kB, and their sums differ between machines.
package linear

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Fit is a linear model: f(z) = B + zᵀW. For classes, f is the log-odds of class 1.
type Fit struct {
	W []float64
	B float64
	// Separable is set if a fit to classes gives every training row's class more than ½.
	// A plane then separates the classes, and only the penalty keeps the weights finite.
	Separable bool
	// Classes are the scores of more than two classes; W and B are then empty. Separable says
	// that the own score of every training row is the highest.
	Classes []Fit
}

// Predict sets dst to Zw + b; Z has len(dst) rows and len(f.W) columns. Of classes dst has
// the scores of each row next to each other. O(n·d) for a dense Z.
func (f Fit) Predict(dst []float64, z design.Design) {
	if k := len(f.Classes); k > 0 {
		part := make([]float64, len(dst)/k)
		for c, of := range f.Classes {
			of.Predict(part, z)
			for i, v := range part {
				dst[i*k+c] = v
			}
		}
		return
	}
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		out := dst[lo:hi]
		b.Forward(out, f.W, 1)
		for i := range out {
			out[i] += f.B
		}
	})
}

// Mean returns the mean of y, or NaN if it is empty.
func Mean(y []float64) float64 { return kernel.Sum(y) / float64(len(y)) }
