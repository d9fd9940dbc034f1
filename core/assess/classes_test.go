package assess_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
	"ifmlab/core/train"
)

// customers is a table of who left: the log-odds of yes are a·b and a slope.
func customers(n int, edit func(row int, cells []string)) string {
	rng := rand.New(rand.NewPCG(21, 22))
	return tabletest.File("calls,months,plan,churned", n, func(i int) string {
		calls, months, plan := rng.NormFloat64(), rng.NormFloat64(), rng.IntN(3)
		f := 2*calls*months + calls - .5*float64(plan)
		cells := []string{strconv.FormatFloat(calls, 'f', 4, 64), strconv.FormatFloat(months, 'f', 4, 64), []string{"basic", "family", "pro"}[plan], "no"}
		if rng.Float64() < 1/(1+math.Exp(-f)) {
			cells[3] = "yes"
		}
		if edit != nil {
			edit(i, cells)
		}
		return strings.Join(cells, ",")
	})
}

const leavers = "source=table&target=churned&models=fm,gfm,ifm&ranks=2&lambdaf=30,3&iterations=40"

// slowLoss is the mean log-loss from its definition.
func slowLoss(p, y []float64) (sum float64) {
	for i, v := range y {
		sum -= v*math.Log(p[i]) + (1-v)*math.Log(1-p[i])
	}
	return sum / float64(len(y))
}

func TestATargetOfTwoValuesIsPredictedAsAProbability(t *testing.T) {
	table := runtest.ReadTable(t, leavers, customers(800, nil))
	for cell := range 3 {
		run, records := runtest.Train(t, leavers, cell, table)
		assert.Equal(t, measure.LogLoss, run.Measure())
		assert.Equal(t, []string{"no", "yes"}, run.ClassNames())
		assert.Equal(t, "log-odds of churned = yes", run.Quantity())
		base := runtest.Result(t, run.Baselines)
		q := runtest.Result(t, run.Quadratic)
		grown := runtest.Grow(t, run)
		p := runtest.Result(t, run.Predictions)

		actual := p.Actual
		share := run.Leading().Encoding.Target.Mean
		constant := make([]float64, len(actual))
		for i := range constant {
			constant[i] = share
			assert.Contains(t, []float64{0, 1}, actual[i])
			for _, v := range []float64{p.Predicted[i], p.Ridge[i], q.Predicted[i], grown.Predicted[i]} {
				assert.True(t, 0 < v && v < 1, "%g", v)
			}
		}
		assert.InEpsilon(t, slowLoss(constant, actual), base.Mean, 1e-12, "the share of the training and validation rows for all")
		assert.InEpsilon(t, slowLoss(p.Ridge, actual), base.Ridge, 1e-12)
		assert.InEpsilon(t, slowLoss(p.Predicted, actual), p.Error, 1e-12)
		assert.InEpsilon(t, slowLoss(q.Predicted, actual), q.Error, 1e-12)
		assert.InEpsilon(t, slowLoss(grown.Predicted, actual), grown.Error, 1e-12)
		assert.Less(t, p.Error, .9*base.Ridge, "the truth has a product")
		assert.Less(t, q.Error, .9*base.Ridge)
		assert.Less(t, grown.Error, base.Ridge)

		first := records[0]
		assert.Zero(t, first.Rank)
		assert.Equal(t, runtest.Result(t, run.Rows().Ridge).Test, first.Test, "als begins with ridge")
		lowest := slices.MinFunc(records, func(a, b train.Record) int {
			return map[bool]int{true: -1, false: 1}[a.Valid < b.Valid || math.IsNaN(b.Valid)]
		})
		c := runtest.Result(t, run.Classes)
		last := records[len(records)-1]
		assert.Equal(t, []any{lowest.Candidate, lowest.Iteration}, []any{last.Candidate, last.Iteration}, "the best record on validation rows is kept")
		assert.InEpsilon(t, last.Test, c.Model.LogLoss, 1e-12)
		records = runtest.Choice(records)
		for i := 1; i < len(records); i++ {
			if records[i].Candidate == records[i-1].Candidate && records[i].Rank > 0 && records[i].Iteration > 1 {
				assert.LessOrEqual(t, records[i].Train, records[i-1].Train*1.02, "the objective falls, and all but the penalty's share of it is the log-loss")
			}
		}
	}
}

