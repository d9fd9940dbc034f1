package roles_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// profiled returns the profile of a column in a table of n rows beside numbers.
func profiled(t *testing.T, n int, name string, f func(row int) string) roles.Profile {
	t.Helper()
	p := roles.Profiles(tabletest.Read(t, tabletest.Join(tabletest.Column(tabletest.Numbers(n), 0, name, f))))[0]
	assert.NotEmpty(t, p.Reason)
	return p
}

func TestColumnsThatCannotTeachAreIgnoredForAReason(t *testing.T) {
	for _, c := range []struct {
		name, column string
		rows         int
		f            func(row int) string
		why          string // "": it is a feature
	}{
		{"empty", "note", 30, func(int) string { return "" }, "it has no value"},
		{"constant", "unit", 30, func(int) string { return "kg" }, "it is kg in every row"},
		{"constant numbers", "k", 30, func(row int) string { return []string{"2.0", "2"}[row%2] }, "it is 2.0 in every row"},
		{"one value or none", "returned", 30, func(row int) string { return []string{"yes", ""}[row%2] }, ""},
		{"counts", "v", 30, func(row int) string { return strconv.Itoa(row - 4) }, "it counts the rows: each cell is one more than the one before"},
		{"counts down", "v", 30, func(row int) string { return strconv.Itoa(99 - row) }, "it counts the rows: each cell is one less than the one before"},
		{"counts down, long", "v", 5000, func(row int) string { return strconv.Itoa(99 - row) }, "it counts the rows: each cell is one less than the one before"},
		{"counts by two", "v", 30, func(row int) string { return strconv.Itoa(2 * row) }, ""},
		{"counts with a gap", "v", 30, func(row int) string { return strconv.Itoa(row + row/29) }, ""},
		{"same range, shuffled", "v", 31, func(row int) string { return strconv.Itoa(row * 7 % 31) }, ""},
		{"counts and misses", "v", 30, func(row int) string { return strings.Repeat(strconv.Itoa(row), min(1, row%9)) }, ""},
		{"names rows", "member_id", 50, func(row int) string { return strconv.Itoa(row * row % 1009) }, "it has the name of an identifier and 100 % of its cells are different"},
		{"numbers rows from 500", "member_no", 50, func(row int) string { return strconv.Itoa(500 + row*7%50) }, "it has the name of an identifier and 100 % of its cells are different"},
		{"names 98 rows in 100", "member_id", 100, func(row int) string { return strconv.Itoa(3 * min(row, 97)) }, "it has the name of an identifier and 98 % of its cells are different"},
		{"names 97 rows in 100", "member_id", 100, func(row int) string { return strconv.Itoa(3 * min(row, 96)) }, ""},
		{"names twenty rows", "member_id", 20, func(row int) string { return strconv.Itoa(row * row % 251) }, ""},
		{"same without the name", "speed", 50, func(row int) string { return strconv.Itoa(row * row) }, ""},
		{"with the name, not whole", "member_id", 50, func(row int) string { return strconv.Itoa(row*row) + ".5" }, ""},
		{"text that names", "owner", 40, func(row int) string { return fmt.Sprint("n", max(0, row-19)) }, "it has 21 different texts in 40 cells; if it is used, 1 of them, seen at least 5 times, become categories, and all others share one"},
		{"text that names all", "owner", 40, func(row int) string { return fmt.Sprint("n", row) }, "it has 40 different texts in 40 cells"},
		{"numbers and texts", "v", 40, func(row int) string { return fmt.Sprint([]string{"about ", "", ""}[row%3], row) }, "26 of its 40 cells are numbers, but not \"about 0\""},
		{"numbers and texts, long", "v", 6000, func(row int) string { return fmt.Sprint([]string{"about ", "", ""}[row%3], row) }, "4000 of its 6000 cells are numbers, but not \"about 0\""},
		{"shares and texts, long", "v", 6000, func(row int) string { return fmt.Sprint([]string{"n", ".", "."}[row%3], 10000+row) }, "4000 of its 6000 cells are numbers, but not \"n10000\""},
		{"few numbers and texts, long", "v", 6000, func(row int) string { return fmt.Sprint([]string{"n", "", ""}[row%3], row%2100) }, ""},
		{"text that does in half", "owner", 40, func(row int) string { return fmt.Sprint("n", max(0, row-20)) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := profiled(t, c.rows, c.column, c.f)
			if c.why == "" {
				assert.Equal(t, roles.RoleFeature, p.Guess, p.Reason)
				return
			}
			assert.Equal(t, roles.RoleIgnore, p.Guess)
			assert.Equal(t, c.why, p.Reason)
		})
	}
}

