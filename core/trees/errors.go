package trees

import "ifmlab/core/message"

// ShapeError says that rows are missing, or that columns and targets, or the
// columns of two parts, do not go together.
type ShapeError struct{ Message string }

func (e *ShapeError) Error() string { return "trees: " + e.Message }

func (*ShapeError) Kind() string { return "ShapeError" }

func shape(format string, args ...any) *ShapeError {
	return &ShapeError{Message: message.Sprintf(format, args...)}
}

// NotFiniteError says that a target is NaN or infinite.
type NotFiniteError struct {
	Part  string // "training" or "validation"
	Row   int    // of the first one found, from 0
	Found float64
}

func (e *NotFiniteError) Error() string {
	return message.Sprintf("trees: target of %s row %d is %g, want a finite number; correct or leave out the row", e.Part, e.Row, e.Found)
}

func (*NotFiniteError) Kind() string { return "NotFiniteError" }

// ClassError says that a target of classes is neither 0 nor 1.
type ClassError struct {
	Part  string // as in NotFiniteError
	Row   int
	Found float64
}

func (e *ClassError) Error() string {
	return message.Sprintf("trees: target of %s row %d is %g, want 0 or 1, its class; correct or leave out the row", e.Part, e.Row, e.Found)
}

func (*ClassError) Kind() string { return "ClassError" }

// OneClassError says that all training rows are of one class.
type OneClassError struct{ Class int }

func (e *OneClassError) Error() string {
	return message.Sprintf("trees: all training rows are of class %d, want rows of 0 and of 1; give rows of both", e.Class)
}

func (*OneClassError) Kind() string { return "OneClassError" }

// WeightError says that the weight of a row is negative or not finite, or that all
// are 0.
type WeightError struct {
	Part  string // as in NotFiniteError
	Row   int    // of the first one found, from 0; −1 where it is their sum
	Found float64
}

func (e *WeightError) Error() string {
	if e.Row < 0 {
		return message.Sprintf("trees: the weights of %s rows sum to %g, want a finite number above 0; give rows weights", e.Part, e.Found)
	}
	return message.Sprintf("trees: the weight of %s row %d is %g, want a finite number of at least 0; correct or leave out the row", e.Part, e.Row, e.Found)
}

func (*WeightError) Kind() string { return "WeightError" }

// SizeError says that the histograms of a tree would not fit in memory.
type SizeError struct {
	Columns int
	Bytes   int64
}

func (e *SizeError) Error() string {
	return message.Sprintf("trees: the histograms of %d columns take %.0f MB, want at most %.0f; ignore columns", e.Columns, 1e-6*float64(e.Bytes), 1e-6*float64(maxBytes))
}

func (*SizeError) Kind() string { return "SizeError" }
