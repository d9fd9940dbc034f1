package roles

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// guessBlock is guess for a block.
func guessBlock(c *table.Column) Use {
	return Use{Column: c.Name, Role: RoleFeature, Kind: design.Sparse, Sure: true,
		Reason: message.Sprintf("it has %d features, of which %.3g per row are not 0", len(c.Block.Numbers), c.Block.PerRow())}
}

// Role is what a column is for.
type Role string

// The roles of a column.
const (
	RoleTarget  Role = "target"
	RoleFeature Role = "feature"
	RoleIgnore  Role = "ignore"
	RoleWeight  Role = "weight" // it says how much each row counts
)

// Use says what a column is taken for, and why. The settings overrule each:
// Target, Ignore, Categorical and Numeric name columns.
type Use struct {
	Column string
	Role   Role
	Kind   design.Kind
	Reason string // what was seen or said, as it stands behind "because"
	// Sure is false for a target that may well be another, or would be if the settings did
	// not name it: it is a question then, and Alternatives are the other answers, the
	// likeliest first.
	Sure         bool
	Alternatives []string
	// Chosen is the kind that validation rows have chosen, and Judged why, where they were
	// asked; the settings may repeat it or overrule it.
	ChoiceKind   design.Kind
	ChoiceReason string
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
	denseShare     = .9   // of the whole numbers from the least to the largest that are used, as things are numbered
	fewestLong     = 1e5  // numbers of equal length from here on are those of accounts and phones
	groupLevels    = 20   // that an identifier has at least to split by
	mostTextShare  = .5   // of different texts, beyond which they name the rows
)

// guesses are the guessed uses of all columns of a table.
type guesses struct {
	uses   []Use  // a column each, as guess returns it
	times  []int  // a column each, as countTimes returns it
	values []int  // a column each, as countValues returns it
	groups []bool // a column each: whether its values group rows, as groupsRows reports
}

// guessAll returns what the columns say of themselves, which no settings change: it is
// looked at once.
func guessAll(t *table.Table) *guesses {
	if t.Training != nil {
		return guessAll(t.Training)
	}
	return t.Memo("guesses", func() any {
		g := &guesses{}
		for i, c := range t.Columns {
			g.uses = append(g.uses, guess(c, c.Unnamed && (t.Header || i == 0)))
			g.times = append(g.times, countTimes(c))
			g.values = append(g.values, countValues(c))
		}
		for i := range t.Columns {
			g.groups = append(g.groups, groupsRows(t, i, g))
		}
		return g
	}).(*guesses)
}

// guess returns what a column is taken for by its name and its cells alone,
// RoleFeature or RoleIgnore, of the numbers whose name says that they are levels
// with the kind Categorical. Ignored are columns that cannot teach: without cells,
// constant ones, whole numbers that count the rows or name them, and text that
// does. An unnamed column may be a saved index. It costs O(distinct cells), and O(rows) for
// whole numbers.
func guess(c *table.Column, unnamed bool) Use {
	if c.Block != nil {
		return guessBlock(c)
	}
	u := Use{Column: c.Name, Role: RoleFeature, Kind: design.Categorical, Sure: true}
	cells := c.NumberCount + c.TextCount
	if c.Numeric() {
		u.Kind = design.Numeric
	}
	switch {
	case cells == 0:
		u.Role, u.Reason = RoleIgnore, "it has no value"
	case c.Parts != nil:
		u.Role, u.Reason = RoleIgnore, "its parts replace it"
	case c.PartOf != "":
		u.Reason = message.Sprintf("it is a part of %s", c.PartOf)
	case c.IsConstant() && c.MissingCount == 0:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it is %s in every row", cell.Clip(c.FirstText()))
	case u.Kind == design.Numeric:
		guessNumbers(c, &u, cells, unnamed)
	default:
		guessTexts(c, &u, cells)
	}
	return u
}

func guessTexts(c *table.Column, u *Use, cells int) {
	n := len(c.Entries)
	if c.PlainNumbers { // beside texts
		different, _ := c.CountDistinct(true)
		if c.HasFractions() {
			different = c.NumberCount
		}
		n += different
	}
	u.Reason = message.Sprintf("it has %d %s", n, message.Either(n == 1, "text", "different texts"))
	if cells <= 2 || float64(n) <= mostTextShare*float64(cells) {
		return
	}
	u.Role = RoleIgnore
	if odd := slices.IndexFunc(c.Entries, func(e table.Entry) bool { return e.Count > 0 && e.Number != e.Number }); odd >= 0 && 2*c.NumberCount >= cells {
		u.Reason = message.Sprintf("%d of its %d cells are numbers, but not %s", c.NumberCount, cells, cell.Quote(c.Entries[odd].Text))
		return
	}
	u.Reason = message.Sprintf("it has %d different texts in %d cells", n, cells)
	repeated := 0
	for _, e := range c.Entries {
		if e.Count >= levelRows {
			repeated++
		}
	}
	if repeated > 0 {
		u.Reason += message.Sprintf("; if it is used, %d of them, seen at least %d times, become categories, and all others share one", repeated, levelRows)
	}
}

