// Package solve fits the models of package fm. A [Solver] is started once and
// then stepped; whoever steps it decides when to stop ([Stop]).
//
// # Which solver to choose
//
// Choose als for a table with noise, and auto for drawn rows, unless you want to see
// the curves themselves. auto takes gauss-newton where rows are dense and columns at
// most 500, else scaled.
//
//	als           any rows                   tables: penalties of their own for weights and factors, warm starts
//	gauss-newton  dense rows, d ≤ 500        the truth without noise, with nothing to tune but the rank
//	scaled        any rows                   many columns, sparse rows, one penalty
//	agd           any rows                   the paper's curves
//	algorithm1    drawn, independent columns the theorem itself
//	centred       drawn, independent columns the same with less noise in its first iterations
//	printed       drawn, independent columns Algorithm 1 as the paper prints it: it diverges
//
// als, scaled and agd take weights of rows and classes; the others refuse both.
//
// Passes over the data until the test RMSE is 1e-6 of the target's standard
// deviation, d = 100, k = 5, n = 15000, median / worst of the seeds; "never" is
// not within 120. ρ is the correlation of neighbouring columns.
//
//	              a, b iFM  c iFM    c, ρ = .3  ρ = .6   ρ = .9   a FM
//	gauss-newton  20 / 28   20 / 20  20 / 20    20 / 20  35 / 50  22 / 22
//	scaled        never     24 / 24  53 / 54    never    never    21 / 21
//	agd           never     33 / 35  71 / 80    never    never    34 / 43
//	algorithm1    22        62       refused    refused  refused  refused
//
// FM's passes are over [w|U] and so half as long. To 1e-10 Gauss–Newton takes
// 32 / 34 passes in a and b, 32 / 32 in c and 42 / 57 at ρ = .9. Algorithm 1
// needs twice the rank in c, where UVᵀ is not symmetric.
//
// The page's first figure is drawn with agd, because that is the paper's Figure
// 1: iFM's error falls like 1/t in a and b, where the truth leaves half of its
// factors nothing to do. Gauss–Newton works on M's eigenvectors and has no such
// trouble: the trouble is the solver's, not the model's.
//
// That holds for columns of other kinds too: where a fit ends or creeps, it
// tries one more eigenvalue of each sign, which leads out of bad minima. With ten rows
// a parameter and no noise it missed the truth in 4 of 1560 problems, and in 8 % where
// the rank is near d/2; with 1.5 rows a parameter it found the truth wherever a pair of
// columns meets in more than a few rows. It says where one more eigenvalue would fit
// better. With noise that costs 10 to 30 % more passes in the median, and up to three
// times as many where the rank is below the truth's (core/cmd/bench/README.md).
//
// A fit that has converged is not always the better prediction. On a table use
// validation rows for λ, rank and when to stop, as the page does.
//
// What a sweep of als over a million ratings takes is in core/cmd/bench/README.md.
package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// Solver fits one model to one problem.
type Solver interface {
	// Start sets the model's factors and returns iteration 0. B and W of the
	// model are where a descent starts from; Gauss–Newton and Algorithm 1 set
	// these too. From here on the model belongs to the solver, which moves it in
	// every Step.
	Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error)
	// Step takes the model one iteration further. After an error it returns
	// that error again.
	Step() (Progress, error)
}

// Problem is what is minimised: Loss over the rows of Source, each times its weight,
// plus Penalty.
type Problem struct {
	Source  Batches
	Loss    Loss
	Penalty Penalty
}

// Batch is the rows one iteration works on: Z is n×d, Y has n targets and Weight, nil
// for 1 each, n finite numbers of at least 0: a row of weight 2 counts as two do.
type Batch struct {
	Z      design.Design
	Y      []float64
	Weight []float64
}

// Batches gives each iteration its rows.
type Batches interface {
	// Next returns the rows of the next iteration.
	Next() (Batch, error)
	// Fixed reports whether Next returns the same rows each time. Solvers that
	// keep products with the rows need that.
	Fixed() bool
}

// Whole is the source that gives every iteration all rows.
func Whole(z design.Design, y []float64) Batches { return Weighted(z, y, nil) }

// Weighted is [Whole] of rows with these weights, nil for 1 each.
func Weighted(z design.Design, y, weight []float64) Batches { return fixedBatch{z, y, weight} }

type fixedBatch Batch

func (w fixedBatch) Next() (Batch, error) { return Batch(w), nil }
func (w fixedBatch) Fixed() bool          { return true }

// plainRows is fixedRows for a solver of squares alone: it returns an
// [*UnsupportedError] for another loss and for weights, too.
func squaredRows(solver string, p Problem, m *fm.Model) (Batch, error) {
	batch, err := fixedRows(solver, p, m)
	if err == nil {
		err = squaredOnly(solver, p.Loss, batch)
	}
	return batch, err
}

// plain returns an [*UnsupportedError] unless the loss is squared and no row has a
// weight.
func squaredOnly(solver string, loss Loss, batch Batch) error {
	switch {
	case loss > Logistic:
		return unknownLoss(solver)
	case loss != Squared:
		return &UnsupportedError{Solver: solver, What: "classes", Instead: "use the solver als"}
	case batch.Weight != nil:
		return &UnsupportedError{Solver: solver, What: "weights of rows", Instead: "use the solver als"}
	}
	return nil
}

