package roles

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// Looked says how much of a table the findings come from.
type Looked struct{ Rows, Columns int }

// MinRows is the number of usable rows below which a table is not split.
const MinRows = 10

// Missing says what happens to missing cells of features.
type Missing string

// MissingFlag puts the mean in place of a missing number and adds a 0/1 feature
// that marks it; MissingDrop leaves the row out.
const (
	MissingFlag Missing = "flag"
	MissingDrop Missing = "drop"
)

// Settings says what the columns of a table are for. Columns named nowhere have the
// role and the kind of their [Profile], or the kind that Choices gives them. A named
// target is read as its cells are: numbers are numbers. A column named in Categorical
// or Numeric is a feature of that kind, also one that would be ignored.
type Settings struct {
	Target      string   // "": guess
	Ignore      []string // columns left out
	Categorical []string // columns read as text
	Numeric     []string // columns read as numbers
	Choices     []Choice // columns that may be either, as validation rows chose
	Judged      []Choice // the same if the settings named no kinds, to tell of those that they do name
	Missing     Missing  // "": MissingFlag
	Hats        bool     // numbers become piecewise-linear bases
	Log         bool     // models learn the logarithm of the target
	Loss        Loss     // "": LossAuto
	Positive    string   // of a target of two values: the one that is read as 1; "": guess
	Weight      string   // the column that says how much each row counts; "": all the same
	Rare        int      // levels seen fewer times in training rows become "other"; < 1: 1

	Split SplitKind // "": SplitRandom
	By    string    // the column that rows are split by; "": the one that suggests itself
}

// Plan is what training on a table would use.
type Plan struct {
	Table        *table.Table
	Target       string
	Roles        []Role        // a column each
	Kinds        []design.Kind // a column each
	Uses         []Use         // a column each: its role and kind, and why
	Looked       Looked        // where [leaks.Find] has looked for leaks and copies among the features
	Cut          Cut           // how the rows are split
	Suggested    []Suggested
	Dropped      []fault.RowError // rows left out, the first 1000, in the order of lines
	DroppedCount int              // all of them
	Rows         []int32          // that are used
	Notes        note.Notes       // what was chosen or passed over, and what [leaks.Find] has found

	Settings     Settings
	said         []bool // a column each: the settings say what it is for
	TargetColumn int
	by           int        // the column of Cut, −1 at random
	weigher      int        // the column that weighs rows, −1 for none
	Weight       []float64  // of each row of the table, 0 of one that is not used; nil where all count 1
	Levels       []string   // of a target of two values: what 0 and 1 stand for
	least        float64    // of a numeric target
	one          float64    // of one of two numbers: what 1 stands for
	Log          design.Log // that models learn of the target
	Loss         Loss       // LossLogistic where they learn log-odds; else ""
	timed        *Split     // the plan's own, if it is by time
}

// knownTarget returns the target that the settings name, "" with a note if the
// table has no such column.
func (p *Plan) knownTarget(index map[string]int) string {
	name := p.Settings.Target
	if i, ok := index[name]; ok && p.Table.Columns[i].Block != nil {
		p.Notes.Add(note.TopicSetting, nil, "the settings name the target %q, which stands for many features; another was chosen", name)
		return ""
	} else if name != "" && !ok {
		p.Notes.Add(note.TopicSetting, nil, "the settings name a target %q, which the table does not have; another was chosen", name)
		return ""
	}
	return name
}

// Targets returns the target of the given rows in its own units: its numbers, or 0
// and 1 for the two values of a target that has only two. O(rows).
func (p *Plan) Targets(rows []int32) []float64 {
	y, c := make([]float64, len(rows)), p.Table.Columns[p.TargetColumn]
	numeric := p.Kinds[p.TargetColumn] == design.Numeric
	if numeric {
		c.Gather(y, rows)
	}
	if p.Levels == nil {
		return y
	}
	for i, row := range rows {
		one := numeric && y[i] == p.one || !numeric && c.Text(int(row)) == p.Levels[1]
		y[i] = 0
		if one {
			y[i] = 1
		}
	}
	return y
}

// Raw returns the columns that are features, in the order of the table, of the
// given rows, such as a [Split] lists; none of kind Sparse. O(rows·columns).
func (p *Plan) Raw(rows []int32) (all []design.Raw) {
	for i, c := range p.Table.Columns {
		if p.Roles[i] != RoleFeature || c.Block != nil {
			continue
		}
		raw := design.Raw{Name: c.Name, Kind: p.Kinds[i]}
		if raw.Kind == design.Numeric {
			raw.Numbers = make([]float64, len(rows))
			c.Gather(raw.Numbers, rows)
			for j, v := range raw.Numbers {
				if math.Abs(v) > table.Largest { // counts as missing, as in a design
					raw.Numbers[j] = math.NaN()
				}
			}
		} else {
			raw.Levels, raw.Codes = c.Levels(rows)
		}
		all = append(all, raw)
	}
	return all
}