func TestClassesAreJudgedAsBySlowDefinitions(t *testing.T) {
	run, _ := runtest.Train(t, leavers, 2, runtest.ReadTable(t, leavers, customers(900, nil)))
	runtest.Grow(t, run)
	c := runtest.Result(t, run.Classes)
	p := runtest.Result(t, run.Predictions)
	grown := runtest.Result(t, run.Trees)
	assert.Equal(t, []string{"no", "yes"}, c.Names)
	assert.Equal(t, len(p.Actual), c.Rows[0]+c.Rows[1])
	assert.InDelta(t, c.Share, float64(c.Rows[1])/float64(len(p.Actual)), 1/float64(len(p.Actual)), "splits keep it")
	require.NotNil(t, c.Trees)
	require.False(t, c.Ridge.Calibration.Used || c.Trees.Calibration.Used, "their probabilities are those of the other answers")
	for _, of := range []struct {
		told assess.ClassMetrics
		p    []float64
	}{{c.Model, p.Predicted}, {c.Ridge, p.Ridge}, {*c.Trees, grown.Predicted}} {
		told, p, y := of.told, of.p, p.Actual
		assert.InEpsilon(t, slowLoss(p, y), told.LogLoss, 1e-12)
		brier, pairs, order, right := 0.0, 0.0, 0.0, 0.0
		for i := range y {
			if p[i] >= .5 == (y[i] == 1) {
				right++
			}
			brier += (p[i] - y[i]) * (p[i] - y[i]) / float64(len(y))
			for j := range y {
				if y[i] == 1 && y[j] == 0 {
					pairs++
					if p[i] > p[j] {
						order++
					} else if p[i] == p[j] {
						order += .5
					}
				}
			}
		}
		assert.InEpsilon(t, brier, told.Brier, 1e-12)
		assert.InEpsilon(t, right/float64(len(y)), told.Accuracy, 1e-12)
		assert.InEpsilon(t, order/pairs, told.AUC, 1e-12)
		for k := range assess.Thresholds + 1 {
			var ones, zeros float64
			for i := range y {
				if p[i] >= float64(k)/assess.Thresholds {
					ones += y[i]
					zeros += 1 - y[i]
				}
			}
			assert.Equal(t, [2]float64{ones, zeros}, [2]float64{told.Ones[k], told.Zeros[k]}, "threshold %d", k)
		}

		// gonum's ROC, of scores that rise and from (0, 0) on, has every cutoff.
		scores, classes := slices.Clone(p), make([]bool, len(y))
		for i := range y {
			classes[i] = y[i] == 1
		}
		stat.SortWeightedLabeled(scores, classes, nil)
		tpr, fpr, _ := stat.ROC(nil, scores, classes, nil)
		curve := told.ROC
		require.LessOrEqual(t, len(curve.False), assess.MostROC)
		assert.Equal(t, [3]float64{0, 0, math.Inf(1)}, [3]float64{curve.False[0], curve.True[0], curve.Threshold[0]})
		last := len(curve.False) - 1
		assert.Equal(t, [2]float64{1, 1}, [2]float64{curve.False[last], curve.True[last]})
		area := 0.0
		for i, x := range curve.False {
			at := slices.IndexFunc(fpr, func(v float64) bool { return math.Abs(v-x) < 1e-12 })
			require.GreaterOrEqual(t, at, 0)
			found := false
			for j := range fpr {
				found = found || math.Abs(fpr[j]-x) < 1e-12 && math.Abs(tpr[j]-curve.True[i]) < 1e-12
			}
			assert.True(t, found, "(%g, %g) is a point of gonum's curve", x, curve.True[i])
			if i > 0 {
				area += (x - curve.False[i-1]) * (curve.True[i] + curve.True[i-1]) / 2
				assert.Less(t, curve.Threshold[i], curve.Threshold[i-1])
			}
		}
		assert.InDelta(t, told.AUC, area, 1e-12, "fewer than %d corners, so that none was left out", assess.MostROC)

		rows, ones, before := 0, 0.0, 0.0
		require.Len(t, told.Bins, min(10, len(y)/20))
		for _, b := range told.Bins {
			rows += b.Rows
			ones += b.Share * float64(b.Rows)
			assert.InDelta(t, float64(len(y))/float64(len(told.Bins)), b.Rows, 8, "trees predict many rows alike")
			assert.Greater(t, b.Mean, before)
			before = b.Mean
			assert.True(t, b.Low <= b.Share && b.Share <= b.High && b.High-b.Low < .5)
		}
		assert.Equal(t, len(y), rows)
		assert.InDelta(t, c.Rows[1], ones, 1e-9)
	}
}

