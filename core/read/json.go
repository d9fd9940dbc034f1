package read

import (
	"bytes"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/jsontext"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// jsonForm says where the rows of a JSON file are. Its value is the number of brackets
// around a row.
type jsonForm int

const (
	jsonLines   jsonForm = iota // each value is a row: JSON Lines
	jsonArray                   // the elements of one array are rows
	jsonWrapped                 // the elements of an array within one object are
	jsonColumns                 // one object holds a list, or an object with a key for each row, for each column
)

// maxDepth is the largest depth of objects and lists in a row.
const maxDepth = 64

// jsonFormOf guesses the form from a sample.
func jsonFormOf(sample []byte, complete bool) jsonForm {
	r := jsontext.NewReader(sample, nil)
	t, _ := r.Next()
	if t.Kind == jsontext.Array {
		t, _ = r.Next()
		if t.Kind == jsontext.Object || t.Kind == jsontext.Array || t.Kind == jsontext.ArrayEnd && r.Peek() == 0 {
			return jsonArray
		}
		return jsonLines
	}
	var err error
	members, scalars, tables := 0, 0, 0 // of the object; tables are arrays of objects or arrays
	for before := t.Kind; err == nil && r.Depth() > 0; before = t.Kind {
		t, err = r.Next()
		switch depth := r.Depth(); {
		case err != nil:
		case depth == 1 && t.Kind == jsontext.Name:
			members++
		case depth == 1 && (t.Kind == jsontext.Text || t.Kind == jsontext.Word):
			scalars++
		case depth == 3 && before == jsontext.Array && (t.Kind == jsontext.Object || t.Kind == jsontext.Array):
			tables++
		}
	}
	at := r.Here()
	switch {
	case err == nil && r.Peek() != 0:
		return jsonLines
	case err != nil && !complete && tables == 0 && scalars == 0:
		return jsonColumns
	case err == nil && !complete:
		return jsonLines
	case err != nil && at.Line == 1 && bytes.IndexByte(sample[at.Offset:], '\n') >= 0:
		return jsonLines // the first is broken
	case tables > 0:
		return jsonWrapped
	case err == nil && members > 0 && scalars == 0:
		return jsonColumns
	}
	return jsonLines
}

// jsonRows reads rows from JSON: objects with a key for each column, or lists of cells. It
// adds a column when it meets a new key, and keeps one row of the file in memory.
type jsonRows struct {
	in     *jsontext.Reader
	b      *builder
	form   jsonForm
	header csv.Header

	index map[string]int // columns by key
	taken title.UniqueNames
	lists map[int]bool // columns that hold lists

	row       []jsonCell // one cell per column
	list      []jsonCell // the cells of the present list
	texts     []string   // of row
	textBytes []byte     // the texts of cells
	path      []byte     // the name of the present member
	inNested  bool       // the reader is in a list or an object within a list
	badText   bool       // a text of the row is not UTF-8

	start jsontext.Place // of the row
	line  int            // of the row, for messages
	first bool           // no row has been read
}

// jsonCell is a cell. Its kind is Text, Word for true and false, Array for the text of a
// list or an object, and 0 for a number or a missing cell.
type jsonCell struct {
	text  string
	kind  jsontext.Kind
	taken bool // the row has it
}

// allAre reports whether all cells are of a kind.
func allAre(kind jsontext.Kind, cells []jsonCell) bool {
	return !slices.ContainsFunc(cells, func(c jsonCell) bool { return c.kind != kind })
}

// readJSON fills the table from JSON.
func (b *builder) readJSON(src *csv.Source, form jsonForm, header csv.Header) error {
	b.Header, b.Format = true, table.FormatJSON
	s := &jsonRows{in: jsontext.NewReader(src.Buf[src.Lo:], src.More), b: b, form: form, header: header, index: map[string]int{}, taken: title.UniqueNames{}, lists: map[int]bool{}, first: true}
	s.in.Lines, s.in.MaxDepth = form == jsonLines, int(form)+1+maxDepth
	if form == jsonColumns {
		if err := s.columns(); err != nil {
			return err
		}
		return s.finish()
	}
	if err := s.open(); err != nil {
		return err
	}
	if err := b.addRows(s); err != nil {
		return err
	}
	return s.finish()
}

// finish fills in cells of columns that appeared after the rows of the preview.
func (s *jsonRows) finish() error {
	b := s.b
	switch {
	case b.Rows+b.bad.Count == 0:
		return &fault.FileError{Problem: fault.HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "this JSON has no rows. Choose a file of objects or lists"}
	case len(b.Columns) == 0 && b.bad.Count == 0:
		return &fault.FileError{Problem: fault.HeaderOnly, File: b.Name, Line: 1, Column: 1, Message: "the rows of this JSON have no cells. Choose another file"}
	case len(b.Columns) == 0:
		return b.tooMany()
	}
	for i, row := range b.Preview {
		b.Preview[i] = append(row, make([]string, len(b.Columns)-len(row))...)
	}
	var lists []string
	for i, c := range b.Columns {
		if s.lists[i] {
			lists = append(lists, c.Name)
		}
	}
	if lists != nil {
		b.Notes.Add(note.TopicFile, nil, "%s has lists, which are kept as texts", cell.List(lists))
	}
	b.applyAnswers()
	return nil
}

// columns reads a table by columns.
func (s *jsonRows) columns() error {
	noRows := &fault.FileError{Problem: fault.OtherType, File: s.b.Name, Line: 1, Column: 1, Found: "JSON without rows",
		Message: `this JSON is one object without rows, expected a list of objects, one object a line, or columns as lists of equal length. Write it with one object a row, as pandas does with orient="records"`}
	if _, err := s.check(s.in.Next()); err != nil {
		return err
	}
	var all [][]jsonCell // a column each
	rows := map[string]int{}
	for {
		t, err := s.member(0)
		if err != nil {
			return err
		}
		if t.Kind == jsontext.ObjectEnd {
			break
		}
		n, first := len(s.path), all == nil
		cells := make([]jsonCell, len(rows))
		switch t.Kind {
		case jsontext.Array:
			err = s.elements()
			cells = slices.Clone(s.list)
		case jsontext.Object:
			for t, err = s.member(n); err == nil && t.Kind != jsontext.ObjectEnd; t, err = s.member(n) {
				key := string(s.path[n:])
				if _, known := rows[key]; first && !known {
					rows[key] = len(cells)
					cells = append(cells, jsonCell{})
				}
				row, known := rows[key]
				if !known {
					return noRows
				}
				if cells[row], err = s.cell(t); err != nil {
					return err
				}
			}
		default:
			return noRows
		}
		switch {
		case err != nil:
			return err
		case !first && len(cells) != len(all[0]), len(cells) < 2:
			return noRows
		case len(all) == table.MaxColumns:
			return s.tooWide(len(all) + 1)
		}
		s.addColumn(string(s.path[:n]))
		all = append(all, cells)
	}
	texts := make([]string, len(all))
	for row := range all[0] {
		for i, cells := range all {
			c := s.b.Columns[i]
			c.ExactMark = c.ExactMark && cells[row].kind == 0
			c.ExplicitMark = c.ExactMark
			s.lists[i] = s.lists[i] || cells[row].kind == jsontext.Array
			texts[i] = cells[row].text
		}
		s.line = row + 1
		s.b.add(s, texts, nil)
	}
	s.b.Notes.Add(note.TopicFile, nil, "the file is stored by column, so line numbers here are row numbers")
	return nil
}

func (s *jsonRows) WantNumber(int) {}

func (s *jsonRows) Place(int) (line, column int) { return s.line, s.start.Column }

// open moves on to the first row. In an object around the rows, it takes the names of
// columns that stand before them, for rows that are lists.
func (s *jsonRows) open() error {
	if s.form == jsonLines {
		return nil
	}
	if _, err := s.in.Next(); err != nil || s.form == jsonArray {
		return err
	}
	headers := []string{"columns", "names", "header", "fields"}
	for {
		t, err := s.member(0)
		if err == nil && t.Kind == jsontext.ObjectEnd {
			err = s.syntaxError("rows within this object")
		}
		if err != nil {
			return err
		}
		if t.Kind != jsontext.Array {
			_, err = s.cell(t)
		} else if c := s.in.Peek(); c == '{' || c == '[' {
			s.b.Notes.Add(note.TopicFile, nil, "the rows come from %s", cell.Quote(string(s.path)))
			return nil
		} else if err = s.elements(); err == nil && allAre(jsontext.Text, s.list) && slices.Contains(headers, strings.ToLower(string(s.path))) {
			for _, c := range s.list {
				s.addColumn(strings.Clone(c.text))
			}
		}
		if err != nil {
			return err
		}
	}
}
