package data

import "ifmlab/core/message"

// Choice says how a column of whole numbers is read where its cells alone cannot tell:
// 17 may be an amount, or the name of user 17. Both readings were tried, and validation
// rows judged them.
type Choice struct {
	Column          string
	Kind            Kind    // the better of the two, or where Clear is false the one that is guessed
	Levels, Numbers float64 // errors on validation rows of the column read either way
	Clear           bool    // they differ by more than chance
}

// reason says why the column is read so, as it stands behind "because": guess is what
// its name and cells say.
func (c *Choice) reason(guess string) string {
	better, worse, own, other := "levels", "numbers", c.Levels, c.Numbers
	if c.Kind == Numeric {
		better, worse, own, other = worse, better, other, own
	}
	if c.Clear {
		return message.Sprintf("%s predict validation rows better than %s: error %.4g, as %s %.4g", better, worse, own, worse, other)
	}
	return guess + message.Sprintf("; read as %s it is not clearly better on validation rows (error %.4g, as %s %.4g)", worse, other, better, own)
}

// Undecided returns the features whose cells leave open whether they are amounts or
// levels: whole numbers of more values than [usualKnots], each in [levelRows] rows on
// average, of which the settings say nothing. (Of fewer values a piecewise-linear basis
// has a corner at each, which is the same model as levels.)
//
// The others are the features that are no levels either: amounts, and parts of dates.
func (p *Plan) Undecided() (columns, others []string) {
	for i, c := range p.Table.columns {
		n := p.Table.guess().values[i]
		switch {
		case p.Roles[i] != RoleFeature:
		case !p.named[i] && n > usualKnots && levelRows*n <= c.numbers:
			columns = append(columns, c.name)
		case p.Kinds[i] != Categorical || c.of != "":
			others = append(others, c.name)
		}
	}
	return columns, others
}

// Values numbers the cells of a column in some rows by what they hold, from 0 on; a
// missing cell has a number of its own. n is how many there are.
func (p *Plan) Values(column string, rows []int32) (of []int32, n int) {
	of, first := p.Table.byName()[column].classes(rows)
	for i, k := range of {
		if k < 0 {
			of[i] = int32(len(first))
		}
	}
	return of, len(first) + 1
}

// countValues returns how many different values a column of whole numbers holds, 0 for any
// other column. O(rows).
func (c *column) countValues() int {
	if c.block != nil || c.of != "" || !c.numeric() || c.texts > 0 || !c.whole() {
		return 0
	}
	n, _ := c.differ(true)
	return n
}

// Choices returns what was chosen of the table for this target under settings that key
// stands for, and asks choose the first time. Reasons that settings repeat later are
// remembered with it: see [Use.Chosen].
func (t *Table) Choices(target, key string, choose func() []Choice) []Choice {
	t.choosing.Lock()
	defer t.choosing.Unlock()
	choices, known := t.choices[key]
	if !known {
		choices = choose()
		if t.choices == nil {
			t.choices = map[string][]Choice{}
		}
		t.choices[key] = choices
		for _, c := range choices {
			t.judged.Store([2]string{target, c.Column}, c)
		}
	}
	return choices
}

// takeChoices reads columns as validation rows have chosen, unless the settings say how.
// Where they repeat a choice, it stays the reason.
func (p *Plan) takeChoices(index map[string]int) {
	for _, choice := range p.settings.Choices {
		i, ok := index[choice.Column]
		if u := &p.Uses[i]; ok && u.Role == RoleFeature && !p.named[i] {
			u.Kind, u.Chosen, u.Judged = choice.Kind, choice.Kind, choice.reason(u.Reason)
			u.Reason = u.Judged
		}
	}
	for i := range p.Uses {
		u := &p.Uses[i]
		known, ok := p.Table.judged.Load([2]string{p.settings.Target, u.Column})
		if choice, _ := known.(Choice); ok && p.named[i] && u.Role == RoleFeature {
			u.Chosen, u.Judged = choice.Kind, choice.reason(p.Table.guess().uses[i].Reason)
			if u.Kind == choice.Kind {
				u.Reason = u.Judged
			}
		}
	}
}
