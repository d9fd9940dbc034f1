package read

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/roles"
)

func TestAColumnTellsHowItsMissingCellsAreWritten(t *testing.T) {
	table, err := Read(strings.NewReader("harbour,depth\nEast,?\nnone,4.5\n  -- ,?\nunknown,\nWest,7\nnone,8.25\n"), Options{})
	require.NoError(t, err)
	harbour, depth := roles.Profiles(table)[0], roles.Profiles(table)[1]
	assert.Equal(t, []int{3, 3}, []int{harbour.Missing, depth.Missing})
	assert.Contains(t, harbour.Levels, "unknown", "a level as any other")
	assert.Equal(t, note.Notes{
		{Topic: note.TopicMissing, Columns: []string{"harbour"}, Text: `"none" counts as missing in 2 cells`, Cells: 2, Answers: []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: "harbour:none"}}},
		{Topic: note.TopicMissing, Columns: []string{"harbour"}, Text: `"--" counts as missing in 1 cell`, Cells: 1, Answers: []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: "harbour:--"}}},
	}, harbour.Notes)
	require.Len(t, depth.Notes, 1, "the empty cell needs no word")
	assert.Equal(t, `"?" counts as missing in 2 cells`, depth.Notes[0].Text)
	assert.Equal(t, design.Numeric, depth.Kind)
}
