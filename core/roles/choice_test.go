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
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// firstOf plans a table of n rows of numbers whose first column f fills.
func firstOf(t *testing.T, n int, name string, f func(row int) string, s roles.Settings) *roles.Plan {
	t.Helper()
	return tabletest.Plan(t, tabletest.Column(tabletest.Numbers(n), 0, name, f), s)
}

func TestADifferentIdInEveryRowIsLeftOutAndTold(t *testing.T) {
	const n = 30_000
	rng := rand.New(rand.NewPCG(1, 2))
	shuffled, sparse := rng.Perm(n), rng.Perm(5_000_000)[:n]
	id := func(row int) string { return strconv.Itoa(10_000_000 + sparse[row]) }
	for _, c := range []struct {
		name string
		cell func(row int) string
		want roles.Role
	}{
		{"u", func(row int) string { return strconv.Itoa(100_000 + shuffled[row]) }, roles.RoleIgnore},
		{"klucz", id, roles.RoleIgnore}, {"user_id", id, roles.RoleIgnore},
		{"u", func(int) string { return strconv.Itoa(int(1000 * rng.ExpFloat64())) }, roles.RoleFeature},
	} {
		p := firstOf(t, n, c.name, c.cell, roles.Settings{})
		assert.Equal(t, c.want, p.Roles[0], "%s: %s", c.name, p.Uses[0].Reason)
		assert.Equal(t, c.want == roles.RoleIgnore, strings.Contains(strings.Join(p.Notes.Texts(), "\n"), c.name+" is ignored, because it "))
	}
}

func TestIdsOfMoreDigitsThanANumberTellsApartAreLevels(t *testing.T) {
	for _, different := range []int{80, 5000} { // what a dictionary holds, and more
		id := func(row int) string { return strconv.Itoa(9_999_999_999_999_990_000/2 + row%different) }
		p := firstOf(t, 12_000, "steam", id, roles.Settings{})
		assert.Equal(t, design.Categorical, p.Kinds[0])
		assert.Equal(t, roles.RoleFeature, p.Roles[0], p.Uses[0].Reason)
		assert.Equal(t, different, roles.Profiles(p.Table)[0].Distinct)
	}
}

func TestMoreThanTwoClassesAreSaidOfTheirColumn(t *testing.T) {
	for _, c := range []struct {
		header      string
		classes, at int
		said        bool
	}{
		{"a,b,species", 3, 2, true}, {"a,b,wine", 7, 2, true}, {"species,a,b", 3, 0, false}, {"label,a,b", 4, 0, true},
		{"a,b,species", 2, 2, false}, {"price,b,colour", 3, 2, false}, {"price,b,label", 3, 2, false}, {"a,b,name", 60, 2, false},
	} {
		table := tabletest.Read(t, tabletest.Join(tabletest.Drawn(150, c.header, func(row int, x [4]float64) []any {
			cells := []any{x[0], x[1], x[2]}
			cells[c.at] = fmt.Sprint("k", row%c.classes)
			return cells
		})))
		name := strings.Split(c.header, ",")[c.at]
		told := fmt.Sprintf("%s has %d classes and may be meant", name, c.classes)
		p := tabletest.PlanOf(t, table, roles.Settings{Ignore: []string{"a"}})
		for _, use := range p.Uses {
			if use.Role == roles.RoleTarget {
				assert.Equal(t, c.said, strings.HasSuffix(use.Reason, told), "%s: %s", c.header, use.Reason)
				assert.False(t, c.said && use.Sure, "%s: it is a question", c.header)
			}
		}
		if c.said {
			p = tabletest.PlanOf(t, table, roles.Settings{Target: name})
			assert.Len(t, p.Classes(), c.classes)
		}
	}
}

func TestRatingsWithoutAHeaderAreReadUnasked(t *testing.T) {
	for format, at := range map[string]int{"%d\t%d\t%d\t%d\n": 2, "%d,%d,%d,%d\n": 2, "%d;%[3]d;%[2]d;%[4]d\n": 1} {
		rng := rand.New(rand.NewPCG(8, uint64(format[2])))
		var b strings.Builder
		for range 6000 {
			fmt.Fprintf(&b, format, 1+rng.IntN(200), 1+rng.IntN(90), 1+rng.IntN(5), 874_724_710+rng.IntN(18_000_000))
		}
		table := tabletest.Read(t, b.String())
		p := tabletest.PlanOf(t, table, roles.Settings{})
		assert.Equal(t, table.Names()[at], p.Target)
		assert.True(t, p.Uses[at].Sure)
		assert.Contains(t, table.Names(), "column 4 (weekday)", "seconds are times")
	}
}

