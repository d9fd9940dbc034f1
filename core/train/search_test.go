package train_test

import (
	"errors"
	"fmt"
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
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// candidatesOf cuts the records of a run where one candidate follows another.
func candidatesOf(records []train.Record) (all [][]train.Record) {
	records = runtest.Choice(records)
	for i, r := range records {
		if i == 0 || r.Candidate != records[i-1].Candidate {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

func TestATableIsSearchedFromRidgeOnAndFromStrongPenaltiesToWeakOnes(t *testing.T) {
	const query = "source=table&models=ifm&ranks=1,3&lambdaf=10,3,1"
	run, records := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(600, nil)))
	all := candidatesOf(records)
	require.Len(t, all, 2*(1+2*3))
	assert.Equal(t, len(all), run.Candidates())
	lead, lowest := -1, math.Inf(1)
	for i, candidate := range all {
		first, last := candidate[0], candidate[len(candidate)-1]
		assert.Equal(t, []string{"linear", "hats"}[i/7], first.Encoding)
		assert.Equal(t, []int{0, 1, 1, 1, 3, 3, 3}[i%7], first.Rank)
		assert.Equal(t, []float64{0, 10, 3, 1, 10, 3, 1}[i%7], first.Lambda)
		assert.Equal(t, all[i/7*7][0].Weights, first.Weights, "chosen by ridge and then held")
		assert.NotEmpty(t, last.Stop)
		if first.Lambda == 3 || first.Lambda == 1 {
			before := all[i-1][len(all[i-1])-1]
			assert.InEpsilon(t, before.Train, first.Train, 1e-9, "it goes on where the one before ended")
		}
		for _, r := range candidate {
			if r.Valid < lowest && (r.Rank == 0 || r.Iteration > 0) { // a draw of factors is no fit
				lead, lowest = r.Candidate, r.Valid
			}
			require.Equal(t, lead, r.Lead)
		}
	}
	p := runtest.Result(t, run.Predictions)
	last := records[len(records)-1]
	assert.Equal(t, lead, last.Candidate)
	assert.Equal(t, lowest, last.Valid)
	assert.Equal(t, last.Test, p.Error)
	assert.Less(t, p.Error, .2, "the noise is .1")
}

func TestBasesAreTriedWhereSomeColumnHasMoreThanTwoNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		cell func(row int) string
		want int
	}{
		"two numbers":     {func(row int) string { return strconv.Itoa(5 + row%2*3) }, 2},
		"three":           {func(row int) string { return strconv.Itoa(row % 3) }, 4},
		"three, one rare": {func(row int) string { return strconv.Itoa(min(row%97, 1) + row/598) }, 4},
		"two, and blanks": {func(row int) string { return []string{"", "1", "4"}[row%3] }, 2},
		"a line":          {strconv.Itoa, 4},
	} {
		rng := rand.New(rand.NewPCG(2, 2))
		text := tabletest.File("a,b,y", 600, func(row int) string {
			return c.cell(row) + "," + strconv.Itoa(rng.IntN(2)) + "," + strconv.Itoa(rng.IntN(30))
		})
		const query = "source=table&target=y&numeric=a,b&models=ifm&ranks=1&lambdaf=10&iterations=2"
		table := runtest.ReadTable(t, query, text)
		assert.Equal(t, c.want, runtest.Open(t, query, 0, table).Candidates(), name)
		run, records := runtest.Train(t, query, 0, table)
		assert.Equal(t, c.want, run.Candidates(), name)
		assert.Len(t, candidatesOf(records), c.want, name)
	}
}

func TestRidgeLeadsWhereFactorsOnlyFitNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	text := tabletest.File("x1,x2,x3,y", 60, func(int) string {
		x1, x2, x3 := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		return fmt.Sprintf("%.6g,%.6g,%.6g,%.6g", x1, x2, x3, x1-2*x2+rng.NormFloat64())
	})
	const query = "source=table&target=y&models=ifm&encode=linear&ranks=2&lambdaf=0.01&seed=4"
	table := runtest.ReadTable(t, query, text)
	run, records := runtest.Train(t, query, 0, table)
	require.Equal(t, 0, records[len(records)-1].Lead, "this seed is one of those")
	base := runtest.Result(t, run.Baselines)
	p := runtest.Result(t, run.Predictions)
	assert.InEpsilon(t, base.Ridge, p.Error, 1e-12)
	m := runtest.Result(t, run.Interaction)
	assert.Zero(t, m.Rank)
	assert.Equal(t, make([]float64, 9), m.Values)

	file := runtest.Result(t, run.Model)
	kept := runtest.Must(saved.Read(file))
	predicted := runtest.Must(kept.Predict(table))
	for i, line := range p.Line {
		assert.Equal(t, p.Predicted[i], predicted.Predicted[line-2])
	}
}

