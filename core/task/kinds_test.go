package task_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// ids are the names of n things as whole numbers.
var ids = map[string]func(rng *rand.Rand, n int) []int{
	"from 0": func(_ *rand.Rand, n int) []int { return upFrom(0, n) },
	"from 1": func(_ *rand.Rand, n int) []int { return upFrom(1, n) },
	"shuffled": func(rng *rand.Rand, n int) []int {
		all := upFrom(1, n)
		rng.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all
	},
	"sparse": func(rng *rand.Rand, n int) []int {
		all := rng.Perm(100 * n)[:n]
		for i := range all {
			all[i] += 10_000
		}
		return all
	},
}

func upFrom(first, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// drawnRatings draws ratings of 300 users and 150 items, of rank 2 without any effect of
// users or items alone, which are scaled by bias.
func drawnRatings(rng *rand.Rand, rows int, bias float64, header string, form string, seconds bool) []byte {
	const users, items, rank = 300, 150, 2
	factor := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	u, v, ofUser, ofItem := factor(users*rank), factor(items*rank), factor(users), factor(items)
	userIDs, itemIDs := ids[form](rng, users), ids[form](rng, items)
	var b bytes.Buffer
	if header != "" {
		b.WriteString(header + "\n")
	}
	for range rows {
		user, item := rng.IntN(users), rng.IntN(items)
		f := 3 + bias*(ofUser[user]+ofItem[item]) + .4*rng.NormFloat64()
		for k := range rank {
			f += .7 * u[user*rank+k] * v[item*rank+k]
		}
		cells := []string{fmt.Sprint(userIDs[user]), fmt.Sprint(itemIDs[item]), fmt.Sprintf("%.0f", math.Max(1, math.Min(5, f)))}
		if seconds {
			cells = append(cells, fmt.Sprint(874_000_000+rng.IntN(20_000_000)))
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.Bytes()
}

// opened reads a file by settings.
func opened(t *testing.T, file []byte, settings string) (spec.Spec, *table.Table) {
	t.Helper()
	s, notices := spec.Parse("source=table&" + settings)
	require.Empty(t, notices)
	return s, must(task.Read(s, "t.csv", bytes.NewReader(file)))
}

func usesOf(t *testing.T, file []byte, settings string) map[string]roles.Use {
	t.Helper()
	s, table := opened(t, file, settings)
	plan := must(task.NewPlan(s, table))
	uses := map[string]roles.Use{}
	for _, u := range plan.Uses {
		uses[u.Column] = u
	}
	return uses
}

func TestIdsOfRatingsAreLevelsWhateverTheyAreCalled(t *testing.T) {
	seed := uint64(0)
	for h, header := range []string{"user,item,rating,ts", "customer,product,score", "u,film,stars", "", "a,b,y", "reader_no,book,grade", "x1,x2,x3", "uid,mid,value", "who,what,rating", "kunde,artikel,wert"} {
		for f, form := range []string{"from 0", "from 1", "shuffled", "sparse"} {
			seed++
			if testing.Short() && h%4 != f {
				continue // one of the four forms
			}
			bias := .5 * float64(seed%2) // or nothing but what a user and an item make of each other
			columns := strings.Split(header, ",")
			if header == "" {
				columns = []string{"column 1", "column 2", "column 3"}
			}
			uses := usesOf(t, drawnRatings(rand.New(rand.NewPCG(seed, 0)), 8000, bias, header, form, len(columns) == 4), "target="+strings.ReplaceAll(columns[2], " ", "%20"))
			for _, column := range columns[:2] {
				assert.Equal(t, design.Categorical, uses[column].Kind, "%s, %s, bias %g, %s: %s", header, form, bias, column, uses[column].Reason)
			}
		}
	}
}

// nullTable draws whole numbers that have nothing to do with the target, and two amounts
// that have.
func nullTable(rng *rand.Rand, rows, columns int) []byte {
	var b bytes.Buffer
	for j := range columns {
		fmt.Fprintf(&b, "n%d,", j)
	}
	b.WriteString("age,years,y\n")
	values := make([]int, columns)
	for j := range values {
		values[j] = 9 + rng.IntN(rows/8)
	}
	for range rows {
		for _, n := range values {
			fmt.Fprintf(&b, "%d,", rng.IntN(n))
		}
		age, years := 18+rng.IntN(60), rng.IntN(30)
		fmt.Fprintf(&b, "%d,%d,%.3f\n", age, years, .05*float64(age)+math.Sqrt(float64(years))*(1+.01*float64(age))+2*rng.ExpFloat64())
	}
	return b.Bytes()
}

func TestNoiseAmountsAndYearsStayNumbers(t *testing.T) {
	wrong, tables, rows := 0, 400, 3000
	if testing.Short() {
		tables, rows = 40, 1000 // a thousand rows have an eighth of the cost, as columns have fewer levels
	}
	for seed := range uint64(tables) {
		rng := rand.New(rand.NewPCG(seed, 7))
		for column, use := range usesOf(t, nullTable(rng, 300+rng.IntN(rows), 2+rng.IntN(6)), "target=y") {
			if use.Kind == design.Categorical {
				wrong++
				t.Log(seed, column, use.Reason)
			}
		}
	}
	assert.LessOrEqual(t, wrong, (tables+49)/50, "of %d tables", tables)
}

// finished trains a run to its end.
func finished(t *testing.T, s spec.Spec, table *table.Table) (run *core.Run, records []train.Record) {
	t.Helper()
	run = must(core.Open(s, 0, table))
	return run, runtest.Finish(t, run)
}

func TestALinkThatRepeatsAChoiceTrainsTheSame(t *testing.T) {
	const settings = "target=y&models=ifm&ranks=2&lambdaf=10,3&iterations=5&encode=linear&trials=1"
	file := drawnRatings(rand.New(rand.NewPCG(4, 0)), 4000, .5, "a,b,y", "sparse", false)
	s, table := opened(t, file, settings)
	plan := must(task.NewPlan(s, table))
	repeated := plan.Repeat(s)
	assert.Equal(t, []string{"a", "b"}, repeated.Categorical)
	_, chosen := finished(t, s, table)
	again, other := opened(t, file, repeated.Encode())
	_, named := finished(t, again, other)
	require.NotEmpty(t, named)
	assert.Equal(t, fmt.Sprint(chosen), fmt.Sprint(named))

	plan = must(task.NewPlan(repeated, table))
	assert.Contains(t, plan.Uses[0].Reason, "as levels it predicts validation rows better", "the reason stays where it was seen")
	repeated.Categorical, repeated.Numeric = []string{"b"}, []string{"a"}
	plan = must(task.NewPlan(repeated, table))
	assert.Equal(t, "the settings call it numeric", plan.Uses[0].Reason)
	assert.Equal(t, design.Categorical, plan.Uses[0].ChoiceKind, "what was chosen is known all the same")
}

func TestChoicesWeighRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	text := tabletest.File("a,x,y,w", 4000, func(i int) string { // rows of weight 0 have levels, the others have none
		a, w := rng.IntN(60), i%2
		return fmt.Sprintf("%d,%.3f,%.3f,%d", a, rng.NormFloat64(), float64(1-w)*float64(a*7919%5)+rng.NormFloat64(), w)
	})
	assert.Equal(t, design.Numeric, usesOf(t, []byte(text), "target=y&weight=w")["a"].Kind)
	assert.Equal(t, design.Categorical, usesOf(t, []byte(text), "target=y&ignore=w")["a"].Kind)
}

func TestRowsOfAGroupAreNoEvidenceOfTheirOwn(t *testing.T) {
	wrong := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		var b strings.Builder
		b.WriteString("g,age,y\n")
		for group := range 60 {
			age, effect := 20+rng.IntN(40), rng.NormFloat64()
			for range 20 {
				fmt.Fprintf(&b, "g%d,%d,%.3f\n", group, age, effect+rng.NormFloat64())
			}
		}
		if usesOf(t, []byte(b.String()), "target=y&split=group&by=g")["age"].Kind == design.Categorical {
			wrong++
		}
	}
	assert.LessOrEqual(t, wrong, 1)
}

func TestChoicesLookAtNoTestRow(t *testing.T) {
	file := drawnRatings(rand.New(rand.NewPCG(6, 0)), 6000, .6, "a,b,y", "from 1", false)
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	for i := range lines { // an amount that misses some cells
		lines[i] += [...]string{",7", ",8", ","}[min(2, i*7919%23/8)]
	}
	lines[0] = "a,b,y,amount"
	file = []byte(strings.Join(lines, "\n"))
	for _, more := range []string{"", "&missing=drop"} {
		lines := slices.Clone(lines)
		s, table := opened(t, file, "target=y"+more)
		before := must(task.NewPlan(s, table))
		split := must((&task.Task{Spec: s, Table: table}).Split(before.Plan, trial.NoFold))
		for i, row := range split.Test { // another target in test rows
			line := table.Line(int(row)) - 1
			cells := strings.Split(lines[line], ",")
			cells[2] = fmt.Sprint(1 + i%5)
			lines[line] = strings.Join(cells, ",")
		}
		s, table = opened(t, []byte(strings.Join(lines, "\n")), "target=y"+more)
		assert.Equal(t, before.Uses, must(task.NewPlan(s, table)).Uses, more)
	}
}

func TestNoReadingMovesTheTarget(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	text := tabletest.File("user,item,liked", 4000, func(int) string {
		user, item := rng.IntN(100), rng.IntN(60)
		good := float64((user*7919%5-2)*(item*104_729%5-2))+rng.NormFloat64() > 0
		return fmt.Sprintf("%d,%d,%s", user, item, map[bool]string{true: "good", false: "poor"}[good])
	})
	uses := usesOf(t, []byte(text), "")
	assert.Equal(t, roles.RoleTarget, uses["liked"].Role)
	assert.Contains(t, uses["item"].Reason, "as levels it predicts validation rows better than as numbers (error 0.")
}

func TestNoiseBesideIdsHidesThemNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	var b strings.Builder
	b.WriteString("p,q,n1,n2,n3,n4,n5,n6,n7,n8,y\n")
	u, v := make([]float64, 80), make([]float64, 50)
	for _, x := range [][]float64{u, v} {
		for i := range x {
			x[i] = rng.NormFloat64()
		}
	}
	for range 3000 {
		p, q := rng.IntN(80), rng.IntN(50)
		fmt.Fprintf(&b, "%d,%d", p, q)
		for range 8 {
			fmt.Fprintf(&b, ",%d", rng.IntN(90))
		}
		fmt.Fprintf(&b, ",%.3f\n", u[p]*v[q]+.4*rng.NormFloat64())
	}
	for column, use := range usesOf(t, []byte(b.String()), "target=y") {
		want := design.Numeric
		if column == "p" || column == "q" {
			want = design.Categorical
		}
		assert.Equal(t, want, use.Kind, "%s: %s", column, use.Reason)
	}
}

func TestEveryFoldTriesTheSameCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	text := tabletest.File("a,b,y", 600, func(i int) string { // two levels that are rare in some folds
		a := rng.IntN(19)
		if i%60 == 0 {
			a = 19 + i/60%2
		}
		return fmt.Sprintf("l%d,m%d,%.3f", a, rng.IntN(25), rng.NormFloat64())
	})
	s, table := opened(t, []byte(text), "target=y&models=ifm&folds=4&ranks=2,3&lambdaf=30,10&rare=5&iterations=2&encode=linear")
	var ridge []assess.FoldRidge
	for fold := range 4 {
		ridge = append(ridge, must(assess.RidgeOnFold(&task.Task{Spec: s, Table: table}, fold)))
	}
	for fold := range 4 {
		run := must(core.OpenFold(s, 0, fold, table, ridge))
		assert.Equal(t, 7, run.Candidates(), "ridge, and two penalties and a fresh start for each rank")
	}
}

func TestTablesOfFewOrOddIdsAreReadWithoutLoss(t *testing.T) {
	rows := func(header string, cells func(rng *rand.Rand, i int) string) []byte {
		rng := rand.New(rand.NewPCG(2, 3))
		b := bytes.NewBufferString(header + "\n")
		for i := range 1500 {
			b.WriteString(cells(rng, i) + "\n")
		}
		return b.Bytes()
	}
	uses := usesOf(t, rows("user,item,rating", func(rng *rand.Rand, i int) string {
		return fmt.Sprintf("7,%d,%d", rng.IntN(60), 1+rng.IntN(5))
	}), "target=rating")
	assert.Equal(t, "it is 7 in every row", uses["user"].Reason)

	uses = usesOf(t, rows("user,item,quality,rating", func(rng *rand.Rand, i int) string {
		user := rng.IntN(40)
		return fmt.Sprintf("%d,%d,%d,%d", user, rng.IntN(60), 1+rng.IntN(5), 1+user%5)
	}), "target=rating")
	assert.Equal(t, roles.RoleFeature, uses["quality"].Role)
	assert.Equal(t, design.Numeric, uses["quality"].Kind, "five values are an amount and levels at once")
	assert.Equal(t, design.Categorical, uses["user"].Kind)

	uses = usesOf(t, rows("u,part,y", func(rng *rand.Rand, i int) string {
		return fmt.Sprintf("%04d,%d,%.2f", 3*rng.IntN(50), 17*rng.IntN(40), rng.NormFloat64())
	}), "target=y")
	assert.Equal(t, design.Categorical, uses["u"].Kind, "leading zeros name something")
	assert.Equal(t, design.Numeric, uses["part"].Kind, "holes alone say nothing")

	uses = usesOf(t, rows("a,ts,y", func(rng *rand.Rand, i int) string {
		return fmt.Sprintf("%d,%d,%.2f", rng.IntN(50), 1_600_000_000-60*i, rng.NormFloat64())
	}), "target=y")
	assert.Equal(t, roles.RoleFeature, uses["ts (hour)"].Role, "a clock that runs backwards is one")
}
