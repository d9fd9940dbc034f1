package saved_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
)

// If every cell of a row takes the text of another row, it is explained as the other row is.
func TestARowWithTheCellsOfAnotherIsExplainedAsTheOther(t *testing.T) {
	content := related(150)
	comma := strings.ReplaceAll(strings.ReplaceAll(content, ",", ";"), ".", ",")
	_, bare, _ := strings.Cut(content, "\n")
	for name, of := range map[string]struct{ content, query string }{
		"number":        {content, "target=y&models=ifm&encode=hats&ignore=w,positive,two,three"},
		"bounded":       {content, "target=y&models=gfm&encode=linear&ignore=w,positive,two,three"},
		"logarithm":     {content, "target=positive&log=yes&models=fm&encode=hats&ignore=w,y,two,three"},
		"two classes":   {content, "target=two&models=ifm&encode=linear&ignore=w,y,positive,three"},
		"three classes": {content, "target=three&models=ifm&encode=linear&ignore=w,y,positive,two"},
		"decimal comma": {comma, "target=y&models=ifm&encode=hats&ignore=w,positive,two,three"},
		"no header":     {bare, "header=no&target=column%206&models=ifm&encode=hats&ignore=column%205,column%207,column%208,column%209"},
	} {
		t.Run(name, func(t *testing.T) {
			query := related150 + of.query
			file, run, k := trained(t, query, of.content)
			if name == "number" {
				runtest.Calibrate(t, run)
				content := tabletest.Must(run.Model())
				k = tabletest.Must(saved.Read(content))
			}
			predicted := predict(t, k, file)
			for row := 3; row < 40; row += 9 {
				line, other := file.Line(row), file.Line(row+5)
				its := tabletest.Must(k.WhatIf(file, other, nil, math.MaxInt))
				own, err := k.Explain(file, other, math.MaxInt)
				require.NoError(t, err)
				assert.Equal(t, own.Terms, its.After.Terms, "nothing is changed")
				for _, term := range own.Terms {
					assert.Equal(t, term.Value, term.Before)
				}
				changes := map[string]string{}
				for _, in := range its.Inputs {
					changes[in.Column] = in.Before
					assert.False(t, in.Beyond, "a row of the training file")
				}
				require.Len(t, changes, 4)
				w := tabletest.Must(k.WhatIf(file, line, changes, math.MaxInt))
				assert.Equal(t, its.After.Predicted, w.After.Predicted)
				assert.Equal(t, its.After.Raw, w.After.Raw)
				values := func(e *saved.Explanation, before bool) map[[2]int]float64 {
					all := map[[2]int]float64{}
					for _, term := range e.Terms {
						all[[2]int{term.First, term.Second}] = term.Value
						if before {
							all[[2]int{term.First, term.Second}] = term.Before
						}
					}
					return all
				}
				assert.Equal(t, values(&its.After, false), values(&w.After, false))
				assert.Equal(t, its.After.Probabilities, w.After.Probabilities)
				own = tabletest.Must(k.Explain(file, line, math.MaxInt))
				assert.Equal(t, own.Probabilities, w.Before.Probabilities)
				if own.Class == w.After.Class {
					assert.Equal(t, own.Predicted, w.Before.Predicted)
					assert.Equal(t, own.Raw, w.Before.Raw)
					assert.Equal(t, values(own, false), values(&w.After, true))
				}
				for i, in := range w.Inputs {
					assert.Equal(t, its.Inputs[i].After, in.After)
					assert.Equal(t, fmt.Sprint(its.Inputs[i].Number), fmt.Sprint(in.Number), "NaN for levels and missing cells")
				}
				if name == "number" {
					assert.Equal(t, []float64{predicted.Low[row+5], predicted.High[row+5], .9}, []float64{w.After.Low, w.After.High, w.After.Level})
				} else {
					assert.True(t, math.IsNaN(w.After.Low) && math.IsNaN(w.After.High))
				}

				few := tabletest.Must(k.WhatIf(file, line, changes, 2))
				require.Len(t, few.After.Terms, 2)
				before, after := few.Before.Base+few.After.RestBefore, few.After.Base+few.After.Rest
				for _, term := range few.After.Terms {
					before, after = before+term.Before, after+term.Value
					assert.Contains(t, w.After.Terms, term)
				}
				assert.InDelta(t, few.Before.Predicted, before, 1e-9)
				assert.InDelta(t, few.After.Predicted, after, 1e-9)
				assert.Equal(t, len(w.After.Terms)-2, few.After.Others)
			}
		})
	}
}

