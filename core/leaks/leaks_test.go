package leaks_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/leaks"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestTextsAreReadAsRecorded(t *testing.T) { tabletest.Readings(t) }

// odd returns what a plan found odd about features.
func odd(p *roles.Plan) (notes note.Notes) {
	for _, n := range p.Notes {
		switch n.Topic {
		case note.TopicLeak, note.TopicParts, note.TopicCopy, note.TopicPairs, note.TopicCase:
			notes = append(notes, n)
		}
	}
	return notes
}

func findings(t *testing.T, lines []string, s roles.Settings) (kinds []note.Topic, columns []string) {
	t.Helper()
	p := tabletest.Plan(t, lines, s)
	require.Empty(t, odd(p), "nobody has asked")
	leaks.Find(p)
	for _, f := range odd(p) {
		kinds = append(kinds, f.Topic)
		columns = append(columns, strings.Join(f.Columns, " "))
		for _, name := range f.Columns {
			i := slices.Index(p.Table.Names(), name)
			assert.Equal(t, roles.RoleFeature, p.Roles[i], "%s is told of, and used", name)
		}
	}
	return kinds, columns
}

func TestAColumnThatFollowsTheTargetIsToldOf(t *testing.T) {
	// r = 1/√(1 + noise²): .975 at a noise of .228.
	for noise, leaks := range map[float64]bool{0: true, .15: true, .195: true, .215: true, .245: false, .4: false} {
		for _, n := range []int{400, 6000} {
			kinds, columns := findings(t, tabletest.Drawn(n, "a,b,y", func(_ int, x [4]float64) []any {
				return []any{x[1], 7 - 2*x[0], x[0] + noise*x[2]}
			}), roles.Settings{Target: "y"})
			if !leaks {
				assert.Empty(t, kinds, "noise %g", noise)
				continue
			}
			assert.Equal(t, []note.Topic{note.TopicLeak}, kinds, "noise %g", noise)
			assert.Equal(t, []string{"b"}, columns)
		}
	}
	kinds, _ := findings(t, tabletest.Drawn(400, "a,b,y", func(_ int, x [4]float64) []any { return []any{x[1], x[0], x[0]} }), roles.Settings{Target: "y", Ignore: []string{"b"}})
	assert.Empty(t, kinds, "what is ignored tells nothing")
}

func TestColumnsThatAddUpToTheTargetAreToldOf(t *testing.T) {
	for noise, told := range map[float64]bool{0: true, .018: true, .03: false} { // of a standard deviation of √(4 + 1)
		kinds, columns := findings(t, tabletest.Drawn(300, "a,b,c,y", func(row int, x [4]float64) []any {
			b := any(x[1])
			if row%20 == 3 {
				b = "" // a row of which one part is missing
			}
			return []any{x[0], b, x[2], 2*x[0] - x[1] + noise*x[3]}
		}), roles.Settings{Target: "y"})
		if !told {
			assert.Empty(t, kinds, "noise %g", noise)
			continue
		}
		assert.Equal(t, []note.Topic{note.TopicParts}, kinds, "noise %g", noise)
		assert.Equal(t, []string{"a b"}, columns, "the heavier first")
	}
	// Three rows a column are no evidence: any y is such a sum of so many.
	kinds, _ := findings(t, tabletest.Drawn(10, "a,b,c,y", func(_ int, x [4]float64) []any { return []any{x[0], x[1], x[2], x[0] + x[1]} }), roles.Settings{Target: "y"})
	assert.Equal(t, []note.Topic{note.TopicParts}, kinds, "ten rows for three columns")
	kinds, _ = findings(t, tabletest.Drawn(12, "a,b,c,d,y", func(_ int, x [4]float64) []any { return []any{x[0], x[1], x[2], x[3], x[0] + x[1]} }), roles.Settings{Target: "y"})
	assert.Empty(t, kinds, "twelve rows for four columns")
}

