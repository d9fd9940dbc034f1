//go:build js && wasm

package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/population"
)

func TestAContestIsThatOfThePairsOrOfDrawnOnes(t *testing.T) {
	p := open(t)
	drawn := p.call("contest", map[string]any{"pairs": nil, "seed": 7, "number": 2})
	pairs := population.Drawn(6, 7, 2)
	want, err := population.Compare(pairs, 1)
	require.NoError(t, err)
	given := make([]any, len(pairs))
	for i, v := range pairs {
		given[i] = v
		assert.Equal(t, v, drawn.Get("pairs").Index(i).Float())
		assert.Equal(t, want.FM.Pairs[i], drawn.Get("fm").Get("pairs").Index(i).Float())
	}
	assert.Equal(t, want.Score, drawn.Get("score").Float())
	assert.Equal(t, want.FM.Share, drawn.Get("fm").Get("share").Float())
	assert.Equal(t, want.IFM.Share, drawn.Get("ifm").Get("share").Float())
	assert.Equal(t, len(want.FM.Hidden), drawn.Get("fm").Get("hidden").Length())
	assert.Equal(t, 6, drawn.Get("eigenvalues").Length())
	assert.Equal(t, 36, drawn.Get("vectors").Length())
	assert.JSONEq(t, stringify(drawn), stringify(p.call("contest", map[string]any{"pairs": given})), "pairs that are given are fitted the same")
}

func TestAContestOfOtherNumbersIsATypedError(t *testing.T) {
	p := open(t)
	e := p.fails(p.invoke("call", "contest", map[string]any{"pairs": []any{1, 2}}))
	assert.Equal(t, "ShapeError", e.Get("kind").String())
	e = p.fails(p.invoke("call", "contest", map[string]any{"pairs": []any{1, 2, math.NaN()}}))
	assert.Equal(t, "NotFiniteError", e.Get("kind").String())
	assert.Contains(t, e.Get("message").String(), "pair of features 2 and 3")
}
