package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/message"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/trial"
)

const foldsQuery = "source=table&target=y&models=ifm&ranks=1,2&lambdaf=30,10,3&lambdaw=0.3,3,30&iterations=12&folds=3"

// atOnce does all pieces of work at once, the last one first.
func atOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := n - 1; i >= 0; i-- {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// The oracle: the library's plan, encoding, ridge and als in a plain loop over the
// folds, which knows nothing of runs.
func TestFoldsChooseWhatAPlainLoopOverThemChooses(t *testing.T) {
	s := runtest.Parse(t, foldsQuery)
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(300, nil))
	plan := func(hats bool) *roles.Plan {
		return must(roles.NewPlan(table, roles.Settings{Target: "y", Rare: s.Rare, Split: "random", PiecewiseLinear: hats}))
	}
	split := plan(false).Split(trial.Stream(s.Seed, 0, trial.StreamSplit))
	folds := must(plan(false).CrossValidation(split, 3, trial.Stream(s.Seed, 0, trial.StreamFolds)))
	off := func(f []float64, part design.Part, target design.Target) float64 {
		sum := 0.0
		for i := range f {
			sum += (f[i] - part.Y[i]) * (f[i] - part.Y[i])
		}
		return math.Sqrt(sum/float64(len(f))) * target.Scale
	}
	weights, mean := map[bool]float64{}, map[bool]map[float64]float64{false: {}, true: {}}
	for _, hats := range []bool{false, true} {
		for _, fold := range folds {
			set := must(encode.DatasetOf(plan(hats), fold))
			ridge := must(linear.NewRidge(set.Train.Z, set.Train.Y))
			for _, lambda := range s.LambdaW {
				fit := must(ridge.Fit(lambda))
				f := make([]float64, len(set.Valid.Y))
				fit.Predict(f, set.Valid.Z)
				mean[hats][lambda] += off(f, set.Valid, set.Encoding.Target) / 3
			}
		}
		weights[hats] = 3
		for _, lambda := range s.LambdaW {
			if mean[hats][lambda] < mean[hats][weights[hats]] {
				weights[hats] = lambda
			}
		}
	}
	// path fits ridge and, from it, a rank's penalties in turn, each so long as go on says.
	type fitted struct{ valid []float64 }
	path := func(set *design.Dataset, hats bool, rank int, goOn func(lambda float64, iteration int, stop *solve.Stop, p solve.Progress, valid float64) bool) ([]fitted, *fm.Model) {
		fit := must(must(linear.NewRidge(set.Train.Z, set.Train.Y)).Fit(weights[hats]))
		_, d := set.Train.Z.Dims()
		m := fm.New(fm.IFM, d, rank)
		copy(m.W, fit.W)
		m.B = fit.B
		als := &solve.ALS{Weights: weights[hats]}
		var all []fitted
		for i, lambda := range s.LambdaF {
			als.Warm = i > 0
			stop := solve.Stop{Iterations: s.Iterations, Patience: 8, Tolerance: 1e-4, Little: 1e-4 * float64(len(set.Train.Y)) / 2}
			p, err := als.Start(solve.Problem{Source: solve.Whole(set.Train.Z, set.Train.Y), Loss: solve.Squared, Penalty: solve.L2(lambda)}, m, trial.Stream(s.Seed, 0, trial.StreamStart+trial.Purpose(fm.IFM)))
			require.NoError(t, err)
			var one fitted
			for {
				f := make([]float64, len(set.Valid.Y))
				valid := math.NaN()
				if len(f) > 0 {
					m.Predict(f, set.Valid.Z, new(fm.Scratch))
					valid = off(f, set.Valid, set.Encoding.Target)
				}
				one.valid = append(one.valid, valid)
				if !goOn(lambda, len(one.valid)-1, &stop, p, valid) {
					break
				}
				p = runtest.Result(t, als.Step)
			}
			if i == 0 {
				one.valid[0] = math.NaN() // a draw of factors is no fit
			}
			all = append(all, one)
		}
		return all, m
	}
	type point struct {
		hats      bool
		rank, at  int // of the penalties
		iteration int
	}
	best, lowest := point{}, math.Inf(1)
	lengths := map[point][]int{}
	for _, hats := range []bool{false, true} {
		if v := mean[hats][weights[hats]]; v < lowest {
			best, lowest = point{hats: hats}, v
		}
		for _, rank := range s.Ranks {
			var each [][]fitted
			for _, fold := range folds {
				set := must(encode.DatasetOf(plan(hats), fold))
				all, _ := path(set, hats, rank, func(_ float64, _ int, stop *solve.Stop, p solve.Progress, valid float64) bool {
					return stop.Reason(p, valid) == ""
				})
				each = append(each, all)
			}
			for at := range s.LambdaF {
				for iteration := range s.Iterations + 1 {
					sum := 0.0
					for _, all := range each {
						sum += all[at].valid[min(iteration, len(all[at].valid)-1)]
					}
					if sum/3 < lowest {
						best, lowest = point{hats, rank, at, iteration}, sum/3
					}
				}
				for _, all := range each {
					key := point{hats: hats, rank: rank, at: at}
					lengths[key] = append(lengths[key], len(all[at].valid)-1)
				}
			}
		}
	}
	require.NotZero(t, best.rank, "factors pay here")
	set := must(encode.DatasetOf(plan(best.hats), split.MergeValidation()))
	_, m := path(set, best.hats, best.rank, func(lambda float64, iteration int, _ *solve.Stop, _ solve.Progress, _ float64) bool {
		at := slices.Index(s.LambdaF, lambda)
		legs := lengths[point{hats: best.hats, rank: best.rank, at: at}]
		slices.Sort(legs)
		switch {
		case at > best.at:
			return false
		case at == best.at:
			return iteration < best.iteration
		}
		return iteration < legs[len(legs)/2]
	})
	f := make([]float64, len(set.Test.Y))
	m.Predict(f, set.Test.Z, new(fm.Scratch))

	run, records := runtest.Train(t, foldsQuery, 0, table)
	last := records[len(records)-1]
	assert.Equal(t, map[bool]string{false: "linear", true: "hats"}[best.hats], last.Encoding)
	assert.Equal(t, best.rank, last.Rank)
	assert.Equal(t, s.LambdaF[best.at], last.Lambda)
	assert.Equal(t, weights[best.hats], last.Weights)
	assert.Equal(t, best.iteration, last.Iteration)
	assert.InEpsilon(t, lowest, last.Valid, 1e-9, "of numbers that are added in another order")
	p := runtest.Result(t, run.Predictions)
	assert.Equal(t, p.Error, last.Test)
	assert.InEpsilon(t, off(f, set.Test, set.Encoding.Target), p.Error, 1e-9, "what is tested is what was chosen, trained on all other rows; its levels are centred, which rounds")
	assert.Equal(t, best.at+1, run.Candidates(), "and what it starts from")
}

