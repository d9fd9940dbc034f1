package data

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ifmlab/core/message"
)

// Applied is a table whose rows are encoded as those of another were.
type Applied struct {
	Table *Table
	// Actual holds the target, a row each: the number, or 0 and 1 for one of two
	// values; NaN where the cell is missing or neither. It is nil where the table
	// has no such column.
	Actual   []float64
	Odd      []RowError // cells that are no numbers, the first 1000, in the order of lines
	OddCount int        // all of them
	Notices  []string   // what else was made of cells that training has not seen

	encoding *Encoding
	columns  map[string]*column
}

// Apply finds the columns that e was made from in t, by their names and in any
// order; all others are passed over. All rows are used. A number that is missing
// becomes the mean of e's training rows and sets the flag of its column, if it
// has one. A text that is no level of e sets its column's "other" if there is one,
// else nothing: what training did with levels that were rare. A cell that is no
// number in a column of numbers, or one too large to square, is listed in Odd and
// counts as missing.
//
// Apply returns a [*MissingColumnsError] where t lacks a column of e. It costs
// O(rows·columns).
func (t *Table) Apply(e *Encoding) (*Applied, error) {
	a := &Applied{Table: t, encoding: e, columns: t.byName()}
	if err := a.checkColumns(); err != nil {
		return nil, err
	}
	var odd []cellOf
	for _, g := range e.groups() {
		name := e.Features[g.lo].Column
		c := a.columns[name]
		feed := newFeed(c, e, g)
		if !feed.numeric {
			a.tellUnknown(&feed)
			continue
		}
		large := c.beyond(t.rows)
		rows := c.oddRows()
		a.OddCount += len(large) + len(rows)
		for _, row := range slices.Concat(first1000(large), first1000(rows)) {
			odd = append(odd, cellOf{c, row})
		}
		if len(large) > 0 {
			a.columns[name] = c.without(large)
		}
		if feed.flag == nowhere && c.missing > 0 {
			a.notice("%s is missing in %d %s; none was where the model was trained, and the mean stands in", name, c.missing, rowsOf(c.missing))
		}
		if c.missing < t.rows && c.missing+len(large)+len(rows) == t.rows {
			a.notice("%s holds no number in any row; the mean stands in, and predictions are as good as without this column", name)
		}
	}
	if c := a.columns[e.Target.Name]; c != nil {
		odd = append(odd, a.readTarget(c)...)
	}
	a.list(odd)
	return a, nil
}

// cellOf is a cell that is not what its column holds.
type cellOf struct {
	*column
	row int
}

func (a *Applied) notice(format string, args ...any) {
	a.Notices = append(a.Notices, message.Sprintf(format, args...))
}

