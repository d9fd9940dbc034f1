package table_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func TestReadHoldsNumbersNotText(t *testing.T) {
	// A cell is 24 bytes in the file and 8 in the table, but for blocks that are
	// not full.
	rng := rand.New(rand.NewPCG(1, 1))
	const rows = 50_000
	text := tabletest.File("a,b", rows, func(int) string {
		return fmt.Sprintf("%.17e,%.17e", rng.NormFloat64(), rng.NormFloat64())
	})
	table := tabletest.Read(t, text)
	assert.Equal(t, rows, table.Rows)
	assert.Less(t, tabletest.Size(table), int64(10*2*rows))
}

func TestCellsAreGivenAsTheyStand(t *testing.T) {
	for _, numbers := range []int{0, 10_000} { // a long column of numbers does not keep their texts
		text := "a,b\n 1.50 ,x\n,y\nodd,NA\n"
		for i := range numbers {
			text += strconv.Itoa(i) + ".50,x\n"
		}
		table := tabletest.ReadAs(t, text, read.Options{Name: "c.csv"})
		assert.Equal(t, 1.5, table.Number(0, 0))
		assert.True(t, math.IsNaN(table.Number(0, 1)))
		assert.Equal(t, []string{"1.50", "1.5"}[min(1, numbers)], table.Text(0, 0))
		assert.Equal(t, "odd", table.Text(0, 2))
		assert.Equal(t, "", table.Text(1, 2))
		assert.Equal(t, []bool{false, true, false}, []bool{table.IsMissing(0, 0), table.IsMissing(0, 1), table.IsMissing(0, 2)})
		e := table.CellError(0, 2, "a pear")
		assert.Equal(t, `c.csv:4:1: a is "odd", expected a pear. Correct the cell or delete line 4`, e.Error())
		assert.Equal(t, "a", e.Field)
		if numbers > 0 {
			assert.Equal(t, 9999.5, table.Number(0, numbers+2))
			assert.Equal(t, "9999.5", table.Text(0, numbers+2))
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
