package design

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
