package data

import (
	"math"
	"slices"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
)

// Applied is a table whose rows are encoded as those of another were.
type Applied struct {
	Table *Table
	// Actual holds the target, a row each: the number, or 0 and 1 for one of two
	// values; NaN where the cell is missing, neither, or too large to square. It is
	// nil where the table has no such column.
	Actual   []float64
	Odd      []RowError // cells that are no numbers, the first 1000, in the order of lines
	OddCount int        // all of them
	Notices  []string   // what else was made of cells that training has not seen
	Gaps     []Gap      // of the columns that have any, in the order of features

	encoding *design.Encoding
	columns  map[string]*column
	numeric  []*column // of numbers, as they were read
}

// Gap counts the cells of a column of which no value is known, in rows.
type Gap struct {
	Column  string
	Missing int
	Unseen  int // texts that are no levels the model tells apart
	Odd     int // no numbers, in a column of numbers, or too large to square
}

// Apply finds the columns that e was made from in t, by their names and in any
// order; all others are passed over. Those of a table without a header go by their
// place, whatever t calls them. All rows are used. A number that is missing
// becomes the mean of e's training rows and sets the flag of its column, if it has
// one; a number beyond the knots of its column becomes the nearer end. A text that is no level of e sets its column's "other" if there is one,
// else nothing: what training did with levels that were rare. A cell that is no
// number in a column of numbers, or one too large to square, is listed in Odd and
// counts as missing. A number far beyond the training
// rows is held, which the notices tell.
//
// Apply returns a [*MissingColumnsError] where t lacks a column of e. It costs
// O(rows·columns).
func (t *Table) Apply(e *design.Encoding) (*Applied, error) {
	a := &Applied{Table: t, encoding: e, columns: t.byName()}
	switch {
	case e.ByPlace() && t.Format == FormatLIBSVM:
		t.addIndices(a.columns, e)
	case t.Header && !e.Written.Header:
		t.addPlaces(a.columns)
	}
	lacks := &MissingColumnsError{File: t.Name, Have: t.Columns()}
	for _, g := range e.Groups() {
		name, entries := e.Features[g.Lo].Column, e.Features[g.Lo].Kind == design.FeatureEntry
		if c := a.columns[name]; c == nil || entries != (c.block != nil) {
			a.columns[name] = t.ofSparse(name, entries)
		}
		if a.columns[name] == nil {
			if dates := e.DatesOf(name); dates != "" && a.columns[dates] == nil {
				name = dates
			}
			if !slices.Contains(lacks.Missing, name) {
				lacks.Missing = append(lacks.Missing, name)
			}
		}
	}
	if lacks.Missing != nil {
		return nil, lacks
	}
	odd := make([]bool, t.rows) // a cell of the row is no number
	for _, g := range e.Groups() {
		name := e.Features[g.Lo].Column
		c := a.columns[name]
		if c.block != nil {
			a.tellEntries(c, newBlockFeed(c, e, g))
			continue
		}
		feed := newFeed(c, e, g)
		if !feed.numeric {
			a.gap(Gap{Column: name, Missing: c.missing, Unseen: a.tellUnknown(&feed)})
			continue
		}
		a.numeric = append(a.numeric, c)
		count := c.texts
		c.eachOdd(func(row int) { odd[row] = true })
		if large := c.beyond(t.rows); large != nil {
			for _, row := range large {
				odd[row] = true
			}
			count += len(large)
			a.columns[name] = c.squarable()
		}
		a.OddCount += count
		a.gap(Gap{Column: name, Missing: c.missing, Odd: count})
		if f := e.Features[g.Lo]; f.Kind == design.FeatureValue {
			if told := t.stray(a.columns[name], f, nil); told != "" {
				a.Notices = append(a.Notices, told)
			}
		}
		if feed.knots != nil {
			a.tellBeyond(c, feed.knots)
		}
		switch {
		case c.missing < t.rows && c.missing+count == t.rows:
			a.notice("%s holds no number in any row; the mean of the training rows stands in", name)
		case feed.flag == nowhere && c.missing > 0:
			a.notice("%s is missing in %d of %d rows, which the model has never seen; the mean stands in", name, c.missing, t.rows)
		}
	}
	if c := a.columns[e.Target.Name]; c != nil {
		a.readTarget(c, odd)
	}
	a.list(odd)
	return a, nil
}

