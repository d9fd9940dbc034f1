package read_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/read"
)

func TestCellsAreGivenAsTheyStand(t *testing.T) {
	table, err := read.Read(strings.NewReader("a,b\n 1.50 ,x\n,y\nz,NA\n"), read.Options{Name: "c.csv"})
	require.NoError(t, err)
	assert.Equal(t, 1.5, table.Number(0, 0))
	assert.True(t, math.IsNaN(table.Number(0, 1)))
	assert.True(t, math.IsNaN(table.Number(1, 0)))
	assert.Equal(t, "1.50", table.Text(0, 0))
	assert.Equal(t, "", table.Text(1, 2))
	assert.True(t, table.IsMissing(0, 1))
	assert.False(t, table.IsMissing(0, 2))
	e := table.CellError(0, 2, "a pear")
	assert.Equal(t, `c.csv:4:1: a is "z", expected a pear. Correct the cell or delete line 4`, e.Error())
	assert.Equal(t, "a", e.Field)
}

// A column of many numbers is kept in another form.
func TestCellsOfALongColumnAreGivenAsTheyStand(t *testing.T) {
	var b strings.Builder
	b.WriteString("a\n")
	for i := range 10000 {
		b.WriteString(strconv.Itoa(i) + ".50\n")
		if i == 5000 {
			b.WriteString("odd\nNA\n")
		}
	}
	table, err := read.Read(strings.NewReader(b.String()), read.Options{Name: "c.csv"})
	require.NoError(t, err)
	assert.Equal(t, 4999.5, table.Number(0, 4999))
	assert.Equal(t, 9999.5, table.Number(0, 10001))
	assert.Equal(t, "9999.5", table.Text(0, 10001))
	assert.Equal(t, "odd", table.Text(0, 5001))
	assert.True(t, table.IsMissing(0, 5002))
	assert.False(t, table.IsMissing(0, 5001))
	e := table.CellError(0, 5001, "an even one")
	assert.Equal(t, `c.csv:5003:1: a is "odd", expected an even one. Correct the cell or delete line 5003`, e.Error())
}
