package roles

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// Profile describes one column. Its statistics are over the cells that are numbers, codes
// too, in the units of the column. They are NaN for a column of texts, and Tau is NaN for a
// constant one.
type Profile struct {
	Name          string
	Kind          design.Kind // guessed, as Guess
	Guess         Role
	Reason        string   // of the guess; the next two are those of [Use] too
	Sure          bool     // false: it is the target, but another may be meant
	Alternatives  []string // the other likely targets
	Cells         int      // of the first of two files, if the second tests
	Missing       int      // of them
	Unreadable    int      // text cells in a column of numbers
	Distinct      int      // different cells, or numbers in a column of numbers
	DistinctExact bool     // false: there are more
	Mean, SD      float64
	Min, Max      float64
	Tau           float64    // |φ − 1 − κ²|, with κ = E z³ and φ = E z⁴ of the standardized column; 0 for a column of two values
	Levels        []string   // the eight most frequent levels of a categorical column, unless it is stored as numbers
	Unit          string     // taken off its numbers, such as "%", or ""
	Parts         []string   // the columns made from its dates
	Notes         note.Notes // decisions and questions of reading
}

// Profiles describes every column. It costs O(distinct cells), and O(rows) for whole
// numbers.
func Profiles(t *table.Table) []Profile {
	if t.Training != nil {
		return Profiles(t.Training)
	}
	uses := slices.Clone(guessAll(t).uses)
	guessTarget(t, uses, -1)
	profiles := make([]Profile, len(t.Columns))
	for i, c := range t.Columns {
		profiles[i] = profileOf(c, uses[i])
	}
	return profiles
}

func profileOf(c *table.Column, u Use) Profile {
	nan := math.NaN()
	p := Profile{Name: c.Name, Kind: u.Kind, Guess: u.Role, Reason: u.Reason, Sure: u.Sure, Alternatives: u.Alternatives,
		Cells: c.Rows(), Missing: c.MissingCount, DistinctExact: true, Unit: c.Unit, Parts: c.Parts, Notes: c.Notes,
		Mean: nan, SD: nan, Min: nan, Max: nan, Tau: nan}
	if u.Kind == design.Categorical && !c.PlainNumbers {
		p.Levels = c.Frequent(maxLevels)
	}
	if c.Block != nil {
		p.Distinct = len(c.Block.Numbers)
		return p
	}
	if !c.Numeric() {
		p.Distinct = len(c.Entries)
		return p
	}
	p.Unreadable = c.TextCount
	p.Distinct, p.DistinctExact = c.CountDistinct(u.Kind == design.Categorical)
	m := c.Moments()
	p.Mean, p.SD, p.Min, p.Max = m.Mean(), m.SD(), m.Min(), m.Max()
	p.Tau = m.Tau()
	return p
}
