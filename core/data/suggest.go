package data

import "slices"

// Suggested is another split that a table's columns speak for.
type Suggested struct {
	Split  SplitKind
	By     string
	Reason string // as it stands behind "because"
}

// suggest fills in the splits that the columns speak for and that are not the
// plan's own.
func (p *Plan) suggest() {
	for _, s := range p.Table.suggestions(p.Uses, p.target) {
		if s.Split != p.Cut.Kind {
			p.Suggested = append(p.Suggested, s)
		}
	}
}

// suggestions returns the splits that columns speak for: by time, of the column
// with most times, and by each identifier that repeats. A column's values are what
// counts, whether it is used or not. O(columns) but for what
// [Table.guess] costs once.
func (t *Table) suggestions(uses []Use, target int) (all []Suggested) {
	latest, most, times := -1, 0, t.guess().times
	for i, c := range t.columns {
		if i == target {
			continue
		}
		if n := times[i]; n > most {
			latest, most = i, n
		}
		if c.identifies(uses[i].Kind) {
			all = append(all, Suggested{SplitGroup, c.name, "it is an identifier whose values repeat: at random, test rows are of values that are known from training rows; split by it, they are of new ones"})
		}
	}
	if latest >= 0 {
		time := Suggested{SplitTime, t.columns[latest].name, "it is a time: at random, test rows lie between training rows; split by it, they come after them"}
		all = slices.Insert(all, 0, time)
	}
	return all
}

// identifies reports whether a column of levels is an identifier that repeats.
func (c *column) identifies(kind Kind) bool {
	if kind != Categorical || !titleOf(c.name).identifier() {
		return false
	}
	return c.plain || len(c.entries) >= groupLevels && 2*len(c.entries) <= c.numbers+c.texts
}

// countTimes returns how many times a column tells, at least three, else 0: dates;
// whole numbers named as a time that are years, seconds or milliseconds since 1970,
// or never fall in the file.
func (c *column) countTimes() int {
	n := len(c.entries)
	switch {
	case !c.numeric():
		if n < 3 || c.layout == "" {
			return 0
		}
		return n
	case c.numbers == 0 || !titleOf(c.name).date() || !c.whole():
		return 0
	}
	within := func(least, most float64) bool { return least <= c.min && c.max <= most }
	if n, _ = c.differ(false); n < 3 || !(within(1000, 3000) || within(6e8, 2.2e9) || within(6e11, 2.2e12) || c.neverFalls()) {
		return 0
	}
	return n
}

func (c *column) neverFalls() bool {
	last := c.min
	for row := range c.numbers + c.texts + c.missing {
		v := c.number(row)
		if v < last {
			return false
		}
		if v == v {
			last = v
		}
	}
	return true
}
