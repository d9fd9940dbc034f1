package design

import (
	"fmt"
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
