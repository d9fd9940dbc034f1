package data

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/note"
	"ifmlab/core/order"
)

// Kind is how a column is read.
type Kind string

// The kinds of a column.
const (
	Numeric     Kind = "numeric"
	Categorical Kind = "categorical"
	Sparse      Kind = "sparse" // many features at once, few of which are not 0 in a row
)

// Role is what a column is for.
type Role string

// The roles of a column.
const (
	RoleTarget  Role = "target"
	RoleFeature Role = "feature"
	RoleIgnore  Role = "ignore"
	RoleWeight  Role = "weight" // it says how much each row counts
)

// maxLevels is how many levels a profile names.
const maxLevels = 8

// Profile describes one column. The numbers are those of the readable cells of a
// column of numbers, codes too, in the units of the column; they are NaN for a
// column of texts, and Tau is NaN for a constant column too.
type Profile struct {
	Name          string
	Kind          Kind // offered first, as Guess is
	Guess         Role
	Reason        string   // why, as [Use] has it; the next two are its, too
	Sure          bool     // false: it is the target, and a question
	Alternatives  []string // to it
	Missing       int      // cells
	Unreadable    int      // cells of a column of numbers that are no number
	Distinct      int      // different cells; different numbers of a column of numbers
	DistinctExact bool     // false: there are more
	Mean, SD      float64
	Min, Max      float64
	Tau           float64    // |φ − 1 − κ²|, with κ = E z³ and φ = E z⁴ of the standardized column; 0 for a column of two values
	Levels        []string   // of a categorical column, the most frequent first, at most eight; none of one of more than 4096 numbers
	Unit          string     // that was taken off its numbers, such as "%", or ""
	Parts         []string   // the columns that stand for its dates
	Notes         note.Notes // what reading has made of it, and questions
}

// Profile describes every column. It costs O(distinct cells), as the numbers were
// summed up as they were read, and O(rows) for whole numbers.
func (t *Table) Profile() []Profile {
	uses := slices.Clone(t.guess().uses)
	t.guessTarget(uses, -1)
	profiles := make([]Profile, len(t.columns))
	for i, c := range t.columns {
		profiles[i] = c.profile(uses[i])
	}
	return profiles
}

func (c *column) kind() Kind {
	if c.block != nil {
		return Sparse
	}
	if c.numeric() {
		return Numeric
	}
	return Categorical
}

func (c *column) profile(u Use) Profile {
	nan := math.NaN()
	p := Profile{Name: c.name, Kind: u.Kind, Guess: u.Role, Reason: u.Reason, Sure: u.Sure, Alternatives: u.Alternatives,
		Missing: c.missing, DistinctExact: true, Unit: c.unit, Parts: c.parts, Notes: c.notes,
		Mean: nan, SD: nan, Min: nan, Max: nan, Tau: nan}
	if u.Kind == Categorical && !c.plain {
		p.Levels = c.frequent(maxLevels)
	}
	if c.block != nil {
		p.Distinct = len(c.block.numbers)
		return p
	}
	if !c.numeric() {
		p.Distinct = len(c.entries)
		return p
	}
	p.Unreadable = c.texts
	p.Distinct, p.DistinctExact = c.differ(u.Kind == Categorical)
	m := c.moments()
	p.Mean, p.SD, p.Min, p.Max = m.Mean(), m.SD(), m.Min(), m.Max()
	p.Tau = m.Tau()
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
