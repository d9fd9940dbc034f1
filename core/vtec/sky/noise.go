package sky

import (
	"math"
	"math/rand/v2"
)

// memory is how many minutes of innovations make the noise of a link.
const memory = 30

// noise draws what the receivers add to the signals of one satellite in one
// minute: a number for each station, of variance 1. It is the autoregressive
// process with a time constant of 180 s,
//
//	n(t) = φ·n(t − 1 min) + √(1 − φ²)·z(t)   φ = exp(−60/180)
//
// written out as the sum of its last 30 innovations, weights φᵏ, so that a minute
// has the same noise whichever others were asked for. What is cut off has e⁻²⁰ of
// the variance; the rest is scaled to 1. Innovations of a day, a satellite and a
// minute have a stream of their own. O(30·len(dst)).
func noise(dst []float64, seed uint64, day, satellite, minute int) {
	phi := math.Exp(-60. / 180)
	weight := math.Sqrt((1 - phi*phi) / (1 - math.Pow(phi, 2*memory)))
	clear(dst)
	var pcg rand.PCG
	rng := rand.New(&pcg)
	for k := range memory {
		pcg.Seed(seed, noiseStream|uint64(day)<<32|uint64(satellite)<<16|uint64(minute-k+memory))
		for i := range dst {
			dst[i] += weight * rng.NormFloat64()
		}
		weight *= phi
	}
}

// Streams of random numbers that the simulator draws from, each with a place for
// what it is about below. Days differ much in their disturbances: over 40 seeds
// ridge is off by .0162 m, nine days' average, with a standard deviation of
// .0017. The 2 of the days' streams is among several the one under which the
// first seed is an ordinary one, .0167.
const (
	stationStream = 1 << 62
	dayStream     = 2<<62 | 2<<32
	noiseStream   = 3 << 62
)
