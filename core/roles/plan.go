package roles

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// LeakSample is the size of the part of a table that was searched for leaks.
type LeakSample struct{ Rows, Columns int }

// MinRows is the smallest number of usable rows of a plan.
const MinRows = 10

// Missing says how features treat missing cells.
type Missing string

// MissingFlag puts the mean in place of a missing number and adds a 0/1 feature
// that marks it; MissingDrop leaves the row out.
const (
	MissingFlag Missing = "flag"
	MissingDrop Missing = "drop"
)

// Settings says what the columns of a table are for. Columns that it does not name have the
// role and the kind of their [Profile], or the kind of their Choice. A target is numeric if
// its cells are numbers. Categorical and Numeric make a column a feature of that kind, even
// one that would be ignored.
type Settings struct {
	Target          string   // "": guess
	Ignore          []string // columns left out
	Categorical     []string // columns read as text
	Numeric         []string // columns read as numbers
	Choices         []Choice // kinds chosen on validation rows, for columns that may be either
	AllChoices      []Choice // the same, for columns of Categorical and Numeric too: to compare
	Missing         Missing  // "": MissingFlag
	PiecewiseLinear bool     // numbers become piecewise-linear bases
	Log             bool     // models learn the logarithm of the target
	Loss            Loss     // "": LossAuto
	Positive        string   // the value of a two-class target that is read as 1; "": guess
	Weight          string   // the column that holds the weight of each row; "": all weigh the same
	Rows            []string // rules "column:operator:value" that rows must meet; others are left out
	Rare            int      // levels in fewer training rows become "other"; < 1: 1

	Split SplitKind // "": by time if the column By holds times, else by its groups; at random without one
	By    string    // the column that rows are split by; "": the first of the suggestions
}

// Plan is the part of a table that training uses: roles, kinds, rows and their split.
type Plan struct {
	Table        *table.Table
	Target       string
	Roles        []Role           // one per column
	Kinds        []design.Kind    // one per column
	Uses         []Use            // one per column: its role and kind, and why
	LeakSample   LeakSample       // the part that [leaks.Find] has searched
	SplitRule    SplitRule        // how the rows are split
	Suggested    note.Notes       // splits that columns speak for: a column each, and the reason
	Dropped      []fault.RowError // rows left out, but not by a rule: the first 1000, in the order of lines
	DroppedCount int              // the number of all these rows
	Rows         []int32          // rows that are used, without those of a test table
	Tests        []int32          // the rows of a test table that are used
	Notes        note.Notes       // choices, ignored settings, and findings of [leaks.Find]

	Settings     Settings
	test         *table.Table // the second of two joined tables, if its rows test
	explicit     []bool       // one per column: the settings name it
	leftOut      []bool       // one per row of the table: a rule leaves it out; nil without rules
	TargetColumn int
	splitColumn  int        // the column of SplitRule, −1 for a random split
	weightColumn int        // the column of weights, −1 for none
	Weight       []float64  // one per row of the table, 0 for rows not used; nil if all weigh 1
	Levels       []string   // the classes that 0, 1, … stand for, if the target has two values, or more texts
	least        float64    // the least target, if it is numeric
	one          float64    // the number that 1 stands for, if the target has two numbers
	Log          design.Log // the logarithm of the target that models learn
	Loss         Loss       // LossLogistic if models learn log-odds, else ""
	timeSplit    *Split     // the split by SplitRule, if that is by time
}

// knownTarget returns the target of the settings, or "" with a note if the table has no
// such column.
func (p *Plan) knownTarget(index map[string]int) string {
	name := p.Settings.Target
	if i, ok := index[name]; ok && p.Table.Columns[i].Block != nil {
		p.Notes.Add(note.TopicSetting, nil, "the settings name the target %q, which stands for many features; another was chosen", name)
		return ""
	} else if name != "" && !ok {
		p.Notes.Add(note.TopicSetting, nil, "the settings name a target %q, which is not in the table; another was chosen", name)
		return ""
	}
	return name
}

// Targets returns the target of the given rows: its numbers, or the places of its classes in
// Levels. O(rows).
func (p *Plan) Targets(rows []int32) []float64 {
	y, c := make([]float64, len(rows)), p.Table.Columns[p.TargetColumn]
	numeric := p.Kinds[p.TargetColumn] == design.Numeric
	if numeric {
		c.Gather(y, rows)
	}
	if p.Levels == nil {
		return y
	}
	if len(p.Levels) > 2 {
		texts, codes := c.Levels(rows)
		place := make([]float64, len(texts))
		for code, text := range texts {
			place[code] = float64(slices.Index(p.Levels, text))
		}
		for i, code := range codes {
			y[i] = place[code]
		}
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

// Raw returns the features of the given rows as columns in the order of the table, without
// sparse ones. O(rows·columns).
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
