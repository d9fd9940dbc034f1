package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

func TestTheQuadraticBaselineIsChosenOnValidationRows(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=5&solver=agd"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(150, nil)))
	q := runtest.Result(t, run.Quadratic)
	// x1 to x4, their squares, two levels, and the pairs but that of the levels.
	assert.Equal(t, 4+4+2+15-1, q.Columns)

	rows := run.Rows()
	fits := must(linear.NewQuadratic(rows.Train.Z, rows.Train.Y, nil))
	lowest, lambda := math.Inf(1), math.NaN()
	for _, l := range []float64{0, .01, .03, .1, .3} {
		fit := must(fits.Fit(l * float64(len(rows.Train.Y))))
		f, sum := make([]float64, len(rows.Valid.Y)), 0.0
		fit.Predict(f, rows.Valid.Z)
		for i, y := range rows.Valid.Y {
			sum += (f[i] - y) * (f[i] - y)
		}
		if sum < lowest {
			lowest, lambda = sum, l
		}
	}
	assert.Equal(t, lambda, q.Lambda)

	assert.Less(t, q.Error, .2, "the noise is .1, and the truth quadratic")
}

func TestTheQuadraticBaselineIsTheSameBeforeAndAfterTraining(t *testing.T) {
	tab := runtest.ReadTable(t, "", runtest.Interacting(100, nil))
	for query, table := range map[string]*table.Table{
		"d=6&n=40&models=fm,ifm&iterations=3&noise=0.1":                                            nil,
		"sweep=rank&ratios=3,4&ks=1&d=6&test=20&models=ifm&iterations=3":                           nil,
		"source=table&target=y&models=fm,ifm&iterations=3&ranks=2&lambdas=0.001,1&trials=2&seed=4": tab,
	} {
		before := must(runtest.Open(t, query, 0, table).Quadratic())
		run := runtest.Open(t, query, 0, table)
		_, err := run.Baselines() // before which no rows are let go of
		require.NoError(t, err)
		var records []train.Record
		records = append(records, runtest.Finish(t, run)...)
		assert.True(t, run.Rows().Train.Z == nil, "given up")
		assert.Equal(t, before, runtest.Result(t, run.Quadratic))
		assert.True(t, run.Rows().Train.Z == nil, "and not kept again")
		_, again := runtest.Train(t, query, 0, table)
		runtest.RequireSame(t, records, again)
	}
}

func TestTooManyProductsAreATypedError(t *testing.T) {
	_, err := runtest.Open(t, "d=60&n=2000", 0, nil).Quadratic()
	many := tabletest.As[*linear.TooManyProductsError](t, err)
	assert.Equal(t, linear.TooManyProductsError{Features: 60, Columns: 60 + 60 + 30*59, Rows: 2000}, *many)
	assert.Equal(t, "TooManyProductsError", message.Kind(err))
}

// In units of 1e-10, the spread of the other targets, 1e150 has no finite square.
func TestATargetFarBeyondTheOthersIsNamedWhereItLeavesNoError(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=3"
	small := func(far int) string { // the line whose target is 1e150
		return runtest.Interacting(60, func(row int, cells []string) {
			if cells[5] += "e-10"; row == far-2 {
				cells[5] = "1e150"
			}
		})
	}
	rows := runtest.Open(t, query, 0, runtest.ReadTable(t, query, small(0))).Rows()

	run, records := runtest.Train(t, query, 0, runtest.ReadTable(t, query, small(rows.Test.Line[3])))
	_, err := run.Quadratic()
	test := tabletest.As[*assess.TestRowError](t, err)
	assert.Equal(t, assess.TestRowError{Target: "y", Found: math.Inf(1)}, *test)
	assert.Equal(t, "assess: its test RMSE is +Inf; look for a test row whose y is far from the others", err.Error())
	for _, r := range records {
		assert.False(t, math.IsInf(r.Valid, 0) || math.IsInf(r.Train, 0), "the others can be fitted")
	}

	run = runtest.Open(t, query, 0, runtest.ReadTable(t, query, small(rows.Valid.Line[3])))
	_, err = run.Next()
	for err == nil {
		_, err = run.Next()
	}
	valid := tabletest.As[*train.NotFiniteError](t, err)
	assert.Equal(t, "y", valid.Target)
	assert.Equal(t, math.Inf(1), valid.Found)
	assert.Contains(t, err.Error(), "validation RMSE is +Inf at iteration 0 of rank 0")
	assert.Contains(t, err.Error(), "look for a row whose y is far from the others")
}

// A cell that stands for a missing value, 1e100 here, is a number to the engine,
// which holds it.
func TestACellFarBeyondTheTrainingRowsIsHeldAndTold(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=3"
	of := func(cell string) (*core.Run, *core.Run) {
		plain := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(60, nil)))
		line := plain.Rows().Test.Line[3]
		content := runtest.Interacting(60, func(row int, cells []string) {
			if row == line-2 {
				cells[1] = cell
			}
		})
		return plain, runtest.Open(t, query, 0, runtest.ReadTable(t, query, content))
	}
	plain, run := of("1e100")
	assert.Less(t, runtest.Result(t, run.Quadratic).Error, 100.)
	line := plain.Rows().Test.Line[3]
	require.NotEmpty(t, run.Notes().Texts())
	assert.Contains(t, run.Notes().Texts()[0], fmt.Sprintf(`x2 is 1e+100 on line %d, far beyond the training rows, which span `, line))

	assert.Empty(t, plain.Notes().Texts())
	_, run = of("5")
	assert.Empty(t, run.Notes().Texts(), "beyond, but by less than the training rows span")
	runtest.Result(t, run.Quadratic)
}

