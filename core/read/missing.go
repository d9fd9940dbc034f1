package read

import (
	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// noteMissing notes which texts count as missing, by themselves or by the settings.
func noteMissing(c *table.Column) {
	const listed = 4
	for _, t := range c.MissingTokens[:min(listed, len(c.MissingTokens))] {
		d := note.Note{Topic: note.TopicMissing, Cells: t.Count, Text: message.Sprintf("%s counts as missing in %s", cell.Quote(t.Text), cell.CellCount(t.Count))}
		if cell.IsMissing(t.Text) {
			d.Answers = []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: note.Pair(c.Name, t.Text)}}
		} else {
			d.Text += ", as the settings say"
			d.Answers = []note.Answer{{Label: "missing", Key: note.KeyMissingAs, Value: note.Pair(c.Name, t.Text), Now: true}, {Label: "a value", Key: note.KeyMissingAs}}
		}
		c.Note(d)
	}
	for _, t := range c.NotMissing {
		c.Note(note.Note{Topic: note.TopicMissing, Text: cell.Quote(t) + " is a value, as the settings say",
			Answers: []note.Answer{{Label: "missing", Key: note.KeyNotMissing}, {Label: "a value", Key: note.KeyNotMissing, Value: note.Pair(c.Name, t), Now: true}}})
	}
}
