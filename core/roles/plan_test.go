package roles_test

import (
	"fmt"
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

func TestProfileDescribesEachColumn(t *testing.T) {
	table := tabletest.Read(t, "id,name,town,x,flag,none,day\n"+
		"1,Ann,Rome,1,yes,,5\n"+
		"2,Bob,Rome,2,no,NA,5\n"+
		"3,Cid,Oslo,4,no,null,5\n"+
		"4,Dee,Rome,NaN,yes,,5\n"+
		"5,Eve,,1.0,yes,,5\n"+
		"6,Fay,Oslo,-1,yes,,5\n")
	p := roles.Profiles(table)
	require.Len(t, p, 7)

	id := p[0]
	assert.Equal(t, roles.RoleIgnore, id.Guess, "a counter of rows")
	assert.Equal(t, design.Numeric, id.Kind)
	assert.Equal(t, 3.5, id.Mean)
	assert.InDelta(t, 1.707825127659933, id.SD, 1e-15)
	assert.Equal(t, []float64{1, 6}, []float64{id.Min, id.Max})

	name := p[1]
	assert.Equal(t, design.Categorical, name.Kind)
	assert.Equal(t, roles.RoleIgnore, name.Guess, "names")
	assert.Equal(t, 6, name.Distinct)

	town := p[2]
	assert.Equal(t, roles.RoleFeature, town.Guess)
	assert.Equal(t, 1, town.Missing)
	assert.Equal(t, 2, town.Distinct)
	assert.True(t, town.DistinctExact)
	assert.Equal(t, []string{"Rome", "Oslo"}, town.Levels)

	x := p[3]
	assert.Equal(t, roles.RoleTarget, p[4].Guess, "the last column, of two values")
	assert.Equal(t, roles.RoleFeature, x.Guess)
	assert.Equal(t, 1, x.Missing)
	assert.Equal(t, 4, x.Distinct, "1 and 1.0 are one number")

	assert.Equal(t, roles.RoleIgnore, p[5].Guess, "nothing in it")
	assert.Equal(t, 6, p[5].Missing)
	assert.Equal(t, roles.RoleIgnore, p[6].Guess, "constant")
}

func TestTauIsZeroForTwoValuesAndTwoForTheGaussian(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(20_000), 0, "a", func(row int) string { return fmt.Sprint(row%2*2 - 1) })
	p := roles.Profiles(tabletest.Read(t, tabletest.Join(lines)))
	assert.InDelta(t, 0, p[0].Tau, 1e-12)
	assert.InDelta(t, 2, p[1].Tau, 0.15)
	assert.False(t, p[1].DistinctExact)
	assert.Greater(t, p[1].Distinct, 4000)
}

func TestNineNumbersInTenMakeAColumnNumeric(t *testing.T) {
	for _, c := range []struct {
		every      int
		kind       design.Kind
		unreadable int
	}{{10, design.Numeric, 40}, {9, design.Categorical, 0}} {
		lines := tabletest.Column(tabletest.Numbers(400), 0, "a", func(row int) string {
			if (row+1)%c.every == 0 {
				return "Inf"
			}
			return fmt.Sprint(row * row)
		})
		p := roles.Profiles(tabletest.Read(t, tabletest.Join(lines)))[0]
		assert.Equal(t, c.kind, p.Kind)
		assert.Equal(t, c.unreadable, p.Unreadable)
	}
	// Missing cells do not count.
	lines := tabletest.Column(tabletest.Numbers(400), 0, "a", func(row int) string { return []string{"NA", "n/a", "1", "2.5"}[row%4] })
	p := roles.Profiles(tabletest.Read(t, tabletest.Join(lines)))[0]
	assert.Equal(t, design.Numeric, p.Kind)
	assert.Equal(t, 200, p.Missing)
}

func TestACellThatIsNoNumberLosesItsRowOnlyWhereItIsUsed(t *testing.T) {
	for _, n := range []int{60, 10_000} { // kept as a dictionary, kept as numbers
		bad := map[int]string{7: "12x", 20: "Inf", 31: "1e999", 32: "0x10", 40: " 1_0 "}
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
		first := used.Dropped[0]
		assert.Equal(t, fault.NotNumber, first.Problem)
		assert.Equal(t, "b", first.Field)
		assert.Equal(t, "12x", first.Found)
		column := strings.Index(lines[8], ",") + 2
		assert.Equal(t, fmt.Sprintf(`tec.csv:9:%d: b is "12x", expected a finite number. Correct the cell or delete line 9`, column), first.Error())
		assert.Equal(t, "1_0", used.Dropped[4].Found)
		assert.Equal(t, 42, used.Dropped[4].Line)

		ignored := tabletest.Plan(t, lines, roles.Settings{Ignore: []string{"b"}})
		assert.Zero(t, ignored.DroppedCount)
		text := tabletest.Plan(t, lines, roles.Settings{Categorical: []string{"b"}})
		assert.Zero(t, text.DroppedCount)
		assert.Equal(t, design.Categorical, text.Kinds[1])
	}
}