// Which class is called 1 is a matter of words, but for FM, which has one sign.
func TestSwappedLabelsMirrorProbabilities(t *testing.T) {
	table := runtest.ReadTable(t, leavers, customers(900, nil))
	run, records := runtest.Train(t, leavers, 2, table)
	swapped, mirrored := runtest.Train(t, leavers+"&positive=no", 2, table)
	assert.Equal(t, []string{"yes", "no"}, swapped.ClassNames())
	a := runtest.Result(t, run.Predictions)
	b := runtest.Result(t, swapped.Predictions)
	trees, other := runtest.Grow(t, run), runtest.Grow(t, swapped)
	require.Equal(t, a.Line, b.Line, "the same split")
	for i := range a.Line {
		assert.Equal(t, 1-a.Actual[i], b.Actual[i])
		assert.InDelta(t, 1, a.Ridge[i]+b.Ridge[i], 1e-9, "a Newton step of 1e-12 of the objective ends both")
		assert.InDelta(t, 1, trees.Predicted[i]+other.Predicted[i], 1e-6, "sums of residuals are rounded to whole numbers of a fine grid")
		assert.InDelta(t, 1, a.Predicted[i]+b.Predicted[i], .02, "iFM starts from factors that are not mirrored, and ends where a sweep wins 1e-4")
	}
	assert.Equal(t, records[0].Rank, mirrored[0].Rank)
	assert.InEpsilon(t, records[0].Test, mirrored[0].Test, 1e-9)
	one := runtest.Result(t, run.Classes)
	two := runtest.Result(t, swapped.Classes)
	assert.InDelta(t, one.Ridge.AUC, two.Ridge.AUC, 1e-12)
	assert.InDelta(t, one.Share, 1-two.Share, 1e-12)
}

