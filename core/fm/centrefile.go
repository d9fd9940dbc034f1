//go:build !figure && !ionosphere

package fm

import (
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/message"
)

// centreOf returns the members of the file's centre, which it makes if there is none.
func (f *file) centreOf() object {
	if f.centre == nil {
		f.centre = new(Centre)
	}
	factors := when(f.centre.Columns != nil)
	return object{{"means", &f.centre.Means, needed}, {"columns", &f.centre.Columns, factors}, {"pairs", &f.centre.Pairs, factors}}
}

// check returns a *FileError unless c fits a model of these columns.
func (c *Centre) check(m *Model, enc *design.Encoding) error {
	if c == nil {
		return nil
	}
	columns := len(enc.Groups())
	if err := wantFinite("centre.means", c.Means, m.D, "numbers, one for each feature"); err != nil {
		return err
	}
	scores := len(m.Scores())
	if m.Rank == 0 {
		scores = 0
	}
	for _, part := range []struct {
		field  string
		values [][]float64
		length int
	}{{"centre.columns", c.Columns, columns}, {"centre.pairs", c.Pairs, columns * (columns - 1) / 2}} {
		if err := wantLength(part.field, len(part.values), scores, "arrays, one for each score of a model with factors"); err != nil {
			return err
		}
		for score, values := range part.values {
			if err := wantFinite(message.Sprintf("%s[%d]", part.field, score), values, part.length, "numbers, one for each column or pair"); err != nil {
				return err
			}
		}
	}
	return nil
}

// wantFinite returns a *FileError unless there are so many finite numbers.
func wantFinite(field string, found []float64, want int, of string) error {
	if i := slices.IndexFunc(found, notFinite); i >= 0 {
		return &FileError{Field: field, Found: message.Sprintf("%v", found[i]), Want: "finite numbers"}
	}
	return wantLength(field, len(found), want, of)
}
