package roles

import (
	"cmp"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
)

// noteDropped counts the rows that are not used, by column, and those of cells that are no
// numbers by the forms of these cells, the most frequent first. why is that of setRows.
func (p *Plan) noteDropped(why []int32) {
	const listed = 4 // forms
	counts := map[int32]int{}
	for _, w := range why {
		if w != 0 {
			counts[w]++
		}
	}
	var reasons []int32
	for i := range p.Table.Columns {
		for _, w := range [...]int32{int32(1 + i), int32(-1 - i)} {
			if counts[w] > 0 {
				reasons = append(reasons, w)
			}
		}
	}
	order.Sort(reasons, func(a, b int32) int { return cmp.Compare(counts[b], counts[a]) })
	for _, w := range reasons {
		i := max(w, -w) - 1
		name := p.Table.Columns[i].Name
		text := message.Sprintf("%s left out because %s is missing", rowsAre(counts[w]), name)
		if w > 0 {
			forms := p.formsOf(int(i), func(row int) bool { return why[row] == w }, listed)
			order.Sort(forms, func(a, b cell.Token) int { return b.Count - a.Count })
			var parts []string
			for _, f := range forms[:min(listed, len(forms))] {
				parts = append(parts, message.Sprintf("%s in %d", cell.Quote(f.Text), f.Count))
			}
			text = message.Sprintf("%s left out because %s is not a number, or too large: %s", rowsAre(counts[w]), name, strings.Join(parts, ", "))
			if len(forms) > listed {
				text += message.Sprintf(" and %d other texts", len(forms)-listed)
			}
		}
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicOdd, Columns: []string{name}, Cells: counts[w], Text: text})
	}
}

func rowsAre(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return message.Sprintf("%d rows are", n)
}

// formsOf counts the texts of some cells of a column. If they are more than listed, it counts
// texts as one that differ in their digits only, by the first of them.
func (p *Plan) formsOf(column int, counts func(row int) bool, listed int) (forms []cell.Token) {
	for _, form := range []func(string) string{strings.TrimSpace, cell.DigitForm} {
		places := map[string]int{}
		forms = nil
		for row := range p.Table.Rows {
			if !counts(row) {
				continue
			}
			text := p.Table.Text(column, row)
			at, known := places[form(text)]
			if !known {
				at = len(forms)
				places[form(text)] = at
				forms = append(forms, cell.Token{Text: cell.Clip(text)})
			}
			forms[at].Count++
		}
		if len(forms) <= listed {
			break
		}
	}
	return forms
}
