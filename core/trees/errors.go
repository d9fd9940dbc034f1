package trees

import "ifmlab/core/message"

// ShapeError says that rows are missing, or that columns and targets, or the
// columns of two parts, do not go together.
type ShapeError struct{ Message string }

func (e *ShapeError) Error() string { return "trees: " + e.Message }

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

// SizeError says that the histograms of a tree would not fit in memory.
type SizeError struct {
	Columns int
	Bytes   int64
}

func (e *SizeError) Error() string {
	return message.Sprintf("trees: the histograms of %d columns take %.0f MB, want at most %.0f; ignore columns", e.Columns, 1e-6*float64(e.Bytes), 1e-6*float64(maxBytes))
}
