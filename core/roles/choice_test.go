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
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// planOf reads a column of whole numbers beside an amount and a target.
func planOf(t *testing.T, name string, cells []string, s roles.Settings) *roles.Plan {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, uint64(len(cells))))
	var b strings.Builder
	b.WriteString(name + ",amount,y\n")
	for _, cell := range cells {
		fmt.Fprintf(&b, "%s,%.4f,%.4f\n", cell, rng.NormFloat64(), rng.NormFloat64())
	}
	table := tabletest.Read(t, b.String())
	p := tabletest.PlanOf(t, table, s)
	return p
}

func upFrom(first, n int) (cells []string) {
	for i := range n {
		cells = append(cells, strconv.Itoa(first+i))
	}
	return cells
}

func TestOneRowAPeriodKeepsThePeriodAndRowNumbersAreLeftOut(t *testing.T) {
	down := upFrom(1960, 60)
	for i, j := 0, len(down)-1; i < j; i, j = i+1, j-1 {
		down[i], down[j] = down[j], down[i]
	}
	gaps := append(upFrom(1950, 30), upFrom(1990, 30)...)
	for _, c := range []struct {
		name  string
		cells []string
		want  roles.Role
	}{
		{"year", upFrom(1960, 60), roles.RoleFeature},
		{"year", down, roles.RoleFeature},
		{"year", gaps, roles.RoleFeature},
		{"Jahr", upFrom(1871, 120), roles.RoleFeature},
		{"harvest", upFrom(1961, 50), roles.RoleFeature}, // what can only be years
		{"week", upFrom(1, 104), roles.RoleFeature},
		{"quarter", upFrom(0, 40), roles.RoleFeature},
		{"month_no", upFrom(1, 90), roles.RoleFeature},
		{"month", upFrom(1, 90), roles.RoleFeature},
		{"", upFrom(1990, 30), roles.RoleFeature},
		{"", upFrom(0, 60), roles.RoleIgnore},
		{"row", upFrom(1, 60), roles.RoleIgnore},
		{"index", upFrom(1960, 60), roles.RoleIgnore},
		{"year_id", upFrom(1960, 60), roles.RoleIgnore},
		{"sample", upFrom(1, 60), roles.RoleIgnore},
		{"sample", upFrom(5001, 60), roles.RoleIgnore},
	} {
		use := planOf(t, c.name, c.cells, roles.Settings{}).Uses[0]
		assert.Equal(t, c.want, use.Role, "%q from %s: %s", c.name, c.cells[0], use.Reason)
		assert.Equal(t, use, planOf(t, c.name, c.cells, roles.Settings{Target: "y"}).Uses[0], "whether a target is named or not")
	}
}

func TestADifferentIdInEveryRowIsLeftOutAndTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shuffled := upFrom(100_000, 30_000)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var sparse, amounts []string
	for _, i := range rng.Perm(5_000_000)[:30_000] {
		sparse = append(sparse, strconv.Itoa(10_000_000+i))
		amounts = append(amounts, strconv.Itoa(int(1000*rng.ExpFloat64())))
	}
	for _, c := range []struct {
		name  string
		cells []string
		want  roles.Role
	}{{"u", shuffled, roles.RoleIgnore}, {"klucz", sparse, roles.RoleIgnore}, {"customer", sparse, roles.RoleIgnore}, {"user_id", sparse, roles.RoleIgnore}, {"u", amounts, roles.RoleFeature}} {
		p := planOf(t, c.name, c.cells, roles.Settings{})
		assert.Equal(t, c.want, p.Roles[0], "%s: %s", c.name, p.Uses[0].Reason)
		assert.Equal(t, c.want == roles.RoleIgnore, strings.Contains(strings.Join(p.Notes.Texts(), "\n"), c.name+" is ignored, because it "))
	}
}

func TestIdsOfMoreDigitsThanANumberTellsApartAreLevels(t *testing.T) {
	for _, different := range []int{80, 5000} { // what a dictionary holds, and more
		var cells []string
		for i := range 12_000 {
			cells = append(cells, strconv.Itoa(9_999_999_999_999_990_000/2+i%different))
		}
		p := planOf(t, "steam", cells, roles.Settings{})
		assert.Equal(t, design.Categorical, p.Kinds[0])
		assert.Equal(t, roles.RoleFeature, p.Roles[0], p.Uses[0].Reason)
		assert.Equal(t, different, roles.Profiles(p.Table)[0].Distinct)
	}
}

func TestATargetOfNumbersMayBeNamedSo(t *testing.T) {
	var cells []string
	for i := range 60 {
		cells = append(cells, fmt.Sprintf("%03d", i*7%50))
	}
	p := planOf(t, "code", cells, roles.Settings{Target: "code", Numeric: []string{"code"}})
	assert.Equal(t, design.Numeric, p.Kinds[0])
}

func TestADateThatIsPredictedIsNotLearntFromItsParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("timestamp,same\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,1\n", 1_600_000_000+i*i*40_000)
	}
	table := tabletest.Read(t, b.String())
	require.Contains(t, table.Names(), "timestamp (days)")
	_, err := roles.NewPlan(table, roles.Settings{Target: "timestamp"})
	assert.True(t, fault.IsPlan(err, fault.NoFeatures), "%v", err)
}

func TestMoreThanTwoClassesAreSaidOfTheirColumn(t *testing.T) {
	read := func(header string, classes, at int) *table.Table {
		return tabletest.Read(t, tabletest.Join(tabletest.Drawn(150, header, func(row int, x [4]float64) []any {
			cells := []any{x[0], x[1], x[2]}
			cells[at] = fmt.Sprint("k", row%classes)
			return cells
		})))
	}
	for _, c := range []struct {
		header      string
		classes, at int
		said        bool
	}{
		{"a,b,species", 3, 2, true}, {"a,b,wine", 7, 2, true}, {"species,a,b", 3, 0, false}, {"label,a,b", 4, 0, true},
		{"a,b,species", 2, 2, false}, {"price,b,colour", 3, 2, false}, {"a,b,name", 60, 2, false},
	} {
		table := read(c.header, c.classes, c.at)
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
		target := ""
		for _, p := range roles.Profiles(table) {
			if p.Guess == roles.RoleTarget {
				target = p.Name
				assert.True(t, p.Sure)
			}
		}
		assert.Equal(t, "column 3", target)
		assert.Contains(t, table.Names(), "column 4 (weekday)", "seconds are times")
	}
}
