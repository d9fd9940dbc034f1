package saved_test

import (
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
	"ifmlab/core/fm"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// related is a table of columns that go together: a number with missing cells, another, levels,
// a date and weights. Its targets are a number, a positive one, two classes and three.
func related(n int) string {
	rng := rand.New(rand.NewPCG(8, 2))
	var text strings.Builder
	text.WriteString("a,b,colour,when,w,y,positive,two,three\n")
	for i := range n {
		a := rng.NormFloat64()
		b := a + .5*rng.NormFloat64()
		colour := min(3, max(0, int(a/2+4*rng.Float64())))
		y := 3 + a*b + 2*b*[]float64{1, -1, 1.5, -1}[colour] + .2*rng.NormFloat64()
		cell := strconv.FormatFloat(a, 'f', 4, 64)
		if rng.IntN(12) == 0 {
			cell = ""
		}
		two, three := []string{"no", "yes"}[int(oneIf(y > 4))], []string{"low", "mid", "high"}[int(oneIf(y > 2.5)+oneIf(y > 4.5))]
		fmt.Fprintf(&text, "%s,%.4f,%s,20%02d-%02d-%02d,%d,%.5f,%.5f,%s,%s\n", cell, b, []string{"red", "blue", "green", "grey"}[colour],
			10+i%9, 1+rng.IntN(12), 1+rng.IntN(28), 1+rng.IntN(3), y, math.Exp(y/3), two, three)
	}
	return text.String()
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

// Each term is compared with the average of predictions for training rows whose cells in its
// columns are replaced.
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
	all := runtest.Result(t, func() (*[]byte, error) {
		s, err := another.AllRows(false)
		for err == nil && !s.Done() {
			err = s.Next()
		}
		if err != nil {
			return nil, err
		}
		return &s.File, nil
	})
	files := [][]byte{early, before, *all}
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