func TestAnOddTargetIsTold(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		n, scale := 120+rng.IntN(400), math.Pow(10, 4*rng.Float64())
		at, share := rng.IntN(n), .15+.3*rng.Float64()
		draw := []func() float64{
			func() float64 { return 10*scale + scale*rng.NormFloat64() },
			func() float64 { return scale * rng.Float64() },
			func() float64 { return scale * rng.ExpFloat64() },
		}[seed%3]
		told := func(f func(row int, y float64) float64) string {
			lines := tabletest.Column(tabletest.Numbers(n), 2, "y", func(row int) string { return fmt.Sprintf("%.4f", f(row, draw())) })
			return strings.Join(tabletest.Plan(t, lines, roles.Settings{Target: "y"}).Notes.Texts(), "; ")
		}
		assert.Empty(t, told(func(_ int, y float64) float64 { return y }), "the twin")
		assert.Contains(t, told(func(row int, y float64) float64 {
			if row == at {
				return 1e4 * scale
			}
			return y
		}), fmt.Sprintf("on line %d, far from all other rows: it alone causes", at+2))
		for value, asks := range map[float64]string{0: "means none", scale * .9: "means a limit"} {
			assert.Contains(t, told(func(_ int, y float64) float64 {
				if rng.Float64() < share {
					return value
				}
				return y
			}), asks)
		}
		assert.Contains(t, told(func(row int, _ float64) float64 { return scale * float64(n-row) }), "the rows are sorted by y")
	}
}

// copied is a table of rows in random order whose features are those of one of kinds, each
// about equally often, and the kind of each row. Two columns are numbers, then come texts.
func copied(rng *rand.Rand, rows, kinds, texts int, classes bool) (csv string, kind []int) {
	var b strings.Builder
	b.WriteString("a,b,")
	for k := range texts {
		fmt.Fprintf(&b, "t%d,", k)
	}
	b.WriteString("y\n")
	features := make([]string, kinds)
	for i := range features {
		features[i] = fmt.Sprintf("%.4f,%.4f,", rng.NormFloat64(), rng.NormFloat64())
		for range texts {
			features[i] += []string{"red,", "green,", "blue,"}[rng.IntN(3)]
		}
	}
	kind = make([]int, rows)
	for i := range kind {
		kind[i] = i % kinds
	}
	rng.Shuffle(rows, func(i, j int) { kind[i], kind[j] = kind[j], kind[i] })
	for i, k := range kind {
		y := strconv.FormatFloat(rng.NormFloat64(), 'f', 3, 64)
		if classes {
			y = []string{"no", "no", "yes"}[min(2, i%(3+k%2))]
		}
		b.WriteString(features[k] + y + "\n")
	}
	return b.String(), kind
}

// apart fails if rows of one kind are in two parts.
func apart(t *testing.T, kind []int, parts ...[]int32) {
	t.Helper()
	in := map[int]int{}
	for at, rows := range parts {
		for _, row := range rows {
			was, ok := in[kind[row]]
			require.False(t, ok && was != at, "rows of kind %d are in parts %d and %d", kind[row], was, at)
			in[kind[row]] = at
		}
	}
}

func TestNoCopyOfARowCrossesASplitOrAFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	for range 25 {
		rows, classes := 150+rng.IntN(300), rng.IntN(2) == 0
		csv, kind := copied(rng, rows, rows/(2+rng.IntN(4)), rng.IntN(4), classes)
		p := tabletest.PlanOf(t, tabletest.Read(t, csv), roles.Settings{Target: "y"})
		assert.Contains(t, p.Notes.Texts(), fmt.Sprintf("%d of %d rows have the same features as another; every split keeps copies together", rows, rows))
		s := p.Split(tabletest.Stream(rng.Uint64()))
		checkSplit(t, p, s)
		require.Equal(t, rows, s.Rows())
		apart(t, kind, s.Train, s.Valid, s.Test)
		share := func(rows []int32) float64 { return sumOf(p.Targets(rows)) / float64(len(rows)) }
		for _, part := range [][]int32{s.Valid, s.Test} {
			assert.InDelta(t, .2, float64(len(part))/float64(rows), .03)
			if classes {
				assert.InDelta(t, share(p.Rows), share(part), .2)
			}
		}
		folds := tabletest.Must(p.CrossValidation(s, 5, tabletest.Stream(rng.Uint64())))
		for _, f := range folds {
			require.Equal(t, rows-len(s.Test), len(f.Train)+len(f.Valid))
			assert.InDelta(t, .2, float64(len(f.Valid))/float64(rows-len(s.Test)), .06)
			apart(t, kind, f.Train, f.Valid, s.Test)
		}
	}
}

