package roles

import (
	"math"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// settleWeight settles which column weighs the rows, −1 for none. A column that the
// table does not have is passed over with a notice. It returns a [*fault.PlanError] for the
// target, for a column that rows are split by groups of, and for one of texts.
func (p *Plan) settleWeight(index map[string]int, said []bool) error {
	p.weigher = -1
	name := p.Settings.Weight
	if name == "" {
		return nil
	}
	i, ok := index[name]
	if !ok {
		p.Notes.Add(note.TopicSetting, nil, "the settings weigh rows by a column %q, which the table does not have; all rows count the same", name)
		return nil
	}
	c := p.Table.Columns[i]
	fail := func(found, told string) error {
		return &fault.PlanError{Problem: fault.Weight, File: p.Table.Name, Field: name, Found: found, Message: name + " is to weigh the rows, and " + told + "; choose another column, or none"}
	}
	switch {
	case name == p.Settings.Target:
		return fail("", "it is the target")
	case i == p.by && p.Cut.Kind == SplitGroup:
		return fail("", "rows are split by it")
	case !c.Numeric():
		return fail(c.FirstText(), message.Sprintf("it holds texts such as %s, want numbers of at least 0", cell.Quote(c.FirstText())))
	}
	u := &p.Uses[i]
	u.Role, u.Kind, u.Reason = RoleWeight, design.Numeric, "the settings weigh the rows by it"
	p.weigher, said[i] = i, true
	return nil
}

// weigh takes the weights of the rows that are used. A row of weight 0 is not: what is
// trained is then bit for bit what it is without the row. Weights that are all 1 are
// none. It returns a [*fault.PlanError] where all are 0.
func (p *Plan) weigh() error {
	if p.weigher < 0 {
		return nil
	}
	c := p.Table.Columns[p.weigher]
	weight, kept, least, most := make([]float64, p.Table.Rows), p.Rows[:0], math.Inf(1), 0.0
	before := len(p.Rows)
	for _, row := range p.Rows {
		if v := c.Number(int(row)); v > 0 {
			weight[row], least, most = v, min(least, v), max(most, v)
			kept = append(kept, row)
		}
	}
	switch p.Rows = kept; {
	case len(kept) == 0 && before > 0:
		return &fault.PlanError{Problem: fault.Weight, File: p.Table.Name, Field: c.Name, Found: "0", Message: message.Sprintf("%s is to weigh the rows, and is 0 in all %d that could be used, want some above 0; choose another column, or none", c.Name, before)}
	case len(kept) < before:
		p.Notes.Add(note.TopicWeight, []string{c.Name}, "%d of %d rows have a %s of 0 and are left out", before-len(kept), before, c.Name)
	}
	if least < 1 || most > 1 {
		p.Weight = weight
		p.Notes.Add(note.TopicWeight, []string{c.Name}, "each row counts as much as its %s says, from %s to %s: in scales, in training, in what is chosen and in the errors of the test; the corners of bases, rare levels and prediction intervals count each row once", c.Name, cell.FormatNumber(least), cell.FormatNumber(most))
	}
	return nil
}

// Weights returns what each of rows counts, nil where each counts 1.
func (p *Plan) Weights(rows []int32) []float64 {
	if p.Weight == nil {
		return nil
	}
	weight := make([]float64, len(rows))
	for i, row := range rows {
		weight[i] = p.Weight[row]
	}
	return weight
}
