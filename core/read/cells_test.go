package read_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

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
