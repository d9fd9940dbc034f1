package data

import (
	"cmp"
	"math"

	"ifmlab/core/order"
)

// Kind is how a column is read.
type Kind string

// The kinds of a column.
const (
	Numeric     Kind = "numeric"
	Categorical Kind = "categorical"
)

// Role is what a column is for.
type Role string

// The roles of a column.
const (
	RoleTarget  Role = "target"
	RoleFeature Role = "feature"
	RoleIgnore  Role = "ignore"
)

// maxLevels is how many levels a profile names.
const maxLevels = 8

// Profile describes one column. The numbers of a numeric column are those of
// its readable cells, in the units of the column; they are NaN for a
// categorical one, and Kappa, Phi and Tau are NaN for a constant column too.
type Profile struct {
	Name          string
	Kind          Kind
	Guess         Role // offered first
	Missing       int  // cells
	Unreadable    int  // cells of a numeric column that are no number
	Distinct      int  // different cells; different numbers of a numeric column
	DistinctExact bool // false: there are more
	Mean, SD      float64
	Min, Max      float64
	Kappa         float64  // E z³ of the standardized column
	Phi           float64  // E z⁴
	Tau           float64  // |φ − 1 − κ²|, 0 for a column of two values
	Levels        []string // of a categorical column, the most frequent first, at most eight
	Unit          string   // that was taken off its numbers, such as "%", or ""
	Decisions     []Decision
}

// Profile describes every column. It costs O(distinct cells): the numbers were
// summed up as they were read.
func (t *Table) Profile() []Profile {
	kinds := make([]Kind, len(t.columns))
	for i, c := range t.columns {
		kinds[i] = c.kind()
	}
	target := t.guessTarget(kinds, nil)
	profiles := make([]Profile, len(t.columns))
	for i, c := range t.columns {
		p := c.profile(kinds[i])
		p.Guess = c.guess(kinds[i])
		if i == target {
			p.Guess = RoleTarget
		}
		profiles[i] = p
	}
	return profiles
}

func (c *column) kind() Kind {
	if c.numeric() {
		return Numeric
	}
	return Categorical
}

func (c *column) profile(kind Kind) Profile {
	nan := math.NaN()
	p := Profile{Name: c.name, Kind: kind, Missing: c.missing, DistinctExact: true, Unit: c.unit, Decisions: c.decisions,
		Mean: nan, SD: nan, Min: nan, Max: nan, Kappa: nan, Phi: nan, Tau: nan}
	if kind == Categorical {
		p.Distinct = len(c.entries)
		p.Levels = c.frequent(maxLevels)
		return p
	}
	p.Unreadable = c.texts
	m := c.sums
	if c.plain {
		p.Distinct, p.DistinctExact = c.distinct, false
	} else {
		p.Distinct = distinctNumbers(c.entries)
		for _, e := range c.entries {
			if !math.IsNaN(e.number) {
				m.AddCount(e.number, e.count)
			}
		}
	}
	p.Mean, p.SD, p.Min, p.Max = m.Mean(), m.SD(), m.Min(), m.Max()
	p.Kappa, p.Phi, p.Tau = m.Kappa(), m.Phi(), m.Tau()
	return p
}

// frequent returns the texts of the most frequent entries, at most most.
func (c *column) frequent(most int) []string {
	places := order.Of(len(c.entries), func(a, b int) int { return cmp.Compare(c.entries[b].count, c.entries[a].count) })
	var levels []string
	for _, i := range places[:min(most, len(places))] {
		levels = append(levels, c.entries[i].text)
	}
	return levels
}

// guess returns RoleIgnore for a column that cannot teach: without cells; whole
// numbers rising by one, which count the rows; text of which more than half of
// the cells differ, which names them. It returns RoleFeature for all others.
func (c *column) guess(kind Kind) Role {
	cells := c.numbers + c.texts
	switch {
	case cells == 0, c.parts != nil:
		return RoleIgnore
	case c.of != "":
		return RoleFeature
	case kind == Numeric && c.rising && cells > 2:
		return RoleIgnore
	case kind == Categorical && cells > 2 && 2*len(c.entries) > cells:
		return RoleIgnore
	}
	return RoleFeature
}

// guessTarget returns the last numeric column that varies and is a feature by
// guess and not excluded; failing that the last such column of two levels;
// failing that −1.
func (t *Table) guessTarget(kinds []Kind, excluded []bool) int {
	two := -1
	for i := len(t.columns) - 1; i >= 0; i-- {
		c := t.columns[i]
		switch {
		case excluded != nil && excluded[i], c.guess(kinds[i]) != RoleFeature, c.of != "":
		case kinds[i] == Numeric && c.numbers > 0 && c.min < c.max:
			return i
		case kinds[i] == Categorical && !c.plain && len(c.entries) == 2 && two < 0:
			two = i
		}
	}
	return two
}
