package table

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/note"
)

// Join returns a table of a's rows, then b's. [read.AnswersLike] reads b as a was read. Columns
// are matched by name, and lines are counted on from a's last row. If test is set, b's rows are
// the test rows, and what columns are for is decided on a alone. Notes name columns that only b
// has, which are not used. Join returns a [*fault.MissingColumnsError] if b lacks columns of a,
// and a [*fault.FileError] for too many rows. O(rows·columns).
func Join(a, b *Table, test bool) (*Table, error) {
	if a.Rows > math.MaxInt32-b.Rows {
		return nil, &fault.FileError{Problem: fault.TooLarge, File: b.Name, Message: "the two files have too many rows together; open a part of them"}
	}
	have, known := b.ByName(), a.ByName()
	lacks := &fault.MissingColumnsError{File: b.Name, Of: a.Name, Have: b.FileNames()}
	out := &Table{Name: a.Name, Format: a.Format, Charset: a.Charset, Separator: a.Separator, Header: a.Header, Preview: a.Preview, Point: a.Point, Constant: a.Constant,
		UnusedSettings: a.UnusedSettings, Shares: a.Shares, Bytes: a.Bytes + b.Bytes, Rows: a.Rows + b.Rows, Bad: slices.Clip(a.Bad), BadCount: a.BadCount + b.BadCount}
	second := &Table{Name: b.Name, Rows: b.Rows, Lines: b.Lines, Bad: b.Bad, BadCount: b.BadCount}
	for _, c := range a.Columns {
		other := have[c.Name]
		if other == nil || (other.Block == nil) != (c.Block == nil) {
			other = b.SparseColumn(c.Name, c.Block != nil)
		}
		name := c.Name
		if known[c.PartOf] != nil && have[c.PartOf] == nil {
			name = c.PartOf
		}
		switch {
		case other != nil:
			out.Columns, second.Columns = append(out.Columns, c.joined(other, b.Rows, test)), append(second.Columns, other)
		case !slices.Contains(lacks.Missing, name):
			lacks.Missing = append(lacks.Missing, name)
		}
	}
	if lacks.Missing != nil {
		return nil, lacks
	}
	out.Notes = slices.Clone(a.Notes)
	for _, c := range b.Columns {
		if known[c.Name] == nil && c.PartOf == "" && b.Format != FormatLIBSVM {
			out.Notes.Add(note.TopicFile, nil, "%s has a column %s that %s does not have; it is not used", b.Name, c.Name, a.Name)
		}
	}
	for _, n := range b.Notes {
		if !slices.ContainsFunc(a.Notes, func(own note.Note) bool { return own.Text == n.Text }) {
			n.Text, n.Answers = b.Name+": "+n.Text, nil
			out.Notes = append(out.Notes, n)
		}
	}
	last := a.Line(a.Rows - 1)
	for _, e := range b.Bad[:min(len(b.Bad), fault.MaxListed-len(out.Bad))] {
		e.Line += last
		out.Bad = append(out.Bad, e)
	}
	out.Lines = slices.Clip(a.Lines)
	for _, s := range b.Lines {
		out.Lines = append(out.Lines, LineStep{a.Rows + s.Row, last + s.Line})
	}
	if test {
		out.Training, out.Test = a, second
	}
	return out, nil
}

// joined returns a column of c's cells, then the cells of the first rows of other. If stored
// is set, it has the form and the counts of c.
func (c *Column) joined(other *Column, rows int, stored bool) *Column {
	out := *c
	if c.Block != nil {
		out.Block = c.Block.joined(other.Block, rows)
		return &out
	}
	out.Codes, out.Values = grown(c.Codes), grown(c.Values)
	out.Entries, out.texts, out.MissingTokens = slices.Clone(c.Entries), slices.Clip(c.texts), slices.Clone(c.MissingTokens)
	codes, numbers := map[string]int32{}, map[float64]int32{}
	for i, e := range c.Entries {
		codes[e.Text] = int32(i)
		if _, twice := numbers[e.Number]; !twice && !c.IsCode {
			numbers[e.Number] = int32(i) // 1,50 is the level 1.5 of the first file
		}
	}
	at := c.Rows()
	for row := range rows {
		v, missing := other.Number(row), other.IsMissing(row)
		if c.PlainNumbers {
			out.Values.Add(v)
			missing = missing || v == v
		}
		code, ok := int32(MissingCode), missing
		if !ok {
			text := other.Text(row)
			if code, ok = codes[text]; !ok {
				code, ok = numbers[v]
			}
			if !ok {
				code = int32(len(out.Entries))
				codes[text], out.Entries = code, append(out.Entries, Entry{Text: text, Number: v})
			}
			if out.Entries[code].Number != out.Entries[code].Number && (c.PlainNumbers || len(out.texts) < fault.MaxListed) {
				out.texts = append(out.texts, TextCell{row: int32(at + row), code: code})
			}
		}
		if !c.PlainNumbers {
			out.Codes.Add(code)
		}
	}
	if !stored {
		for _, t := range other.MissingTokens {
			out.MissingTokens = cell.CountToken(out.MissingTokens, t.Text, t.Count)
		}
		out.recount(make([]float64, BlockLen))
	}
	out.Min, out.Max = min(c.Min, other.Min), max(c.Max, other.Max)
	return &out
}

// grown returns blocks that can be added to without a change of b.
func grown[T any](b Blocks[T]) Blocks[T] {
	b = slices.Clone(b)
	if n := len(b); n > 0 {
		b[n-1] = slices.Clip(b[n-1])
	}
	return b
}

// joined returns a block of b's entries, then the entries of the first rows of other. It leaves
// out features that b does not have.
func (b *SparseBlock) joined(other *SparseBlock, rows int) *SparseBlock {
	out := &SparseBlock{starts: slices.Clip(b.starts), places: slices.Clip(b.places), values: slices.Clip(b.values), Numbers: b.Numbers}
	if other.values != nil && b.values == nil {
		for range b.places {
			out.values = append(out.values, 1)
		}
	}
	for row := range rows {
		places, values := other.Entries(row)
		for e, place := range places {
			at, known := slices.BinarySearch(b.Numbers, other.Numbers[place])
			if !known {
				continue
			}
			if out.places = append(out.places, int32(at)); b.values != nil || other.values != nil {
				out.values = append(out.values, ValueAt(values, e))
			}
		}
		out.starts = append(out.starts, int32(len(out.places)))
	}
	return out
}
