package sky

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// turned returns an Earth-fixed place in the frame that turns with the orbit's
// plane only, in which the satellite knows nothing but the Earth's attraction.
func turned(o *orbit, p vector, t float64) vector {
	sin, cos := math.Sincos((turn - o.nodeRate()) * t)
	return vector{cos*p[0] - sin*p[1], sin*p[0] + cos*p[1], p[2]}
}

func norm(v vector) float64 { return math.Sqrt(v.dot(v)) }

// orbits are satellites of both systems, and one on an ellipse that is none
// of theirs, where a mistake in e is easily seen.
func orbits() []orbit {
	return append(almanac(2), orbit{name: "long", axis: 3e7, eccentricity: .4, inclination: 1.1, node: 2, perigee: -1, anomaly: .5})
}

func TestASatelliteMovesAsNewtonsLawSays(t *testing.T) {
	for _, o := range orbits()[25:] {
		place := func(t float64) vector { return turned(&o, o.at(t), t) }
		// The velocity by differences of fourth order: 1e-8 m/s off at most, mostly
		// by rounding.
		velocity := func(t float64) vector {
			var zero vector
			return zero.along(place(t+1), 2./3).along(place(t-1), -2./3).along(place(t+2), -1./12).along(place(t-2), 1./12)
		}
		r, v := place(0), velocity(0)
		pull := func(r vector) vector { var zero vector; return zero.along(r, -gravity/math.Pow(norm(r), 3)) }
		const h = 5.
		for step := 1; step <= 5000; step++ {
			// Runge and Kutta's fourth-order method.
			a1 := pull(r)
			a2 := pull(r.along(v, h/2))
			a3 := pull(r.along(v, h/2).along(a1, h*h/4))
			a4 := pull(r.along(v, h).along(a2, h*h/2))
			r = r.along(v, h).along(a1, h*h/6).along(a2, h*h/6).along(a3, h*h/6)
			v = v.along(a1, h/6).along(a2, h/3).along(a3, h/3).along(a4, h/6)
			if step%500 != 0 {
				continue
			}
			now := h * float64(step)
			// 7 h at some 1e-8 m/s, and thrice that because a faster satellite rises and
			// falls behind.
			assert.Less(t, norm(r.along(place(now), -1)), 5e-3, "%s after %g s", o.name, now)
			// The vis-viva law: v² = μ·(2/r − 1/a).
			speed := velocity(now)
			assert.InEpsilon(t, gravity*(2/norm(place(now))-1/o.axis), speed.dot(speed), 1e-10, "1e-8 of 3900 m/s is 3e-12")
		}
	}
}

func TestASatelliteOfTheFirstSystemIsBackAfterASiderealDay(t *testing.T) {
	const sidereal = 2 * math.Pi / turn // 86 164.1 s
	for _, o := range almanac(1) {
		round := 2 * math.Pi / o.rate()
		assert.InDelta(t, 11*3600+58*60, round, 5, "11 h 58 min")
		// Its plane has turned by .04°, so it meets the same meridian 9 s earlier.
		assert.InDelta(t, sidereal-9.3, 2*round, .1)
		for now := 0.; now < 86400; now += 7000 {
			// Inclinations that are off by a degree turn the plane 2 % faster or slower:
			// .5 km a day up there.
			assert.Less(t, norm(o.at(now+2*round).along(o.at(now), -1)), 1e3)
			// In 9.3 s it goes 36 km at 3.9 km/s, the other way against the ground.
			assert.Less(t, norm(o.at(now+sidereal).along(o.at(now), -1)), 40e3)
			assert.Greater(t, norm(o.at(now+round).along(o.at(now), -1)), 1e6, "after half the day the Earth has its other side there, or its other hemisphere")
		}
	}
}

func TestOrbitsKeepTheirShape(t *testing.T) {
	for _, o := range orbits() {
		north, nearest, farthest := 0., math.Inf(1), 0.
		for now := 0.; now < 2*86400; now += 60 {
			p := o.at(now)
			r := norm(p)
			nearest, farthest = min(nearest, r), max(farthest, r)
			north = max(north, math.Asin(p[2]/r))
		}
		// Met within half a minute, .3° or .005: a cosine of 1e-5.
		assert.InDelta(t, o.axis*(1-o.eccentricity), nearest, 2e-5*o.axis*o.eccentricity+1e-6, o.name)
		assert.InDelta(t, o.axis*(1+o.eccentricity), farthest, 2e-5*o.axis*o.eccentricity+1e-6, o.name)
		assert.InDelta(t, o.inclination, north, 2e-5, o.name)
	}
}

func TestTheAlmanacHas31SatellitesAnd55OfTwoSystems(t *testing.T) {
	both := almanac(2)
	assert.Len(t, both, 55)
	assert.Equal(t, both[:31], almanac(1), "the first system is what it is without the second")
	names := map[string]bool{}
	for _, o := range both {
		assert.Len(t, o.name, 3)
		names[o.name] = true
		assert.True(t, o.eccentricity >= 0 && o.eccentricity < .02)
		assert.InDelta(t, 55, o.inclination/radian, 1)
	}
	assert.Len(t, names, 55)
}

// Walker's constellations look alike from each of their satellites: the planes
// go over into one another by a turn about the axis and a step ahead.
func TestTheSecondSystemIsAWalkerConstellation(t *testing.T) {
	second := almanac(2)[31:]
	step := 2 * math.Pi / 24 / second[0].rate() // the time of 360°/24
	for i, o := range second {
		plane, slot := i/8+1, i%8
		if plane == 3 { // the first again, 3·15° = 45° ahead: one slot
			plane, slot = 0, (slot+1)%8
		}
		next := second[8*plane+slot]
		ahead := turned(&o, o.at(step), step)
		sin, cos := math.Sincos(120 * radian)
		want := vector{cos*ahead[0] - sin*ahead[1], sin*ahead[0] + cos*ahead[1], ahead[2]}
		assert.Less(t, norm(next.at(0).along(want, -1)), 1e-6, "%s is to %s as each to the next", next.name, o.name)
	}
}