func TestSeparableClassesAreToldAndStayFinite(t *testing.T) {
	text := customers(300, func(_ int, cells []string) {
		cells[3] = "no"
		if !strings.HasPrefix(cells[0], "-") {
			cells[3] = "yes"
		}
	})
	run, records := runtest.Train(t, leavers+"&lambdaw=0.0000001", 2, runtest.ReadTable(t, leavers, text))
	assert.True(t, slices.ContainsFunc(run.Notes().Texts(), func(n string) bool { return strings.Contains(n, "a linear model separates the classes") }), "%q", run.Notes().Texts())
	for _, r := range records {
		assert.False(t, math.IsInf(r.Train, 0) || math.IsNaN(r.Train) || math.IsInf(r.Test, 0))
	}
	assert.InDelta(t, 1, runtest.Result(t, run.Classes).Model.AUC, 1e-3)
	base := runtest.Result(t, run.Baselines)
	assert.Less(t, base.Ridge, .1*base.Mean)
	_, err := saved.Read(runtest.Result(t, run.Model))
	require.NoError(t, err)

	// A plane parts these, too, and the least penalty that is tried hides it: it leaves
	// rows near the plane on the wrong side.
	near := "a,b,churned\n"
	for i := range 200 {
		a, class := float64(i%100)-49.5, "no"
		if a > 0 {
			class = "yes"
		}
		near += strconv.FormatFloat(a*math.Abs(a), 'f', -1, 64) + "," + strconv.Itoa(i*i%17) + "," + class + "\n"
	}
	run, _ = runtest.Train(t, leavers+"&encode=linear", 2, runtest.ReadTable(t, leavers, near))
	assert.True(t, slices.ContainsFunc(run.Notes().Texts(), func(n string) bool { return strings.Contains(n, "a linear model separates the classes") }), "%q", run.Notes().Texts())

	quiet, _ := runtest.Train(t, leavers, 2, runtest.ReadTable(t, leavers, customers(300, nil)))
	assert.False(t, slices.ContainsFunc(quiet.Notes().Texts(), func(n string) bool { return strings.Contains(n, "separates the classes") }))
}

func TestSquaredLossOfClassesIsStillThere(t *testing.T) {
	const query = leavers + "&loss=squared"
	table := runtest.ReadTable(t, query, customers(500, nil))
	run, _ := runtest.Train(t, query, 2, table)
	assert.Equal(t, measure.RMSE, run.Measure())
	assert.Nil(t, run.ClassNames())
	assert.Equal(t, "churned", run.Quantity())
	_, err := run.Classes()
	require.ErrorAs(t, err, new(*assess.NoClassesError))
	assert.EqualError(t, err, "assess: models of churned learn numbers; choose a target with two classes, and leave loss=auto")
	assert.Equal(t, "NoClassesError", message.Kind(err))
	p := runtest.Result(t, run.Predictions)
	assert.InEpsilon(t, rmseOf(p.Predicted, p.Actual), p.Error, 1e-12)

	for _, solver := range []string{"gauss-newton", "algorithm1"} {
		_, err := core.Open(runtest.Parse(t, leavers+"&solver="+solver), 0, table)
		require.ErrorAs(t, err, new(*train.LossError))
		assert.EqualError(t, err, "train: the solver "+solver+" fits only the squared loss, but churned has two classes; choose als, agd or scaled, or set loss=squared")
		_, err = core.Open(runtest.Parse(t, query+"&solver="+solver), 0, table)
		assert.NoError(t, err)
	}
}

func TestDescentsFitClassesToo(t *testing.T) {
	table := runtest.ReadTable(t, leavers, customers(600, nil))
	for _, query := range []string{"&solver=agd", "&lambdas=0.01", "&solver=scaled&lambdas=0.01", "&solver=auto&lambdas=0.01"} {
		run, records := runtest.Train(t, leavers+query+"&iterations=150", 2, table)
		base := runtest.Result(t, run.Baselines)
		p := runtest.Result(t, run.Predictions)
		assert.InEpsilon(t, slowLoss(p.Predicted, p.Actual), p.Error, 1e-12)
		assert.Less(t, p.Error, base.Ridge, query)
		assert.InEpsilon(t, base.Ridge, records[0].Test, .5, "they start near ridge")
	}
}

