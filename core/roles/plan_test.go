package roles_test

import (
	"fmt"
	"math"
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
	"ifmlab/core/moment"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func TestProfileDescribesEachColumn(t *testing.T) {
	table := tabletest.Read(t, "id,name,town,x,flag,none,day\n"+
		"1,Ann,Rome,1,yes,,5\n"+
		"2,Bob,Rome,2,no,NA,5\n"+
		"3,Cid,Oslo,4,no,null,5\n"+
		"4,Dee,Rome,NaN,yes,,5\n"+
		"5,Eve,,1.0,yes,,5\n"+
		"6,Fay,Oslo,-1,yes,,5\n")
	p := roles.Profiles(table)
	var guesses []string
	var counts [][2]int
	for _, c := range p {
		guesses = append(guesses, fmt.Sprintf("%s: %s %s", c.Name, c.Kind, c.Guess))
		counts = append(counts, [2]int{c.Distinct, c.Missing})
	}
	assert.Equal(t, []string{"id: numeric ignore", "name: categorical ignore", "town: categorical feature", "x: numeric feature",
		"flag: categorical target", "none: categorical ignore", "day: numeric ignore"}, guesses)
	assert.Equal(t, [][2]int{{6, 0}, {6, 0}, {2, 1}, {4, 1}, {2, 0}, {0, 6}, {1, 0}}, counts, "1 and 1.0 are one number")
	assert.Equal(t, []float64{3.5, 1, 6}, []float64{p[0].Mean, p[0].Min, p[0].Max})
	assert.InDelta(t, 1.707825127659933, p[0].SD, 1e-15)
	assert.True(t, p[2].DistinctExact)
	assert.Equal(t, []string{"Rome", "Oslo"}, p[2].Levels)
}

func TestACellThatIsNoNumberLosesItsRowOnlyWhereItIsUsed(t *testing.T) {
	for _, n := range []int{60, 10_000} { // kept as a dictionary, kept as numbers
		bad := map[int]string{7: "12x", 20: "Inf", 31: "1e999", n - 20: "0x10", n - 10: " 1_0 "}
		lines := tabletest.Column(tabletest.Numbers(n), 1, "b", func(row int) string {
			if s, ok := bad[row]; ok {
				return s
			}
			return fmt.Sprint(float64(row)/3 + 0.5)
		})
		for len(lines) < 101 { // so that they are fewer than one in twenty
			lines = append(lines, fmt.Sprintf("1,%d,%d", len(lines), len(lines)%7))
		}
		used := tabletest.Plan(t, lines, roles.Settings{})
		require.Equal(t, 5, used.DroppedCount)
		for i, row := range []int{7, 20, 31, n - 20, n - 10} {
			d := used.Dropped[i]
			assert.Equal(t, fault.NotNumber, d.Problem)
			assert.Equal(t, []string{"b", strings.TrimSpace(bad[row])}, []string{d.Field, d.Found})
			assert.Equal(t, row+2, d.Line)
			assert.Equal(t, strings.Index(lines[row+1], bad[row])+1, d.Column)
		}
		assert.Regexp(t, `^tec.csv:9:\d+: b is "12x", expected a finite number. Correct the cell or delete line 9$`, used.Dropped[0].Error())

		assert.Zero(t, tabletest.Plan(t, lines, roles.Settings{Ignore: []string{"b"}}).DroppedCount)
		assert.Zero(t, tabletest.Plan(t, lines, roles.Settings{Categorical: []string{"b"}}).DroppedCount)
	}
}

func TestABadCellIsPlacedWhereItStandsAmongSpaces(t *testing.T) {
	text := "a   b   y\n" + strings.Repeat("1 2   3\n4  5  6\n", 15) + " 7    x8   9\n"
	p := tabletest.PlanOf(t, tabletest.Read(t, text), roles.Settings{})
	require.Equal(t, 1, p.DroppedCount)
	assert.Equal(t, []int{32, 7}, []int{p.Dropped[0].Line, p.Dropped[0].Column})
}

func TestMoreThanOneBadCellInTenIsAnError(t *testing.T) {
	for _, n := range []int{100, 5000} { // kept as a dictionary, kept as numbers
		lines := tabletest.Column(tabletest.Numbers(n), 0, "a", func(row int) string { return []string{fmt.Sprint(row), "2", "x", "3"}[row%4] })
		lines[50] = "1,2" // one that could not be read
		_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Numeric: []string{"a"}})
		many := tabletest.As[*fault.TooManyBadRowsError](t, err)
		assert.Equal(t, []int{n/4 + 1, n}, []int{many.Count, many.Rows})
		assert.Contains(t, err.Error(), `tec.csv:4:1: a is "x"`)
		var order []int
		for _, bad := range many.Bad {
			order = append(order, bad.Line)
		}
		assert.Len(t, order, min(many.Count, 1000))
		assert.IsIncreasing(t, order)
		assert.Contains(t, order, 51)
	}
}

