package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/moment"
	"ifmlab/core/note"
	"ifmlab/core/title"
)

// MaxDistinct is how many different cells a column of numbers may hold before
// it is kept as numbers instead of as a dictionary.
const MaxDistinct = 4096

// Entry is one distinct cell of a column.
type Entry struct {
	Text   string
	Number float64 // NaN if text is no number
	Count  int
}

// OddCell is a cell that is neither missing nor a number.
type OddCell struct {
	row    int32
	code   int32 // of its entry
	Column int32 // the byte its text starts at in its line, 0 if not known
}

// Column holds the cells of one column in one of two forms:
//
//   - as codes into entries, its dictionary. Odd cells are listed up to
//     maxListed, for the place they stand at.
//   - once it is mostly numbers and has more than maxDistinct different cells,
//     as numbers, NaN for a cell that is none. Entries then holds the texts of
//     odd cells, all of which are listed.
type Column struct {
	Name    string
	Unnamed bool // the file gives it no name
	Point   byte // of decimal fractions

	NumberCount   int // cells that are finite numbers
	TextCount     int // cells that are neither that nor missing
	MissingCount  int
	MissingTokens []cell.Token // that stood for missing cells, but for empty ones
	NotMissing    []string     // of missingTokens, those that the settings call texts

	Min, Max float64 // of numbers
	last     float64 // number
	rising   bool    // every cell is a whole number, one more than the last

	dict    dictionary // of entries
	Entries []Entry
	Codes   Blocks[int32]
	odd     []OddCell

	AsNumbers bool // the second form
	Values    Blocks[float64]
	distinct  int                // different numbers when the form changed
	sums      moment.Accumulator // of the first settled values, as numbers, min, max, last and rising are
	settled   int

	Block *SparseBlock // what it stands for; its other cells are none then

	MissingAs   []string // cells that the settings call missing
	DatesAnswer string   // what the settings say of its dates

	MarkGiven  bool              // the settings say which mark is decimal
	Exact      bool              // its format leaves no doubt about that
	MarkLikely byte              // the mark that is, where the cells do not say; or 0
	asText     bool              // it stays a dictionary, since its texts may say more than its numbers
	Marks      cell.MarkEvidence // of cells that the second form no longer has as texts
	weighed    int               // entries that [Column.settlesMark] has looked at

	Coded     bool        // its numbers are names, as 01234 is
	Named     bool        // so are those of a part of dates
	PartOf    string      // the column of dates that it is a part of
	Layout    cell.Layout // of its dates, if it holds such texts
	Parts     []string    // what was made from its dates
	DateOrder string      // of these dates
	Unit      string      // taken off its numbers
	Notes     note.Notes  // what reading has made of it
}

func NewColumn(name string, point byte) *Column {
	return &Column{Name: name, Point: point, rising: true, Min: math.Inf(1), Max: math.Inf(-1), asText: title.Of(name).Postal()}
}

// Add appends a cell as written. odd says that the cell is neither missing nor
// a number: the caller may then call placeLast. It costs a look-up, or the
// parsing of a number once the column is kept as numbers.
func (c *Column) Add(row int, text string) (odd bool) {
	if text == "" {
		c.AddMissing("")
		return false
	}
	if n := len(text); (n > cell.LongestToken || !cell.BeginsToken[text[0]]) && dark(text[0]) && dark(text[n-1]) {
		// most cells: neither missing nor with space around them
	} else if text = strings.TrimSpace(text); cell.IsMissing(text) && !slices.ContainsFunc(c.NotMissing, func(t string) bool { return cell.EqualFold(t, text) }) {
		c.AddMissing(text)
		return false
	}
	if c.AsNumbers {
		v, ok := cell.ParseNumber(text, c.Point)
		if !ok {
			c.Values.Add(math.NaN())
			code := c.intern(text, math.NaN())
			c.Entries[code].Count++
			c.addText(row, code)
			return true
		}
		c.Values.Add(v)
		return false
	}
	code, isText, key := c.dict.find(c.Entries, text)
	if code != MissingCode {
		c.Codes.Add(code)
		c.Entries[code].Count++
		if isText {
			c.addText(row, code)
			return true
		}
		c.rising = false // its number was there before
		c.NumberCount++
		return false
	}
	v, ok := cell.ParseNumber(text, c.Point)
	if !ok {
		v = math.NaN()
	}
	code = c.addEntry(text, key, v)
	c.Codes.Add(code)
	c.Entries[code].Count++
	if !ok {
		c.addText(row, code)
		return true
	}
	c.addNumber(v)
	if len(c.Entries) > MaxDistinct && !c.asText && 2*c.NumberCount >= c.NumberCount+c.TextCount && c.settlesMark() {
		if c.asText = c.ZeroPadded() || c.TooLong(); !c.asText {
			c.keepNumbers()
		}
	}
	return false
}