func TestABadCellFarDownALongColumnIsPlacedAndKept(t *testing.T) {
	// After 4096 different numbers the column is kept as numbers.
	bad := map[int]string{100: "early", 9000: "late", 9001: "late", 9500: "NA"}
	lines := tabletest.Column(tabletest.Numbers(10_000), 1, "b", func(row int) string {
		if s, ok := bad[row]; ok {
			return s
		}
		return fmt.Sprint(float64(row) + 0.5)
	})
	p := tabletest.Plan(t, lines, roles.Settings{})
	require.Equal(t, 3, p.DroppedCount)
	for i, row := range []int{100, 9000, 9001} {
		d := p.Dropped[i]
		assert.Equal(t, row+2, d.Line)
		assert.Equal(t, strings.Index(lines[row+1], ",")+2, d.Column)
		assert.Equal(t, bad[row], d.Found)
	}
	profile := roles.Profiles(tabletest.Read(t, tabletest.Join(lines)))[1]
	assert.Equal(t, 3, profile.Unreadable)
	assert.Equal(t, 1, profile.Missing)
	assert.Equal(t, 9999.5, profile.Max)

	set := tabletest.Dataset(t, lines, roles.Settings{Categorical: []string{"b"}, Rare: 2})
	assert.Equal(t, []string{"a"}, tabletest.Names(set)[:1])
	for _, name := range tabletest.Names(set) {
		assert.NotContains(t, name, "early", "seen once")
	}
}

func TestABadCellIsPlacedWhereItStandsAmongSpaces(t *testing.T) {
	text := "a   b   y\n" + strings.Repeat("1 2   3\n4  5  6\n", 15) + " 7    x8   9\n"
	p, err := roles.NewPlan(tabletest.Read(t, text), roles.Settings{})
	require.NoError(t, err)
	require.Equal(t, 1, p.DroppedCount)
	assert.Equal(t, []int{32, 7}, []int{p.Dropped[0].Line, p.Dropped[0].Column})
}

func TestOnlyTheFirstThousandDroppedRowsAreKept(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(3000), 2, "y", func(row int) string { return []string{"", fmt.Sprint(row)}[row%2] })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	assert.Equal(t, 1500, p.DroppedCount)
	assert.Len(t, p.Dropped, 1000)
	assert.Equal(t, 2000, p.Dropped[999].Line)
}

func TestMoreThanOneBadCellInTenIsAnError(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(100), 0, "a", func(row int) string { return []string{"1", "2", "x", "3"}[row%4] })
	lines[50] = "1,2" // one that could not be read
	_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Numeric: []string{"a"}})
	var many *fault.TooManyBadRowsError
	require.ErrorAs(t, err, &many)
	assert.Equal(t, 26, many.Count)
	assert.Equal(t, 100, many.Rows)
	assert.Equal(t, fault.NotNumber, many.Bad[0].Problem)
	assert.Contains(t, err.Error(), `tec.csv:4:1: a is "x"`)
	var order []int
	for _, bad := range many.Bad {
		order = append(order, bad.Line)
	}
	assert.IsIncreasing(t, order)
	assert.Contains(t, order, 51)
}

func TestARowWithoutItsTargetIsListed(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(40), 2, "y", func(row int) string {
		return map[int]string{3: "", 9: "NA"}[row] + strings.Repeat("5", min(1, (row+1)%4*((row+1)%10))) + strings.Repeat("1", row%3)
	})
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	var missing []int
	for _, d := range p.Dropped {
		assert.Equal(t, fault.MissingTarget, d.Problem)
		missing = append(missing, d.Line)
	}
	require.Contains(t, missing, 5)
	require.Contains(t, missing, 11)
	assert.Equal(t, 40-p.DroppedCount, len(p.Rows))
	assert.Equal(t, "tec.csv:5: y, the target, is missing; fill in the cell or the row is left out", p.Dropped[0].Error())
}

