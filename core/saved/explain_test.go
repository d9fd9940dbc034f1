package saved_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Without averages, column by column the mean row becomes the row that is explained: what one alone
// changes is its term, and what two change beyond both terms is the pair's.
func TestAnExplanationIsWhatChangesAsColumnsTakeTheirCells(t *testing.T) {
	content := runtest.Interacting(150, func(row int, cells []string) {
		switch {
		case row%9 == 0:
			cells[1] = ""
		case row%11 == 0:
			cells[4] = ""
		case row%37 == 0:
			cells[4] = "seldom" + strconv.Itoa(row%2)
		case row == 149:
			cells[2] = "1e6" // held, in whichever part it lies
		}
	})
	const query = "source=table&target=y&ranks=3&lambdaf=3&lambdaw=1&rare=5&iterations=20&seed=3&models="
	for _, model := range []string{"fm&encode=hats", "gfm&encode=linear", "ifm&encode=hats", "ifm&encode=linear", "plain"} {
		table, _, kept := trained(t, query+strings.Replace(model, "plain", "ifm", 1), content)
		require.Positive(t, kept.Model.Rank, "the products are in y")
		terms := 15 // each column, and each pair
		if model == "plain" {
			terms, kept.Model = 5, withoutFactors(kept.Model)
		}
		kept.Model.Centre = nil // as in an older file
		groups, mean, said := kept.Encoding.Groups(), kept.Encoding.MeanRow(), predict(t, kept, table)
		for line := 2; line < table.Rows+2; line++ {
			e := tabletest.Must(kept.Explain(table, line, math.MaxInt))
			require.False(t, e.Average)
			require.Equal(t, []string{"x1", "x2", "x3", "x4", "colour"}, e.Columns)
			row := rowOf(t, kept, table, line)
			with := func(columns ...int) float64 {
				z, f := slices.Clone(mean), []float64{0}
				for _, p := range columns {
					copy(z[groups[p].Lo:groups[p].Hi], row[groups[p].Lo:groups[p].Hi])
				}
				kept.Model.Predict(f, design.NewDense(1, len(z), z), nil)
				return f[0] * kept.Encoding.Target.Scale
			}
			all, sum, pairs := math.Abs(e.Base), e.Base, map[[2]int]float64{}
			for i, term := range e.Terms {
				sum += term.Value
				all = max(all, math.Abs(term.Value))
				pairs[[2]int{term.First, term.Second}] = term.Value
				if i > 0 {
					require.LessOrEqual(t, math.Abs(term.Value), math.Abs(e.Terms[i-1].Value), "largest first")
				}
			}
			require.Len(t, pairs, terms)
			slack := 1e-12 * all // rounding of some hundred products of this size
			assert.InDelta(t, with(), e.Base, slack)
			assert.InDelta(t, e.Predicted, sum, slack, "the terms add up")
			assert.Equal(t, []float64{said.Predicted[line-2], said.Predicted[line-2]}, []float64{e.Predicted, e.Raw})
			for p := range groups {
				assert.Equal(t, table.Text(p, line-2), e.Cells[p])
				assert.InDelta(t, with(p)-with(), pairs[[2]int{p, -1}], slack)
				for q := p + 1; q < len(groups) && terms > 5; q++ {
					assert.InDelta(t, with(p, q)-with(p)-with(q)+with(), pairs[[2]int{p, q}], slack)
				}
			}
			few := tabletest.Must(kept.Explain(table, line, 4))
			assert.Equal(t, e.Terms[:4], few.Terms)
			assert.Equal(t, len(e.Terms)-4, few.Others)
			rest := 0.0
			for _, term := range e.Terms[4:] {
				rest += term.Value
			}
			assert.InDelta(t, rest, few.Rest, slack)
		}
	}
}

