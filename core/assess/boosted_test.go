package assess_test

import (
	"fmt"
	"math/rand/v2"
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

// A page asks for a few trees at a time, before, while and after it trains.
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
	plan := must(task.NewPlan(runtest.Parse(t, query), runtest.ReadTable(t, query, runtest.Interacting(200, nil))))
	assert.Equal(t, trees.Work(120, 4), plan.Trees, "x1 to x3 and the colour, which is one column")
}
