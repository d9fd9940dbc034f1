// Package linear fits the baselines that every curve is drawn against: the
// mean of the targets, ridge regression, of classes logistic ridge regression, and
// ridge with squares and products; and
// those of the paper's experiment on the ionosphere beside ridge: LASSO, the
// elastic net and kernel ridge with a Gaussian (RBF) kernel. Objectives are those
// of scikit-learn.
package linear

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Fit is a linear model: f(z) = B + zᵀW, of classes the log-odds of class 1.
type Fit struct {
	W []float64
	B float64
	// Separable says, of a fit to classes, that it gives every training row's class more
	// than a half: a plane parts the classes, and nothing but the penalty keeps the
	// weights, and with them the probabilities, from going on to the extremes.
	Separable bool
}

// Predict sets dst to Zw + b; Z has len(dst) rows and len(f.W) columns.
// O(n·d) for a dense Z.
func (f Fit) Predict(dst []float64, z design.Design) {
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		out := dst[lo:hi]
		b.Forward(out, f.W, 1)
		for i := range out {
			out[i] += f.B
		}
	})
}

// Mean returns the mean of the targets, NaN of none.
func Mean(y []float64) float64 { return kernel.Sum(y) / float64(len(y)) }
