package table

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/cell"
)

func TestDifferentNumbersAreCountedAsASetWould(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, spread := range []int{4500, 60_000, 1 << 40} {
		c := NewColumn("id", '.')
		seen := map[int]bool{}
		for row := range 50_000 {
			v := rng.IntN(spread)*3 - spread
			seen[v] = true
			c.Add(row, cell.FormatNumber(float64(v)))
		}
		c.SumUp(50_000, make([]float64, BlockLen))
		assert.True(t, c.PlainNumbers, "%d different numbers", len(seen))
		n, exact := c.CountDistinct(true)
		assert.Equal(t, spread < 1<<20, exact)
		if exact {
			assert.Equal(t, len(seen), n)
		}
		assert.InEpsilon(t, len(seen), n, .002)
	}
}
