//go:build js && wasm

package main

import (
	"math"
	"math/rand/v2"
	"strconv"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/tabletest"
)

// leavers is a table of who left, which a product tells.
func leavers(rows int) string {
	rng := rand.New(rand.NewPCG(71, 1))
	return tabletest.File("calls,months,churned", rows, func(int) string {
		x, z := rng.NormFloat64(), rng.NormFloat64()
		return strconv.FormatFloat(x, 'f', 4, 64) + "," + strconv.FormatFloat(z, 'f', 4, 64) + "," + map[bool]string{true: "yes", false: "no"}[rng.Float64() < 1/(1+math.Exp(-2*x*z-x))]
	})
}

func TestClassesCrossWithAllThatIsSaidOfThem(t *testing.T) {
	p := open(t)
	content := leavers(500)
	table := p.read("t.csv", content, len(content)).Get("result").Get("table").Int()
	const query = "source=table&target=churned&models=ifm&ranks=2&lambdaf=30,3&iterations=20"
	plan := p.call("plan", map[string]any{"table": table, "query": query})
	assert.Equal(t, "log-loss", plan.Get("measure").String())
	assert.Equal(t, "no,yes", plan.Get("classes").Call("join").String())
	started := p.call("start", map[string]any{"query": query, "cell": 0, "table": table})
	assert.Equal(t, "log-loss", started.Get("measure").String())
	assert.Equal(t, "no,yes", started.Get("classes").Call("join").String())
	assert.Equal(t, "log-odds of churned = yes", started.Get("quantity").String())
	run := started.Get("run").Int()
	e := p.fails(p.invoke("call", "classes", map[string]any{"run": run}))
	assert.Contains(t, e.Get("message").String(), "no model yet")
	assert.True(t, math.IsNaN(p.call("next", map[string]any{"run": run, "ms": 0}).Get("final").Float()), "there is more to come")
	final := p.call("next", map[string]any{"run": run, "ms": 1e5}).Get("final").Float()

	classes := p.call("classes", map[string]any{"run": run})
	require.Equal(t, 2, classes.Get("metrics").Length(), "trees are not grown")
	p.call("trees", map[string]any{"run": run, "ms": 1e5})
	classes = p.call("classes", map[string]any{"run": run})
	assert.Equal(t, "no,yes", classes.Get("names").Call("join").String())
	assert.Equal(t, 100, classes.Get("counts").Index(0).Int()+classes.Get("counts").Index(1).Int())
	predictions := p.call("predictions", map[string]any{"run": run})
	told := classes.Get("metrics")
	require.Equal(t, 3, told.Length())
	for i, whose := range []string{"model", "ridge", "trees"} {
		one := told.Index(i)
		assert.Equal(t, whose, one.Get("whose").String())
		assert.Greater(t, one.Get("auc").Float(), .6)
		assert.Greater(t, one.Get("brier").Float(), 0.)
		roc, reliability := one.Get("roc"), one.Get("reliability")
		points := roc.Get("threshold").Length()
		assert.Equal(t, []int{points, points}, []int{roc.Get("falsePositive").Length(), roc.Get("truePositive").Length()})
		assert.True(t, math.IsInf(roc.Get("threshold").Index(0).Float(), 1))
		assert.Equal(t, 201, one.Get("onesFrom").Length())
		assert.Equal(t, classes.Get("counts").Index(1).Int(), one.Get("onesFrom").Index(0).Int(), "all have 0 or more")
		assert.Equal(t, classes.Get("counts").Index(0).Int(), one.Get("zerosFrom").Index(0).Int())
		assert.Equal(t, 5, reliability.Get("rows").Length())
		assert.Equal(t, "Float64Array", reliability.Get("share").Get("constructor").Get("name").String())
		calibration := one.Get("calibration")
		assert.Equal(t, 100, calibration.Get("rows").Int())
		assert.Greater(t, calibration.Get("slope").Float(), 0.)
		shown := calibration.Get("plain").Float()
		if calibration.Get("used").Bool() {
			shown = calibration.Get("fitted").Float()
		}
		assert.Equal(t, shown, one.Get("logLoss").Float())
	}
	assert.Equal(t, predictions.Get("error").Float(), final)
	assert.InDelta(t, predictions.Get("error").Float(), told.Index(0).Get("logLoss").Float(), 1e-15)

	file := p.call("model", map[string]any{"run": run}).Get("bytes")
	is := p.call("describe", map[string]any{"model": file})
	assert.Equal(t, "no,yes", is.Get("classes").Call("join").String())
	assert.Equal(t, "log-loss", is.Get("measure").String())

	squared := p.call("start", map[string]any{"query": query + "&loss=squared", "cell": 0, "table": table})
	assert.Equal(t, "rmse", squared.Get("measure").String())
	assert.Equal(t, js.TypeNull, squared.Get("classes").Type())
	p.call("next", map[string]any{"run": squared.Get("run").Int(), "ms": 1e5})
	p.refuses("NoClassesError", "classes", map[string]any{"run": squared.Get("run").Int()})
}

