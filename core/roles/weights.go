package roles

import (
	"math"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// setWeight sets the column of weights, −1 for none. A note tells of a name that is no
// column. setWeight returns a [*fault.PlanError] if the column is the target, groups the
// split, or holds texts.
func (p *Plan) setWeight(index map[string]int, explicit []bool) error {
	p.weightColumn = -1
	name := p.Settings.Weight
	if name == "" {
		return nil
	}
	i, ok := index[name]
	if !ok {
		p.Notes.Add(note.TopicSetting, nil, "the settings weigh rows by a column %q, which is not in the table; all rows count the same", name)
		return nil
	}
	c := p.Table.Columns[i]
	fail := func(found, told string) error {
		return &fault.PlanError{Problem: fault.Weight, File: p.Table.Name, Field: name, Found: found, Message: name + " cannot weigh the rows: " + told + "; choose another column, or none"}
	}
	switch {
	case name == p.Settings.Target:
		return fail("", "it is the target")
	case i == p.splitColumn && p.SplitRule.Kind == SplitGroup:
		return fail("", "rows are split by it")
	case !c.Numeric():
		return fail(c.FirstText(), message.Sprintf("it has texts such as %s, but weights are numbers of at least 0", cell.Quote(c.FirstText())))
	}
	u := &p.Uses[i]
	u.Role, u.Kind, u.Reason = RoleWeight, design.Numeric, "the settings weigh the rows by it"
	p.weightColumn, explicit[i] = i, true
	return nil
}

// setWeights reads the weights and drops rows of weight 0, so that results are bit for bit
// those without such rows. Weights that are all 1 are dropped too. setWeights returns a
// [*fault.PlanError] if all are 0.
func (p *Plan) setWeights() error {
	if p.weightColumn < 0 {
		return nil
	}
	c := p.Table.Columns[p.weightColumn]
	weight, positive, least, most := make([]float64, p.Table.Rows), p.Rows[:0], math.Inf(1), 0.0
	before := len(p.Rows)
	for _, row := range p.Rows {
		if v := c.Number(int(row)); v > 0 {
			weight[row], least, most = v, min(least, v), max(most, v)
			positive = append(positive, row)
		}
	}
	switch p.Rows = positive; {
	case len(positive) == 0 && before > 0:
		return &fault.PlanError{Problem: fault.Weight, File: p.Table.Name, Field: c.Name, Found: "0", Message: message.Sprintf("%s, the row weight, is 0 in all %d usable rows; choose another column, or none", c.Name, before)}
	case len(positive) < before:
		p.Notes.Add(note.TopicWeight, []string{c.Name}, "%d of %d rows have a %s of 0 and are left out", before-len(positive), before, c.Name)
	}
	if least < 1 || most > 1 {
		p.Weight = weight
		p.Notes.Add(note.TopicWeight, []string{c.Name}, "rows are weighted by %s, from %s to %s, in scaling, training, validation and test; the corners of bases, rare levels and prediction intervals count every row once", c.Name, cell.FormatNumber(least), cell.FormatNumber(most))
	}
	return nil
}

// Weights returns the weights of rows, nil if all are 1.
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
