package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fromVectors is the quartic of a line along which the residual is r + tp + t²s,
// with p turned so that the loss falls at first.
func fromVectors(r, p, s []float64) quartic {
	var q quartic
	for i := range r {
		q.a += r[i] * p[i]
		q.b += p[i]*p[i]/2 + r[i]*s[i]
		q.c += p[i] * s[i]
		q.d += s[i] * s[i] / 2
	}
	return q
}

func TestTheLineSearchFindsTheLowestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for trial := range 2000 {
		scaleP, scaleS := math.Pow(10, 6*rng.Float64()-3), math.Pow(10, 12*rng.Float64()-6)
		n := 1 + rng.IntN(4)
		r, p, s := gaussian(rng, n), gaussian(rng, n), gaussian(rng, n)
		for i := range p {
			p[i] *= scaleP
			s[i] *= scaleS
		}
		q := fromVectors(r, p, s)
		if q.a > 0 {
			for i := range p {
				p[i] = -p[i]
			}
			q = fromVectors(r, p, s)
		}
		best := q.minimum()
		require.Positive(t, best)
		require.Less(t, q.value(best), 0.0)
		// A slow walk over t finds nothing lower.
		for at := 1e-12; at <= 1e12; at *= 1.03 {
			if q.value(at) < q.value(best)*(1+1e-9) {
				t.Fatalf("trial %d: %+v is lower at %g than at %g", trial, q, at, best)
			}
		}
	}
}

func TestTheLineSearchSolvesQuadratics(t *testing.T) {
	assert.Equal(t, 2.0, quartic{a: -4, b: 1}.minimum()) // −4t + t²
	assert.Equal(t, 1e-9, quartic{a: -2e-9, b: 1}.minimum())
}

func TestTheLineSearchChoosesTheDeeperOfTwoMinima(t *testing.T) {
	// φ′ = (t − 1)(t − 2)(t − 4) has minima at 1 and 4, and 4 is deeper.
	assert.Equal(t, 4.0, quartic{a: -8, b: 7, c: -7. / 3, d: .25}.minimum())
	// φ′ = (t − 1)(t − 3)(t − 4): 1 is deeper.
	assert.Equal(t, 1.0, quartic{a: -12, b: 9.5, c: -8. / 3, d: .25}.minimum())
}

func TestTheLineSearchStaysWhereNothingIsLower(t *testing.T) {
	for _, q := range []quartic{
		{},
		{a: 1, b: 1},
		{a: math.NaN(), b: 1},
		{a: -1, b: math.NaN(), c: math.NaN(), d: math.NaN()},
		{a: -1, b: math.Inf(1), c: math.Inf(-1), d: math.Inf(1)},
		{a: -1}, // falls for ever: not a loss
	} {
		assert.Zero(t, q.minimum(), "%+v", q)
	}
}
