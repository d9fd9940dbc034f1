package roles

import (
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// Choice says how a column of whole numbers is read where its cells alone cannot tell:
// 17 may be an amount, or the name of user 17. Both readings were tried, and validation
// rows judged them.
type Choice struct {
	Column          string
	Kind            design.Kind // the better of the two, or where Clear is false the one that is guessed
	Levels, Numbers float64     // errors on validation rows of the column read either way
	Clear           bool        // they differ by more than chance
}

// reason says why the column is read so, as it stands behind "because": guess is what
// its name and cells say.
func (c *Choice) reason(guess string) string {
	better, worse, own, other := "levels", "numbers", c.Levels, c.Numbers
	if c.Kind == design.Numeric {
		better, worse, own, other = worse, better, other, own
	}
	if c.Clear {
		return message.Sprintf("%s predict validation rows better than %s: error %.4g, as %s %.4g", better, worse, own, worse, other)
	}
	return guess + message.Sprintf("; on validation rows reading it as %s is no clear gain (error %.4g against %.4g)", worse, other, own)
}

// Undecided returns the features whose cells leave open whether they are amounts or
// levels: whole numbers of more values than [design.UsualKnots], each in [levelRows] rows on
// average, of which the settings say nothing. (Of fewer values a piecewise-linear basis
// has a corner at each, which is the same model as levels.)
//
// The others are the features that are no levels either: amounts, and parts of dates.
func (p *Plan) Undecided() (columns, others []string) {
	for i, c := range p.Table.Columns {
		n := guessAll(p.Table).values[i]
		switch {
		case p.Roles[i] != RoleFeature:
		case !p.said[i] && n > design.UsualKnots && levelRows*n <= c.NumberCount:
			columns = append(columns, c.Name)
		case p.Kinds[i] != design.Categorical || c.PartOf != "":
			others = append(others, c.Name)
		}
	}
	return columns, others
}

// ManyLevels returns how many features are columns of at least groupLevels levels.
func (p *Plan) ManyLevels() (columns int) {
	for i, c := range p.Table.Columns {
		if n := max(len(c.Entries), guessAll(p.Table).values[i]); p.Roles[i] == RoleFeature && p.Kinds[i] == design.Categorical && n >= groupLevels {
			columns++
		}
	}
	return columns
}

// Values numbers the cells of a column in some rows by what they hold, from 0 on; a
// missing cell has a number of its own. n is how many there are.
func (p *Plan) Values(column string, rows []int32) (of []int32, n int) {
	of, first := p.Table.ByName()[column].Classes(rows)
	for i, k := range of {
		if k < 0 {
			of[i] = int32(len(first))
		}
	}
	return of, len(first) + 1
}

// Choices returns what was chosen of the table under settings that key stands for, and
// asks choose the first time.
func Choices(t *table.Table, key string, choose func() []Choice) []Choice {
	return t.Memo("choices "+key, func() any { return choose() }).([]Choice)
}

// takeChoices reads columns as validation rows have chosen, unless the settings say how.
// Where the settings repeat what validation rows would choose, that stays the reason.
func (p *Plan) takeChoices(index map[string]int) {
	for _, choice := range p.Settings.Choices {
		i, ok := index[choice.Column]
		if u := &p.Uses[i]; ok && u.Role == RoleFeature && !p.said[i] {
			u.Kind, u.Chosen, u.Judged = choice.Kind, choice.Kind, choice.reason(u.Reason)
			u.Reason = u.Judged
		}
	}
	for _, choice := range p.Settings.Judged {
		i, ok := index[choice.Column]
		if u := &p.Uses[i]; ok && u.Role == RoleFeature && p.said[i] {
			u.Chosen, u.Judged = choice.Kind, choice.reason(guessAll(p.Table).uses[i].Reason)
			if u.Kind == choice.Kind {
				u.Reason = u.Judged
			}
		}
	}
}
