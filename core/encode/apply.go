package encode

import (
	"math"
	"slices"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// Applied is a table whose rows are encoded as those of another were.
type Applied struct {
	Table *table.Table
	// Actual holds the target, a row each: the number, or 0 and 1 for one of two
	// values; NaN where the cell is missing, neither, or too large to square. It is
	// nil where the table has no such column.
	Actual []float64
	// Weight holds what each row counts, 0 where the cell is no number above 0. It is nil if
	// all rows of the training counted the same, or the table has no such column.
	Weight   []float64
	Odd      []fault.RowError // cells that are no numbers, the first 1000, in the order of lines
	OddCount int              // all of them
	// Notes say what else was made of cells that training has not seen. Those about
	// missing, unseen and odd cells count them, and say nothing else where that is all.
	Notes note.Notes

	encoding *design.Encoding
	columns  map[string]*table.Column
	numeric  []*table.Column // of numbers, as they were read
}

// Apply finds the columns that e was made from in t, by their names and in any
// order; all others are passed over. Those of a table without a header go by their
// place, whatever t calls them. All rows are used. A number that is missing
// becomes the mean of e's training rows and sets the flag of its column, if it has
// one; a number beyond the knots of its column becomes the nearer end. A text that is no level of e sets its column's "other" if there is one,
// else nothing: what training did with levels that were rare. A cell that is no
// number in a column of numbers, or one too large to square, is listed in Odd and
// counts as missing. A number far beyond the training
// rows is held, which the notes tell.
//
// Apply returns a [*fault.MissingColumnsError] where t lacks a column of e. It costs
// O(rows·columns).
func Apply(t *table.Table, e *design.Encoding) (*Applied, error) {
	a := &Applied{Table: t, encoding: e, columns: t.ByName()}
	switch {
	case e.ByPlace() && t.Format == table.FormatLIBSVM:
		addIndices(t, a.columns, e)
	case t.Header && !e.FileStyle.Header:
		addPlaces(t, a.columns)
	}
	lacks := &fault.MissingColumnsError{File: t.Name, Have: t.FileNames()}
	for _, g := range e.Groups() {
		name, entries := e.Features[g.Lo].Column, e.Features[g.Lo].Kind == design.FeatureEntry
		if c := a.columns[name]; c == nil || entries != (c.Block != nil) {
			a.columns[name] = t.SparseColumn(name, entries)
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
	odd := make([]bool, t.Rows) // a cell of the row is no number
	for _, g := range e.Groups() {
		name := e.Features[g.Lo].Column
		c := a.columns[name]
		if c.Block != nil {
			a.noteEntries(c, newBlockFeed(c, e, g))
			continue
		}
		feed := newFeed(c, e, g)
		if !feed.numeric {
			a.noteLevels(&feed)
			continue
		}
		a.numeric = append(a.numeric, c)
		count := c.TextCount
		c.EachText(func(row int) { odd[row] = true })
		if large := c.LargeRows(t.Rows); large != nil {
			for _, row := range large {
				odd[row] = true
			}
			count += len(large)
			a.columns[name] = c.Squarable()
		}
		a.OddCount += count
		if f := e.Features[g.Lo]; f.Kind == design.FeatureValue {
			if told := outliersNote(t, a.columns[name], f, nil); told != "" {
				a.Notes.Add(note.TopicBeyond, []string{name}, "%s", told)
			}
		}
		if feed.knots != nil {
			a.noteBeyond(c, feed.knots)
		}
		missing, none := "", ""
		switch {
		case c.MissingCount < t.Rows && c.MissingCount+count == t.Rows:
			none = name + " has no number in any row; the mean of the training rows is used"
		case feed.flag == table.NoPlace:
			missing = message.Sprintf("%s is missing in %d of %d rows, but never in training; the mean is used", name, c.MissingCount, t.Rows)
		}
		a.count(note.TopicMissing, name, c.MissingCount, missing)
		a.count(note.TopicOdd, name, count, none)
	}
	if c := a.columns[e.Target.Name]; c != nil {
		a.readTarget(c, odd)
	}
	if c := a.columns[e.FileStyle.Weight]; c != nil && e.FileStyle.Weight != "" {
		a.Weight = make([]float64, t.Rows)
		for row := range a.Weight {
			if v := c.Number(row); v > 0 {
				a.Weight[row] = v
			}
		}
	}
	a.list(odd)
	return a, nil
}

// addIndices adds the features of a file in LIBSVM's format by the places that libFM
// gives them: index 0 is the first.
func addIndices(t *table.Table, columns map[string]*table.Column, e *design.Encoding) {
	for i, f := range e.Features {
		name := "x" + strconv.Itoa(i)
		c := columns[name]
		if c == nil {
			c = t.SparseColumn(name, false)
		}
		columns[f.Column] = c
	}
}

// addPlaces adds the columns under the names that they would have without a header.
func addPlaces(t *table.Table, columns map[string]*table.Column) {
	place := map[string]string{}
	for _, c := range t.Columns {
		if c.PartOf == "" {
			place[c.Name] = message.Sprintf("column %d", len(place)+1)
			columns[place[c.Name]] = c
		}
	}
	for _, c := range slices.Concat(t.Constant, t.Columns) {
		if name, is := place[c.PartOf]; is {
			columns[name+c.Name[len(c.PartOf):]] = c
		}
	}
}

// noteEntries notes entries of features that training rows did not have.
func (a *Applied) noteEntries(c *table.Column, feed blockFeed) {
	if known, all := feed.countKnown(a.Table.Rows); known < all {
		a.Notes.Add(note.TopicFeatures, []string{c.Name}, "%d of %d entries of %s are of features that no training row had; they are ignored", all-known, all, c.Name)
	}
}

// noteBeyond notes numbers outside the knots.
func (a *Applied) noteBeyond(c *table.Column, knots []float64) {
	least, most, count := knots[0], knots[len(knots)-1], 0
	for row := 0; (c.Min < least || c.Max > most) && row < a.Table.Rows; row++ {
		if v := c.Number(row); v < least || v > most {
			count++
		}
	}
	if count > 0 {
		a.Notes.Add(note.TopicBeyond, []string{c.Name}, "%s runs from %s to %s in training rows and is outside in %d of %d rows; these count as the nearer end", c.Name, c.Write(least), c.Write(most), count, a.Table.Rows)
	}
}

// count notes cells of a column of which no value is known, if there are some.
func (a *Applied) count(topic note.Topic, column string, cells int, text string) {
	if cells > 0 {
		a.Notes = append(a.Notes, note.Note{Topic: topic, Columns: []string{column}, Cells: cells, Text: text})
	}
}

// noteLevels notes missing cells, and texts that are no levels.
func (a *Applied) noteLevels(d *feed) {
	missing, as := "", "the mean of its levels"
	if d.flag == table.NoPlace {
		missing = message.Sprintf("%s is missing in %d of %d rows, but never in training; %s is used", d.c.Name, d.c.MissingCount, a.Table.Rows, as)
	}
	a.count(note.TopicMissing, d.c.Name, d.c.MissingCount, missing)
	var rows, ones [fillRows]int32
	first, count := 0, 0
	for lo := 0; lo < a.Table.Rows; lo += fillRows {
		n := min(fillRows, a.Table.Rows-lo)
		for i := range n {
			rows[i] = int32(lo + i)
		}
		d.fillLevels(rows[:n], ones[:n])
		for i, j := range ones[:n] {
			if j == d.other && !d.c.IsMissing(lo+i) {
				if count++; count == 1 {
					first = lo + i
				}
			}
		}
	}
	if d.other != table.NoPlace {
		as = `"other"`
	}
	if count > 0 {
		a.count(note.TopicUnseen, d.c.Name, count, message.Sprintf("%s has levels unknown to the model in %d of %d rows, such as %s on line %d; they count as %s", d.c.Name, count, a.Table.Rows, cell.Quote(d.c.Text(first)), a.Table.Line(first), as))
	}
}

// readTarget sets Actual and marks the rows whose cell is not of it.
func (a *Applied) readTarget(c *table.Column, odd []bool) {
	levels := a.encoding.Target.Levels
	a.Actual = make([]float64, a.Table.Rows)
	for row := range a.Actual {
		v := c.Number(row)
		if levels != nil {
			text, is := c.Text(row), math.NaN()
			for i, level := range levels {
				if text == level {
					is = float64(i)
				} else if n, ok := cell.ParseNumber(level, '.'); ok && n == v && is != is { // a number is kept in its shortest form
					is = float64(i)
				}
			}
			v = is
		} else if math.Abs(v) > table.Largest {
			v = math.NaN()
		}
		if v != v && !c.IsMissing(row) {
			a.OddCount++
			odd[row] = true
		}
		a.Actual[row] = v
	}
}

// list sets Odd for the rows that odd marks.
func (a *Applied) list(odd []bool) {
	for row, marked := range odd {
		if !marked {
			continue
		}
		for _, c := range a.numeric {
			if v := c.Number(row); v != v && !c.IsMissing(row) {
				a.add(c, row, "a finite number; it counts as missing")
			} else if math.Abs(v) > table.Largest {
				a.add(c, row, "a number whose square is finite; it counts as missing")
			}
		}
		if a.Actual != nil && a.Actual[row] != a.Actual[row] {
			if c := a.columns[a.encoding.Target.Name]; !c.IsMissing(row) {
				want := "a finite number"
				if levels := a.encoding.Target.Levels; levels != nil {
					want = "one of " + cell.List(levels)
				} else if v := c.Number(row); v == v {
					want = "a number whose square is finite"
				}
				a.add(c, row, want+"; the row is predicted, and left out of the error")
			}
		}
		if len(a.Odd) >= fault.MaxListed {
			a.Odd = a.Odd[:fault.MaxListed]
			return
		}
	}
}

func (a *Applied) add(c *table.Column, row int, want string) {
	e := fault.RowError{Problem: fault.NotNumber, File: a.Table.Name, Line: a.Table.Line(row), Field: c.Name, Found: cell.Clip(c.Text(row))}
	if o := c.TextAt(row); o != nil {
		e.Column = int(o.Column)
	}
	e.Message = message.Sprintf("%s is %s, expected %s", c.Name, cell.Quote(e.Found), want)
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

// Column returns a column of the table by the name that the encoding has for it, or nil.
func (a *Applied) Column(name string) *table.Column { return a.columns[name] }
