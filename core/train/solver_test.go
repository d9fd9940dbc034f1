package train_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

var solvers = []string{"agd", "auto", "gauss-newton", "scaled", "algorithm1", "printed"}

// attempt trains a cell as far as it goes.
func attempt(t *testing.T, query string, cell int, table *table.Table) ([]train.Record, error) {
	t.Helper()
	run := runtest.Open(t, query, cell, table)
	var records []train.Record
	for !run.Done() {
		r, err := run.Next()
		if err != nil {
			return records, err
		}
		records = append(records, r)
	}
	return records, nil
}

func TestAlgorithm1SaysWhatItNeedsAndWhatToUseInstead(t *testing.T) {
	for query, kind := range map[string]string{
		"models=fm":                                     "UnsupportedError",
		"models=gfm&rho=0.9":                            "DependentColumnsError",
		"models=ifm&rho=0.5":                            "DependentColumnsError",
		"models=gfm&features=twopoint":                  "SingularMomentError",
		"models=gfm&features=slider&tau=0&moments=true": "SingularMomentError",
	} {
		_, err := attempt(t, query+"&solver=algorithm1&n=3600", 0, nil)
		require.Error(t, err, query)
		assert.Equal(t, kind, message.Kind(err), "%s: %v", query, err)
		assert.Regexp(t, `use|fit`, err.Error())
		if kind != "UnsupportedError" {
			assert.Regexp(t, `\bx\d+\b`, err.Error(), "it names the column")
		}
	}
	_, err := attempt(t, "models=gfm&features=twopoint&solver=algorithm1&n=3600&inverse=pseudo", 0, nil)
	assert.NoError(t, err, "the pseudo-inverse is there for who asks for it")
}

func TestFreshBatchesAreRowsOfTheSameTruth(t *testing.T) {
	const query = "models=ifm&truth=orthonormal&scenario=psd&d=12&k=1&n=1200&solver=algorithm1&iterations=20"
	reused := runtest.Must(attempt(t, query, 0, nil))
	fresh := runtest.Must(attempt(t, query+"&batches=fresh", 0, nil))
	assert.Equal(t, reused[0].Train, fresh[0].Train, "it starts from the training rows")
	assert.NotEqual(t, reused[1].Test, fresh[1].Test)
	assert.Less(t, fresh[20].M, 1e-3, "it finds the truth of the first batch in all of them")
	again := runtest.Must(attempt(t, query+"&batches=fresh", 0, nil))
	runtest.RequireSame(t, fresh, again)
}

func TestAutoTakesGaussNewtonWhereTheRowsAreDense(t *testing.T) {
	auto := runtest.Must(attempt(t, "solver=auto", 1, nil))
	named := runtest.Must(attempt(t, "solver=gauss-newton", 1, nil))
	runtest.RequireSame(t, named, auto)
	assert.Less(t, auto[len(auto)-1].M, 1e-9)

	rng := rand.New(rand.NewPCG(1, 2))
	text := tabletest.File("x,level,y", 400, func(int) string {
		return strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64) + ",l" + strconv.Itoa(rng.IntN(8)) + "," + strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64)
	})
	const sparse = "source=table&target=y&ranks=2&lambdas=0.1&iterations=5"
	table := runtest.ReadTable(t, sparse, text)
	auto = runtest.Must(attempt(t, sparse+"&solver=auto", 1, table))
	named = runtest.Must(attempt(t, sparse+"&solver=scaled", 1, table))
	runtest.RequireSame(t, named, auto)
}

func TestSettingsThatASolverDoesNotUseAreTold(t *testing.T) {
	table := runtest.ReadTable(t, "source=table&target=y", runtest.Interacting(100, nil))
	for query, want := range map[string]string{
		"encode=hats&lambdaf=3&lambdas=0.1":              "the solver agd does not use lambdaf, encode; choose als",
		"lambdaw=3&lambdas=0.1":                          "the solver agd does not use lambdaw; choose als",
		"solver=agd&encode=hats":                         "the solver agd does not use encode; choose als",
		"solver=auto&lambdaf=3":                          "the solver auto does not use lambdaf; choose als",
		"solver=als&lambdas=0.1":                         "als does not use lambdas, which are the penalties of other solvers; choose one of them, or set lambdaf",
		"lambdas=0.1":                                    "",
		"solver=agd&encode=linear":                       "",
		"encode=hats&lambdaf=3&lambdaw=1":                "",
		"solver=als&encode=hats&lambdaf=3&lambdaw=1&d=7": "",
	} {
		query = "source=table&target=y&ranks=1&iterations=1&" + query
		var notices []string
		if want != "" {
			notices = []string{want}
		}
		assert.Equal(t, notices, runtest.Open(t, query, 0, table).Notes().Texts(), query)
		plan := runtest.Must(task.NewPlan(runtest.Parse(t, query), table))
		assert.Equal(t, notices, plan.Notes.Texts(), query)
	}
}