func (a *Applied) checkColumns() error {
	var missing []string
	for _, name := range a.encoding.Columns() {
		if a.columns[name] == nil {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil
	}
	return &MissingColumnsError{File: a.Table.Name, Missing: missing, Have: a.Table.Columns(), Written: a.encoding.Written.Header}
}

// Columns returns the names of the columns that the features were made from.
func (e *Encoding) Columns() (names []string) {
	for _, g := range e.groups() {
		names = append(names, e.Features[g.lo].Column)
	}
	return names
}

// tellUnknown notices texts that are no levels.
func (a *Applied) tellUnknown(d *feed) {
	const most = 3
	var ones [fillRows]int32
	var seen []string
	count := 0
	rows := make([]int32, 0, fillRows)
	for lo := 0; lo < a.Table.rows; lo += fillRows {
		rows = rows[:0]
		for row := lo; row < min(lo+fillRows, a.Table.rows); row++ {
			rows = append(rows, int32(row))
		}
		d.fillLevels(rows, ones[:len(rows)])
		for i, j := range ones[:len(rows)] {
			if row := lo + i; j == d.other && !d.c.isMissing(row) {
				count++
				if text := shown(d.c.text(row)); len(seen) < most && !slices.Contains(seen, text) {
					seen = append(seen, text)
				}
			}
		}
	}
	if count == 0 {
		return
	}
	as := "counts as none of those"
	if d.other != nowhere {
		as = `counts as "other"`
	}
	a.notice("%s holds %s in %d %s, which is none of the levels that the model tells apart; it %s", d.c.name, strings.Join(seen, ", "), count, rowsOf(count), as)
}

// readTarget sets Actual and returns the cells that are not of it.
func (a *Applied) readTarget(c *column) (odd []cellOf) {
	levels := a.encoding.Target.Levels
	a.Actual = make([]float64, a.Table.rows)
	var values [2]float64
	for i := range values {
		values[i] = math.NaN()
		if i < len(levels) {
			for _, point := range []byte{a.encoding.Written.Point, '.'} { // as written, or as a number's shortest text
				if v, ok := parseNumber(levels[i], point); ok {
					values[i] = v
				}
			}
		}
	}
	for row := range a.Actual {
		v := c.number(row)
		if levels != nil {
			text := c.text(row)
			switch {
			case text == levels[0] || text != levels[1] && v == values[0]:
				v = 0
			case text == levels[1] || v == values[1]:
				v = 1
			default:
				v = math.NaN()
			}
		}
		if math.IsNaN(v) && !c.isMissing(row) {
			if a.OddCount++; len(odd) < maxListed {
				odd = append(odd, cellOf{c, row})
			}
		}
		a.Actual[row] = v
	}
	return odd
}

// list explains the first of the cells that are not what their column holds.
func (a *Applied) list(odd []cellOf) {
	slices.SortStableFunc(odd, func(x, y cellOf) int { return cmp.Compare(x.row, y.row) })
	for _, cell := range first1000(odd) {
		c, t := cell.column, a.Table
		e := RowError{Problem: NotNumber, File: t.Name, Line: t.Line(cell.row), Field: c.name, Found: clip(c.text(cell.row))}
		if o := c.oddAt(cell.row); o != nil {
			e.Column = int(o.column)
		}
		want, so := "a finite number", "it counts as missing"
		if math.Abs(c.number(cell.row)) > largest {
			want = "a number whose square is finite"
		}
		if c.name == a.encoding.Target.Name {
			so = "the row is predicted, and left out of the error"
			if levels := a.encoding.Target.Levels; levels != nil {
				want = shown(levels[0]) + " or " + shown(levels[1])
			}
		}
		e.Message = message.Sprintf("%s is %s, want %s; %s", c.name, shown(e.Found), want, so)
		a.Odd = append(a.Odd, e)
	}
}

// Rows returns rows lo ≤ i < hi as a design. It costs O((hi − lo)·(columns +
// features)), and O(levels) for each column of them.
func (a *Applied) Rows(lo, hi int) Design {
	rows, to := make([]int32, hi-lo), make([]int32, hi-lo)
	for i := range rows {
		rows[i], to[i] = int32(lo+i), int32(i)
	}
	return newFiller(a.encoding, a.columns, len(rows)).design(rows, to)
}

func first1000[T any](list []T) []T { return list[:min(len(list), maxListed)] }

func rowsOf(count int) string {
	if count == 1 {
		return "row"
	}
	return "rows"
}

// oddRows returns the rows of all odd cells, in order.
func (c *column) oddRows() (rows []int) {
	c.eachOdd(func(row int) { rows = append(rows, row) })
	return rows
}

// beyond returns the rows whose numbers cannot be squared, in order.
func (c *column) beyond(rows int) (large []int) {
	if max(c.max, -c.min) <= largest {
		return nil
	}
	for row := range rows {
		if math.Abs(c.number(row)) > largest {
			large = append(large, row)
		}
	}
	return large
}

// without returns the numbers of a column as one that has none in these rows. It
// knows no texts.
func (c *column) without(rows []int) *column {
	out := &column{name: c.name, point: c.point, plain: true}
	n := 0
	for _, block := range c.codes {
		n += len(block)
	}
	for _, block := range c.values {
		n += len(block)
	}
	for row := range n {
		v := c.number(row)
		if len(rows) > 0 && rows[0] == row {
			v, rows = math.NaN(), rows[1:]
		}
		out.values.add(v)
	}
	return out
}
