package data

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
)

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
	Table        *Table
	Target       string
	Roles        []Role // a column each
	Kinds        []Kind // a column each
	Uses         []Use  // a column each: its role and kind, and why
	Looked       Looked // where [Plan.Find] has looked for leaks and copies among the features
	Cut          Cut    // how the rows are split
	Suggested    []Suggested
	Dropped      []RowError // rows left out, the first 1000, in the order of lines
	DroppedCount int        // all of them
	Rows         []int32    // that are used
	Notes        note.Notes // what was chosen or passed over, and what [Plan.Find] has found

	settings Settings
	said     []bool // a column each: the settings say what it is for
	target   int
	by       int        // the column of Cut, −1 at random
	weigher  int        // the column that weighs rows, −1 for none
	weight   []float64  // of each row of the table, 0 of one that is not used; nil where all count 1
	levels   []string   // of a target of two values: what 0 and 1 stand for
	least    float64    // of a numeric target
	one      float64    // of one of two numbers: what 1 stands for
	log      design.Log // that models learn of the target
	loss     Loss       // LossLogistic where they learn log-odds; else ""
	timed    *Split     // the plan's own, if it is by time
}

// Plan settles roles and kinds, and which rows can be used. A row is left out,
// and listed in Dropped, if its target is missing, or the cell that rows are split
// by, if a cell of a numeric column that is used is no number, or, with
// MissingDrop, if a cell that is used is missing. Names in s that are no columns are passed over with a note: a
// link may be older than the file.
//
// A target of two values, texts or numbers, is read as 0 and 1, with a note that
// says which is which and why: the larger of two numbers is 1, and of two texts the
// one that says that something is so. Models learn its log-odds, unless the loss is to
// be squared. Plan returns a [*TargetError] if there is no column to
// predict or it holds one value, more than two texts, more than two numbers where
// the loss is to be logistic, or a negative one whose
// logarithm is asked for; a [*NoFeaturesError] if
// nothing is left to predict it from; a [*TooManyBadRowsError] if more than a
// tenth of all rows, those that could not be read included, are bad; and a
// [*TooFewRowsError] below [MinRows] rows; a [*WeightError] for a column that cannot weigh rows; and what [Plan.SplitBy] returns for the
// split of s, whose column is named, or else suggests itself. It costs O(rows·columns).
func (t *Table) Plan(s Settings) (*Plan, error) {
	if s.Missing == "" {
		s.Missing = MissingFlag
	}
	s.Rare = max(s.Rare, 1)
	p := &Plan{Table: t, Notes: slices.Clone(t.passed), settings: s}
	if err := p.settle(); err != nil {
		return nil, err
	}
	if err := p.choose(); err != nil {
		return nil, err
	}
	if err := p.weigh(); err != nil {
		return nil, err
	}
	if err := p.checkTarget(); err != nil {
		return nil, err
	}
	if err := p.settleLog(); err != nil {
		return nil, err
	}
	if len(p.Rows) < MinRows {
		return nil, &TooFewRowsError{File: t.Name, Rows: len(p.Rows), Want: MinRows, Dropped: p.DroppedCount}
	}
	if err := p.divide(); err != nil {
		return nil, err
	}
	return p, nil
}

// tooLarge returns the rows of a numeric column whose numbers cannot be squared,
// none where there are so many that the column's unit is at fault, which
// [Plan.Encode] tells.
func (c *column) tooLarge(rows int) []int {
	large := c.beyond(rows)
	if tooMany(len(large), rows) {
		return nil
	}
	return large
}

// knownTarget returns the target that the settings name, "" with a note if the
// table has no such column.
func (p *Plan) knownTarget(index map[string]int) string {
	name := p.settings.Target
	if i, ok := index[name]; ok && p.Table.columns[i].block != nil {
		p.Notes.Add(note.TopicSetting, nil, "the settings name the target %q, which stands for many features; another was chosen", name)
		return ""
	} else if name != "" && !ok {
		p.Notes.Add(note.TopicSetting, nil, "the settings name a target %q, which the table does not have; another was chosen", name)
		return ""
	}
	return name
}

