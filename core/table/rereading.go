package table

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/moment"
)

// SetMissing makes all cells missing that are one of these texts or numbers, or in one of
// these units.
func (c *Column) SetMissing(answers []string, scratch []float64) {
	for _, answer := range answers {
		v, isNumber := cell.ParseNumber(answer, '.')
		isUnit := cell.IsUnit(answer)
		gone := func(e Entry) bool {
			if isUnit && e.Text != answer {
				a, ok := cell.ParseAmount(e.Text)
				return ok && a.Unit == answer
			}
			return e.Text == answer || isNumber && e.Number == v
		}
		found := 0
		if c.PlainNumbers {
			for _, block := range c.Values {
				for i, x := range block {
					if isNumber && x == v {
						block[i] = math.NaN()
						found++
					}
				}
			}
			c.texts = slices.DeleteFunc(c.texts, func(o TextCell) bool {
				if gone(c.Entries[o.code]) {
					found++
					return true
				}
				return false
			})
			c.placeNumbers()
		} else {
			found = c.removeEntries(gone)
		}
		if found > 0 {
			c.MissingTokens = cell.CountToken(c.MissingTokens, answer, found)
			c.recount(scratch)
		}
	}
}

// removeEntries removes entries from the dictionary and makes their cells missing. It
// returns how many cells these were.
func (c *Column) removeEntries(gone func(Entry) bool) (found int) {
	to := make([]int32, len(c.Entries))
	kept := c.Entries[:0]
	for i, e := range c.Entries {
		if gone(e) {
			to[i] = MissingCode
			found += e.Count
			continue
		}
		to[i] = int32(len(kept))
		kept = append(kept, e)
	}
	if len(kept) == len(c.Entries) {
		return 0
	}
	c.Entries, c.dict = kept, dictionary{}
	for _, block := range c.Codes {
		for i, code := range block {
			if code != MissingCode {
				block[i] = to[code]
			}
		}
	}
	for i := range c.texts {
		c.texts[i].code = to[c.texts[i].code]
	}
	return found
}

// Rereading counts the cells that another number format changed.
type Rereading struct {
	Grouped   int // with marks between thousands
	Units     int // with a unit
	Converted int // of these, with another unit than the column's
	Bounds    int
	Footnotes int
	Scaled    int // with a scale beside a currency
}

// Reread parses all cells anew in another number format. Unless always is set, it leaves
// the column alone if less than 90 % of the cells would be numbers. O(entries), or O(rows)
// if a cell changes.
func (c *Column) Reread(m cell.NumberFormat, always bool, scratch []float64) (r Rereading) {
	read := make([]float64, len(c.Entries))
	numbers, changed := 0, c.PlainNumbers && m.Point != c.Point
	if c.PlainNumbers {
		numbers = c.NumberCount
	}
	for i, e := range c.Entries {
		v, a, ok := m.Read(e.Text)
		if !ok {
			v = math.NaN()
		} else if numbers += e.Count; a.Body != "" {
			if _, ungrouped := cell.ParseNumber(a.Body, m.Point); !ungrouped {
				r.Grouped += e.Count
			}
			if a.Unit != "" {
				r.Units += e.Count
			}
			if a.Unit != "" && a.Unit != m.Unit {
				r.Converted += e.Count
			}
			if a.Scaled() {
				r.Scaled += e.Count
			}
			if a.Bound {
				r.Bounds += e.Count
			}
			if a.Footnote {
				r.Footnotes += e.Count
			}
		}
		changed = changed || math.Float64bits(v) != math.Float64bits(e.Number) && (v == v || e.Number == e.Number)
		read[i] = v
	}
	if !always && !cell.Mostly(numbers, c.NumberCount+c.TextCount) {
		return Rereading{}
	}
	c.Point = m.Point
	if !changed && (c.PlainNumbers || c.asText || len(c.Entries) <= MaxDistinct) {
		return r
	}
	for i, v := range read {
		c.Entries[i].Number = v
	}
	if c.PlainNumbers {
		c.placeNumbers()
	}
	c.recount(scratch)
	return r
}

// placeNumbers moves text cells that have become numbers to Values, and removes the
// entries that no text cell uses.
func (c *Column) placeNumbers() {
	old, odd := c.Entries, c.texts[:0]
	c.dict, c.Entries = dictionary{}, nil
	for _, o := range c.texts {
		e := old[o.code]
		if e.Number == e.Number {
			c.Values[o.row/BlockLen][o.row%BlockLen] = e.Number
			continue
		}
		o.code = c.intern(e.Text, math.NaN())
		c.Entries[o.code].Count++
		odd = append(odd, o)
	}
	c.texts = odd
}

// recount computes the counts and sums of a column whose cells have changed. A dictionary
// of too many numbers changes to numbers. O(rows).
func (c *Column) recount(scratch []float64) {
	rows := c.Rows()
	c.NumberCount, c.TextCount, c.Min, c.Max = 0, 0, math.Inf(1), math.Inf(-1)
	c.rising, c.last = true, 0
	if !c.PlainNumbers {
		c.recountCodes()
		if !c.Numeric() || len(c.Entries) <= MaxDistinct || c.asText {
			return
		}
		c.keepNumbers()
	}
	c.sums, c.summedRows, c.TextCount = moment.Accumulator{}, 0, len(c.texts)
	c.MissingCount = 0
	c.NumberCount = 0
	for _, block := range c.Values {
		for _, v := range block {
			if v != v {
				c.MissingCount++
			}
		}
	}
	c.MissingCount -= c.TextCount
	c.rising = c.MissingCount+c.TextCount == 0
	c.SumUp(rows, scratch)
}

// recountCodes is recount for a dictionary.
func (c *Column) recountCodes() {
	for i := range c.Entries {
		c.Entries[i].Count = 0
	}
	c.MissingCount = 0
	for _, block := range c.Codes {
		for _, code := range block {
			switch {
			case code == MissingCode:
				c.MissingCount++
				c.rising = false
			case c.Entries[code].Number == c.Entries[code].Number:
				c.Entries[code].Count++
				c.addNumber(c.Entries[code].Number)
			default:
				c.Entries[code].Count++
				c.TextCount++
				c.rising = false
			}
		}
	}
	c.texts = slices.DeleteFunc(c.texts, func(o TextCell) bool {
		return o.code == MissingCode || c.Entries[o.code].Number == c.Entries[o.code].Number
	})
}

// Format returns the number format that was used while reading.
func (c *Column) Format() cell.NumberFormat { return cell.NumberFormat{Point: c.Point, Brackets: true} }

// KeepRows removes all rows but these, which are in order.
func (c *Column) KeepRows(rows []int32, scratch []float64) {
	c.Codes, c.Values = pick(c.Codes, rows), pick(c.Values, rows)
	texts := c.texts[:0]
	for _, o := range c.texts {
		if at, is := slices.BinarySearch(rows, o.row); is {
			o.row = int32(at)
			texts = append(texts, o)
		}
	}
	c.texts = texts
	if c.PlainNumbers {
		c.placeNumbers()
	} else {
		for i := range c.Entries {
			c.Entries[i].Count = 0
		}
		for _, block := range c.Codes {
			for _, code := range block {
				if code != MissingCode {
					c.Entries[code].Count++
				}
			}
		}
		c.removeEntries(func(e Entry) bool { return e.Count == 0 })
	}
	c.recount(scratch)
}
