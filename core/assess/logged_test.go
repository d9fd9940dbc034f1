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

	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/linear"
	"ifmlab/core/runtest"
	"ifmlab/core/tabletest"
	"ifmlab/core/trial"
)

// sold is a table of prices: what acts on them multiplies or adds up, as price says.
func sold(n int, price func(f, noise float64) float64) string {
	rng := rand.New(rand.NewPCG(11, 12))
	return tabletest.File("size,age,place,price", n, func(int) string {
		size, age, place := rng.NormFloat64(), rng.Float64(), rng.IntN(3)
		f := .3*size - age + .5*float64(place) + .3*size*age
		return fmt.Sprintf("%v,%v,p%d,%v", size, age, place, price(f, rng.NormFloat64()))
	})
}

func multiplied(f, noise float64) float64 { return 100 * math.Exp(f+.3*noise) }
func added(f, noise float64) float64      { return 100 + 10*(f+.3*noise) }
func counted(f, noise float64) float64    { return math.Floor(5 * math.Exp(f+.3*noise)) }

// byHand writes the target, the last cell of each row, as its logarithm.
func byHand(t *testing.T, text string, log func(float64) float64) string {
	header, rows, _ := strings.Cut(text, "\n")
	for row := range strings.Lines(rows) {
		at := strings.LastIndexByte(row, ',') + 1
		y := must(strconv.ParseFloat(strings.TrimSpace(row[at:]), 64))
		header += "\n" + row[:at] + strconv.FormatFloat(log(y), 'g', -1, 64)
	}
	return header + "\n"
}

func rmseOf(f, y []float64) float64 {
	sum := 0.0
	for i := range f {
		sum += (f[i] - y[i]) * (f[i] - y[i])
	}
	return math.Sqrt(sum / float64(len(f)))
}

func TestALogarithmIsLearntAsByHand(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=8&ranks=2&lambdaf=10&lambdaw=3&encode=hats"
	for name, c := range map[string]struct {
		text     string
		log, exp func(float64) float64
		learnt   string
	}{
		"prices": {sold(200, multiplied), math.Log, math.Exp, "log(price)"},
		"counts": {sold(200, counted), math.Log1p, math.Expm1, "log(1 + price)"},
	} {
		t.Run(name, func(t *testing.T) {
			raw, logs := runtest.ReadTable(t, query, c.text), runtest.ReadTable(t, query, byHand(t, c.text, c.log))
			run, hand := runtest.Open(t, query+"&log=yes", 0, raw), runtest.Open(t, query, 0, logs)
			assert.Equal(t, c.learnt, run.Quantity())
			assert.Equal(t, "price", run.Target())
			rows := must(run.Rows().WithHats(run.Source()))
			target := &rows.Encoding.Target
			kept := 0
			for !run.Done() {
				r := runtest.Result(t, run.Next)
				byHand := runtest.Result(t, hand.Next)
				if r.Last && r.Iteration != byHand.Iteration {
					break // the hand's validation rows are logarithms, and choose otherwise
				}
				require.Equal(t, byHand.Iteration, r.Iteration)
				p := runtest.Result(t, run.Predictions)
				q := runtest.Result(t, hand.Predictions)
				for i := range q.Predicted {
					q.Actual[i] = c.exp(q.Actual[i])
					q.Predicted[i] = max(target.Least, min(c.exp(q.Predicted[i]), target.Most))
					q.Ridge[i] = max(target.Least, min(c.exp(q.Ridge[i]), target.Most))
				}
				assert.InDeltaSlice(t, q.Actual, p.Actual, 1e-9)
				assert.InEpsilon(t, rmseOf(q.Ridge, q.Actual), rmseOf(p.Ridge, p.Actual), 1e-9)
				if r.Lead != byHand.Lead {
					continue
				}
				kept++
				assert.InDeltaSlice(t, q.Predicted, p.Predicted, 1e-6, "a logarithm's last digit, a hundredfold and through as many steps")
				assert.InEpsilon(t, rmseOf(q.Predicted, q.Actual), p.Error, 1e-9)
				assert.Equal(t, q.Line, p.Line)
			}
			assert.GreaterOrEqual(t, kept, 3)
		})
	}
}

