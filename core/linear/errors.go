package linear

import "ifmlab/core/message"

// ShapeError says that there are no rows, or not one target for each.
type ShapeError struct{ Rows, Targets int }

func (e *ShapeError) Error() string {
	if e.Rows == 0 {
		return "linear: no rows, want at least 1; give the fit training rows"
	}
	return message.Sprintf("linear: %d targets, want %d as in the design", e.Targets, e.Rows)
}

func (*ShapeError) Kind() string { return "ShapeError" }

// NotFiniteError says that a number is NaN or infinite.
type NotFiniteError struct {
	What  string // "column", "target"
	Index int    // of the first one found: the column, or the row of the target
	Found float64
}

func (e *NotFiniteError) Error() string {
	if e.What == "column" {
		return message.Sprintf("linear: column %d has a sum of squares of %g, want finite numbers; correct or leave out the column", e.Index, e.Found)
	}
	return message.Sprintf("linear: target of row %d is %g, want a finite number; correct or leave out the row", e.Index, e.Found)
}

func (*NotFiniteError) Kind() string { return "NotFiniteError" }

// WeightError says that the weights of rows are not one each, that one is negative
// or not finite, or that all are 0.
type WeightError struct {
	Rows, Weights int
	Row           int // of the first bad one; −1 where it is their sum
	Found         float64
}

func (e *WeightError) Error() string {
	switch {
	case e.Weights != e.Rows:
		return message.Sprintf("linear: %d weights, want %d as in the design", e.Weights, e.Rows)
	case e.Row < 0:
		return message.Sprintf("linear: the weights of all rows sum to %g, want a finite number above 0; give rows weights", e.Found)
	}
	return message.Sprintf("linear: the weight of row %d is %g, want a finite number of at least 0; correct or leave out the row", e.Row, e.Found)
}

func (*WeightError) Kind() string { return "WeightError" }

// ClassError says that a target of [NewLogistic] is neither 0 nor 1.
type ClassError struct {
	Row   int // the first one
	Found float64
}

func (e *ClassError) Error() string {
	return message.Sprintf("linear: target of row %d is %g, want 0 or 1, its class; correct or leave out the row", e.Row, e.Found)
}

func (*ClassError) Kind() string { return "ClassError" }

// OneClassError says that all rows are of one class.
type OneClassError struct{ Class int }

func (e *OneClassError) Error() string {
	return message.Sprintf("linear: all rows are of class %d, want rows of 0 and of 1; give the fit rows of both", e.Class)
}

func (*OneClassError) Kind() string { return "OneClassError" }

// PenaltyError says that a penalty is negative or not finite.
type PenaltyError struct{ Found float64 }

func (e *PenaltyError) Error() string {
	return message.Sprintf("linear: the penalty is %g, want a finite number of at least 0", e.Found)
}

func (*PenaltyError) Kind() string { return "PenaltyError" }

// TooManyProductsError says that the squares and products of features are too
// many for [NewQuadratic] or, of classes, for [NewLogisticQuadratic].
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

// RatioError says that a share of the first norm is not from 0 to 1.
type RatioError struct{ Found float64 }

func (e *RatioError) Error() string {
	return message.Sprintf("linear: the share of the first norm in the penalty is %g, want 0 to 1", e.Found)
}

func (*RatioError) Kind() string { return "RatioError" }

// UnsettledError says that the minimum of an elastic net was not reached.
type UnsettledError struct {
	Passes            int
	Missed, Tolerance float64 // as in [Descent.Minimize]
}

func (e *UnsettledError) Error() string {
	return message.Sprintf("linear: after %d passes the conditions of the minimum are still missed by %g, want %g; raise the penalty", e.Passes, e.Missed, e.Tolerance)
}

func (*UnsettledError) Kind() string { return "UnsettledError" }

// GammaError says that the γ of a kernel is not above 0.
type GammaError struct{ Found float64 }

func (e *GammaError) Error() string {
	return message.Sprintf("linear: γ is %g, want a finite number above 0", e.Found)
}

func (*GammaError) Kind() string { return "GammaError" }

// SingularKernelError says that rows are so near to each other that nothing but a
// higher penalty tells their targets apart.
type SingularKernelError struct{ Alpha float64 }

func (e *SingularKernelError) Error() string {
	return message.Sprintf("linear: the matrix of the kernel is singular with a penalty of %g: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ", e.Alpha)
}

func (*SingularKernelError) Kind() string { return "SingularKernelError" }
