package saved_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
)

// written encodes one cell by the words of [encode.Encoding], a feature at a
// time; mean asks for the mean row instead.
func written(t *testing.T, features []design.Feature, cell string, mean bool) []float64 {
	t.Helper()
	z := make([]float64, len(features))
	number, err := strconv.ParseFloat(cell, 64)
	missing := cell == ""
	for j, f := range features {
		switch f.Kind {
		case design.FeatureValue:
			if !missing && !mean {
				require.NoError(t, err)
				z[j] = (min(max(number, f.Least), f.Most) - f.Mean) / f.Scale
			}
		case design.FeatureKnot:
			x := number
			if missing || mean {
				x = f.Fill
			}
			left, right := math.Inf(-1), math.Inf(1)
			if j > 0 && features[j-1].Kind == design.FeatureKnot {
				left = features[j-1].Knot
			}
			if j+1 < len(features) && features[j+1].Kind == design.FeatureKnot {
				right = features[j+1].Knot
			}
			switch {
			case x <= left || x >= right:
			case x < f.Knot && !math.IsInf(left, 0):
				z[j] = (x - left) / (f.Knot - left)
			case x > f.Knot && !math.IsInf(right, 0):
				z[j] = (right - x) / (right - f.Knot)
			default:
				z[j] = 1
			}
		case design.FeatureLevel:
			z[j] = oneIf(!mean && cell == f.Level)
		case design.FeatureOther:
			known := slices.ContainsFunc(features, func(o design.Feature) bool { return o.Kind == design.FeatureLevel && o.Level == cell })
			z[j] = oneIf(!mean && !missing && !known)
		case design.FeatureMissing:
			z[j] = oneIf(!mean && missing)
		}
	}
	return z
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// quadraticForm returns B + zᵀw + zᵀMz, in target units.
func quadraticForm(k *saved.Model, m, z []float64) float64 {
	f := k.Model.B
	for i, v := range z {
		f += v * k.Model.W[i]
		for j, u := range z {
			f += v * u * m[i*len(z)+j]
		}
	}
	return f * k.Encoding.Target.Scale
}

// Without averages, column by column the mean row becomes the row that is explained: what one alone
// changes is its term, and what two change beyond both terms is the pair's.
func TestAnExplanationIsWhatChangesAsColumnsTakeTheirCells(t *testing.T) {
	content := runtest.Interacting(400, func(row int, cells []string) {
		switch {
		case row%9 == 0:
			cells[1] = ""
		case row%11 == 0:
			cells[4] = ""
		case row%37 == 0:
			cells[4] = "seldom" + strconv.Itoa(row%2)
		case row == 399:
			cells[2] = "1e6" // held, in whichever part it lies
		}
	})
	const query = "source=table&target=y&ranks=3&lambdaf=3&lambdaw=1&rare=5&iterations=20&seed=3&models="
	for _, encode := range []string{"linear", "hats"} {
		for _, model := range []string{"fm", "gfm", "ifm"} {
			for _, rank := range []int{3, 0} {
				t.Run(encode+", "+model+", rank "+strconv.Itoa(rank), func(t *testing.T) {
					query := query + model + "&encode=" + encode
					table := runtest.ReadTable(t, query, content)
					run, kept := runtest.Save(t, query, table)
					if rank == 0 {
						plain := fm.New(kept.Model.Kind, kept.Model.D, 0)
						plain.B = kept.Model.B
						copy(plain.W, kept.Model.W)
						kept.Model = plain
					} else {
						require.Positive(t, kept.Model.Rank, "the products are in y")
					}
					kept.Model.Centre = nil // as in an older file
					m, features := kept.Model.Interaction(), kept.Encoding.Features
					said := predict(t, kept, table)
					rows := runtest.Result(t, run.Predictions)
					for _, line := range append(rows.Line, 401) {
						e, err := kept.Explain(table, line, math.MaxInt)
						require.NoError(t, err)
						require.Equal(t, []string{"x1", "x2", "x3", "x4", "colour"}, e.Columns)
						parts, mean := make([][]float64, len(e.Columns)), []float64(nil)
						for p, name := range e.Columns {
							assert.Equal(t, table.Text(p, line-2), e.Cells[p])
							own := slices.DeleteFunc(slices.Clone(features), func(f design.Feature) bool { return f.Column != name })
							parts[p] = written(t, own, e.Cells[p], false)
							mean = append(mean, written(t, own, "", true)...)
						}
						with := func(columns ...int) float64 {
							z, at := slices.Clone(mean), 0
							for p, part := range parts {
								if slices.Contains(columns, p) {
									copy(z[at:], part)
								}
								at += len(part)
							}
							return quadraticForm(kept, m, z)
						}
						require.False(t, e.Average)
						all := math.Abs(e.Base)
						sum := e.Base + e.Rest
						for i, term := range e.Terms {
							sum += term.Value
							all = max(all, math.Abs(term.Value))
							if i > 0 {
								require.LessOrEqual(t, math.Abs(term.Value), math.Abs(e.Terms[i-1].Value), "largest first")
							}
						}
						slack := 1e-12 * all // rounding of some hundred products of this size
						assert.InDelta(t, with(), e.Base, slack)
						assert.InDelta(t, e.Predicted, sum, slack, "the terms add up")
						assert.InDelta(t, with(0, 1, 2, 3, 4), e.Predicted, slack)
						assert.Equal(t, said.Predicted[line-2], e.Predicted)
						assert.Equal(t, e.Predicted, e.Raw)
						pairs := map[[2]int]float64{}
						for _, term := range e.Terms {
							pairs[[2]int{term.First, term.Second}] = term.Value
						}
						require.Len(t, pairs, map[int]int{0: 5, 3: 15}[rank], "each column, and each pair where there are factors")
						for p := range parts {
							assert.InDelta(t, with(p)-with(), pairs[[2]int{p, -1}], slack)
							for q := p + 1; q < len(parts) && rank > 0; q++ {
								assert.InDelta(t, with(p, q)-with(p)-with(q)+with(), pairs[[2]int{p, q}], slack)
							}
						}
						few, err := kept.Explain(table, line, 4)
						require.NoError(t, err)
						assert.Equal(t, e.Terms[:4], few.Terms)
						assert.Equal(t, len(e.Terms)-4, few.Others)
						rest := 0.0
						for _, term := range e.Terms[4:] {
							rest += term.Value
						}
						assert.InDelta(t, rest, few.Rest, slack)
					}
				})
			}
		}
	}
}

func TestAPredictionOfALogarithmIsTakenApartInItsUnits(t *testing.T) {
	const query = brief + "&target=y&models=ifm&log=yes"
	content := interactingAs(t, 200, func(y float64) string { return strconv.FormatFloat(math.Exp(y/5), 'g', -1, 64) })
	table := runtest.ReadTable(t, query, content)
	_, kept := runtest.Save(t, query, table)
	said := predict(t, kept, table)
	for _, line := range []int{2, 60, 201} {
		e, err := kept.Explain(table, line, math.MaxInt)
		require.NoError(t, err)
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
	content := runtest.Interacting(60, nil)
	_, kept := runtest.Save(t, query, runtest.ReadTable(t, query, content))
	gap := "x1,x2,x3,x4,colour,y\n1,2,3,4,red,5\n\n1,2,3,4,blue,6\n"
	table := runtest.ReadTable(t, query, gap)
	for line, row := range map[int]string{2: "red", 4: "blue"} {
		e, err := kept.Explain(table, line, 1)
		require.NoError(t, err)
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
