package trees

import (
	"cmp"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
	"ifmlab/core/message"
)

// SizeError says that the histograms of a tree would not fit in memory.
type SizeError struct {
	Columns int
	Bytes   int64
}

func (e *SizeError) Error() string {
	return message.Sprintf("trees: the histograms of %d columns take %.0f MB, expected at most %.0f. Ignore some columns", e.Columns, 1e-6*float64(e.Bytes), 1e-6*float64(maxBytes))
}

func (*SizeError) Kind() string { return "SizeError" }

func shape(format string, args ...any) error { return invalid.Shape("trees", format, args...) }

// check returns an error unless there are rows with a cell in every column, and targets
// and weights are valid.
func check(part string, r Rows, weight []float64, classes bool) error {
	in := invalid.Rows{Package: "trees", Part: part}
	switch {
	case len(r.Y) == 0:
		return shape("there are no %s rows, expected at least 1", part)
	case len(r.Columns) == 0:
		return shape("there are no columns, expected at least 1")
	}
	if weight != nil && len(weight) != len(r.Y) {
		return shape("there are %d weights for the %s rows, expected %d", len(weight), part, len(r.Y))
	}
	err := cmp.Or(in.Targets(r.Y), in.Weights(weight))
	if err == nil && classes {
		err = in.Classes(r.Y)
	}
	if err != nil {
		return err
	}
	return cells(part, r.Columns, len(r.Y))
}

// cells returns an error unless every column has a cell for each row.
func cells(part string, columns []design.Raw, rows int) error {
	for i := range columns {
		c := &columns[i]
		if n := length(c); n != rows {
			return shape("%s has %d cells in %s rows, expected %d", c.Name, n, part, rows)
		}
		for row, code := range c.Codes {
			if int(code) >= len(c.Levels) {
				return shape("%s has level %d in %s row %d and a list of %d levels", c.Name, int(code), part, row, len(c.Levels))
			}
		}
	}
	return nil
}

// length returns the number of cells of a column.
func length(c *design.Raw) int {
	if c.Kind == design.Numeric {
		return len(c.Numbers)
	}
	return len(c.Codes)
}

// same returns an error unless the columns are the training columns in the same order.
func (b *Booster) same(part string, columns []design.Raw) error {
	if len(columns) != len(b.columns) {
		return shape("%s rows have %d columns, expected %d as in the training rows", part, len(columns), len(b.columns))
	}
	for i, c := range b.columns {
		if columns[i].Name != c.name || columns[i].Kind != c.kind {
			return shape("column %d of %s rows is %s (%s), expected %s (%s) as in the training rows", i, part, columns[i].Name, string(columns[i].Kind), c.name, string(c.kind))
		}
	}
	return nil
}
