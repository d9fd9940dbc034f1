package saved_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/note"
	"ifmlab/core/saved"
	"ifmlab/core/spec"
	"ifmlab/core/task"
)

func TestCellsThatHoldAValueAndCountAsMissingAreTold(t *testing.T) {
	text := "price,b,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d €,%d,%d\n", 100+i*37%61, i*31%17, i*37%61+i*31%17)
	}
	s, _ := spec.Parse("source=table&trials=1&iterations=5&models=ifm&ranks=1&target=y")
	rows, err := task.Read(s, "rows.csv", strings.NewReader(text))
	require.NoError(t, err)
	run, err := core.Open(s, 0, rows)
	require.NoError(t, err)
	for !run.Done() {
		_, err := run.Next()
		require.NoError(t, err)
	}
	file, err := run.Model()
	require.NoError(t, err)
	m, err := saved.Read(file)
	require.NoError(t, err)

	p, err := m.Predict(rows)
	require.NoError(t, err)
	assert.Empty(t, p.Notes.Texts())
	counted := note.Answer{Key: note.KeyMissingAs, Value: "price:$", Now: true}
	rows.ByName()["price"].Note(note.Note{Topic: note.TopicUnit, Text: "“$” in 3 cells is another unit", Answers: []note.Answer{counted}})
	rows.ByName()["b"].Note(note.Note{Topic: note.TopicSentinel, Text: "-999 is a value", Answers: []note.Answer{{Key: note.KeyMissingAs, Now: true}}})
	p, err = m.Predict(rows)
	require.NoError(t, err)
	assert.Equal(t, []string{"price: “$” in 3 cells is another unit"}, p.Notes.Texts())
}
