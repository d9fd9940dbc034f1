package data

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
)

// SaidOf returns what reading another file has to be told so that its columns are read as
// those of the file were that e comes from, where they do not say themselves how
// they are written. O(features).
func SaidOf(e *design.Encoding) Said {
	said := Said{MissingAs: e.Written.MissingAs, Present: e.Written.Present}
	for _, d := range e.Written.Dates {
		said.Dates = append(said.Dates, d+"?")
	}
	numbers := map[string]bool{}
	add := func(name string) {
		mark := "point?"
		if e.Written.PointOf(name) == ',' {
			mark = "comma?"
		}
		if !numbers[name] && e.DatesOf(name) == "" {
			numbers[name] = true
			said.Decimal = append(said.Decimal, pair(name, mark))
		}
	}
	for _, f := range e.Features {
		if !f.IsIndicator() {
			add(f.Column)
		}
	}
	if e.Target.Name != "" && e.Target.Levels == nil {
		add(e.Target.Name)
	}
	return said
}

// written notes how a column that is used was written.
func (e *encoder) written(c *column) {
	w := &e.out.Written
	if c.point != w.Point {
		w.Other = append(w.Other, c.name)
	}
	if c.unit != "" {
		w.Units = append(w.Units, pair(c.name, c.unit))
	}
	for _, text := range c.present {
		w.Present = append(w.Present, pair(c.name, text))
	}
	for _, t := range c.tokens {
		if !cell.IsMissing(t.Text) {
			w.MissingAs = append(w.MissingAs, pair(c.name, t.Text))
		}
	}
}

// usesParts reports whether a part of a column's dates is a feature.
func (p *Plan) usesParts(dates *column) bool {
	for i, c := range p.Table.columns {
		if c.of == dates.name && p.Roles[i] == RoleFeature {
			return true
		}
	}
	return false
}