// Quick reports whether numbers may be added without a look at their texts: point
// is what they were read with.
func (c *Column) Quick(point byte) bool { return c.AsNumbers && c.Point == point }

// dark reports whether c is a visible ASCII character.
func dark(c byte) bool { return c-'!' < '\x7f'-'!' }

// intern returns the code of a text, which is new or known.
func (c *Column) intern(text string, number float64) int32 {
	code, _, key := c.dict.find(c.Entries, text)
	if code == MissingCode {
		code = c.addEntry(text, key, number)
	}
	return code
}

// addEntry adds a text that is not known.
func (c *Column) addEntry(text string, key uint64, number float64) int32 {
	code := int32(len(c.Entries))
	c.Entries = append(c.Entries, Entry{Text: strings.Clone(text), Number: number}) // not a part of the row
	c.dict.add(text, key, math.IsNaN(number))
	return code
}

func (c *Column) addNumber(v float64) {
	if v < c.Min {
		c.Min = v
	}
	if v > c.Max {
		c.Max = v
	}
	c.rising = c.rising && v == math.Trunc(v) && (c.NumberCount == 0 || v == c.last+1)
	c.last = v
	c.NumberCount++
}

// Settle brings what is known of the numbers of a column in its second form up
// to date with its values, which is cheaper for many than for each. scratch
// holds a block.
func (c *Column) Settle(rows int, scratch []float64) {
	for c.AsNumbers && c.settled < rows {
		x := c.Values[c.settled/BlockLen][c.settled%BlockLen:]
		c.settled += len(x)
		if c.MissingCount+c.TextCount > 0 {
			x = Known(x, scratch)
		}
		for i := 0; c.rising && i < len(x); i++ {
			c.rising = x[i] == math.Trunc(x[i]) && (c.NumberCount == 0 || x[i] == c.last+1)
			c.last = x[i]
			c.NumberCount++
		}
		c.sums.AddAll(x)
		c.NumberCount, c.Min, c.Max = c.sums.Count(), c.sums.Min(), c.sums.Max()
	}
}

func (c *Column) addText(row int, code int32) {
	c.TextCount++
	c.rising = false
	if c.AsNumbers || len(c.odd) < fault.MaxListed {
		c.odd = append(c.odd, OddCell{row: int32(row), code: code})
	}
}

// WantsPlace reports whether the place of the odd cell added last is to be
// noted.
func (c *Column) WantsPlace(row int) bool {
	return len(c.odd) > 0 && len(c.odd) <= fault.MaxListed && c.odd[len(c.odd)-1].row == int32(row)
}

// PlaceLast notes where the odd cell added last stands in its line.
func (c *Column) PlaceLast(at int) { c.odd[len(c.odd)-1].Column = int32(at) }

