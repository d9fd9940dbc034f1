package roles_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// folds cuts a table of n rows, whose column when f fills, into so many.
func folds(t *testing.T, kind roles.SplitKind, n, k int, f func(row int) string) (*roles.Plan, *roles.Split, []*roles.Split, error) {
	t.Helper()
	p := tabletest.Must(by(t, kind, n, f))
	s := p.Split(tabletest.Stream(1))
	all, err := p.CrossValidation(s, k, tabletest.Stream(2))
	return p, s, all, err
}

func sorted(parts ...[]int32) []int32 {
	all := slices.Concat(parts...)
	slices.Sort(all)
	return all
}

func TestEveryRowButTheTestRowsValidatesInOneFoldAndTrainsInTheOthers(t *testing.T) {
	for _, kind := range []roles.SplitKind{roles.SplitRandom, roles.SplitGroup} {
		for _, k := range []int{2, 3, 5, 7} {
			p, s, all, err := folds(t, kind, 101, k, func(row int) string { return "g" + strconv.Itoa(row*row%23) })
			require.NoError(t, err)
			require.Len(t, all, k)
			whole := sorted(s.Train, s.Valid)
			var validated []int32
			for _, fold := range all {
				assert.Empty(t, fold.Test)
				require.NotEmpty(t, fold.Valid)
				assert.Equal(t, whole, sorted(fold.Train, fold.Valid))
				validated = append(validated, fold.Valid...)
				if kind == roles.SplitRandom {
					assert.InDelta(t, float64(len(whole))/float64(k), len(fold.Valid), 1, "parts of one size, or one row more")
					continue
				}
				for _, a := range fold.Valid {
					for _, b := range fold.Train {
						require.NotEqual(t, p.Table.Text(0, int(a)), p.Table.Text(0, int(b)), "a group stays whole")
					}
				}
			}
			assert.Equal(t, whole, sorted(validated))
			again := tabletest.Must(p.CrossValidation(s, k, tabletest.Stream(2)))
			assert.Equal(t, all, again, "the same stream, the same folds")
			other := tabletest.Must(p.CrossValidation(s, k, tabletest.Stream(3)))
			assert.NotEqual(t, all, other)
		}
	}
}

// The parts of either class are of one size, or one row more, and so are the whole ones.
func TestFoldsOfClassesHaveTheSameSharesOfBoth(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(203), 2, "left", func(row int) string { return []string{"yes", "no"}[min(1, row%9)] })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "left"})
	s := p.Split(tabletest.Stream(1))
	rows := sorted(s.Train, s.Valid)
	for _, k := range []int{2, 3, 5, 7} {
		all := tabletest.Must(p.CrossValidation(s, k, tabletest.Stream(2)))
		ones, most, least := 0., 0., math.Inf(1)
		for _, fold := range all {
			own := sumOf(p.Targets(fold.Valid))
			ones, most, least = ones+own, max(most, own), min(least, own)
			assert.InDelta(t, float64(len(rows))/float64(k), len(fold.Valid), 1)
		}
		assert.LessOrEqual(t, most-least, 1., "%d folds", k)
		assert.Equal(t, sumOf(p.Targets(rows)), ones)
	}
	squared := tabletest.Plan(t, lines, roles.Settings{Target: "left", Loss: roles.LossSquared})
	plain := tabletest.Must(squared.CrossValidation(s, 3, tabletest.Stream(2)))
	classes, err := p.CrossValidation(s, 3, tabletest.Stream(2))
	require.NoError(t, err)
	assert.NotEqual(t, plain, classes, "only classes are dealt out")
}

func sumOf(y []float64) (sum float64) {
	for _, v := range y {
		sum += v
	}
	return sum
}

