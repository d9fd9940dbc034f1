package roles

import (
	"cmp"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// Choice is the kind of a column of whole numbers that its cells leave open: 17 may be an
// amount, or the name of user 17. Validation rows compared the two.
type Choice struct {
	Column          string
	Kind            design.Kind // the better kind, or the guessed one if Clear is false
	Levels, Numbers float64     // validation errors with the column as levels, and as numbers
	Clear           bool        // the errors differ by more than chance
}

// reason returns why the column has its kind, to follow "because". guess is the reason of
// the guess.
func (c *Choice) reason(guess string) string {
	better, worse, own, other := "levels", "numbers", c.Levels, c.Numbers
	if c.Kind == design.Numeric {
		better, worse, own, other = worse, better, other, own
	}
	if c.Clear {
		return message.Sprintf("as %s it predicts validation rows better than as %s (error %.4g against %.4g)", better, worse, own, other)
	}
	return guess + message.Sprintf("; as %s it would not predict validation rows clearly better (error %.4g, as %s %.4g)", worse, other, better, own)
}

// Undecided returns the features that may be amounts or levels: whole numbers in at least
// [levelRows] rows each on average, which the settings do not name. They have more values
// than [design.UsualKnots]. With fewer, levels and a piecewise-linear basis are the same
// model. others are the features that are surely numbers: amounts, and parts of dates.
func (p *Plan) Undecided() (columns, others []string) {
	for i, c := range p.Table.Columns {
		n := guessAll(p.Table).values[i]
		switch {
		case p.Roles[i] != RoleFeature:
		case !p.explicit[i] && n > design.DefaultKnots && levelRows*n <= c.NumberCount:
			columns = append(columns, c.Name)
		case p.Kinds[i] != design.Categorical || c.PartOf != "":
			others = append(others, c.Name)
		}
	}
	return columns, others
}

// ManyLevels returns how many features have at least groupLevels levels.
func (p *Plan) ManyLevels() (columns int) {
	for i, c := range cmp.Or(p.Table.Training, p.Table).Columns {
		if n := max(len(c.Entries), guessAll(p.Table).values[i]); p.Roles[i] == RoleFeature && p.Kinds[i] == design.Categorical && n >= groupLevels {
			columns++
		}
	}
	return columns
}

// Values numbers the different values of a column in rows, missing as one of them, and
// returns how many there are.
func (p *Plan) Values(column string, rows []int32) (of []int32, n int) {
	of, first := p.Table.ByName()[column].Classes(rows)
	for i, k := range of {
		if k < 0 {
			of[i] = int32(len(first))
		}
	}
	return of, len(first) + 1
}

// Choices returns the choices for a table and the settings that key stands for. It calls
// choose the first time.
func Choices(t *table.Table, key string, choose func() []Choice) []Choice {
	return t.Memo("choices "+key, func() any { return choose() }).([]Choice)
}

// applyChoices sets kinds by Choices unless the settings name the column. If the settings
// agree with a choice, its reason is shown.
func (p *Plan) applyChoices(index map[string]int) {
	for _, choice := range p.Settings.Choices {
		i, ok := index[choice.Column]
		if u := &p.Uses[i]; ok && u.Role == RoleFeature && !p.explicit[i] {
			u.Kind, u.ChoiceKind, u.ChoiceReason = choice.Kind, choice.Kind, choice.reason(u.Reason)
			u.Reason = u.ChoiceReason
		}
	}
	for _, choice := range p.Settings.AllChoices {
		i, ok := index[choice.Column]
		if u := &p.Uses[i]; ok && u.Role == RoleFeature && p.explicit[i] {
			u.ChoiceKind, u.ChoiceReason = choice.Kind, choice.reason(guessAll(p.Table).uses[i].Reason)
			if u.Kind == choice.Kind {
				u.Reason = u.ChoiceReason
			}
		}
	}
}