func TestEveryBaselineOfALogarithmIsJudgedInUnitsOfTheTarget(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=2&ranks=2&lambdaf=10&lambdaw=300,30,3"
	text := sold(300, multiplied)
	table := runtest.ReadTable(t, query, text)
	run := runtest.Open(t, query+"&log=yes", 0, table)
	rows := run.Rows()
	base := runtest.Result(t, run.Baselines)

	fits := must(linear.NewRidge(rows.Train.Z, rows.Train.Y))
	lowest, lambda := math.Inf(1), 0.
	raised := func(fit linear.Fit, p design.Part) float64 {
		f := make([]float64, len(p.Y))
		fit.Predict(f, p.Z)
		for i, y := range f {
			f[i] = math.Exp(y * rows.Encoding.Target.Scale)
		}
		return rmseOf(f, p.Raw)
	}
	for _, l := range []float64{300, 30, 3} {
		fit := must(fits.Fit(l))
		if valid := raised(fit, rows.Valid); valid < lowest {
			lowest, lambda = valid, l
		}
	}
	rows = runtest.Result(t, func() (*trial.Trial, error) { return rows.Refit(run.Source(), false) })
	assert.Len(t, rows.Train.Y, 240)
	fit := must(must(linear.NewRidge(rows.Train.Z, rows.Train.Y)).Fit(lambda))
	assert.Equal(t, lambda/240, base.Lambda)
	assert.InEpsilon(t, raised(fit, rows.Test), base.Ridge, 1e-9)
	plain := must(runtest.Open(t, query, 0, table).Baselines())
	assert.InEpsilon(t, plain.Mean, base.Mean, 1e-12, "the mean stays that of the prices")

	runtest.Finish(t, run)
	p := runtest.Result(t, run.Predictions)
	quadratic := runtest.Result(t, run.Quadratic)
	assert.InEpsilon(t, rmseOf(quadratic.Predicted, p.Actual), quadratic.Error, 1e-12)
	trees := runtest.Grow(t, run)
	assert.InEpsilon(t, rmseOf(trees.Predicted, p.Actual), trees.Error, 1e-12)
	for _, rmse := range []float64{base.Ridge, quadratic.Error, trees.Error, p.Error} {
		assert.Less(t, rmse, base.Mean)
		assert.Greater(t, rmse, .1*base.Mean, "no logarithms are off by so much")
	}
}

func TestARowFarBeyondTheOthersIsNotRaisedToInfinity(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=8&ranks=2&lambdaf=1&log=yes&encode=linear"
	text := sold(200, multiplied)
	_, kept := runtest.Save(t, query, runtest.ReadTable(t, query, text))
	p := must(kept.Predict(runtest.ReadTable(t, query, "size,age,place,price\n1e140,0,p2,100\n-1e140,1,p0,100\n1e140,1e140,p2,100\n")))
	for _, v := range p.Predicted {
		assert.GreaterOrEqual(t, v, kept.Encoding.Target.Least)
		assert.LessOrEqual(t, v, kept.Encoding.Target.Most)
	}
	assert.Equal(t, kept.Encoding.Target.Most, p.Predicted[0])
	assert.Contains(t, strings.Join(p.Notes.Texts(), "\n"), "price would be predicted beyond")
	assert.Zero(t, p.SkippedCount)
}

func TestTheLogarithmIsOfferedWhereWhatActsMultiplies(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=3&ranks=2&lambdaf=10"
	logged := func(query, text string) assess.Logged {
		run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, text))
		return runtest.Result(t, run.Logged)
	}
	l := logged(query, sold(400, multiplied))
	assert.True(t, l.Pays, "%+v", l)
	assert.Equal(t, "log(price)", l.Quantity)
	back := logged(query+"&log=yes", sold(400, multiplied))
	assert.Equal(t, l.Quantity, back.Quantity)
	assert.InEpsilonSlice(t, []float64{l.Plain, l.Log, l.By}, []float64{back.Plain, back.Log, back.By}, 1e-6, "whichever of the two is trained on")
	assert.True(t, back.Pays)

	l = logged(query, sold(400, added))
	assert.False(t, l.Pays, "%+v", l)
	assert.Equal(t, "log(price)", l.Quantity)
	assert.Positive(t, l.Plain)
	assert.Equal(t, "log(1 + price)", logged(query, sold(400, counted)).Quantity)
	assert.Zero(t, logged(query, sold(400, func(f, noise float64) float64 { return f + noise })), "some are negative")
	assert.Zero(t, logged(query, sold(400, func(f, noise float64) float64 { return math.Copysign(1, f+noise) })), "there are two values")
	run, _ := runtest.Train(t, "d=5&n=50&iterations=2", 0, nil)
	assert.Zero(t, runtest.Result(t, run.Logged), "there is no table")
}

func TestTheOfferIsWhatRidgeReachesOnValidationRows(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=3&ranks=2&lambdaf=10&encode=linear"
	table := runtest.ReadTable(t, query, sold(400, multiplied))
	run := runtest.Open(t, query, 0, table)
	l := runtest.Result(t, run.Logged)
	for log, want := range map[string]float64{"": l.Plain, "&log=yes": l.Log} {
		_, records := runtest.Train(t, query+log, 0, table)
		require.Zero(t, records[0].Rank, "ridge comes first")
		assert.InEpsilon(t, want, records[0].Valid, 1e-9, log)
	}
}

func TestALogarithmThatChanceMayExplainIsNotOffered(t *testing.T) {
	const query = "source=table&target=price&models=ifm&iterations=1&ranks=1&lambdaf=10&encode=linear"
	text := sold(150, func(f, noise float64) float64 { return 100 * math.Exp(.6*(f+.3*noise)) })
	l := must(runtest.Open(t, query, 0, runtest.ReadTable(t, query, text)).Logged())
	assert.Less(t, l.Log, .8*l.Plain, "it gains much")
	assert.InDelta(t, 1.9, l.By, .05, "and by less than two standard errors")
	assert.False(t, l.Pays)
}
