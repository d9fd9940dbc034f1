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

func TestTextsAreReadAsRecorded(t *testing.T) { tabletest.Readings(t) }

// profiled returns the profile of a column in a table of n rows beside numbers.
func profiled(t *testing.T, n int, name string, f func(row int) string) roles.Profile {
	t.Helper()
	p := roles.Profiles(tabletest.Read(t, tabletest.Join(tabletest.Column(tabletest.Numbers(n), 0, name, f))))[0]
	assert.NotEmpty(t, p.Reason)
	return p
}

func TestALongColumnThatCannotTeachIsIgnoredForAReason(t *testing.T) {
	for why, f := range map[string]func(row int) string{ // "": it is a feature
		"it counts the rows: each cell is one less than the one before": func(row int) string { return strconv.Itoa(99 - row) },
		"4000 of its 6000 cells are numbers, but not \"about 0\"":       func(row int) string { return fmt.Sprint([]string{"about ", "", ""}[row%3], row) },
		"4000 of its 6000 cells are numbers, but not \"n10000\"":        func(row int) string { return fmt.Sprint([]string{"n", ".", "."}[row%3], 10000+row) },
		"": func(row int) string { return fmt.Sprint([]string{"n", "", ""}[row%3], row%2100) },
	} {
		p := profiled(t, 6000, "v", f)
		assert.Equal(t, why == "", p.Guess == roles.RoleFeature)
		assert.True(t, why == "" || why == p.Reason, p.Reason)
	}
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
