package roles_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

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
		var cannot *fault.PlanError
		require.ErrorAs(t, err, &cannot)
		assert.Equal(t, fault.TooFewRows, cannot.Problem)
		assert.Contains(t, err.Error(), found)
	}
	csv, _ := copied(rand.New(rand.NewPCG(53, 4)), 300, 12, 1, false)
	p := tabletest.PlanOf(t, tabletest.Read(t, csv), roles.Settings{Target: "y"})
	_, err := p.CrossValidation(p.Split(tabletest.Stream(1)), 20, tabletest.Stream(1))
	assert.ErrorContains(t, err, "training and validation rows differ, the others are copies, but 20 are needed, one per fold; use fewer folds")
}
