package roles

import (
	"math"
	"math/rand/v2"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// SplitKind is how rows come into training, validation and test rows.
type SplitKind string

// The kinds of a split.
const (
	SplitRandom SplitKind = "random" // each by itself
	SplitTime   SplitKind = "time"   // the last fifth tests, the fifth before validates
	SplitGroup  SplitKind = "group"  // all rows of one value are in one part
)

// Cut says how rows are split.
type Cut struct {
	Kind SplitKind
	By   string // the column, unless at random
}

// fewestGroups is how many a split by group needs: a fifth each.
const fewestGroups = 5

// Split lists the rows of each part: as they were drawn, in the order of time, or
// of groups in that of the file.
type Split struct{ Train, Valid, Test []int32 }

// Rows returns the number of rows of all parts.
func (s *Split) Rows() int { return len(s.Train) + len(s.Valid) + len(s.Test) }

// Split returns three parts of the rows by the plan's own cut, as SplitBy does; that
// it can be done was seen when the plan was made.
func (p *Plan) Split(rng *rand.Rand) *Split {
	s, err := p.SplitBy(p.Cut, rng)
	if err != nil {
		panic(err)
	}
	return s
}

// SplitBy returns three parts of the rows that are used. None is empty, unless a
// program asked for it.
//
// SplitRandom draws a fifth each, rounded down, to validation and test, the rest
// to training; of a target of two values, with the same share of both in each part; or
// takes the parts of [table.Numbers]. SplitTime sorts the rows by a column of numbers, or of dates,
// by their instants in UTC, and takes a fifth each from the end, or what is nearest to it, as
// rows of one time stay together, unless there are fewer than three times; it
// draws nothing. SplitGroup draws the values of a column to test and validation
// until both are near a fifth. Rows that miss the column's cell are in no part.
//
// Any cut may be asked for, whatever the plan's own. SplitBy returns a
// [*fault.PlanError] if the column is not there, is the target, is no time, or holds
// fewer than five groups. O(rows), and O(values·log² values) for SplitTime.
func (p *Plan) SplitBy(cut Cut, rng *rand.Rand) (*Split, error) {
	switch {
	case cut.Kind != SplitTime && cut.Kind != SplitGroup:
		return p.splitRandom(rng), nil
	case p.timed != nil && cut == p.Cut:
		return p.timed, nil
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
	if p.Levels != nil {
		return p.splitClasses(rows, valid, test)
	}
	return cutAt(rows, len(rows)-valid-test, len(rows)-test)
}

// cutAt returns rows as three parts, the second and the third from these places on.
func cutAt(rows []int32, valid, test int) *Split {
	return &Split{Train: rows[:valid:valid], Valid: rows[valid:test:test], Test: rows[test:]}
}

// column returns the place of the column that rows are split by.
func (p *Plan) column(cut Cut) (int, error) {
	for i, c := range p.Table.Columns {
		if c.Name != cut.By {
			continue
		}
		if i == p.TargetColumn {
			return 0, p.cannot(c.Name, "", "rows are split by %s, which is the target; split by another column", c.Name)
		}
		return i, nil
	}
	if cut.By == "" {
		return 0, p.cannot("", "", "rows are split by %s and no column for it is named or suggests itself; name one in by", string(cut.Kind))
	}
	return 0, p.cannot(cut.By, "", "rows are split by %s, which the table does not have; split by another column", cell.Quote(cut.By))
}

// splitGroups draws groups. Each goes to the smaller of test and validation, else
// to the other, if that brings it nearer to a fifth, else to training. Of five
// groups three are below two fifths, so that neither stays empty, and none takes
// two fifths, so that training does not.
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
	turn := rng.Perm(len(first))
	fifth := float64(rows) / 5
	part, size := make([]int, len(first)), [3]int{} // 0 trains, 1 validates, 2 tests
	for _, g := range turn {
		least, most := 2, 1
		if size[1] < size[2] {
			least, most = 1, 2
		}
		for _, k := range [...]int{least, most, 0} {
			now, then := float64(size[k])-fifth, float64(size[k]+sizes[g])-fifth
			if k == 0 || math.Abs(then) < math.Abs(now) {
				part[g] = k
				size[k] += sizes[g]
				break
			}
		}
	}
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
	return p.cannot(name, "", "%s holds %d different values in the rows that can be used, want at least %d groups to split by; split by another column, or at random", name, groups, fewestGroups)
}

// settleCut settles how rows are split, and returns the place of the column, −1 at
// random. A column that the table does not have is passed over with a notice, and
// the rows are split at random; where none is named, the one that suggests itself
// is taken.
//
// The column of a split by group is no feature, unless the settings give it a
// kind: what training rows tell of their groups says nothing of others.
func (p *Plan) settleCut(index map[string]int, said []bool) (int, error) {
	s := p.Settings
	p.by, p.TargetColumn, p.Cut = -1, -1, Cut{Kind: SplitRandom}
	if s.Split != SplitTime && s.Split != SplitGroup {
		return -1, nil
	}
	cut := Cut{s.Split, s.By}
	if s.By == "" {
		target, ok := index[s.Target]
		if !ok {
			target = -1
		}
		for _, suggested := range suggestions(p.Table, p.Uses, target) {
			if cut.By == "" && suggested.Split == s.Split {
				cut.By = suggested.By
				p.Notes.Add(note.TopicSplit, []string{suggested.By}, "rows are split by %s, because %s", suggested.By, suggested.Reason)
			}
		}
	}
	by, ok := index[cut.By]
	if ok && p.Table.Columns[by].Block != nil {
		p.Notes.Add(note.TopicSetting, nil, "the settings split rows by %q, which stands for many features; they are split at random", cut.By)
		p.Cut = Cut{Kind: SplitRandom}
		return -1, nil
	}
	if !ok && s.By != "" {
		p.Notes.Add(note.TopicSetting, nil, "the settings split rows by a column %q, which the table does not have; they are split at random", s.By)
		return -1, nil
	}
	if !ok {
		_, err := p.column(cut)
		return -1, err
	}
	p.by, p.Cut = by, cut
	if u := &p.Uses[by]; cut.Kind == SplitGroup && !said[by] {
		u.Role, u.Reason = RoleIgnore, "the rows are split by it, and its values in test rows are new"
		said[by] = true
		p.Notes.Add(note.TopicRole, []string{u.Column}, "%s is no feature, because %s; name it categorical or numeric to use it all the same", u.Column, u.Reason)
	}
	return by, nil
}

// divide checks that the rows that are used can be split, and tells how they are.
func (p *Plan) divide() error {
	if p.by < 0 {
		return nil
	}
	c := p.Table.Columns[p.by]
	if p.Cut.Kind == SplitGroup {
		_, first := c.Classes(p.Rows)
		if err := p.enoughGroups(p.by, len(first)); err != nil {
			return err
		}
		p.Notes.Add(note.TopicSplit, []string{c.Name}, "rows are split by %s: all of one value train, validate or test; there are %d values", c.Name, len(first))
		return nil
	}
	s, err := p.SplitBy(p.Cut, nil)
	if err != nil {
		return err
	}
	p.timed = s
	text := func(row int32) string {
		if v := c.Number(int(row)); c.Numeric() && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return cell.Quote(c.Text(int(row)))
	}
	train, valid := text(s.Train[len(s.Train)-1]), text(s.Valid[len(s.Valid)-1])
	told := message.Sprintf("rows are split by %s: those up to %s train, those up to %s validate, and the %d after them test", c.Name, train, valid, len(s.Test))
	if train == text(s.Valid[0]) || valid == text(s.Test[0]) {
		told += "; rows of one time are divided in the order of the file, because there are fewer than three times"
	}
	p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Columns: []string{c.Name}, Text: told})
	return nil
}
