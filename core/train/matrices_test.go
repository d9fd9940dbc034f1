package train_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/runtest"
	"ifmlab/core/train"
)

const pictured = "d=8&k=3&n=1440&test=10&iterations=5&tolerance=0&batches=fresh&truth=orthonormal&scenario=psd&diagonal=kept&models=gfm&seed=1&solver="

// What the lesson shows: in iteration 1 nothing is learnt yet, so the estimate should
// be −M*. As printed, half of the mean residual is left in its diagonal.
func TestAsPrintedHalfOfTheMeanResidualStaysInTheDiagonal(t *testing.T) {
	left := map[string]float64{}
	for _, solver := range []string{"algorithm1", "printed"} {
		run := runtest.Open(t, pictured+solver, 0, nil)
		runtest.Result(t, run.IterationMatrices)
		for range 2 {
			runtest.Result(t, run.Next)
		}
		held := runtest.Result(t, run.IterationMatrices)
		for j := range 8 {
			left[solver] += (held.M[j*9] + held.Truth[j*9]) / 8
		}
		if solver == "printed" { // both see the same rows
			assert.InDelta(t, held.Mean/2, left[solver]-left["algorithm1"], 1e-12)
			assert.Greater(t, math.Abs(left["printed"]), 5*math.Abs(left["algorithm1"]))
		}
	}
}

func TestOnlyAlgorithm1OnFewDrawnColumnsIsHeld(t *testing.T) {
	for _, query := range []string{"d=8&k=2&solver=agd", "d=41&k=2&n=500&solver=algorithm1"} {
		run := runtest.Open(t, query, 0, nil)
		_, err := run.IterationMatrices()
		assert.ErrorAs(t, err, new(*train.NoMatricesError), query)
	}
}
