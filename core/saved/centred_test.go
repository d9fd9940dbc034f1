package saved_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/table"
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
	applied, err := k.Apply(table)
	require.NoError(t, err)
	all := applied.Rows(0, table.Rows).(interface{ Row(i int) []float64 })
	var x []float64
	for row := range table.Rows {
		if line := table.Line(row); !slices.Contains(tests, line) {
			x, lines = append(x, all.Row(row)...), append(lines, line)
			w := 1.0
			if k.Encoding.FileStyle.Weight != "" {
				w, err = strconv.ParseFloat(table.ByName()["w"].Text(row), 64)
				require.NoError(t, err)
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
	e, err := k.Explain(table, line, math.MaxInt)
	require.NoError(t, err)
	require.True(t, e.Average)
	sum, terms := e.Base, map[[2]int]float64{}
	for _, term := range e.Terms {
		sum += term.Value
		terms[[2]int{term.First, term.Second}] = term.Value
	}
	require.InDelta(t, e.Predicted, sum, 1e-9)
	return e, terms
}

// Each term is compared with the average of predictions for training rows whose cells in its
// columns are replaced.
func TestTermsAverageNothingAndAreCentredPartialDependence(t *testing.T) {
	content := related(150)
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=w,positive,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=positive,two,three",
		"target=positive&log=yes&models=fm&encode=hats&ignore=w,y,two,three",
		"target=two&models=ifm&encode=linear&ignore=w,y,positive,three",
		"target=three&models=ifm&encode=linear&weight=w&ignore=y,positive,two",
		"target=three&models=gfm&encode=hats&ignore=w,y,positive,two",
	} {
		query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=20&" + query
		file := runtest.ReadTable(t, query, content)
		run, k := runtest.Save(t, query, file)
		z, weight, lines := training(t, run, k, file)
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
			require.Positive(t, k.Model.Rank)
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
				require.Len(t, terms, len(groups)*(len(groups)+1)/2)
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

func rowOf(t *testing.T, k *saved.Model, table *table.Table, line int) []float64 {
	t.Helper()
	applied, err := k.Apply(table)
	require.NoError(t, err)
	row, ok := table.RowAt(line)
	require.True(t, ok)
	return applied.Rows(row, row+1).(interface{ Row(i int) []float64 }).Row(0)
}

// A level whose weight and factors are 0 is the reference of its column: the others are told
// from it.
func TestNoTermDependsOnTheLevelThatComesFirst(t *testing.T) {
	const query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=20&target=y&models=ifm&encode=linear&ignore=w,positive,two,three"
	table := runtest.ReadTable(t, query, related(150))
	run, k := runtest.Save(t, query, table)
	on, err := (&task.Task{Spec: run.Spec(), Table: table}).Refit(false, false)
	require.NoError(t, err)
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

func TestWithoutFactorsEachEffectIsItsCentredWeight(t *testing.T) {
	const query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&rare=1&iterations=2&target=y&models=ifm&encode=linear&ignore=w,positive,two,three"
	table := runtest.ReadTable(t, query, related(150))
	run, k := runtest.Save(t, query, table)
	linear := fm.New(k.Model.Kind, k.Model.D, 0)
	linear.B, linear.Fitted = k.Model.B, k.Model.Fitted
	copy(linear.W, k.Model.W)
	on, err := (&task.Task{Spec: run.Spec(), Table: table}).Refit(false, false)
	require.NoError(t, err)
	linear.Centre = on.CentreOf(linear)
	k.Model = linear
	z, weight, lines := training(t, run, k, table)
	n, _ := z.Dims()
	for _, line := range lines[:5] {
		e, terms := termsOf(t, k, table, line)
		assert.InDelta(t, average(k, z, weight), e.Base, 1e-9)
		row := rowOf(t, k, table, line)
		require.Len(t, terms, len(e.Columns))
		for p, g := range k.Encoding.Groups() {
			want := 0.0
			for j := g.Lo; j < g.Hi; j++ {
				mean := 0.0
				for i := range n {
					mean += z.Row(i)[j] / float64(n)
				}
				want += k.Encoding.Target.Scale * k.Model.W[j] * (row[j] - mean)
			}
			assert.InDelta(t, want, terms[[2]int{p, -1}], 1e-9, e.Columns[p])
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
		k, err := saved.Read(file)
		require.NoError(t, err)
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

// Under the joint distribution of two columns, an interaction has a part that the columns'
// features tell one by one: what least squares find of it.
func TestOverJointDistributionsInteractionsOfRelatedColumnsWouldMoveIntoTheirColumns(t *testing.T) {
	for _, c := range []struct {
		file, target string
		least, most  float64 // share of the interactions' variance
	}{{"diabetes.csv", "target", .01, .1}, {"cars.csv", "Miles_per_Gallon", .2, .4}} {
		for _, encode := range []string{"linear", "hats"} {
			content, err := os.ReadFile("../../web/samples/" + c.file)
			require.NoError(t, err)
			query := "source=table&ranks=1,2,3&models=ifm&lambdaf=30,10,3,1&lambdaw=10,1&encode=" + encode + "&target=" + c.target
			table := runtest.ReadTable(t, query, string(content))
			run, k := runtest.Save(t, query, table)
			z, _, lines := training(t, run, k, table)
			values := map[[2]int][]float64{}
			for _, line := range lines {
				_, terms := termsOf(t, k, table, line)
				for term, v := range terms {
					values[term] = append(values[term], v)
				}
			}
			groups, moved, all := k.Encoding.Groups(), 0.0, 0.0
			for term, h := range values {
				if term[1] < 0 {
					continue
				}
				x := mat.NewDense(len(lines), 1+k.Model.D, nil) // features of other columns stay 0
				for i := range lines {
					x.Set(i, 0, 1)
					for _, p := range term {
						for j := groups[p].Lo; j < groups[p].Hi; j++ {
							x.Set(i, 1+j, z.Row(i)[j])
						}
					}
				}
				var gram mat.Dense
				var right, beta, fitted mat.VecDense
				gram.Mul(x.T(), x)
				for j := range 1 + k.Model.D {
					gram.Set(j, j, gram.At(j, j)+1e-8) // hats and levels sum to 1
				}
				right.MulVec(x.T(), mat.NewVecDense(len(h), h))
				require.NoError(t, beta.SolveVec(&gram, &right))
				fitted.MulVec(x, &beta)
				moved += stat.Variance(fitted.RawVector().Data, nil)
				all += stat.Variance(h, nil)
			}
			share := moved / all
			assert.True(t, c.least < share && share < c.most, "%s, %s: %v", c.file, encode, share)
		}
	}
}
