package data

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/moment"
	"ifmlab/core/note"
)

// maxDistinct is how many different cells a column of numbers may hold before
// it is kept as numbers instead of as a dictionary.
const maxDistinct = 4096

// missingCode stands for a missing cell in a column kept as a dictionary.
const missingCode = -1

// entry is one distinct cell of a column.
type entry struct {
	text   string
	number float64 // NaN if text is no number
	count  int
}

// oddCell is a cell that is neither missing nor a number.
type oddCell struct {
	row    int32
	code   int32 // of its entry
	column int32 // the byte its text starts at in its line, 0 if not known
}

// column holds the cells of one column in one of two forms:
//
//   - as codes into entries, its dictionary. Odd cells are listed up to
//     maxListed, for the place they stand at.
//   - once it is mostly numbers and has more than maxDistinct different cells,
//     as numbers, NaN for a cell that is none. Entries then holds the texts of
//     odd cells, all of which are listed.
type column struct {
	name    string
	unnamed bool // the file gives it no name
	point   byte // of decimal fractions

	numbers int // cells that are finite numbers
	texts   int // cells that are neither that nor missing
	missing int
	tokens  []cell.Token // that stood for missing cells, but for empty ones
	present []string     // of missingTokens, those that the settings call texts

	min, max float64 // of numbers
	last     float64 // number
	rising   bool    // every cell is a whole number, one more than the last

	dict    dictionary // of entries
	entries []entry
	codes   blocks[int32]
	odd     []oddCell

	plain    bool // the second form
	values   blocks[float64]
	distinct int                // different numbers when the form changed
	sums     moment.Accumulator // of the first settled values, as numbers, min, max, last and rising are
	settled  int

	block *block // what it stands for; its other cells are none then

	missingAs []string // cells that the settings call missing
	dates     string   // what the settings say of its dates

	told    bool              // the settings say which mark is decimal
	exact   bool              // its format leaves no doubt about that
	likely  byte              // the mark that is, where the cells do not say; or 0
	asText  bool              // it stays a dictionary, since its texts may say more than its numbers
	written cell.MarkEvidence // of cells that the second form no longer has as texts
	open    bool              // nothing of it settles the decimal mark: more cells are looked at
	maybe   []int32           // while it is open, rows of the second form whose mark may be either

	code   bool        // its numbers are names, as 01234 is
	names  bool        // so are those of a part of dates
	of     string      // the column of dates that it is a part of
	layout cell.Layout // of its dates, if it holds such texts
	parts  []string    // what was made from its dates
	order  string      // of these dates
	unit   string      // taken off its numbers
	notes  note.Notes  // what reading has made of it
}

func newColumn(name string, point byte) *column {
	return &column{name: name, point: point, rising: true, min: math.Inf(1), max: math.Inf(-1), asText: titleOf(name).postal()}
}

// add appends a cell as written. odd says that the cell is neither missing nor
// a number: the caller may then call placeLast. It costs a look-up, or the
// parsing of a number once the column is kept as numbers.
func (c *column) add(row int, text string) (odd bool) {
	if text == "" {
		c.addMissing("")
		return false
	}
	if n := len(text); (n > cell.LongestToken || !cell.BeginsToken[text[0]]) && dark(text[0]) && dark(text[n-1]) {
		// most cells: neither missing nor with space around them
	} else if text = strings.TrimSpace(text); cell.IsMissing(text) && !slices.ContainsFunc(c.present, func(t string) bool { return cell.EqualFold(t, text) }) {
		c.addMissing(text)
		return false
	}
	if c.plain {
		v, ok := cell.ParseNumber(text, c.point)
		if !ok {
			c.values.add(math.NaN())
			code := c.intern(text, math.NaN())
			c.entries[code].count++
			c.addText(row, code)
			return true
		}
		c.values.add(v)
		if c.open {
			c.watch(row, text)
		}
		return false
	}
	code, isText, key := c.dict.find(c.entries, text)
	if code != missingCode {
		c.codes.add(code)
		c.entries[code].count++
		if isText {
			c.addText(row, code)
			return true
		}
		c.rising = false // its number was there before
		c.numbers++
		return false
	}
	v, ok := cell.ParseNumber(text, c.point)
	if !ok {
		v = math.NaN()
	}
	code = c.addEntry(text, key, v)
	c.codes.add(code)
	c.entries[code].count++
	if !ok {
		c.addText(row, code)
		return true
	}
	c.addNumber(v)
	if len(c.entries) > maxDistinct && !c.asText && 2*c.numbers >= c.numbers+c.texts {
		if c.asText = c.zeroPadded() || c.tooLong(); !c.asText {
			c.keepNumbers()
		}
	}
	return false
}