func TestMissingCellsDropTheirRowsWhenAsked(t *testing.T) {
	for _, n := range []int{50, 9000} { // as numbers, a bad cell and a missing one are both NaN
		odd := map[int]string{3: "", n - 20: "N/A", n - 10: "!"}
		lines := tabletest.Column(tabletest.Numbers(n), 0, "a", func(row int) string {
			if cell, is := odd[row]; is {
				return cell
			}
			return fmt.Sprint(float64(row*row) + .25)
		})
		assert.Equal(t, n-1, len(tabletest.Plan(t, lines, roles.Settings{}).Rows))
		dropped := tabletest.Plan(t, lines, roles.Settings{Missing: roles.MissingDrop})
		require.Equal(t, []int{n - 3, 3}, []int{len(dropped.Rows), dropped.DroppedCount})
		for i, want := range []fault.Problem{fault.MissingCell, fault.MissingCell, fault.NotNumber} {
			assert.Equal(t, want, dropped.Dropped[i].Problem)
		}
		assert.Equal(t, "tec.csv:5: a is missing; fill in the cell, flag missing cells, or the row is left out", dropped.Dropped[0].Error())
		assert.Equal(t, 3, tabletest.Plan(t, lines, roles.Settings{Weight: "a"}).DroppedCount, "a weight may not miss")
		ignored := tabletest.Plan(t, lines, roles.Settings{Missing: roles.MissingDrop, Ignore: []string{"a"}})
		assert.Len(t, ignored.Rows, n, "an ignored column may miss")
	}
}

func TestALinkOlderThanTheFileIsPassedOverWithANotice(t *testing.T) {
	p := tabletest.Plan(t, tabletest.Numbers(30), roles.Settings{Target: "t", Ignore: []string{"gone", "a"}, Numeric: []string{"b"}, Categorical: []string{"b"}})
	assert.Equal(t, "y", p.Target)
	assert.Equal(t, []string{
		`the settings name a target "t", which is not in the table; another was chosen`,
		"the settings call b both categorical and numeric; it is read as numeric",
		`the settings name a column "gone", which is not in the table; this was ignored`,
	}, p.Notes.Texts())

	p = tabletest.Plan(t, tabletest.Numbers(30), roles.Settings{Target: "a", Ignore: []string{"a"}})
	assert.Equal(t, "a", p.Target)
	assert.Equal(t, []string{"the settings call a both target and ignored; it is the target"}, p.Notes.Texts())
}

func TestATargetConstantInTrainingRowsIsRefused(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(10), 2, "y", func(row int) string { return fmt.Sprint(max(0, row-7)) })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	_, err := encode.DatasetOf(p, &roles.Split{Train: p.Rows[:6], Valid: p.Rows[6:8], Test: p.Rows[8:]})
	assert.EqualError(t, err, "tec.csv: y is 0 in every training row; add rows whose y is not 0, or choose another target")
	_, err = encode.DatasetOf(p, &roles.Split{Train: p.Rows[4:], Valid: p.Rows[:2], Test: p.Rows[2:4]})
	assert.NoError(t, err)
}