func TestWhoDoesTheFoldsAndWhenChangesNoBit(t *testing.T) {
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(300, nil))
	for _, query := range []string{foldsQuery, foldsQuery + "&solver=auto&lambdas=0.1,0.01", foldsQuery + "&encode=linear&models=fm,ifm&trials=2"} {
		s := runtest.Parse(t, query)
		for cell := range core.Cells(s) {
			alone := must(core.Open(s, cell, table))
			found := must(assess.CrossValidate(s, cell, table, atOnce, nil))
			together := must(core.OpenCrossValidated(s, cell, table, found))
			want, got := runtest.Finish(t, alone), runtest.Finish(t, together)
			runtest.RequireSame(t, want, got)
			assert.Equal(t, runtest.Result(t, alone.Model), runtest.Result(t, together.Model))
		}
	}
}

// Ridge need not come first, as it does in a search.
func TestARunThatFoldsChoseHasAModelFromItsFirstRecordOn(t *testing.T) {
	run := runtest.Open(t, foldsQuery, 0, runtest.ReadTable(t, foldsQuery, runtest.Interacting(300, nil)))
	first := runtest.Result(t, run.Next)
	assert.NotZero(t, first.Rank)
	assert.True(t, math.IsNaN(first.Valid), "a draw of factors, which is chosen by nothing")
	_, err := run.Predictions()
	assert.NoError(t, err)
}

func TestOneFoldIsNone(t *testing.T) {
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(200, nil))
	_, none := runtest.Train(t, foldsQuery+"&folds=0", 0, table)
	_, one := runtest.Train(t, foldsQuery+"&folds=1", 0, table)
	runtest.RequireSame(t, none, one)
	assert.Zero(t, task.Folds(runtest.Parse(t, "folds=5")), "drawn rows have nothing to choose")
}

func TestFoldsDoNotLookAtTestRows(t *testing.T) {
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(200, nil))
	s := runtest.Parse(t, foldsQuery)
	run := must(core.OpenFold(s, 0, 1, table, mustWeigh(t, s, table)))
	for _, r := range runtest.Finish(t, run) {
		require.True(t, math.IsNaN(r.Test))
		require.False(t, math.IsNaN(r.Train))
	}
	assert.Empty(t, run.Rows().Test.Y)
}