// quick reports whether numbers may be added without a look at their texts: point
// is what they were read with.
func (c *column) quick(point byte) bool { return c.plain && !c.open && c.point == point }

// dark reports whether c is a visible ASCII character.
func dark(c byte) bool { return c-'!' < '\x7f'-'!' }

// intern returns the code of a text, which is new or known.
func (c *column) intern(text string, number float64) int32 {
	code, _, key := c.dict.find(c.entries, text)
	if code == missingCode {
		code = c.addEntry(text, key, number)
	}
	return code
}

// addEntry adds a text that is not known.
func (c *column) addEntry(text string, key uint64, number float64) int32 {
	code := int32(len(c.entries))
	c.entries = append(c.entries, entry{text: strings.Clone(text), number: number}) // not a part of the row
	c.dict.add(text, key, math.IsNaN(number))
	return code
}

func (c *column) addNumber(v float64) {
	if v < c.min {
		c.min = v
	}
	if v > c.max {
		c.max = v
	}
	c.rising = c.rising && v == math.Trunc(v) && (c.numbers == 0 || v == c.last+1)
	c.last = v
	c.numbers++
}

// settle brings what is known of the numbers of a column in its second form up
// to date with its values, which is cheaper for many than for each. scratch
// holds a block.
func (c *column) settle(rows int, scratch []float64) {
	for c.plain && c.settled < rows {
		x := c.values[c.settled/blockLen][c.settled%blockLen:]
		c.settled += len(x)
		if c.missing+c.texts > 0 {
			x = present(x, scratch)
		}
		for i := 0; c.rising && i < len(x); i++ {
			c.rising = x[i] == math.Trunc(x[i]) && (c.numbers == 0 || x[i] == c.last+1)
			c.last = x[i]
			c.numbers++
		}
		c.sums.AddAll(x)
		c.numbers, c.min, c.max = c.sums.Count(), c.sums.Min(), c.sums.Max()
	}
}

// present returns the values that are not NaN, in to.
func present(values, to []float64) []float64 {
	n := 0
	for _, v := range values {
		to[n] = v
		if v == v {
			n++
		}
	}
	return to[:n]
}

func (c *column) addText(row int, code int32) {
	c.texts++
	c.rising = false
	if c.plain || len(c.odd) < maxListed {
		c.odd = append(c.odd, oddCell{row: int32(row), code: code})
	}
}

// wantsPlace reports whether the place of the odd cell added last is to be
// noted.
func (c *column) wantsPlace(row int) bool {
	return len(c.odd) > 0 && len(c.odd) <= maxListed && c.odd[len(c.odd)-1].row == int32(row)
}

// placeLast notes where the odd cell added last stands in its line.
func (c *column) placeLast(at int) { c.odd[len(c.odd)-1].column = int32(at) }

// keepNumbers changes the column to its second form.
func (c *column) keepNumbers() {
	entries, codes, odd := c.entries, c.codes, c.odd
	c.plain, c.dict, c.entries, c.codes, c.odd = true, dictionary{}, nil, nil, nil
	c.distinct = distinctNumbers(entries)
	c.numbers = 0 // until they are settled
	maybe := c.weigh(entries)
	row := 0
	for _, block := range codes {
		for _, code := range block {
			v := math.NaN()
			if code != missingCode {
				v = entries[code].number
				if c.open && maybe[code] {
					c.maybe = append(c.maybe, int32(row))
				}
				if math.IsNaN(v) {
					cell := oddCell{row: int32(row), code: c.intern(entries[code].text, v)}
					if n := len(c.odd); n < len(odd) {
						cell.column = odd[n].column
					}
					c.entries[cell.code].count++
					c.odd = append(c.odd, cell)
				}
			}
			c.values.add(v)
			row++
		}
	}
}

// distinctNumbers returns how many different numbers the entries stand for:
// 1 and 1.0 are one.
func distinctNumbers(entries []entry) int {
	numbers := make([]float64, 0, len(entries))
	for _, e := range entries {
		if e.number == e.number {
			numbers = append(numbers, e.number)
		}
	}
	slices.Sort(numbers)
	return len(slices.Compact(numbers))
}

// numeric reports whether the column is one of numbers: at least 90 % of its
// cells that are not missing are, and they are no codes.
func (c *column) numeric() bool {
	return c.numbers > 0 && enough(c.numbers, c.numbers+c.texts) && !c.code && !c.names
}

