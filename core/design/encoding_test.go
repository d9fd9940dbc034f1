package design

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of a thousand rows each agrees with one other in column a and with another in column b:
// rows that were drawn independently would agree in both a million times as seldom as not.
func TestRowsAreCopiesWhereTheyAgreeTenTimesAsOftenAsByChance(t *testing.T) {
	for _, c := range []struct {
		name     string
		copies   int
		evidence float64 // of column b
		target   func(i int) float64
		found    bool
	}{
		{"six", 6, 1, func(i int) float64 { return float64(i) }, true},
		{"five", 5, 1, func(i int) float64 { return float64(i) }, false},
		{"five that agree in their targets", 5, 1, func(i int) float64 { return float64(i % 1000) }, true},
		{"six of levels, which may follow from each other", 6, .5, func(i int) float64 { return float64(i) }, false},
		{"none", 0, 1, func(i int) float64 { return float64(i) }, false},
	} {
		n := 1000 + c.copies
		at := func(shift int) func(i int) float64 {
			return func(i int) float64 { return float64((i%1000 + shift) / 2) }
		}
		b := NumberCells(at(1))
		b.Evidence = c.evidence
		of, first := Copies(n, []Cells{NumberCells(at(0)), b}, NumberCells(c.target))
		if !c.found {
			assert.Nil(t, of, c.name)
			assert.Nil(t, first, c.name)
			continue
		}
		require.Len(t, first, 1000, c.name)
		for i := range n {
			require.Equal(t, int32(i%1000), of[i], c.name)
			require.Equal(t, i%1000, first[of[i]], c.name)
		}
	}
	odd := []float64{math.NaN(), 0, 1, math.Copysign(0, -1), math.Float64frombits(0x7ff8000000000abc), 2}
	of, first := Copies(6, []Cells{NumberCells(func(i int) float64 { return odd[i] }), {Value: func(int) uint64 { return 7 }}}, Cells{Value: func(int) uint64 { return 0 }})
	_, _, share := alike(6, NumberCells(func(i int) float64 { return odd[i] }).Value)
	assert.Equal(t, 2./15, share, "missing cells are equal, and so are 0 and −0")
	assert.Nil(t, of, "as often as by chance")
	assert.Nil(t, first)
}

// A flag of a number's gaps is dense, but not where that would be too large.
func TestWhatCanBeSparseIsWhereDenseWouldBeTooLarge(t *testing.T) {
	var e Encoding
	for j := range 30 {
		name := fmt.Sprint("x", j)
		e.Features = append(e.Features, Feature{Column: name, Kind: FeatureValue}, Feature{Column: name, Kind: FeatureMissing})
	}
	const rows = 1_000_000
	assert.EqualValues(t, rows*30*16, e.Bytes(rows))
	assert.Greater(t, e.Bytes(rows), int64(MaxBytes))
	e.AllSparse = true
	assert.EqualValues(t, rows*(30*12+4), e.Bytes(rows))
}

func TestFeaturesAreKnownByPlaceWithoutAHeaderUnlessTheTargetIsNamedByPlaceToo(t *testing.T) {
	for _, c := range []struct {
		header bool
		target string
		want   bool
	}{{false, "price", true}, {false, "column 3", false}, {true, "price", false}} {
		e := Encoding{FileStyle: FileStyle{Header: c.header}, Target: Target{Name: c.target}}
		assert.Equal(t, c.want, e.ByPlace(), "%+v", c)
	}
}

func TestAFileNeedsTheColumnOfDatesInPlaceOfItsParts(t *testing.T) {
	e := Encoding{FileStyle: FileStyle{Dates: []string{"when:dmy", "w:ymd"}, Point: ',', Other: []string{"b"}}}
	for _, column := range []string{"a", "when (year)", "when (weekday)", "b", "b", "when"} {
		e.Features = append(e.Features, Feature{Column: column})
	}
	assert.Equal(t, []string{"a", "when", "b"}, e.Needs())
	assert.Empty(t, e.DatesOf("when"), "that column itself is no part")
	assert.Equal(t, []byte{',', '.'}, []byte{e.FileStyle.PointOf("a"), e.FileStyle.PointOf("b")})
}

func TestLogarithmsAreThoseOfTheStandardLibrary(t *testing.T) {
	for _, y := range []float64{1e-300, 1e-20, .3, math.Sqrt2 / 2, math.Nextafter(1, 0), 1, math.Nextafter(1, 2), 1.5, math.E, 12345.678, 1e150} {
		want := math.Log(y)
		assert.InDelta(t, want, LogPlain.of(y), 4e-16*max(1, math.Abs(want)), "two roundings of %v", y)
		assert.InEpsilon(t, y, LogPlain.inverse(LogPlain.of(y)), 1e-13, "an exponent near 700 has that left of its last digit")
		assert.Equal(t, math.Log1p(y), LogShifted.of(y))
		assert.InEpsilon(t, y, LogShifted.inverse(LogShifted.of(y)), 1e-13)
	}
	for _, none := range []float64{0, -1, math.Inf(1), math.NaN()} {
		assert.True(t, math.IsNaN(LogPlain.of(none)), "%v", none)
	}
	assert.Zero(t, LogShifted.inverse(0))
}

func TestWhatIsPredictedOfALogarithmIsHeldToWhereTheTargetSpans(t *testing.T) {
	target := LogTarget("y", []float64{10, 20, 40}, nil, LogPlain)
	assert.Zero(t, target.Least, "10 less the span of 30 would be below")
	assert.Equal(t, 70., target.Most)
	assert.InEpsilon(t, 33, target.Raw(target.Scaled(33)), 1e-14)
	for _, y := range []float64{5, 1e9, math.MaxFloat64, math.Inf(1)} {
		assert.Equal(t, 70., target.Raw(y/target.Scale), "%v", y)
	}
	for _, y := range []float64{-1e9, math.Inf(-1)} {
		assert.InDelta(t, 0, target.Raw(y), 1e-300)
		assert.GreaterOrEqual(t, target.Raw(y), 0.)
	}
	assert.True(t, math.IsNaN(target.Raw(math.NaN())), "what is no number is told, not hidden")
	high := LogTarget("y", []float64{100, 110}, nil, LogShifted)
	assert.Equal(t, []float64{90, 120}, []float64{high.Least, high.Most})
}
