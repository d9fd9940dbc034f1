package data

import (
	"math"
	"math/bits"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/moment"
)

// Use says what a column is taken for, and why. The settings overrule each:
// Target, Ignore, Categorical and Numeric name columns.
type Use struct {
	Column string
	Role   Role
	Kind   Kind
	Reason string // what was seen or said, as it stands behind "because"
	// Sure is false for a target that may well be another, or would be if the settings did
	// not name it: it is a question then, and Alternatives are the other answers, the
	// likeliest first.
	Sure         bool
	Alternatives []string
	// Chosen is the kind that validation rows have chosen, and Judged why, where they were
	// asked; the settings may repeat it or overrule it.
	Chosen Kind
	Judged string
}

// What the guesses go by. TestRolesOfRealTablesAreThoseAReaderWouldGive holds them to
// real tables.
const (
	earliestYear, latestYear = 1500, 2200 // that whole numbers rising by one are taken for

	fewestShuffled = 1000 // whole numbers that number the rows in any order
	allShare       = .995 // of them that differ, as far as that is counted
	fewestNamed    = 21   // different numbers that an identifier of the rows has at least
	namedShare     = .98  // of its cells differ
	fewestLevels   = 3    // of a code
	mostLevels     = 50   // the same
	levelRows      = 5    // of each level of a code on average; and of a level that counts by itself
	groupLevels    = 20   // that an identifier has at least to split by
	mostTextShare  = .5   // of different texts, beyond which they name the rows
)

// guesses is what a table's columns say of themselves.
type guesses struct {
	uses   []Use // a column each, as guess returns it
	times  []int // a column each, as countTimes returns it
	values []int // a column each, as countValues returns it
}

// guess returns what the columns say of themselves, which no settings change: it is
// looked at once.
func (t *Table) guess() *guesses {
	return t.Memo("guesses", func() any {
		g := &guesses{}
		for _, c := range t.columns {
			g.uses = append(g.uses, c.guess())
			g.times = append(g.times, c.countTimes())
			g.values = append(g.values, c.countValues())
		}
		return g
	}).(*guesses)
}

// guess returns what a column is taken for by its name and its cells alone,
// RoleFeature or RoleIgnore, of the numbers whose name says that they are levels
// with the kind Categorical. Ignored are columns that cannot teach: without cells,
// constant ones, whole numbers that count the rows or name them, and text that
// does. It costs O(distinct cells), and O(rows) for whole numbers.
func (c *column) guess() Use {
	if c.block != nil {
		return c.guessBlock()
	}
	u := Use{Column: c.name, Role: RoleFeature, Kind: Categorical, Sure: true}
	cells := c.numbers + c.texts
	if c.numeric() {
		u.Kind = Numeric
	}
	switch {
	case cells == 0:
		u.Role, u.Reason = RoleIgnore, "it has no value"
	case c.parts != nil:
		u.Role, u.Reason = RoleIgnore, "its parts stand for its dates"
	case c.of != "":
		u.Reason = message.Sprintf("it is a part of %s", c.of)
	case c.constant() && c.missing == 0:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it is %s in every row", cell.Clip(c.firstText()))
	case u.Kind == Numeric:
		c.guessNumbers(&u, cells)
	default:
		c.guessTexts(&u, cells)
	}
	return u
}

// constant reports whether all cells that are not missing are the same.
func (c *column) constant() bool {
	if c.texts == 0 && !c.code {
		return c.numbers == 0 || c.min == c.max
	}
	return !c.plain && len(c.entries) == 1
}

// firstText returns the first cell that is not missing.
func (c *column) firstText() string {
	for row := 0; row < c.numbers+c.texts+c.missing; row++ {
		if !c.isMissing(row) {
			return c.text(row)
		}
	}
	return ""
}

func (c *column) guessTexts(u *Use, cells int) {
	n := len(c.entries)
	u.Reason = message.Sprintf("it holds %d different texts", n)
	if cells <= 2 || float64(n) <= mostTextShare*float64(cells) {
		return
	}
	u.Role = RoleIgnore
	u.Reason = message.Sprintf("it holds another text in %.0f %% of its cells", 100*float64(n)/float64(cells))
	repeated := 0
	for _, e := range c.entries {
		if e.count >= levelRows {
			repeated++
		}
	}
	if repeated > 0 {
		u.Reason += message.Sprintf("; used, the texts seen %d times or more, of which there are %d, would be levels, and all others one", levelRows, repeated)
	}
}

