package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/moment"
)

// columnOf returns a column of these cells.
func columnOf(cells []string) *Column {
	c := NewColumn("c", '.')
	scratch := make([]float64, BlockLen)
	for i, text := range cells {
		c.Add(i, text)
		if i%BlockLen == BlockLen-1 {
			c.SumUp(i+1, scratch)
		}
	}
	c.SumUp(len(cells), scratch)
	return c
}

// holds compares a column with its cells one by one.
func holds(t *testing.T, what string, c *Column, cells []string) {
	t.Helper()
	var numbers moment.Accumulator
	values, texts, missing := []float64{}, 0, 0
	seen, direction, falls, before := map[string]int{}, 0, false, math.NaN()
	require.Equal(t, len(cells), c.Rows(), what)
	for i, text := range cells {
		v, is := cell.ParseNumber(text, '.')
		if !is {
			v = math.NaN()
		}
		require.Equal(t, fmt.Sprint(v), fmt.Sprint(c.Number(i)), "%s, row %d", what, i)
		require.Equal(t, text == "", c.IsMissing(i), what)
		if c.PlainNumbers && is {
			text = cell.FormatNumber(v)
		}
		require.Equal(t, text, c.Text(i), what)
		seen[text]++
		switch {
		case is:
			numbers.Add(v)
			values = append(values, v)
			falls = falls || v < before
			before = v
		case text == "":
			missing++
		default:
			texts++
		}
	}
	assert.Equal(t, []int{len(values), texts, missing}, []int{c.NumberCount, c.TextCount, c.MissingCount}, what)
	for i := 1; i < len(values) && texts+missing == 0; i++ {
		now := map[bool]int{true: 1, false: -1}[values[i] > values[i-1]]
		if values[i] == values[i-1] || now == -direction {
			direction = 0
			break
		}
		direction = now
	}
	assert.Equal(t, direction, c.Direction(), what)
	assert.Equal(t, !falls, c.NonDecreasing(), what)
	if len(values) == 0 {
		return
	}
	assert.Equal(t, []float64{slices.Min(values), slices.Max(values)}, []float64{c.Min, c.Max}, what)
	m := c.Moments()
	assert.InEpsilon(t, 1+numbers.SD(), 1+m.SD(), 1e-9, what)
	assert.InDelta(t, numbers.Mean(), m.Mean(), 1e-9*(1+math.Abs(m.Mean())), what)
	whole := !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
	assert.Equal(t, whole, c.IsWhole(), what)
	assert.Equal(t, c.PlainNumbers && !whole, c.HasFractions(), what)
	slices.Sort(values)
	different := slices.Compact(slices.Clone(values))
	assert.Equal(t, texts == 0 && len(different) == 1 || !c.PlainNumbers && len(seen)-min(1, missing) == 1, c.IsConstant(), what)
	n, exact := c.CountDistinct(true)
	if !c.PlainNumbers || whole {
		assert.True(t, !exact || n == len(different), "%s: %d of %d", what, n, len(different))
	}
	least, cells1, next := c.Extreme(false, values[0]+1e-9, math.Inf(1))
	most, cells2, _ := c.Extreme(true, math.Inf(-1), values[len(values)-1])
	assert.Equal(t, []any{values[len(values)-1], count(values, values[len(values)-1])}, []any{most, cells2}, what)
	if len(different) > 2 && different[1] > different[0]+1e-8 {
		assert.Equal(t, []any{different[1], count(values, different[1]), different[2]}, []any{least, cells1, next}, what)
	}
}

func count(values []float64, of float64) (n int) {
	for _, v := range values {
		if v == of {
			n++
		}
	}
	return n
}

func TestAColumnIsItsCellsInEveryForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	scratch := make([]float64, BlockLen)
	for name, draw := range map[string]func(row int) string{
		"few":       func(int) string { return []string{"1", "2.0", "2", "-999", ""}[rng.IntN(5)] },
		"many":      func(int) string { return cell.FormatNumber(float64(rng.IntN(30_000))) },
		"fractions": func(int) string { return fmt.Sprintf("%.4f", rng.NormFloat64()) },
		"odd ones": func(int) string {
			return []string{fmt.Sprintf("%.3f", rng.ExpFloat64()), fmt.Sprint(rng.IntN(9999)), "-999", "n/k", "", "late"}[max(0, rng.IntN(60)-54)]
		},
		"texts":  func(int) string { return []string{"a", "b", "", "n/k"}[rng.IntN(4)] },
		"counts": func(row int) string { return fmt.Sprint(row - 7) },
		"falls":  func(row int) string { return fmt.Sprint(7000.5 - float64(row)) },
		"one":    func(row int) string { return []string{"5", "5.0"}[row%2] },
	} {
		for _, rows := range []int{3, 300, 12_000} {
			cells := make([]string, rows)
			for i := range cells {
				cells[i] = draw(i)
			}
			what := fmt.Sprintf("%s, %d rows", name, rows)
			c := columnOf(cells)
			holds(t, what, c, cells)
			assert.Equal(t, map[string]float64{"counts": 1, "falls": -1}[name], c.Step(), what)

			c.SetMissing([]string{"-999", "n/k"}, scratch)
			for i, text := range cells {
				if text == "-999" || text == "n/k" {
					cells[i] = ""
				}
			}
			holds(t, what+", some missing", c, cells)
			var kept []int32
			var left []string
			for i := range cells {
				if rng.IntN(3) > 0 {
					kept, left = append(kept, int32(i)), append(left, cells[i])
				}
			}
			c.KeepRows(kept, scratch)
			holds(t, what+", some left out", c, left)
		}
	}
}
