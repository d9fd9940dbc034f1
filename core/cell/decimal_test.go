package cell

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
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

func TestDecimalGivesTheBitsOfStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	left := 0
	for range n {
		m, e := rng.Uint64()>>rng.IntN(60)|1, rng.IntN(2*maxPower+1)-maxPower
		switch rng.IntN(4) {
		case 0: // near the mantissas of float64 and the ties between them
			m = 1<<53 + uint64(rng.IntN(4096))<<rng.IntN(8)
		case 1: // digits of a product that is nearly a float64
			s := strconv.FormatFloat(math.Float64frombits(uint64(1023)<<52|rng.Uint64()>>12), 'e', 16+rng.IntN(3), 64)
			m, _ = strconv.ParseUint(s[:1]+s[2:len(s)-4], 10, 64)
		}
		got, ok := decimal(m, e)
		if !ok {
			left++
			continue
		}
		want, err := strconv.ParseFloat(fmt.Sprintf("%de%d", m, e), 64)
		if err != nil || math.Float64bits(want) != math.Float64bits(got) {
			t.Fatalf("%de%d: %x, strconv %x, %v", m, e, got, want, err)
		}
	}
	assert.Less(t, left, n/20, "what is near a tie is drawn often here")
	t.Logf("%d of %d left to strconv", left, n)
	for _, e := range []int{-maxPower - 1, maxPower + 1} {
		_, ok := decimal(1, e)
		assert.False(t, ok)
	}
}