func TestInTimeEveryFoldIsValidatedByWhatComesAfterIt(t *testing.T) {
	for name, when := range map[string]func(row int) string{
		"each its own": strconv.Itoa,
		"in days":      func(row int) string { return "2024-01-" + strconv.Itoa(10+row/7) },
		"uneven":       func(row int) string { return strconv.Itoa(row * row / 400) },
		"as fractions": func(row int) string { return strconv.Itoa(row/9) + []string{"", ".0"}[row%2] },
	} {
		p, s, all, err := folds(t, roles.SplitTime, 120, 4, when)
		require.NoError(t, err, name)
		whole := slices.Concat(s.Train, s.Valid)
		for f, fold := range all {
			assert.NotEmpty(t, fold.Train)
			assert.NotEmpty(t, fold.Valid)
			assert.Equal(t, whole[:len(fold.Train)], fold.Train, "all that came before")
			last, first := p.Table.Number(0, int(fold.Train[len(fold.Train)-1])), p.Table.Number(0, int(fold.Valid[0]))
			if name != "in days" {
				assert.Less(t, last, first, "%s: rows of one time stay together", name)
			}
			if f > 0 {
				assert.Equal(t, slices.Concat(all[f-1].Train, all[f-1].Valid), fold.Train)
			}
		}
		assert.Equal(t, whole, slices.Concat(all[3].Train, all[3].Valid))
	}
}

func TestFoldsThatCannotBeFilledAreRefused(t *testing.T) {
	for _, c := range []struct {
		kind roles.SplitKind
		n, k int
		when func(row int) string
		says string
	}{
		{roles.SplitRandom, 12, 6, strconv.Itoa, "tec.csv: 10 training and validation rows, but at least 12 are needed for 6 folds; use fewer folds"},
		{roles.SplitGroup, 60, 8, func(row int) string { return "g" + strconv.Itoa(row%6) }, "but 8 are needed, one per fold; use fewer folds"},
		{roles.SplitTime, 60, 5, func(row int) string { return strconv.Itoa(row / 10) }, "when has 5 times in training and validation rows, but 6 are needed, one more than folds; use fewer folds"},
	} {
		_, _, _, err := folds(t, c.kind, c.n, c.k, c.when)
		_, is := errors.AsType[*fault.PlanError](err)
		require.True(t, is, "%v", err)
		assert.ErrorContains(t, err, c.says)
	}
}

// The largest group is drawn first, so that small ones level the folds.
func TestFoldsOfGroupsAreAlikeInSize(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(40), 0, "group", func(row int) string { return "g" + strconv.Itoa(max(0, row-19)) })
	p := tabletest.Plan(t, lines, roles.Settings{Split: roles.SplitGroup, By: "group"})
	for seed := range uint64(5) {
		sizes := map[int]int{}
		for _, fold := range p.Folds(p.Rows, 2, tabletest.Stream(seed)) {
			sizes[fold]++
		}
		assert.Equal(t, map[int]int{0: 20, 1: 20}, sizes, "one group of 20, and 20 of one row each")
	}
}

// Each stretch that is still to come keeps a time for itself.
func TestAStretchOfTimeLeavesOneToEachBehindIt(t *testing.T) {
	_, _, all, err := folds(t, roles.SplitTime, 100, 2, func(row int) string { return strconv.Itoa(of(row, 10, 20, 80)) })
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, [4]int{10, 10, 20, 60}, [4]int{len(all[0].Train), len(all[0].Valid), len(all[1].Train), len(all[1].Valid)})
}

// of returns how many of these ends a row is behind.
func of(row int, ends ...int) (time int) {
	for _, end := range ends {
		if row >= end {
			time++
		}
	}
	return time
}

func TestAFoldThatTrainsOnOneClassIsRefusedWhateverTheSeed(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(60), 2, "y", func(row int) string { return map[bool]string{true: "21", false: "20"}[row == 30] })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	for seed := range uint64(9) {
		_, err := p.CrossValidation(p.Split(tabletest.Stream(seed)), 4, tabletest.Stream(seed))
		var target *fault.PlanError
		require.ErrorAs(t, err, &target)
		assert.Regexp(t, `^tec.csv: y is 20 in all 36 rows that fold [1-4] of 4 trains on; leave out cross-validation \(folds=0\), or add rows whose y is not 20$`, err.Error())
	}
	timed := tabletest.Column(lines, 1, "year", func(row int) string { return strconv.Itoa(1950 + row) })
	p = tabletest.Plan(t, timed, roles.Settings{Target: "y", Split: roles.SplitTime, By: "year"})
	_, err := p.CrossValidation(p.Split(nil), 4, nil)
	assert.ErrorContains(t, err, "fold 1 of 4 trains on; leave out cross-validation (folds=0), split rows at random, or add rows")
}
