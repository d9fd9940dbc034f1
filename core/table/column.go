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

// MaxDistinct is the number of different cells above which a column of numbers is stored
// as numbers and no longer as a dictionary.
const MaxDistinct = 4096

// Entry is one distinct text of a column.
type Entry struct {
	Text   string
	Number float64 // NaN if Text is no number
	Count  int     // cells that hold it
}

// TextCell is a cell that is neither missing nor a number.
type TextCell struct {
	row    int32
	code   int32 // of its entry
	Column int32 // the byte its text starts at in its line, 0 if not known
}

// Column holds the cells of one column in one of two forms:
//
//   - a dictionary: Codes are indices into Entries. The first [fault.MaxListed] text
//     cells are listed with their places in the file.
//   - numbers, if most cells are numbers and there are more than [MaxDistinct] different
//     ones: Values, NaN for other cells. Entries then holds the texts of the text cells,
//     all of which are listed.
type Column struct {
	Name    string
	Unnamed bool // the file does not name it
	Point   byte // the decimal mark, '.' or ','

	NumberCount   int // finite numbers
	TextCount     int // neither numbers nor missing
	MissingCount  int
	MissingTokens []cell.Token // texts that count as missing, with their counts
	NotMissing    []string     // texts that count as missing elsewhere, but not here, by the settings

	Min, Max float64 // of the numbers
	last     float64 // the number added last
	rising   bool    // each cell is a whole number, the last one plus 1

	dict    dictionary // of entries
	Entries []Entry
	Codes   Blocks[int32]
	texts   []TextCell

	PlainNumbers bool // the column is an array of numbers without a dictionary
	Values       Blocks[float64]
	distinct     int                // different numbers when it changed to numbers
	sums         moment.Accumulator // of the first summedRows values, as NumberCount, Min, Max, last and rising
	summedRows   int

	Block *SparseBlock // the features that it stands for; it has no other cells then

	MissingAs   []string // cells that are missing by the settings
	DatesAnswer string   // the order of its dates, by the settings

	ExplicitMark bool              // the settings name the decimal mark
	ExactMark    bool              // the file's format fixes it
	LikelyMark   byte              // the mark in the file that a model was trained on, if the cells leave it open; 0 without a model
	LikelyUnit   string            // the unit of that file
	TextAnswer   bool              // its cells are texts, by the settings
	asText       bool              // it stays a dictionary: its texts may mean more than their numbers
	Marks        cell.MarkEvidence // of cells that the second form no longer has as texts
	weighed      int               // entries that [Column.showsMark] has looked at

	IsCode     bool        // its numbers are names, such as 01234
	IsDateCode bool        // the same for a part of dates, such as a month
	PartOf     string      // the column of dates that it was made from
	IsDays     bool        // its numbers are the days of these dates since 1970
	Layout     cell.Layout // of its dates, "" if it holds none
	Parts      []string    // the columns made from its dates
	DateOrder  string      // the order of these dates
	Unit       string      // taken off its numbers, or ""
	Notes      note.Notes  // decisions and questions about it
}

// NewColumn returns an empty column whose numbers have this decimal mark.
func NewColumn(name string, point byte) *Column {
	return &Column{Name: name, Point: point, rising: true, Min: math.Inf(1), Max: math.Inf(-1), asText: title.Of(name).Postal()}
}

