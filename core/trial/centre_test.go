package trial

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

func TestPairsOfMoreThanTwoHundredColumnsAreNotAveraged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, columns := range []int{mostCentred, mostCentred + 1} {
		x := make([]float64, 40*columns)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		on := &Trial{Dataset: &design.Dataset{Train: design.Part{Z: design.NewDense(40, columns, x), Y: make([]float64, 40)}}}
		for j := range columns {
			on.Encoding.Features = append(on.Encoding.Features, design.Feature{Column: strconv.Itoa(j)})
		}
		linear := on.CentreOf(fm.New(fm.IFM, columns, 0))
		require.Len(t, linear.Means, columns)
		assert.Nil(t, linear.Pairs)
		factors := on.CentreOf(fm.New(fm.IFM, columns, 1))
		if columns > mostCentred {
			assert.Nil(t, factors)
			continue
		}
		assert.Equal(t, linear.Means, factors.Means)
		require.Len(t, factors.Pairs, 1)
		assert.Len(t, factors.Pairs[0], columns*(columns-1)/2)
	}
}
