package linear

import "ifmlab/core/message"

// ShapeError says that there are no rows, or not one target for each.
type ShapeError struct{ Rows, Targets int }

func (e *ShapeError) Error() string {
	if e.Rows == 0 {
		return "linear: no rows, want at least 1; give ridge training rows"
	}
	return message.Sprintf("linear: %d targets, want %d as in the design", e.Targets, e.Rows)
}

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

// PenaltyError says that a penalty is negative or not finite.
type PenaltyError struct{ Found float64 }

func (e *PenaltyError) Error() string {
	return message.Sprintf("linear: the penalty is %g, want a finite number of at least 0", e.Found)
}

// TooManyProductsError says that the squares and products of features are too
// many for [NewQuadratic].
type TooManyProductsError struct{ Features, Columns, Rows int }

func (e *TooManyProductsError) Error() string {
	enough := min(e.Features, mostFeatures)
	for !affordable(enough, enough*(enough+3)/2, e.Rows) {
		enough--
	}
	return message.Sprintf("linear: %d features make %d columns with their squares and products, too many for a quadratic fit to %d rows; ignore columns until %d features are left", e.Features, e.Columns, e.Rows, enough)
}
