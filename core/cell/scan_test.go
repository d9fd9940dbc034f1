package cell

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

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
		"1e99999", "9007199254740993", "1e23", "1e-28", "0e99", "123456789012345678901234567890", "１",
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