func TestTheTestRowsChooseNoBaseline(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=1"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(200, nil)))
	spoilt := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Spoilt(t, 200, run)))
	before, after := runtest.Grow(t, run), runtest.Grow(t, spoilt)
	surface, other := runtest.Result(t, run.Quadratic), runtest.Result(t, spoilt.Quadratic)
	assert.Greater(t, min(after.Error, other.Error), 500.)
	after.Error, other.Error = before.Error, surface.Error
	assert.Equal(t, before, after)
	assert.Equal(t, surface, other)
}

func TestAClosedRunKeepsWhatIsKnownAndStartsNothing(t *testing.T) {
	_, err := runtest.Open(t, "d=6&n=40", 0, nil).Trees()
	require.ErrorAs(t, err, new(assess.NoValidationError))
	assert.Contains(t, err.Error(), "table")

	const query = "source=table&target=y&models=ifm&ranks=1&iterations=1"
	table := runtest.ReadTable(t, query, runtest.Interacting(200, nil))
	pairs := runtest.Pairs(t, runtest.Open(t, query, 0, table))
	run, _ := runtest.Train(t, query, 0, table)
	require.True(t, run.Rows().Train.Z == nil, "the rows are released")
	surface := runtest.Result(t, run.Quadratic)
	assert.EqualExportedValues(t, *pairs, *runtest.Pairs(t, run), "from the same rows, read again")
	run.Close()
	assert.Equal(t, surface, runtest.Result(t, run.Quadratic))
	assert.EqualExportedValues(t, *pairs, *runtest.Pairs(t, run))
	for name, ask := range map[string]func(*core.Run) error{
		"trees":     func(r *core.Run) error { _, err := r.Trees(); return err },
		"quadratic": func(r *core.Run) error { _, err := r.Quadratic(); return err },
		"pairs":     func(r *core.Run) error { _, err := r.Pairs(); return err },
		"intervals": func(r *core.Run) error { _, err := r.Intervals(); return err },
	} {
		run, _ := runtest.Train(t, query, 0, table)
		run.Close()
		require.ErrorAs(t, ask(run), new(trial.NoTableError), name)
	}
}

func TestTreesGoOnWhereTheyAreWhoeverAsks(t *testing.T) {
	const query = "source=table&target=y&models=fm,ifm&iterations=2&ranks=1&lambdas=0.1"
	table := runtest.ReadTable(t, query, runtest.Interacting(150, nil))
	want := runtest.Grow(t, runtest.Open(t, query, 0, table))

	s := runtest.Parse(t, query)
	run := runtest.Open(t, query, 0, table)
	other := must(core.Open(s, 1, table, run))
	require.True(t, run.Rows() == other.Rows())
	runtest.Result(t, run.Baselines)
	grown := runtest.Result(t, run.Trees)
	require.NoError(t, grown.Next())
	for _, r := range []*core.Run{run, other} {
		runtest.Finish(t, r)
	}
	run.Close()
	assert.Equal(t, 1, runtest.Result(t, other.Trees).Grown, "what another run of these rows has grown")
	assert.Equal(t, want, runtest.Grow(t, other))
	assert.Equal(t, want, runtest.Grow(t, run), "and what is known stays when the run is closed")
	require.NoError(t, grown.Next(), "nothing is left to do")
	assert.Equal(t, want, *grown)
}

func TestTreesKnowLevelsThatAreWrittenAsNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	text := tabletest.File("code,x,y", 9000, func(i int) string { // so many different numbers are kept as numbers
		code := rng.IntN(5) * 100_000
		if i%2 == 0 {
			code = i
		}
		return fmt.Sprintf("%d.5,%.3f,%d", code, rng.Float64(), map[int]int{0: 3, 100_000: 9, 200_000: 1, 300_000: 7, 400_000: 5}[code])
	})
	const query = "source=table&target=y&categorical=code&iterations=1"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, text))
	assert.Less(t, runtest.Grow(t, run).Error, .01, "half of the rows have a level of their own and 0")
}

// Validation rows calibrate trees as they count.
func TestTreesOfWeightedClassesAreCalibratedByTheWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	text := tabletest.File("x,z,counts,y", 500, func(int) string {
		x, z, counts, y := rng.NormFloat64(), rng.NormFloat64(), 1, "no"
		if rng.Float64() < 1/(1+math.Exp(-x)) {
			y, counts = "yes", 1+rng.IntN(4)
		}
		return fmt.Sprintf("%.4f,%.4f,%d,%s", x, z, counts, y)
	})
	const query = "source=table&target=y&models=ifm&ranks=1&lambdaf=10&iterations=1&weight=counts"
	s, _ := spec.Parse(query)
	grown := runtest.Result(t, must(core.Open(s, 0, must(task.Read(s, "t.csv", strings.NewReader(text))))).Trees)
	seen := assess.Unseen(grown)
	for !grown.Done {
		require.NoError(t, grown.Next())
	}
	f, y, weight := seen()
	assert.Equal(t, measure.Platt(f, y, weight), grown.Metrics.Calibration)
	assert.NotEqual(t, platt(f, y), grown.Metrics.Calibration)
}

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
		require.NoError(t, search.Finish())
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
