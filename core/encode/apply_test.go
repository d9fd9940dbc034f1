package encode

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// Every form of column: see mixtures. What Apply makes of a table's own rows is
// what training made of them.
func TestATableAppliedToItselfIsItsOwnDesign(t *testing.T) {
	for name, plan := range mixtures(t, 9500) {
		e := encodingOf(t, plan)
		a := applied(t, plan.Table, e)
		for _, lo := range []int{0, 1, 8000} { // within a block of a column, and across
			hi := min(lo+700, plan.Table.Rows)
			rows := make([]int32, hi-lo)
			for i := range rows {
				rows[i] = int32(lo + i)
			}
			d := len(e.Features)
			want, got := written(plan, e, rows), a.Rows(lo, hi)
			for i := range rows {
				want, got := want[i*d:][:d], got.(interface{ Row(int) []float64 }).Row(i)
				if !slices.Equal(want, got) {
					require.Equal(t, want, got, "%s, row %d", name, lo+i)
				}
			}
		}
	}
}

func TestAColumnWithoutASingleNumberIsTold(t *testing.T) {
	table := func(x string) *table.Table {
		var b strings.Builder
		b.WriteString("x,y\n")
		for i := range 20 {
			fmt.Fprintf(&b, "%s,%d\n", strings.ReplaceAll(x, "#", fmt.Sprint(i*7%11)), i*i)
		}
		return open(t, b.String())
	}
	plan := planOf(t, table("#"), roles.Settings{Target: "y"})
	e := encodingOf(t, plan)
	a := applied(t, table("no. #"), e)
	assert.Equal(t, 20, a.OddCount)
	assert.Equal(t, []string{"x has no number in any row; the mean of the training rows is used"}, a.Notes.Texts())
	assert.EqualError(t, &a.Odd[0], `table.csv:2:1: x is "no. 0", expected a finite number; it counts as missing`)
	for i := range 20 {
		assert.Equal(t, []float64{0}, a.Rows(i, i+1).(*design.Dense).Row(0), "the mean")
	}
}

// Both forms of a column: few different numbers and many.
func TestNumbersTooLargeToSquareCountAsMissing(t *testing.T) {
	for _, rows := range []int{50, 6000} {
		table := func(large string) *table.Table {
			var b strings.Builder
			b.WriteString("x,y\n")
			for i := range rows {
				fmt.Fprintf(&b, "%s,%d\n", map[bool]string{true: large, false: fmt.Sprint(i)}[i == 30], i%7)
			}
			b.WriteString("0,1\n")
			return open(t, b.String())
		}
		plan := planOf(t, table("30"), roles.Settings{Target: "y"})
		e := encodingOf(t, plan)
		whole := applied(t, table("30"), e)
		a := applied(t, table("-1e151"), e)
		require.Equal(t, 1, a.OddCount)
		assert.Contains(t, a.Odd[0].Error(), `table.csv:32: x is "-1e`, "the text of a column kept as numbers is the shortest")
		want, got := whole.Rows(0, 40).(*design.Dense), a.Rows(0, 40).(*design.Dense)
		for i := range 40 {
			if i == 30 {
				assert.Equal(t, []float64{0}, got.Row(i), "the mean")
				continue
			}
			assert.Equal(t, want.Row(i), got.Row(i))
		}
	}
}

func TestApplyCountsByColumnsWhatTheModelHasNotSeen(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,z,kind,whole,y\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%d,%s,%d,%d\n", i*7%11, i*5%13, []string{"a", "b", "c"}[i%3], i%9, i*i)
	}
	plan := planOf(t, open(t, b.String()), roles.Settings{Target: "y"})
	e := encodingOf(t, plan)
	a := applied(t, open(t, "whole,kind,z,x\n1,a,,1\n2,d,NA,2\n3,,many,3\n4,e,4,1e200\n5,b,5,5\n6,c,6,6\n7,a,7,7\n8,a,8,8\n9,a,9,9\n10,a,10,10\n"), e)
	var gaps []string
	for _, n := range a.Notes {
		if n.Cells > 0 {
			gaps = append(gaps, fmt.Sprintf("%s %s %d", n.Columns[0], n.Topic, n.Cells))
		}
	}
	assert.Equal(t, []string{"x odd 1", "z missing 2", "z odd 1", "kind missing 1", "kind unseen 2"}, gaps, "in the order of the model, and of no column that lacks nothing")
}

// growth holds a target that a second column shares with others.
func growth(ys ...string) string { return "x,y\n1," + strings.Join(ys, "\n2,") + "\n" }

func TestTheLogarithmIsShiftedWhereTheTargetHoldsZeros(t *testing.T) {
	for _, c := range []struct {
		name, text, learnt string
		raw, y             float64
	}{
		{"prices", growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "9", "7"), "log(y)", 4, math.Log(4)},
		{"counts", growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "9", "0"), "log(1 + y)", 4, math.Log(5)},
	} {
		plan := planOf(t, open(t, c.text), roles.Settings{Target: "y", Log: true})
		encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2, 3, 4, 5, 6}, Valid: []int32{7, 8}, Test: []int32{9, 10, 11}})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.learnt, encoding.Target.Quantity())
		assert.InDelta(t, c.y, encoding.Target.Scaled(c.raw)*encoding.Target.Scale, 1e-15, "whatever the training rows hold")
	}
	plan := planOf(t, open(t, growth("1", "2", "4", "8", "16", "1", "2", "4", "8", "16", "-9", "0")), roles.Settings{Target: "y"})
	encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2}, Test: []int32{3}})
	require.NoError(t, err)
	assert.Equal(t, design.LogNone, encoding.Target.Log)
	assert.Equal(t, "y", encoding.Target.Quantity())
}

func TestATargetWithoutALogarithmIsNamedWithItsFirstCell(t *testing.T) {
	text := growth("1", "2", "-4.5", "8", "16", "-1", "2", "4", "8", "16", "9", "0")
	_, err := roles.NewPlan(open(t, text), roles.Settings{Target: "y", Log: true})
	var typed *fault.PlanError
	require.ErrorAs(t, err, &typed)
	assert.Equal(t, "y", typed.Field)
	assert.Equal(t, "-4.5", typed.Found)
	assert.Contains(t, err.Error(), "y is -4.5 on line 4, and numbers below 0 have no logarithm")
}

func TestATargetOfTwoValuesHasNoLogarithm(t *testing.T) {
	plan := planOf(t, open(t, growth("1", "2", "1", "2", "2", "1", "2", "1", "2", "2", "1", "2")), roles.Settings{Target: "y", Log: true})
	assert.Contains(t, strings.Join(plan.Notes.Texts(), "\n"), "y has two values, so its logarithm")
	encoding, _, err := Encoding(plan, &roles.Split{Train: []int32{0, 1, 2, 3}, Test: []int32{4}})
	require.NoError(t, err)
	assert.Equal(t, design.LogNone, encoding.Target.Log)
}
