// Package invalid has the errors of rows that no model can be fitted to. Every package
// of models checks its rows here, and its messages begin with its own name.
package invalid

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// Rows says whose rows are checked.
type Rows struct {
	Package string // that checks them, such as "solve"
	Part    string // "training" or "validation"; "" where there is one part only
}

// name returns the part before a noun such as "row".
func (r Rows) name() string {
	if r.Part == "" {
		return ""
	}
	return r.Part + " "
}

// ShapeError says that rows are missing, or that the columns, targets, weights or
// model do not go together.
type ShapeError struct{ Package, Message string }

func (e *ShapeError) Error() string { return e.Package + ": " + e.Message }

func (*ShapeError) Kind() string { return "ShapeError" }

// Shape returns a [ShapeError] with a formatted message.
func Shape(in, format string, args ...any) *ShapeError {
	return &ShapeError{in, message.Sprintf(format, args...)}
}

// NotFiniteError says that a number is NaN or infinite.
type NotFiniteError struct{ Package, Message string }

func (e *NotFiniteError) Error() string { return e.Package + ": " + e.Message }

func (*NotFiniteError) Kind() string { return "NotFiniteError" }

// NotFinite returns a [NotFiniteError] with a formatted message.
func NotFinite(in, format string, args ...any) *NotFiniteError {
	return &NotFiniteError{in, message.Sprintf(format, args...)}
}

// WeightError says that the weight of a row is negative or not finite, or that the
// weights of all rows sum to 0.
type WeightError struct {
	Rows
	Row   int // the first such row, from 0; −1 for the sum
	Found float64
}

func (e *WeightError) Error() string {
	if e.Row >= 0 {
		return message.Sprintf("%s: the weight of %srow %d is %g, expected a finite number of at least 0. Correct it or leave the row out", e.Package, e.name(), e.Row, e.Found)
	}
	part := e.Part
	if part == "" {
		part = "all"
	}
	return message.Sprintf("%s: the weights of %s rows sum to %g, expected a finite number above 0. Give the rows weights", e.Package, part, e.Found)
}

func (*WeightError) Kind() string { return "WeightError" }

// ClassError says that the target of a row is neither 0 nor 1.
type ClassError struct {
	Rows
	Row   int // the first such row, from 0
	Found float64
}

func (e *ClassError) Error() string {
	return message.Sprintf("%s: target of %srow %d is %g, expected a class, 0 or 1. Correct it or leave the row out", e.Package, e.name(), e.Row, e.Found)
}

func (*ClassError) Kind() string { return "ClassError" }

// OneClassError says that all rows have the same class.
type OneClassError struct {
	Rows
	Class int
}

func (e *OneClassError) Error() string {
	return message.Sprintf("%s: all %srows have class %d, expected rows of both classes, 0 and 1. Add rows of the other class", e.Package, e.name(), e.Class)
}

func (*OneClassError) Kind() string { return "OneClassError" }

// Targets returns a [*NotFiniteError] for the first target that is NaN or infinite.
func (r Rows) Targets(y []float64) error {
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return NotFinite(r.Package, "target of %srow %d is %g, expected a finite number. Correct it or leave the row out", r.name(), i, v)
		}
	}
	return nil
}

// Classes returns a [*ClassError] for the first target that is neither 0 nor 1.
func (r Rows) Classes(y []float64) error {
	for i, v := range y {
		if v != 0 && v != 1 {
			return &ClassError{r, i, v}
		}
	}
	return nil
}

// Weights returns a [*WeightError] unless the weights are nil, or finite numbers of at
// least 0 with a finite sum above 0.
func (r Rows) Weights(weight []float64) error {
	for i, c := range weight {
		if !(c >= 0) || math.IsInf(c, 1) {
			return &WeightError{r, i, c}
		}
	}
	if sum := kernel.Sum(weight); weight != nil && (sum == 0 || math.IsInf(sum, 1)) {
		return &WeightError{r, -1, sum}
	}
	return nil
}