func TestALineWithoutARowIsNotExplained(t *testing.T) {
	const query = brief + "&target=y&models=ifm"
	_, _, kept := trained(t, query, runtest.Interacting(60, nil))
	gap := "x1,x2,x3,x4,colour,y\n1,2,3,4,red,5\n\n1,2,3,4,blue,6\n"
	table := runtest.ReadTable(t, query, gap)
	for line, row := range map[int]string{2: "red", 4: "blue"} {
		e := tabletest.Must(kept.Explain(table, line, 1))
		assert.Equal(t, row, e.Cells[4])
	}
	for _, line := range []int{-1, 0, 1, 3, 5} {
		_, err := kept.Explain(table, line, 1)
		none := tabletest.As[*saved.NoRowError](t, err)
		assert.Equal(t, saved.NoRowError{File: "table.csv", Line: line}, *none)
		assert.Equal(t, "NoRowError", message.Kind(err))
	}
	_, err := kept.Explain(runtest.ReadTable(t, query, "x1,y\n1,2\n3,4\n"), 2, 1)
	require.ErrorAs(t, err, new(*fault.MissingColumnsError))
}

func TestARowWithTheCellsOfAnotherIsExplainedAsTheOther(t *testing.T) {
	size := func(t saved.Term) float64 {
		return max(math.Abs(t.Value), math.Abs(t.Before), 4*math.Abs(t.Value-t.Before))
	}
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
				own := tabletest.Must(k.Explain(file, other, math.MaxInt))
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
				require.Equal(t, w.After.Terms[:2], few.After.Terms)
				assert.True(t, slices.IsSortedFunc(w.After.Terms, func(a, b saved.Term) int { return cmp.Compare(size(b), size(a)) }))
				before, after := few.Before.Base+few.After.RestBefore, few.After.Base+few.After.Rest
				for _, term := range few.After.Terms {
					before, after = before+term.Before, after+term.Value
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

// related is a table of columns that go together: a number with missing cells, another, levels,
// a date and weights. Its targets are a number, a positive one, two classes and three.
func related(n int) string {
	rng := rand.New(rand.NewPCG(8, 2))
	return tabletest.File("a,b,colour,when,w,y,positive,two,three", n, func(i int) string {
		a := rng.NormFloat64()
		b := a + .5*rng.NormFloat64()
		colour := min(3, max(0, int(a/2+4*rng.Float64())))
		y := 3 + a*b + 2*b*[]float64{1, -1, 1.5, -1}[colour] + .2*rng.NormFloat64()
		cell := strconv.FormatFloat(a, 'f', 4, 64)
		if rng.IntN(12) == 0 {
			cell = ""
		}
		two, three := []string{"no", "yes"}[int(oneIf(y > 4))], []string{"low", "mid", "high"}[int(oneIf(y > 2.5)+oneIf(y > 4.5))]
		return fmt.Sprintf("%s,%.4f,%s,20%02d-%02d-%02d,%d,%.5f,%.5f,%s,%s", cell, b, []string{"red", "blue", "green", "grey"}[colour],
			10+i%9, 1+rng.IntN(12), 1+rng.IntN(28), 1+rng.IntN(3), y, math.Exp(y/3), two, three)
	})
}

// training returns the features of the rows that a model was fitted to and their weights, which
// are those that do not test.
func training(t *testing.T, run interface {
	Predictions() (train.Predictions, error)
}, k *saved.Model, table *table.Table) (z *design.Dense, weight []float64, lines []int) {
	t.Helper()
	require.Equal(t, fm.FittedChosen, k.Model.Fitted)
	tests := runtest.Result(t, run.Predictions).Line
	applied := tabletest.Must(k.Apply(table))
	all := applied.Rows(0, table.Rows).(interface{ Row(i int) []float64 })
	var x []float64
	for row := range table.Rows {
		if line := table.Line(row); !slices.Contains(tests, line) {
			x, lines = append(x, all.Row(row)...), append(lines, line)
			w := 1.0
			if k.Encoding.FileStyle.Weight != "" {
				w = tabletest.Must(strconv.ParseFloat(table.ByName()["w"].Text(row), 64))
			}
			weight = append(weight, w)
		}
	}
	return design.NewDense(len(lines), k.Model.D, x), weight, lines
}

// average returns the weighted mean of the predictions, in units of what the model learns.
func average(k *saved.Model, z *design.Dense, weight []float64) float64 {
	f := make([]float64, len(weight))
	k.Model.Predict(f, z, nil)
	sum, total := 0.0, 0.0
	for i, w := range weight {
		sum += w * f[i] * k.Encoding.Target.Scale
		total += w
	}
	return sum / total
}

// termsOf returns the terms by column and pair, and holds that they sum to the prediction.
func termsOf(t *testing.T, k *saved.Model, table *table.Table, line int) (*saved.Explanation, map[[2]int]float64) {
	t.Helper()
	e := tabletest.Must(k.Explain(table, line, math.MaxInt))
	require.True(t, e.Average)
	sum, terms := e.Base, map[[2]int]float64{}
	for _, term := range e.Terms {
		sum += term.Value
		terms[[2]int{term.First, term.Second}] = term.Value
	}
	require.InDelta(t, e.Predicted, sum, 1e-9)
	if k.Encoding.Target.Log != design.LogNone {
		require.InEpsilon(t, math.Exp(e.Predicted), e.Raw, 1e-9)
	}
	return e, terms
}

// related150 is the query of a small model of [related] with 150 rows.
const related150 = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=20&"

// trained trains a model on a table and returns it with its table and run.
func trained(t *testing.T, query, content string) (*table.Table, *core.Run, *saved.Model) {
	t.Helper()
	table := runtest.ReadTable(t, query, content)
	run, k := runtest.Save(t, query, table)
	return table, run, k
}

func TestTermsAverageNothingAndAreCentredPartialDependence(t *testing.T) {
	content := related(150)
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=w,positive,two,three",
		"no factors, target=y&models=ifm&encode=linear&ignore=w,positive,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=positive,two,three",
		"target=positive&log=yes&models=fm&encode=hats&ignore=w,y,two,three",
		"target=two&models=ifm&encode=linear&ignore=w,y,positive,three",
		"target=three&models=ifm&encode=linear&weight=w&ignore=y,positive,two",
		"target=three&models=gfm&encode=hats&ignore=w,y,positive,two",
	} {
		query, plain := strings.CutPrefix(query, "no factors, ")
		query = related150 + query
		file, run, k := trained(t, query, content)
		z, weight, lines := training(t, run, k, file)
		pairs := len(k.Encoding.Groups()) * (len(k.Encoding.Groups()) - 1) / 2
		if plain {
			pairs, k.Model = 0, withoutFactors(k.Model)
			on := tabletest.Must((&task.Task{Spec: run.Spec(), Table: file}).Refit(false, false))
			k.Model.Centre = on.CentreOf(k.Model)
		} else {
			require.Positive(t, k.Model.Rank)
		}
		// Cells that no training row has.
		fresh := runtest.ReadTable(t, query, strings.Join(strings.Split(content, "\n")[:2], "\n")+"\n,1e6,pink,2031-05-06,1,,,,\n")
		scores := []*saved.Model{k}
		if len(k.Model.Classes) > 0 {
			scores = nil
			for class := range k.Model.Classes {
				scores = append(scores, k.Score(class))
			}
		}
		for _, k := range scores {
			groups, base := k.Encoding.Groups(), average(k, z, weight)
			replaced := func(row []float64, columns ...int) float64 {
				n, d := z.Dims()
				var x []float64
				for i := range n {
					x = append(x, z.Row(i)...)
					for _, c := range columns {
						copy(x[i*d+groups[c].Lo:i*d+groups[c].Hi], row[groups[c].Lo:groups[c].Hi])
					}
				}
				return average(k, design.NewDense(n, d, x), weight)
			}
			first, firstTerms := termsOf(t, k, file, lines[0])
			sums, total := map[[2]int]float64{}, 0.0
			for i, line := range lines {
				e, terms := termsOf(t, k, file, line)
				assert.InDelta(t, base, e.Base, 1e-9, "the average prediction of the training rows")
				require.Len(t, terms, len(groups)+pairs)
				for term, value := range terms {
					sums[term] += weight[i] * value
				}
				total += weight[i]
			}
			for term, sum := range sums {
				assert.InDelta(t, 0, sum/total, 1e-9, "%s: %v", query, term)
			}
			for line, from := range map[int]*table.Table{lines[1]: file, lines[7]: file, 3: fresh} {
				e, terms := termsOf(t, k, from, line)
				assert.Equal(t, first.Base, e.Base)
				row, firstRow := rowOf(t, k, from, line), z.Row(0)
				change := func(columns ...int) float64 { return replaced(row, columns...) - replaced(firstRow, columns...) }
				for term, value := range terms {
					p, q := term[0], term[1]
					want := change(p)
					if q >= 0 {
						want = change(p, q) - change(p) - change(q)
					}
					assert.InDelta(t, want, value-firstTerms[term], 1e-9, "%s: %v", query, term)
				}
			}
		}
	}
}

// withoutFactors returns a model of the same weights and the rank 0.
func withoutFactors(m *fm.Model) *fm.Model {
	plain := fm.New(m.Kind, m.D, 0)
	plain.B, plain.Fitted = m.B, m.Fitted
	copy(plain.W, m.W)
	return plain
}

func rowOf(t *testing.T, k *saved.Model, table *table.Table, line int) []float64 {
	t.Helper()
	applied := tabletest.Must(k.Apply(table))
	row, ok := table.RowAt(line)
	require.True(t, ok)
	return applied.Rows(row, row+1).(interface{ Row(i int) []float64 }).Row(0)
}

// A level whose weight and factors are 0 is the reference of its column: the others are told
// from it.
func TestNoTermDependsOnTheLevelThatComesFirst(t *testing.T) {
	table, run, k := trained(t, related150+"target=y&models=ifm&encode=linear&ignore=w,positive,two,three", related(150))
	on := tabletest.Must((&task.Task{Spec: run.Spec(), Table: table}).Refit(false, false))
	columns := k.Encoding.Columns()
	own := k.Encoding.Groups()[slices.Index(columns, "colour")]
	for reference := own.Lo; reference < own.Hi; reference++ {
		m := fm.New(k.Model.Kind, k.Model.D, k.Model.Rank)
		m.Set(k.Model)
		rank := m.Rank
		u, v := slices.Clone(m.U[reference*rank:][:rank]), slices.Clone(m.V[reference*rank:][:rank])
		m.B += m.W[reference]
		for j := range m.D {
			if own.Lo <= j && j < own.Hi {
				m.W[j] -= k.Model.W[reference]
				for f := range rank {
					m.U[j*rank+f] -= u[f]
					m.V[j*rank+f] -= v[f]
				}
				continue
			}
			for f := range rank {
				m.W[j] += u[f]*m.V[j*rank+f] + v[f]*m.U[j*rank+f]
			}
		}
		m.Centre = on.CentreOf(m)
		other := &saved.Model{Model: m, Encoding: k.Encoding}
		for _, line := range []int{2, 30, 151} {
			want, terms := termsOf(t, k, table, line)
			got, moved := termsOf(t, other, table, line)
			assert.InDelta(t, want.Base, got.Base, 1e-9)
			require.Len(t, moved, len(terms))
			for term, value := range terms {
				assert.InDelta(t, value, moved[term], 1e-9, "%v", term)
			}
		}
	}
}

func TestTheModelOfAllRowsOrOfATrainingThatWasEndedHasItsAverages(t *testing.T) {
	const query = brief + "&target=y&models=ifm"
	table := runtest.ReadTable(t, query, runtest.Interacting(80, nil))
	run := runtest.Open(t, query, 0, table)
	runtest.Result(t, run.Next)
	early := runtest.Result(t, run.Model)
	run.Close()
	closed := runtest.Result(t, run.Model)
	assert.Equal(t, string(early), string(closed), "its training rows are gone")
	done, _ := runtest.Train(t, query, 0, table)
	before := runtest.Result(t, done.Model)
	done.Close()
	assert.Equal(t, string(before), string(runtest.Result(t, done.Model)))
	another, _ := runtest.Train(t, query, 0, table)
	all := tabletest.Must(another.AllRows(false))
	require.NoError(t, all.Finish())
	files := [][]byte{early, before, all.File}
	for i, file := range files {
		k := tabletest.Must(saved.Read(file))
		e, _ := termsOf(t, k, table, 2)
		sum := 0.0
		for _, v := range predict(t, k, table).Predicted {
			sum += v / float64(table.Rows)
		}
		if i == len(files)-1 {
			assert.InDelta(t, sum, e.Base, 1e-9)
		} else {
			assert.NotEqual(t, sum, e.Base, "test rows have no part")
		}
	}
}