func TestCopiesAreToldOfTogether(t *testing.T) {
	kinds, columns := findings(t, tabletest.Drawn(200, "celsius,b,fahrenheit,kelvin,town,city,nearly,y", func(row int, x [4]float64) []any {
		town := int(math.Abs(3 * x[3]))
		return []any{x[0], x[1], 32 + 1.8*x[0], 273.15 + x[0], fmt.Sprint("t", town), fmt.Sprint("c", -town), x[0] + .001*x[1], x[2]}
	}), roles.Settings{Target: "y"})
	assert.Equal(t, []note.Topic{note.TopicCopy, note.TopicPairs}, kinds)
	assert.Equal(t, []string{"celsius fahrenheit kelvin", "town city"}, columns)

	kinds, _ = findings(t, tabletest.Drawn(200, "a,b,y", func(row int, x [4]float64) []any {
		return []any{fmt.Sprint("a", row/2), fmt.Sprint("b", row/2), x[2]}
	}), roles.Settings{Target: "y"})
	assert.Equal(t, []note.Topic{note.TopicPairs}, kinds, "levels seen twice each")
	kinds, _ = findings(t, tabletest.Drawn(200, "a,b,y", func(row int, x [4]float64) []any {
		return []any{fmt.Sprint("a", row*2/3), fmt.Sprint("b", row*2/3), x[2]}
	}), roles.Settings{Target: "y", Categorical: []string{"a", "b"}})
	assert.Empty(t, kinds, "levels seen once or twice go one to one by themselves")
	kinds, _ = findings(t, tabletest.Drawn(200, "a,b,y", func(row int, x [4]float64) []any {
		return []any{fmt.Sprint("a", row%3), fmt.Sprint("b", row%3+row/199), x[2]}
	}), roles.Settings{Target: "y"})
	assert.Empty(t, kinds, "but for one row")
}

func TestWhatWasNotLookedAtIsTold(t *testing.T) {
	header := strings.Repeat("c,", 203) + "y"
	lines := tabletest.Drawn(3000, header, func(_ int, x [4]float64) []any {
		cells := make([]any, 0, 204)
		for j := range 203 {
			cells = append(cells, math.Round(1000*math.Sin(float64(j)*(x[0]+x[1])+x[j%4]))/1000)
		}
		return append(cells, x[2])
	})
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y"})
	leaks.Find(p)
	assert.Equal(t, roles.LeakSample{Rows: 2048, Columns: 200}, p.LeakSample)
	assert.Contains(t, p.Notes.Texts(), "3 columns after the first 200 of their kind were not checked for leaks and copies")
}

// Each fault has a twin: the same columns with the fault taken out.
func TestTheTargetInOtherWordsIsToldOf(t *testing.T) {
	class := func(yes bool, words string) string { return map[bool]string{true: "", false: "not "}[yes] + words }
	for _, c := range []struct {
		name, header string
		row          func(fault float64, row int, x [4]float64) []any // fault is 1, in the twin 0
	}{
		{"another text of the classes, but for a few", "alive,a,y", func(fault float64, row int, x [4]float64) []any {
			return []any{class(x[0] > 0 != (row%300 == 0 || fault == 0 && x[1] > 1), "alive"), x[2], class(x[0] > 0, "saved")}
		}},
		{"an amount that one class has", "recovered,a,y", func(fault float64, _ int, x [4]float64) []any {
			amount := max(0, math.Floor(300*math.Abs(x[1])))
			if x[0] < 0 && (fault == 1 || x[3] < 0) {
				amount = 0
			} else {
				amount++
			}
			return []any{amount, x[2], class(x[0] > 0, "default")}
		}},
		{"grades of a score", "grade,a,y", func(fault float64, _ int, x [4]float64) []any {
			return []any{"g" + fmt.Sprint(math.Floor(2*(x[0]+(1-fault)*.4*x[1]))), x[2], x[0]}
		}},
		{"a total", "total,fare,tolls,y", func(fault float64, row int, x [4]float64) []any {
			fare, tolls, tip := 20+20*math.Abs(x[0]), float64(5*(row%4/3)), 4*math.Abs(x[1])
			return []any{fare + tolls + float64(row%3) + fault*tip + (1-fault)*4*math.Abs(x[3]), fare, tolls, tip}
		}},
		{"a total of which .033 is something else, not .061", "total,fare,a,y", func(fault float64, row int, x [4]float64) []any {
			fare, tip := 20*math.Abs(x[0]), 10*math.Abs(x[1])
			return []any{fare + tip + (4.2-1.2*fault)*float64(row%3), fare, math.Abs(x[2]), tip}
		}},
	} {
		for _, n := range []int{300, 3000} {
			for _, fault := range []float64{0, 1} {
				lines := tabletest.Drawn(n, c.header, func(row int, x [4]float64) []any { return c.row(fault, row, x) })
				for i, line := range lines {
					lines[i] = strings.ReplaceAll(line, "not,", "not ")
				}
				kinds, columns := findings(t, lines, roles.Settings{Target: "y"})
				if fault == 0 {
					assert.Empty(t, kinds, "the twin of %s", c.name)
					continue
				}
				assert.Equal(t, []note.Topic{note.TopicLeak}, kinds, c.name)
				assert.Len(t, columns, 1, c.name)
			}
		}
	}
}