func TestCodesAreLevelsAndOtherWholeNumbersAreNumbers(t *testing.T) {
	mod := func(m int) func(int) string { return func(row int) string { return strconv.Itoa(7 + row%m) } }
	for _, c := range []struct {
		column string
		rows   int
		f      func(row int) string
		want   design.Kind
		why    string
	}{
		{"zone", 60, mod(4), design.Categorical, "its name and its 4 different whole numbers suggest categories"},
		{"zone", 60, mod(2), design.Numeric, ""},
		{"zone", 60, mod(12), design.Categorical, "its name and its 12 different whole numbers suggest categories"},
		{"zone", 60, mod(13), design.Numeric, ""},
		{"zone", 500, mod(50), design.Categorical, "its name and its 50 different whole numbers suggest categories"},
		{"zone", 510, mod(51), design.Numeric, ""},
		{"zone width", 60, mod(4), design.Numeric, ""},
		{"rooms", 60, mod(4), design.Numeric, ""},
		{"zone", 60, func(row int) string { return []string{"1", "2", "3.5"}[row%3] }, design.Numeric, ""},
		{"driver_id", 60, mod(30), design.Categorical, "it has the name of an identifier and 30 different whole numbers, each in 2 rows on average"},
		{"driver_id", 60, mod(31), design.Numeric, ""},
		{"driver_id", 60, mod(2), design.Numeric, ""},
		{"driver_no", 60, mod(30), design.Numeric, "it has numbers"},
		{"drivers", 60, mod(30), design.Numeric, ""},
		{"driver_id", 9000, func(row int) string { return strconv.Itoa(row % 4500 * 7) }, design.Categorical, "it has the name of an identifier and 4500 different whole numbers, each in 2 rows on average"},
	} {
		p := profiled(t, c.rows, c.column, c.f)
		assert.Equal(t, c.want, p.Kind, "%s, %s", c.column, p.Reason)
		assert.False(t, p.Mean != p.Mean, "%s: its numbers are described, whatever it is read as", c.column)
		if c.why != "" {
			assert.Equal(t, c.why, p.Reason)
		}
	}
}

