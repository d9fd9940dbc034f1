package roles_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// labelled returns 50 rows whose column y holds these two values in turn.
func labelled(values [2]string) []string {
	return tabletest.Column(tabletest.Numbers(50), 2, "y", func(row int) string { return values[row%2] })
}

func TestATargetOfTwoValuesIsAClass(t *testing.T) {
	for _, c := range []struct {
		values  [2]string
		classes []string
		reason  string
	}{
		{[2]string{"yes", "no"}, []string{"no", "yes"}, `"no" means no`},
		{[2]string{"1", "2"}, []string{"1", "2"}, "it is the larger number"},
		{[2]string{"0", "1"}, []string{"0", "1"}, "it is the larger number"},
		{[2]string{"-1", "1.0"}, []string{"-1", "1"}, "it is the larger number"},
		{[2]string{"TRUE", "FALSE"}, []string{"FALSE", "TRUE"}, `"FALSE" means no`},
		{[2]string{"Default", "paid"}, []string{"paid", "Default"}, `"Default" means yes`},
		{[2]string{"paid", "unpaid"}, []string{"unpaid", "paid"}, `"unpaid" means no`},
		{[2]string{"malignant", "benign"}, []string{"benign", "malignant"}, `"benign" means no`},
		{[2]string{"cat", "dog"}, []string{"cat", "dog"}, "it is second in alphabetical order"},
	} {
		p := tabletest.Plan(t, labelled(c.values), roles.Settings{Target: "y"})
		assert.Equal(t, c.classes, p.Classes())
		assert.Equal(t, []string{"y has two values; models learn the probability of " + c.classes[1] + ", not of " + c.classes[0] + ", because " + c.reason}, p.Notes.Texts())
		set := tabletest.DatasetOf(t, p)
		target := set.Encoding.Target
		assert.True(t, target.Logistic)
		assert.Equal(t, 1., target.Scale, "log-odds have no other unit")
		assert.Equal(t, c.classes, target.Levels)
		assert.Equal(t, "log-odds of y = "+c.classes[1], target.Quantity())
		assert.InDelta(t, .5, target.Mean, 1e-15)
		for _, part := range []design.Part{set.Train, set.Valid, set.Test} {
			assert.Equal(t, part.Y, part.Raw)
			for i, y := range part.Y {
				cell := strings.TrimSuffix(c.values[part.Line[i]%2], ".0") // row i stands on line i + 2
				assert.Equal(t, slices.Index(c.classes, cell), int(y))
			}
		}
	}
}

func TestSettingsNameTheClassThatIsPredictedAndTheLoss(t *testing.T) {
	p := tabletest.Plan(t, labelled([2]string{"yes", "no"}), roles.Settings{Target: "y", Positive: "no"})
	assert.Equal(t, []string{"yes", "no"}, p.Classes())
	assert.Equal(t, []string{"y has two values; models learn the probability of no, not of yes, because the settings name it"}, p.Notes.Texts())
	p = tabletest.Plan(t, labelled([2]string{"1", "2"}), roles.Settings{Target: "y", Positive: "1.0"})
	assert.Equal(t, []string{"2", "1"}, p.Classes())
	y := p.Targets([]int32{0, 1})
	assert.Equal(t, []float64{1, 0}, y)
	p = tabletest.Plan(t, labelled([2]string{"1", "2"}), roles.Settings{Target: "y", Positive: "3"})
	assert.Equal(t, []string{"1", "2"}, p.Classes())
	assert.Equal(t, "the settings name 3 as the positive class, but y has 1 and 2; this was ignored", strings.ReplaceAll(p.Notes[0].Text, `"`, ""))

	p = tabletest.Plan(t, labelled([2]string{"yes", "no"}), roles.Settings{Target: "y", Loss: roles.LossSquared})
	assert.Nil(t, p.Classes())
	assert.Equal(t, []string{"y has two values: no counts as 0 and yes as 1, with squared loss"}, p.Notes.Texts())
	set := tabletest.DatasetOf(t, p)
	target := set.Encoding.Target
	assert.Equal(t, []string{"no", "yes"}, target.Levels)
	assert.False(t, target.Logistic)
	assert.Nil(t, set.Train.Raw)
	for i, y := range set.Train.Y {
		assert.InDelta(t, float64(1-set.Train.Line[i]%2), y*target.Scale, 1e-15)
	}
}

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

func TestAClassThatTrainingLacksIsRefusedAndOneThatOtherRowsLackIsTold(t *testing.T) {
	text := func(positive func(row int) bool) string {
		return tabletest.Join(tabletest.Column(tabletest.Column(tabletest.Numbers(50), 2, "y", func(row int) string { return strconv.FormatBool(positive(row)) }), 1, "year", func(row int) string { return strconv.Itoa(1950 + row) }))
	}
	timed := roles.Settings{Target: "y", Split: roles.SplitTime, By: "year"}
	p := tabletest.PlanOf(t, tabletest.Read(t, text(func(row int) bool { return row >= 45 })), timed)
	_, err := encode.Dataset(p, tabletest.Stream(1))
	require.ErrorAs(t, err, new(*fault.PlanError))
	assert.EqualError(t, err, "tec.csv: y is false in all 30 training rows, and true only in validation or test rows; split rows at random, add rows of true, or choose another target")

	p = tabletest.PlanOf(t, tabletest.Read(t, text(func(row int) bool { return row < 20 })), timed)
	set := tabletest.DatasetOf(t, p)
	assert.Contains(t, set.Notes.Texts(), "all 10 validation rows are false, so they cannot calibrate; all 10 test rows are false, so there is no ROC curve")
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