func mustWeigh(t *testing.T, s spec.Spec, table *table.Table) []assess.FoldRidge {
	t.Helper()
	ridge := make([]assess.FoldRidge, s.Folds)
	for fold := range ridge {
		var err error
		ridge[fold], err = assess.RidgeOnFold(&task.Task{Spec: s, Trial: 0, Table: table}, fold)
		require.NoError(t, err)
	}
	return ridge
}

func TestWhatIsAskedOfARunThatFoldsChoseIsOfAllRowsButTheTestRows(t *testing.T) {
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(300, nil))
	plan := must(task.NewPlan(runtest.Parse(t, foldsQuery), table))
	assert.Equal(t, []int{240, 0, 60, 3}, []int{plan.Train, plan.Valid, plan.Test, plan.Folds})
	run, records := runtest.Train(t, foldsQuery, 0, table)
	require.NotZero(t, records[len(records)-1].Rank)
	assert.Less(t, runtest.Result(t, run.Quadratic).Error, .3, "the truth is quadratic")
	assert.Empty(t, runtest.Result(t, run.Logged).Quantity, "the target is negative in places")
	runtest.Grow(t, run)
	runtest.Pairs(t, run)
	for _, split := range []string{"", "&split=time&by=day"} {
		run, _ := runtest.Train(t, foldsQuery+split, 0, runtest.ReadTable(t, foldsQuery+split, visits(300)))
		covered := runtest.Calibrate(t, run).Covered
		assert.True(t, covered > 45 && covered < 60, "%d of 60 rows at 90 %%", covered)
	}
}

func TestWorkOnFoldsWithSomethingMissingIsRefused(t *testing.T) {
	table := runtest.ReadTable(t, foldsQuery, runtest.Interacting(200, nil))
	s := runtest.Parse(t, foldsQuery)
	ridge := mustWeigh(t, s, table)
	check := func(err error, says string) {
		t.Helper()
		assert.ErrorContains(t, err, says)
		assert.Equal(t, "FoldError", message.Kind(err))
	}
	_, err := assess.RidgeOnFold(&task.Task{Spec: s, Trial: 0, Table: table}, 3)
	check(err, "assess: found fold 3, expected 0 to 2")
	_, err = core.OpenFold(s, 0, -1, table, ridge)
	check(err, "assess: found fold -1, expected 0 to 2")
	_, err = core.OpenFold(s, 0, 0, table, ridge[:2])
	check(err, "assess: found 2 folds, expected 3")
	_, err = core.OpenCrossValidated(s, 0, table, assess.CrossValidation{Ridge: ridge})
	check(err, "assess: found 0 folds, expected 3")
	nan := assess.FoldErrors{{math.NaN()}, {math.NaN(), 1}}
	_, err = core.OpenCrossValidated(s, 0, table, assess.CrossValidation{Ridge: ridge, Errors: []assess.FoldErrors{nan, nan, {{1}, {2}}}})
	require.NoError(t, err, "iteration 1 of the second")
	_, err = core.OpenCrossValidated(s, 0, table, assess.CrossValidation{Ridge: ridge, Errors: []assess.FoldErrors{nan, nan, {{1}}}})
	assert.Equal(t, "UnchosenError", message.Kind(err))
	_, err = task.NewPlan(runtest.Parse(t, foldsQuery+"&folds=20"), runtest.ReadTable(t, foldsQuery, runtest.Interacting(40, nil)))
	assert.Equal(t, "SplitError", message.Kind(err), "before anything is trained")
}

// The oracle: the library's plan and logistic ridge in a plain loop over the folds.
func TestEachFoldCalibratesWhatIsFittedWithoutIt(t *testing.T) {
	const query = "source=table&target=churned&models=ifm&ranks=2&lambdaf=30,3&lambdaw=0.3,30&encode=linear&iterations=20&folds=3"
	s, table := runtest.Parse(t, query), runtest.ReadTable(t, query, customers(300, nil))
	run, records := runtest.Train(t, query, 0, table)
	require.Equal(t, 2, records[len(records)-1].Rank)
	c := runtest.Result(t, run.Classes)
	base := runtest.Result(t, run.Baselines)

	plan := must(roles.NewPlan(table, roles.Settings{Target: "churned", Rare: s.Rare, Split: "random"}))
	split := plan.Split(trial.Stream(s.Seed, 0, trial.StreamSplit))
	folds := must(plan.CrossValidation(split, 3, trial.Stream(s.Seed, 0, trial.StreamFolds)))
	encoding, _, err := encode.Encoding(plan, split.MergeValidation())
	require.NoError(t, err)
	var f, y []float64
	for _, fold := range folds {
		part, held := encode.Part(plan, encoding, fold.Train), encode.Part(plan, encoding, fold.Valid)
		fit := must(must(linear.NewLogistic(part.Z, part.Y, nil)).Fit(base.Lambda * 240))
		own := make([]float64, len(held.Y))
		fit.Predict(own, held.Z)
		f, y = append(f, own...), append(y, held.Y...)
	}
	want := platt(f, y)
	got := c.Ridge.Calibration
	assert.Equal(t, 240, got.Rows, "all rows but the test rows")
	assert.InEpsilon(t, want.Slope, got.Slope, 1e-9)
	assert.InDelta(t, want.Offset, got.Offset, 1e-9)
	assert.Equal(t, want.Used, got.Used)
	assert.Equal(t, 240, c.Model.Calibration.Rows)
	assert.NotEqual(t, got.Slope, c.Model.Calibration.Slope, "the model has its own")

	other := must(core.OpenCrossValidated(s, 0, table, must(assess.CrossValidate(s, 0, table, atOnce, nil))))
	runtest.Finish(t, other)
	assert.Equal(t, c, runtest.Result(t, other.Classes), "whoever trained the folds")
}

