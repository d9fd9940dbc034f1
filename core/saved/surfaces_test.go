package saved_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
)

func TestASurfaceHasTheTermsThatExplanationsGive(t *testing.T) {
	content := related(150)
	names := []string{"a", "b", "colour"}
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=when,w,positive,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=when,positive,two,three",
		"target=two&models=fm&encode=linear&ignore=when,w,y,positive,three",
		"target=three&models=ifm&encode=hats&ignore=when,w,y,positive,two",
	} {
		query = related150 + query
		file, run, k := trained(t, query, content)
		z, _, _ := training(t, run, k, file)
		scores := []*saved.Model{k}
		if len(k.Model.Classes) > 0 {
			scores = []*saved.Model{k.Score(0), k.Score(2)}
		}
		for _, k := range scores {
			require.Equal(t, names, k.Encoding.Columns())
			for p := range names {
				for q := p + 1; q < len(names); q++ {
					s := k.Surface(p, q, z)
					require.Len(t, s.Effect, len(s.Rows)*len(s.Columns))
					n, _ := z.Dims()
					sum := 0.0
					for i, first := range s.Rows {
						for j, second := range s.Columns {
							at := i*len(s.Columns) + j
							sum += s.Near[at]
							cells := []string{"0.1", "0.2", "red", "2012-03-04", "1", "", "", "", ""}
							cells[p], cells[q] = writtenAs(first), writtenAs(second)
							row := runtest.ReadTable(t, query, strings.Join(strings.Split(content, "\n")[:9], "\n")+"\n"+strings.Join(cells, ",")+"\n")
							_, terms := termsOf(t, k, row, 10)
							assert.InDelta(t, terms[[2]int{p, q}], s.Effect[at], 1e-9, "%s: %v", query, cells)
						}
					}
					assert.InDelta(t, n, sum, 1e-6, "each row counts once: %s and %s", names[p], names[q])
				}
			}
			assert.Nil(t, k.Surface(0, 1, nil).Near)
		}
	}
}

func writtenAs(c saved.Cell) string {
	switch c.Kind {
	case design.FeatureValue:
		return cell.FormatNumber(c.Number)
	case design.FeatureMissing:
		return ""
	default:
		return c.Level
	}
}

func TestASurfaceOfManyLevelsHasTheCommonest(t *testing.T) {
	var file strings.Builder
	file.WriteString("x,level,y\n")
	for i := range 400 {
		level := min(i%21, 20-i%20)
		file.WriteString(cell.FormatNumber(math.Sin(float64(i))) + ",l" + cell.FormatNumber(float64(level)) + "," + cell.FormatNumber(float64(i%7)) + "\n")
	}
	_, _, k := trained(t, "source=table&split=random&target=y&models=ifm&encode=linear&ranks=2&lambdaf=3&lambdaw=1&iterations=5", file.String())
	s := k.Surface(0, 1, nil)
	assert.Len(t, s.Rows, 5, "a number without knots")
	assert.Len(t, s.Columns, 8)
	assert.True(t, slices.ContainsFunc(s.Columns, func(c saved.Cell) bool { return c.Level == "l0" }))
}
