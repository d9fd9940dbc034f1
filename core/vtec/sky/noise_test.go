package sky

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The recursion, run over the same innovations from long before.
func TestNoiseIsTheAutoregressiveProcess(t *testing.T) {
	phi := math.Exp(-1. / 3)
	const seed, day, satellite = 5, 6, 7
	var state, now [17]float64
	for minute := -memory + 1; minute < 200; minute++ {
		rng := rand.New(rand.NewPCG(seed, noiseStream|day<<32|satellite<<16|uint64(minute+memory)))
		for i := range state {
			state[i] = phi*state[i] + math.Sqrt(1-phi*phi)*rng.NormFloat64()
		}
		if minute < 0 {
			continue
		}
		noise(now[:], seed, day, satellite, minute)
		for i := range state {
			// The recursion remembers what is older than half an hour, φ³⁰ = 5e-5 of it.
			assert.InDelta(t, state[i], now[i], 4e-4)
		}
	}
}

// series is the noise of 17 links to a satellite through a day.
func series(seed uint64, day, satellite int) (s [1440][17]float64) {
	for minute := range s {
		noise(s[minute][:], seed, day, satellite, minute)
	}
	return s
}

// product is the mean product of two series, one of them later, and its standard
// error if they have nothing to do with one another: of a product of two such
// processes, neighbours are correlated by φ².
func product(a, b *[1440][17]float64, later int) (mean, deviation float64) {
	n := 0.
	for minute := later; minute < 1440; minute++ {
		for i := range a[0] {
			mean += a[minute][i] * b[minute-later][i]
			n++
		}
	}
	square := math.Exp(-2. / 3)
	return mean / n, math.Sqrt((1 + square) / (1 - square) / n)
}

func TestNoiseOfDifferentLinksDaysAndSeedsHasNothingInCommon(t *testing.T) {
	s := series(1, 2, 3)
	for what, other := range map[string][1440][17]float64{
		"satellite": series(1, 2, 4), "day": series(1, 3, 3), "seed": series(2, 2, 3), "more seed": series(1+1<<40, 2, 3),
	} {
		for later := range 40 {
			mean, deviation := product(&s, &other, later)
			assert.InDelta(t, 0, mean, 5*deviation, "another %s, %d min later", what, later)
		}
	}
}
