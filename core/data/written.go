package data

import (
	"slices"
	"strings"
)

// Written says how the file was written that an encoding comes from.
type Written struct {
	Separator rune // between cells; 0 for drawn rows
	Point     byte // of decimal fractions in most columns, '.' or ','
	Header    bool // the first row named the columns
	// Numbers names the columns of levels that were kept as numbers: 1.50 is the
	// level 1.5 there. In all others a level is what was written.
	Numbers []string
	Other   []string // columns that write fractions with the other mark
	Dates   []string // columns of dates whose parts are columns, each with the order of its dates: "when:dmy"
	Units   []string // what was taken off the numbers of columns: "price:€"
	// MissingAs and Present are what the settings said of its columns, as in [Said].
	MissingAs, Present []string
}

// point returns what stands before decimal fractions in a column.
func (w *Written) point(column string) byte {
	if slices.Contains(w.Other, column) {
		return '.' + ',' - w.Point
	}
	return w.Point
}

// Said is what reading another file has to be told so that its columns are read as
// those of the file were that e comes from, where they do not say themselves how
// they are written. O(features).
func (e *Encoding) Said() Said {
	said := Said{MissingAs: e.Written.MissingAs, Present: e.Written.Present}
	for _, d := range e.Written.Dates {
		said.Dates = append(said.Dates, d+"?")
	}
	numbers := map[string]bool{}
	add := func(name string) {
		mark := "point?"
		if e.Written.point(name) == ',' {
			mark = "comma?"
		}
		if !numbers[name] && e.dates(name) == "" {
			numbers[name] = true
			said.Decimal = append(said.Decimal, pair(name, mark))
		}
	}
	for _, f := range e.Features {
		if !f.marks() {
			add(f.Column)
		}
	}
	if e.Target.Name != "" && e.Target.Levels == nil {
		add(e.Target.Name)
	}
	return said
}

// dates returns the column of dates that a column is a part of, "" for another.
func (e *Encoding) dates(name string) string {
	for _, d := range e.Written.Dates {
		if i := strings.LastIndexByte(d, ':'); i > 0 && strings.HasPrefix(name, d[:i]+" (") {
			return d[:i]
		}
	}
	return ""
}

// Needs returns the names of the columns that a file must have: those of Columns,
// and for the parts of dates the dates.
func (e *Encoding) Needs() (names []string) {
	for _, name := range e.Columns() {
		if dates := e.dates(name); dates != "" {
			name = dates
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
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
		if !isMissing(t.text) {
			w.MissingAs = append(w.MissingAs, pair(c.name, t.text))
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
