package roles_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	"ifmlab/core/tabletest"
)

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

func TestATargetConstantInTrainingRowsIsRefused(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(10), 2, "y", func(row int) string { return fmt.Sprint(max(0, row-7)) })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	_, err := encode.DatasetOf(p, &roles.Split{Train: p.Rows[:6], Valid: p.Rows[6:8], Test: p.Rows[8:]})
	assert.EqualError(t, err, "tec.csv: y is 0 in every training row; add rows whose y is not 0, or choose another target")
	_, err = encode.DatasetOf(p, &roles.Split{Train: p.Rows[4:], Valid: p.Rows[:2], Test: p.Rows[2:4]})
	assert.NoError(t, err)
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