func TestCellsBeyondTheTrainingRowsAreMarked(t *testing.T) {
	for _, encode := range []string{"hats", "linear"} {
		query := "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=5&target=y&models=ifm&ignore=w,positive,two,three&encode=" + encode
		file, _, k := trained(t, query, related(150))
		at := tabletest.Must(k.WhatIf(file, 2, nil, 3))
		number, level, date := at.Inputs[1], at.Inputs[2], at.Inputs[3]
		require.Equal(t, []saved.InputKind{saved.NumberInput, saved.LevelInput, saved.DateInput}, []saved.InputKind{number.Kind, level.Kind, date.Kind})
		for _, of := range []struct {
			column, text string
			is           bool
		}{
			{number.Column, fmt.Sprint(number.Most), false}, {number.Column, fmt.Sprint(number.Most + .01), true}, {number.Column, fmt.Sprint(number.Least - .01), true}, {number.Column, "", false},
			{level.Column, level.Levels[1], false}, {level.Column, "pink", true}, {level.Column, "", false},
			{date.Column, "1931-05-06", true}, {date.Column, "2031-05-06", true}, {date.Column, "", false},
		} {
			w := tabletest.Must(k.WhatIf(file, 2, map[string]string{of.column: of.text}, 3))
			for i, in := range w.Inputs {
				assert.Equal(t, of.is && in.Column == of.column, in.Beyond, "%s = %s", of.column, of.text)
				assert.Equal(t, at.Inputs[i].Before, in.Before)
			}
		}
	}
}

func TestTheAverageRowNeedsNoTable(t *testing.T) {
	query := "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=5&target=y&models=ifm&encode=hats&ignore=w,positive,two,three"
	file, run, k := trained(t, query, related(150))
	w := tabletest.Must(k.WhatIf(nil, 0, nil, 3))
	require.Len(t, w.Inputs, 4)
	sum, n := 0.0, 0
	_, _, lines := training(t, run, k, file)
	for _, line := range lines {
		row, ok := file.RowAt(line)
		require.True(t, ok)
		sum, n = sum+file.ByName()["b"].Number(row), n+1
	}
	assert.InDelta(t, sum/float64(n), w.Inputs[1].Number, 1e-6, "the mean of the rows that the model was fitted to, in six digits")
	assert.Contains(t, w.Inputs[2].Levels, w.Inputs[2].After)
	assert.Regexp(t, `^201\d-\d\d-\d\d$`, w.Inputs[3].After)
	for _, in := range w.Inputs {
		assert.False(t, in.Beyond)
	}
	changed := tabletest.Must(k.WhatIf(nil, 0, map[string]string{w.Inputs[0].Column: "1e6"}, 3))
	assert.Equal(t, w.After.Predicted, changed.Before.Predicted)
	assert.True(t, changed.Inputs[0].Beyond)
}

func TestAChangedColumnMustBeOneOfTheModel(t *testing.T) {
	query := "source=table&ranks=2&lambdaf=3&lambdaw=1&iterations=5&target=y&models=ifm"
	file, _, k := trained(t, query, runtest.Interacting(100, nil))
	_, err := k.WhatIf(file, 2, map[string]string{"y": "1"}, 3)
	require.ErrorAs(t, err, new(*saved.UnknownInputError))
	assert.ErrorContains(t, err, `the model reads no column "y" whose cells can be changed; it reads `)
	_, err = k.WhatIf(file, 1, map[string]string{k.Encoding.Needs()[0]: "1"}, 3)
	require.ErrorAs(t, err, new(*saved.NoRowError))
}
