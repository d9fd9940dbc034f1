package encode_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// More rows than a block and more numbers than a dictionary, beside columns of few.
func TestNumbersOfAProgramAreEncodedAsThoseOfAFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 9000
	x := make([][4]float64, n)
	var file strings.Builder
	file.WriteString("a,b,c,y\n")
	for i := range x {
		x[i] = [4]float64{rng.NormFloat64(), float64(rng.IntN(5)), float64(rng.IntN(300)) / 8, rng.Float64()}
		for j, v := range x[i] {
			file.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + []string{",", ",", ",", "\n"}[j])
		}
	}
	given := tabletest.Must(table.FromNumbers(table.Numbers{Name: "rows", Columns: []string{"a", "b", "c", "y"}, Rows: n, Valid: table.Fifth, Test: table.Fifth, At: func(i, j int) float64 { return x[i][j] }}))
	read := tabletest.Read(t, file.String())
	for _, s := range []roles.Settings{{Target: "y"}, {Target: "y", PiecewiseLinear: true}, {Target: "y", Categorical: []string{"b"}, Split: roles.SplitGroup, By: "c"}} {
		s.Numeric = []string{"a", "c"}
		var sets [2]*design.Dataset
		for k, table := range []*table.Table{given, read} {
			plan := tabletest.PlanOf(t, table, s)
			sets[k] = tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(2, 2))))
		}
		assert.Equal(t, sets[1].Encoding, sets[0].Encoding)
		assert.Equal(t, sets[1].Train.Y, sets[0].Train.Y)
		assert.Equal(t, sets[1].Train.Z, sets[0].Train.Z)
		assert.Equal(t, sets[1].Test.Z, sets[0].Test.Z)
	}
	assert.Equal(t, 17, given.Line(16), "lines are rows")
}

func TestSharesOfNumbersAreTheSplit(t *testing.T) {
	const n = 40
	for _, shares := range [][2]float64{{.2, .2}, {.25, 0}, {0, .3}, {0, 0}, {.5, .45}} {
		for _, classes := range []bool{false, true} {
			table, err := table.FromNumbers(table.Numbers{Columns: []string{"x", "y"}, Rows: n, Valid: shares[0], Test: shares[1], At: func(i, j int) float64 {
				if classes && j == 1 {
					return float64(i % 4 / 3)
				}
				return float64(i*i - j*i)
			}})
			require.NoError(t, err)
			plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y"})
			set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 1))))
			valid, test := int(shares[0]*n), int(shares[1]*n)
			assert.Len(t, set.Valid.Y, valid)
			assert.Len(t, set.Test.Y, test)
			seen := map[int]bool{}
			for k, part := range []design.Part{set.Train, set.Valid, set.Test} {
				ones := 0.0
				for i, line := range part.Line {
					assert.False(t, seen[line])
					seen[line] = true
					ones += part.Y[i]
				}
				if classes {
					assert.InDelta(t, float64(len(part.Y))/4, ones, 1, "part %d of %v has its share of the classes, to a row", k, shares)
				}
			}
			assert.Len(t, seen, n)
		}
	}
}

func TestNumbersThatAreNoTableAreRefused(t *testing.T) {
	at := func(v float64) func(i, j int) float64 { return func(int, int) float64 { return v } }
	for says, n := range map[string]table.Numbers{
		"0 rows and 1 columns":   {Columns: []string{"a"}, At: at(1)},
		"3 rows and 0 columns":   {Rows: 3, At: at(1)},
		"a is NaN in row 1":      {Columns: []string{"a"}, Rows: 3, At: at(math.NaN())},
		"a is -Inf in row 1":     {Columns: []string{"a"}, Rows: 3, At: at(math.Inf(-1))},
		`columns are called "a"`: {Columns: []string{"a", "a"}, Rows: 3, At: at(1)},
		"expected at most 20000": {Columns: make([]string, 20001), Rows: 3, At: at(1)},
	} {
		_, err := table.FromNumbers(n)
		var shape *design.ShapeError
		if assert.ErrorAs(t, err, &shape, says) {
			assert.Contains(t, err.Error(), says)
		}
	}
}