func TestAFewCopiesLeaveTheSplitAlone(t *testing.T) {
	for kinds, kept := range map[int]bool{298: false, 296: true} { // of 300 rows
		csv, _ := copied(rand.New(rand.NewPCG(53, 5)), 300, kinds, 1, false)
		p := tabletest.PlanOf(t, tabletest.Read(t, csv), roles.Settings{Target: "y"})
		assert.Equal(t, kept, strings.Contains(strings.Join(p.Notes.Texts(), ""), "keeps copies together"))
	}
}

func TestRowsOfARareClassAreInEachPartThoughTheyHaveCopies(t *testing.T) {
	csv, kind := copied(rand.New(rand.NewPCG(53, 2)), 300, 100, 1, false)
	lines := strings.Split(strings.TrimSpace(csv), "\n")
	for i := range kind {
		lines[i+1] = lines[i+1][:strings.LastIndex(lines[i+1], ",")+1] + map[bool]string{true: "yes", false: "no"}[kind[i] < 5]
	}
	p := tabletest.PlanOf(t, tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y"})
	for seed := range uint64(30) {
		s := p.Split(tabletest.Stream(seed))
		apart(t, kind, s.Train, s.Valid, s.Test)
		assert.Empty(t, p.LacksClass(s))
		assert.Contains(t, p.Targets(s.Train), 1.)
	}
}

func TestRowsThatAreEqualByChanceAreSplitAsRowsThatDiffer(t *testing.T) {
	for name, cells := range map[string]func(rng *rand.Rand) string{
		"all differ":      func(rng *rand.Rand) string { return fmt.Sprintf("%v,%v", rng.Float64(), rng.Float64()) },
		"two of levels":   func(rng *rand.Rand) string { return fmt.Sprintf("a%d,b%d", rng.IntN(3), rng.IntN(3)) },
		"ratings":         func(rng *rand.Rand) string { return fmt.Sprintf("u%d,i%d", rng.IntN(20), rng.IntN(30)) },
		"coarse numbers":  func(rng *rand.Rand) string { return fmt.Sprintf("%d,%d", rng.IntN(12), rng.IntN(9)) },
		"one of another":  func(rng *rand.Rand) string { k := rng.IntN(40); return fmt.Sprintf("s%d,r%d", k, k/4) },
		"a number, fixed": func(rng *rand.Rand) string { return fmt.Sprintf("%d,x", rng.IntN(50)) },
	} {
		lines, rng := []string{"a,b,y"}, rand.New(rand.NewPCG(53, 3))
		for range 200 {
			lines = append(lines, fmt.Sprintf("%s,%d", cells(rng), rng.IntN(9)))
		}
		p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
		for _, n := range p.Notes {
			assert.NotEqual(t, note.TopicSplit, n.Topic, name)
		}
		want := append([]int32(nil), p.Rows...)
		tabletest.Stream(7).Shuffle(len(want), func(i, j int) { want[i], want[j] = want[j], want[i] })
		s := p.Split(tabletest.Stream(7))
		assert.Equal(t, want, append(append(append([]int32(nil), s.Train...), s.Valid...), s.Test...), name)
	}
}

func TestCopiesOfFewRowsAreRefusedWithAdvice(t *testing.T) {
	for kinds, found := range map[int]string{4: "4 rows have different features and the other 196", 9: "9 rows have different features and the other 191"} {
		lines := []string{"a,b,c,d,e,y"}
		for i := range 200 {
			k := i % kinds
			lines = append(lines, fmt.Sprintf("%d.5,%d,%d,%d.1,%d,%d", k, 7*k, k*k+k, 11*k, 3*k-1, i*i%17))
		}
		_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y"})
		cannot := tabletest.As[*fault.PlanError](t, err)
		assert.Equal(t, fault.TooFewRows, cannot.Problem)
		assert.Contains(t, err.Error(), found)
	}
	csv, _ := copied(rand.New(rand.NewPCG(53, 4)), 300, 12, 1, false)
	p := tabletest.PlanOf(t, tabletest.Read(t, csv), roles.Settings{Target: "y"})
	_, err := p.CrossValidation(p.Split(tabletest.Stream(1)), 20, tabletest.Stream(1))
	assert.ErrorContains(t, err, "training and validation rows differ, the others are copies, but 20 are needed, one per fold; use fewer folds")
}
