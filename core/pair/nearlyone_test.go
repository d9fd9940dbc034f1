package pair

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
)

// A column of a few numbers that stands still along another follows from it: its equal
// numbers do not change from row to row, in whatever order the rows are.
func TestEqualNumbersDoNotChangeFromRowToRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const n = 1000
	x, steps, other := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = rng.Float64()
		steps[i], other[i] = math.Floor(4*x[i]), math.Floor(4*rng.Float64())
	}
	assert.True(t, nearlyOne(design.Raw{Numbers: x}, design.Raw{Numbers: steps}))
	assert.True(t, nearlyOne(design.Raw{Numbers: steps}, design.Raw{Numbers: x}))
	assert.False(t, nearlyOne(design.Raw{Numbers: x}, design.Raw{Numbers: other}))
}

func TestALevelOfFewRowsIsMergedAndOneOfJustEnoughIsNot(t *testing.T) {
	var codes []int32
	for level, rows := range []int{MinRows, MinRows - 1, 50} {
		for range rows {
			codes = append(codes, int32(level))
		}
	}
	c := newLevels(design.Raw{Kind: design.Categorical, Levels: []string{"enough", "few", "many"}, Codes: codes})
	assert.Equal(t, 3, c.features, "enough, many and few")
	assert.Equal(t, int32(2), c.code[MinRows], "a row of the few")
}
