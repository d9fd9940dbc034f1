package roles_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// by returns a plan of n rows that are split by the column when, which f fills.
func by(t *testing.T, kind roles.SplitKind, n int, f func(row int) string) (*roles.Plan, error) {
	t.Helper()
	lines := tabletest.Numbers(n)
	for i, line := range lines[1:] {
		lines[i+1] = f(i) + "," + line
	}
	lines[0] = "when," + lines[0]
	return roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y", Split: kind, By: "when"})
}

// sizes returns how many rows each part has, and the cells of the column when.
func sizes(s *roles.Split, p *roles.Plan) (n [3]int, cells [3][]string) {
	for i, part := range [][]int32{s.Train, s.Valid, s.Test} {
		n[i] = len(part)
		for _, row := range part {
			cells[i] = append(cells[i], p.Table.Text(0, int(row)))
		}
	}
	return n, cells
}

// checkSplit holds a split to what is true of every one.
func checkSplit(t *testing.T, p *roles.Plan, s *roles.Split) {
	t.Helper()
	seen := map[int32]bool{}
	for _, part := range [][]int32{s.Train, s.Valid, s.Test} {
		require.NotEmpty(t, part)
		for _, row := range part {
			require.False(t, seen[row], "in one part only")
			seen[row] = true
		}
	}
	require.Len(t, seen, s.Rows())
}

func TestLaterRowsTestWhereTimeSplits(t *testing.T) {
	const n = 60
	days := func(k int) string { return fmt.Sprintf("2021-%02d-%02d", 1+k/28, 1+k%28) }
	for name, f := range map[string]func(k int) string{
		"numbers":     strconv.Itoa,
		"fractions":   func(k int) string { return strconv.FormatFloat(float64(k)/16-2, 'g', -1, 64) },
		"dates":       days,
		"slashes":     func(k int) string { return strings.ReplaceAll(days(k), "-", "/") },
		"mixed dates": func(k int) string { return days(k) + []string{"", " 08:15"}[k%2] },
	} {
		p := tabletest.Must(by(t, roles.SplitTime, n, func(row int) string { return f(row * 7 % n) }))
		assert.Equal(t, roles.SplitRule{Kind: roles.SplitTime, By: "when"}, p.SplitRule)
		s := p.Split(tabletest.Stream(1))
		assert.Equal(t, [3]int{36, 12, 12}, [3]int{len(s.Train), len(s.Valid), len(s.Test)})
		for k, row := range slices.Concat(s.Train, s.Valid, s.Test) {
			require.Equal(t, k, int(row)*7%n, name)
		}
		assert.Equal(t, s, p.Split(tabletest.Stream(2)), "nothing is drawn")
	}
}

func TestAllRowsOfAGroupAreInOnePart(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for _, c := range []struct{ rows, groups int }{{10, 5}, {11, 9}, {60, 5}, {300, 40}, {9000, 4500}} {
		of := make([]int, c.rows)
		for i := range of {
			of[i] = int(float64(c.groups) * rng.Float64() * rng.Float64()) // the first are larger
			if i < c.groups {
				of[i] = i
			}
		}
		for _, cell := range []func(row int) string{
			func(row int) string { return "g" + strconv.Itoa(of[row]) },
			func(row int) string { return strconv.Itoa(3 * of[row]) },
		} {
			p := tabletest.Must(by(t, roles.SplitGroup, c.rows, cell))
			splits := map[string]bool{}
			for seed := range uint64(6) {
				s := p.Split(tabletest.Stream(seed))
				checkSplit(t, p, s)
				require.Equal(t, c.rows, s.Rows())
				apart(t, of, s.Train, s.Valid, s.Test)
				if c.groups >= 40 {
					assert.InDelta(t, .2, float64(len(s.Valid))/float64(c.rows), .03, "%v", c)
					assert.InDelta(t, .2, float64(len(s.Test))/float64(c.rows), .03, "%v", c)
				}
				splits[fmt.Sprint(s.Test)] = true
				assert.Equal(t, s, p.Split(tabletest.Stream(seed)), "a seed is a split")
			}
			assert.Greater(t, len(splits), 1, "%v: other seeds draw other groups", c)
		}
	}
}

func TestOneLargeGroupLeavesNoPartEmpty(t *testing.T) {
	for _, large := range []int{96, 60, 41, 40, 30} {
		p := tabletest.Must(by(t, roles.SplitGroup, 100, func(row int) string { return strconv.Itoa(max(0, row-large+1) % 5) }))
		for seed := range uint64(30) {
			checkSplit(t, p, p.Split(tabletest.Stream(seed)))
		}
	}
}

func TestOnePlanIsSplitInEveryWay(t *testing.T) {
	p := tabletest.Must(by(t, roles.SplitRandom, 100, func(row int) string { return strconv.Itoa(row % 25) }))
	random, err := p.SplitBy(roles.SplitRule{}, tabletest.Stream(5))
	require.NoError(t, err)
	assert.Equal(t, p.Split(tabletest.Stream(5)), random)
	for _, kind := range []roles.SplitKind{roles.SplitTime, roles.SplitGroup} {
		s := tabletest.Must(p.SplitBy(roles.SplitRule{Kind: kind, By: "when"}, tabletest.Stream(5)))
		checkSplit(t, p, s)
		own := tabletest.Must(by(t, kind, 100, func(row int) string { return strconv.Itoa(row % 25) }))
		assert.Equal(t, own.Split(tabletest.Stream(5)), s, "as a plan of this split does it")
		gaps := tabletest.Must(by(t, roles.SplitRandom, 60, func(row int) string { return []string{"", strconv.Itoa(row % 20)}[min(1, row%15)] }))
		s = tabletest.Must(gaps.SplitBy(roles.SplitRule{Kind: kind, By: "when"}, tabletest.Stream(1)))
		assert.Equal(t, 56, s.Rows(), "rows without a time or a group are in no part")
		_, err = p.SplitBy(roles.SplitRule{Kind: kind, By: "gone"}, tabletest.Stream(1))
		assert.EqualError(t, err, `tec.csv: rows are split by "gone", which is not in the table; split by another column`)
		_, _, err = encode.Encoding(p, s)
		assert.NoError(t, err)
	}
}

