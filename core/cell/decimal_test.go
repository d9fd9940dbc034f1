package cell

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPowersAreTheFirst64BitsOfPowersOfTen(t *testing.T) {
	two := func(n int) *big.Rat {
		r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n))))
		if n < 0 {
			r.Inv(r)
		}
		return r
	}
	for i, p := range Powers {
		ten, ok := new(big.Rat).SetString(fmt.Sprintf("1e%d", i-maxPower))
		require.True(t, ok)
		low := new(big.Rat).Mul(new(big.Rat).SetUint64(p.Head), two(p.Shift))
		high := new(big.Rat).Add(low, two(p.Shift))
		require.EqualValues(t, 1, p.Head>>63, "1e%d", i-maxPower)
		require.True(t, low.Cmp(ten) <= 0 && ten.Cmp(high) < 0, "1e%d", i-maxPower)
		if i >= maxPower {
			require.Zero(t, low.Cmp(ten), "1e%d", i-maxPower)
		}
	}
}

func TestPowersBeyondTheTableAreLeftToStrconv(t *testing.T) {
	for e, want := range map[int]bool{-maxPower - 1: false, -maxPower: true, maxPower: true, maxPower + 1: false} {
		_, ok := decimal(1, e)
		assert.Equal(t, want, ok, "1e%d", e)
	}
}

func TestAColumnWithItsOwnMarkMayHoldTwoCountsInACell(t *testing.T) {
	for _, c := range []struct {
		mine, all MarkEvidence
		want      bool
	}{
		{MarkEvidence{Comma: 4}, MarkEvidence{Comma: 4, Point: 3}, true},
		{MarkEvidence{Comma: 4}, MarkEvidence{Comma: 4, Point: 2}, false}, // half as many
		{MarkEvidence{Point: 4}, MarkEvidence{Point: 4, Comma: 3}, true},
		{MarkEvidence{Comma: 4, Point: 1}, MarkEvidence{Comma: 4, Point: 4}, false},
		{MarkEvidence{Comma: 4}, MarkEvidence{Comma: 5, Point: 3}, false}, // another column has commas
		{MarkEvidence{Comma: 100, Fractions: 1}, MarkEvidence{Comma: 100, Point: 99}, true},
		{MarkEvidence{Comma: 100, Fractions: 2}, MarkEvidence{Comma: 100, Point: 99}, false},
		{MarkEvidence{}, MarkEvidence{Point: 3}, false},
	} {
		assert.Equal(t, c.want, c.mine.IsForeign(c.all), "%+v", c)
	}
}
