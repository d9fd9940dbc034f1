package packed

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/note"
)

const (
	maxColumns = 16384   // of a sheet
	maxRows    = 1048576 // of a sheet
	headRows   = 64      // rows that decide where the table begins and how wide it is
)

// cell is a cell of a sheet.
type cell struct {
	Address string   `xml:"r,attr"`
	Type    string   `xml:"t,attr"`
	Style   string   `xml:"s,attr"`
	Value   string   `xml:"v"`
	Formula *string  `xml:"f"`
	Inline  richText `xml:"is"`
	first   bool     // of those with a value in its row
}

func (c *cell) text() string { return c.Value + c.Inline.String() }

// cells calls visit for each cell with a value. Rows count from 1, columns from 0. It counts
// in unseen what the sheet does not show, and leaves hidden rows out if b.keep says so.
func (b *workbook) cells(part *zip.File, unseen *unseen, visit func(row, column int, c *cell) error) error {
	row, column, hidden, first, counted := 0, 0, false, true, false
	return b.walk(part, b.limits.text, func(d *xml.Decoder, start xml.StartElement) error {
		switch start.Name.Local {
		case "row":
			number, err := strconv.Atoi(attribute(start, "r"))
			if err != nil {
				number = row + 1
			}
			row, column, first, counted = number, 0, true, false
			hidden = slices.Contains([]string{"1", "true"}, attribute(start, "hidden"))
		case "c":
			var c cell
			if err := d.DecodeElement(&c, &start); err != nil {
				return err
			}
			if at := columnOf(c.Address); at > 0 {
				column = at - 1
			}
			column++
			if row > maxRows || column > maxColumns {
				return b.damaged()
			}
			if hidden && c.text() != "" && !counted {
				unseen.rows++
				counted = true
			}
			switch {
			case hidden && slices.Contains(b.keep, "visible"):
			case c.text() == "" && c.Formula != nil:
				unseen.formulas++
			case c.text() != "":
				c.first, first = first, false
				return visit(row, column-1, &c)
			}
		}
		return nil
	})
}

// unseen counts what a sheet holds without showing it.
type unseen struct {
	rows     int // hidden ones with cells
	formulas int // cells whose formula was saved without its value
}

// hasCells reports whether any cell of a sheet has a value.
func (b *workbook) hasCells(part *zip.File) (has bool, err error) {
	err = b.cells(part, &unseen{}, func(int, int, *cell) error {
		has = true
		return io.EOF
	})
	return has, err
}

// writeSheet writes the rows of a sheet as CSV, each on the line of its number.
func (b *workbook) writeSheet(w *bufio.Writer, part *zip.File, notes *note.Notes) error {
	shared, err := b.sharedStrings()
	if err != nil {
		return err
	}
	styles, err := b.numberFormats()
	if err != nil {
		return err
	}
	out := sheetWriter{w: w, notes: notes, line: 1}
	var now row
	var hidden unseen
	err = b.cells(part, &hidden, func(number, column int, c *cell) error {
		if c.first {
			if err := out.add(now); err != nil {
				return err
			}
			now = row{number: number}
		}
		text, ok := b.cellText(c, shared, styles)
		if !ok {
			return b.damaged()
		}
		if text != "" {
			now.texts = append(now.texts, make([]string, max(0, column+1-len(now.texts)))...)
			now.texts[column] = text
		}
		return nil
	})
	if err == nil {
		err = out.add(now)
	}
	if err == nil && !out.begun {
		err = out.begin()
	}
	if hidden.rows > 0 {
		visible := slices.Contains(b.keep, "visible")
		*notes = append(*notes, note.Note{Topic: note.TopicFile, Cells: hidden.rows, Text: hiddenRows(hidden.rows, visible), Ask: !visible && !slices.Contains(b.keep, "hidden"),
			Answers: []note.Answer{{Label: readHidden, Key: note.KeyKeep, Value: "hidden", Now: !visible}, {Label: leaveHidden, Key: note.KeyKeep, Value: "visible", Now: visible}}})
	}
	if hidden.formulas > 0 {
		notes.Add(note.TopicFile, nil, "%s", unsavedFormulas(hidden.formulas))
	}
	return err
}