// choose finds the rows that can be used and lists the others.
func (p *Plan) choose() error {
	t := p.Table
	// why holds, a row each, 0 for a row that is used, else 1 + the column of a
	// cell that is no number, or −1 − the column of one that is missing.
	why := make([]int32, t.rows)
	bad := 0
	for i, c := range t.columns {
		if p.Roles[i] == RoleIgnore || p.Kinds[i] != Numeric {
			continue
		}
		spoil := func(row int) {
			if why[row] == 0 {
				why[row] = int32(1 + i)
				bad++
			}
		}
		c.eachOdd(spoil)
		for _, row := range c.tooLarge(t.rows) {
			spoil(row)
		}
		for row := 0; i == p.weigher && row < t.rows; row++ {
			if v := c.number(row); v < 0 || v > largest {
				spoil(row)
			}
		}
	}
	if tooMany(t.BadCount+bad, t.rows+t.BadCount) {
		return p.tooMany(why, bad)
	}
	markMissing := func(i int) {
		c := t.columns[i]
		timed := i == p.by && p.Cut.Kind == SplitTime && c.timed() // what is no number and no date is no time
		for row := 0; (c.missing > 0 || timed) && row < t.rows; row++ {
			if at, _ := c.moment(row); why[row] == 0 && (c.isMissing(row) || timed && at != at) {
				why[row] = int32(-1 - i)
			}
		}
	}
	markMissing(p.target)
	if p.weigher >= 0 {
		markMissing(p.weigher)
	}
	if p.by >= 0 {
		markMissing(p.by)
	}
	if p.settings.Missing == MissingDrop {
		for i, role := range p.Roles {
			if role == RoleFeature {
				markMissing(i)
			}
		}
	}
	var dropped rowList
	p.Rows = make([]int32, 0, t.rows)
	for row, w := range why {
		switch {
		case w == 0:
			p.Rows = append(p.Rows, int32(row))
		case dropped.full():
			dropped.count++
		default:
			dropped.add(p.reason(row, w))
		}
	}
	p.Dropped, p.DroppedCount = dropped.first, dropped.count
	return nil
}

// reason explains why a row is not used.
func (p *Plan) reason(row int, why int32) RowError {
	t := p.Table
	if why > 0 {
		column := int(why - 1)
		if column == p.weigher {
			return t.Refuse(column, row, "a weight, a number of at least 0")
		}
		if math.Abs(t.Number(column, row)) > largest {
			return t.Refuse(column, row, "a number whose square is finite")
		}
		return t.Refuse(column, row, "a finite number")
	}
	e := RowError{File: t.Name, Line: t.Line(row)}
	i := int(-why - 1)
	e.Field = t.columns[i].name
	switch i {
	case p.target:
		e.Problem = MissingTarget
		e.Message = message.Sprintf("%s is missing, want the value to predict; fill in the cell, else the row is left out", e.Field)
	case p.weigher:
		e.Problem = MissingCell
		e.Message = message.Sprintf("%s is missing, want how much the row counts; fill in the cell, else the row is left out", e.Field)
	case p.by:
		e.Problem = MissingSplit
		e.Message = message.Sprintf("%s is missing, want the value that rows are split by; fill in the cell, else the row is left out", e.Field)
	default:
		e.Problem = MissingCell
		e.Message = message.Sprintf("%s is missing, want a value; fill in the cell or flag missing cells, else the row is left out", e.Field)
	}
	return e
}

