package protocol

import (
	"ifmlab/core/population"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Drawn are the calls of an engine that draws rows.
type Drawn interface {
	// Truth returns the interaction matrix that a run's rows were drawn with.
	Truth(OnRun) (Matrix, error)
	// Theory returns the results of the paper's analysis for the rows of a run.
	Theory(OnRun) (Theory, error)
	// IterationMatrices returns the matrices of the last iteration of Algorithm 1, for at
	// most 40 columns. The first call must come before the first next. Before the first
	// iteration it returns the truth alone.
	IterationMatrices(OnRun) (IterationMatrices, error)
	// Contest fits FM of rank 2 and iFM of rank 1 to interactions of six features, with no
	// rows between them.
	Contest(Contestants) (Contest, error)
	// Generate returns the rows of synthetic settings as CSV, at most 64 MB.
	Generate(Query) (ModelFile, error)
}

// Theory has the results of the paper's analysis for drawn rows.
type Theory = trial.Theory

// IterationMatrices are the matrices of one iteration of Algorithm 1, in its own units and
// row-major.
type IterationMatrices = train.IterationMatrices

// Contestants are the interactions to fit.
type Contestants struct {
	Pairs  []float64 // those i < j, row by row; none for drawn ones
	Seed   float64   // of the drawn ones
	Number int       // which of them
}

// Contest compares fits of FM and iFM, with equally many numbers, to interactions.
type Contest = population.Contest

// ContestFit is one of the two fits.
type ContestFit = population.Fit
