package linear

import (
	"math"

	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// inLinear checks the rows of this package.
var inLinear = invalid.Rows{Package: "linear"}

// shape returns an error unless there are rows and one target for each.
func shape(n int, y []float64) error {
	switch {
	case n == 0:
		return invalid.Shape("linear", "there are no rows, expected at least 1. Give the fit training rows")
	case len(y) != n:
		return invalid.Shape("linear", "there are %d targets, expected %d as in the design", len(y), n)
	}
	return nil
}

// finiteColumn returns an error unless a sum of squares of column j is finite.
func finiteColumn(j int, squares float64) error {
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return invalid.NotFinite("linear", "column %d has a sum of squares of %g, expected a finite number. Correct the column or leave it out", j, squares)
	}
	return nil
}

// PenaltyError says that a penalty is negative or not finite.
type PenaltyError struct{ Found float64 }

func (e *PenaltyError) Error() string {
	return message.Sprintf("linear: the penalty is %g, expected a finite number of at least 0", e.Found)
}

func (*PenaltyError) Kind() string { return "PenaltyError" }

// TooManyProductsError says that the squares and products of the features are too many
// for [NewQuadratic] or, if Classes is set, for [NewLogisticQuadratic].
type TooManyProductsError struct {
	Features, Columns, Rows int
	Classes                 bool
}

func (e *TooManyProductsError) Error() string {
	enough, fits := min(e.Features, mostFeatures), affordable
	if e.Classes {
		fits = affordableLogistic
	}
	for !fits(enough, enough*(enough+3)/2, e.Rows) {
		enough--
	}
	return message.Sprintf("linear: %d features make %d columns with their squares and products, too many for a quadratic fit to %d rows; ignore columns until %d features are left", e.Features, e.Columns, e.Rows, enough)
}

func (*TooManyProductsError) Kind() string { return "TooManyProductsError" }

// RatioError says that the L1 share of an elastic net's penalty is not from 0 to 1.
type RatioError struct{ Found float64 }

func (e *RatioError) Error() string {
	return message.Sprintf("linear: the share of the first norm in the penalty is %g, expected 0 to 1", e.Found)
}

func (*RatioError) Kind() string { return "RatioError" }

// UnsettledError says that [Descent.Minimize] did not reach the minimum.
type UnsettledError struct {
	Passes            int
	Missed, Tolerance float64 // as in [Descent.Minimize]
}

func (e *UnsettledError) Error() string {
	return message.Sprintf("linear: after %d passes the optimality conditions are still violated by %g, expected at most %g. Raise the penalty", e.Passes, e.Missed, e.Tolerance)
}

func (*UnsettledError) Kind() string { return "UnsettledError" }

// GammaError says that the γ of a Gaussian kernel is not above 0.
type GammaError struct{ Found float64 }

func (e *GammaError) Error() string {
	return message.Sprintf("linear: γ is %g, expected a finite number above 0", e.Found)
}

func (*GammaError) Kind() string { return "GammaError" }

// SingularKernelError says that rows are so close to each other that the kernel matrix
// has no Cholesky factor.
type SingularKernelError struct{ Alpha float64 }

func (e *SingularKernelError) Error() string {
	return message.Sprintf("linear: the matrix of the kernel is singular with a penalty of %g: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ", e.Alpha)
}

func (*SingularKernelError) Kind() string { return "SingularKernelError" }