// tooMany returns the error for rows that could not be read and rows with cells
// that are no numbers, in the order of lines.
func (p *Plan) tooMany(why []int32, bad int) error {
	t := p.Table
	var cells rowList
	for row, w := range why {
		if w > 0 && !cells.full() {
			cells.add(p.reason(row, w))
		}
	}
	all := append(slices.Clone(t.Bad), cells.first...)
	order.Sort(all, func(a, b RowError) int { return a.Line - b.Line })
	return &TooManyBadRowsError{File: t.Name, Bad: all[:min(len(all), maxListed)], Count: t.BadCount + bad, Rows: t.rows + t.BadCount}
}

// checkTarget looks at the target's values in the rows that are used.
func (p *Plan) checkTarget() error {
	if len(p.Rows) == 0 {
		return nil // too few rows
	}
	t, c := p.Table, p.Table.columns[p.target]
	fail := func(found, message string) error {
		return &TargetError{File: t.Name, Field: p.Target, Found: found, Message: p.Target + message}
	}
	var low, high string
	var numbers *[2]float64
	if p.Kinds[p.target] == Numeric {
		least, most, two := c.number(int(p.Rows[0])), c.number(int(p.Rows[0])), true
		for _, row := range p.Rows {
			least, most = min(least, c.number(int(row))), max(most, c.number(int(row)))
		}
		for _, row := range p.Rows {
			if v := c.number(int(row)); v != least && v != most {
				two = false
				break
			}
		}
		numbers = &[2]float64{least + 0, most + 0} // −0 is 0
		low, high = cell.FormatNumber(numbers[0]), cell.FormatNumber(numbers[1])
		p.least = least
		switch {
		case least == most:
			return fail(low, message.Sprintf(" is %s in every row, want a target that varies; choose another target", low))
		case !two:
			return p.checkLoss()
		}
	} else {
		texts, codes := c.levels(p.Rows)
		var seen []string
		met := make([]bool, len(texts))
		for _, code := range codes {
			if !met[code] {
				met[code] = true
				seen = append(seen, texts[code])
			}
		}
		order.Sort(seen, strings.Compare)
		found := shownList(seen)
		switch {
		case len(seen) == 1:
			return fail(found, message.Sprintf(" is %s in every row, want a target that varies; choose another target", found))
		case len(seen) > 2:
			return &TargetError{File: t.Name, Field: p.Target, Found: found, Message: tooManyClasses(p.Target, len(seen)) + "; choose another target" + p.numericTargets()}
		}
		low, high = seen[0], seen[1]
	}
	p.settleClasses(low, high, numbers)
	return nil
}

// numericTargets names columns that could be the target instead.
func (p *Plan) numericTargets() string {
	var names []string
	for i, c := range p.Table.columns {
		if p.Kinds[i] == Numeric && p.Roles[i] == RoleFeature && len(names) < 3 {
			names = append(names, c.name)
		}
	}
	if names == nil {
		return ""
	}
	return ", for instance " + strings.Join(names, ", ")
}

// Targets returns the target of the given rows in its own units: its numbers, or 0
// and 1 for the two values of a target that has only two. O(rows).
func (p *Plan) Targets(rows []int32) []float64 {
	y, c := make([]float64, len(rows)), p.Table.columns[p.target]
	numeric := p.Kinds[p.target] == Numeric
	if numeric {
		c.gather(y, rows)
	}
	if p.levels == nil {
		return y
	}
	for i, row := range rows {
		one := numeric && y[i] == p.one || !numeric && c.text(int(row)) == p.levels[1]
		y[i] = 0
		if one {
			y[i] = 1
		}
	}
	return y
}

// shownList joins the first texts of a list.
func shownList(texts []string) string {
	const most = 4
	var b strings.Builder
	for i, s := range texts {
		if i == most {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(cell.Clip(s))
	}
	return b.String()
}

// largest is the largest number that can be centred and squared.
const largest = 1e150

// centreable reports whether numbers of this size can be centred and squared
// without overflow or loss.
func centreable(least, most, sd float64) bool {
	return math.Max(math.Abs(least), math.Abs(most)) <= largest && (least == most || sd > 0 && !math.IsInf(sd, 0))
}
