package assess_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
)

// weighable is the table interacting, with a column day that counts its rows, a target of
// two values, and a column w that says how often each row counts; each stands there as
// often as repeat says of its weight.
func weighable(n int, w func(row int) int, repeat func(weight int) int) string {
	lines := strings.Split(strings.TrimSpace(runtest.Interacting(n, nil)), "\n")
	var b strings.Builder
	b.WriteString("day,w,won," + lines[0] + "\n")
	for row, line := range lines[1:] {
		won := "no"
		if !strings.Contains(line[strings.LastIndex(line, ","):], "-") {
			won = "yes"
		}
		for range repeat(w(row)) {
			b.WriteString(strconv.Itoa(row) + "," + strconv.Itoa(w(row)) + "," + won + "," + line + "\n")
		}
	}
	return b.String()
}

// sameMetrics compares what is said of repeated rows with what is said of weighed ones, which
// are predicted alike to 1e-6; as calibrated, where that may differ, they are not.
func sameMetrics(t *testing.T, repeated, weighed assess.ClassMetrics) {
	t.Helper()
	require.Equal(t, repeated.Calibration.Used, weighed.Calibration.Used)
	assert.InEpsilon(t, repeated.Plain, weighed.Plain, 1e-6)
	assert.InEpsilon(t, repeated.AUC, weighed.AUC, 1e-12)
	if !weighed.Calibration.Used {
		assert.InEpsilon(t, repeated.Brier, weighed.Brier, 1e-5)
		assert.Equal(t, repeated.Ones, weighed.Ones)
		assert.Equal(t, repeated.Zeros, weighed.Zeros)
	}
	assert.InDeltaSlice(t, repeated.ROC.False, weighed.ROC.False, 1e-12)
	assert.InDeltaSlice(t, repeated.ROC.True, weighed.ROC.True, 1e-12)
}

const weighedQuery = "source=table&models=fm,ifm&ranks=1,2&lambdaf=30,3&iterations=8&split=time&by=day&rare=1"

// Rows of the same time are in one part, and every two days count three times, so that
// the parts are the same days.
func TestARowOfWeightTwoCountsAsTwoRows(t *testing.T) {
	weight := func(row int) int { return 1 + row%2 }
	once, twice := weighable(300, weight, func(int) int { return 1 }), weighable(300, weight, func(w int) int { return w })
	for name, query := range map[string]string{
		"als":       "&target=y&ignore=won&encode=linear",
		"a descent": "&target=y&ignore=won&solver=agd&lambdas=0.01",
		"classes":   "&target=won&ignore=y&encode=linear",
	} {
		t.Run(name, func(t *testing.T) {
			weighed, repeated := weighedQuery+query+"&weight=w", strings.Replace(weighedQuery+query, "&ignore=", "&ignore=w,", 1)
			a, b := runtest.ReadTable(t, weighed, once), runtest.ReadTable(t, repeated, twice)
			for cell := range 2 {
				one, got := runtest.Train(t, weighed, cell, a)
				other, want := runtest.Train(t, repeated, cell, b)
				require.Len(t, got, len(want))
				for i := range want {
					// The same sums, added in another order, through some forty sweeps.
					assert.InEpsilon(t, want[i].Train, got[i].Train, 1e-6)
					assert.InEpsilon(t, want[i].Valid+1, got[i].Valid+1, 1e-6)
					assert.InEpsilon(t, want[i].Test, got[i].Test, 1e-6)
				}
				p := runtest.Result(t, one.Baselines)
				q := runtest.Result(t, other.Baselines)
				assert.InEpsilon(t, q.Mean, p.Mean, 1e-9)
				f := runtest.Result(t, one.Quadratic)
				g := runtest.Result(t, other.Quadratic)
				if one.ClassNames() == nil { // calibrated classes go by the effective number of rows: sameMetrics and package linear have them without
					assert.InEpsilon(t, q.Ridge, p.Ridge, 1e-9)
					assert.InEpsilon(t, g.Error, f.Error, 1e-6)
				}
				if one.ClassNames() != nil {
					c := runtest.Result(t, one.Classes)
					d := runtest.Result(t, other.Classes)
					assert.InEpsilon(t, d.Share, c.Share, 1e-12)
					assert.Equal(t, []float64{float64(d.Rows[0]), float64(d.Rows[1])}, c.Count)
					sameMetrics(t, d.Model, c.Model)
					sameMetrics(t, d.Ridge, c.Ridge)
				}
			}
		})
	}
}