func (a *Applied) gap(g Gap) {
	if g.Missing+g.Unseen+g.Odd > 0 {
		a.Gaps = append(a.Gaps, g)
	}
}

func (a *Applied) notice(format string, args ...any) {
	a.Notices = append(a.Notices, message.Sprintf(format, args...))
}

// MostIndex returns the largest index of a feature in a file in LIBSVM's format, and
// whether the table is of such a file.
func (t *Table) MostIndex() (most int, ok bool) {
	most = -1
	for _, c := range t.columns {
		if n, is := cutNumber(c.name); is {
			most = max(most, int(n))
		}
	}
	if t.block != nil {
		most = max(most, int(t.block.numbers[len(t.block.numbers)-1]))
	}
	return most, t.Format == FormatLIBSVM
}

// addIndices adds the features of a file in LIBSVM's format by the places that libFM
// gives them: index 0 is the first.
func (t *Table) addIndices(columns map[string]*column, e *design.Encoding) {
	for i, f := range e.Features {
		name := "x" + strconv.Itoa(i)
		c := columns[name]
		if c == nil || c.block != nil {
			c = t.ofSparse(name, false)
		}
		columns[f.Column] = c
	}
}

// addPlaces adds the columns, and the parts of dates among them, by what they would be
// called if the table had no header.
func (t *Table) addPlaces(columns map[string]*column) {
	place := map[string]string{}
	for _, c := range t.columns {
		if c.of == "" {
			place[c.name] = message.Sprintf("column %d", len(place)+1)
			columns[place[c.name]] = c
		}
	}
	for _, c := range slices.Concat(t.constant, t.columns) {
		if name, is := place[c.of]; is {
			columns[name+c.name[len(c.of):]] = c
		}
	}
}

// Width returns how many columns the table's file has.
func (t *Table) Width() (columns int) {
	for _, c := range t.columns {
		if c.of == "" {
			columns++
		}
	}
	return columns
}

// tellEntries notices entries of features that training rows did not have.
func (a *Applied) tellEntries(c *column, feed blockFeed) {
	if known, all := feed.known(a.Table.rows); known < all {
		a.notice("%s has %d entries, of which %d are of features that no training row had; they are passed over", c.name, all, all-known)
	}
}

// tellBeyond notices numbers outside the knots.
func (a *Applied) tellBeyond(c *column, knots []float64) {
	least, most, count := knots[0], knots[len(knots)-1], 0
	for row := 0; (c.min < least || c.max > most) && row < a.Table.rows; row++ {
		if v := c.number(row); v < least || v > most {
			count++
		}
	}
	if count > 0 {
		a.notice("%s runs from %s to %s in the training rows and lies beyond in %d of %d rows; it counts as the nearer end there", c.name, cell.FormatNumber(least), cell.FormatNumber(most), count, a.Table.rows)
	}
}

// tellUnknown notices texts that are no levels, and returns how many cells they are.
func (a *Applied) tellUnknown(d *feed) (unseen int) {
	var rows, ones [fillRows]int32
	first, count, blank := 0, 0, 0
	for lo := 0; lo < a.Table.rows; lo += fillRows {
		n := min(fillRows, a.Table.rows-lo)
		for i := range n {
			rows[i] = int32(lo + i)
		}
		d.fillLevels(rows[:n], ones[:n])
		for i, j := range ones[:n] {
			missing := (j == d.other || j == d.flag) && d.c.isMissing(lo+i)
			switch {
			case missing && d.flag == nowhere:
				blank++
			case j == d.other && !missing:
				if count++; count == 1 {
					first = lo + i
				}
			}
		}
	}
	if blank > 0 {
		a.notice("%s is missing in %d of %d rows, which the model has never seen; the mean of its levels stands in", d.c.name, blank, a.Table.rows)
	}
	as := "the mean of its levels"
	if d.other != nowhere {
		as = `"other"`
	}
	if count > 0 {
		a.notice("%s is none of the levels that the model tells apart in %d of %d rows, as with %s on line %d; it counts as %s there", d.c.name, count, a.Table.rows, cell.Quote(d.c.text(first)), a.Table.Line(first), as)
	}
	return count
}

