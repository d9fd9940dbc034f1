package roles

import (
	"math"
	"math/rand/v2"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// SplitKind says how rows are divided into training, validation and test rows.
type SplitKind string

// The kinds of a split.
const (
	SplitRandom SplitKind = "random" // each row independently
	SplitTime   SplitKind = "time"   // the last fifth is the test, the fifth before it validation
	SplitGroup  SplitKind = "group"  // rows with the same value stay together
)

// SplitRule is a kind of split and the column that it uses.
type SplitRule struct {
	Kind SplitKind
	By   string // the column; "" for a random split
}

// fewestGroups is the smallest number of groups of a split.
const fewestGroups = 5

// Split lists the rows of each part: in random order, in order of time, or, for groups, in
// order of the file.
type Split struct{ Train, Valid, Test []int32 }

// Rows returns the number of rows of all parts.
func (s *Split) Rows() int { return len(s.Train) + len(s.Valid) + len(s.Test) }

// MergeValidation returns s with its validation rows moved to training, to train again
// after cross-validation.
func (s *Split) MergeValidation() *Split {
	train := append(append(make([]int32, 0, len(s.Train)+len(s.Valid)), s.Train...), s.Valid...)
	return &Split{Train: train, Test: s.Test}
}

// Split is [Plan.SplitBy] with the plan's own cut. NewPlan has checked that it works.
func (p *Plan) Split(rng *rand.Rand) *Split {
	s, err := p.SplitBy(p.SplitRule, rng)
	if err != nil {
		panic(err)
	}
	return s
}

// SplitBy divides the rows that are used into three parts. None is empty, unless the table
// is [table.Numbers] with such shares.
//
//   - SplitRandom draws a fifth each, rounded down, or the shares of [table.Numbers], for
//     validation and test. Each part has the same share of both classes, if the target has
//     two values. Rows with the same features are in one part, unless they are likely by
//     chance; shares are then as near as that allows.
//   - SplitTime sorts the rows by a column of numbers or dates. It takes about a fifth each
//     from the end, so that rows of one time stay together. It draws nothing.
//   - SplitGroup draws groups for test and validation until both are near a fifth.
//
// Rows with a missing cell in that column are in no part. If the plan has test rows of their own,
// those of the other rows that would test validate, and those that would validate train. SplitBy returns a
// [*fault.PlanError] if the column does not exist, is the target, is no time, or has fewer
// than five groups. O(rows), and O(values·log² values) for SplitTime.
func (p *Plan) SplitBy(cut SplitRule, rng *rand.Rand) (*Split, error) {
	s, err := p.split(cut, rng)
	if err == nil && p.Tests != nil {
		return &Split{Train: s.MergeValidation().Train, Valid: s.Test, Test: p.Tests}, nil
	}
	return s, err
}

// split divides all rows but those of a test table.
func (p *Plan) split(cut SplitRule, rng *rand.Rand) (*Split, error) {
	switch {
	case cut.Kind != SplitTime && cut.Kind != SplitGroup:
		return p.splitRandom(rng), nil
	case p.timeSplit != nil && cut == p.SplitRule:
		return p.timeSplit, nil
	}
	by, err := p.column(cut)
	if err != nil {
		return nil, err
	}
	if cut.Kind == SplitGroup {
		return p.splitGroups(by, rng)
	}
	times, err := p.timesOf(by)
	if err != nil {
		return nil, err
	}
	return times.split(p, by)
}

func (p *Plan) splitRandom(rng *rand.Rand) *Split {
	rows := append([]int32(nil), p.Rows...)
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	n := float64(len(rows))
	valid, test := int(p.Table.Shares[0]*n), int(p.Table.Shares[1]*n)
	same := p.copies()
	switch {
	case same == nil && p.Levels != nil:
		return p.splitClasses(rows, valid, test)
	case same == nil:
		return cutAt(rows, len(rows)-valid-test, len(rows)-test)
	}
	var y []float64
	if p.Levels != nil {
		y = p.Targets(rows)
	}
	group, size, class := same.strata(rows, y)
	want := make([][3]float64, max(1, len(p.Levels)))
	for g, rows := range size {
		want[class[g]][1] += float64(valid*rows) / n
		want[class[g]][2] += float64(test*rows) / n
	}
	part := drawGroups(size, class, want, rng)
	var parts [3][]int32
	for i, row := range rows {
		k := part[group[i]]
		parts[k] = append(parts[k], row)
	}
	return &Split{Train: parts[0], Valid: parts[1], Test: parts[2]}
}

// copies is [copiesOf] the plan's features.
func (p *Plan) copies() *copies {
	var features []int
	for i, role := range p.Roles {
		if role == RoleFeature {
			features = append(features, i)
		}
	}
	return copiesOf(p.Table, p.Rows, features, p.TargetColumn)
}

// checkCopies notes how many rows have copies. It returns a [*fault.PlanError] if too few
// rows differ to keep copies together.
func (p *Plan) checkCopies() error {
	same := p.copies()
	if same == nil {
		return nil
	}
	if same.kinds < MinRows {
		return &fault.PlanError{Problem: fault.TooFewRows, File: p.Table.Name, Message: message.Sprintf("only %d rows have different features and the other %d are copies, but new test rows need at least %d; add rows that differ, or use columns that tell them apart", same.kinds, len(p.Rows)-same.kinds, MinRows)}
	}
	_, size, _ := same.strata(p.Rows, nil)
	copied := len(p.Rows)
	for _, n := range size {
		if n == 1 {
			copied--
		}
	}
	p.Notes.Add(note.TopicSplit, nil, "%d of %d rows have the same features as another; every split keeps copies together", copied, len(p.Rows))
	return nil
}

// cutAt cuts rows into three parts at two places.
func cutAt(rows []int32, valid, test int) *Split {
	return &Split{Train: rows[:valid:valid], Valid: rows[valid:test:test], Test: rows[test:]}
}

// column returns the place of the column that rows are split by.
func (p *Plan) column(cut SplitRule) (int, error) {
	for i, c := range p.Table.Columns {
		if c.Name != cut.By {
			continue
		}
		if i == p.TargetColumn {
			return 0, p.splitError(c.Name, "", "rows are split by %s, which is the target; split by another column", c.Name)
		}
		return i, nil
	}
	if cut.By == "" {
		return 0, p.splitError("", "", "rows are split by %s, but no column is named or suggested; name one in by", string(cut.Kind))
	}
	return 0, p.splitError(cut.By, "", "rows are split by %s, which is not in the table; split by another column", cell.Quote(cut.By))
}

// splitGroups draws groups for test and validation. With five groups no part can stay
// empty: three have less than two fifths of the rows, and test and validation never take two
// fifths.
func (p *Plan) splitGroups(by int, rng *rand.Rand) (*Split, error) {
	group, first := p.Table.Columns[by].Classes(p.Rows)
	if err := p.enoughGroups(by, len(first)); err != nil {
		return nil, err
	}
	sizes, rows := make([]int, len(first)), 0
	for _, g := range group {
		if g >= 0 {
			sizes[g]++
			rows++
		}
	}
	fifth := float64(rows) / 5
	part := drawGroups(sizes, make([]int, len(sizes)), [][3]float64{{1: fifth, 2: fifth}}, rng)
	var parts [3][]int32
	for i, g := range group {
		if g >= 0 {
			parts[part[g]] = append(parts[part[g]], p.Rows[i])
		}
	}
	return &Split{Train: parts[0], Valid: parts[1], Test: parts[2]}, nil
}

func (p *Plan) enoughGroups(by, groups int) error {
	if groups >= fewestGroups {
		return nil
	}
	name := p.Table.Columns[by].Name
	return p.splitError(name, "", "%s has %d different %s in usable rows, but a split needs at least %d groups; split by another column or at random", name, groups, message.Either(groups == 1, "value", "values"), fewestGroups)
}

// setSplitRule sets how rows are split and returns the column, −1 for a random split. If the table
// lacks the column of the settings, the split is random, with a note. If the settings name
// none, it is the first suggestion.
//
// The column of a split by group is no feature unless the settings make it one: its values
// in test rows are new.
func (p *Plan) setSplitRule(index map[string]int, explicit []bool) (int, error) {
	s := p.Settings
	p.splitColumn, p.SplitRule = -1, SplitRule{Kind: SplitRandom}
	if i, ok := index[s.By]; ok && s.Split == "" {
		s.Split = SplitGroup
		if guessAll(p.Table).times[i] > 0 || p.Table.Columns[i].Parts != nil {
			s.Split = SplitTime
		}
	}
	if s.Split != SplitTime && s.Split != SplitGroup {
		return -1, nil
	}
	cut := SplitRule{s.Split, s.By}
	if s.By == "" {
		target, ok := index[s.Target]
		if !ok {
			target = -1
		}
		for _, suggested := range suggestions(p.Table, p.Uses, target) {
			if cut.By == "" && suggested.Topic == note.Topic(s.Split) {
				cut.By = suggested.Columns[0]
				p.Notes.Add(note.TopicSplit, suggested.Columns, "rows are split by %s, because %s", cut.By, suggested.Text)
			}
		}
	}
	by, ok := index[cut.By]
	if ok && p.Table.Columns[by].Block != nil {
		p.Notes.Add(note.TopicSetting, nil, "the settings split rows by %q, which stands for many features; they are split at random", cut.By)
		return -1, nil
	}
	if !ok && s.By != "" {
		p.Notes.Add(note.TopicSetting, nil, "the settings split rows by a column %q, which is not in the table; they are split at random", s.By)
		return -1, nil
	}
	if !ok {
		_, err := p.column(cut)
		return -1, err
	}
	p.splitColumn, p.SplitRule = by, cut
	if u := &p.Uses[by]; cut.Kind == SplitGroup && !explicit[by] {
		u.Role, u.Reason = RoleIgnore, "the rows are split by it, and its values in test rows are new"
		explicit[by] = true
		p.Notes.Add(note.TopicRole, []string{u.Column}, "%s is not a feature, because %s; name it categorical or numeric to use it anyway", u.Column, u.Reason)
	}
	return by, nil
}

// checkSplit checks that the rows can be split, and adds a note about the split.
func (p *Plan) checkSplit() error {
	if p.splitColumn < 0 {
		return p.checkCopies()
	}
	c := p.Table.Columns[p.splitColumn]
	if p.SplitRule.Kind == SplitGroup {
		_, first := c.Classes(p.Rows)
		if err := p.enoughGroups(p.splitColumn, len(first)); err != nil {
			return err
		}
		p.Notes.Add(note.TopicSplit, []string{c.Name}, "rows are split by %s: rows with the same value stay together; there are %d values", c.Name, len(first))
		return nil
	}
	s, err := p.split(p.SplitRule, nil)
	if err != nil {
		return err
	}
	p.timeSplit = s
	text := func(row int32) string {
		if v := c.Number(int(row)); c.Numeric() && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return cell.Quote(c.Text(int(row)))
	}
	if p.test != nil {
		p.Notes.Add(note.TopicSplit, []string{c.Name}, "rows are split by %s: rows up to %s train, and the %d later rows validate", c.Name, text(s.Valid[len(s.Valid)-1]), len(s.Test))
		return nil
	}
	train, valid := text(s.Train[len(s.Train)-1]), text(s.Valid[len(s.Valid)-1])
	told := message.Sprintf("rows are split by %s: rows up to %s train, rows up to %s validate, and the %d later rows test", c.Name, train, valid, len(s.Test))
	if train == text(s.Valid[0]) || valid == text(s.Test[0]) {
		told += "; rows of one time are divided in the order of the file, because there are fewer than three times"
	}
	p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Columns: []string{c.Name}, Text: told})
	return nil
}
