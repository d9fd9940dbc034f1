package roles

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// addTest makes the usable rows of the test table of joined the test rows. Those of a class that
// no other row has are left out. A note counts the test rows that are also in the first table.
// addTest returns the errors of [NewPlan] for the rows of the test table, and a
// [*fault.PlanError] if none can be used. O(rows·columns).
func (p *Plan) addTest(joined *table.Table) error {
	own, before := *p, p.Table.Rows
	own.Table, own.Notes, own.splitColumn, own.Weight, own.leftOut = p.test, nil, -1, nil, nil
	for _, step := range [...]func() error{own.setRules, own.setRows, own.setWeights} {
		if err := step(); err != nil {
			return err
		}
	}
	p.Table, p.Tests = joined, make([]int32, 0, len(own.Rows))
	target, known := joined.Columns[p.TargetColumn], map[int32]bool{}
	for _, row := range p.Rows {
		if p.Levels != nil {
			known[target.Codes.At(int(row))] = true
		}
	}
	new, first := 0, ""
	for _, row := range own.Rows {
		row += int32(before)
		if p.Levels != nil && !known[target.Codes.At(int(row))] {
			if new++; new == 1 {
				first = target.Text(int(row))
			}
			continue
		}
		p.Tests = append(p.Tests, row)
	}
	if new > 0 {
		own.Notes.Add(note.TopicTarget, []string{p.Target}, "%s left out because no usable row of %s has their %s, such as %s", rowsAre(new), joined.Name, p.Target, cell.Quote(first))
	}
	if len(p.Tests) == 0 {
		return &fault.PlanError{Problem: fault.TooFewRows, File: p.test.Name, Message: message.Sprintf("none of the %d rows can test; they lack %s, or their cells are not as in %s; repair them, or choose another file", p.test.Rows, p.Target, joined.Name)}
	}
	for _, n := range own.Notes {
		n.Text = p.test.Name + ": " + n.Text
		p.Notes = append(p.Notes, n)
	}
	if p.Weight != nil || own.Weight != nil {
		weight := make([]float64, joined.Rows)
		for row := range weight {
			weight[row] = 1
		}
		copy(weight, p.Weight)
		copy(weight[before:], own.Weight)
		p.Weight = weight
	}
	p.DroppedCount += own.DroppedCount
	for _, e := range own.Dropped[:min(len(own.Dropped), fault.MaxListed-len(p.Dropped))] {
		p.Dropped = append(p.Dropped, e)
	}
	p.Suggested = slices.DeleteFunc(p.Suggested, func(n note.Note) bool { return n.Topic == note.TopicTime }) // that is about test rows
	p.noteShared()
	p.noteUnlike(joined.Training)
	return nil
}

// noteUnlike names the number by which most test rows are of another time or population: more
// than a tenth of them are outside its range in the rows of the first table. Both are the rows
// that are used. O(rows·features).
func (p *Plan) noteUnlike(first *table.Table) {
	most, text := len(p.Tests)/10, ""
	for i, c := range p.Table.Columns {
		if p.Roles[i] != RoleFeature || p.Kinds[i] != design.Numeric {
			continue
		}
		low, high, out := math.Inf(1), math.Inf(-1), 0
		for _, row := range p.Rows {
			if v := c.Number(int(row)); v == v {
				low, high = min(low, v), max(high, v)
			}
		}
		for _, row := range p.Tests {
			if v := c.Number(int(row)); low <= high && (v < low || v > high) {
				out++
			}
		}
		if out > most {
			most, text = out, message.Sprintf("%s is outside %s to %s", c.Name, c.Write(low), c.Write(high))
		}
	}
	if text != "" {
		p.Notes.Add(note.TopicBeyond, nil, "%s is unlike %s: %s in %d of %d rows", p.test.Name, first.Name, text, most, len(p.Tests))
	}
}

// noteShared counts the test rows whose features and target another row has, too, unless that is
// likely by chance.
func (p *Plan) noteShared() {
	all := slices.Concat(p.Rows, p.Tests)
	var cells []design.Cells
	for i, c := range p.Table.Columns {
		if p.Roles[i] == RoleFeature && c.Block != nil {
			return
		}
		if p.Roles[i] == RoleFeature || i == p.TargetColumn {
			cells = append(cells, cellsOf(c, all))
		}
	}
	kind, first := design.Copies(len(all), cells, design.Cells{Value: func(int) uint64 { return 0 }})
	shared := 0
	for _, k := range kind[min(len(p.Rows), len(kind)):] {
		if first[k] < len(p.Rows) {
			shared++
		}
	}
	if shared > 0 {
		p.Notes.Add(note.TopicSplit, nil, "%d of %d test rows are also in %s, so the model has seen them; remove them from one of the two files", shared, len(p.Tests), p.Table.Name)
	}
}
