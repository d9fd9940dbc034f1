package read

import (
	"cmp"
	"io"
	"math"
	"strings"

	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// Options says how to read a file. The zero value guesses everything.
type Options struct {
	Name       string      // of the file, for messages
	Charset    csv.Charset // "": guess
	Separator  rune        // between cells; 0: guess
	Header     csv.Header
	Answers    Answers // of columns
	WholeDates bool    // make no columns of parts of dates

	most int // bytes of cells to hold; 0: mostHeld
}

// previewRows is the number of rows in a preview.
const previewRows = 10

// maxBadRows is the number of bad rows after which reading stops if most rows are bad.
const maxBadRows = 1000

// mostHeld is the most memory for cells, in bytes: a browser gives an engine 4 GB, and
// training needs as much again.
const mostHeld = 1 << 30

// textOverhead is about what a column needs for one more text besides its bytes.
const textOverhead = 100

// builder fills a Table row by row.
type builder struct {
	*table.Table
	options *Options
	dialect csv.Dialect
	tail    int    // columns at the end that the header does not name
	points  []byte // the decimal marks of columns in the sample
	bad     fault.List

	titles     map[string]int // columns by their names in the header; nil if two are alike
	titleBytes [256]bool      // the first bytes of these names
	order      []int          // of each column, its place in the rows; nil for its own
	headers    int            // lines that repeat the header

	scratch []float64 // a block
	texts   int       // bytes of different texts
}

// addRows appends the rows of a file and lists those that cannot be read.
func (b *builder) addRows(s csv.Scanner) error {
	for {
		cells, numbers, err := s.Next(len(b.Columns))
		switch {
		case err == nil && b.repeatsHeader(cells):
			if err := b.useHeader(s, cells); err != nil {
				return err
			}
		case err == nil && b.Rows < math.MaxInt32:
			b.add(s, cells, numbers)
			b.addNumberRows(s)
			if most := cmp.Or(b.options.most, mostHeld); 8*b.Rows*len(b.Columns)+b.texts > most {
				return &fault.FileError{Problem: fault.TooLarge, File: b.Name, Message: message.Sprintf("the first %d rows need more than %d MB of memory. Use fewer rows or columns", b.Rows, most>>20)}
			}
		case err == nil:
			return &fault.FileError{Problem: fault.TooLarge, File: b.Name, Message: message.Sprintf("the file has more than %d rows; open a part of it", b.Rows)}
		case err == io.EOF:
			return nil
		default:
			if err := b.addBad(err); err != nil {
				return err
			}
		}
	}
}

// addBad lists a row that could not be read. It returns any other error, and a
// [*fault.TooManyBadRowsError] once it makes no sense to read on.
func (b *builder) addBad(err error) error {
	bad, ok := err.(*fault.RowError)
	if !ok {
		return err
	}
	bad.File = b.Name
	b.bad.Add(*bad)
	if b.bad.Count >= maxBadRows && b.bad.Count > b.Rows {
		return b.tooMany()
	}
	return nil
}

// add appends a row. numbers holds the cells that were parsed, NaN for others.
func (b *builder) add(s csv.Scanner, cells []string, numbers []float64) {
	if len(b.Preview) < previewRows {
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		b.Preview = append(b.Preview, row)
	}
	line, _ := s.Place(0)
	b.addLine(line)
	for i, c := range b.Columns {
		from := i
		if b.order != nil {
			from = b.order[i]
		}
		if c.PlainNumbers && numbers != nil && numbers[from] == numbers[from] {
			c.Values.Add(numbers[from])
			continue
		}
		quick, known := c.Quick(b.Point), len(c.Entries)
		if c.Add(b.Rows, cells[from]) && c.NeedsPlace(b.Rows) {
			_, at := s.Place(from)
			c.SetLastPlace(at)
		}
		if c.Quick(b.Point) != quick && b.order == nil {
			s.WantNumber(i)
		}
		if more := len(c.Entries) - known; more > 0 {
			b.texts += len(cells[from]) + textOverhead
		} else if more < 0 { // the column is an array of numbers now
			b.texts += more * textOverhead
		}
	}
	if b.Rows++; b.Rows%table.BlockLen == 0 {
		b.sumUp()
	}
}

// addNumberRows appends the next rows of numbers alone, a column at a time, as far as the
// scanner has cut them and the blocks have room.
func (b *builder) addNumberRows(s csv.Scanner) {
	quick, ok := s.(*csv.QuickScanner)
	if !ok {
		return
	}
	numbers, lines, line := quick.NumberRows(min(table.BlockLen-b.Rows%table.BlockLen, math.MaxInt32-b.Rows))
	if lines == 0 {
		return
	}
	b.addLine(line)
	for i, c := range b.Columns {
		c.Values.AddEach(numbers[i:], len(b.Columns))
	}
	if b.Rows += lines; b.Rows%table.BlockLen == 0 {
		b.sumUp()
	}
}

// addLine records the line of the row that is added.
func (b *builder) addLine(line int) {
	if n := len(b.Lines); n == 0 || b.Lines[n-1].Line+b.Rows-b.Lines[n-1].Row != line {
		b.Lines = append(b.Lines, table.LineStep{Row: b.Rows, Line: line})
	}
}

// sumUp updates the sums of all columns while the new numbers are in a cache.
func (b *builder) sumUp() {
	for _, c := range b.Columns {
		c.SumUp(b.Rows, b.scratch)
	}
}

func (b *builder) tooMany() error {
	return &fault.TooManyBadRowsError{File: b.Name, Bad: b.bad.First, Count: b.bad.Count, Rows: b.Rows + b.bad.Count}
}