func TestAStrongColumnIsNoLeak(t *testing.T) {
	for name, row := range map[string]func(row int, x [4]float64) []any{
		"things seen again": func(row int, x [4]float64) []any {
			return []any{"g" + fmt.Sprint(row%40), x[1], float64(7 * (row % 40) % 41)}
		},
		"seasons": func(row int, x [4]float64) []any {
			return []any{fmt.Sprintf("2020-%02d-%02d", 1+row%12, 1+row/12%28), x[1], float64(7*(row%12)%13) + .01*x[0]}
		},
		"groups far apart": func(row int, x [4]float64) []any {
			return []any{"g" + fmt.Sprint(row%4), x[1], float64(10*(row%4)) + x[0]}
		},
		"a test that errs in 2 of 100": func(row int, x [4]float64) []any {
			return []any{fmt.Sprint("t", x[0] > 0 != (row%50 == 0)), x[1], fmt.Sprint(x[0] > 0)}
		},
		"two kinds that differ in size": func(row int, x [4]float64) []any {
			return []any{float64(3*(row%2)) + math.Sin(3*x[0]), x[1], fmt.Sprint("k", row%2)}
		},
	} {
		kinds, _ := findings(t, tabletest.Drawn(400, "a_id,b,y", row), roles.Settings{Target: "y"})
		assert.Empty(t, kinds, name)
	}
}

func TestColumnsThatAddUpToOneOrAHundredAreToldOf(t *testing.T) {
	for _, whole := range []float64{1, 100} {
		for _, n := range []int{3, 5} {
			for _, fault := range []bool{false, true} {
				header := "z"
				for i := range n {
					header += fmt.Sprintf(",s%d", i)
				}
				kinds, columns := findings(t, tabletest.Drawn(200, header+",y", func(row int, x [4]float64) []any {
					cells, sum := []any{x[0]}, 0.0
					parts := make([]float64, n)
					for i := range parts {
						parts[i] = .1 + math.Abs(x[i%4]+float64(i*row%7))
						sum += parts[i]
					}
					if !fault {
						sum *= 1 + .1*math.Abs(x[1])
					}
					for _, part := range parts {
						cells = append(cells, math.Round(1e4*part/sum)/1e4*whole)
					}
					return append(cells, x[3])
				}), roles.Settings{Target: "y"})
				if !fault {
					assert.Empty(t, kinds, "the twin")
					continue
				}
				assert.Equal(t, []note.Topic{note.TopicCopy}, kinds)
				assert.Len(t, strings.Fields(columns[0]), n)
			}
		}
	}
}
