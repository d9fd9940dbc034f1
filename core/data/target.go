package data

import (
	"ifmlab/core/message"
	"ifmlab/core/order"
)

const (
	mostAlternatives = 8  // other targets that a guess names
	mostClasses      = 30 // different texts of a column that may be meant as the target
)

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
// there is, ids of rows without a header left out. It is sure of none where a column of
// more than two classes is the likelier target. The column by, which rows are split by,
// is passed over. O(columns).
func (t *Table) guessTarget(uses []Use, by int) int {
	var places, ranks []int
	ids, last := 0, len(t.columns)-1
	for last > 0 && (uses[last].Role == RoleIgnore || t.columns[last].of != "") {
		last--
	}
	for i, c := range t.columns {
		if u := &uses[i]; i == by || u.Role != RoleFeature || !c.canBeTarget(u.Kind) {
			continue
		}
		rank := c.rankTarget(uses[i].Kind)
		if rank == twoTexts && i == last {
			rank = freeNumbers // where targets stand
		}
		if n := t.guess().values[i]; c.unnamed && n >= groupLevels && 2*n <= c.numbers && c.min >= 0 {
			ids++
			rank = anyNumbers
		}
		places, ranks = append(places, i), append(ranks, rank)
	}
	if len(places) == 0 {
		return -1
	}
	if n := len(places) - 1; places[n] == last && last == len(t.columns)-1 && t.columns[last].unnamed && ranks[n] == anyNumbers {
		ranks[n] = freeNumbers
		ids--
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
	u.Role, u.Reason = RoleTarget, targetReason(rank, u.Kind == Categorical)
	u.Sure = alone && rank >= knownTarget || len(places) == 1 || ids > 1 && len(places) == 1+ids && rank > anyNumbers
	if classes := t.classColumn(uses, by, rank); classes >= 0 {
		u.Sure, u.Reason = false, u.Reason+"; "+tooManyClasses(t.columns[classes].name, len(t.columns[classes].entries))
	}
	u.Alternatives = nil
	for _, i := range likeliest[1:min(len(likeliest), 1+mostAlternatives)] {
		u.Alternatives = append(u.Alternatives, uses[places[i]].Column)
	}
	return places[first]
}

// classColumn returns the column of three classes or more that is likelier the target
// than one of this rank, −1 if there is none: it is named as a target, or it is the last
// feature of the table where no name speaks for the other.
func (t *Table) classColumn(uses []Use, by, rank int) int {
	if rank >= knownTarget {
		return -1
	}
	last := -1
	for i, c := range t.columns {
		if i == by || uses[i].Role == RoleIgnore || c.of != "" {
			continue
		}
		last = -1
		if n := len(c.entries); uses[i].Kind != Categorical || c.numeric() || n < 3 || n > mostClasses || levelRows*n > c.texts+c.numbers {
			continue
		}
		if named := titleOf(c.name).target(); named > notTarget && named > rank {
			return i
		}
		last = i
	}
	if rank >= likeTarget {
		return -1
	}
	return last
}

// tooManyClasses says that a column of so many texts cannot be learned.
func tooManyClasses(name string, n int) string {
	return message.Sprintf("%s has %d %s; numbers and two classes can be learned", name, n, either(n <= mostClasses, "classes", "different texts"))
}

func targetReason(rank int, two bool) string {
	switch rank {
	case plainTarget, knownTarget:
		return "it is named as targets are"
	case likeTarget:
		return "its name ends as those of targets do"
	case freeNumbers:
		if two {
			return "it is the last column and has two values"
		}
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
	return c.two()
}

// two reports whether the column holds two different values.
func (c *column) two() bool { return !c.plain && len(c.entries) == 2 }

func (c *column) rankTarget(kind Kind) int {
	name := titleOf(c.name)
	rank := name.target()
	if rank < knownTarget && c.two() && name.holds(outcomes) {
		rank = knownTarget
	}
	switch {
	case rank > notTarget:
		return rank
	case kind == Categorical:
		return twoTexts
	case name.identifier(), name.entity(), c.whole() && name.code(), name.date(), name.place():
		return anyNumbers
	}
	return freeNumbers
}
