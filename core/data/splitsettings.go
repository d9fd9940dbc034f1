package data

import (
	"math"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// settleCut settles how rows are split, and returns the place of the column, −1 at
// random. A column that the table does not have is passed over with a notice, and
// the rows are split at random; where none is named, the one that suggests itself
// is taken.
//
// The column of a split by group is no feature, unless the settings give it a
// kind: what training rows tell of their groups says nothing of others.
func (p *Plan) settleCut(index map[string]int, said []bool) (int, error) {
	s := p.settings
	p.by, p.target, p.Cut = -1, -1, Cut{Kind: SplitRandom}
	if s.Split != SplitTime && s.Split != SplitGroup {
		return -1, nil
	}
	cut := Cut{s.Split, s.By}
	if s.By == "" {
		target, ok := index[s.Target]
		if !ok {
			target = -1
		}
		for _, suggested := range p.Table.suggestions(p.Uses, target) {
			if cut.By == "" && suggested.Split == s.Split {
				cut.By = suggested.By
				p.Notes.Add(note.TopicSplit, []string{suggested.By}, "rows are split by %s, because %s", suggested.By, suggested.Reason)
			}
		}
	}
	by, ok := index[cut.By]
	if ok && p.Table.columns[by].block != nil {
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
	c := p.Table.columns[p.by]
	if p.Cut.Kind == SplitGroup {
		_, first := c.classes(p.Rows)
		if err := p.enoughGroups(p.by, len(first)); err != nil {
			return err
		}
		p.Notes.Add(note.TopicSplit, []string{c.name}, "rows are split by %s: all of one value train, validate or test; there are %d values", c.name, len(first))
		return nil
	}
	s, err := p.SplitBy(p.Cut, nil)
	if err != nil {
		return err
	}
	p.timed = s
	text := func(row int32) string {
		if v := c.number(int(row)); c.numeric() && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return cell.Quote(c.text(int(row)))
	}
	train, valid := text(s.Train[len(s.Train)-1]), text(s.Valid[len(s.Valid)-1])
	told := message.Sprintf("rows are split by %s: those up to %s train, those up to %s validate, and the %d after them test", c.name, train, valid, len(s.Test))
	if train == text(s.Valid[0]) || valid == text(s.Test[0]) {
		told += "; rows of one time are divided in the order of the file, because there are fewer than three times"
	}
	p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Columns: []string{c.name}, Text: told})
	return nil
}