// enough reports whether count cells of all are 90 %.
func enough(count, all int) bool { return 10*count >= 9*all }

// number returns the cell's number, NaN if it is none or missing. O(1).
func (c *column) number(row int) float64 {
	if c.block != nil {
		return math.NaN()
	}
	if c.plain {
		return c.values.at(row)
	}
	if code := c.codes.at(row); code != missingCode {
		return c.entries[code].number
	}
	return math.NaN()
}

// gather sets dst to the numbers of rows, NaN where a cell is none or missing.
func (c *column) gather(dst []float64, rows []int32) {
	dst = dst[:len(rows)]
	if !c.plain {
		for i, row := range rows {
			dst[i] = c.number(int(row))
		}
		return
	}
	values := c.values
	for i, row := range rows {
		dst[i] = values[uint32(row)/blockLen][uint32(row)%blockLen]
	}
}

// isMissing reports whether the cell is missing. O(1), or O(log odd cells).
func (c *column) isMissing(row int) bool {
	if c.block != nil {
		return false
	}
	if !c.plain {
		return c.codes.at(row) == missingCode
	}
	return math.IsNaN(c.values.at(row)) && c.oddAt(row) == nil
}

// oddAt returns the listed odd cell of a row, or nil.
func (c *column) oddAt(row int) *oddCell {
	i, found := slices.BinarySearchFunc(c.odd, row, func(o oddCell, row int) int { return int(o.row) - row })
	if !found {
		return nil
	}
	return &c.odd[i]
}

// eachOdd calls f with the rows of all odd cells, in order. O(odd cells), or
// O(rows) for a column kept as a dictionary.
func (c *column) eachOdd(f func(row int)) {
	if c.texts == 0 {
		return
	}
	if c.plain || len(c.odd) == c.texts {
		for _, o := range c.odd {
			f(int(o.row))
		}
		return
	}
	row := 0
	for _, block := range c.codes {
		for _, code := range block {
			if code != missingCode && math.IsNaN(c.entries[code].number) {
				f(row)
			}
			row++
		}
	}
}

// text returns the cell as it was written, trimmed, "" if it is missing; a
// number of a column kept as numbers in its shortest form.
func (c *column) text(row int) string {
	if c.block != nil {
		return c.block.textOf(row)
	}
	if !c.plain {
		if code := c.codes.at(row); code != missingCode {
			return c.entries[code].text
		}
		return ""
	}
	v := c.values.at(row)
	if !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if o := c.oddAt(row); o != nil {
		return c.entries[o.code].text
	}
	return ""
}

// levels returns the texts of the cells in the given rows and, a row each, the
// code of the row's text, missingCode for a missing cell.
func (c *column) levels(rows []int32) (texts []string, codes []int32) {
	codes = make([]int32, len(rows))
	if !c.plain {
		texts = make([]string, len(c.entries))
		for i, e := range c.entries {
			texts[i] = e.text
		}
		for i, row := range rows {
			codes[i] = c.codes.at(int(row))
		}
		return texts, codes
	}
	known := map[string]int32{}
	for i, row := range rows {
		t := c.text(int(row))
		if t == "" {
			codes[i] = missingCode
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

// tally returns in how many rows each entry of a column in its first form
// stands; marks has 1 for a row that counts and 0 for another.
func (c *column) tally(marks []uint8) []int {
	counts := make([]int, len(c.entries))
	for _, block := range c.codes {
		for i, code := range block {
			if code != missingCode {
				counts[code] += int(marks[i])
			}
		}
		marks = marks[len(block):]
	}
	return counts
}

// tallyLevels returns the texts of a column, in how many of the given rows each
// stands, and in how many none does. marks tells the same rows.
func (c *column) tallyLevels(rows []int32, marks []uint8) (texts []string, counts []int, missing int) {
	missing = len(rows)
	if !c.plain {
		texts, counts = make([]string, len(c.entries)), c.tally(marks)
		for i, e := range c.entries {
			texts[i] = e.text
			missing -= counts[i]
		}
		return texts, counts, missing
	}
	texts, codes := c.levels(rows)
	counts = make([]int, len(texts))
	for _, code := range codes {
		if code != missingCode {
			counts[code]++
			missing--
		}
	}
	return texts, counts, missing
}

// addMissing appends a missing cell, as it is written.
func (c *column) addMissing(text string) {
	c.missing++
	c.rising = false
	if text != "" {
		c.tokens = cell.CountToken(c.tokens, text, 1)
	}
	if c.plain {
		c.values.add(math.NaN())
	} else {
		c.codes.add(missingCode)
	}
}