// readTarget sets Actual and marks the rows whose cell is not of it.
func (a *Applied) readTarget(c *column, odd []bool) {
	levels := a.encoding.Target.Levels
	a.Actual = make([]float64, a.Table.rows)
	for row := range a.Actual {
		v := c.number(row)
		if levels != nil {
			text, is := c.text(row), math.NaN()
			for i, level := range levels {
				if text == level {
					is = float64(i)
				} else if n, ok := cell.ParseNumber(level, '.'); ok && n == v && is != is { // a number is kept in its shortest form
					is = float64(i)
				}
			}
			v = is
		} else if math.Abs(v) > largest {
			v = math.NaN()
		}
		if v != v && !c.isMissing(row) {
			a.OddCount++
			odd[row] = true
		}
		a.Actual[row] = v
	}
}

// list explains the first of the cells that are not what their column holds, in
// the rows that are marked.
func (a *Applied) list(odd []bool) {
	for row, marked := range odd {
		if !marked {
			continue
		}
		for _, c := range a.numeric {
			if v := c.number(row); v != v && !c.isMissing(row) {
				a.add(c, row, "a finite number; it counts as missing")
			} else if math.Abs(v) > largest {
				a.add(c, row, "a number whose square is finite; it counts as missing")
			}
		}
		if a.Actual != nil && a.Actual[row] != a.Actual[row] {
			if c := a.columns[a.encoding.Target.Name]; !c.isMissing(row) {
				want := "a finite number"
				if levels := a.encoding.Target.Levels; levels != nil {
					want = cell.Quote(levels[0]) + " or " + cell.Quote(levels[1])
				} else if v := c.number(row); v == v {
					want = "a number whose square is finite"
				}
				a.add(c, row, want+"; the row is predicted, and left out of the error")
			}
		}
		if len(a.Odd) >= maxListed {
			a.Odd = a.Odd[:maxListed]
			return
		}
	}
}

func (a *Applied) add(c *column, row int, want string) {
	e := RowError{Problem: NotNumber, File: a.Table.Name, Line: a.Table.Line(row), Field: c.name, Found: cell.Clip(c.text(row))}
	if o := c.oddAt(row); o != nil {
		e.Column = int(o.column)
	}
	e.Message = message.Sprintf("%s is %s, want %s", c.name, cell.Quote(e.Found), want)
	a.Odd = append(a.Odd, e)
}

// Rows returns rows lo ≤ i < hi as a design. It costs O((hi − lo)·(columns +
// features)), and O(levels) for each column of them.
func (a *Applied) Rows(lo, hi int) design.Design {
	rows, to := make([]int32, hi-lo), make([]int32, hi-lo)
	for i := range rows {
		rows[i], to[i] = int32(lo+i), int32(i)
	}
	return newFiller(a.encoding, a.columns, len(rows)).design(rows, to)
}

// Cell returns what a column of the features holds in a row, as [Table.Text] does.
func (a *Applied) Cell(column string, row int) string { return a.columns[column].text(row) }

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

// squarable returns a copy of the column in which numbers that cannot be squared
// are none.
func (c *column) squarable() *column {
	out := *c
	out.values, out.entries = make(blocks[float64], len(c.values)), append([]entry(nil), c.entries...)
	for i, block := range c.values {
		out.values[i] = append([]float64(nil), block...)
		for j, v := range block {
			if math.Abs(v) > largest {
				out.values[i][j] = math.NaN()
			}
		}
	}
	for i, e := range out.entries {
		if math.Abs(e.number) > largest {
			out.entries[i].number = math.NaN()
		}
	}
	return &out
}
