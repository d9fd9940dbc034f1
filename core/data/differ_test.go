package data

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/cell"
)

func TestDifferentNumbersAreCountedAsASetWould(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, spread := range []int{4500, 60_000, 1 << 40} {
		c := newColumn("id", '.')
		seen := map[int]bool{}
		for row := range 50_000 {
			v := rng.IntN(spread)*3 - spread
			seen[v] = true
			c.add(row, cell.FormatNumber(float64(v)))
		}
		c.settle(50_000, make([]float64, blockLen))
		assert.True(t, c.plain, "%d different numbers", len(seen))
		n, exact := c.differ(true)
		assert.Equal(t, spread < 1<<20, exact)
		if exact {
			assert.Equal(t, len(seen), n)
		}
		assert.InEpsilon(t, len(seen), n, .002)
	}
}
