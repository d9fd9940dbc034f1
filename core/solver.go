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
		Scenario: synth.Scenario(s.Scenario), Truth: synth.Factors(s.Truth), KeepDiagonal: s.Diagonal == "kept",
		Features: synth.Distribution(s.Features), Tau: s.Tau, Share: s.Share, Rho: s.Rho,
		D: s.D, K: s.K, N: s.N, Test: s.Test, Noise: s.Noise,
	}
}

// batches gives a solver its rows: the training rows for ever, or, for Algorithm 1
// on drawn rows where the settings ask for it, new ones in every iteration.
func (r *Run) batches() (solve.Batches, error) {
	train := r.rows.Train
	if r.rows.truth == nil || r.spec.Batches != "fresh" || !isAlgorithm1(r.spec) {
		return solve.Whole(train.Z, train.Y), nil
	}
	drawer, err := synth.Fresh(drawing(r.spec), r.rows.truth, r.rows.sd, Stream(r.spec.Seed, r.cell.Trial, StreamBatches))
	return &fresh{first: solve.Batch{Z: train.Z, Y: train.Y}, rows: r.rows, drawer: drawer}, err
}

func isAlgorithm1(s spec.Spec) bool { return s.Solver == "algorithm1" || s.Solver == "printed" }
