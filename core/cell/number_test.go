package cell

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// quickly returns what scanNumber makes of a cell that a comma ends, NaN if it left
// the cell to others.
func quickly(cell string, point byte) float64 {
	b := append(append(make([]byte, 0, len(cell)+1+Guard), cell...), ","+GuardBytes...)
	v, end := ScanNumber(unsafe.Pointer(unsafe.SliceData(b)), 0, point)
	if b[end] != ',' {
		return math.NaN()
	}
	return v
}

// hard returns a number in one of the notations that files hold, near a halfway
// case between two numbers more often than chance has it.
func hard(rng *rand.Rand) string {
	switch rng.IntN(9) {
	case 0:
		return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64)
	case 1:
		return strconv.FormatFloat(math.Float64frombits(rng.Uint64()), "efg"[rng.IntN(3)], -1, 64)
	case 2:
		return strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(40)-20)), 'f', rng.IntN(20), 64)
	case 3:
		return strconv.FormatInt(rng.Int64()>>rng.IntN(63), 10)
	case 4:
		return strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(60)-30)), 'e', rng.IntN(22), 64)
	case 5: // near 2⁵³, where a mantissa stops to be exact
		return fmt.Sprintf("%de%d", 1<<53+rng.IntN(4096)<<rng.IntN(8)-1000, rng.IntN(55)-27)
	case 8: // digits of a product that is nearly a float64
		s := strconv.FormatFloat(math.Float64frombits(uint64(1023)<<52|rng.Uint64()>>12), 'e', 16+rng.IntN(3), 64)
		return s[:len(s)-4] + "e" + strconv.Itoa(rng.IntN(55)-27)
	case 6: // halfway between two neighbours, cut off somewhere
		a := math.Float64frombits(uint64(1023+rng.IntN(60)-10)<<52 | rng.Uint64()>>12)
		s := strconv.FormatFloat(a+(math.Nextafter(a, 2*a)-a)/2, 'f', 40, 64)
		return s[:min(len(s), 2+rng.IntN(30))]
	}
	b := make([]byte, 1+rng.IntN(24))
	for i := range b {
		b[i] = "0123456789012345678900.-e"[rng.IntN(25)]
	}
	return string(b)
}

func TestNumberGivesTheBitsOfStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 3_000_000
	if testing.Short() {
		n = 200_000
	}
	quick := 0
	for range n {
		s := hard(rng)
		want, err := strconv.ParseFloat(s, 64)
		if math.IsInf(want, 0) || math.IsNaN(want) {
			continue
		}
		got, ok := ParseNumber(s, '.')
		if ok != (err == nil) || ok && math.Float64bits(want) != math.Float64bits(got) {
			t.Fatalf("%s: %x, %v, strconv %x, %v", s, got, ok, want, err)
		}
		if got = quickly(s, '.'); got != got {
			continue
		}
		quick++
		if err != nil || math.Float64bits(want) != math.Float64bits(got) {
			t.Fatalf("%s, quickly: %x, strconv %x, %v", s, got, want, err)
		}
	}
	assert.Greater(t, quick, n/4, "of numbers in every notation")
}

// Where scanNumber gives up is a matter of speed; that ParseNumber reads the cell
// all the same is not.
func TestNumberReadsWhatItSaysItReads(t *testing.T) {
	for s, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "7": 7, "-7.5": -7.5, ".5": .5, "5.": 5, "007": 7, "1e3": 1e3, "-1E+3": -1e3, "25e-1": 2.5,
		"1234567": 1234567, "12345678": 12345678, "123456789012345": 123456789012345, "0.12345678": .12345678,
		"1234567.1234567": 1234567.1234567, "0.49671415301123271": 0.49671415301123271, "1e24": 1e24, "9007199254740995": 9007199254740996, "9007199254740992": 1 << 53, "0.0000000000000001": 1e-16, "1e22": 1e22, "00000000000000000000012": 12,
	} {
		assert.Equal(t, math.Float64bits(want), math.Float64bits(quickly(s, '.')), s)
	}
	for _, s := range []string{
		"", "-", ".", "-.", "e", "e5", "-e5", "1e", "1e+", "1.2.3", "0x10", "1_000", "Inf", "nan", "NaN", " 1", "1 ", "12x", "--1", "1e5.0", "+1",
		"1e99999", "9007199254740993", "1e23", "1e-28", "0e99", "123456789012345678901234567890", "１", ":5", "5:", "1234567:", "12345678:5",
	} {
		assert.True(t, math.IsNaN(quickly(s, '.')), s)
	}
	assert.Equal(t, 1.5, quickly("1;5", ';'))
	assert.Equal(t, -12345678.25, quickly("-12345678;25", ';'))
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1.5", "-1e-7", "1_0", "0x1p3", "12345678901234567890123", ".e1", "1e99999999999", "Inf", "nan", "00000000.00000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, ",") {
			return
		}
		got := quickly(s, '.')
		want, ok := ParseNumber(s, '.')
		if got == got && (!ok || math.Float64bits(got) != math.Float64bits(want)) {
			t.Fatalf("%q: got %v, ParseNumber %v %v", s, got, want, ok)
		}
	})
}

func TestTokensForNoValueAreMissingInAnyCase(t *testing.T) {
	for _, s := range append(missingTokens[:], "", "NA", "Na", "N/A", "#N/A", "NAN", "-NaN", "Null", "(NULL)", "#NULL!", "None", "NIL", `\N`, "<NA>", "#DIV/0!") {
		assert.True(t, IsMissing(s), s)
	}
	for _, s := range []string{"n", "no", "nils", "nones", "N.A", "nulls", "0", "---", "????", "....", "nai", "ann", "N\x01N", "unknown", "missing", "-1", ".5", "#REF!", "(na)", "–"} {
		assert.False(t, IsMissing(s), s)
	}
	for _, s := range missingTokens {
		assert.LessOrEqual(t, len(s), LongestToken)
	}
}

func TestALongCellIsCutBetweenLetters(t *testing.T) {
	assert.Equal(t, strings.Repeat("é", 30)+"…", Clip(strings.Repeat("é", 40)))
	assert.Equal(t, "a"+strings.Repeat("é", 29)+"…", Clip("a"+strings.Repeat("é", 40)))
	assert.Equal(t, strings.Repeat("é", 30), Clip(strings.Repeat("é", 30)))
}

func TestThreeDigitsBehindAMarkMayBeThousands(t *testing.T) {
	for body, want := range map[string]MarkHint{
		"1.234": HintMaybePoint, "123.456": HintMaybePoint, "1234.567": hintPoint, "0.234": hintPoint, "1.2345": hintPoint, "1.23": hintPoint, "1.e12": hintPoint, "1.2e1": hintPoint, ".234": hintPoint,
		"999": hintBare, "0999": hintBare, "1000": hintLong,
	} {
		assert.Equal(t, want, PlainMarkHint(body, '.'), body)
	}
}

func TestMarksBetweenThousandsAreTakenOut(t *testing.T) {
	for body, want := range map[string]string{
		"1,234": "1234", "12,345,678.5": "12345678.5", "12,34,567": "1234567", "1 234 567": "1234567", "1\u00a0234": "1234", "1\u202f234": "1234", "1’234’567": "1234567", "1'234": "1234",
		"123,45,678": "", "1,23": "", "1,234,56": "", "1,2345": "", "1,23,4567": "", "1,234,56,789": "", "1234,567": "", "0,123": "", ",123": "", "123": "", "1.234": "", // the point
	} {
		plain, ok := ungroup(body, '.')
		if !ok {
			plain = ""
		}
		assert.Equal(t, want, plain, body)
	}
}
