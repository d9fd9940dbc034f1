package core

import (
	"slices"
	"strings"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// mostDense is the number of columns up to which "auto" takes Gauss–Newton: it
// writes out d×d matrices and their eigenvectors, so an iteration has a part of
// O(d³).
const mostDense = 500

// solverOf returns what fits the models of s: its solver, but for "default", which
// is als on a table and agd on drawn rows. Penalties a row are agd's on a table, too.
func solverOf(s spec.Spec) string {
	switch {
	case s.Solver != "default":
		return s.Solver
	case s.Source == "table" && slices.Equal(s.Lambdas, spec.Default().Lambdas):
		return "als"
	}
	return "agd"
}

// searches reports whether s searches a table by als: penalties of their own for
// weights and factors, and every fit from the one before.
func searches(s spec.Spec) bool { return s.Source == "table" && solverOf(s) == "als" }

// unused names the settings of s, a table's, that its solver passes over, as a
// notice; "" if there are none.
func unused(s spec.Spec) string {
	plain, solver := spec.Default(), solverOf(s)
	var names []string
	add := func(name string, set bool) {
		if set {
			names = append(names, name)
		}
	}
	if searches(s) {
		add("lambdas", !slices.Equal(s.Lambdas, plain.Lambdas))
	} else {
		add("lambdaw", !slices.Equal(s.LambdaW, plain.LambdaW))
		add("lambdaf", !slices.Equal(s.LambdaF, plain.LambdaF))
		add("encode", s.Encoding == inHats) // others leave numbers as they are anyway
	}
	list := strings.Join(names, ", ")
	switch {
	case names == nil:
		return ""
	case searches(s):
		return message.Sprintf("als does not use %s, which are the penalties of other solvers; choose one of them, or set lambdaf", list)
	case s.Solver == "default":
		return message.Sprintf("lambdas are set, and so %s fits this table, which does not use %s; leave lambdas as they are, or choose the solver als", solver, list)
	}
	return message.Sprintf("the solver %s does not use %s; choose als", solver, list)
}

// patience returns the iterations without a better validation RMSE that s allows.
func patience(s spec.Spec) int {
	switch {
	case s.Patience > 0:
		return s.Patience
	case searches(s):
		return 8
	}
	return 20
}

// tolerance returns the least share of the training loss that an iteration has to win:
// that of s, but for the default where als searches a table.
func tolerance(s spec.Spec) float64 {
	if searches(s) && s.Tolerance == spec.Default().Tolerance {
		return leastFall
	}
	return s.Tolerance
}

// newSolver returns the solver that the settings ask for, of rows of this form;
// Gauss–Newton is not for classes.
func (r *Run) newSolver(z design.Design) solve.Solver {
	name := solverOf(r.spec)
	if name == "auto" {
		name = "scaled"
		if dense, ok := z.(*design.Dense); ok && !r.rows.Encoding.Target.Logistic && r.rows.Train.Weight == nil {
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
		a.Record = r.hold
		if r.spec.Moments == "true" && r.rows.truth != nil {
			kappa, phi := drawing(r.spec).Moments()
			a.Kappa, a.Phi = slices.Repeat([]float64{kappa}, r.spec.D), slices.Repeat([]float64{phi}, r.spec.D)
		}
		return a
	}
	descent := solve.NewAGD()
	descent.StartNorm = r.spec.Start
	return descent
}

// rank returns the rank of the models of drawn rows. Algorithm 1 fits a symmetric
// matrix of rank k; the Gaussian UVᵀ of mixed signs has twice the rank of its
// factors once it is symmetric.
func rank(s spec.Spec) int {
	switch {
	case s.Rank > 0:
		return s.Rank
	case isAlgorithm1(s) && s.Scenario == "mixed" && s.Truth == "gaussian":
		return min(2*s.K, s.D)
	}
	return s.K
}

// drawing returns the settings of drawn rows in synth's own words.
func drawing(s spec.Spec) synth.Config {
	return synth.Config{
		Scenario: synth.Scenario(s.Scenario), Truth: synth.Factors(s.Truth), Pairs: s.Pairs, KeepDiagonal: s.Diagonal == "kept",
		Features: synth.Distribution(s.Features), Tau: s.Tau, Share: s.Share, Rho: s.Rho,
		D: s.D, K: s.K, N: s.N, Test: s.Test, Noise: s.Noise,
	}
}

// batches gives a solver its rows: the training rows for ever, or, for Algorithm 1
// on drawn rows where the settings ask for it, new ones in every iteration.
func (r *Run) batches() (solve.Batches, error) {
	train := r.rows.Train
	if r.rows.truth == nil || r.spec.Batches != "fresh" || !isAlgorithm1(r.spec) {
		return solve.Weighted(train.Z, train.Y, train.Weight), nil
	}
	drawer, err := synth.Fresh(drawing(r.spec), r.rows.truth, r.rows.sd, Stream(r.spec.Seed, r.cell.Trial, StreamBatches))
	return &fresh{first: solve.Batch{Z: train.Z, Y: train.Y}, rows: r.rows, drawer: drawer}, err
}

func isAlgorithm1(s spec.Spec) bool {
	return s.Solver == "algorithm1" || s.Solver == "centred" || s.Solver == "printed"
}