// Means are those of the rows repeated. How sure they are is not: rows that were seen
// twice as often would tell more, and a weight of 2 says only that they count so much. So
// no factor on all weights changes what is said, or whether a calibration is used.
func TestMeasuresOfClassesFollowWeightsAndTheirSurenessTheRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var f, y, weight, often, repeated, classes []float64
	for range 400 {
		v, of, w := math.Round(8*rng.NormFloat64())/4, 0., 1+rng.IntN(4) // ties
		if rng.Float64() < 1/(1+math.Exp(-.4*v)) {
			of = 1
		}
		f, y, weight, often = append(f, v), append(y, of), append(weight, float64(w)), append(often, 1e-3*float64(w))
		for range w {
			repeated, classes = append(repeated, v), append(classes, of)
		}
	}
	none := measure.Calibration{Slope: 1}
	want, got, small := assess.Metrics(repeated, classes, nil, none), assess.Metrics(f, y, weight, none), assess.Metrics(f, y, often, none)
	sameMetrics(t, want, got)
	assert.InEpsilon(t, want.Brier, got.Brier, 1e-12)
	assert.NotEqual(t, assess.Metrics(f, y, nil, none).AUC, got.AUC)
	assert.InEpsilon(t, got.AUC, small.AUC, 1e-12)
	require.Len(t, small.Bins, len(got.Bins))
	for i, b := range got.Bins {
		assert.InEpsilon(t, b.Share, small.Bins[i].Share, 1e-12)
		assert.InEpsilon(t, b.High-b.Low, small.Bins[i].High-small.Bins[i].Low, 1e-9)
		low, high := measure.Wilson(b.Share, float64(b.Rows))
		assert.Greater(t, b.High-b.Low, high-low, "rows that count differently tell less")
	}

	one, other := measure.Platt(f, y, weight), measure.Platt(f, y, often)
	assert.True(t, one.Used)
	assert.InEpsilon(t, one.Slope, other.Slope, 1e-9)
	assert.InDelta(t, .4, one.Slope, .15)
	all := make([]float64, len(f))
	for i := range all {
		all[i] = 3
	}
	assert.InEpsilon(t, platt(f, y).Slope, measure.Platt(f, y, all).Slope, 1e-9)
}

// One row in ten counts ten times and is off five times as far, which no column tells:
// intervals of the rows each once would hold four in ten of what they count together.
func TestIntervalsHoldTheShareOfWeightThatTheyShould(t *testing.T) {
	share, rows := 0., 0.
	const tables = 4
	for seed := range uint64(tables) {
		rng := rand.New(rand.NewPCG(seed, 3))
		text := tabletest.File("x,w,y", 600, func(int) string {
			x, w, e := rng.NormFloat64(), "1", rng.NormFloat64()
			if rng.IntN(10) == 0 {
				w, e = "10", 5*e
			}
			return strconv.FormatFloat(x, 'g', -1, 64) + "," + w + "," + strconv.FormatFloat(x+e, 'g', -1, 64)
		})
		const query = "source=table&target=y&weight=w&models=ifm&ranks=1&lambdaf=1000&lambdaw=1&encode=linear&iterations=3"
		run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, text))
		r := runtest.Calibrate(t, run)
		width, all := 0., 0.
		for i, w := range run.Rows().Test.Weight {
			width, all = width+w*(r.High[i]-r.Low[i]), all+w
		}
		assert.InEpsilon(t, width/all, r.Width, 1e-12)
		share, rows = share+r.Share/tables, rows+float64(r.Covered)/float64(len(r.Low))/tables
		assert.True(t, r.From < r.Share && r.Share < r.To)
		assert.Greater(t, r.To-r.From, .1, "120 rows of these weights tell as much as some 40")
	}
	// Of 480 test rows, and 4 times 480 that calibrate, (1.9² / 10.9) tell.
	sd := math.Sqrt(.09 / (480 * 1.9 * 1.9 / 10.9) * 1.25)
	assert.InDelta(t, .9, share, 3.5*sd+.01)
	assert.Greater(t, rows, .93)
}

func TestTheQuantileOfWeightsIsThatOfRowsWhereTheyAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{20, 99, 240} {
		scores, weight := make([]float64, n), make([]float64, n)
		for i := range scores {
			scores[i], weight[i] = rng.ExpFloat64(), 7
		}
		for _, level := range []float64{.5, .55, .8, .9, .95} {
			assert.Equal(t, measure.ConformalQuantile(scores, nil, level), measure.ConformalQuantile(scores, weight, level), "%d rows at %g", n, level)
		}
	}
	// Of 12 in all the first at which 6·(1 + 23.5/12²) = 6.98 is reached.
	assert.Equal(t, 3., measure.ConformalQuantile([]float64{4, 1, 3, 2, 5, 6, 7, 8, 9}, []float64{1, 3, 3, 1, 1, 1, 1, .5, .5}, .5))
}

func TestWeightsOfOneAreNone(t *testing.T) {
	table := runtest.ReadTable(t, weighedQuery, weighable(200, func(int) int { return 1 }, func(int) int { return 1 }))
	for cell := range 2 {
		one, got := runtest.Train(t, weighedQuery+"&target=y&ignore=won&weight=w", cell, table)
		other, want := runtest.Train(t, weighedQuery+"&target=y&ignore=won,w", cell, table)
		runtest.RequireSame(t, want, got)
		assert.Equal(t, other.Notes().Texts(), one.Notes().Texts())
	}
}

func TestARowOfWeightZeroIsAsIfItWereNotThere(t *testing.T) {
	const query = "source=table&models=ifm&ranks=1&lambdaf=30,3&iterations=5&target=y&ignore=won,day&weight=w&seed=3"
	weight := func(row int) int { return row % 3 }
	with, without := runtest.ReadTable(t, query, weighable(300, weight, func(int) int { return 1 })), runtest.ReadTable(t, query, weighable(300, weight, func(w int) int { return min(w, 1) }))
	_, got := runtest.Train(t, query, 0, with)
	_, want := runtest.Train(t, query, 0, without)
	runtest.RequireSame(t, want, got)
	plan := must(task.NewPlan(runtest.Parse(t, query), with))
	assert.Equal(t, 200, plan.Train+plan.Valid+plan.Test)
	assert.Contains(t, strings.Join(plan.Notes.Texts(), "\n"), "100 of 300 rows have a w of 0 and are left out")
	assert.Equal(t, roles.RoleWeight, plan.Roles[1])
}
