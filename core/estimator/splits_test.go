package estimator_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/estimator"
)

func TestOtherSplitsAreTrialsOfTheSameSettings(t *testing.T) {
	content := must(os.ReadFile("../../web/samples/cars.csv"))
	o := estimator.Default()
	o.Target, o.Ignore, o.Ranks, o.LambdaF, o.LambdaW, o.Encoding = "Miles_per_Gallon", []string{"Name"}, []int{2}, []float64{10}, []float64{10}, "linear"
	table := must(estimator.ReadTable("cars.csv", bytes.NewReader(content), &o))
	f := must(estimator.FitTable(context.Background(), table, &o))
	all := must(f.Splits(context.Background(), 3, nil))
	require.Len(t, all["boosted trees"], 3)
	assert.Equal(t, f.Test().Error, all["ifm"][0])
	s := o.Spec
	s.Trials = 3
	for trial := range 3 {
		run := must(core.Open(s, trial, table))
		for !run.Done() {
			_, err := run.Next()
			require.NoError(t, err)
		}
		assert.Equal(t, must(run.Predictions()).Error, all["ifm"][trial])
		base := must(run.Baselines())
		assert.Equal(t, base.Ridge, all["linear"][trial])
		assert.Equal(t, base.Ridge, all["curves"][trial], "no curves were tried")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.Splits(ended, 3, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTestRowsOfAFileArePredictedAsTheModelPredictsThatFile(t *testing.T) {
	lines := bytes.SplitAfter(must(os.ReadFile("../../web/samples/penguins.csv")), []byte("\n"))
	var files [2]bytes.Buffer
	for i, line := range lines {
		if files[min(1, i%4/3)].Write(line); i == 0 {
			files[1].Write(line)
		}
	}
	second := bytes.Clone(files[1].Bytes())
	ctx := context.Background()
	for _, target := range []string{"Body Mass (g)", "Species"} {
		o := estimator.Default()
		o.Target, o.Ranks, o.LambdaF, o.LambdaW, o.Encoding = target, []int{2}, []float64{10}, []float64{10}, "linear"
		first := must(estimator.ReadTable("first.csv", bytes.NewReader(files[0].Bytes()), &o))
		table := must(estimator.ReadTest(first, "second.csv", bytes.NewReader(second), &o))
		f := must(estimator.FitTable(ctx, table, &o))
		p := must(f.PredictTable(must(f.ReadTable("second.csv", bytes.NewReader(second)))))
		var predicted []float64
		for i, actual := range p.Actual {
			if actual == actual && target != "Species" {
				predicted = append(predicted, p.Predicted[i])
			}
		}
		assert.InDelta(t, f.Test().Error, p.Error, 1e-12)
		assert.Greater(t, len(f.Test().Actual), 80)
		if target != "Species" {
			assert.InDeltaSlice(t, predicted, f.Test().Predicted, 1e-9)
		}
		_, err := f.Splits(ctx, 2, nil)
		var setting *estimator.SettingError
		require.ErrorAs(t, err, &setting)
		assert.ErrorContains(t, err, `splits is "2", expected 1, because the test rows are those of second.csv`)
		assert.Equal(t, f.Test().Error, must(f.Splits(ctx, 1, nil))["ifm"][0])
	}
}

// web/src/training/ratio.test.ts has the same ten splits.
func TestALeadOverSplitsIsOneThatMostSplitsHave(t *testing.T) {
	linear := []float64{4, 4.2, 3.9, 4.1, 4, 4.3, 3.8, 4, 4.1, 4.05}
	all := estimator.Splits{"linear": linear}
	for i, error := range linear {
		all["ifm"] = append(all["ifm"], error*(.9+.01*float64(i*3%5)))
		all["even"] = append(all["even"], error*[]float64{.9, 1.1}[i%2])
		one := error
		if i == 3 {
			one /= 9
		}
		all["one"] = append(all["one"], one)
	}
	lead := all.Lead("ifm", "linear")
	assert.True(t, 0 < lead.Low && lead.Low < lead.By && lead.By < lead.High && lead.P < .05, "%+v", lead)
	var mean, square float64
	for i, error := range linear {
		l := math.Log(error / all["ifm"][i])
		mean, square = mean+l/10, square+l*l/10
	}
	deviation := math.Sqrt((square - mean*mean) * 10 / 9)
	reach := 2.2622 * 1.01 * deviation * math.Sqrt(.1+.25) // Student's 97.5 % quantile for nine, a little more
	assert.InDelta(t, mean+reach, math.Log(1+lead.High/all.Mean("ifm")), .02*reach)
	for _, name := range []string{"even", "one"} {
		lead := all.Lead(name, "linear")
		assert.True(t, lead.Low < 0 && lead.High > 0, "%s: %+v", name, lead)
	}
	few := estimator.Splits{"ifm": all["ifm"][:5], "linear": linear[:5]}
	assert.True(t, math.IsInf(few.Lead("ifm", "linear").High, 1), "five are too few")
}
