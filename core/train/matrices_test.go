package train_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/runtest"
	"ifmlab/core/train"
)

const pictured = "d=8&k=3&n=1440&test=10&iterations=5&tolerance=0&batches=fresh&truth=orthonormal&scenario=psd&diagonal=kept&models=gfm&seed=1&solver="

// The error that the records tell, in the units of the rows as drawn, is that of
// the held model from the held truth: both sides of it are scaled alike, up to
// the columns' scales, which lie within some percent of each other.
func TestWhatIsHeldIsTheRunsOwn(t *testing.T) {
	for _, solver := range []string{"algorithm1", "printed"} {
		run := runtest.Open(t, pictured+solver, 0, nil)
		first := runtest.Result(t, run.IterationMatrices)
		assert.Empty(t, first.H)
		assert.Equal(t, []int{8, 3}, []int{first.D, first.K})
		plain := runtest.Open(t, pictured+solver, 0, nil)
		for !run.Done() {
			record := runtest.Result(t, run.Next)
			unheld := runtest.Result(t, plain.Next)
			assert.Equal(t, unheld.M, record.M, "holding changes no bit")
			if record.Iteration == 0 {
				continue
			}
			held := runtest.Result(t, run.IterationMatrices)
			assert.Equal(t, record.Iteration, held.Iteration)
			var off, size float64
			for i := range 8 {
				for j := range 8 {
					learnt := 0.0
					for f := range 3 {
						learnt += (held.Q[i*3+f]*held.V[j*3+f] + held.Q[j*3+f]*held.V[i*3+f]) / 2
					}
					off += math.Pow(learnt-held.Truth[i*8+j], 2)
					size += math.Pow(held.Truth[i*8+j], 2)
				}
			}
			assert.InEpsilon(t, record.M, math.Sqrt(off/size), .1, "%s, iteration %d", solver, record.Iteration)
		}
	}
}

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
