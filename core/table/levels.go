package table

import (
	"cmp"
	"math"

	"ifmlab/core/order"
)

// Levels returns the texts of the cells and, for each of the rows, the index of its text,
// MissingCode for a missing cell. Some texts may be in none of the rows.
func (c *Column) Levels(rows []int32) (texts []string, codes []int32) {
	codes = make([]int32, len(rows))
	if !c.PlainNumbers {
		texts = make([]string, len(c.Entries))
		for i, e := range c.Entries {
			texts[i] = e.Text
		}
		for i, row := range rows {
			codes[i] = c.Codes.At(int(row))
		}
		return texts, codes
	}
	known := map[string]int32{}
	for i, row := range rows {
		t := c.Text(int(row))
		if t == "" {
			codes[i] = MissingCode
			continue
		}
		code, ok := known[t]
		if !ok {
			code = int32(len(texts))
			texts = append(texts, t)
			known[t] = code
		}
		codes[i] = code
	}
	return texts, codes
}

// Tally returns for each entry of a dictionary in how many rows it stands. marks is 1 for
// rows that count and 0 for others.
func (c *Column) Tally(marks []uint8) []int {
	counts := make([]int, len(c.Entries))
	for _, block := range c.Codes {
		for i, code := range block {
			if code != MissingCode {
				counts[code] += int(marks[i])
			}
		}
		marks = marks[len(block):]
	}
	return counts
}

// TallyLevels returns the texts of a column, in how many of the rows each stands, and in
// how many the cell is missing. marks is 1 for the same rows.
func (c *Column) TallyLevels(rows []int32, marks []uint8) (texts []string, counts []int, missing int) {
	missing = len(rows)
	if !c.PlainNumbers {
		texts, counts = make([]string, len(c.Entries)), c.Tally(marks)
		for i, e := range c.Entries {
			texts[i] = e.Text
			missing -= counts[i]
		}
		return texts, counts, missing
	}
	texts, codes := c.Levels(rows)
	counts = make([]int, len(texts))
	for _, code := range codes {
		if code != MissingCode {
			counts[code]++
			missing--
		}
	}
	return texts, counts, missing
}

// Frequent returns the most frequent texts, at most most.
func (c *Column) Frequent(most int) []string {
	places := order.Of(len(c.Entries), func(a, b int) int { return cmp.Compare(c.Entries[b].Count, c.Entries[a].Count) })
	var levels []string
	for _, i := range places[:min(most, len(places))] {
		levels = append(levels, c.Entries[i].Text)
	}
	return levels
}

// Classes numbers the different values in rows by first appearance. It returns the number
// of each row, −1 for a missing cell, and the first row of each value. O(rows + entries).
func (c *Column) Classes(rows []int32) (of, first []int32) {
	of = make([]int32, len(rows))
	var seen order.Numbering
	for i, row := range rows {
		key := uint64(missingKey)
		if c.PlainNumbers {
			key = c.key(int(row))
		} else if code := c.Codes.At(int(row)); code != MissingCode {
			key = uint64(code)
		}
		if key == missingKey {
			of[i] = -1
			continue
		}
		of[i] = int32(seen.Of(key))
		if int(of[i]) == len(first) {
			first = append(first, row)
		}
	}
	return of, first
}

// missingKey is the key of a missing cell. No number has it.
const missingKey = 0x7ff8_0000_0000_0000

// key returns the same number for equal values of a column that is stored as numbers.
func (c *Column) key(row int) uint64 {
	v := c.Values.At(row)
	if v == v {
		return math.Float64bits(v + 0) // −0 is 0
	}
	if o := c.TextAt(row); o != nil {
		return missingKey + 1 + uint64(o.code)
	}
	return missingKey
}
