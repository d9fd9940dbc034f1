package saved_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
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

func TestAPredictionOfALogarithmIsTakenApartInItsUnits(t *testing.T) {
	const query = brief + "&target=y&models=ifm&log=yes"
	content := interactingAs(t, 200, func(y float64) string { return strconv.FormatFloat(math.Exp(y/5), 'g', -1, 64) })
	table, _, kept := trained(t, query, content)
	said := predict(t, kept, table)
	for _, line := range []int{2, 60, 201} {
		e := tabletest.Must(kept.Explain(table, line, math.MaxInt))
		sum := e.Base
		for _, term := range e.Terms {
			sum += term.Value
		}
		assert.InDelta(t, e.Predicted, sum, 1e-12, "the terms add up") // rounding of a few products of about 1
		assert.Equal(t, said.Predicted[line-2], e.Raw)
		assert.InEpsilon(t, math.Exp(e.Predicted), e.Raw, 1e-12)
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
		var none *saved.NoRowError
		require.ErrorAs(t, err, &none)
		assert.Equal(t, saved.NoRowError{File: "table.csv", Line: line}, *none)
		assert.Equal(t, "NoRowError", message.Kind(err))
	}
	_, err := kept.Explain(runtest.ReadTable(t, query, "x1,y\n1,2\n3,4\n"), 2, 1)
	require.ErrorAs(t, err, new(*fault.MissingColumnsError))
}
