package encode

import (
	"ifmlab/core/cell"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// noteStyle adds the style of a column to the FileStyle.
func (e *encoder) noteStyle(c *table.Column) {
	w := &e.out.FileStyle
	if c.Point != w.Point {
		w.Other = append(w.Other, c.Name)
	}
	if c.Unit != "" {
		w.Units = append(w.Units, note.Pair(c.Name, c.Unit))
	}
	for _, text := range c.NotMissing {
		w.Present = append(w.Present, note.Pair(c.Name, text))
	}
	for _, t := range c.MissingTokens {
		if !cell.IsMissing(t.Text) {
			w.MissingAs = append(w.MissingAs, note.Pair(c.Name, t.Text))
		}
	}
}

// usesParts reports whether a part of a column's dates is a feature.
func usesParts(p *roles.Plan, dates *table.Column) bool {
	for i, c := range p.Table.Columns {
		if c.PartOf == dates.Name && p.Roles[i] == roles.RoleFeature {
			return true
		}
	}
	return false
}
