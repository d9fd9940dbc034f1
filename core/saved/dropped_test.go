package saved_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/note"
)

func TestCellsThatHoldAValueAndCountAsMissingAreTold(t *testing.T) {
	text := "price,b,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d €,%d,%d\n", 100+i*37%61, i*31%17, i*37%61+i*31%17)
	}
	rows, _, m := trained(t, "source=table&trials=1&iterations=5&models=ifm&ranks=1&target=y", text)
	assert.Empty(t, predict(t, m, rows).Notes.Texts())
	counted := note.Answer{Key: note.KeyMissingAs, Value: "price:$", Now: true}
	rows.ByName()["price"].Note(note.Note{Topic: note.TopicUnit, Text: "“$” in 3 cells is another unit", Answers: []note.Answer{counted}})
	rows.ByName()["b"].Note(note.Note{Topic: note.TopicSentinel, Text: "-999 is a value", Answers: []note.Answer{{Key: note.KeyMissingAs, Now: true}}})
	assert.Equal(t, []string{"price: “$” in 3 cells is another unit"}, predict(t, m, rows).Notes.Texts())
}
