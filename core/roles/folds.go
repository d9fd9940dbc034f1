package roles

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// CrossValidation returns folds splits of the training and validation rows of s, without
// test rows. [Plan.Folds] draws the folds. Split f validates on fold f and trains on the
// others.
//
// If p splits by time, validation chains forward, and nothing is drawn. Time is cut into
// folds+1 stretches of about equal size. Split f validates on stretch f+1 and trains on all
// earlier ones, so that no model has seen the future.
//
// No part is empty. CrossValidation returns a [*fault.PlanError] for fewer than two rows a
// fold, fewer groups than folds, fewer times than stretches, and a fold that trains on rows of
// one target. It costs O(rows·folds) beside [Plan.Folds].
func (p *Plan) CrossValidation(s *Split, folds int, rng *rand.Rand) ([]*Split, error) {
	rows := s.MergeValidation().Train
	if len(rows) < 2*folds {
		return nil, p.splitError("", "", "%d training and validation rows, but at least %d are needed for %d folds; use fewer folds", len(rows), 2*folds, folds)
	}
	if p.SplitRule.Kind == SplitTime {
		all, err := p.stretches(rows, folds)
		if err != nil {
			return nil, err
		}
		return all, p.checkFolds(all)
	}
	part, all := p.Folds(rows, folds, rng), make([]*Split, folds)
	for f := range all {
		all[f] = &Split{}
		for i, row := range rows {
			if part[i] == f {
				all[f].Valid = append(all[f].Valid, row)
			} else {
				all[f].Train = append(all[f].Train, row)
			}
		}
		if len(all[f].Valid) == 0 && p.SplitRule.Kind != SplitGroup {
			return nil, p.splitError("", "", "only %d training and validation rows differ, the others are copies, but %d are needed, one per fold; use fewer folds", f, folds)
		}
		if len(all[f].Valid) == 0 {
			return nil, p.splitError(p.SplitRule.By, "", "%s has %d different values in training and validation rows, but %d are needed, one per fold; use fewer folds", p.SplitRule.By, f, folds)
		}
	}
	return all, p.checkFolds(all)
}

// checkFolds returns a [*fault.PlanError] if the rows that one of the folds trains on have the
// same target, from which nothing can be learnt. Of a class with one row that is so for the
// fold that validates it, whatever the seed.
func (p *Plan) checkFolds(all []*Split) error {
	for f, s := range all {
		y := p.Targets(s.Train)
		if slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
			continue
		}
		value := p.Table.Columns[p.TargetColumn].Text(int(s.Train[0]))
		err := p.splitError(p.Target, value, "%s is %s in all %d rows that fold %d of %d trains on; leave out cross-validation (folds=0)%s, or add rows whose %s is not %s",
			p.Target, value, len(y), f+1, len(all), message.Either(p.SplitRule.Kind == SplitRandom, "", ", split rows at random"), p.Target, value)
		err.Problem = fault.Target
		return err
	}
	return nil
}

// stretches cuts rows in order of time, so that rows of one time stay together.
func (p *Plan) stretches(rows []int32, folds int) ([]*Split, error) {
	c := p.Table.Columns[p.splitColumn]
	var ends []int // of the times
	at, nanos := c.Moment(int(rows[0]))
	for i := range rows {
		now, nowNanos := at, nanos
		if i+1 < len(rows) {
			if at, nanos = c.Moment(int(rows[i+1])); at == now && nanos == nowNanos {
				continue
			}
		}
		ends = append(ends, i+1)
	}
	if len(ends) <= folds {
		return nil, p.splitError(c.Name, "", "%s has %d times in training and validation rows, but %d are needed, one more than folds; use fewer folds", c.Name, len(ends), folds+1)
	}
	cuts := make([]int, folds+2)
	for k := 1; k <= folds+1; k++ {
		for ends[0] <= cuts[k-1] {
			ends = ends[1:]
		}
		left := folds + 1 - k // stretches behind it, each of which needs a time
		cuts[k] = nearest(ends[:len(ends)-left], k*len(rows)/(folds+1))
	}
	all := make([]*Split, folds)
	for f := range all {
		all[f] = &Split{Train: rows[:cuts[f+1]:cuts[f+1]], Valid: rows[cuts[f+1]:cuts[f+2]:cuts[f+2]]}
	}
	return all, nil
}

// Folds draws k folds of about equal size and returns the fold of each row. If models learn
// classes, the folds have equally many rows of each class, to within one. If p splits by
// groups, the rows of a group are in one fold: the largest group that is left goes to the
// smallest fold. Copies are a group in a split at random; then folds have about equally many
// rows of each class. With fewer than k groups, some folds stay empty. O(rows), and
// O(groups·(log² groups + k)).
func (p *Plan) Folds(rows []int32, k int, rng *rand.Rand) (fold []int) {
	fold = make([]int, len(rows))
	same := p.copies()
	if p.SplitRule.Kind != SplitGroup && same == nil {
		turn := rng.Perm(len(rows))
		if p.Classes() != nil { // those of one class first
			y := p.Targets(rows)
			order.Sort(turn, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
		}
		for at, i := range turn {
			fold[i] = at % k
		}
		return fold
	}
	var sizes, class []int
	var group []int32
	if p.SplitRule.Kind != SplitGroup {
		var y []float64
		if p.Classes() != nil {
			y = p.Targets(rows)
		}
		group, sizes, class = same.strata(rows, y)
	} else {
		by, err := p.column(p.SplitRule)
		if err != nil {
			panic(err) // that it can be done was seen when the plan was made
		}
		var first []int32
		group, first = p.Table.Columns[by].Classes(rows)
		sizes, class = make([]int, len(first)), make([]int, len(first))
		for _, g := range group {
			sizes[g]++
		}
	}
	turn, of := rng.Perm(len(sizes)), make([]int, len(sizes))
	order.Sort(turn, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	full, all := map[int][]int{}, make([]int, k)
	for _, g := range turn {
		if full[class[g]] == nil {
			full[class[g]] = make([]int, k)
		}
		least, full := 0, full[class[g]]
		for i, size := range full {
			if cmp.Or(cmp.Compare(size, full[least]), cmp.Compare(all[i], all[least])) < 0 {
				least = i
			}
		}
		of[g] = least
		full[least] += sizes[g]
		all[least] += sizes[g]
	}
	for i, g := range group {
		fold[i] = of[g]
	}
	return fold
}
