package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/data"
)

// weighable is the table interacting, with a column day that counts its rows, a target of
// two values, and a column w that says how often each row counts; each stands there as
// often as repeat says of its weight.
func weighable(n int, w func(row int) int, repeat func(weight int) int) string {
	lines := strings.Split(strings.TrimSpace(interacting(n, nil)), "\n")
	var b strings.Builder
	b.WriteString("day,w,won," + lines[0] + "\n")
	for row, line := range lines[1:] {
		won := "no"
		if !strings.Contains(line[strings.LastIndex(line, ","):], "-") {
			won = "yes"
		}
		for range repeat(w(row)) {
			b.WriteString(strconv.Itoa(row) + "," + strconv.Itoa(w(row)) + "," + won + "," + line + "\n")
		}
	}
	return b.String()
}

const weighedQuery = "source=table&models=fm,ifm&ranks=1,2&lambdaf=30,3&iterations=8&split=time&by=day&rare=1"

// Rows of the same time are in one part, and every two days count three times, so that
// the parts are the same days.
func TestARowOfWeightTwoCountsAsTwoRows(t *testing.T) {
	weight := func(row int) int { return 1 + row%2 }
	once, twice := weighable(300, weight, func(int) int { return 1 }), weighable(300, weight, func(w int) int { return w })
	for name, query := range map[string]string{
		"als":       "&target=y&ignore=won&encode=linear",
		"a descent": "&target=y&ignore=won&solver=agd&lambdas=0.01",
		"classes":   "&target=won&ignore=y&encode=linear",
	} {
		t.Run(name, func(t *testing.T) {
			weighed, repeated := weighedQuery+query+"&weight=w", strings.Replace(weighedQuery+query, "&ignore=", "&ignore=w,", 1)
			a, b := read(t, weighed, once), read(t, repeated, twice)
			for cell := range 2 {
				one, got := train(t, weighed, cell, a)
				other, want := train(t, repeated, cell, b)
				require.Len(t, got, len(want))
				for i := range want {
					// The same sums, added in another order, through some forty sweeps.
					assert.InEpsilon(t, want[i].Train, got[i].Train, 1e-6)
					assert.InEpsilon(t, want[i].Valid+1, got[i].Valid+1, 1e-6)
					assert.InEpsilon(t, want[i].Test, got[i].Test, 1e-6)
				}
				p, err := one.Baselines()
				require.NoError(t, err)
				q, err := other.Baselines()
				require.NoError(t, err)
				assert.InEpsilon(t, q.Ridge, p.Ridge, 1e-9)
				assert.InEpsilon(t, q.Mean, p.Mean, 1e-9)
				f, err := one.Quadratic()
				require.NoError(t, err)
				g, err := other.Quadratic()
				require.NoError(t, err)
				assert.InEpsilon(t, g.RMSE, f.RMSE, 1e-6)
			}
		})
	}
}

func TestWeightsOfOneAreNone(t *testing.T) {
	table := read(t, weighedQuery, weighable(200, func(int) int { return 1 }, func(int) int { return 1 }))
	for cell := range 2 {
		one, got := train(t, weighedQuery+"&target=y&ignore=won&weight=w", cell, table)
		other, want := train(t, weighedQuery+"&target=y&ignore=won,w", cell, table)
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, bits(want[i]), bits(got[i]))
		}
		assert.Equal(t, other.Notices(), one.Notices())
	}
}

func TestARowOfWeightZeroIsAsIfItWereNotThere(t *testing.T) {
	const query = "source=table&models=ifm&ranks=1&lambdaf=30,3&iterations=5&target=y&ignore=won,day&weight=w&seed=3"
	weight := func(row int) int { return row % 3 }
	with, without := read(t, query, weighable(300, weight, func(int) int { return 1 })), read(t, query, weighable(300, weight, func(w int) int { return min(w, 1) }))
	_, got := train(t, query, 0, with)
	_, want := train(t, query, 0, without)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, bits(want[i]), bits(got[i]))
	}
	plan, err := core.PlanTable(parse(t, query), with)
	require.NoError(t, err)
	assert.Equal(t, 200, plan.Train+plan.Valid+plan.Test)
	assert.Contains(t, strings.Join(plan.Notices, "\n"), "100 of 300 rows have a w of 0 and are left out")
	assert.Equal(t, data.RoleWeight, plan.Roles[1])
}

func TestBadWeightsAreToldAndNothingIsTrained(t *testing.T) {
	lines := strings.Split(weighable(60, func(row int) int { return 1 + row%2 }, func(int) int { return 1 }), "\n")
	edit := func(row int, cell string) string {
		out := append([]string(nil), lines...)
		out[row] = strings.Replace(out[row], ","+strconv.Itoa(1+(row-1)%2)+",", ","+cell+",", 1)
		return strings.Join(out, "\n")
	}
	const query = "source=table&target=y&weight=w&ignore=won"
	for cell, says := range map[string]string{"-1": "w is \"-1\", want a weight, a number of at least 0; fix the cell or delete line 8", "": "w is missing, want how much the row counts", "many": "w is \"many\", want a weight"} {
		plan, err := core.PlanTable(parse(t, query), read(t, query, edit(7, cell)))
		require.NoError(t, err)
		require.Equal(t, 1, plan.DroppedCount, cell)
		assert.Equal(t, 8, plan.Dropped[0].Line)
		assert.Contains(t, plan.Dropped[0].Error(), says)
		assert.Equal(t, 59, plan.Train+plan.Valid+plan.Test)
	}
	for query, says := range map[string]string{
		query + "&weight=colour":    "colour is to weigh the rows, and it holds texts such as",
		query + "&weight=y":         "y is to weigh the rows, and it is the target",
		query + "&split=group&by=w": "w is to weigh the rows, and rows are split by it",
	} {
		_, err := core.PlanTable(parse(t, query), read(t, query, strings.Join(lines, "\n")))
		require.ErrorContains(t, err, says)
		assert.Equal(t, "WeightError", core.ErrorKind(err))
	}
	_, err := core.PlanTable(parse(t, query), read(t, query, weighable(60, func(int) int { return 0 }, func(int) int { return 1 })))
	require.ErrorContains(t, err, "w is to weigh the rows, and is 0 in all 60 that could be used")
	assert.Equal(t, "WeightError", core.ErrorKind(err))
	plan, err := core.PlanTable(parse(t, query+"&weight=nothing"), read(t, query, strings.Join(lines, "\n")))
	require.NoError(t, err)
	assert.Contains(t, strings.Join(plan.Notices, "\n"), `weigh rows by a column "nothing", which the table does not have`)
	assert.Error(t, core.CheckNames(parse(t, "source=table&weight=nothing"), read(t, query, strings.Join(lines, "\n"))))
}
