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
	"ifmlab/core/runtest"
)

// quadrants is a table whose class is the sign of a product, or one of a third column.
func quadrants(n int, names [3]string, edit func(row int, cells []string)) string {
	rng := rand.New(rand.NewPCG(6, 1))
	var b strings.Builder
	b.WriteString("a,b,c,colour,kind\n")
	for i := range n {
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
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
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

// Names in another order permute the classes: the rows are split alike, and the probabilities of
// ridge follow, up to how far it converges.
func TestPermutedClassesPermuteTheProbabilities(t *testing.T) {
	for _, weight := range []string{"", "&weight=c"} {
		edit := func(_ int, cells []string) {
			if weight != "" {
				cells[2] = strconv.Itoa(1 + len(cells[0])%3)
			}
		}
		var all [2][]float64
		var lines [2][]int
		for i, names := range [][3]string{{"x", "y", "z"}, {"z", "x", "y"}} {
			run := runtest.Open(t, kinds+weight, 2, runtest.ReadTable(t, kinds+weight, quadrants(300, names, edit)))
			base := must(run.Rows().Ridge())
			on := run.Rows().Test
			f := make([]float64, 3*len(on.Y))
			base.Fit.Predict(f, on.Z)
			all[i], lines[i] = measure.Probabilities(f, &run.Rows().Encoding.Target), on.Line
		}
		require.Equal(t, lines[0], lines[1])
		for i := range lines[0] {
			for class, to := range [3]int{2, 0, 1} {
				assert.InDelta(t, all[0][3*i+class], all[1][3*i+to], 1e-6)
			}
		}
	}
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

func TestWholeNumbersAreClassesWhereTheSettingsCallThemCategorical(t *testing.T) {
	text := quadrants(300, [3]string{"9", "10", "11"}, nil)
	run, _ := runtest.Train(t, kinds, 2, runtest.ReadTable(t, kinds, text))
	assert.Nil(t, run.ClassNames())
	query := kinds + "&categorical=kind"
	run, model := runtest.Save(t, query, runtest.ReadTable(t, query, text))
	assert.Equal(t, []string{"9", "10", "11"}, run.ClassNames(), "in the order of numbers")
	assert.Equal(t, 300, must(model.Predict(runtest.ReadTable(t, query, text))).Compared)
}