func TestMissingCellsDropTheirRowsWhenAsked(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(50), 0, "a", func(row int) string { return []string{"1", "2", "3", "", "5"}[row%5] })
	assert.Equal(t, 50, len(tabletest.Plan(t, lines, roles.Settings{}).Rows))
	dropped := tabletest.Plan(t, lines, roles.Settings{Missing: roles.MissingDrop})
	assert.Equal(t, 40, len(dropped.Rows))
	assert.Equal(t, 10, dropped.DroppedCount)
	assert.Equal(t, fault.MissingCell, dropped.Dropped[0].Problem)
	assert.Equal(t, "tec.csv:5: a is missing; fill in the cell, flag missing cells, or the row is left out", dropped.Dropped[0].Error())
	assert.Equal(t, 50, len(tabletest.Plan(t, lines, roles.Settings{Missing: roles.MissingDrop, Ignore: []string{"a"}}).Rows), "an ignored column may miss")
}

func TestMissingCellsOfALongColumnDropTheirRows(t *testing.T) {
	// Kept as numbers, where a bad cell and a missing one are both NaN.
	lines := tabletest.Column(tabletest.Numbers(9000), 0, "a", func(row int) string {
		switch row {
		case 6000, 8000:
			return "N/A"
		case 7000:
			return "!"
		}
		return fmt.Sprint(float64(row) + 0.25)
	})
	p := tabletest.Plan(t, lines, roles.Settings{Missing: roles.MissingDrop})
	require.Equal(t, 3, p.DroppedCount)
	assert.Equal(t, []fault.Problem{fault.MissingCell, fault.NotNumber, fault.MissingCell},
		[]fault.Problem{p.Dropped[0].Problem, p.Dropped[1].Problem, p.Dropped[2].Problem})
}

func TestTextReadAsNumbersIsCountedToTheLastCell(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(5000), 0, "a", func(row int) string { return []string{"x", "y", "1"}[row%3] })
	_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Numeric: []string{"a"}})
	var many *fault.TooManyBadRowsError
	require.ErrorAs(t, err, &many)
	assert.Equal(t, 3334, many.Count)
	assert.Len(t, many.Bad, 1000)
}

func TestSettingsDecideRolesAndKinds(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(30), 0, "id", func(row int) string { return fmt.Sprint(row + 1) })
	p := tabletest.Plan(t, lines, roles.Settings{})
	assert.Equal(t, []roles.Role{roles.RoleIgnore, roles.RoleFeature, roles.RoleTarget}, p.Roles)
	assert.Equal(t, "y", p.Target)

	p = tabletest.Plan(t, lines, roles.Settings{Target: "b", Numeric: []string{"id"}, Categorical: []string{"y"}})
	assert.Equal(t, []roles.Role{roles.RoleFeature, roles.RoleTarget, roles.RoleFeature}, p.Roles)
	assert.Equal(t, []design.Kind{design.Numeric, design.Numeric, design.Categorical}, p.Kinds)
	assert.Empty(t, p.Notes)

	p = tabletest.Plan(t, lines, roles.Settings{Ignore: []string{"y"}, Numeric: []string{"id"}})
	assert.Equal(t, "b", p.Target, "the guess does not take what is ignored")
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

func TestATargetThatDoesNotVaryIsRefused(t *testing.T) {
	for _, value := range []string{"7", "same"} {
		lines := tabletest.Column(tabletest.Numbers(30), 2, "y", func(int) string { return value })
		_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y"})
		var target *fault.PlanError
		require.ErrorAs(t, err, &target)
		assert.EqualError(t, err, "tec.csv: y is "+value+" in every row; choose a target that varies")
	}
	_, err := roles.NewPlan(tabletest.Read(t, "a,b\n"+strings.Repeat("same,same\n", 20)), roles.Settings{})
	var target *fault.PlanError
	require.ErrorAs(t, err, &target)
	assert.Contains(t, err.Error(), "no column can be the target")
}

func TestATargetConstantInTrainingRowsIsRefused(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(10), 2, "y", func(row int) string { return fmt.Sprint(max(0, row-7)) })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	refused := 0
	for seed := range uint64(40) {
		if _, err := encode.Dataset(p, tabletest.Stream(seed)); err != nil {
			var target *fault.PlanError
			require.ErrorAs(t, err, &target)
			assert.EqualError(t, err, "tec.csv: y is 0 in every training row; add rows whose y is not 0, or choose another target")
			refused++
		}
	}
	assert.Positive(t, refused)
	assert.Less(t, refused, 40)
}

