package roles

import (
	"cmp"
	"slices"
	"strings"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// NewPlan decides roles and kinds, and which rows can be used. A row is left out and
// listed in Dropped if
//
//   - its target, its weight or its value for the split is missing,
//   - a cell of a numeric feature is no number,
//   - with [MissingDrop], a cell of a feature is missing.
//
// A row that does not meet a rule of the settings is left out too. Notes count such rows.
//
// A note lists the names in s that are no columns. A link may be older
// than the file, so they are no error.
//
// A target of two values, texts or numbers, is read as 0 and 1, with a note that says
// which is which and why. The larger number is 1, or the text that affirms, such as
// "yes". Models learn the log-odds of 1, unless the settings ask for squared loss. Three to
// thirty texts, or numbers that the settings call categorical, are classes.
//
// NewPlan returns a [*fault.PlanError] for a target, a weight, a split, a rule or features
// that the table cannot give, and below [MinRows] rows. It returns a
// [*fault.TooManyBadRowsError] if more than a tenth of all rows are bad, including those
// that could not be read. It costs O(rows·columns).
//
// If t is a [table.Join] with test rows, all this is decided on the first table.
func NewPlan(t *table.Table, s Settings) (*Plan, error) {
	if s.Missing == "" {
		s.Missing = MissingFlag
	}
	s.Rare = max(s.Rare, 1)
	p := &Plan{Table: cmp.Or(t.Training, t), Settings: s, test: t.Test}
	err := p.decide()
	if err == nil && p.test != nil {
		err = p.addTest(t)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// decide makes all decisions of a plan.
func (p *Plan) decide() error {
	t := p.Table
	p.Notes = slices.Clone(t.UnusedSettings)
	if err := p.setRoles(); err != nil {
		return err
	}
	if err := p.setRules(); err != nil {
		return err
	}
	if err := p.setRows(); err != nil {
		return err
	}
	if err := p.setWeights(); err != nil {
		return err
	}
	if err := p.checkTarget(); err != nil {
		return err
	}
	if err := p.setLog(); err != nil {
		return err
	}
	if len(p.Rows) < MinRows {
		advice := "open a longer table"
		out := slices.Concat(t.Bad, p.Dropped)
		if out != nil {
			first := slices.MinFunc(out, func(a, b fault.RowError) int { return a.Line - b.Line })
			advice = message.Sprintf("%d were left out, the first on line %d (%s); repair them or open a longer table", t.BadCount+p.DroppedCount, first.Line, first.Message)
		}
		return &fault.PlanError{Problem: fault.TooFewRows, File: t.Name, Message: message.Sprintf("%d usable rows, but %s need at least %d; %s", len(p.Rows), message.Either(p.test != nil, "training and validation", "training, validation and test"), MinRows, advice)}
	}
	if p.Levels == nil {
		p.noteTarget()
	}
	if err := p.checkSplit(); err != nil {
		return err
	}
	p.noteSorted()
	return nil
}

const lastResort = "nothing else is left, though "

// setRoles sets roles, kinds, the target and their reasons. Choices overrule the guesses of
// guessAll, and the settings overrule both.
func (p *Plan) setRoles() error {
	t := p.Table
	index := make(map[string]int, len(t.Columns))
	for i, c := range t.Columns {
		index[c.Name] = i
	}
	p.Uses = slices.Clone(guessAll(t).uses)
	named := p.knownTarget(index)
	if named != "" {
		u := &p.Uses[index[named]]
		u.Kind = t.Columns[index[named]].Kind()
	}
	explicit, excluded := p.applySettings(index)
	p.explicit = explicit
	by, err := p.setSplitRule(index, explicit)
	if err != nil {
		return err
	}
	if err := p.setWeight(index, explicit); err != nil {
		return err
	}
	if named == "" {
		if p.TargetColumn = guessTarget(t, p.Uses, by); p.TargetColumn < 0 {
			return &fault.PlanError{Problem: fault.Target, File: t.Name, Message: "no column can be the target, expected numbers or classes that vary" + p.WhyUnused() + ". Choose another table"}
		}
	} else {
		if p.TargetColumn = index[named]; excluded[p.TargetColumn] {
			p.Notes.Add(note.TopicSetting, nil, "the settings call %s both target and ignored; it is the target", named)
		}
		u := &p.Uses[p.TargetColumn]
		u.Role, u.Reason = RoleTarget, "the settings name it"
	}
	p.applyChoices(index)
	p.judgeTarget(by)
	p.Target = t.Columns[p.TargetColumn].Name
	p.ignoreParts(explicit)
	if by == p.TargetColumn {
		_, err := p.column(p.SplitRule)
		return err
	}
	p.suggest()
	if !slices.ContainsFunc(p.Uses, func(u Use) bool { return u.Role == RoleFeature }) {
		if i := p.usableColumn(); i >= 0 {
			p.Uses[i].Role, p.Uses[i].Reason = RoleFeature, lastResort+p.Uses[i].Reason
		}
	}
	p.Roles, p.Kinds = make([]Role, len(t.Columns)), make([]design.Kind, len(t.Columns))
	for i, u := range p.Uses {
		p.Roles[i], p.Kinds[i] = u.Role, u.Kind
		if !explicit[i] {
			p.noteUse(u, t.Columns[i])
		}
	}
	if !slices.Contains(p.Roles, RoleFeature) {
		return fault.NothingLeft(t.Name, p.Target, p.WhyUnused())
	}
	return nil
}

// WhyUnused says, for an error, why the first columns but the target predict nothing.
func (p *Plan) WhyUnused() string {
	const most = 3
	var why []string
	for i, u := range p.Uses {
		if own := guessAll(p.Table).uses[i]; own.Role == RoleIgnore {
			u = own // the settings of a page repeat it
		}
		if reason, _, _ := strings.Cut(strings.TrimPrefix(u.Reason, lastResort), ";"); i != p.TargetColumn && reason != "" {
			why = append(why, u.Column+": "+reason)
		}
	}
	if len(why) == 0 {
		return ""
	}
	return " (" + strings.Join(why[:min(most, len(why))], "; ") + message.Either(len(why) > most, "; …", "") + ")"
}