func guessNumbers(c *table.Column, u *Use, cells int, unnamed bool) {
	u.Reason = "it has numbers"
	if !c.IsWhole() {
		return
	}
	name := title.Of(c.Name)
	names := name.Identifier() || name.Entity() && cells >= fewestShuffled
	n, exact := c.CountDistinct(names || unnamed || cells >= fewestShuffled)
	share := float64(n) / float64(cells)
	dense := float64(n) >= denseShare*(c.Max-c.Min+1)
	ids := names && (!name.Numbering() || dense || c.Min >= fewestLong && math.Floor(math.Log10(c.Min)) == math.Floor(math.Log10(c.Max)))
	switch by := c.Step(); {
	case by != 0 && isPeriod(c, name):
	case by != 0:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it counts the rows: each cell is one %s than the one before", message.Either(by > 0, "more", "less"))
	case (unnamed || name.Identifier() || name.Names()) && cells >= MinRows && c.Direction() != 0 && !isPeriod(c, name):
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it numbers the rows: its whole numbers %s in the order of the file", message.Either(c.Direction() > 0, "rise", "fall"))
	case unnamed && n == cells && n >= fewestNamed && c.Min >= 0:
		u.Role, u.Reason = RoleIgnore, "it numbers the rows: it has no name, and its whole numbers all differ"
	case by == 0 && cells >= fewestShuffled && share >= allShare && !isPeriod(c, name) && !name.Place() && name.Target() == title.NotTarget && c.IsUniform():
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it numbers the rows: its whole numbers from %s to %s are all different and evenly spaced", cell.FormatNumber(c.Min), cell.FormatNumber(c.Max))
	case ids && n >= fewestNamed && share >= namedShare:
		u.Role, u.Reason = RoleIgnore, message.Sprintf("it has the name of an identifier and %.0f %% of its cells are different", 100*share)
	case names && n >= fewestLevels && share <= .5 && (!name.Numbering() || name.Entity() && dense && n >= groupLevels && c.Min <= 1):
		u.Kind = design.Categorical
		u.Reason = message.Sprintf("it has the name of an identifier and %s%d different whole numbers, each in %.0f rows on average", message.Either(exact, "", "about "), n, 1/share)
	case name.Code() && fewestLevels <= n && n <= mostLevels && cells >= levelRows*n:
		u.Kind = design.Categorical
		u.Reason = message.Sprintf("its name and its %d different whole numbers suggest categories", n)
	}
}

// isPeriod reports whether a column that numbers its rows says when they were, as the
// years of a yearly table do: it is named as a time and not as the id of one, or it holds
// what can only be years and is named as no identifier.
func isPeriod(c *table.Column, name title.Words) bool {
	if name.Date() || name.Clock() || name.Period() {
		return !name.Names()
	}
	return earliestYear <= c.Min && c.Max <= latestYear && !name.Identifier()
}

// countValues returns how many different values a column of whole numbers holds, 0 for any
// other column. O(rows).
func countValues(c *table.Column) int {
	if c.Block != nil || c.PartOf != "" || !c.Numeric() || c.TextCount > 0 || !c.IsWhole() {
		return 0
	}
	n, _ := c.CountDistinct(true)
	return n
}

// countTimes returns how many times a column tells, at least three, else 0: dates;
// whole numbers named as a time that are years, seconds or milliseconds since 1970,
// or never fall in the file.
func countTimes(c *table.Column) int {
	n := len(c.Entries)
	switch {
	case !c.Numeric():
		if n < 3 || c.Layout == "" {
			return 0
		}
		return n
	case c.NumberCount == 0 || !title.Of(c.Name).Date() || !c.IsWhole():
		return 0
	}
	within := func(least, most float64) bool { return least <= c.Min && c.Max <= most }
	if n, _ = c.CountDistinct(false); n < 3 || !(within(1000, 3000) || within(6e8, 2.2e9) || within(6e11, 2.2e12) || c.NonDecreasing()) {
		return 0
	}
	return n
}