func TestTheSettingsOverruleEveryGuess(t *testing.T) {
	lines := tabletest.Column(tabletest.Column(tabletest.Numbers(60), 0, "zone", func(row int) string { return strconv.Itoa(row % 4) }), 1, "rank", func(row int) string { return strconv.Itoa(row) })
	decided := func(s roles.Settings) (roles []roles.Role, kinds []design.Kind, reasons []string) {
		p := tabletest.Plan(t, lines, s)
		for i, d := range p.Uses {
			assert.Equal(t, p.Table.Names()[i], d.Column)
			assert.Equal(t, []any{p.Roles[i], p.Kinds[i]}, []any{d.Role, d.Kind})
			reasons = append(reasons, d.Reason)
		}
		return p.Roles, p.Kinds, reasons
	}
	uses, kinds, reasons := decided(roles.Settings{})
	assert.Equal(t, []roles.Role{roles.RoleFeature, roles.RoleIgnore, roles.RoleTarget}, uses)
	assert.Equal(t, []design.Kind{design.Categorical, design.Numeric, design.Numeric}, kinds)
	assert.Equal(t, []string{"its name and its 4 different whole numbers suggest categories", "it counts the rows: each cell is one more than the one before", "its name looks like a target"}, reasons)

	uses, kinds, reasons = decided(roles.Settings{Numeric: []string{"zone", "rank"}})
	assert.Equal(t, roles.RoleFeature, uses[1])
	assert.Equal(t, design.Numeric, kinds[0])
	assert.Equal(t, "the settings call it numeric", reasons[1])

	uses, _, _ = decided(roles.Settings{Ignore: []string{"y"}, Numeric: []string{"rank"}})
	assert.Equal(t, roles.RoleTarget, uses[1], "the guess does not take what is ignored")

	_, kinds, reasons = decided(roles.Settings{Categorical: []string{"rank"}, Ignore: []string{"zone"}})
	assert.Equal(t, design.Categorical, kinds[1])
	assert.Equal(t, []string{"the settings ignore it", "the settings call it categorical"}, reasons[:2])

	_, kinds, _ = decided(roles.Settings{Target: "zone"})
	assert.Equal(t, design.Numeric, kinds[0], "a code that is to be predicted is a number")
}

func TestWhatIsReadAsLevelsIsTold(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(60), 0, "zone", func(row int) string { return strconv.Itoa(row % 4) })
	assert.Equal(t, []string{"zone is read as levels, because its name and its 4 different whole numbers suggest categories; name it numeric to read it as numbers"}, tabletest.Plan(t, lines, roles.Settings{}).Notes.Texts())
	for _, s := range []roles.Settings{{Numeric: []string{"zone"}}, {Categorical: []string{"zone"}}, {Ignore: []string{"zone"}}} {
		assert.Empty(t, tabletest.Plan(t, lines, s).Notes)
	}
}

