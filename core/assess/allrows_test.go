package assess_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/task"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

func TestAFitToAllRowsSeesTheTestRows(t *testing.T) {
	for _, more := range []string{"", "&folds=3", "&log=yes", "&solver=agd&lambdas=0.01"} {
		query := "source=table&target=y&models=ifm&ranks=2&lambdaf=10,1&lambdaw=10,1&encode=linear" + more
		tests := map[int]bool{}
		text := func() string {
			return runtest.Interacting(150, func(row int, cells []string) {
				if y, _ := strconv.ParseFloat(cells[5], 64); more == "&log=yes" {
					cells[5] = strconv.FormatFloat(math.Exp(y), 'g', -1, 64)
				}
				if cells[4] = fmt.Sprint("l", row%3); tests[row+2] {
					cells[4] = "tested"
				}
			})
		}
		first := runtest.Open(t, query, 0, runtest.ReadTable(t, query, text()))
		runtest.Result(t, first.Next)
		for _, line := range runtest.Result(t, first.Predictions).Line {
			tests[line] = true
		}
		table := runtest.ReadTable(t, query, text())
		run := runtest.Open(t, query, 0, table)
		search := must(run.AllRows(true))
		for !search.Done() {
			require.NoError(t, search.Next())
		}
		report, chosen := runtest.Calibrate(t, run), runtest.Result(t, run.Model)
		done, of := search.Progress()
		assert.Equal(t, of, done)
		assert.Greater(t, of, 2)

		known := map[fm.Fitted]*saved.Model{}
		for _, file := range [][]byte{chosen, search.File} {
			m := must(saved.Read(file))
			known[m.Model.Fitted] = m
		}
		before, after := known[fm.FittedChosen], known[fm.FittedAll]
		assert.NotContains(t, before.Features(), "colour=tested", more)
		assert.Contains(t, after.Features(), "colour=tested", more)
		one := must(before.Predict(table))
		all := must(after.Predict(table))
		errorOf := func(predicted []float64) (sum float64) {
			for line := range tests {
				sum += math.Abs(predicted[line-2] - one.Actual[line-2])
			}
			return sum
		}
		assert.Less(t, errorOf(all.Predicted), errorOf(one.Predicted), "%s: these rows have trained", more)
		unit := after.Encoding.Target.Scale / before.Encoding.Target.Scale
		assert.InEpsilon(t, report.Interval.Half, unit*after.Model.Interval.Half, .3, "%s: of the same residuals", more)
		assert.Equal(t, string(chosen), string(runtest.Result(t, run.Model)), "what is compared stays")
	}
	drawn, _ := runtest.Train(t, "iterations=2", 0, nil)
	_, err := drawn.AllRows(false)
	assert.ErrorIs(t, err, trial.NoTableError{})
}

func TestEveryBaselineIsFittedToTrainingAndValidationRows(t *testing.T) {
	const query = "source=table&target=y&models=ifm&ranks=1&lambdaf=10&lambdaw=10,1&iterations=3"
	table := runtest.ReadTable(t, query, runtest.Interacting(200, func(_ int, cells []string) {
		x, _ := strconv.ParseFloat(cells[0], 64)
		y, _ := strconv.ParseFloat(cells[5], 64)
		cells[5] = strconv.FormatFloat(y+3*math.Abs(x), 'g', -1, 64)
	}))
	run, _ := runtest.Train(t, query, 0, table)
	p, q, grown := runtest.Result(t, run.Predictions), runtest.Result(t, run.Quadratic), runtest.Grow(t, run)
	on := &task.Task{Spec: run.Spec(), Table: table}
	rows := must(on.Refit(false, false))
	raw := func(fit trial.Predictor, rows *trial.Trial) []float64 {
		f := make([]float64, len(rows.Test.Y))
		fit.Predict(f, rows.Test.Z)
		for i, v := range f {
			f[i] = rows.Encoding.Target.Raw(v)
		}
		return f
	}
	lambda := runtest.Result(t, run.Baselines).Lambda * 160
	assert.InDeltaSlice(t, raw(must(trial.FitLinear(&design.Target{}, rows.Train, lambda)), rows), p.Ridge, 1e-9)

	surface := must(must(linear.NewQuadratic(rows.Train.Z, rows.Train.Y, nil)).Fit(q.Lambda * 160))
	assert.InDeltaSlice(t, raw(surface, rows), q.Predicted, 1e-9)
	assert.InEpsilon(t, rmseOf(q.Predicted, p.Actual), q.Error, 1e-12)

	require.NotNil(t, run.Additive())
	hats := must(on.Refit(true, false))
	curves := must(trial.FitLinear(&design.Target{}, hats.Train, run.Additive().Lambda*160))
	assert.InDeltaSlice(t, raw(curves, hats), p.Additive, 1e-9)

	plan := must(on.Plan())
	split := on.ValidationSplit(plan)
	part := func(rows []int32) trees.Rows { return trees.Rows{Columns: plan.Raw(rows), Y: plan.Targets(rows)} }
	chosen := must(trees.New(part(split.Train), part(split.Valid), trees.Options{}))
	for !chosen.Next() {
	}
	again := must(chosen.Again(part(split.MergeValidation().Train), nil))
	for !again.Next() {
	}
	found := must(again.Predict(plan.Raw(split.Test)))
	assert.Equal(t, found, grown.Predicted)
	assert.InEpsilon(t, rmseOf(found, p.Actual), grown.Error, 1e-12)
	assert.LessOrEqual(t, grown.Grown, trees.MaxTrees)
	count, _ := chosen.Best()
	assert.Equal(t, []int{count, chosen.Grown() + count}, []int{grown.Count, grown.Grown})

	assert.Equal(t, grown, runtest.Grow(t, runtest.Open(t, query+"&folds=2", 0, table)))
}
