package solve

import "ifmlab/core/message"

// DivergedError says that a fit was given up because its loss is not finite or
// above ten times its start.
type DivergedError struct {
	Iteration   int
	Began       int // the first iteration of the unbroken rise of the loss that ended here
	Loss, Start float64
	Instead     string // what to do; "" for what helps any solver
}

func (e *DivergedError) Error() string {
	if e.Iteration == 0 {
		return message.Sprintf("solve: training loss is %g before the first iteration; look for values that are too large to square, in the columns, the target or the start", e.Loss)
	}
	return "solve: " + e.Sentence()
}

// Sentence is Error for a reader who watched the fit, without the package: what
// was found, since when, and what to do.
func (e *DivergedError) Sentence() string {
	instead := e.Instead
	if instead == "" {
		instead = "scale the columns, or raise the penalty"
	}
	return message.Sprintf("the training loss is %.3g at iteration %d, after %.3g at the start, and has risen since iteration %d; %s", e.Loss, e.Iteration, e.Start, e.Began, instead)
}

// ShapeError says that a problem and a model do not fit together.
type ShapeError struct {
	What        string // "targets", "weights", "columns of the model", "rows"
	Found, Want int
}

func (e *ShapeError) Error() string {
	if e.What == "rows" {
		return message.Sprintf("solve: %d rows, want at least %d; give the solver training rows", e.Found, e.Want)
	}
	return message.Sprintf("solve: %d %s, want %d as in the design", e.Found, e.What, e.Want)
}

// WeightError says that the weight of a row is negative or not finite, or that all
// are 0.
type WeightError struct {
	Row   int // the first one; −1 where it is their sum
	Found float64
}

func (e *WeightError) Error() string {
	if e.Row < 0 {
		return message.Sprintf("solve: the weights of all rows sum to %g, want a finite number above 0; give rows weights", e.Found)
	}
	return message.Sprintf("solve: the weight of row %d is %g, want a finite number of at least 0; correct or leave out the row", e.Row, e.Found)
}

// ClassError says that a target of the logistic loss is neither 0 nor 1.
type ClassError struct {
	Row   int // the first one
	Found float64
}

func (e *ClassError) Error() string {
	return message.Sprintf("solve: target of row %d is %g, want 0 or 1, its class; correct or leave out the row", e.Row, e.Found)
}

// UnsupportedError says that a solver cannot take a problem of this kind.
type UnsupportedError struct{ Solver, What, Instead string }

func (e *UnsupportedError) Error() string {
	return message.Sprintf("solve: %s does not take %s; %s", e.Solver, e.What, e.Instead)
}
