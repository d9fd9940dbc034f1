package roles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

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
	assert.Subset(t, p.Notes.Texts(), []string{"20 rows are left out by the rule a ≠ none at all", "0 rows are left out by the rule b < 100"})
	p = tabletest.Plan(t, lines, roles.Settings{Target: "y", Categorical: []string{"a"}, Rows: []string{"a:!=:21", "b:!=:"}})
	assert.Subset(t, p.Notes.Texts(), []string{"1 row is left out by the rule a ≠ 21", "0 rows are left out by the rule b is not missing"})
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
