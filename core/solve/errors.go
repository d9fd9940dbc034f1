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

func (*DivergedError) Kind() string { return "DivergedError" }

// Sentence is Error for a reader who watched the fit, without the package: what
// was found, since when, and what to do.
func (e *DivergedError) Sentence() string {
	instead := e.Instead
	if instead == "" {
		instead = "scale the columns, or raise the penalty"
	}
	return message.Sprintf("the training loss is %.3g at iteration %d, after %.3g at the start, and has risen since iteration %d; %s", e.Loss, e.Iteration, e.Start, e.Began, instead)
}

// UnsupportedError says that a solver cannot take a problem of this kind.
type UnsupportedError struct{ Solver, What, Instead string }

func (e *UnsupportedError) Error() string {
	return message.Sprintf("solve: %s does not take %s; %s", e.Solver, e.What, e.Instead)
}

func (*UnsupportedError) Kind() string { return "UnsupportedError" }