func TestEverySolverTakesATableOrSaysWhyNot(t *testing.T) {
	const query = "source=table&target=y&ranks=2&lambdas=0,0.1&iterations=20"
	table := runtest.ReadTable(t, query, runtest.Interacting(300, nil))
	for _, solver := range solvers {
		records, err := attempt(t, query+"&solver="+solver, 1, table)
		if solver == "algorithm1" || solver == "printed" {
			require.Error(t, err)
			assert.NotEqual(t, "Error", message.Kind(err))
			continue
		}
		require.NoError(t, err, solver)
		assert.Less(t, records[len(records)-1].Test, .5, "%s: the noise is .1, ridge is left with 1.4", solver)
	}
}

// UVᵀ of Gaussian factors is of twice their rank once it is symmetric.
func TestAlgorithm1GetsTheRankThatTheTruthHas(t *testing.T) {
	for query, rank := range map[string]int{
		"scenario=mixed":                   6,
		"scenario=mixed&truth=orthonormal": 3,
		"scenario=psd":                     3,
		"scenario=mixed&rank=4":            4,
		"scenario=mixed&d=5&n=1000":        5,
		"scenario=mixed&solver=agd":        3,
	} {
		if !strings.Contains(query, "solver") {
			query += "&solver=algorithm1"
		}
		records := runtest.Must(attempt(t, "models=ifm&iterations=1&n=3600&"+query, 0, nil))
		assert.Equal(t, rank, records[0].Rank, query)
	}
	records := runtest.Must(attempt(t, "models=ifm&scenario=mixed&solver=algorithm1&n=18000&batches=fresh&iterations=40", 0, nil))
	assert.Less(t, records[40].M, .01, "and finds it")
}

func TestTrueMomentsAreThoseOfThePopulation(t *testing.T) {
	const query = "models=gfm&diagonal=kept&truth=orthonormal&scenario=psd&k=1&features=threepoint&tau=0.03&n=900&solver=algorithm1&iterations=1"
	_, err := attempt(t, query, 0, nil)
	assert.Equal(t, "SingularMomentError", message.Kind(err), "estimated from 900 rows, τ = .03 may as well be 0")
	_, err = attempt(t, query+"&moments=true", 0, nil)
	assert.NoError(t, err)
}

func TestARunThatIsRefusedSaysTheFirstReason(t *testing.T) {
	const query = "source=table&target=y&ranks=2&lambdas=0,0.1&models=ifm&solver=algorithm1"
	_, err := attempt(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, nil)))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "penalty", "which the second candidate has, and is not what is wrong with the rows")
}

// What a reader is told of a fit that diverged, the page concludes from this number
// and not from the sentence.
func TestARecordSaysSinceWhenALossHasRisen(t *testing.T) {
	_, records := runtest.Train(t, "models=gfm&solver=printed&truth=orthonormal&diagonal=kept&d=12&k=3&n=2000&test=50&iterations=80", 0, nil)
	for _, r := range records[:len(records)-1] {
		assert.Zero(t, r.Rose, "iteration %d", r.Iteration)
	}
	end := records[len(records)-1]
	require.NotZero(t, end.Rose, end.Stop)
	assert.Contains(t, end.Stop, "has risen since iteration "+strconv.Itoa(end.Rose)+";")
}

// allValues returns the d eigenvalues of the symmetric part of UVᵀ times the
// units of its rows and columns, largest first.
func allValues(u, v, units []float64) []float64 {
	d := len(units)
	k := len(u) / d
	a := make([]float64, d*d)
	for i := range d {
		for j := range d {
			for f := range k {
				a[i*d+j] += (u[i*k+f]*v[j*k+f] + v[i*k+f]*u[j*k+f]) / 2 * units[i] * units[j]
			}
		}
	}
	e := eigen.New(d)
	e.ValuesOf(a, d)
	return falling(e.Values)
}