func TestAPlanThatCannotBeMadeIsRefusedWithAdvice(t *testing.T) {
	of := func(n, column int, cell func(row int) string) []string {
		return tabletest.Column(tabletest.Numbers(n), column, []string{"a", "b", "y"}[column], cell)
	}
	always := func(cell string) func(int) string { return func(int) string { return cell } }
	modulo := func(prefix string, n int) func(int) string {
		return func(row int) string { return prefix + strconv.Itoa(row%n) }
	}
	numbers := tabletest.Numbers(30)
	for _, c := range []struct {
		lines    []string
		settings roles.Settings
		problem  fault.PlanProblem
		want     string
	}{
		{of(30, 2, always("7")), roles.Settings{Target: "y"}, fault.Target, "y is 7 in every row; choose a target that varies"},
		{of(30, 2, always("same")), roles.Settings{Target: "y"}, fault.Target, "y is same in every row; choose a target that varies"},
		{append([]string{"a,b"}, slices.Repeat([]string{"same,same"}, 20)...), roles.Settings{}, fault.Target, "no column can be the target, expected numbers or classes that vary (a: it is same in every row; b: it is same in every row). Choose another table"},
		{tabletest.Numbers(9), roles.Settings{}, fault.TooFewRows, "9 usable rows, but training, validation and test need at least 10; open a longer table"},
		{of(12, 2, func(row int) string { return []string{"", "1", "2", "3"}[row%4] }), roles.Settings{Target: "y"}, fault.TooFewRows,
			"9 usable rows, but training, validation and test need at least 10; 3 were left out, the first on line 2 (y, the target, is missing; fill in the cell or the row is left out); repair them or open a longer table"},
		{numbers, roles.Settings{Ignore: []string{"a", "b"}}, fault.NoFeatures, "no column is left to predict y from (a: the settings ignore it; b: the settings ignore it); use at least one column that varies"},
		{tabletest.Column(of(30, 0, always("1")), 1, "b", always("2")), roles.Settings{Ignore: []string{"b"}}, fault.NoFeatures, "no column is left to predict y from (a: it is 1 in every row; b: it is 2 in every row); use at least one column that varies"},
		{of(50, 2, modulo("", 3)), roles.Settings{Target: "y", Loss: roles.LossLogistic}, fault.Target,
			"y has 3 different numbers, but the logistic loss needs two values; learn them as classes with categorical=y, leave loss=auto, or choose a target with two values"},
		{of(50, 2, strconv.Itoa), roles.Settings{Target: "y", Loss: roles.LossLogistic}, fault.Target,
			"y has more than 30 different numbers, but the logistic loss needs two values; leave loss=auto, or choose a target with two values"},
		{of(60, 2, modulo("k", 3)), roles.Settings{Target: "y", Loss: roles.LossSquared}, fault.Target, "y has 3 classes, and the squared loss takes numbers; leave loss=auto"},
		{of(120, 2, modulo("k", 40)), roles.Settings{Target: "y"}, fault.Target,
			"y has 40 different texts; classes can be learned up to 30; join rare ones, or choose another target, for instance a, b"},
		{of(120, 2, modulo("", 40)), roles.Settings{Target: "y", Categorical: []string{"y"}}, fault.Target,
			"y has 40 different texts; classes can be learned up to 30; learn numbers (leave categorical=y), or choose another target"},
		{of(50, 0, modulo("g", 1)), roles.Settings{Split: roles.SplitGroup, By: "a"}, fault.Split,
			"a has 1 different value in usable rows, but a split needs at least 5 groups; split by another column or at random"},
		{of(50, 0, modulo("g", 4)), roles.Settings{Split: roles.SplitGroup, By: "a"}, fault.Split,
			"a has 4 different values in usable rows, but a split needs at least 5 groups; split by another column or at random"},
		{numbers, roles.Settings{Split: roles.SplitTime}, fault.Split, "rows are split by time, but no column is named or suggested; name one in by"},
		{numbers, roles.Settings{Split: roles.SplitGroup}, fault.Split, "rows are split by group, but no column is named or suggested; name one in by"},
		{numbers, roles.Settings{Target: "a", Split: roles.SplitTime, By: "a"}, fault.Split, "rows are split by a, which is the target; split by another column"},
		{numbers, roles.Settings{Target: "a", Split: roles.SplitGroup, By: "a"}, fault.Split, "rows are split by a, which is the target; split by another column"},
	} {
		_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(c.lines)), c.settings)
		assert.ErrorContains(t, err, "tec.csv: "+c.want)
		assert.True(t, fault.IsPlan(err, c.problem), "%v", err)
	}
	p := tabletest.Plan(t, tabletest.Column(of(30, 1, always("2")), 0, "a", strconv.Itoa), roles.Settings{})
	assert.Equal(t, "nothing else is left, though it counts the rows: each cell is one more than the one before", p.Uses[0].Reason)
	assert.Equal(t, roles.RoleFeature, p.Roles[0])
	set := tabletest.DatasetOf(t, tabletest.Plan(t, tabletest.Numbers(10), roles.Settings{}))
	assert.Equal(t, []int{6, 2, 2}, []int{len(set.Train.Y), len(set.Valid.Y), len(set.Test.Y)})
	assert.NotEmpty(t, tabletest.Plan(t, of(50, 0, modulo("g", 5)), roles.Settings{Split: roles.SplitGroup, By: "a"}).Rows)
}

