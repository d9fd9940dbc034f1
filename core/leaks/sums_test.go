package leaks_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

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
			fare, tolls, tip := 20*math.Abs(x[0]), float64(5*(row%4/3)), 4*math.Abs(x[1])
			return []any{fare + tolls + float64(row%3) + fault*tip + (1-fault)*4*math.Abs(x[3]), fare, tolls, tip}
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
		kinds, _ := findings(t, tabletest.Drawn(400, "a,b,y", row), roles.Settings{Target: "y"})
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
