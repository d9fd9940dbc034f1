package read

import (
	"cmp"
	"math"
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

const (
	mostSentinels  = 3  // of one column, on one side
	fewestOthers   = 11 // other numbers of a column
	fewestRepeated = 3  // cells of a sentinel, unless all other numbers have another sign or programs write it
	fewestValues   = 10 // different other numbers, with the same exception
)

// dropSentinels counts numbers as missing that stand for a missing value, with a note. Such a
// number is repeated and lies beyond all others by more than twice their range. In other columns
// a tenth of their range is then enough. A whole number that repeats below 0 stays a value, with
// a note, if all others are above 0. O(rows) for each column of numbers.
func (b *builder) dropSentinels() {
	if slices.Contains(b.options.Answers.DataRows, "extremes") {
		return
	}
	var known []float64
	for pass := range 2 {
		for _, c := range b.Columns {
			if !c.Numeric() || pass > 0 && known == nil {
				continue
			}
			for _, above := range [...]bool{false, true} {
				for _, v := range sentinelsOf(c, above, known) {
					noteSentinel(c, v, b.scratch)
					known = append(known, v)
				}
			}
		}
	}
	for _, c := range b.Columns {
		if c.Numeric() {
			noteOnlyNegative(c)
		}
	}
}

func noteOnlyNegative(c *table.Column) {
	v, n, next := c.Extreme(false, c.Min, c.Max)
	if v >= 0 || next <= 0 || v != math.Trunc(v) || n < fewestRepeated || !c.HasValues(fewestValues+1) {
		return
	}
	number := cell.FormatNumber(v)
	c.Note(note.Note{Topic: note.TopicSentinel, Cells: n,
		Text:    message.Sprintf("%s is the only number below 0 and is read as a value (%s)", number, cell.CellCount(n)),
		Answers: []note.Answer{{Label: "a value", Key: note.KeyMissingAs, Now: true}, {Label: "missing", Key: note.KeyMissingAs, Value: note.Pair(c.Name, number)}}})
}

func noteSentinel(c *table.Column, v float64, scratch []float64) {
	number := cell.FormatNumber(v)
	before := c.MissingCount
	c.SetMissing([]string{number}, scratch)
	cells := c.MissingCount - before
	c.Note(note.Note{Topic: note.TopicSentinel, Cells: cells,
		Text:    message.Sprintf("%s is far from all other numbers and counts as missing (%s)", number, cell.CellCount(cells)),
		Answers: []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: note.Pair(c.Name, number)}}})
}

// sentinelsOf returns the numbers at one end of a column that stand for missing values, the
// outermost first. known are those of other columns.
func sentinelsOf(c *table.Column, above bool, known []float64) (found []float64) {
	from, to, others := c.Min, c.Max, c.NumberCount
	for len(found) < mostSentinels {
		v, n, next := c.Extreme(above, from, to)
		others -= n
		isValue := slices.ContainsFunc(c.NotMissing, func(text string) bool {
			number, ok := cell.ParseNumber(text, '.')
			return ok && number == v
		})
		if n < 2 || v == 0 || others < fewestOthers || isValue {
			return nil
		}
		found = append(found, v)
		if above {
			to = next
		} else {
			from = next
		}
		gap, span := math.Abs(next-v), to-from
		otherSign := v < 0 && from >= 0
		isWritten := slices.Contains(sentinels[:], v)
		isPlain := isWritten || otherSign || n >= fewestRepeated && 2*others > c.NumberCount && c.HasValues(fewestValues+len(found))
		isKnown := slices.Contains(known, v)
		switch {
		case span == 0 || !isPlain && !isKnown: // nothing further in is one either
			return nil
		case isPlain && gap > 2*span, isKnown && 10*gap > span:
			return found
		case isWritten && 200*n > n+others && gap > 5*middle(c, from, to):
			return found
		}
	}
	return nil
}

// middle returns the interquartile range of the numbers between two, or their standard
// deviation if that is 0.
func middle(c *table.Column, from, to float64) float64 {
	var x []float64
	for row := range c.Rows() {
		if v := c.Number(row); v >= from && v <= to {
			x = append(x, v)
		}
	}
	order.Sort(x, cmp.Compare[float64])
	if width := x[len(x)*3/4] - x[len(x)/4]; width > 0 {
		return width
	}
	var m moment.Accumulator
	m.AddAll(x)
	return m.SD()
}
