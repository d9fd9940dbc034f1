package train

import (
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/trial"
)

// mostDense is the number of columns up to which "auto" is Gauss–Newton. It forms d×d
// matrices and their eigenvectors, so an iteration costs O(d³) besides the rows.
const mostDense = 500

// Solver returns the solver of the models of s. "default" is als on a table, and agd on
// drawn rows.
func Solver(s spec.Spec) string {
	switch {
	case s.Solver != "default":
		return s.Solver
	case s.Source == "table":
		return "als"
	}
	return "agd"
}

// Searches reports whether ALS searches a table. Weights and factors then have separate
// penalties, and every fit starts from the previous one.
func Searches(s spec.Spec) bool { return s.Source == "table" && Solver(s) == "als" }

// patience returns the iterations without a better validation error that s allows.
func patience(s spec.Spec) int {
	switch {
	case s.Patience > 0:
		return s.Patience
	case Searches(s):
		return 8
	}
	return 20
}

// tolerance returns the smallest fall of the training loss, as a share, that lets training
// go on. It is that of s, or leastFall if s has the default and ALS searches a table.
func tolerance(s spec.Spec) float64 {
	if Searches(s) && s.Tolerance == spec.Default().Tolerance {
		return leastFall
	}
	return s.Tolerance
}

// newSolver returns the solver that the settings ask for. "auto" is Gauss–Newton for a
// dense design of at most mostDense columns without weights or classes, else scaled
// gradient descent.
func (r *Run) newSolver(rows design.Part) solve.Solver {
	name := Solver(r.spec)
	if name == "auto" {
		name = "scaled"
		if dense, ok := rows.Z.(*design.Dense); ok && !r.rows.Encoding.Target.Logistic && rows.Weight == nil {
			if _, d := dense.Dims(); d <= mostDense {
				name = "gauss-newton"
			}
		}
	}
	switch name {
	case "gauss-newton":
		return solve.NewGaussNewton()
	case "scaled":
		descent := solve.NewScaledGD()
		descent.StartNorm = r.spec.Start
		return descent
	case "als":
		return solve.NewALS()
	case "algorithm1", "centred", "printed":
		a := solve.NewAlgorithm1()
		a.Printed, a.Centred = name == "printed", name == "centred"
		a.Pseudo, a.Unguarded = r.spec.Inverse == "pseudo", r.spec.Inverse == "divide"
		a.Record = r.storeMatrices
		if r.spec.Moments == "true" && r.rows.Truth != nil {
			kappa, phi := trial.Moments(r.spec)
			a.Kappa, a.Phi = slices.Repeat([]float64{kappa}, r.spec.D), slices.Repeat([]float64{phi}, r.spec.D)
		}
		return a
	}
	descent := solve.NewAGD()
	descent.StartNorm = r.spec.Start
	return descent
}

// rank returns the rank of the models of drawn rows. Algorithm 1 fits a symmetric matrix of
// rank k. The symmetric part of a Gaussian UVᵀ of mixed signs has twice the rank of its
// factors.
func rank(s spec.Spec) int {
	switch {
	case s.Rank > 0:
		return s.Rank
	case isAlgorithm1(s) && s.Scenario == "mixed" && s.Truth == "gaussian":
		return min(2*s.K, s.D)
	}
	return s.K
}

// batches returns the rows of a solver's iterations. They are always the training rows,
// unless the settings ask for fresh rows for Algorithm 1 on drawn rows.
func (r *Run) batches() (solve.Batches, error) {
	train := r.rows.Train
	if r.rows.Truth == nil || r.spec.Batches != "fresh" || !isAlgorithm1(r.spec) {
		return solve.Weighted(train.Z, train.Y, train.Weight), nil
	}
	return r.rows.FreshBatches(r.spec, r.cell.Trial)
}

func isAlgorithm1(s spec.Spec) bool {
	return s.Solver == "algorithm1" || s.Solver == "centred" || s.Solver == "printed"
}

// lossOf returns the loss that models of a target minimise.
func lossOf(t *design.Target) solve.Loss {
	switch {
	case t.Scores() > 1:
		return solve.Softmax
	case t.Logistic:
		return solve.Logistic
	}
	return solve.Squared
}

// LossError says that a solver cannot fit the logistic loss.
type LossError struct {
	Solver, Target string
	Classes        int
}

func (e *LossError) Error() string {
	if e.Classes > 2 {
		return message.Sprintf("train: the solver %s fits numbers and two classes, but %s has %d; choose als", e.Solver, e.Target, e.Classes)
	}
	return message.Sprintf("train: the solver %s fits only the squared loss, but %s has two classes; choose als, agd or scaled, or set loss=squared", e.Solver, e.Target)
}

func (*LossError) Kind() string { return "LossError" }

// checkLoss returns a [*LossError] unless the solver of r fits the loss of its target.
func (r *Run) checkLoss() error {
	target := &r.rows.Encoding.Target
	if !target.Logistic {
		return nil
	}
	switch r.newSolver(r.rows.Train).(type) {
	case *solve.ALS:
		return nil
	case *solve.AGD, *solve.ScaledGD:
		if target.Scores() == 1 {
			return nil
		}
	}
	return &LossError{Solver: Solver(r.spec), Target: target.Name, Classes: len(target.Levels)}
}