func TestTooFewRowsForThreeSplitsIsAnError(t *testing.T) {
	_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(tabletest.Numbers(9))), roles.Settings{})
	var few *fault.PlanError
	require.ErrorAs(t, err, &few)
	assert.Equal(t, fault.TooFewRows, few.Problem)
	assert.EqualError(t, err, "tec.csv: 9 usable rows, but training, validation and test need at least 10; open a longer table")

	lines := tabletest.Column(tabletest.Numbers(12), 2, "y", func(row int) string { return []string{"", "1", "2", "3"}[row%4] })
	_, err = roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y"})
	require.ErrorAs(t, err, &few)
	assert.EqualError(t, err, "tec.csv: 9 usable rows, but training, validation and test need at least 10; 3 were left out, the first on line 2 (y, the target, is missing; fill in the cell or the row is left out); repair them or open a longer table")

	p := tabletest.Plan(t, tabletest.Numbers(10), roles.Settings{})
	set, err := encode.Dataset(p, tabletest.Stream(1))
	require.NoError(t, err)
	assert.Equal(t, []int{6, 2, 2}, []int{len(set.Train.Y), len(set.Valid.Y), len(set.Test.Y)})
}

func TestATableWithoutFeaturesIsAnError(t *testing.T) {
	_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(tabletest.Numbers(30))), roles.Settings{Ignore: []string{"a", "b"}})
	var none *fault.PlanError
	require.ErrorAs(t, err, &none)
	assert.EqualError(t, err, "tec.csv: no column is left to predict y from; use at least one column that varies")

	lines := tabletest.Column(tabletest.Column(tabletest.Numbers(30), 0, "a", func(int) string { return "1" }), 1, "b", func(int) string { return "2" })
	_, err = roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{})
	require.ErrorAs(t, err, &none)
	assert.EqualError(t, err, "tec.csv: no column is left to predict y from; use at least one column that varies")

	p := tabletest.Plan(t, tabletest.Column(tabletest.Column(tabletest.Numbers(30), 0, "a", func(row int) string { return strconv.Itoa(row) }), 1, "b", func(int) string { return "2" }), roles.Settings{})
	assert.Equal(t, "nothing else is left, though it counts the rows: each cell is one more than the one before", p.Uses[0].Reason)
	assert.Equal(t, roles.RoleFeature, p.Roles[0])
}

func TestColumnsHaveTheSameRolesReasonsAndNoticesWhetherATargetIsNamedOrNot(t *testing.T) {
	lines := tabletest.Numbers(40)
	for row := range lines {
		lines[row] = []string{"row,customer_id,", fmt.Sprintf("%d,c%d,", row, row)}[min(row, 1)] + lines[row]
	}
	guessed := tabletest.Plan(t, lines, roles.Settings{})
	named := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	assert.Equal(t, guessed.Uses[:2], named.Uses[:2])
	assert.Equal(t, roles.RoleIgnore, named.Roles[1])
	assert.Equal(t, guessed.Notes.Texts(), named.Notes.Texts())
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
	set, err := encode.Dataset(p, tabletest.Stream(1))
	require.NoError(t, err)
	ones := 0
	for _, part := range []design.Part{set.Train, set.Valid, set.Test} {
		for _, y := range part.Y {
			if y > 0 {
				ones++
			}
		}
	}
	assert.Equal(t, 40, ones)
	assert.Contains(t, p.Notes.Texts(), "y has two values; models learn the probability of 0, not of -1, because it is the larger number")
}

func TestAHeaderOfEqualNamesIsReadInNoTime(t *testing.T) {
	header := strings.Repeat("x,", 19998) + "x,y"
	rows := strings.Repeat(strings.Repeat("1,", 19999)+"2\n", 2)
	table, err := read.Read(strings.NewReader(header+"\n"+rows), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	assert.Equal(t, "x (19999)", table.Names()[19998])

	_, err = read.Read(strings.NewReader("x,"+header+"\n"), read.Options{Name: "t.csv"})
	var file *fault.FileError
	require.ErrorAs(t, err, &file)
	assert.Equal(t, fault.TooLarge, file.Problem)
	assert.Contains(t, err.Error(), "the first row has 20001 columns, more than the limit of 20000")
}