// Add appends a cell as written. isText reports that the cell is neither missing nor a
// number: the caller may then call SetLastPlace. Add costs a look-up, or the parsing of a
// number if the column is stored as numbers.
func (c *Column) Add(row int, text string) (isText bool) {
	if text == "" {
		c.AddMissing("")
		return false
	}
	if n := len(text); (n > cell.LongestToken || !cell.BeginsToken[text[0]]) && isVisible(text[0]) && isVisible(text[n-1]) {
		if text[0] == '=' && n > 2 && text[1] == '"' && text[n-1] == '"' {
			text = text[2 : n-1] // a text in Excel's CSV
		}
	} else if text = strings.TrimSpace(text); cell.IsMissing(text) && !slices.ContainsFunc(c.NotMissing, func(t string) bool { return cell.EqualFold(t, text) }) {
		c.AddMissing(text)
		return false
	}
	if c.PlainNumbers {
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
	if len(c.Entries) > MaxDistinct && !c.asText && 2*c.NumberCount >= c.NumberCount+c.TextCount && c.showsMark() {
		if c.asText = c.ZeroPadded() || c.TooLong() || c.ExponentCodes(); !c.asText {
			c.keepNumbers()
		}
	}
	return false
}

// Quick reports whether numbers that were parsed with this decimal mark may be appended to
// Values without their texts.
func (c *Column) Quick(point byte) bool { return c.PlainNumbers && c.Point == point }

// isVisible reports whether c is a visible ASCII character.
func isVisible(c byte) bool { return c-'!' < '\x7f'-'!' }

// intern returns the code of a text and adds the text if it is new.
func (c *Column) intern(text string, number float64) int32 {
	code, _, key := c.dict.find(c.Entries, text)
	if code == MissingCode {
		code = c.addEntry(text, key, number)
	}
	return code
}

// addEntry adds a new text.
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

// SumUp updates the sums of a column that is stored as numbers, up to the given row. A
// block at a time is cheaper than each number. scratch holds a block.
func (c *Column) SumUp(rows int, scratch []float64) {
	for c.PlainNumbers && c.summedRows < rows {
		x := c.Values[c.summedRows/BlockLen][c.summedRows%BlockLen:]
		c.summedRows += len(x)
		if c.MissingCount+c.TextCount > 0 {
			x = DropNaN(x, scratch)
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
	if c.PlainNumbers || len(c.texts) < fault.MaxListed {
		c.texts = append(c.texts, TextCell{row: int32(row), code: code})
	}
}

// NeedsPlace reports whether the cell of this row is the last listed text cell and its
// place is of use.
func (c *Column) NeedsPlace(row int) bool {
	return len(c.texts) > 0 && len(c.texts) <= fault.MaxListed && c.texts[len(c.texts)-1].row == int32(row)
}

// SetLastPlace sets the column of the line where the last text cell starts.
func (c *Column) SetLastPlace(at int) { c.texts[len(c.texts)-1].Column = int32(at) }

// keepNumbers changes the column from a dictionary to numbers.
func (c *Column) keepNumbers() {
	entries, codes, odd := c.Entries, c.Codes, c.texts
	c.PlainNumbers, c.dict, c.Entries, c.Codes, c.texts = true, dictionary{}, nil, nil, nil
	c.distinct = distinctNumbers(entries)
	c.NumberCount = 0 // until they are settled
	c.Marks = cell.MarkEvidence{}
	for _, e := range entries {
		c.addEvidence(e)
	}
	row := 0
	for _, block := range codes {
		for _, code := range block {
			v := math.NaN()
			if code != MissingCode {
				v = entries[code].Number
				if math.IsNaN(v) {
					cell := TextCell{row: int32(row), code: c.intern(entries[code].Text, v)}
					if n := len(c.texts); n < len(odd) {
						cell.Column = odd[n].Column
					}
					c.Entries[cell.code].Count++
					c.texts = append(c.texts, cell)
				}
			}
			c.Values.Add(v)
			row++
		}
	}
}

// Number returns the cell's number, NaN if it has none. O(1).
func (c *Column) Number(row int) float64 {
	if c.Block != nil {
		return math.NaN()
	}
	if c.PlainNumbers {
		return c.Values.At(row)
	}
	if code := c.Codes.At(row); code != MissingCode {
		return c.Entries[code].Number
	}
	return math.NaN()
}

// Gather sets dst to the numbers of rows, NaN for cells without one.
func (c *Column) Gather(dst []float64, rows []int32) {
	dst = dst[:len(rows)]
	if !c.PlainNumbers {
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

// IsMissing reports whether the cell is missing. O(log text cells).
func (c *Column) IsMissing(row int) bool {
	if c.Block != nil {
		return false
	}
	if !c.PlainNumbers {
		return c.Codes.At(row) == MissingCode
	}
	return math.IsNaN(c.Values.At(row)) && c.TextAt(row) == nil
}

// TextAt returns the listed text cell of a row, or nil.
func (c *Column) TextAt(row int) *TextCell {
	i, found := slices.BinarySearchFunc(c.texts, row, func(o TextCell, row int) int { return int(o.row) - row })
	if !found {
		return nil
	}
	return &c.texts[i]
}

// EachText calls f with the rows of all text cells in order. O(text cells), or O(rows) for
// a dictionary.
func (c *Column) EachText(f func(row int)) {
	if c.TextCount == 0 {
		return
	}
	if c.PlainNumbers || len(c.texts) == c.TextCount {
		for _, o := range c.texts {
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

// Text returns the cell as written and trimmed, "" if it is missing. If the column is
// stored as numbers, it returns the shortest form of the number.
func (c *Column) Text(row int) string {
	if c.Block != nil {
		return c.Block.textOf(row)
	}
	if !c.PlainNumbers {
		if code := c.Codes.At(row); code != MissingCode {
			return c.Entries[code].Text
		}
		return ""
	}
	v := c.Values.At(row)
	if !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if o := c.TextAt(row); o != nil {
		return c.Entries[o.code].Text
	}
	return ""
}

// AddMissing appends a missing cell with its text.
func (c *Column) AddMissing(text string) {
	c.MissingCount++
	c.rising = false
	if text != "" {
		c.MissingTokens = cell.CountToken(c.MissingTokens, text, 1)
	}
	if c.PlainNumbers {
		c.Values.Add(math.NaN())
	} else {
		c.Codes.Add(MissingCode)
	}
}

// Note adds a note about the column.
func (c *Column) Note(d note.Note) {
	d.Columns = []string{c.Name}
	c.Notes = append(c.Notes, d)
}
