package roles_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// firstOf plans a table of n rows of numbers whose first column f fills.
func firstOf(t *testing.T, n int, name string, f func(row int) string, s roles.Settings) *roles.Plan {
	t.Helper()
	return tabletest.Plan(t, tabletest.Column(tabletest.Numbers(n), 0, name, f), s)
}

func upFrom(first int) func(row int) string {
	return func(row int) string { return strconv.Itoa(first + row) }
}

func TestOneRowAPeriodKeepsThePeriodAndRowNumbersAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
		cell func(row int) string
		want roles.Role
	}{
		{"year", 60, upFrom(1960), roles.RoleFeature},
		{"year", 60, func(row int) string { return strconv.Itoa(2019 - row) }, roles.RoleFeature},
		{"year", 60, func(row int) string { return strconv.Itoa(1950 + row + row/30*10) }, roles.RoleFeature}, // with a gap
		{"Jahr", 120, upFrom(1871), roles.RoleFeature},
		{"harvest", 50, upFrom(1961), roles.RoleFeature}, // what can only be years
		{"week", 104, upFrom(1), roles.RoleFeature},
		{"quarter", 40, upFrom(0), roles.RoleFeature},
		{"month_no", 90, upFrom(1), roles.RoleFeature},
		{"month", 90, upFrom(1), roles.RoleFeature},
		{"", 30, upFrom(1990), roles.RoleFeature},
		{"", 60, upFrom(0), roles.RoleIgnore},
		{"row", 60, upFrom(1), roles.RoleIgnore},
		{"index", 60, upFrom(1960), roles.RoleIgnore},
		{"year_id", 60, upFrom(1960), roles.RoleIgnore},
		{"sample", 60, upFrom(1), roles.RoleIgnore},
		{"sample", 60, upFrom(5001), roles.RoleIgnore},
	} {
		use := firstOf(t, c.rows, c.name, c.cell, roles.Settings{}).Uses[0]
		assert.Equal(t, c.want, use.Role, "%q from %s: %s", c.name, c.cell(0), use.Reason)
		assert.Equal(t, use, firstOf(t, c.rows, c.name, c.cell, roles.Settings{Target: "y"}).Uses[0], "whether a target is named or not")
	}
}

func TestADifferentIdInEveryRowIsLeftOutAndTold(t *testing.T) {
	const n = 30_000
	rng := rand.New(rand.NewPCG(1, 2))
	shuffled, sparse := rng.Perm(n), rng.Perm(5_000_000)[:n]
	id := func(row int) string { return strconv.Itoa(10_000_000 + sparse[row]) }
	for _, c := range []struct {
		name string
		cell func(row int) string
		want roles.Role
	}{
		{"u", func(row int) string { return strconv.Itoa(100_000 + shuffled[row]) }, roles.RoleIgnore},
		{"klucz", id, roles.RoleIgnore}, {"user_id", id, roles.RoleIgnore},
		{"u", func(int) string { return strconv.Itoa(int(1000 * rng.ExpFloat64())) }, roles.RoleFeature},
	} {
		p := firstOf(t, n, c.name, c.cell, roles.Settings{})
		assert.Equal(t, c.want, p.Roles[0], "%s: %s", c.name, p.Uses[0].Reason)
		assert.Equal(t, c.want == roles.RoleIgnore, strings.Contains(strings.Join(p.Notes.Texts(), "\n"), c.name+" is ignored, because it "))
	}
}

func TestIdsOfMoreDigitsThanANumberTellsApartAreLevels(t *testing.T) {
	for _, different := range []int{80, 5000} { // what a dictionary holds, and more
		id := func(row int) string { return strconv.Itoa(9_999_999_999_999_990_000/2 + row%different) }
		p := firstOf(t, 12_000, "steam", id, roles.Settings{})
		assert.Equal(t, design.Categorical, p.Kinds[0])
		assert.Equal(t, roles.RoleFeature, p.Roles[0], p.Uses[0].Reason)
		assert.Equal(t, different, roles.Profiles(p.Table)[0].Distinct)
	}
}

func TestATargetOfNumbersMayBeNamedSo(t *testing.T) {
	code := func(row int) string { return fmt.Sprintf("%03d", row*7%50) }
	assert.Equal(t, design.Numeric, firstOf(t, 60, "code", code, roles.Settings{Target: "code", Numeric: []string{"code"}}).Kinds[0])
}

func TestADateThatIsPredictedIsNotLearntFromItsParts(t *testing.T) {
	lines := tabletest.Drawn(60, "timestamp,same", func(row int, _ [4]float64) []any { return []any{1_600_000_000 + row*row*40_000, 1} })
	table := tabletest.Read(t, tabletest.Join(lines))
	require.Contains(t, table.Names(), "timestamp (days)")
	_, err := roles.NewPlan(table, roles.Settings{Target: "timestamp"})
	assert.True(t, fault.IsPlan(err, fault.NoFeatures), "%v", err)
}

func TestMoreThanTwoClassesAreSaidOfTheirColumn(t *testing.T) {
	for _, c := range []struct {
		header      string
		classes, at int
		said        bool
	}{
		{"a,b,species", 3, 2, true}, {"a,b,wine", 7, 2, true}, {"species,a,b", 3, 0, false}, {"label,a,b", 4, 0, true},
		{"a,b,species", 2, 2, false}, {"price,b,colour", 3, 2, false}, {"a,b,name", 60, 2, false},
	} {
		table := tabletest.Read(t, tabletest.Join(tabletest.Drawn(150, c.header, func(row int, x [4]float64) []any {
			cells := []any{x[0], x[1], x[2]}
			cells[c.at] = fmt.Sprint("k", row%c.classes)
			return cells
		})))
		name := strings.Split(c.header, ",")[c.at]
		told := fmt.Sprintf("%s has %d classes and may be meant", name, c.classes)
		p := tabletest.PlanOf(t, table, roles.Settings{})
		for _, use := range p.Uses {
			if use.Role == roles.RoleTarget {
				assert.Equal(t, c.said, strings.HasSuffix(use.Reason, told), "%s: %s", c.header, use.Reason)
				assert.False(t, c.said && use.Sure, "%s: it is a question", c.header)
			}
		}
		if c.said {
			p = tabletest.PlanOf(t, table, roles.Settings{Target: name})
			assert.Len(t, p.Classes(), c.classes)
		}
	}
}

func TestRatingsWithoutAHeaderAreReadUnasked(t *testing.T) {
	for _, separator := range []string{"\t", ",", ";"} {
		rng := rand.New(rand.NewPCG(8, uint64(separator[0])))
		var b strings.Builder
		for range 6000 {
			fmt.Fprintf(&b, "%[2]d%[1]s%[3]d%[1]s%[4]d%[1]s%[5]d\n", separator, 1+rng.IntN(200), 1+rng.IntN(90), 1+rng.IntN(5), 874_724_710+rng.IntN(18_000_000))
		}
		table := tabletest.Read(t, b.String())
		p := tabletest.PlanOf(t, table, roles.Settings{})
		assert.Equal(t, "column 3", p.Target)
		assert.True(t, p.Uses[2].Sure)
		assert.Contains(t, table.Names(), "column 4 (weekday)", "seconds are times")
	}
}
