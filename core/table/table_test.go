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
	"ifmlab/core/read"
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

func TestOnlyColumnsOfTheSecondFileAloneAreSaidToBeUnused(t *testing.T) {
	dated := tabletest.File("x,day,y", 40, func(i int) string { return fmt.Sprintf("%d,2021-%02d-%02d,%d", i, 1+i%12, 1+i%28, i*i%7) })
	for _, c := range []struct {
		first, second string
		unused        []string
	}{
		{"x,y\n1,2\n3,4\n", dated, []string{"second.csv has a column day that tec.csv does not have; it is not used"}},
		{dated, dated, nil},
		{"1 1:2\n0 2:1\n", "1 1:2 9:1\n0 2:1\n", tabletest.Read(t, "1 1:2\n0 2:1\n").Notes.Texts()},
	} {
		first, second := tabletest.Read(t, c.first), tabletest.ReadAs(t, c.second, read.Options{Name: "second.csv"})
		both, err := table.Join(first, second, false)
		require.NoError(t, err)
		assert.Equal(t, c.unused, both.Notes.Texts())
		assert.Equal(t, first.Rows+second.Rows, both.Rows)
	}
}