func TestAModelOfClassesIsKeptWithItsCalibration(t *testing.T) {
	for _, calibrated := range []bool{false, true} {
		query, text := leavers, customers(900, nil)
		if calibrated { // split by time: what validates, and tests, has the labels of training rows half of the time
			query += "&split=time&by=day"
			rng := rand.New(rand.NewPCG(3, 4))
			lines := strings.Split(strings.TrimSpace(text), "\n")
			for i := range lines {
				cells := strings.Split(lines[i], ",")
				if i > 540 && rng.IntN(2) == 0 {
					cells[3] = []string{"no", "yes"}[rng.IntN(2)]
				}
				lines[i] = strings.Join(cells, ",") + "," + strconv.Itoa(1000+i)
			}
			text = strings.Replace(strings.Join(lines, "\n")+"\n", ",1000\n", ",day\n", 1)
			query += "&ignore=day"
		}
		table := runtest.ReadTable(t, query, text)
		run, _ := runtest.Train(t, query, 2, table)
		c := runtest.Result(t, run.Classes)
		require.Equal(t, calibrated, c.Model.Calibration.Used, "%+v", c.Model.Calibration)
		if calibrated {
			assert.Less(t, c.Model.Calibration.Slope, .9, "rows that are less sure")
			assert.Less(t, c.Model.LogLoss, c.Model.Plain, "test rows are, too")
		}
		p := runtest.Result(t, run.Predictions)
		assert.Equal(t, c.Model.LogLoss, p.Error)
		assert.Equal(t, p.Error, run.TestError())
		kept := must(saved.Read(runtest.Result(t, run.Model)))
		assert.Equal(t, []string{"no", "yes"}, kept.Classes())
		assert.Equal(t, measure.LogLoss, kept.Measure())
		got := must(kept.Predict(table))
		for i, line := range p.Line {
			require.Equal(t, p.Predicted[i], got.Predicted[line-2], "bit for bit")
			require.Equal(t, p.Actual[i], got.Actual[line-2])
		}
		assert.InEpsilon(t, slowLoss(got.Predicted, got.Actual), got.Error, 1e-12)

		e := must(kept.Explain(table, p.Line[0], 3))
		sum := e.Base + e.Rest
		for _, term := range e.Terms {
			sum += term.Value
		}
		assert.InDelta(t, e.Predicted, sum, 1e-12*math.Abs(sum)+1e-12, "log-odds add up")
		assert.InDelta(t, p.Predicted[0], 1/(1+math.Exp(-e.Predicted)), 1e-12)
		assert.Equal(t, p.Predicted[0], e.Raw)

		m := runtest.Result(t, run.Interaction)
		assert.InDeltaSlice(t, m.Eigenvalues, runtest.Result(t, kept.Interaction).Eigenvalues, 1e-12)
	}
}

func TestALargeROCCurveIsThinnedAndAFlatOneIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	n := 5000
	f, y := make([]float64, n), make([]float64, n)
	for i := range f {
		f[i] = rng.NormFloat64()
		if rng.Float64() < 1/(1+math.Exp(-f[i])) {
			y[i] = 1
		}
	}
	told := assess.Metrics(f, y, nil, measure.Calibration{Slope: 1})
	assert.Len(t, told.ROC.False, assess.MostROC)
	area := 0.0
	for i := 1; i < len(told.ROC.False); i++ {
		area += (told.ROC.False[i] - told.ROC.False[i-1]) * (told.ROC.True[i] + told.ROC.True[i-1]) / 2
	}
	assert.InDelta(t, told.AUC, area, .002, "a two-hundredth of the curve is one corner")
	assert.Len(t, told.Bins, 10)

	flat := assess.Metrics(make([]float64, 50), y[:50], nil, measure.Calibration{Slope: 1})
	assert.Equal(t, .5, flat.AUC, "ties count half")
	assert.Equal(t, []float64{0, 1}, flat.ROC.False)
	assert.Len(t, flat.Bins, 1, "equal probabilities are together")
	pairs := assess.Metrics([]float64{1, 1, 2, 2, 3, 3}, []float64{0, 1, 0, 1, 0, 1}, nil, measure.Calibration{Slope: 1})
	assert.Equal(t, flat.ROC.True, pairs.ROC.True, "points on a line are left out")
	perfect := assess.Metrics(y, y, nil, measure.Calibration{Slope: 1})
	assert.Equal(t, 1., perfect.AUC)
	assert.Equal(t, []float64{0, 0, 1}, perfect.ROC.False)
	lone := assess.Metrics(f[:4], []float64{1, 1, 1, 1}, nil, measure.Calibration{Slope: 1})
	assert.True(t, math.IsNaN(lone.AUC), "there is no pair")
	assert.Equal(t, []float64{0, 0}, lone.ROC.False)
	rows := 0
	for _, b := range told.Bins {
		rows += b.Rows
	}
	assert.Equal(t, n, rows)
}

