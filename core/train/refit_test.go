package train_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fm"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

func TestTheLastFitIsThatOfItsPathOnTrainingAndValidationRowsDirectly(t *testing.T) {
	text := runtest.Interacting(300, nil)
	for _, query := range []string{
		"&ranks=2&lambdaf=30,3,1&lambdaw=10,1", "&ranks=1&lambdaf=10,1&encode=hats&log=no",
		"&ranks=2&lambdas=0.01,0.1&solver=agd&iterations=20", "&ranks=2&lambdas=0.01&solver=gauss-newton&iterations=5",
	} {
		query = "source=table&target=y&models=ifm" + query
		table := runtest.ReadTable(t, query, text)
		run, records := runtest.Train(t, query, 0, table)
		last := records[len(records)-1]
		require.True(t, last.Last)

		hats := last.Encoding == train.Hats
		base := runtest.Result(t, run.Rows().Ridge)
		if hats {
			base = runtest.Result(t, runtest.Result(t, func() (*trial.Trial, error) { return run.Rows().WithHats(run.Source()) }).Ridge)
		}
		path := run.Path()
		on := &task.Task{Spec: run.Spec(), Table: table}
		direct, err := train.Search(run.Spec(), 0, trial.Source{Open: func(hats bool) (*trial.Trial, error) {
			rows := runtest.Must(on.Refit(hats, false))
			assert.Len(t, rows.Train.Y, 240)
			rows.Penalties = []float64{base.Total}
			if !train.Searches(run.Spec()) {
				rows.Penalties[0] *= 240. / 180
			}
			return rows, nil
		}})
		require.NoError(t, err)
		require.NoError(t, direct.Follow(func([]train.Candidate) ([]train.Leg, error) { return path, nil }, func(int, int) float64 { return 1 }))
		for !direct.Done() {
			runtest.Result(t, direct.Next)
		}
		assert.InDelta(t, direct.Lead().B, run.Lead().B, 1e-12, query)
		assert.InDeltaSlice(t, direct.Lead().W, run.Lead().W, 1e-12, query)
		assert.InDeltaSlice(t, direct.Lead().V, run.Lead().V, 1e-12, query)
		assert.InDelta(t, direct.TestError(), last.Test, 1e-12)
	}
}

func TestNoTestRowMovesTheLastFitAndTheSavedFilePredictsWhatTheLastRecordSays(t *testing.T) {
	const query = "source=table&target=y&models=ifm&ranks=2&lambdaf=10,1"
	table := runtest.ReadTable(t, query, runtest.Interacting(300, nil))
	run, records := runtest.Train(t, query, 0, table)
	p, file := runtest.Result(t, run.Predictions), runtest.Result(t, run.Model)
	tests := map[int]bool{}
	for _, line := range p.Line {
		tests[line] = true
	}
	other, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, func(row int, cells []string) {
		if tests[row+2] {
			y, _ := strconv.ParseFloat(cells[5], 64)
			cells[5] = strconv.FormatFloat(y+1, 'g', -1, 64)
		}
	})))
	assert.Equal(t, string(file), string(runtest.Result(t, other.Model)))
	assert.InDelta(t, p.Error, other.TestError(), 1)
	assert.Greater(t, other.TestError(), 2*p.Error)

	kept := runtest.Must(saved.Read(file))
	assert.Equal(t, fm.FittedChosen, kept.Model.Fitted)
	all := runtest.Must(kept.Predict(table))
	squares := 0.
	for i, line := range p.Line {
		assert.Equal(t, p.Predicted[i], all.Predicted[line-2])
		squares += math.Pow(all.Predicted[line-2]-p.Actual[i], 2) / float64(len(p.Line))
	}
	assert.InEpsilon(t, math.Sqrt(squares), records[len(records)-1].Test, 1e-9)
}

func TestARunThatIsClosedBeforeItsLastFitSaysThatItKnowsTrainingRowsAlone(t *testing.T) {
	const query = "source=table&target=y&models=ifm&ranks=2&lambdaf=10,1"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(100, nil)))
	for record := runtest.Result(t, run.Next); !record.Last; {
		record = runtest.Result(t, run.Next)
		assert.Empty(t, record.Last && record.Stop != "", "it takes more than a step")
	}
	run.Close()
	kept := runtest.Must(saved.Read(runtest.Result(t, run.Model)))
	assert.Equal(t, fm.FittedTraining, kept.Model.Fitted)
	runtest.Result(t, run.Predictions)
	drawn, _ := runtest.Train(t, "iterations=2", 0, nil)
	kept = runtest.Must(saved.Read(runtest.Result(t, drawn.Model)))
	assert.Empty(t, kept.Model.Fitted)
}

func TestAChoiceThatTheLastFitMakesClearlyWorseStays(t *testing.T) {
	const query = "source=table&target=y&models=fm,ifm&ranks=2&lambdaf=100,10,1&iterations=30&seed=1382"
	table := runtest.ReadTable(t, query, tortured(rand.New(rand.NewPCG(1382, 77))))
	stayed := 0
	for cell := range 2 {
		run, records := runtest.Train(t, query, cell, table)
		last := records[len(records)-1]
		if strings.HasPrefix(last.Stop, "the choice as it was") {
			stayed++
			kept := runtest.Result(t, func() (*saved.Model, error) { return saved.Read(runtest.Result(t, run.Model)) })
			assert.Equal(t, fm.FittedTraining, kept.Model.Fitted)
			assert.Equal(t, run.TestError(), last.Test)
			on := runtest.Result(t, func() (*trial.Trial, error) {
				return (&task.Task{Spec: run.Spec(), Table: table}).Refit(last.Encoding == train.Hats, true)
			})
			_, err := run.FitAll(on, func() bool { return true })
			assert.IsType(t, &train.RefitError{}, err)
		}
		assert.Less(t, last.Test, 5*runtest.Result(t, run.Baselines).Mean)
	}
	assert.Positive(t, stayed)
}
