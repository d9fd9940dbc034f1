package roles

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// setRows finds the rows that can be used and lists the others.
func (p *Plan) setRows() error {
	t := p.Table
	// why[row] is 0 for a row that is used, 1 + the column of a
	// cell that is no number, −1 − the column of a missing cell, or byRule.
	const byRule = math.MinInt32
	why := make([]int32, t.Rows)
	bad, all := 0, t.Rows
	for row, out := range p.leftOut {
		if out {
			why[row] = byRule
			all--
		}
	}
	for i, c := range t.Columns {
		if p.Roles[i] == RoleIgnore || p.Kinds[i] != design.Numeric {
			continue
		}
		spoil := func(row int) {
			if why[row] == 0 {
				why[row] = int32(1 + i)
				bad++
			}
		}
		c.EachText(spoil)
		for _, row := range c.TooLarge(t.Rows) {
			spoil(row)
		}
		for row := 0; i == p.weightColumn && row < t.Rows; row++ {
			if v := c.Number(row); v < 0 || v > table.Largest {
				spoil(row)
			}
		}
	}
	if fault.TooMany(t.BadCount+bad, all+t.BadCount) {
		return p.tooMany(why, bad)
	}
	markMissing := func(i int) {
		c := t.Columns[i]
		timed := i == p.splitColumn && p.SplitRule.Kind == SplitTime && c.IsTime() // what is no number and no date is no time
		for row := 0; (c.MissingCount > 0 || timed) && row < t.Rows; row++ {
			if at, _ := c.Moment(row); why[row] == 0 && (c.IsMissing(row) || timed && at != at) {
				why[row] = int32(-1 - i)
			}
		}
	}
	markMissing(p.TargetColumn)
	if p.weightColumn >= 0 {
		markMissing(p.weightColumn)
	}
	if p.splitColumn >= 0 {
		markMissing(p.splitColumn)
	}
	if p.Settings.Missing == MissingDrop {
		for i, role := range p.Roles {
			if role == RoleFeature {
				markMissing(i)
			}
		}
	}
	var dropped fault.List
	p.Rows = make([]int32, 0, t.Rows)
	for row, w := range why {
		switch {
		case w == 0:
			p.Rows = append(p.Rows, int32(row))
		case w == byRule:
		case dropped.Full():
			dropped.Count++
		default:
			dropped.Add(p.reason(row, w))
		}
	}
	p.Dropped, p.DroppedCount = dropped.First, dropped.Count
	p.noteDropped(why)
	return nil
}

// reason explains why a row is not used.
func (p *Plan) reason(row int, why int32) fault.RowError {
	t := p.Table
	if why > 0 {
		column := int(why - 1)
		if column == p.weightColumn {
			return t.CellError(column, row, "a weight, a number of at least 0")
		}
		if math.Abs(t.Number(column, row)) > table.Largest {
			return t.CellError(column, row, "a number whose square is finite")
		}
		return t.CellError(column, row, "a finite number")
	}
	e := fault.RowError{File: t.Name, Line: t.Line(row)}
	i := int(-why - 1)
	e.Field = t.Columns[i].Name
	switch i {
	case p.TargetColumn:
		e.Problem = fault.MissingTarget
		e.Message = message.Sprintf("%s, the target, is missing; fill in the cell or the row is left out", e.Field)
	case p.weightColumn:
		e.Problem = fault.MissingCell
		e.Message = message.Sprintf("%s, the row weight, is missing; fill in the cell or the row is left out", e.Field)
	case p.splitColumn:
		e.Problem = fault.MissingSplit
		e.Message = message.Sprintf("%s, which splits the rows, is missing; fill in the cell or the row is left out", e.Field)
	default:
		e.Problem = fault.MissingCell
		e.Message = message.Sprintf("%s is missing; fill in the cell, flag missing cells, or the row is left out", e.Field)
	}
	return e
}

// tooMany returns the error for bad rows and rows with cells that are no numbers, ordered
// by line.
func (p *Plan) tooMany(why []int32, bad int) error {
	t := p.Table
	var cells fault.List
	for row, w := range why {
		if w > 0 && !cells.Full() {
			cells.Add(p.reason(row, w))
		}
	}
	all := append(slices.Clone(t.Bad), cells.First...)
	order.Sort(all, func(a, b fault.RowError) int { return a.Line - b.Line })
	return &fault.TooManyBadRowsError{File: t.Name, Bad: all[:min(len(all), fault.MaxListed)], Count: t.BadCount + bad, Rows: t.Rows + t.BadCount}
}