func TestASearchGoesOnAsFarAsTheToleranceAsks(t *testing.T) {
	const query = "source=table&models=ifm&ranks=2&lambdaf=1&encode=linear&patience=1000&iterations=1000"
	table := runtest.ReadTable(t, query, runtest.Interacting(300, nil))
	var last []train.Record
	for _, tolerance := range []string{"0.1", "", "0.0001", "0.000001", "0.000000001"} {
		if tolerance != "" {
			tolerance = "&tolerance=" + tolerance
		}
		_, records := runtest.Train(t, query+tolerance, 0, table)
		records = runtest.Choice(records)
		last = append(last, records[len(records)-1])
	}
	runtest.RequireSame(t, last[1:2], last[2:3]) // the default stands for it
	for i := range last[1:] {
		assert.LessOrEqual(t, last[i].Iteration, last[i+1].Iteration)
	}
	assert.Less(t, last[0].Iteration, last[1].Iteration)
	assert.Less(t, last[2].Iteration, last[3].Iteration)
	assert.Less(t, last[3].Iteration, last[4].Iteration)
	assert.Contains(t, last[3].Stop, "less than a share of 1e-06")
}

// absent is a table of n rows whose columns of levels and numbers have no gap, with
// one row behind it that has.
func absent(n int) (whole, gaps string) {
	rng := rand.New(rand.NewPCG(6, 1))
	text := tabletest.File("city,kind,x,y", n, func(int) string {
		city, kind, x := rng.IntN(6), rng.IntN(3), rng.NormFloat64()
		y := float64(city*city) + x*float64(kind) + .1*rng.NormFloat64()
		return "c" + strconv.Itoa(city) + ",k" + strconv.Itoa(kind) + "," + strconv.FormatFloat(x, 'g', 5, 64) + "," + strconv.FormatFloat(y, 'g', 5, 64)
	})
	return text, "city,kind,x,y\n,k1,0,0\nnew,k1,0,0\nc1,,0,0\nc1,k1,,0\n"
}

func TestABlankOrUnseenCellIsPredictedAsAtTheMeanLevel(t *testing.T) {
	whole, gaps := absent(400)
	for _, query := range []string{
		"source=table&target=y&models=ifm", "source=table&target=y&models=fm&encode=linear", "source=table&target=y&models=ifm&encode=hats",
		"source=table&target=y&models=gfm", "source=table&target=y&models=ifm&solver=scaled", "source=table&target=y&models=fm&solver=agd",
	} {
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, whole))
		file := runtest.Result(t, run.Model)
		kept := runtest.Must(saved.Read(file))
		got := runtest.Must(kept.Predict(runtest.ReadTable(t, query, gaps)))
		assert.Len(t, got.Notes.Texts(), 4, "a blank and an unseen cell each are told: %v", got.Notes.Texts())

		// The mean level by hand: each level in the place of the gap, weighted as often
		// as training rows have it, which the test only knows of all rows.
		share := map[string]float64{}
		for _, line := range strings.Split(strings.TrimSpace(whole), "\n")[1:] {
			share[strings.Split(line, ",")[0]] += 1. / 400
		}
		mean := 0.
		for city, p := range share {
			at := runtest.Must(kept.Predict(runtest.ReadTable(t, query, "city,kind,x,y\n"+city+",k1,0,0\n"+city+",k1,0,0\n")))
			mean += p * at.Predicted[0]
		}
		sd := kept.Encoding.Target.Scale
		// The shares of 240 training rows differ from those of all by .03 or so.
		assert.InDelta(t, mean, got.Predicted[0], .15*sd, query)
		assert.Equal(t, got.Predicted[0], got.Predicted[1], "unseen as blank")
		for _, v := range got.Predicted {
			assert.Less(t, math.Abs(v), 40.)
		}
	}
}

func TestASearchGoesOnWhereRidgeIsNearlyExact(t *testing.T) {
	for noise, candidates := range map[float64]int{.002: 1, .03: 2} {
		rng := rand.New(rand.NewPCG(8, 8))
		const query = "source=table&target=y&models=ifm&encode=linear&ranks=1&lambdaf=10&iterations=1"
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(400, func(_ int, cells []string) {
			a, _ := strconv.ParseFloat(cells[0], 64)
			b, _ := strconv.ParseFloat(cells[1], 64)
			cells[5] = strconv.FormatFloat(a+b+noise*math.Sqrt2*rng.NormFloat64(), 'g', -1, 64)
		})))
		assert.Equal(t, candidates, run.Candidates(), "ridge is off by %g of the target's deviation", noise)
	}
}

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
	other, after := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, func(row int, cells []string) {
		if tests[row+2] {
			y, _ := strconv.ParseFloat(cells[5], 64)
			cells[5] = strconv.FormatFloat(y+1, 'g', -1, 64)
		}
	})))
	assert.Equal(t, string(file), string(runtest.Result(t, other.Model)))
	require.Equal(t, len(records), len(after))
	for i, r := range records {
		assert.NotEqual(t, r.Test, after[i].Test)
		r.Test, after[i].Test = 0, 0
		runtest.RequireSame(t, []train.Record{r}, after[i:i+1])
	}
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
	for seed, far := range map[uint64]bool{1382: true, 267: false} { // or hardly a fifth worse
		query := fmt.Sprintf("source=table&target=y&models=fm,ifm&ranks=2&lambdaf=100,10,1&iterations=30&seed=%d", seed)
		table := runtest.ReadTable(t, query, tortured(rand.New(rand.NewPCG(seed, 77))))
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
				assert.Equal(t, far, errors.As(err, new(*train.RefitError)), "%d: %v", seed, err)
			}
			assert.Less(t, last.Test, 5*runtest.Result(t, run.Baselines).Mean)
		}
		assert.Positive(t, stayed)
	}
}