func falling(x []float64) []float64 {
	slices.Sort(x)
	slices.Reverse(x)
	return x
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// agree compares eigenvalues with all d, the others of which are 0. Both are
// rounded in some d² operations on numbers of the size of the largest.
func agree(t *testing.T, all, found []float64, name string) {
	t.Helper()
	require.LessOrEqual(t, len(found), len(all), name)
	assert.True(t, slices.Equal(found, falling(slices.Clone(found))), name)
	padded := falling(append(slices.Clone(found), make([]float64, len(all)-len(found))...))
	size := max(all[0], -all[len(all)-1])
	assert.InDeltaSlice(t, all, padded, 1e-13*size, name)
}

func count(x []float64, is func(v float64) bool) (n int) {
	for _, v := range x {
		if is(v) {
			n++
		}
	}
	return n
}

func TestATruthHasAsManyEigenvaluesAsItWasDrawnWith(t *testing.T) {
	for _, c := range []struct {
		query              string
		positive, negative int
	}{
		{"scenario=psd&truth=gaussian", 3, 0},
		{"scenario=psd&truth=orthonormal", 3, 0},
		{"scenario=flipped&truth=gaussian", 0, 3},
		{"scenario=flipped&truth=orthonormal", 0, 3},
		{"scenario=mixed&truth=gaussian", 3, 3},
		{"scenario=mixed&truth=orthonormal", 2, 1},
		{"scenario=psd&truth=gaussian&d=2", 2, 0},
		{"scenario=mixed&truth=gaussian&d=5", 3, 2}, // of this seed
	} {
		for _, diagonal := range []string{"zero", "kept"} {
			query := c.query + "&n=50&test=10&iterations=1&diagonal=" + diagonal
			run, _ := runtest.Train(t, query, 0, nil)
			m, ok := run.Truth()
			require.True(t, ok)
			truth := run.Rows().Truth
			u, v := truth.U, truth.Right()
			agree(t, allValues(u, v, ones(len(m.Names))), m.Eigenvalues, query)
			assert.Equal(t, c.positive, count(m.Eigenvalues, func(v float64) bool { return v > 0 }), query)
			assert.Equal(t, c.negative, count(m.Eigenvalues, func(v float64) bool { return v < 0 }), query)
			assert.Len(t, m.Eigenvalues, c.positive+c.negative, query)
			if diagonal == "kept" {
				e := eigen.New(len(m.Names))
				e.ValuesOf(slices.Clone(m.Values), len(m.Names))
				agree(t, falling(e.Values), m.Eigenvalues, query+", of the values shown")
			}
		}
	}
}

func TestALearntMatrixHasTheEigenvaluesOfItsFactors(t *testing.T) {
	for _, source := range []string{"scenario=mixed&n=300&test=50", "scenario=psd&n=900&solver=auto", "scenario=psd&d=4&rank=6&solver=auto", "source=table&target=y", "source=table&target=y&solver=auto"} {
		query := source + "&models=fm,gfm,ifm&iterations=8&ranks=3"
		table := runtest.ReadTable(t, "", runtest.Interacting(200, nil))
		for cell := range 3 {
			run, _ := runtest.Train(t, query, cell, table)
			m := runtest.Result(t, run.Interaction)
			file := runtest.Result(t, run.Model)
			model, encoding, err := fm.Parse(file)
			require.NoError(t, err)
			units := ones(model.D)
			if _, drawn := run.Truth(); drawn {
				for j, f := range encoding.Features {
					units[j] = 1 / f.Scale
				}
			}
			all := allValues(model.U, model.Right(), units)
			for i := range all {
				all[i] *= encoding.Target.Scale
			}
			agree(t, all, m.Eigenvalues, query)
			count := 2 * m.Rank
			if model.Kind == fm.FM {
				count = m.Rank
				assert.GreaterOrEqual(t, slices.Min(m.Eigenvalues), 0.0, query)
			}
			assert.Len(t, m.Eigenvalues, min(count, model.D), "%s, %v", query, model.Kind)
			if model.Kind == fm.GFM && units[0] != 1 { // the values shown keep the diagonal
				e := eigen.New(model.D)
				e.ValuesOf(slices.Clone(m.Values), model.D)
				agree(t, falling(e.Values), m.Eigenvalues, query)
			}
		}
	}
}

func TestLevelsThatNeverMeetHaveNoInteraction(t *testing.T) {
	const query = "source=table&target=y&models=fm&ranks=2&lambdaf=1&encode=linear"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, func(_ int, cells []string) {
		if cells[0] > "1" {
			cells[0] = ""
		}
	})))
	m := runtest.Result(t, run.Interaction)
	at := map[string]int{}
	for i, name := range m.Names {
		at[name] = i
	}
	d := len(m.Names)
	assert.Zero(t, m.Values[at["colour=red"]*d+at["colour=blue"]])
	assert.Zero(t, m.Values[at["x1"]*d+at["x1 is missing"]])
	assert.NotZero(t, m.Values[at["x3"]*d+at["x4"]])
	assert.NotZero(t, m.Values[at["x3"]*d+at["colour=red"]])
}
