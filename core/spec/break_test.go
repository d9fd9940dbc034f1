package spec_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// The page reads the same file in a test of its own.
func TestAPaintedMatrixIsReadAsThePageReadsIt(t *testing.T) {
	content, err := os.ReadFile("testdata/break.json")
	require.NoError(t, err)
	var cases []struct {
		M     string
		Pairs []float64
	}
	require.NoError(t, json.Unmarshal(content, &cases))
	for _, c := range cases {
		pairs, ok := spec.Break{M: c.M}.Pairs()
		assert.Equal(t, c.Pairs != nil, ok, c.M)
		if ok {
			assert.Equal(t, c.Pairs, pairs, c.M)
		}
	}
}

func TestAMatrixThatIsNoneIsPassedOver(t *testing.T) {
	first, notices := spec.ParseBreak("")
	assert.Empty(t, notices)
	assert.Equal(t, spec.Break{M: "-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0", Draws: 100, Seed: 1}, first)
	b, notices := spec.ParseBreak("m=1,2&draws=5&seed=9")
	assert.Equal(t, spec.Break{M: first.M, Draws: 10, Seed: 9}, b)
	require.Len(t, notices, 2)
	assert.Equal(t, "m", notices[1].Key)
	_, notices = spec.ParseBreak("m=NaN," + strings.Repeat("1e400,", 200))
	require.Len(t, notices, 1, "too long and no matrix is one fault")
	assert.Less(t, len(notices[0].Message), 200)
	assert.Equal(t, "m=1&seed=2", spec.Unguessed("guess=fm&m=1&then=ifm&seed=2"))
}
