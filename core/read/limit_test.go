package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/roles"
)

func TestATableThatNeedsTooMuchMemoryIsRefusedWhileItIsRead(t *testing.T) {
	const rows = 20000
	file := func(text string, line func(row int) string) string {
		b := []byte(text)
		for row := range rows {
			b = append(b, line(row)...)
		}
		return string(b)
	}
	for name, cell := range map[string]func(row int) string{
		"numbers": func(row int) string { return fmt.Sprintf("%d.5", row) },
		"texts":   func(row int) string { return fmt.Sprintf("text %d", row) },
	} {
		t.Run(name, func(t *testing.T) {
			text := file("a,b\n", func(row int) string { return fmt.Sprintf("%s,%d\n", cell(row), row%7) })
			read := func(most int) error {
				_, err := Read(strings.NewReader(text), Options{Name: "t.csv", most: most})
				return err
			}
			assert.NoError(t, read(0))
			err := read(1 << 18)
			var e *fault.FileError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, fault.TooLarge, e.Problem)
			assert.Regexp(t, `^t\.csv: the first \d+ rows need more than 0 MB of memory\. Use fewer rows or columns$`, err.Error())
		})
	}
	numbers := file("a\n", func(row int) string { return fmt.Sprintf("%d.5\n", row) })
	_, err := Read(strings.NewReader(numbers), Options{Name: "t.csv", most: 8*rows + 4096*textOverhead + 1<<17})
	assert.NoError(t, err, "once a column is an array, only its numbers count")
}

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
