package roles

import (
	"slices"
	"strings"

	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

const (
	mostClasses = 30 // the largest number of classes of a target
)

// Ranks of columns as targets beside those of [title.Words.Target]: by what the column
// holds.
const (
	twoTexts    = -2 // and no numbers
	anyNumbers  = -1 // those of a code, an identifier, a date or a place too
	freeNumbers = title.NotTarget
)

// guessTarget returns the likeliest target among the features, the last one of equal rank,
// and makes it the target. If no column has numbers that vary, or two texts, it is a column of
// classes. It returns −1 if there is none.
// It is sure if no other name comes near and it has two values or stands first or last of all or of those that can be the target, or if
// there is no other column but row ids. It is not sure if a column of more than two classes is
// likelier. All other columns that can be the target are alternatives, and that column of
// classes, which the reader may mean. The column of the split cannot be the target. O(columns).
func guessTarget(t *table.Table, uses []Use, by int) int {
	var places, ranks []int
	stands := func(i int) bool { return uses[i].Role != RoleIgnore && t.Columns[i].PartOf == "" }
	ids, start, last := 0, 0, len(t.Columns)-1
	for last > 0 && !stands(last) {
		last--
	}
	for start < last && !stands(start) {
		start++
	}
	for i, c := range t.Columns {
		if u := &uses[i]; i == by || u.Role != RoleFeature || !canBeTarget(c, u.Kind) {
			continue
		}
		rank := rankTarget(c, uses[i].Kind)
		if rank == twoTexts && i == last {
			rank = freeNumbers // where targets stand
		}
		if i-start > 1 && strings.EqualFold(c.Name, "y") && strings.EqualFold(t.Columns[i-1].Name, "x") {
			rank = anyNumbers // a coordinate
		}
		if n := guessAll(t).values[i]; c.Unnamed && n >= groupLevels && 2*n <= c.NumberCount && c.Min >= 0 {
			ids++
			rank = anyNumbers
		}
		places, ranks = append(places, i), append(ranks, rank)
	}
	if len(places) == 0 {
		i := classColumn(t, uses, by, twoTexts)
		if i >= 0 {
			uses[i].Role, uses[i].Reason, uses[i].Alternatives = RoleTarget, "no other column can be the target, and it has "+classesOf(t.Columns[i]), nil
		}
		return i
	}
	if n := len(places) - 1; places[n] == last && last == len(t.Columns)-1 && t.Columns[last].Unnamed && ranks[n] == anyNumbers {
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
	if i := slices.IndexFunc(likeliest, func(k int) bool { return places[k] == start && t.Columns[start].IsBinary() }); i > 1 {
		k := likeliest[i]
		likeliest = slices.Insert(slices.Delete(likeliest, i, i+1), 1, k) // where targets stand, too
	}
	at := places[first]
	rank, alone := ranks[first], !slices.ContainsFunc(likeliest[1:], func(k int) bool { return ranks[k] == ranks[first] })
	u := &uses[at]
	u.Role, u.Reason = RoleTarget, targetReason(rank, u.Kind == design.Categorical)
	plain := at == start || at == last || at == places[0] || at == places[len(places)-1] || t.Columns[at].IsBinary()
	u.Sure = alone && rank >= title.KnownTarget && plain || len(places) == 1 || ids > 1 && len(places) == 1+ids && rank > anyNumbers
	u.Alternatives = nil
	if classes := classColumn(t, uses, by, rank); classes >= 0 {
		u.Sure, u.Reason = false, u.Reason+"; "+t.Columns[classes].Name+" has "+classesOf(t.Columns[classes])+" and may be meant"
		u.Alternatives = append(u.Alternatives, t.Columns[classes].Name)
	}
	for _, i := range likeliest[1:] {
		u.Alternatives = append(u.Alternatives, uses[places[i]].Column)
	}
	return places[first]
}

// classColumn returns a column of three or more classes that is likelier meant as the
// target than one of this rank, or −1. It has a target's name, or it is the last feature
// and no name speaks for the other.
func classColumn(t *table.Table, uses []Use, by, rank int) int {
	if rank >= title.KnownTarget {
		return -1
	}
	last := -1
	for i, c := range t.Columns {
		if i == by || uses[i].Role == RoleIgnore || c.PartOf != "" {
			continue
		}
		last = -1
		if n := len(c.Entries); uses[i].Kind != design.Categorical || c.Numeric() || n < 3 || n > mostClasses || levelRows*n > c.TextCount+c.NumberCount {
			continue
		}
		if named := title.Of(c.Name).Target(); named > title.NotTarget && named > rank {
			return i
		}
		last = i
	}
	if rank >= title.LikeTarget {
		return -1
	}
	return last
}

// classesOf returns the number of classes of a column, in words.
func classesOf(c *table.Column) string { return message.Sprintf("%d classes", len(c.Entries)) }

func targetReason(rank int, two bool) string {
	switch rank {
	case title.PlainTarget, title.KnownTarget:
		return "its name looks like a target"
	case title.LikeTarget:
		return "its name ends like a target’s"
	case freeNumbers:
		if two {
			return "it is the last column and has two values"
		}
		return "it is the last column of plain numbers"
	case anyNumbers:
		return "it is the last numeric column"
	}
	return "it is the last column with two values"
}

func canBeTarget(c *table.Column, kind design.Kind) bool {
	if c.PartOf != "" || c.Block != nil {
		return false // a part of a date, or many features
	}
	if kind == design.Numeric {
		return c.NumberCount > 0 && c.Min < c.Max
	}
	return c.IsBinary()
}

func rankTarget(c *table.Column, kind design.Kind) int {
	name := title.Of(c.Name)
	rank := name.Target()
	if rank < title.KnownTarget && c.IsBinary() && name.Holds(outcomes) {
		rank = title.KnownTarget
	}
	switch {
	case rank > title.NotTarget:
		return rank
	case kind == design.Categorical:
		return twoTexts
	case name.Identifier(), name.Entity(), c.IsWhole() && name.Code(), name.Date(), name.Place():
		return anyNumbers
	}
	return freeNumbers
}
