package train_test

import (
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/read"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

func TestTheInteractionsOfAGoodFitAreTheTruth(t *testing.T) {
	run, records := runtest.Train(t, "scenario=mixed&models=ifm&iterations=300", 0, nil)
	require.Less(t, records[len(records)-1].Test, 1e-5*records[0].Test)
	truth, ok := run.Truth()
	require.True(t, ok)
	found := runtest.Result(t, run.Interaction)
	assert.InDeltaSlice(t, truth.Values, found.Values, 1e-4, "entries are of size 1/30: the fit's 1e-5, divided by the least curved direction")
	assert.Equal(t, truth.Names, found.Names)
}

func TestATableIsFittedWithTheCandidateThatLeadsOnValidationRows(t *testing.T) {
	const query = "source=table&models=ifm&solver=agd"
	table := runtest.ReadTable(t, query, runtest.Interacting(600, nil))
	run, records := runtest.Train(t, query, 0, table)
	assert.Equal(t, 10, run.Candidates())
	assert.Equal(t, "y", run.Target())
	assert.Equal(t, []string{"x1", "x2", "x3", "x4"}, run.Features()[:4])

	p := runtest.Result(t, run.Predictions)
	assert.Equal(t, records[len(records)-1].Test, p.Error)
	base := runtest.Result(t, run.Baselines)
	assert.Less(t, p.Error, .2, "the noise is .1")
	var square float64
	for i, y := range p.Actual {
		square += (p.Ridge[i] - y) * (p.Ridge[i] - y) / float64(len(p.Actual))
	}
	assert.InEpsilon(t, base.Ridge, math.Sqrt(square), 1e-12, "the same rows, the same fit")
	assert.Greater(t, base.Ridge, 1.0, "no linear model sees products")
	assert.Greater(t, base.Mean, base.Ridge)
	trained := runtest.Result(t, run.Rows().Ridge)
	assert.InDelta(t, trained.Test, records[0].Test, 1e-12, "the fit starts at ridge: V is 0")

	m := runtest.Result(t, run.Interaction)
	d := len(m.Names)
	assert.InDelta(t, .5, m.Values[1], .05, "M₁₂ counts twice in xᵀMx")
	assert.InDelta(t, -.5, m.Values[2*d+3], .05)
}

func TestATargetThatItsFeaturesAddUpToIsRemarkedOn(t *testing.T) {
	const query = "source=table&target=y&iterations=5"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(100, nil)))
	assert.Empty(t, run.Notes().Texts())
	run, _ = runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(100, func(_ int, cells []string) {
		cells[5] = cells[0] // y = x1
	})))
	require.Len(t, run.Notes().Texts(), 1)
	assert.Equal(t, "x1 and y are almost the same (r = 1.0000 in 100 rows); ignore a column that is made from the target or known only after it", run.Notes().Texts()[0])

	const sum = "source=table&target=y&iterations=5&ignore=x3,x4,colour"
	run, _ = runtest.Train(t, sum, 0, runtest.ReadTable(t, sum, runtest.Interacting(100, func(_ int, cells []string) {
		a, _ := strconv.ParseFloat(cells[0], 64)
		b, _ := strconv.ParseFloat(cells[1], 64)
		cells[5] = strconv.FormatFloat(a+b, 'g', -1, 64)
	})))
	require.Len(t, run.Notes().Texts(), 1)
	assert.Regexp(t, "a linear model predicts y almost exactly; if columns such as (x1 and x2|x2 and x1) are parts of it, ignore them", run.Notes().Texts()[0])
}

func TestACandidateStopsWhenValidationRowsSeeNoProgress(t *testing.T) {
	const query = "source=table&models=ifm&patience=3&iterations=1000&ranks=4&lambdas=0"
	_, records := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(60, nil)))
	last := records[len(records)-1]
	assert.Contains(t, last.Stop, "validation")
	assert.Less(t, last.Iteration, 1000)
}

func TestWhatARunCannotDoIsATypedError(t *testing.T) {
	s := spec.Default()
	_, err := core.Open(s, 2, nil)
	var cell *trial.CellError
	require.ErrorAs(t, err, &cell)
	assert.Equal(t, "trial: cell 2 of 2; ask for 0 to 1", err.Error())

	s.Source = "table"
	_, err = core.Open(s, 0, nil)
	require.ErrorAs(t, err, new(trial.NoTableError))

	run := runtest.Must(core.Open(spec.Default(), 0, nil))
	_, err = run.Interaction()
	require.ErrorIs(t, err, train.ErrNoModel)
	_, err = run.Predictions()
	require.ErrorIs(t, err, train.ErrNoModel)
	_, err = run.Model()
	require.ErrorIs(t, err, train.ErrNoModel)
}

func TestModelsOfATrialShareItsRowsAndLearnWhatTheyLearnAlone(t *testing.T) {
	text := runtest.Interacting(300, nil)
	tab := runtest.Must(read.Read(strings.NewReader(text), read.Options{Name: "made.csv"}))
	for query, table := range map[string]*table.Table{"n=300&trials=2&iterations=30": nil, "source=table&target=y&trials=2&iterations=30": tab} {
		first := runtest.Open(t, query, 0, table)
		second := runtest.Must(core.Open(runtest.Parse(t, query), 1, table, first))
		other := runtest.Must(core.Open(runtest.Parse(t, query), 2, table, first, second))
		assert.True(t, first.Rows() == second.Rows(), query)
		assert.False(t, first.Rows() == other.Rows(), "another trial has other rows")

		runtest.Result(t, first.Baselines)
		first.Close() // the second goes on without it
		_, err := first.Next()
		require.ErrorIs(t, err, io.EOF)
		var records []train.Record
		records = append(records, runtest.Finish(t, second)...)
		_, alone := runtest.Train(t, query, 1, table)
		runtest.RequireSame(t, alone, records)

		late := runtest.Must(core.Open(runtest.Parse(t, query), 0, table, first, second))
		assert.False(t, first.Rows() == late.Rows(), "rows that were given up are drawn again")
		runtest.Result(t, late.Next)
	}
}

func TestRunsOfOtherSettingsOrTablesShareNothing(t *testing.T) {
	read := func() *table.Table {
		return runtest.Must(read.Read(strings.NewReader(runtest.Interacting(100, nil)), read.Options{Name: "made.csv"}))
	}
	one, two := read(), read()
	first := runtest.Open(t, "source=table&target=y", 0, one)
	second := runtest.Must(core.Open(runtest.Parse(t, "source=table&target=y"), 1, two, first))
	assert.False(t, first.Rows() == second.Rows(), "another file of the same name")
	seeded, _ := spec.Parse("source=table&target=y&seed=7")
	third := runtest.Must(core.Open(seeded, 1, one, first))
	assert.False(t, first.Rows() == third.Rows(), "another split")
}

func TestEqualNumbersGiveFMTwiceTheRank(t *testing.T) {
	const query = "d=8&k=2&n=100&test=50&iterations=5"
	last := func(query string, cell int) float64 {
		_, records := runtest.Train(t, query, cell, nil)
		return records[len(records)-1].Test
	}
	assert.Equal(t, last(query+"&rank=4", 0), last(query+"&numbers=equal", 0))
	assert.Equal(t, last(query, 1), last(query+"&numbers=equal", 1), "iFM stays as it is")
}

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
