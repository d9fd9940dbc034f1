package assess_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/linear"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/table"
	"ifmlab/core/train"
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

// The rows are let go of when a run is done, and read again where they are asked
// for; a page may also open a run for this alone.
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
	var many *linear.TooManyProductsError
	require.ErrorAs(t, err, &many)
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
	var test *assess.TestRowError
	require.ErrorAs(t, err, &test)
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
	var valid *train.NotFiniteError
	require.ErrorAs(t, err, &valid)
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