// keepNumbers changes the column to its second form.
func (c *Column) keepNumbers() {
	entries, codes, odd := c.Entries, c.Codes, c.odd
	c.AsNumbers, c.dict, c.Entries, c.Codes, c.odd = true, dictionary{}, nil, nil, nil
	c.distinct = distinctNumbers(entries)
	c.NumberCount = 0 // until they are settled
	c.Marks = cell.MarkEvidence{}
	for _, e := range entries {
		c.weigh(e)
	}
	row := 0
	for _, block := range codes {
		for _, code := range block {
			v := math.NaN()
			if code != MissingCode {
				v = entries[code].Number
				if math.IsNaN(v) {
					cell := OddCell{row: int32(row), code: c.intern(entries[code].Text, v)}
					if n := len(c.odd); n < len(odd) {
						cell.Column = odd[n].Column
					}
					c.Entries[cell.code].Count++
					c.odd = append(c.odd, cell)
				}
			}
			c.Values.Add(v)
			row++
		}
	}
}

// Number returns the cell's number, NaN if it is none or missing. O(1).
func (c *Column) Number(row int) float64 {
	if c.Block != nil {
		return math.NaN()
	}
	if c.AsNumbers {
		return c.Values.At(row)
	}
	if code := c.Codes.At(row); code != MissingCode {
		return c.Entries[code].Number
	}
	return math.NaN()
}

// Gather sets dst to the numbers of rows, NaN where a cell is none or missing.
func (c *Column) Gather(dst []float64, rows []int32) {
	dst = dst[:len(rows)]
	if !c.AsNumbers {
		for i, row := range rows {
			dst[i] = c.Number(int(row))
		}
		return
	}
	values := c.Values
	for i, row := range rows {
		dst[i] = values[uint32(row)/BlockLen][uint32(row)%BlockLen]
	}
}

// IsMissing reports whether the cell is missing. O(1), or O(log odd cells).
func (c *Column) IsMissing(row int) bool {
	if c.Block != nil {
		return false
	}
	if !c.AsNumbers {
		return c.Codes.At(row) == MissingCode
	}
	return math.IsNaN(c.Values.At(row)) && c.OddAt(row) == nil
}

// OddAt returns the listed odd cell of a row, or nil.
func (c *Column) OddAt(row int) *OddCell {
	i, found := slices.BinarySearchFunc(c.odd, row, func(o OddCell, row int) int { return int(o.row) - row })
	if !found {
		return nil
	}
	return &c.odd[i]
}

// EachOdd calls f with the rows of all odd cells, in order. O(odd cells), or
// O(rows) for a column kept as a dictionary.
func (c *Column) EachOdd(f func(row int)) {
	if c.TextCount == 0 {
		return
	}
	if c.AsNumbers || len(c.odd) == c.TextCount {
		for _, o := range c.odd {
			f(int(o.row))
		}
		return
	}
	row := 0
	for _, block := range c.Codes {
		for _, code := range block {
			if code != MissingCode && math.IsNaN(c.Entries[code].Number) {
				f(row)
			}
			row++
		}
	}
}

// Text returns the cell as it was written, trimmed, "" if it is missing; a
// number of a column kept as numbers in its shortest form.
func (c *Column) Text(row int) string {
	if c.Block != nil {
		return c.Block.textOf(row)
	}
	if !c.AsNumbers {
		if code := c.Codes.At(row); code != MissingCode {
			return c.Entries[code].Text
		}
		return ""
	}
	v := c.Values.At(row)
	if !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if o := c.OddAt(row); o != nil {
		return c.Entries[o.code].Text
	}
	return ""
}

// AddMissing appends a missing cell, as it is written.
func (c *Column) AddMissing(text string) {
	c.MissingCount++
	c.rising = false
	if text != "" {
		c.MissingTokens = cell.CountToken(c.MissingTokens, text, 1)
	}
	if c.AsNumbers {
		c.Values.Add(math.NaN())
	} else {
		c.Codes.Add(MissingCode)
	}
}

// Note adds to what reading has made of the column.
func (c *Column) Note(d note.Note) {
	d.Columns = []string{c.Name}
	c.Notes = append(c.Notes, d)
}