func TestAFewNumbersTooLargeToSquareAreBadRows(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(60), 0, "big", func(row int) string {
		if row == 7 {
			return "-1e200"
		}
		return strconv.Itoa(row % 9)
	})
	p := tabletest.Plan(t, lines, roles.Settings{})
	require.Equal(t, 1, p.DroppedCount)
	assert.Equal(t, `tec.csv:9: big is "-1e200", expected a number whose square is finite. Correct the cell or delete line 9`, p.Dropped[0].Error())
}

func TestMinusZeroIsZeroInATargetOfTwoValues(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(60), 1, "y", func(row int) string { return []string{"-1", "0", "-0.0"}[row%3] })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	assert.Equal(t, []float64{0, 1, 1}, p.Targets([]int32{0, 1, 2}))
	assert.Contains(t, p.Notes.Texts(), "y has two values; models learn the probability of 0, not of -1, because it is the larger number")
}

func TestAHeaderOfEqualNamesIsReadInNoTime(t *testing.T) {
	header := strings.Repeat("x,", 19998) + "x,y"
	rows := strings.Repeat(strings.Repeat("1,", 19999)+"2\n", 2)
	table := tabletest.Read(t, header+"\n"+rows)
	assert.Equal(t, "x (19999)", table.Names()[19998])

	_, err := read.Read(strings.NewReader("x,"+header+"\n"), read.Options{Name: "t.csv"})
	file := tabletest.As[*fault.FileError](t, err)
	assert.Equal(t, fault.TooLarge, file.Problem)
	assert.Contains(t, err.Error(), "the first row has 20001 columns, more than the limit of 20000")
}

