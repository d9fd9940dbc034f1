package data

import (
	"ifmlab/core/order"
)

// mostAlternatives is how many other targets a guess names.
const mostAlternatives = 8

// How likely a column is the target: by its name, as [title.target] says, or by
// what it holds.
const (
	twoTexts    = -2 // and no numbers
	anyNumbers  = -1 // those of a code, an identifier, a date or a place too
	freeNumbers = notTarget
)

// guessTarget makes the likeliest of the features the target, the last of those
// alike, and returns its place, −1 if none can be: it holds numbers that vary, or
// two texts. It is sure of one whose name no other comes near, and of the only one
// there is. The column by, which rows are split by, is passed over. O(columns).
func (t *Table) guessTarget(uses []Use, by int) int {
	var places, ranks []int
	for i, c := range t.columns {
		if u := &uses[i]; i == by || u.Role != RoleFeature || !c.canBeTarget(u.Kind) {
			continue
		}
		places, ranks = append(places, i), append(ranks, c.rankTarget(uses[i].Kind))
	}
	if len(places) == 0 {
		return -1
	}
	likeliest := order.Of(len(places), func(a, b int) int {
		if ranks[a] != ranks[b] {
			return ranks[b] - ranks[a]
		}
		return places[b] - places[a]
	})
	first := likeliest[0]
	rank, alone := ranks[first], len(places) == 1 || ranks[likeliest[1]] < ranks[first]
	u := &uses[places[first]]
	u.Role, u.Reason = RoleTarget, targetReason(rank)
	u.Sure = alone && rank >= knownTarget || len(places) == 1
	for _, i := range likeliest[1:min(len(likeliest), 1+mostAlternatives)] {
		u.Alternatives = append(u.Alternatives, uses[places[i]].Column)
	}
	return places[first]
}

func targetReason(rank int) string {
	switch rank {
	case plainTarget, knownTarget:
		return "it is named as targets are"
	case likeTarget:
		return "its name ends as those of targets do"
	case freeNumbers:
		return "it is the last column of numbers that is no code, identifier, date or place"
	case anyNumbers:
		return "it is the last column of numbers"
	}
	return "it is the last column of two values"
}

func (c *column) canBeTarget(kind Kind) bool {
	if c.of != "" || c.block != nil {
		return false // a part of a date, or many features
	}
	if kind == Numeric {
		return c.numbers > 0 && c.min < c.max
	}
	return !c.plain && len(c.entries) == 2
}

func (c *column) rankTarget(kind Kind) int {
	name := titleOf(c.name)
	rank := name.target()
	switch {
	case rank > notTarget:
		return rank
	case kind == Categorical:
		return twoTexts
	case name.identifier(), c.whole() && name.code(), name.date(), name.place():
		return anyNumbers
	}
	return freeNumbers
}
