package roles

import (
	"slices"
	"strings"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// judgeTarget decides whether the target is sure, now that the kinds are known.
func (p *Plan) judgeTarget(by int) {
	uses, u := slices.Clone(p.Uses), &p.Uses[p.TargetColumn]
	uses[p.TargetColumn].Role = RoleFeature
	again := guessTarget(p.Table, uses, by)
	if u.Sure = again == p.TargetColumn && uses[again].Sure; again == p.TargetColumn && p.Settings.Target == "" {
		u.Alternatives = uses[again].Alternatives
	}
}

// usableColumn returns the first ignored column that could be a feature, or −1. Parts of a
// date could not: they would reveal the date if it is the target.
func (p *Plan) usableColumn() int {
	for i, c := range p.Table.Columns {
		if p.Uses[i].Role == RoleIgnore && !p.explicit[i] && c.Parts == nil && c.PartOf == "" && !c.IsConstant() {
			return i
		}
	}
	return -1
}

// ignoreParts ignores the parts of dates that are the target, which they would reveal. It
// also ignores the parts of dates that the settings ignore, unless the settings name them.
func (p *Plan) ignoreParts(explicit []bool) {
	role := map[string]Role{}
	for i, c := range p.Table.Columns {
		if c.Parts != nil && (i == p.TargetColumn || explicit[i] && p.Uses[i].Role == RoleIgnore) {
			role[c.Name] = p.Uses[i].Role
		}
	}
	for i, c := range p.Table.Columns {
		of, ok := role[c.PartOf]
		if u := &p.Uses[i]; ok && c.PartOf != "" && (of == RoleTarget || !explicit[i]) {
			u.Role, u.Reason = RoleIgnore, message.Sprintf("it is a part of %s, which is %s", c.PartOf, message.Either(of == RoleTarget, "the target", "ignored"))
		}
	}
}

// applySettings applies Categorical, then Numeric, then Ignore. It returns which columns
// they name, and which to ignore.
func (p *Plan) applySettings(index map[string]int) (explicit, excluded []bool) {
	s := p.Settings
	explicit, excluded = make([]bool, len(p.Uses)), make([]bool, len(p.Uses))
	each := func(names []string, role Role, reason string, f func(u *Use)) {
		for _, name := range names {
			i, ok := index[name]
			if !ok {
				p.Notes.Add(note.TopicSetting, nil, "the settings name a column %q, which is not in the table; this was ignored", name)
				continue
			}
			explicit[i], excluded[i] = true, role == RoleIgnore
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
	return explicit, excluded
}

// noteUse adds a note if a guess changes what models learn.
func (p *Plan) noteUse(u Use, c *table.Column) {
	switch {
	case c.PartOf != "":
	case u.Role == RoleIgnore && c.Parts != nil:
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is split into %s", c.Name, strings.Join(c.Parts, ", "))
	case u.Role == RoleIgnore && c.IsConstant():
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is ignored, because %s", c.Name, u.Reason)
	case u.Role == RoleIgnore:
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is ignored, because %s; name it categorical or numeric to use it", c.Name, u.Reason)
	case u.Kind == design.Categorical && c.Numeric():
		p.Notes.Add(note.TopicRole, []string{c.Name}, "%s is read as levels, because %s; name it numeric to read it as numbers", c.Name, u.Reason)
	}
}