func platt(f, y []float64) measure.Calibration { return measure.Platt(f, y, nil) }

func TestCalibrationIsFoundAndUsedOnlyBeyondChance(t *testing.T) {
	draw := func(n int, slope, offset float64, seed uint64) (f, y []float64) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f, y = make([]float64, n), make([]float64, n)
		for i := range f {
			f[i] = 2 * rng.NormFloat64()
			if rng.Float64() < 1/(1+math.Exp(-slope*f[i]-offset)) {
				y[i] = 1
			}
		}
		return f, y
	}
	c := platt(draw(20000, .5, -1, 1))
	assert.True(t, c.Used)
	assert.InDelta(t, .5, c.Slope, .03) // four standard errors
	assert.InDelta(t, -1, c.Offset, .1)
	used := 0
	for seed := range uint64(200) {
		if platt(draw(150, 1, 0, seed)).Used {
			used++
		}
	}
	assert.InDelta(t, 10, used, 10, "5 in 100 of what is calibrated: two standard errors of 200 are 6, and rows are few")
	f, y := draw(200, -1, 0, 1)
	turned := platt(f, y)
	assert.Less(t, turned.Slope, 0.)
	assert.False(t, turned.Used, "which would turn the order of rows round")
	assert.Equal(t, measure.Calibration{Slope: 1}, platt(f, make([]float64, 200)), "of one class nothing is known")
	apart := platt([]float64{-3, -2, -1, 1, 2, 3}, []float64{0, 0, 0, 1, 1, 1})
	assert.Less(t, apart.Slope, 10., "separable rows do not run away")
	same := platt(make([]float64, 6), []float64{0, 0, 0, 1, 1, 1})
	assert.False(t, same.Used)
}

// quadrants is a table whose class is the sign of a product, or one of a third column.
func quadrants(n int, names [3]string, edit func(row int, cells []string)) string {
	rng := rand.New(rand.NewPCG(6, 1))
	return tabletest.File("a,b,c,colour,kind", n, func(i int) string {
		x, y, z := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		class, noise := 0, rng.NormFloat64()
		switch {
		case z+.3*noise > .8:
			class = 2
		case x*y+.3*noise > 0:
			class = 1
		}
		cells := []string{strconv.FormatFloat(x, 'f', 4, 64), strconv.FormatFloat(y, 'f', 4, 64), strconv.FormatFloat(z, 'f', 4, 64), []string{"red", "blue"}[i%2], names[class]}
		if edit != nil {
			edit(i, cells)
		}
		return strings.Join(cells, ",")
	})
}

const kinds = "source=table&target=kind&models=fm,gfm,ifm&ranks=2&lambdaf=10,1&encode=linear&iterations=30&trials=1"