// row is a row of a sheet, without the empty cells behind the last one.
type row struct {
	number int
	texts  []string
}

func (r row) filled() (n int) {
	for _, text := range r.texts {
		if text != "" {
			n++
		}
	}
	return n
}

var isNumber = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// cellText returns what a cell shows, and false if the workbook is damaged.
func (b *workbook) cellText(c *cell, shared []string, styles []numberFormat) (text string, ok bool) {
	text = c.text()
	switch c.Type {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(shared) {
			return "", false
		}
		return shared[i], true
	case "b":
		return strconv.FormatBool(text == "1" || text == "true"), true
	case "e":
		return "#N/A", true // whatever the error is
	case "", "n":
		if number := strings.TrimSpace(text); isNumber.MatchString(number) {
			if value, err := strconv.ParseFloat(number, 64); err == nil {
				format := numberFormat{}
				if style, _ := strconv.Atoi(c.Style); style >= 0 && style < len(styles) {
					format = styles[style]
				}
				return format.text(value, b.since1904), true
			}
		}
	default:
		text = unescape(text)
	}
	return text, utf8.RuneCountInString(text) <= longestText
}

// columnOf returns the number of a cell's column, from 1: AB12 is in column 28. It
// returns 0 for a cell without an address.
func columnOf(address string) (column int) {
	for i := 0; i < len(address) && column <= maxColumns; i++ {
		letter := address[i] &^ 0x20
		if letter < 'A' || letter > 'Z' {
			break
		}
		column = 26*column + int(letter-'A') + 1
	}
	return column
}

// sheetWriter writes the rows of a sheet from where the table begins.
type sheetWriter struct {
	w     *bufio.Writer
	notes *note.Notes
	begun bool
	head  []row // waiting until begun
	first int   // column of the table
	width int
	line  int // the next, from 1
}

// add takes the next row.
func (s *sheetWriter) add(r row) error {
	switch {
	case len(r.texts) == 0:
		return nil
	case s.begun:
		return s.write(r)
	}
	s.head = append(s.head, r)
	if len(s.head) < headRows {
		return nil
	}
	return s.begin()
}

// begin writes the head. The table begins with the first row that has half as many
// cells as the fullest.
func (s *sheetWriter) begin() error {
	s.begun = true
	most, at := 0, 0
	for _, r := range s.head {
		most = max(most, r.filled())
	}
	if most >= 2 {
		at = slices.IndexFunc(s.head, func(r row) bool { return r.filled() >= 2 && 2*r.filled() >= most })
	}
	if at > 0 {
		var words []string
		for _, r := range s.head[:at] {
			for _, text := range r.texts {
				words = append(words, strings.Fields(text)...)
			}
		}
		title := []rune(strings.Join(words, " "))
		s.notes.Add(note.TopicFile, nil, "%s", titleRows(at, string(title[:min(len(title), 100)])))
	}
	table := s.head[at:]
	s.head, s.first = nil, maxColumns
	for _, r := range table {
		s.first = min(s.first, slices.IndexFunc(r.texts, func(text string) bool { return text != "" }))
		s.width = max(s.width, len(r.texts))
	}
	s.width -= s.first
	for _, r := range table {
		if err := s.write(r); err != nil {
			return err
		}
	}
	return nil
}

// write returns an error once the reader has closed the file.
func (s *sheetWriter) write(r row) error {
	for ; s.line < r.number; s.line++ {
		s.w.WriteByte('\n')
	}
	s.line = max(r.number, s.line) + 1
	for i := range max(s.width, len(r.texts)-s.first) {
		if i > 0 {
			s.w.WriteByte(',')
		}
		if s.first+i < len(r.texts) {
			s.w.WriteString(quote(r.texts[s.first+i]))
		}
	}
	return s.w.WriteByte('\n')
}
