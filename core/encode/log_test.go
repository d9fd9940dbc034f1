package encode

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/roles"
)

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
