package roles

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// maxLevels is how many levels a profile names.
const maxLevels = 8

// Profile describes one column. The numbers are those of the readable cells of a
// column of numbers, codes too, in the units of the column; they are NaN for a
// column of texts, and Tau is NaN for a constant column too.
type Profile struct {
	Name          string
	Kind          design.Kind // offered first, as Guess is
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

// Profiles describes every column. It costs O(distinct cells), as the numbers were
// summed up as they were read, and O(rows) for whole numbers.
func Profiles(t *table.Table) []Profile {
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
		Missing: c.MissingCount, DistinctExact: true, Unit: c.Unit, Parts: c.Parts, Notes: c.Notes,
		Mean: nan, SD: nan, Min: nan, Max: nan, Tau: nan}
	if u.Kind == design.Categorical && !c.AsNumbers {
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
	p.Distinct, p.DistinctExact = c.Differ(u.Kind == design.Categorical)
	m := c.Moments()
	p.Mean, p.SD, p.Min, p.Max = m.Mean(), m.SD(), m.Min(), m.Max()
	p.Tau = m.Tau()
	return p
}