func TestManyClassesArePredictedAsProbabilitiesAndInteractionsPay(t *testing.T) {
	table := runtest.ReadTable(t, kinds, quadrants(600, [3]string{"x", "y", "z"}, nil))
	for cell := range 3 {
		run, records := runtest.Train(t, kinds, cell, table)
		p := runtest.Result(t, run.Predictions)
		require.Len(t, p.Probabilities, 3*len(p.Actual))
		sum := 0.0
		for i, class := range p.Actual {
			row := p.Probabilities[3*i:][:3]
			assert.InDelta(t, 1, row[0]+row[1]+row[2], 1e-14)
			assert.Equal(t, row[int(class)], p.Predicted[i], "of the row's own class")
			sum -= math.Log(p.Predicted[i]) / float64(len(p.Actual))
		}
		assert.InEpsilon(t, sum, p.Error, 1e-12)
		assert.Equal(t, measure.LogLoss, run.Measure())
		base := runtest.Result(t, run.Baselines)
		assert.Less(t, p.Error, .8*base.Ridge, "a product tells two of the classes: %s", run.Cell().Model)
		assert.Less(t, base.Ridge, base.Mean)
		assert.NotEmpty(t, records)
		c := runtest.Result(t, run.Classes)
		assert.Equal(t, []string{"x", "y", "z"}, c.Names)
		assert.InDelta(t, p.Error, c.Model.LogLoss, 1e-12)
		right, all := 0.0, 0.0
		for class, counts := range c.Model.Confusion {
			own := 0.0
			for _, n := range counts {
				own += n
			}
			assert.Equal(t, c.Count[class], own)
			right, all = right+counts[class], all+own
		}
		assert.InDelta(t, right/all, c.Model.Accuracy, 1e-12)
		assert.Greater(t, c.Model.AUC, c.Ridge.AUC)
		assert.NotEmpty(t, c.Model.Bins)
		grown := runtest.Grow(t, run)
		assert.Less(t, grown.Error, base.Ridge)
		require.NotNil(t, grown.Metrics)
		assert.InDelta(t, grown.Error, grown.Metrics.LogLoss, 1e-12)
		sum = 0
		for _, p := range grown.Predicted {
			sum -= math.Log(p) / float64(len(grown.Predicted))
		}
		assert.InEpsilon(t, sum, grown.Error, 1e-9)
		_, err := run.Pairs()
		assert.EqualError(t, err, "assess: the test of pairs needs a target of numbers or two classes; kind has 3 classes")
		_, err = run.Quadratic()
		assert.ErrorAs(t, err, new(*assess.ManyClassesError))
		search, err := run.Intervals()
		for err == nil && !search.Done() {
			err = search.Next()
		}
		assert.EqualError(t, err, "assess: kind has classes, for which there are no intervals; use the predicted probabilities instead")
	}
}

func TestAClassWithoutTrainingRowsCountsAsHalfARowWithoutFeatures(t *testing.T) {
	query := kinds + "&split=time&by=a"
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, quadrants(200, [3]string{"x", "y", "z"}, func(row int, cells []string) {
		if cells[0] = strconv.Itoa(row); row > 190 {
			cells[4] = "new"
		}
	})))
	const half = .5 / 160 // of the training and validation rows
	sum, actual, shares := 0.0, runtest.Result(t, run.Predictions).Actual, run.Leading().Encoding.Target.Shares
	for _, class := range actual {
		sum -= math.Log(max(shares[int(class)], half) / (1 + half))
	}
	assert.InEpsilon(t, sum/float64(len(actual)), runtest.Result(t, run.Baselines).Mean, 1e-12)
}

func TestAModelOfManyClassesReadsBackAndPredictsTheTestRows(t *testing.T) {
	text := quadrants(400, [3]string{"x", "y", "z"}, func(row int, cells []string) {
		if row%50 == 3 {
			cells[0] = ""
		}
	})
	for _, query := range []string{kinds, kinds + "&folds=3", strings.Replace(kinds, "linear", "auto", 1)} {
		table := runtest.ReadTable(t, query, text)
		run, model := runtest.Save(t, query, table)
		assert.Equal(t, []string{"x", "y", "z"}, model.Classes())
		p := runtest.Result(t, run.Predictions)
		said := must(model.Predict(table))
		for i, line := range p.Line {
			row := said.Probabilities[3*(line-2):][:3]
			assert.InDeltaSlice(t, p.Probabilities[3*i:][:3], row, 1e-12)
			assert.Equal(t, p.Actual[i], said.Actual[line-2])
		}
		assert.Positive(t, said.Error)
		assert.Equal(t, 400, said.Compared)
		c := run.Calibration()
		assert.Positive(t, c.Rows, "rows that have not trained calibrate: %s", query)
	}
}