func TestMoreThanTwoClassesCrossWithTheirMatricesAndProbabilities(t *testing.T) {
	p := open(t)
	rng := rand.New(rand.NewPCG(72, 1))
	text := tabletest.File("a,b,kind", 400, func(int) string {
		x, z := rng.NormFloat64(), rng.NormFloat64()
		kind := []string{"low", "mid", "top"}[min(2, max(0, int(1.5+x*z+.3*rng.NormFloat64())))]
		return strconv.FormatFloat(x, 'f', 4, 64) + "," + strconv.FormatFloat(z, 'f', 4, 64) + "," + kind
	})
	table := p.read("t.csv", text, len(text)).Get("result").Get("table").Int()
	const query = "source=table&target=kind&models=ifm&ranks=2&lambdaf=3&iterations=20"
	run := p.call("start", map[string]any{"query": query, "cell": 0, "table": table}).Get("run").Int()
	p.call("next", map[string]any{"run": run, "ms": 1e5})
	classes, predictions := p.call("classes", map[string]any{"run": run}), p.call("predictions", map[string]any{"run": run})
	assert.Equal(t, "low,mid,top", classes.Get("names").Call("join").String())
	confusion, model := classes.Get("metrics").Index(0).Get("confusion"), p.call("model", map[string]any{"run": run}).Get("bytes")
	want := make([]float64, 9) // from the probabilities, row by row
	for i := range predictions.Get("line").Length() {
		likeliest := 0
		for c := range 3 {
			if predictions.Get("probabilities").Index(3*i+c).Float() > predictions.Get("probabilities").Index(3*i+likeliest).Float() {
				likeliest = c
			}
		}
		actual := predictions.Get("actual").Index(i).Int()
		want[3*actual+likeliest]++
		assert.Equal(t, predictions.Get("probabilities").Index(3*i+actual).Float(), predictions.Get("predicted").Index(i).Float(), "that of the row's own class")
	}
	for i, rows := range want {
		assert.Equal(t, rows, confusion.Index(i).Float())
	}
	matrix := func(class int) js.Value {
		return p.call("describe", map[string]any{"model": model, "class": class}).Get("interaction").Get("values")
	}
	assert.NotEqual(t, matrix(0).Index(1).Float(), matrix(2).Index(1).Float(), "each class has a matrix")
	predicted := p.call("predict", map[string]any{"table": table, "model": model})
	all := predicted.Get("probabilities")
	assert.Equal(t, 1200, all.Length())
	assert.InDelta(t, 1, all.Index(0).Float()+all.Index(1).Float()+all.Index(2).Float(), 1e-12)
	explained := p.call("explain", map[string]any{"table": table, "model": model, "line": 2, "changes": []any{}}).Get("after")
	class := explained.Get("class").Int()
	assert.Equal(t, predicted.Get("predicted").Index(0).Float(), explained.Get("raw").Float())
	assert.Equal(t, all.Index(class).Float(), explained.Get("raw").Float())
	assert.Equal(t, "score of kind = "+[]string{"low", "mid", "top"}[class], explained.Get("quantity").String())
}
