package cell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAUnitHasAStrokeOnlyWithin(t *testing.T) {
	for text, want := range map[string]bool{"km/h": true, "m³": true, "kg": true, "/h": false, "km/": false, "k#g": false} {
		assert.Equal(t, want, IsUnit(text), text)
	}
}

func TestALongCellIsCutBetweenLetters(t *testing.T) {
	assert.Equal(t, strings.Repeat("é", 30)+"…", Clip(strings.Repeat("é", 40)))
	assert.Equal(t, "a"+strings.Repeat("é", 29)+"…", Clip("a"+strings.Repeat("é", 40)))
	assert.Equal(t, strings.Repeat("é", 30), Clip(strings.Repeat("é", 30)))
}
