package roles_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/encode"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestRandomSplitsAreThreeFifthsAFifthAndAFifthOfBothClasses(t *testing.T) {
	for _, c := range []struct{ rows, ones int }{
		{10, 0}, {14, 0}, {99, 0}, {50, 25}, {768, 268}, {1000, 7}, {1000, 3}, {40, 37}, {10, 3}, {13, 9}, {300, 1}, {300, 2},
	} {
		lines := tabletest.Numbers(c.rows)
		if c.ones > 0 { // else the target is a number
			lines = tabletest.Column(lines, 2, "y", func(row int) string { return strconv.FormatBool(row < c.ones) })
		}
		p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
		s := p.Split(tabletest.Stream(3))
		fifth := c.rows / 5
		assert.Equal(t, [3]int{c.rows - 2*fifth, fifth, fifth}, [3]int{len(s.Train), len(s.Valid), len(s.Test)}, c)
		all := slices.Concat(s.Train, s.Valid, s.Test)
		slices.Sort(all)
		for i, row := range all {
			assert.Equal(t, i, int(row), "each row is in one part")
		}
		for _, part := range [][]int32{s.Train, s.Valid, s.Test} {
			ones := sumOf(p.Targets(part))
			want := float64(c.ones) / float64(c.rows) * float64(len(part))
			if least := min(c.ones, c.rows-c.ones); least >= 3 {
				assert.InDelta(t, want, ones, 1.5, "%v", c)
				assert.Positive(t, ones, c)
				assert.Less(t, ones, float64(len(part)), c)
			}
		}
		assert.True(t, c.ones == 0 || sumOf(p.Targets(s.Train)) > 0, "%v: a class of one row is learnt", c)
		assert.Equal(t, s, p.Split(tabletest.Stream(3)))
		assert.NotEqual(t, s.Train[:5], p.Split(tabletest.Stream(4)).Train[:5])
	}
}

// kindRows is a table with a target of texts in column kind.
func kindRows(rows int, kind func(row int) string) string {
	return tabletest.Join(tabletest.Column(tabletest.Numbers(rows), 2, "kind", kind))
}

func TestATargetOfSeveralTextsHasClasses(t *testing.T) {
	p := tabletest.PlanOf(t, tabletest.Read(t, kindRows(60, func(row int) string { return []string{"emu", "cat", "dog"}[row%3] })), roles.Settings{Target: "kind"})
	assert.Equal(t, []string{"cat", "dog", "emu"}, p.Classes(), "in the order of letters")
	assert.Equal(t, roles.LossLogistic, p.Loss)
	assert.Equal(t, []string{"kind has 3 classes; models learn how likely each is"}, p.Notes.Texts())
	assert.Equal(t, []float64{2, 0, 1, 2}, p.Targets([]int32{0, 1, 2, 3}))
	for _, seed := range []uint64{1, 2} {
		s := p.Split(tabletest.Stream(seed))
		for _, part := range [][]int32{s.Valid, s.Test} {
			count := map[float64]int{}
			for _, y := range p.Targets(part) {
				count[y]++
			}
			assert.Equal(t, map[float64]int{0: 4, 1: 4, 2: 4}, count, "each part has a fifth of each class")
		}
		assert.Len(t, s.Train, 36)
		fold := p.Folds(s.Train, 4, tabletest.Stream(seed))
		seen := map[[2]int]int{}
		for i, y := range p.Targets(s.Train) {
			seen[[2]int{fold[i], int(y)}]++
		}
		assert.Len(t, seen, 12)
		for _, n := range seen {
			assert.Equal(t, 3, n)
		}
	}
}

func TestRareClassesAndTooManyAreTold(t *testing.T) {
	p, err := roles.NewPlan(tabletest.Read(t, kindRows(60, func(row int) string {
		if row < 2 {
			return "rare"
		}
		return []string{"emu", "cat", "dog"}[row%3]
	})), roles.Settings{Target: "kind"})
	require.NoError(t, err)
	assert.Contains(t, p.Notes.Texts(), `too few rows to train, validate and test have kind = "rare" (2); join classes, or do not rely on these`)
	for seed := range uint64(20) {
		assert.Contains(t, p.Targets(p.Split(tabletest.Stream(seed)).Train), 3., "one is left to train")
	}
}

func TestAClassThatOnlyTestRowsHaveIsTold(t *testing.T) {
	text := kindRows(60, func(row int) string {
		if row >= 56 {
			return "new"
		}
		return []string{"emu", "cat", "dog"}[row%3]
	})
	p := tabletest.PlanOf(t, tabletest.Read(t, text), roles.Settings{Target: "kind"})
	rows := p.Rows
	set := tabletest.Must(encode.DatasetOf(p, &roles.Split{Train: rows[:40], Valid: rows[40:50], Test: rows[50:]}))
	assert.Contains(t, set.Notes.Texts(), "no training row has kind = new, so models consider it next to impossible")
	assert.Equal(t, 4, set.Encoding.Target.Scores())
	_, err := encode.DatasetOf(p, &roles.Split{Train: rows[56:], Valid: rows[40:50], Test: rows[50:56]})
	assert.ErrorContains(t, err, "kind is new in all 4 training rows, expected at least two classes")
}