func TestRawColumnsAreTheCellsOfTheRowsThatAreAsked(t *testing.T) {
	table, err := read.Read(strings.NewReader("x,colour,skip,y\n"+
		"1,red,a,1\n2,,a,2\n,blue,a,3\n4,red,a,4\n5,blue,a,5\n6,red,a,6\n7,red,a,7\n8,red,a,8\n9,red,a,9\n10,red,a,10\n"), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y", Ignore: []string{"skip"}})
	raw := plan.Raw([]int32{2, 0, 1})
	require.Len(t, raw, 2)
	assert.Equal(t, "x", raw[0].Name)
	assert.True(t, math.IsNaN(raw[0].Numbers[0]))
	assert.Equal(t, []float64{1, 2}, raw[0].Numbers[1:])
	assert.Nil(t, raw[0].Codes)
	assert.Equal(t, "colour", raw[1].Name)
	assert.Equal(t, design.Categorical, raw[1].Kind)
	assert.Equal(t, []string{"red", "blue"}, raw[1].Levels)
	assert.Equal(t, []int32{1, 0, -1}, raw[1].Codes)
}

func TestDatesWithoutATimeHaveTheirDays(t *testing.T) {
	for text, want := range map[string][]float64{
		"when,when (days)\n2021-03-04,7\n2021-03-05,9\nunknown,8\n": {18690, 18691, math.NaN()},
		"when,n\n2021-03-04 09:35,7\n2021-03-05 09:40,9\n":          nil, // though the hour does not vary
		"when,n\n2021-03,7\n2021-04,9\n":                            {math.NaN(), math.NaN()},
		"when,n\n7,8\n8,9\n":                                        nil,
	} {
		_, _, days := roles.CellsOf(tabletest.ReadAs(t, text, read.Options{Answers: read.Answers{Dates: []string{"when:ymd"}}}), 0, []float64{2, 3, 4}[:strings.Count(text, "\n")-1])
		assert.Equal(t, fmt.Sprint(want), fmt.Sprint(days), text)
	}
	codes := tabletest.Read(t, "zip,x\n0101,7\nNA,many\n0102,9\n"+strings.Repeat("0101,8\n0102,7\n", 9))
	for i, want := range []string{`[NaN NaN NaN] ["0101" "" "0102"]`, `[7 NaN 9] ["" "many" ""]`} {
		numbers, texts, _ := roles.CellsOf(codes, i, []float64{2, 3, 4})
		assert.Equal(t, want, fmt.Sprintf("%v %q", numbers, texts), "levels have texts, numbers have none")
	}
}

func TestAProfileOfManyRowsHoldsTheMomentsOfEveryNumber(t *testing.T) {
	const rows = 20_011
	var file strings.Builder
	file.WriteString("row,gaps,odd,few,y\n")
	want := map[string]*moment.Accumulator{"row": {}, "gaps": {}, "odd": {}, "few": {}, "y": {}}
	number := func(name string, v float64) string {
		want[name].Add(v)
		return fmt.Sprint(v)
	}
	for i := range rows {
		gap, odd := "NA", "!"
		if i%7 > 0 {
			gap = number("gaps", float64(i*i%9973)/8)
		}
		if i%100 > 0 {
			odd = number("odd", float64(i%5003)-2500.5)
		}
		fmt.Fprintf(&file, "%s,%s,%s,%s,%s\n", number("row", float64(i+1)), gap, odd, number("few", float64(i%12)), number("y", math.Sqrt(float64(i))))
	}
	table := tabletest.Read(t, file.String())
	profiles := roles.Profiles(table)
	require.Len(t, profiles, len(want))
	for _, p := range profiles {
		w := want[p.Name]
		assert.Equal(t, design.Numeric, p.Kind, p.Name)
		assert.Equal(t, []float64{w.Min(), w.Max()}, []float64{p.Min, p.Max}, p.Name)
		// Two orders of adding 20000 numbers.
		assert.InEpsilon(t, w.Mean(), p.Mean, 1e-10, p.Name)
		assert.InEpsilon(t, w.SD(), p.SD, 1e-10, p.Name)
		assert.InEpsilon(t, w.Tau(), p.Tau, 1e-9, p.Name)
	}
	assert.Equal(t, roles.RoleIgnore, profiles[0].Guess, "it counts the rows")
	assert.Equal(t, []int{0, (rows + 6) / 7, 0, 0, 0}, []int{profiles[0].Missing, profiles[1].Missing, profiles[2].Missing, profiles[3].Missing, profiles[4].Missing})
	assert.Equal(t, (rows+99)/100, profiles[2].Unreadable)
	assert.Equal(t, roles.RoleTarget, profiles[4].Guess)
}

// roleOf returns what the first of two columns is taken for, beside numbers.
func roleOf(t *testing.T, n int, name string, f func(row int) string) roles.Use {
	t.Helper()
	return firstOf(t, n, name, f, roles.Settings{}).Uses[0]
}

// Amounts are drawn around a mean; the numbers of a gas, a room or a year of school are
// such.
func TestANameAloneMakesNoIdentifier(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		spread, n := 3+40*rng.Float64(), 200+rng.IntN(900)
		amount := func(int) string { return strconv.Itoa(max(0, int(6*spread+spread*rng.NormFloat64()))) }
		for _, name := range []string{"NO", "NO2", "education_num", "room_no", "key", "iso", "index", "row", "product"} {
			u := roleOf(t, n, name, amount)
			assert.Equal(t, roles.RoleFeature, u.Role, "%s: %s", name, u.Reason)
			assert.Equal(t, design.Numeric, u.Kind, "%s: %s", name, u.Reason)
		}
		id := roleOf(t, n, "customer_id", func(int) string { return strconv.Itoa(1 + rng.IntN(n/8)) })
		assert.Equal(t, design.Categorical, id.Kind, id.Reason)
		for _, name := range []string{"account", "customer no"} {
			u := roleOf(t, n, name, func(int) string { return strconv.Itoa(1_000_000 + rng.IntN(8_999_999)) })
			assert.Equal(t, roles.RoleIgnore, u.Role, "%s: %s", name, u.Reason)
		}
	}
}