func (c *column) guessNumbers(u *Use, cells int) {
	u.Reason = "it holds numbers"
	if !c.whole() {
		return
	}
	name := titleOf(c.name)
	names := name.identifier() || name.entity() && cells >= fewestShuffled
	n, exact := c.differ(names || cells >= fewestShuffled)
	share := float64(n) / float64(cells)
	switch by := c.steps(); {
	case by != 0 && c.isPeriod(name):
	case by != 0:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it counts the rows: each cell is one %s than the last", either(by > 0, "more", "less"))
	case by == 0 && cells >= fewestShuffled && share >= allShare && !c.isPeriod(name) && !name.place() && name.target() == notTarget && c.uniform():
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it numbers the rows: its whole numbers from %s to %s differ and lie evenly", cell.FormatNumber(c.min), cell.FormatNumber(c.max))
	case names && n >= fewestNamed && share >= namedShare:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it is named as an identifier and %.0f %% of its cells differ, so it names the rows", 100*share)
	case names && n >= fewestLevels && share <= .5:
		u.Kind = Categorical
		u.Reason = message.Sprintf("it is named as an identifier and holds %s%d different whole numbers, each in %.0f rows on average", either(exact, "", "about "), n, 1/share)
	case name.code() && fewestLevels <= n && n <= mostLevels && cells >= levelRows*n:
		u.Kind = Categorical
		u.Reason = message.Sprintf("it is named as a code and holds %d different whole numbers", n)
	}
}

// isPeriod reports whether a column that numbers its rows says when they were, as the
// years of a yearly table do: it is named as a time and not as the id of one, or it holds
// what can only be years and is named as no identifier.
func (c *column) isPeriod(name title) bool {
	if name.date() || name.clock() || name.period() {
		return !name.names()
	}
	return earliestYear <= c.min && c.max <= latestYear && !name.identifier()
}

// mostlyDiffers reports whether most numbers stand in one row alone.
func (c *column) mostlyDiffers() bool {
	n, _ := c.differ(true)
	return 2*n > c.numbers
}

// moments returns those of the numbers. O(entries).
func (c *column) moments() moment.Accumulator {
	m := c.sums
	for _, e := range c.entries {
		if !c.plain && e.number == e.number {
			m.AddCount(e.number, e.count)
		}
	}
	return m
}

// uniform reports whether numbers have the moments of evenly spread ones, κ = 0 and
// φ = 1.8, as identifiers that are drawn or counted have and amounts hardly ever.
func (c *column) uniform() bool {
	m := c.moments()
	return math.Abs(m.Kappa()) < .15 && math.Abs(m.Phi()-1.8) < .15
}

// whole reports whether all numbers are whole and small enough to tell apart.
func (c *column) whole() bool {
	whole := func(v float64) bool { return v == math.Trunc(v) || v != v }
	if max(c.max, -c.min) >= 1<<53 {
		return false
	}
	if !c.plain {
		for _, e := range c.entries {
			if !whole(e.number) {
				return false
			}
		}
		return true
	}
	for _, block := range c.values {
		for _, v := range block {
			if !whole(v) {
				return false
			}
		}
	}
	return true
}

// steps returns 1 if each cell is a whole number, one more than the last, −1 if
// one less, and 0 for other columns and fewer than three cells. O(1) unless the
// column is one less, almost always.
func (c *column) steps() float64 {
	switch {
	case c.numbers <= 2 || c.missing+c.texts > 0:
		return 0
	case c.rising:
		return 1
	case c.max-c.min != float64(c.numbers-1):
		return 0
	}
	for row := range c.numbers {
		if c.number(row) != c.max-float64(row) {
			return 0
		}
	}
	return -1
}

// differ returns how many different numbers a column of whole numbers holds. For
// a column kept as numbers it counts only where it is asked to, and returns at
// least so many else; exact says whether none are taken for one another: of
// numbers spread widely a few may be, about one in a thousand. O(rows) of time and
// 2 bytes a row.
func (c *column) differ(count bool) (n int, exact bool) {
	if !c.plain {
		return distinctNumbers(c.entries), true
	}
	if !count {
		return c.distinct, false
	}
	shift := 64 - bits.Len(uint(16*c.numbers))
	marks := make([]uint64, 1<<(64-shift)>>6)
	exact = c.max-c.min < float64(64*len(marks))
	for _, block := range c.values {
		for _, v := range block {
			if v != v {
				continue
			}
			at := uint64(v - c.min)
			if !exact {
				at = at * 0x9e3779b97f4a7c15 >> shift
			}
			marks[at>>6] |= 1 << (at & 63)
		}
	}
	for _, m := range marks {
		n += bits.OnesCount64(m)
	}
	if !exact { // marks that were hit twice, by linear counting
		all := float64(64 * len(marks))
		n = int(math.Round(-all * math.Log1p(-float64(n)/all)))
	}
	return min(n, c.numbers), exact
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
