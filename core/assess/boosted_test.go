package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/runtest"
	"ifmlab/core/task"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

func TestBoostedTreesPredictTheTestRowsOfTheRun(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=2&seed=3"
	table := runtest.ReadTable(t, query, runtest.Interacting(400, nil))
	run := runtest.Open(t, query, 0, table)
	grown := runtest.Grow(t, run)
	runtest.Result(t, run.Next)
	p := runtest.Result(t, run.Predictions)
	require.Len(t, grown.Predicted, len(p.Actual))
	sum := 0.0
	for i, y := range p.Actual {
		sum += (grown.Predicted[i] - y) * (grown.Predicted[i] - y) / float64(len(p.Actual))
	}
	assert.InEpsilon(t, math.Sqrt(sum), grown.Error, 1e-12, "the same rows in the same units")
	assert.Greater(t, grown.Grown, grown.Count)
	assert.LessOrEqual(t, grown.Grown, trees.MaxTrees)
	base := runtest.Result(t, run.Baselines)
	assert.Less(t, grown.Error, .9*base.Mean)

}

// The trees see columns as they are, so a step is no harder than a slope.
func TestBoostedTreesBeatRidgeWhereTheTruthIsNotLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,z,kind,y\n")
	for range 1500 {
		x, z, kind := rng.Float64(), rng.Float64(), rng.IntN(4)
		y := 10 * math.Abs(x-.5)
		if kind == 2 && z > .5 {
			y += 5
		}
		fmt.Fprintf(&b, "%.4f,%.4f,k%d,%.4f\n", x, z, kind, y+.1*rng.NormFloat64())
	}
	const query = "source=table&target=y&iterations=1"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, b.String()))
	base := runtest.Result(t, run.Baselines)
	grown := runtest.Grow(t, run)
	assert.Less(t, grown.Error, .3, "the noise is .1")
	assert.Greater(t, base.Ridge, 1.0)
}

func TestTheTestRowsDoNotChooseTheTrees(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=1"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(200, nil)))
	before := runtest.Grow(t, run)
	after := runtest.Grow(t, runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Spoilt(t, 200, run))))
	assert.Greater(t, after.Error, 500.0)
	after.Error = before.Error
	assert.Equal(t, before, after)
}

// A page asks for a few trees at a time, before, while and after it trains.
func TestTreesGoOnWhereTheyAreWhoeverAsks(t *testing.T) {
	const query = "source=table&target=y&models=fm,ifm&iterations=2&ranks=1&lambdas=0.1"
	table := runtest.ReadTable(t, query, runtest.Interacting(150, nil))
	want := runtest.Grow(t, runtest.Open(t, query, 0, table))

	s := runtest.Parse(t, query)
	run := runtest.Open(t, query, 0, table)
	other, err := core.Open(s, 1, table, run)
	require.NoError(t, err)
	require.True(t, run.Rows() == other.Rows())
	runtest.Result(t, run.Baselines)
	grown := runtest.Result(t, run.Trees)
	require.NoError(t, grown.Next())
	for _, r := range []*core.Run{run, other} {
		runtest.Finish(t, r)
	}
	run.Close()
	again := runtest.Result(t, other.Trees)
	assert.Equal(t, 1, again.Grown, "what another run of these rows has grown")
	assert.Equal(t, want, runtest.Grow(t, other))
	assert.Equal(t, want, runtest.Grow(t, run), "and what is known stays when the run is closed")
	require.NoError(t, grown.Next(), "nothing is left to do")
	assert.Equal(t, want, *grown)
}

func TestTreesNeedATableThatIsOpen(t *testing.T) {
	_, err := runtest.Open(t, "d=6&n=40", 0, nil).Trees()
	require.ErrorAs(t, err, new(assess.NoValidationError))
	assert.Contains(t, err.Error(), "table")

	const query = "source=table&target=y&iterations=1"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(100, nil)))
	run.Close()
	_, err = run.Trees()
	require.ErrorAs(t, err, new(trial.NoTableError))
}

// Numbers that are read as levels have no list of levels in common with other rows
// than those that were asked for.
func TestTreesKnowLevelsThatAreWrittenAsNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("code,x,y\n")
	for i := range 9000 { // so many different numbers are kept as numbers
		code := rng.IntN(5) * 100_000
		if i%2 == 0 {
			code = i
		}
		fmt.Fprintf(&b, "%d.5,%.3f,%d\n", code, rng.Float64(), map[int]int{0: 3, 100_000: 9, 200_000: 1, 300_000: 7, 400_000: 5}[code])
	}
	const query = "source=table&target=y&categorical=code&iterations=1"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, b.String()))
	assert.Less(t, runtest.Grow(t, run).Error, .01, "half of the rows have a level of their own and 0")
}

func TestThePlanOfATableSaysWhatTreesTake(t *testing.T) {
	const query = "source=table&target=y&ignore=x4"
	s := runtest.Parse(t, query)
	plan, err := task.NewPlan(s, runtest.ReadTable(t, query, runtest.Interacting(200, nil)))
	require.NoError(t, err)
	assert.Equal(t, trees.Work(120, 4), plan.Trees, "x1 to x3 and the colour, which is one column")
}

// Figures of another program, a prototype that knows no levels and was given their
// places in the alphabet. They are means over the splits of seeds 1, 2, … of test
// RMSE in standard deviations of the training targets. Tolerances: where columns
// have few values, both do the same but for rounding (mpg, hour). More than 255
// values are put into other bins, and levels into another order, which moves a
// split by .003 on housing and by .04 on tips, whose splits are .16 apart.
func TestTreesReachWhatAPrototypeReachedOnTheSameSplits(t *testing.T) {
	folder := os.Getenv("IFMLAB_DATA")
	if folder == "" {
		t.Skip("IFMLAB_DATA does not say where csv/housing.csv and other real tables are")
	}
	for _, real := range []struct {
		file, query     string
		splits          int
		want, tolerance float64
		long            bool
	}{
		{file: "housing.csv", query: "target=median_house_value", splits: 3, want: .4105, tolerance: .003, long: true},
		{file: "hour.csv", query: "target=cnt&ignore=casual,registered,instant,dteday&numeric=season,mnth,hr,weekday,weathersit", splits: 3, want: .2175, tolerance: .002, long: true},
		{file: "plotly_auto-mpg.csv", query: "target=mpg", splits: 20, want: .4033, tolerance: .002},
		{file: "tips.csv", query: "target=tip", splits: 20, want: .8440, tolerance: .005},
	} {
		if real.long && testing.Short() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, "csv", real.file))
		require.NoError(t, err)
		query := "source=table&iterations=1&" + real.query
		table := runtest.ReadTable(t, query, string(content))
		mean := 0.0
		for seed := range real.splits {
			run := runtest.Open(t, query+"&seed="+strconv.Itoa(seed+1), 0, table)
			mean += runtest.Grow(t, run).Error / run.Rows().Encoding.Target.Scale / float64(real.splits)
		}
		t.Logf("%s, %d splits: %.4f, the prototype %.4f", real.file, real.splits, mean, real.want)
		assert.LessOrEqual(t, mean, real.want+real.tolerance, real.file)
		assert.Greater(t, mean, .9*real.want, "%s: better by so much would be a leak", real.file)
	}
}