// targetOf returns what is guessed for a header of columns of numbers, but those
// that begin with a ~, of two texts, a %, of three, a !, 0 and 1, or a *, from 0 to 4.
func targetOf(t *testing.T, header string) (name string, d roles.Use) {
	t.Helper()
	names := strings.Split(header, ",")
	rng := rand.New(rand.NewPCG(8, 9))
	lines := []string{strings.NewReplacer("~", "", "%", "", "!", "", "*", "").Replace(header)}
	for range 60 {
		var cells []string
		for _, name := range names {
			switch name[0] {
			case '~':
				cells = append(cells, []string{"no", "yes"}[rng.IntN(2)])
			case '%':
				cells = append(cells, []string{"emu", "cat", "dog"}[rng.IntN(3)])
			case '!':
				cells = append(cells, strconv.Itoa(rng.IntN(2)))
			case '*':
				cells = append(cells, strconv.Itoa(rng.IntN(5)))
			default:
				cells = append(cells, strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64))
			}
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	p := tabletest.Plan(t, lines, roles.Settings{})
	for i, d := range p.Uses {
		if p.Roles[i] == roles.RoleTarget {
			assert.Equal(t, d.Column, p.Target)
			return p.Target, d
		}
		assert.True(t, d.Sure)
		assert.Empty(t, d.Alternatives)
	}
	require.Fail(t, "no target")
	return "", d
}

func TestTheTargetIsGuessedByItsNameThenByItsPlace(t *testing.T) {
	for _, c := range []struct {
		header, target string
		sure           bool
		others         string
	}{
		{"a,score,b", "score", false, "b a"}, // its name alone speaks for it
		{"score,a,b", "score", true, "b a"},
		{"a,b,score", "score", true, "b a"},
		{"a,total_score,b", "total_score", false, "b a"}, // its last word only
		{"profit,wage,b", "wage", false, "profit b"},     // two such names
		{"profit,label,wage", "label", false, "wage profit"},
		{"price,x,y,z", "price", true, "z y x"}, // y is a coordinate
		{"x,y", "y", true, "x"},
		{"~diagnosis,a,b,c", "c", false, "diagnosis b a"}, // where targets stand
		{"market value,b", "market value", true, "b"},
		{"~churn,a,b", "churn", true, "b a"},
		{"!churned,a,b", "churned", true, "b a"},
		{"~loan_approved,a,b", "loan_approved", true, "b a"},
		{"!Readmitted,a,b", "Readmitted", true, "b a"},
		{"!churn_flag,a,b", "churn_flag", true, "b a"},
		{"~married,a", "a", false, "married"}, // not every participle is an outcome
		{"!heater_on,a", "a", false, "heater_on"},
		{"a,~verdict", "verdict", false, "a"},
		{"%town,%kind", "kind", true, ""},
		{"~member,a,b", "b", false, "member a"},
		{"a,b,*month", "b", false, "a"},
		{"a,b,latitude,Year,x", "b", false, "a x Year latitude"},
		{"~member,~open", "open", false, "member"},
		{"~member,latitude", "latitude", false, "member"},
		{"~a,~b,response", "response", true, "a b"},
		{"a,b,item_id", "b", false, "a item_id"},
	} {
		target, d := targetOf(t, c.header)
		assert.Equal(t, c.target, target, c.header)
		assert.Equal(t, c.sure, d.Sure, c.header)
		assert.Equal(t, c.others, strings.Join(d.Alternatives, " "), c.header)
		assert.NotEmpty(t, d.Reason)
	}
	table := tabletest.Read(t, "town,kWh\n"+strings.Repeat("Rome,1\nOslo,2.5\nBern,2\n", 9))
	p := tabletest.PlanOf(t, table, roles.Settings{})
	assert.Equal(t, "kWh", p.Target)
	assert.True(t, p.Uses[1].Sure, "it is the only one")
	assert.Equal(t, p.Uses[1].Reason, roles.Profiles(table)[1].Reason)

	header := ""
	for i := range 31 {
		header += fmt.Sprintf("c%d,", i)
	}
	_, d := targetOf(t, header+"d")
	assert.Len(t, d.Alternatives, 31, "all others")
}

func TestATargetThatIsNamedIsSureWhereItWouldBeWithoutItsName(t *testing.T) {
	assert.Equal(t, roles.Use{Column: "y", Role: roles.RoleTarget, Kind: design.Numeric, Reason: "the settings name it", Sure: true}, tabletest.Plan(t, tabletest.Numbers(30), roles.Settings{Target: "y"}).Uses[2])
	assert.False(t, tabletest.Plan(t, tabletest.Numbers(30), roles.Settings{Target: "a"}).Uses[0].Sure)
}

// checkUses holds a plan to a role and a reason for each column.
func checkUses(t *testing.T, p *roles.Plan) {
	t.Helper()
	require.Len(t, p.Uses, len(p.Table.Names()))
	targets := 0
	for i, d := range p.Uses {
		require.Equal(t, p.Table.Names()[i], d.Column)
		require.Contains(t, []roles.Role{roles.RoleTarget, roles.RoleFeature, roles.RoleIgnore}, d.Role)
		require.Contains(t, []design.Kind{design.Numeric, design.Categorical}, d.Kind)
		require.NotEmpty(t, d.Reason, d.Column)
		if d.Role == roles.RoleTarget {
			targets++
		}
	}
	require.Equal(t, 1, targets)
}

// anyTable returns a table of cells that are hard on guesses.
func anyTable(rng *rand.Rand) string {
	heads := []string{"id", "user id", "month", "y", "target", "date", "lat", "x", "value", "zip", "class", "", "a", "ß", "no", "time", "rating"}
	pools := [][]string{{"1", "2", "3"}, {"", "NA"}, {"a", "b"}, {"0", "1", "1.0", "-0"}, {"2020-01-02", "2021-05-06", "2020-02"}, {"1e300", "-1e300", "5"}, {"9007199254740993", "1", "2"}, {"x"}, {"0.1", "z", "7"}}
	columns, rows := 1+rng.IntN(6), 1+rng.IntN(40)
	text := ""
	kinds := make([]int, columns)
	for i := range columns {
		text += heads[rng.IntN(len(heads))] + map[bool]string{true: ",", false: "\n"}[i < columns-1]
		kinds[i] = rng.IntN(len(pools) + 3)
	}
	for row := range rows {
		for i, kind := range kinds {
			switch {
			case kind < len(pools):
				text += pools[kind][rng.IntN(len(pools[kind]))]
			case kind == len(pools):
				text += strconv.Itoa(row)
			case kind == len(pools)+1:
				text += strconv.Itoa(rng.IntN(12))
			default:
				text += strconv.FormatFloat(rng.NormFloat64(), 'g', 5, 64)
			}
			text += map[bool]string{true: ",", false: "\n"}[i < columns-1]
		}
	}
	return text
}

func TestAnyTableHasRolesReasonsAndASplitOrATypedError(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	done, tables := map[roles.SplitKind]int{}, 3000
	if testing.Short() {
		tables = 900
	}
	for range tables {
		text := anyTable(rng)
		table, err := read.Read(strings.NewReader(text), read.Options{Name: "any.csv", Separator: ','})
		if err != nil {
			continue
		}
		for _, p := range roles.Profiles(table) {
			require.NotEmpty(t, p.Reason, text)
		}
		s := roles.Settings{Split: []roles.SplitKind{roles.SplitRandom, roles.SplitTime, roles.SplitGroup}[rng.IntN(3)]}
		if s.Split != roles.SplitRandom {
			s.By = table.Names()[rng.IntN(len(table.Names()))]
		}
		p, err := roles.NewPlan(table, s)
		if err != nil {
			_, a := errors.AsType[*fault.PlanError](err)
			_, b := errors.AsType[*fault.TooManyBadRowsError](err)
			require.True(t, a || b, "%v of %s", err, text)
			continue
		}
		checkUses(t, p)
		parts := p.Split(tabletest.Stream(uint64(done[s.Split])))
		checkSplit(t, p, parts)
		require.Equal(t, len(p.Rows), parts.Rows(), text)
		done[s.Split]++
		e, notes, err := encode.Encoding(p, parts)
		if err != nil {
			continue
		}
		said := strings.Join(append(p.Notes.Texts(), notes.Texts()...), "\n")
		for _, use := range p.Uses { // no column is lost without a word
			if slices.Contains(e.Columns(), use.Column) {
				require.Equal(t, roles.RoleFeature, use.Role, text)
			} else if use.Role != roles.RoleTarget {
				require.Contains(t, said, use.Column+" ", text)
			}
		}
	}
	for _, kind := range []roles.SplitKind{roles.SplitRandom, roles.SplitTime, roles.SplitGroup} {
		assert.Greater(t, done[kind], tables/50, kind)
	}
}

func TestAPlanLeavesTheNextOneAsItWouldBeAlone(t *testing.T) {
	lines := tabletest.Drawn(200, "userId,when_year,a,b,price", func(row int, x [4]float64) []any {
		return []any{row % 40, 1990 + row%20, x[0], x[1], x[2]}
	})
	table := tabletest.Read(t, tabletest.Join(lines))
	for _, s := range []roles.Settings{{Target: "a", Numeric: []string{"userId"}}, {Split: roles.SplitGroup}, {Ignore: []string{"b"}, Split: roles.SplitTime}, {}} {
		roles.Profiles(table)
		got := tabletest.PlanOf(t, table, s)
		want := tabletest.PlanOf(t, tabletest.Read(t, tabletest.Join(lines)), s)
		assert.Equal(t, want.Uses, got.Uses)
		assert.Equal(t, want.Suggested, got.Suggested)
		assert.Equal(t, want.Notes.Texts(), got.Notes.Texts())
	}
}
