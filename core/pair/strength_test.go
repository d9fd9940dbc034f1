package pair

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/data"
)

// features writes columns of features side by side.
func design(columns ...[]float64) *data.Dense {
	n, d := len(columns[0]), len(columns)
	x := make([]float64, n*d)
	for j, c := range columns {
		for i, v := range c {
			x[i*d+j] = v
		}
	}
	return data.NewDense(n, d, x)
}

func TestStrengthsAreWhatDenseLeastSquaresLeaves(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	const n, d = 400, 10
	columns := make([][]float64, d)
	for j := range columns {
		columns[j] = make([]float64, n)
	}
	for i := range n {
		columns[0][i] = rng.NormFloat64()
		columns[1+rng.IntN(3)][i] = 1 // levels, whose sum is 1
		columns[4+min(3, int(rng.ExpFloat64()))][i] = 1
		columns[8][i] = rng.ExpFloat64()
		columns[9][i] = columns[8][i] * columns[8][i]
	}
	groups := []Group{{0, 1}, {1, 4}, {4, 8}, {8, 10}}
	m := make([]float64, d*d)
	for i := range m {
		m[i] = rng.NormFloat64()
	}
	strengths := NewStrengths(design(columns...), groups)
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	for p, a := range groups {
		for q, b := range groups {
			if p == q {
				assert.Zero(t, strengths.Of(m, p, q))
				continue
			}
			g := make([]float64, n)
			for i := range g {
				for j := a.Lo; j < a.Hi; j++ {
					for k := b.Lo; k < b.Hi; k++ {
						g[i] += columns[j][i] * (m[j*d+k] + m[k*d+j]) * columns[k][i]
					}
				}
			}
			main := append(append([][]float64{ones}, columns[a.Lo:a.Hi]...), columns[b.Lo:b.Hi]...)
			assert.InEpsilon(t, square(without(g, span(main, 1e-7)))/n, strengths.Of(m, p, q), 1e-8, "%d × %d", p, q)
		}
	}
}

// A model says the same whether a level is 0 and 1, or −3 and 5 with the weights to
// match; whether a column twice has "interactions" or not; and its refits are
// measured by the same call.
func TestStrengthsDoNotDependOnCodingAndMainEffectsAreNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	const n = 300
	x, one, zero, shifted := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], one[i] = 50+rng.NormFloat64(), float64(rng.IntN(2))
		zero[i], shifted[i] = 1-one[i], 8*one[i]-3
	}
	levels := NewStrengths(design(x, one, zero), []Group{{0, 1}, {1, 3}})
	single := NewStrengths(design(x, shifted), []Group{{0, 1}, {1, 2}})
	a := levels.Of([]float64{0, .7, -.3, .7, 0, 0, -.3, 0, 0}, 0, 1) // a slope of ±1 between the levels
	b := single.Of([]float64{0, 1. / 8, 1. / 8, 0}, 0, 1)
	assert.InEpsilon(t, a, b, 1e-9)
	assert.InDelta(t, 1, a, .3, "(2·(.7 + .3))²·var(x)·var(level)")
	assert.Equal(t, a, levels.Of([]float64{0, .7, -.3, .7, 0, 0, -.3, 0, 0}, 0, 1))

	none := levels.Of([]float64{0, .5, .5, .5, 0, 0, .5, 0, 0}, 0, 1)
	assert.Zero(t, none, "the same slope in both levels is a main effect, and not 1e-18")
	assert.Zero(t, NewStrengths(design(x, one, one), []Group{{0, 1}, {1, 2}, {2, 3}}).Of([]float64{0, 0, 0, 0, 0, 3, 0, 3, 0}, 1, 2), "a level and the same level")
	assert.False(t, math.IsNaN(NewStrengths(design(x[:1], one[:1]), []Group{{0, 1}, {1, 2}}).Of([]float64{0, 1, 1, 0}, 0, 1)), "one row")
}
