package read

import (
	"cmp"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// sentinels are numbers that programs write for missing values.
var sentinels = [...]float64{-99, -99.9, -999, -9999, 999, 9999, 99999}

// suggestMissing asks whether an extreme number means a missing value. It is one of sentinels,
// occurs at least twice, and lies beyond all others by more than twice their range. If more
// than one cell in 200 holds it, five times the interquartile range is enough. O(1) if
// the extremes are no sentinels.
func suggestMissing(c *table.Column) {
	least, most := c.Min, c.Max
	for {
		v := least
		if !slices.Contains(sentinels[:], v) {
			v = most
		}
		if !slices.Contains(sentinels[:], v) {
			return
		}
		n, from, to, far := withoutExtreme(c, v, least, most)
		if !far && v == least && slices.Contains(sentinels[:], most) {
			v = most
			n, from, to, far = withoutExtreme(c, v, least, most)
		}
		if !far {
			return
		}
		askMissing(c, v, n)
		least, most = from, to
	}
}

func askMissing(c *table.Column, v float64, cells int) {
	number := cell.FormatNumber(v)
	c.Note(note.Note{Topic: note.TopicSentinel, Cells: cells,
		Text:    message.Sprintf("%s, in %d cells, lies far from all other numbers and may stand for a missing value", number, cells),
		Answers: []note.Answer{{Label: "a value", Key: note.KeyMissingAs, Now: true}, {Label: "missing", Key: note.KeyMissingAs, Value: note.Pair(c.Name, number)}}})
}

// withoutExtreme returns how many cells hold v, the least or the largest number, the range of
// the other numbers, and whether v lies far from it. O(n log n).
func withoutExtreme(c *table.Column, v, least, most float64) (n int, from, to float64, far bool) {
	const fewest = 10 // other numbers
	var rest []float64
	for row := range c.Rows() {
		switch x := c.Number(row); {
		case !(x >= least && x <= most):
		case x == v:
			n++
		default:
			rest = append(rest, x)
		}
	}
	if n < 2 || len(rest) <= fewest {
		return n, least, most, false
	}
	order.Sort(rest, cmp.Compare[float64])
	from, to = rest[0], rest[len(rest)-1]
	middle := rest[len(rest)*3/4] - rest[len(rest)/4]
	if middle == 0 {
		var m moment.Accumulator
		m.AddAll(rest)
		middle = m.SD()
	}
	gap := max(from-v, v-to)
	return n, from, to, gap > 2*(to-from) || gap > 5*middle && 200*n > n+len(rest)
}
