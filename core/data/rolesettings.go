package data

import (
	"slices"
	"strings"

	"ifmlab/core/message"
	"ifmlab/core/note"
)

// settle fills in roles, kinds, the target and why.
//
// The guesses of [Table.guess] come first, whether a target is named or not. What
// validation rows have chosen overrules them, and the settings overrule both.
func (p *Plan) settle() error {
	t := p.Table
	index := make(map[string]int, len(t.columns))
	for i, c := range t.columns {
		index[c.name] = i
	}
	p.Uses = slices.Clone(t.guess().uses)
	named := p.knownTarget(index)
	if named != "" {
		u := &p.Uses[index[named]]
		u.Kind = t.columns[index[named]].kind()
	}
	said, excluded := p.overrule(index)
	p.said = said
	by, err := p.settleCut(index, said)
	if err != nil {
		return err
	}
	if err := p.settleWeight(index, said); err != nil {
		return err
	}
	if named == "" {
		if p.target = t.guessTarget(p.Uses, by); p.target < 0 {
			told := "no column can be the target, want one of numbers or of two values that vary; choose another table"
			if i := t.classColumn(p.Uses, by, twoTexts); i >= 0 {
				told = tooManyClasses(t.columns[i].name, len(t.columns[i].entries)) + "; choose another table"
			}
			return &TargetError{File: t.Name, Message: told}
		}
	} else {
		if p.target = index[named]; excluded[p.target] {
			p.Notes.Add(note.TopicSetting, nil, "the settings call %s both target and ignored; it is the target", named)
		}
		u := &p.Uses[p.target]
		u.Role, u.Reason = RoleTarget, "the settings name it"
	}
	p.takeChoices(index)
	p.judgeTarget(by)
	p.Target = t.columns[p.target].name
	p.ignoreParts(said)
	if by == p.target {
		_, err := p.column(p.Cut)
		return err
	}
	p.suggest()
	if !slices.ContainsFunc(p.Uses, func(u Use) bool { return u.Role == RoleFeature }) {
		if i := p.usable(); i >= 0 {
			p.Uses[i].Role, p.Uses[i].Reason = RoleFeature, "nothing else is left, though "+p.Uses[i].Reason
		}
	}
	p.Roles, p.Kinds = make([]Role, len(t.columns)), make([]Kind, len(t.columns))
	for i, u := range p.Uses {
		p.Roles[i], p.Kinds[i] = u.Role, u.Kind
		if !said[i] {
			p.tell(u, t.columns[i])
		}
	}
	if !slices.Contains(p.Roles, RoleFeature) {
		return &NoFeaturesError{File: t.Name, Target: p.Target}
	}
	return nil
}

// judgeTarget finds out whether the target is sure, now that levels are known.
func (p *Plan) judgeTarget(by int) {
	uses, u := slices.Clone(p.Uses), &p.Uses[p.target]
	uses[p.target].Role = RoleFeature
	again := p.Table.guessTarget(uses, by)
	if u.Sure = again == p.target && uses[again].Sure; again == p.target && p.settings.Target == "" {
		u.Alternatives = uses[again].Alternatives
	}
}

// usable returns the first ignored column that could be a feature, −1 if there is none.
// Parts of a date are not among them: they would tell the date if it is the target.
func (p *Plan) usable() int {
	for i, c := range p.Table.columns {
		if p.Uses[i].Role == RoleIgnore && !p.said[i] && c.parts == nil && c.of == "" && !c.constant() {
			return i
		}
	}
	return -1
}

// ignoreParts ignores the parts of a column of dates that is the target, which they
// would tell, and, unless the settings name them, those of one that the settings
// ignore.
func (p *Plan) ignoreParts(said []bool) {
	role := map[string]Role{}
	for i, c := range p.Table.columns {
		if c.parts != nil && (i == p.target || said[i] && p.Uses[i].Role == RoleIgnore) {
			role[c.name] = p.Uses[i].Role
		}
	}
	for i, c := range p.Table.columns {
		of, ok := role[c.of]
		if u := &p.Uses[i]; ok && c.of != "" && (of == RoleTarget || !said[i]) {
			u.Role, u.Reason = RoleIgnore, message.Sprintf("%s is %s, and it is a part of that", c.of, either(of == RoleTarget, "the target", "ignored"))
		}
	}
}

// overrule does what the settings say of columns, Numeric over Categorical, and
// Ignore over both. It returns the columns that they name, and those to ignore.
func (p *Plan) overrule(index map[string]int) (said, excluded []bool) {
	s := p.settings
	said, excluded = make([]bool, len(p.Uses)), make([]bool, len(p.Uses))
	each := func(names []string, role Role, reason string, f func(u *Use)) {
		for _, name := range names {
			i, ok := index[name]
			if !ok {
				p.Notes.Add(note.TopicSetting, nil, "the settings name a column %q, which the table does not have; it was passed over", name)
				continue
			}
			said[i], excluded[i] = true, role == RoleIgnore
			p.Uses[i].Role, p.Uses[i].Reason = role, reason
			if f(&p.Uses[i]); p.Table.columns[i].block != nil {
				p.Uses[i].Kind = Sparse
			}
		}
	}
	each(s.Categorical, RoleFeature, "the settings call it categorical", func(u *Use) { u.Kind = Categorical })
	each(s.Numeric, RoleFeature, "the settings call it numeric", func(u *Use) {
		if slices.Contains(s.Categorical, u.Column) {
			p.Notes.Add(note.TopicSetting, nil, "the settings call %s both categorical and numeric; it is read as numeric", u.Column)
		}
		u.Kind = Numeric
	})
	each(s.Ignore, RoleIgnore, "the settings ignore it", func(*Use) {})
	return said, excluded
}

// tell tells of a decision that changes what is learnt and that nobody asked for.
func (p *Plan) tell(u Use, c *column) {
	switch {
	case c.of != "":
	case u.Role == RoleIgnore && c.parts != nil:
		p.Notes.Add(note.TopicRole, []string{c.name}, "%s is taken apart: %s stand for it", c.name, strings.Join(c.parts, ", "))
	case u.Role == RoleIgnore && c.constant():
		p.Notes.Add(note.TopicRole, []string{c.name}, "%s is ignored, because %s", c.name, u.Reason)
	case u.Role == RoleIgnore:
		p.Notes.Add(note.TopicRole, []string{c.name}, "%s is ignored, because %s; name it categorical or numeric to use it", c.name, u.Reason)
	case u.Kind == Categorical && c.numeric():
		p.Notes.Add(note.TopicRole, []string{c.name}, "%s is read as levels, because %s; name it numeric to read it as numbers", c.name, u.Reason)
	}
}