// Dates as most of the world writes them do not sort as text, nor do times of several
// offsets; rows of one hour differ in a fraction of a second.
func TestDatesOfAnyFormSuggestASplitByTheirInstants(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -8*3600)}
	for name, forms := range map[string][]string{
		"day first": {"02.01.2006 15:04:05.000", "02/01/2006 03:04:05.000 PM"}, "month first": {"01/02/2006 3:04:05.000 pm"},
		"names": {"Mon, 2 Jan 2006 15:04:05.000 -0700"}, "offsets": {"2006-01-02T15:04:05.000Z07:00", "2006-01-02 15:04:05.000-0700"},
	} {
		place := map[string]int{}
		lines := tabletest.Column(tabletest.Numbers(100), 0, "Datum", func(row int) string {
			k := row * 7 % 100
			at := time.Date(2021, 1, 31, 22, 59, 59, 0, time.UTC).Add(time.Duration(k) * 20 * time.Millisecond)
			if strings.Contains(forms[0], "-07") || strings.Contains(forms[0], "Z07") {
				at = at.In(zones[row%3])
			}
			text := at.Format(forms[row%len(forms)])
			place[text] = k
			return strconv.Quote(text)
		})
		p := tabletest.Plan(t, lines, roles.Settings{})
		require.Len(t, p.Suggested, 1, name)
		assert.Equal(t, note.TopicTime, p.Suggested[0].Topic, name)
		assert.Equal(t, []string{"Datum"}, p.Suggested[0].Columns, name)
		p = tabletest.Plan(t, lines, roles.Settings{Split: roles.SplitTime})
		assert.Empty(t, p.Suggested, "it is so already")
		s := p.Split(nil)
		at := 0
		for _, row := range slices.Concat(s.Train, s.Valid, s.Test) {
			require.Equal(t, at, place[p.Table.Text(0, int(row))], name)
			at++
		}
		folds := tabletest.Must(p.CrossValidation(s, 4, nil))
		assert.Len(t, folds[3].Valid, 16)
	}
}

func TestOneInstantIsOneTimeHoweverItIsWritten(t *testing.T) {
	p, err := by(t, roles.SplitTime, 50, func(row int) string {
		return fmt.Sprintf([]string{"2021-01-%02d", "2021-01-%02d 00:00", "2021-01-%02dT02:30+02:30", "2021/1/%dT00:00:00.000Z"}[row%4], 1+row/10)
	})
	require.NoError(t, err)
	s := p.Split(nil)
	assert.Equal(t, []int{30, 10, 10}, []int{len(s.Train), len(s.Valid), len(s.Test)})
	_, err = p.CrossValidation(s, 4, nil)
	assert.ErrorContains(t, err, "when has 4 times in training and validation rows, but 5 are needed")
}

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
	classes := tabletest.Must(p.CrossValidation(s, 3, tabletest.Stream(2)))
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
		require.ErrorAs(t, err, new(*fault.PlanError))
		assert.Regexp(t, `^tec.csv: y is 20 in all 36 rows that fold [1-4] of 4 trains on; leave out cross-validation \(folds=0\), or add rows whose y is not 20$`, err.Error())
	}
	timed := tabletest.Column(lines, 1, "year", func(row int) string { return strconv.Itoa(1950 + row) })
	p = tabletest.Plan(t, timed, roles.Settings{Target: "y", Split: roles.SplitTime, By: "year"})
	_, err := p.CrossValidation(p.Split(nil), 4, nil)
	assert.ErrorContains(t, err, "fold 1 of 4 trains on; leave out cross-validation (folds=0), split rows at random, or add rows")
}

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

func TestSharesOfNumbersAreTheSplit(t *testing.T) {
	const n = 40
	for _, shares := range [][2]float64{{.2, .2}, {.25, 0}, {0, .3}, {0, 0}, {.5, .45}} {
		for _, classes := range []bool{false, true} {
			table, err := table.FromNumbers(table.Numbers{Columns: []string{"x", "y"}, Rows: n, Valid: shares[0], Test: shares[1], At: func(i, j int) float64 {
				if classes && j == 1 {
					return float64(i % 4 / 3)
				}
				return float64(i*i - j*i)
			}})
			require.NoError(t, err)
			plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y"})
			set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 1))))
			valid, test := int(shares[0]*n), int(shares[1]*n)
			assert.Len(t, set.Valid.Y, valid)
			assert.Len(t, set.Test.Y, test)
			seen := map[int]bool{}
			for k, part := range []design.Part{set.Train, set.Valid, set.Test} {
				ones := 0.0
				for i, line := range part.Line {
					assert.False(t, seen[line])
					seen[line] = true
					ones += part.Y[i]
				}
				if classes {
					assert.InDelta(t, float64(len(part.Y))/4, ones, 1, "part %d of %v has its share of the classes, to a row", k, shares)
				}
			}
			assert.Len(t, seen, n)
		}
	}
}
