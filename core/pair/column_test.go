package pair_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/pair"
)

// The slope of x depends on the level: the pair is named, and its effect read.
func TestLevelsThatAreNumbersStandInTheirOrderTheOthersBehindAndMergedOnesLast(t *testing.T) {
	levels := []string{"8", "four", "10", "1e1000", "-2.5", "a", "6", "2", "3"} // of the last two too few
	rng := rand.New(rand.NewPCG(7, 7))
	const n = 1200
	x, codes, y := make([]float64, n), make([]int32, n), make([]float64, n)
	for i := range n {
		x[i], codes[i] = rng.NormFloat64(), int32(rng.IntN(8))-1
		if i < 6 {
			codes[i] = 7 + int32(i%2)
		}
		y[i] = x[i]*float64(codes[i]) + rng.NormFloat64()
	}
	s := pair.New([]design.Raw{{Name: "x", Kind: design.Numeric, Numbers: x}, {Name: "level", Kind: design.Categorical, Codes: codes, Levels: levels}}, y, pair.Rows{}, .01)
	s.Finish()
	r := s.Result()
	require.Len(t, r.Named, 1)
	var told []string
	for _, place := range r.Named[0].Effect.Second {
		switch {
		case place.Missing:
			told = append(told, "missing")
		case place.Merged > 0:
			told = append(told, strconv.Itoa(place.Merged)+" other levels")
		default:
			told = append(told, place.Level)
		}
	}
	assert.Equal(t, []string{"-2.5", "6", "8", "10", "four", "1e1000", "a", "missing", "2 other levels"}, told)
	// The effect stands with its levels: the slope in x is the code, less their mean.
	effect := r.Named[0].Effect
	last := (len(effect.First) - 1) * len(told)
	assert.Less(t, effect.Value[last], effect.Value[last+1], "-2.5 is code 4, 6 is code 6")
	assert.Greater(t, effect.Value[last+1], effect.Value[last+2], "8 is code 0")
}