// fixedRows returns the rows of a problem for a solver that keeps products with
// them: an [*UnsupportedError] for rows that change, a [*invalid.ShapeError] when rows,
// targets, weights and model do not fit together, a [*invalid.WeightError] for weights that
// are none, and a [*invalid.ClassError] for a target that the logistic loss does not take.
func fixedRows(solver string, p Problem, m *fm.Model) (Batch, error) {
	if p.Loss > Logistic {
		return Batch{}, unknownLoss(solver)
	}
	if !p.Source.Fixed() {
		return Batch{}, &UnsupportedError{Solver: solver, What: "rows that change from one iteration to the next", Instead: "give it all rows at once"}
	}
	batch, err := p.Source.Next()
	if err != nil {
		return Batch{}, err
	}
	if err := shapes(batch, m.D, 1); err != nil {
		return Batch{}, err
	}
	rows := invalid.Rows{Package: "solve"}
	if err := rows.Weights(batch.Weight); err != nil {
		return Batch{}, err
	}
	if p.Loss == Logistic {
		if err := rows.Classes(batch.Y); err != nil {
			return Batch{}, err
		}
	}
	return batch, nil
}

// shapes returns an [*invalid.ShapeError] unless a batch has least rows and everything
// goes with a design of so many columns.
func shapes(batch Batch, columns, least int) error {
	n, d := batch.Z.Dims()
	if n < least {
		return invalid.Shape("solve", "%d rows, want at least %d; give the solver training rows", n, least)
	}
	weights := n
	if batch.Weight != nil {
		weights = len(batch.Weight)
	}
	for _, of := range [...]struct {
		name        string
		found, want int
	}{{"targets", len(batch.Y), n}, {"columns of the model", columns, d}, {"weights", weights, n}} {
		if of.found != of.want {
			return invalid.Shape("solve", "%d %s, want %d as in the design", of.found, of.name, of.want)
		}
	}
	return nil
}

func unknownLoss(solver string) error {
	return &UnsupportedError{Solver: solver, What: "this loss", Instead: "use the squared one"}
}

// Loss names how a prediction f of a target y is judged.
type Loss uint8

// The losses, of a row each.
const (
	Squared  Loss = iota // ½(f − y)²
	Logistic             // log(1 + eᶠ) − y·f for y 0 or 1, f being the log-odds of 1
)

// Penalty is what large coefficients cost: ½·L2·(‖w‖² + ‖U‖² + ‖V‖²), the bias
// never. It is a total: a penalty of λ a row is n·λ here. That is what descents
// take it for; [GaussNewton] takes L2 as the price of its whitened interactions,
// L2·‖L̃‖², and w is free.
type Penalty struct{ L2 float64 }

// L2 returns the penalty ½·lambda·(‖w‖² + ‖U‖² + ‖V‖²).
func L2(lambda float64) Penalty { return Penalty{L2: lambda} }

// Progress is where a fit stands. It speaks of training rows only, in the unit
// of the targets that the solver was given.
type Progress struct {
	Iteration int     // 0 is the start
	Loss      float64 // with the penalty
	// RMSE is √(Σc(f − y)²/Σc) without the penalty, c the weights of the rows; of the
	// logistic loss that of the probability, √(Σc(p − y)²/Σc).
	RMSE    float64
	LogLoss float64 // of the logistic loss: its weighted mean, without the penalty; else 0
	// Passes is the work done so far: one is a forward and an adjoint product
	// with all rows and all columns of [w|U|V]. Gram matrices count by their
	// multiply-adds.
	Passes float64
	// Held says that the iteration was spent on steps that were rejected, or above
	// the rank: the model is the same, and the next iteration goes on looking.
	Rejected bool
	// Stop is why the solver can go no further, a sentence's end such as "the
	// gradient is 0"; "" while it can. Another Step changes nothing then.
	Stop string
}

// Stop decides when a fit has gone far enough. Set the rules, then ask Reason
// after every iteration, the start included; a rule that is 0 never applies.
type Stop struct {
	Iterations int     // this many
	Tolerance  float64 // an iteration lowered the training loss by less than this share of it
	Little     float64 // a loss below which falls are measured against this one
	Patience   int     // this many in a row without a lower validation RMSE

	loss          float64 // of the last iteration
	best          float64 // validation RMSE
	bestIteration int
	started       bool // by any iteration
}

// Reason returns why to stop after this iteration, a sentence's end such as
// "150 iterations done", or "" to go on. valid is the RMSE on validation rows,
// NaN where there are none: Patience then never applies.
func (s *Stop) Reason(p Progress, valid float64) string {
	first, last := !s.started, s.loss
	s.started, s.loss = true, p.Loss
	if first || valid < s.best || math.IsNaN(s.best) {
		s.best, s.bestIteration = valid, p.Iteration
	}
	if p.Rejected { // nothing was tried on validation rows
		s.bestIteration++
	}
	switch {
	case p.Stop != "":
		return p.Stop
	case s.Tolerance > 0 && !first && !p.Rejected && last-p.Loss < s.Tolerance*max(last, s.Little):
		return message.Sprintf("the training loss fell by less than %g of itself", s.Tolerance)
	case s.Tolerance > 0 && p.Loss == 0:
		return "the training loss is 0"
	case s.Patience > 0 && !math.IsNaN(valid) && p.Iteration-s.bestIteration >= s.Patience:
		return message.Sprintf("no better on validation rows for %d iterations", s.Patience)
	case s.Iterations > 0 && p.Iteration >= s.Iterations:
		return message.Sprintf("%d iterations done", s.Iterations)
	}
	return ""
}

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
