package roles_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/moment"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// More rows than a block of a column has, and not a multiple of that: numbers
// are summed up a block at a time, some before a column is known to be one of
// numbers and the rest at the end.
func TestAProfileOfManyRowsHoldsTheMomentsOfEveryNumber(t *testing.T) {
	const rows = 20_011
	var file strings.Builder
	file.WriteString("row,gaps,odd,few,y\n")
	want := map[string]*moment.Accumulator{"row": {}, "gaps": {}, "odd": {}, "few": {}, "y": {}}
	number := func(name string, v float64) string {
		want[name].Add(v)
		return fmt.Sprint(v)
	}
	for i := range rows {
		gap, odd := "NA", "!"
		if i%7 > 0 {
			gap = number("gaps", float64(i*i%9973)/8)
		}
		if i%100 > 0 {
			odd = number("odd", float64(i%5003)-2500.5)
		}
		fmt.Fprintf(&file, "%s,%s,%s,%s,%s\n", number("row", float64(i+1)), gap, odd, number("few", float64(i%12)), number("y", math.Sqrt(float64(i))))
	}
	table := tabletest.Read(t, file.String())
	profiles := roles.Profiles(table)
	require.Len(t, profiles, len(want))
	for _, p := range profiles {
		w := want[p.Name]
		assert.Equal(t, design.Numeric, p.Kind, p.Name)
		assert.Equal(t, []float64{w.Min(), w.Max()}, []float64{p.Min, p.Max}, p.Name)
		// Two orders of adding 20000 numbers.
		assert.InEpsilon(t, w.Mean(), p.Mean, 1e-10, p.Name)
		assert.InEpsilon(t, w.SD(), p.SD, 1e-10, p.Name)
		assert.InEpsilon(t, w.Tau(), p.Tau, 1e-9, p.Name)
	}
	assert.Equal(t, roles.RoleIgnore, profiles[0].Guess, "it counts the rows")
	assert.Equal(t, []int{0, (rows + 6) / 7, 0, 0, 0}, []int{profiles[0].Missing, profiles[1].Missing, profiles[2].Missing, profiles[3].Missing, profiles[4].Missing})
	assert.Equal(t, (rows+99)/100, profiles[2].Unreadable)
	assert.Equal(t, roles.RoleTarget, profiles[4].Guess)
}
