package cell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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
