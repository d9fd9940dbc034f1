package cell

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseNumberReadsDecimalNumbersOnly(t *testing.T) {
	for s, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "7": 7, "+7": 7, "-7.5": -7.5, ".5": .5, "5.": 5, "007": 7,
		"1e3": 1000, "1E+3": 1000, "1e-3": .001, "9007199254740993": 9007199254740992,
		"123456789012345678901234567890":       123456789012345678901234567890,
		"0.1000000000000000055511151231257827": 0.1, "1e-400": 0, "1e400000000": math.Inf(1),
		"179769313486231570000000000000000e276": math.MaxFloat64,
	} {
		got, ok := ParseNumber(s, '.')
		if math.IsInf(want, 0) {
			assert.False(t, ok, s)
			continue
		}
		assert.True(t, ok, s)
		assert.Equal(t, math.Float64bits(want), math.Float64bits(got), s)
	}
	for _, s := range []string{
		"", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1,5", "0x10", "0x1p4", "1_000", "Inf", "-inf", "Infinity",
		"NaN", "1 2", " 1", "1 ", "12x", "--1", "1e5.0", "1e999", "-1e999", "１", "½", "1.5f",
	} {
		_, ok := ParseNumber(s, '.')
		assert.False(t, ok, s)
	}
}

func TestParseNumberTakesAComma(t *testing.T) {
	for s, want := range map[string]float64{"1,5": 1.5, "-,25": -.25, "3": 3, "1,5e2": 150, "0,1000000000000000055511151231257827": .1} {
		got, ok := ParseNumber(s, ',')
		assert.True(t, ok, s)
		assert.Equal(t, want, got, s)
	}
	for _, s := range []string{"1.5", "1.234,5", "1,2,3"} {
		_, ok := ParseNumber(s, ',')
		assert.False(t, ok, s)
	}
}

func TestParseNumberDoesNotAllocate(t *testing.T) {
	for _, s := range []string{"12", "-0.12345", "1.7976931348623157e308"} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { ParseNumber(s, '.') }), s)
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"1.5", "-1e-7", "1_0", "0x1p3", "12345678901234567890123", ".e1", "1e99999999999", "Inf", "nan"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := ParseNumber(s, '.')
		want, err := strconv.ParseFloat(s, 64)
		decimal := strings.Trim(s, "0123456789+-.eE") == "" && s != ""
		if ok != (err == nil && decimal) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatal(fmt.Sprintf("%q: got %v %v, strconv %v %v", s, got, ok, want, err))
		}
	})
}
