package roles_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

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

func TestATargetThatVariesByRoundingAloneIsRefused(t *testing.T) {
	for _, y := range []float64{20, 1e9, -.3} {
		rows := func(by float64) error {
			lines := tabletest.Column(tabletest.Numbers(40), 2, "y", func(row int) string { return fmt.Sprint(y * (1 + by*float64(row%3))) })
			_, err := roles.NewPlan(tabletest.Read(t, tabletest.Join(lines)), roles.Settings{Target: "y"})
			return err
		}
		var refused *fault.PlanError
		require.True(t, errors.As(rows(1e-15), &refused))
		assert.Contains(t, refused.Message, "in every row except for rounding")
		assert.NoError(t, rows(1e-6), "the twin")
	}
}