// The fits without a fold, which calibrate, draw their factors from a stream of their own.
func TestACalibrationOverFoldsHasTheSameNumbersEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	text := tabletest.File("x1,x2,y", 300, func(int) string { // arithmetic that rounds alike, unlike that of exponentials
		x1, x2, class := rng.Float64()-.5, rng.Float64()-.5, "no"
		if x1/4+float64(x1*x2)+.2*(rng.Float64()-.5) > 0 {
			class = "yes"
		}
		return strconv.FormatFloat(x1, 'g', -1, 64) + "," + strconv.FormatFloat(x2, 'g', -1, 64) + "," + class
	})
	const query = "source=table&target=y&models=ifm&folds=3&ranks=1&lambdaf=1&lambdaw=3&iterations=4&encode=linear"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, text))
	require.Equal(t, 1, runtest.Result(t, run.Best).Rank)
	got := runtest.Result(t, run.Classes).Model.Calibration
	assert.Equal(t, 240, got.Rows)
	assert.InEpsilon(t, 1.041320818643246, got.Slope, 1e-9, "exponentials round in their own ways")
	assert.InEpsilon(t, .03106302538180, got.Offset, 1e-9)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// visits is a table of patients who come again: what tells a patient from others,
// and says nothing of new ones, is in each visit.
func visits(n int) string {
	rng := rand.New(rand.NewPCG(41, 42))
	effect := make([]float64, 30)
	for i := range effect {
		effect[i] = rng.NormFloat64()
	}
	return tabletest.File("patient,day,level,dose,y", n, func(day int) string {
		i, dose := rng.IntN(30), rng.NormFloat64()
		return fmt.Sprintf("p%[1]d,%[2]d,l%[1]d,%.5[3]g,%.5[4]g", i, day*day, dose, effect[i]+.3*dose+.1*rng.NormFloat64())
	})
}

func TestTrialsDrawOtherGroupsAndTheSameTimes(t *testing.T) {
	const query = "source=table&target=y&trials=2&models=ifm&iterations=2&ranks=2&lambdas=0.1&by="
	table := runtest.ReadTable(t, query, visits(300))
	lines := func(link string, trial int) []int {
		run, _ := runtest.Train(t, link, trial, table)
		p := runtest.Result(t, run.Predictions)
		return p.Line
	}
	notice := "all 2 trials have the same rows, because a split by time is fixed; only the starting values differ"
	assert.Equal(t, lines(query+"day&split=time", 0), lines(query+"day&split=time", 1))
	assert.NotEqual(t, lines(query+"patient&split=group", 0), lines(query+"patient&split=group", 1))
	for link, told := range map[string]bool{query + "day&split=time": true, query + "day&split=time&trials=1": false, query + "patient&split=group": false, query + "day": false} {
		p := must(task.NewPlan(runtest.Parse(t, link), table))
		assert.Equal(t, told, strings.Contains(strings.Join(p.Notes.Texts(), "\n"), notice), link)
		assert.Equal(t, 300, p.Train+p.Valid+p.Test)
	}
	p := must(task.NewPlan(runtest.Parse(t, query+"day&split=time"), table))
	assert.Equal(t, []int{180, 60, 60}, []int{p.Train, p.Valid, p.Test})
	assert.Equal(t, roles.SplitRule{Kind: roles.SplitTime, By: "day"}, p.SplitRule)

	_, err := task.NewPlan(runtest.Parse(t, query+"y&split=group"), table)
	assert.Equal(t, "SplitError", message.Kind(err))
}