func TestASavedRowIndexIsNoFeature(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 53))
		n, by := 30+rng.IntN(400), 1-2*int(seed%2)
		at := 1000 * n
		gaps := func(int) string {
			at += by * (1 + rng.IntN(3))
			return strconv.Itoa(at)
		}
		for _, name := range []string{"", "rowid", "obs", "__index_level_0__", "Unnamed: 0", "#", "S.No", "id", "record"} {
			u := roleOf(t, n, name, gaps)
			assert.Equal(t, roles.RoleIgnore, u.Role, "%q: %s", name, u.Reason)
			u = roleOf(t, n, name, func(row int) string { return strconv.Itoa(10 * (row + 1)) })
			assert.Equal(t, roles.RoleIgnore, u.Role, "%q: %s", name, u.Reason)
		}
		shuffled := rng.Perm(3 * n)
		u := roleOf(t, n, "", func(row int) string { return strconv.Itoa(shuffled[row]) })
		assert.Equal(t, roles.RoleIgnore, u.Role, u.Reason)

		for _, name := range []string{"depth", "year", "mileage", "dose"} {
			assert.Equal(t, roles.RoleFeature, roleOf(t, n, name, gaps).Role, name)
		}
		u = roleOf(t, n, "", func(row int) string { return fmt.Sprintf("%.2f", float64(row)+rng.Float64()) })
		assert.Equal(t, roles.RoleFeature, u.Role, "fractions are no index")
		u = roleOf(t, n, "", func(int) string { return strconv.Itoa(rng.IntN(12)) })
		assert.Equal(t, roles.RoleFeature, u.Role, "numbers that repeat are no index")
	}
	lines := tabletest.Drawn(40, "a,b,y", func(row int, x [4]float64) []any { return []any{row, 3*row + 5, x[0]} })
	p := tabletest.Plan(t, lines[1:], roles.Settings{})
	assert.Equal(t, []roles.Role{roles.RoleIgnore, roles.RoleFeature}, p.Roles[:2], "without a header the first alone is one")
}

// priced is a file of 40 rows. price runs from 0,5 to 40,5 with a comma, and every tenth is
// missing; when runs from 1 March 2024 on, and has times.
func priced() string {
	return tabletest.File("price;kind;code;when;at:home;y", 40, func(i int) string {
		price := fmt.Sprintf("%d,5", i)
		if i%10 == 9 {
			price = ""
		}
		return fmt.Sprintf("%s;%s;%05d;%02d.%02d.2024 12:30;%s;%d,25", price, []string{"a", "B c", "\"a;b\"", "x:y"}[i%4], i%7, 1+i%30, 3+i/30, []string{"1", "1,0", "2", "NA"}[i%4], i*i%31)
	})
}

func TestARuleKeepsTheRowsThatMeetIt(t *testing.T) {
	prices := tabletest.Read(t, priced())
	for rules, want := range map[string]func(i int) bool{
		"price:>:5":                        func(i int) bool { return i%10 != 9 && float64(i)+.5 > 5 },
		"price:>=:5,5":                     func(i int) bool { return i%10 != 9 && i >= 5 },
		"price:>=:5.5":                     func(i int) bool { return i%10 != 9 && i >= 5 },
		"price:<:20,5":                     func(i int) bool { return i%10 != 9 && i < 20 },
		"price:<=:20,50":                   func(i int) bool { return i%10 != 9 && i <= 20 },
		"price:!=:7,50":                    func(i int) bool { return i != 7 },
		"price:!=:":                        func(i int) bool { return i%10 != 9 },
		"kind:=:a":                         func(i int) bool { return i%4 == 0 },
		"kind:!=:B c":                      func(i int) bool { return i%4 != 1 },
		`kind:=:a\;b`:                      func(i int) bool { return i%4 == 2 },
		"kind:=: x:y ":                     func(i int) bool { return i%4 == 3 },
		"at:home:=:1.0":                    func(i int) bool { return i%4 < 2 },
		`at\:home:!=:1`:                    func(i int) bool { return i%4 >= 2 },
		"at:home:=:":                       func(i int) bool { return i%4 == 3 },
		"code:!=:00003":                    func(i int) bool { return i%7 != 3 },
		"code:!=:3":                        func(int) bool { return true },
		"when:>=:11.03.2024 12:30":         func(i int) bool { return i >= 10 },
		"when:>:2024-03-11 12:30":          func(i int) bool { return i > 10 },
		"when:<:2024-03-21":                func(i int) bool { return i < 20 },
		"when:!=:3 March 2024 12:30":       func(i int) bool { return i != 2 },
		"when (weekday):!=:Monday":         func(i int) bool { return (i+i/30)%7 != 3 },
		"price:>:5;kind:!=:a;;price:<=:30": func(i int) bool { return i%10 != 9 && i >= 5 && i < 30 && i%4 != 0 },
		"kind:!=:a;price:!=:;when:>=:2024-03-10; ": nil,
	} {
		s, notices := spec.Parse("rows=" + strings.NewReplacer(";", "%3B", " ", "%20").Replace(rules))
		require.Empty(t, notices)
		require.Equal(t, rules, s.Rows)
		if want == nil {
			_, err := roles.NewPlan(prices, roles.Settings{Target: "y", Rows: s.Rules()})
			assert.ErrorContains(t, err, `the rule " " has none of the operators`)
			continue
		}
		plan := tabletest.PlanOf(t, prices, roles.Settings{Target: "y", Rows: s.Rules()})
		var rows []int32
		for i := range int32(40) {
			if want(int(i)) {
				rows = append(rows, i)
			}
		}
		assert.Equal(t, rows, plan.Rows, rules)
		assert.Zero(t, plan.DroppedCount, "it is no fault")
	}
}

