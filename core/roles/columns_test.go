package roles_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestRawColumnsAreTheCellsOfTheRowsThatAreAsked(t *testing.T) {
	table, err := read.Read(strings.NewReader("x,colour,skip,y\n"+
		"1,red,a,1\n2,,a,2\n,blue,a,3\n4,red,a,4\n5,blue,a,5\n6,red,a,6\n7,red,a,7\n8,red,a,8\n9,red,a,9\n10,red,a,10\n"), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y", Ignore: []string{"skip"}})
	raw := plan.Raw([]int32{2, 0, 1})
	require.Len(t, raw, 2)
	assert.Equal(t, "x", raw[0].Name)
	assert.True(t, math.IsNaN(raw[0].Numbers[0]))
	assert.Equal(t, []float64{1, 2}, raw[0].Numbers[1:])
	assert.Nil(t, raw[0].Codes)
	assert.Equal(t, "colour", raw[1].Name)
	assert.Equal(t, design.Categorical, raw[1].Kind)
	assert.Equal(t, []string{"red", "blue"}, raw[1].Levels)
	assert.Equal(t, []int32{1, 0, -1}, raw[1].Codes)
}
