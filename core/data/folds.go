package data

import "math/rand/v2"

// Whole returns s with its validation rows among those that train: what is trained on
// once folds have chosen.
func (s *Split) Whole() *Split {
	train := append(append(make([]int32, 0, len(s.Train)+len(s.Valid)), s.Train...), s.Valid...)
	return &Split{Train: train, Test: s.Test}
}

// CrossValidation cuts the training and validation rows of s, which [Plan.Split]
// returned, into folds parts. Fold f is a split without test rows, whose validation rows
// are part f. [Plan.Folds] draws the parts, and all others train, unless p splits by
// time: then it chains forward. Of folds+1 stretches of time, as near to the same size
// as rows of one time allow, stretch f+1 validates and all before it train, so that no
// model has seen what came later; nothing is drawn.
//
// No part is empty. CrossValidation returns a [*SplitError] for fewer than two rows a
// part, fewer groups than parts, and fewer times than stretches. It costs what
// [Plan.Folds] does, and O(rows·folds).
func (p *Plan) CrossValidation(s *Split, folds int, rng *rand.Rand) ([]*Split, error) {
	rows := s.Whole().Train
	if len(rows) < 2*folds {
		return nil, p.cannot("", "", "%d rows train and validate, want at least %d for %d folds; take fewer folds", len(rows), 2*folds, folds)
	}
	if p.Cut.Kind == SplitTime {
		return p.stretches(rows, folds)
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
		if len(all[f].Valid) == 0 {
			return nil, p.cannot(p.Cut.By, "", "%s holds %d different values in the rows that train and validate, want at least %d, one a fold; take fewer folds", p.Cut.By, f, folds)
		}
	}
	return all, nil
}

// stretches cuts rows, which are in the order of time, where a time ends.
func (p *Plan) stretches(rows []int32, folds int) ([]*Split, error) {
	c := p.Table.columns[p.by]
	var ends []int // of the times
	at, nanos := c.moment(int(rows[0]))
	for i := range rows {
		now, nowNanos := at, nanos
		if i+1 < len(rows) {
			if at, nanos = c.moment(int(rows[i+1])); at == now && nanos == nowNanos {
				continue
			}
		}
		ends = append(ends, i+1)
	}
	if len(ends) <= folds {
		return nil, p.cannot(c.name, "", "%s holds %d times in the rows that train and validate, want at least %d, one more than folds; take fewer folds", c.name, len(ends), folds+1)
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
