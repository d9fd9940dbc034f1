package roles

import (
	"slices"
	"strings"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// judgeTarget finds out whether the target is sure, now that levels are known.
func (p *Plan) judgeTarget(by int) {
	uses, u := slices.Clone(p.Uses), &p.Uses[p.TargetColumn]
	uses[p.TargetColumn].Role = RoleFeature
	again := guessTarget(p.Table, uses, by)
	if u.Sure = again == p.TargetColumn && uses[again].Sure; again == p.TargetColumn && p.Settings.Target == "" {
		u.Alternatives = uses[again].Alternatives
	}
}

// usable returns the first ignored column that could be a feature, −1 if there is none.
// Parts of a date are not among them: they would tell the date if it is the target.
func (p *Plan) usable() int {
	for i, c := range p.Table.Columns {
		if p.Uses[i].Role == RoleIgnore && !p.said[i] && c.Parts == nil && c.PartOf == "" && !c.Constant() {
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
	for i, c := range p.Table.Columns {
		if c.Parts != nil && (i == p.TargetColumn || said[i] && p.Uses[i].Role == RoleIgnore) {
			role[c.Name] = p.Uses[i].Role
		}
	}
	for i, c := range p.Table.Columns {
		of, ok := role[c.PartOf]
		if u := &p.Uses[i]; ok && c.PartOf != "" && (of == RoleTarget || !said[i]) {
			u.Role, u.Reason = RoleIgnore, message.Sprintf("%s is %s, and it is a part of that", c.PartOf, message.Either(of == RoleTarget, "the target", "ignored"))
		}
	}
}

// overrule does what the settings say of columns, Numeric over Categorical, and
// Ignore over both. It returns the columns that they name, and those to ignore.
func (p *Plan) overrule(index map[string]int) (said, excluded []bool) {
	s := p.Settings
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
			if f(&p.Uses[i]); p.Table.Columns[i].Block != nil {
				p.Uses[i].Kind = design.Sparse
			}
		}
	}
	each(s.Categorical, RoleFeature, "the settings call it categorical", func(u *Use) { u.Kind = design.Categorical })
	each(s.Numeric, RoleFeature, "the settings call it numeric", func(u *Use) {
		if slices.Contains(s.Categorical, u.Column) {
			p.Notes.Add(note.TopicSetting, nil, "the settings call %s both categorical and numeric; it is read as numeric", u.Column)
		}
		u.Kind = design.Numeric
	})
	each(s.Ignore, RoleIgnore, "the settings ignore it", func(*Use) {})
	return said, excluded
}

// tell tells of a decision that changes what is learnt and that nobody asked for.
func (p *Plan) tell(u Use, c *table.Column) {
	switch {
	case c.PartOf != "":
	case u.Role == RoleIgnore && c.Parts != nil:
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is taken apart: %s stand for it", c.Name, strings.Join(c.Parts, ", "))
	case u.Role == RoleIgnore && c.Constant():
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is ignored, because %s", c.Name, u.Reason)
	case u.Role == RoleIgnore:
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is ignored, because %s; name it categorical or numeric to use it", c.Name, u.Reason)
	case u.Kind == design.Categorical && c.Numeric():
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is read as levels, because %s; name it numeric to read it as numbers", c.Name, u.Reason)
	}
}