func TestRowsThatRulesLeaveOutAreCountedAndNoFault(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(60), 0, "a", func(row int) string {
		if row < 20 {
			return "none at all" // far more than one in ten
		}
		return fmt.Sprint(row)
	})
	_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y", Numeric: []string{"a"}})
	require.ErrorAs(t, err, new(*fault.TooManyBadRowsError))
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y", Numeric: []string{"a"}, Rows: []string{"a:!=:none at all", "b:<:100"}})
	assert.Len(t, p.Rows, 40)
	assert.Empty(t, p.Dropped)
	assert.Contains(t, p.Notes.Texts(), "20 rows are left out by the rule a ≠ none at all")
	order := p.EntryOrder(p.Table.Columns[0])
	assert.Len(t, order, 40, "of the numbers, and not of the text")
	assert.Equal(t, "20", p.Table.Columns[0].Entries[order[0]].Text)
	assert.NotContains(t, strings.Join(p.Notes.Texts(), "\n"), "b < 100", "a rule that leaves out nothing decides nothing")
	p = tabletest.Plan(t, lines, roles.Settings{Target: "y", Categorical: []string{"a"}, Rows: []string{"a:!=:21", "b:!=:"}})
	assert.Contains(t, p.Notes.Texts(), "1 row is left out by the rule a ≠ 21")
}

func TestARuleThatCannotBeUsedSaysWhatToDo(t *testing.T) {
	prices := tabletest.Read(t, priced())
	for rules, want := range map[string]string{
		"Prices:>:0":             `the rule "Prices:>:0" names a column "Prices", which is not in the table; its columns are price, `,
		"pay:day:=:3":            `names a column "pay:day", which is not in the table`,
		"price:~:0":              `the rule "price:~:0" has none of the operators = != < <= > >= between two colons; write it as in price:>:0`,
		"price > 0":              `the rule "price > 0" has none of the operators`,
		"price:>:dear":           `the rule "price:>:dear" compares price with "dear", expected a number; correct the value`,
		"price:<:":               `compares price with "", expected a number`,
		"when:<:spring":          `compares when with "spring", expected a date such as 2024-03-31; correct the value`,
		"kind:<:b":               `the rule "kind:<:b" compares kind by <, but it holds texts such as "a"; use = or !=`,
		"price:>:1e9":            "0 of 40 rows meet the rule price > 1e9, but training, validation and test need at least 10; change or remove a rule",
		"price:>:20;kind:=:a":    "5 of 40 rows meet the rule price > 20 and kind = a, but training",
		"price:=:":               "4 of 40 rows meet the rule price is missing",
		"kind:=:a;kind:=:nobody": "0 of 40 rows meet the rule kind = a and kind = nobody",
	} {
		s := spec.Default()
		s.Rows = rules
		_, err := roles.NewPlan(prices, roles.Settings{Target: "y", Rows: s.Rules()})
		require.ErrorContains(t, err, want)
		require.True(t, fault.IsPlan(err, fault.Rule), rules)
	}
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, "%d %d:1\n", i%2, i)
	}
	_, err := roles.NewPlan(tabletest.Read(t, lines.String()), roles.Settings{Rows: []string{table.BlockName + ":>:1"}})
	assert.ErrorContains(t, err, "which stands for many features")
}
