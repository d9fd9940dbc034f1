package roles_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// groupsOf returns the columns of the suggested splits by group.
func groupsOf(t *testing.T, lines []string) (names []string) {
	t.Helper()
	for _, s := range tabletest.Plan(t, lines, roles.Settings{Target: "y"}).Suggested {
		if s.Topic == note.TopicGroup {
			names = append(names, s.Columns...)
		}
	}
	return names
}

func TestAColumnThatGroupsRowsIsSuggestedForTheSplit(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		n, years := 25+rng.IntN(150), 8+rng.IntN(10)
		panel, category := []string{"land,year,a,y"}, []string{"land,year,a,y"}
		sold, shops := []string{"house,area,a,y"}, []string{"house,area,a,y"}
		for thing := range n {
			area := 400 + rng.IntN(90_000)
			for k := range years {
				tail := fmt.Sprintf(",%.3f,%.3f", rng.NormFloat64(), rng.NormFloat64())
				if rng.IntN(40) > 0 { // some years are missing
					panel = append(panel, fmt.Sprintf("n%d,%d", thing, 1990+k)+tail)
				}
				category = append(category, fmt.Sprintf("n%d,%d", rng.IntN(n), 1990+rng.IntN(years))+tail)
				if k < 2 {
					sold = append(sold, fmt.Sprintf("n%d,%d", thing, area)+tail)
				}
				shops = append(shops, fmt.Sprintf("n%d,%d", thing, 400+rng.IntN(90_000))+tail)
			}
		}
		assert.Equal(t, []string{"land"}, groupsOf(t, panel), "a row for each land and year")
		assert.Equal(t, []string{"house"}, groupsOf(t, sold), "the area is that of the house")
		assert.Empty(t, groupsOf(t, category), "a category that meets years by chance")
		assert.Empty(t, groupsOf(t, shops), "each row has its own area")
		panel[0] = "time,year,a,y"
		assert.Empty(t, groupsOf(t, panel), "hours of days")
	}
}

func TestAColumnToSplitByNeedsNoKindOfSplit(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(90), 0, "sold", func(row int) string { return fmt.Sprintf("2024-%02d-%02d", 1+row%3, 1+row/4) })
	assert.Equal(t, roles.SplitRule{Kind: roles.SplitTime, By: "sold"}, tabletest.Plan(t, lines, roles.Settings{By: "sold"}).SplitRule)
	lines = tabletest.Column(tabletest.Numbers(90), 0, "house", func(row int) string { return fmt.Sprint("h", row%30) })
	assert.Equal(t, roles.SplitRule{Kind: roles.SplitGroup, By: "house"}, tabletest.Plan(t, lines, roles.Settings{By: "house"}).SplitRule)
}
