package data

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokensForNoValueAreMissingInAnyCase(t *testing.T) {
	for _, s := range append(missingTokens[:], "", "NA", "Na", "N/A", "#N/A", "NAN", "-NaN", "Null", "(NULL)", "#NULL!", "None", "NIL", `\N`, "<NA>", "#DIV/0!") {
		assert.True(t, isMissing(s), s)
	}
	for _, s := range []string{"n", "no", "nils", "nones", "N.A", "nulls", "0", "---", "????", "....", "nai", "ann", "N\x01N", "unknown", "missing", "-1", ".5", "#REF!", "(na)", "–"} {
		assert.False(t, isMissing(s), s)
	}
	for _, s := range missingTokens {
		assert.LessOrEqual(t, len(s), longestToken)
	}
}

func TestAColumnTellsHowItsMissingCellsAreWritten(t *testing.T) {
	table, err := Read(strings.NewReader("harbour,depth\nEast,?\nnone,4.5\n  -- ,?\nunknown,\nWest,7\nnone,8.25\n"), Options{})
	require.NoError(t, err)
	harbour, depth := table.Profile()[0], table.Profile()[1]
	assert.Equal(t, []int{3, 3}, []int{harbour.Missing, depth.Missing})
	assert.Contains(t, harbour.Levels, "unknown", "a level as any other")
	require.Len(t, harbour.Decisions, 1)
	assert.Equal(t, WhatMissing, harbour.Decisions[0].What)
	assert.Equal(t, `"none" (2), "--" (1) counts as missing`, harbour.Decisions[0].Text)
	assert.Equal(t, 3, harbour.Decisions[0].Cells)
	assert.Equal(t, []Answer{{Label: `"none" is a value`, Key: "present", Value: "harbour:none"}, {Label: `"--" is a value`, Key: "present", Value: "harbour:--"}}, harbour.Decisions[0].Answers)
	assert.Equal(t, `"?" (2) counts as missing`, depth.Decisions[0].Text, "the empty cell needs no word")
	assert.Equal(t, Numeric, depth.Kind)
}
