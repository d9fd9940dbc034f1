package train_test

import (
	"cmp"
	"math"
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

func TestARecordSaysSinceWhenALossHasRisen(t *testing.T) {
	_, records := runtest.Train(t, "models=gfm&solver=printed&truth=orthonormal&diagonal=kept&d=12&k=3&n=2000&test=50&iterations=80", 0, nil)
	for _, r := range records[:len(records)-1] {
		assert.Zero(t, r.Rose, "iteration %d", r.Iteration)
	}
	end := records[len(records)-1]
	require.NotZero(t, end.Rose, end.Stop)
	assert.Contains(t, end.Stop, "has risen since iteration "+strconv.Itoa(end.Rose)+";")
}

// agree compares eigenvalues with those of the symmetric part of UVᵀ times the units of its
// rows and columns, of which the others are 0. Both are rounded in some d² operations on
// numbers of the size of the largest.
func agree(t *testing.T, m *fm.Model, units, found []float64, name string) {
	t.Helper()
	require.True(t, slices.IsSortedFunc(found, func(a, b float64) int { return cmp.Compare(b, a) }), name)
	whole := (&fm.Model{Kind: fm.GFM, D: m.D, Rank: m.Rank, U: m.U, V: m.Right()}).Interaction()
	for i := range whole {
		whole[i] *= units[i/m.D] * units[i%m.D]
	}
	all := eigenvalues(whole, m.D)
	require.LessOrEqual(t, len(found), m.D, name)
	padded := append(slices.Clone(found), make([]float64, m.D-len(found))...)
	slices.Sort(padded)
	assert.InDeltaSlice(t, all, padded, 1e-13*max(all[m.D-1], -all[0]), name)
}

// eigenvalues returns those of a d×d matrix, least first.
func eigenvalues(a []float64, d int) []float64 {
	e := eigen.New(d)
	e.ValuesOf(slices.Clone(a), d)
	slices.Sort(e.Values)
	return e.Values
}

func TestMatricesHaveTheEigenvaluesOfTheirFactors(t *testing.T) {
	for _, source := range []string{
		"scenario=mixed&n=300&test=50", "scenario=psd&n=900&solver=auto", "scenario=psd&d=4&rank=6&solver=auto",
		"scenario=flipped&truth=orthonormal&diagonal=kept&n=300", "source=table&target=y", "source=table&target=y&solver=auto",
	} {
		query := source + "&models=fm,gfm,ifm&iterations=8&ranks=3"
		table := runtest.ReadTable(t, "", runtest.Interacting(200, nil))
		for cell := range 3 {
			run, _ := runtest.Train(t, query, cell, table)
			m := runtest.Result(t, run.Interaction)
			file := runtest.Result(t, run.Model)
			model, encoding, err := fm.Parse(file)
			require.NoError(t, err)
			units := slices.Repeat([]float64{math.Sqrt(encoding.Target.Scale)}, model.D)
			truth, drawn := run.Truth()
			if drawn {
				agree(t, run.Rows().Truth, slices.Repeat([]float64{1}, model.D), truth.Eigenvalues, query+", truth")
				for j, f := range encoding.Features {
					units[j] /= f.Scale
				}
			}
			agree(t, model, units, m.Eigenvalues, query)
			count := 2 * m.Rank
			if model.Kind == fm.FM {
				count = m.Rank
				assert.GreaterOrEqual(t, slices.Min(m.Eigenvalues), 0.0, query)
			}
			assert.Len(t, m.Eigenvalues, min(count, model.D), "%s, %v", query, model.Kind)
			if model.Kind == fm.GFM && drawn { // the values shown keep the diagonal
				shown := eigenvalues(m.Values, model.D)
				assert.InDelta(t, m.Eigenvalues[0], shown[model.D-1], 1e-13*max(shown[model.D-1], -shown[0]), query)
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
