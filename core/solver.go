package core

import (
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// newSolver returns the solver that the settings ask for.
func (r *Run) newSolver() solve.Solver { return solve.NewAGD() }

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
		Scenario: synth.Scenario(s.Scenario),
		D:        s.D, K: s.K, N: s.N, Test: s.Test, Noise: s.Noise,
	}
}

// batches gives a solver its rows.
func (r *Run) batches() solve.Batches { return solve.Whole(r.rows.Train.Z, r.rows.Train.Y) }

func isAlgorithm1(s spec.Spec) bool { return s.Solver == "algorithm1" || s.Solver == "printed" }
