package sky

import (
	"math"
	"math/rand/v2"
)

const radian = math.Pi / 180 // a degree

// almanac returns the satellites of one or two systems. The places of none are
// broadcast ones: they have the shape of their system and small irregularities
// of our own, always the same.
//
// The first is like GPS: six planes at 55°, 60° apart, with five satellites each
// and one more in the first; a = 26 559.86 km, of which the tracks on the ground
// close after two rounds. Nodes are off by up to 3°, inclinations by 1°, places
// in the plane by 8°, and e is up to .02.
//
// The second is the Walker constellation 24/3/1 on circles, a = 27 906 km,
// i = 55°: three planes 120° apart, eight satellites each, those of a plane
// 360°/24 ahead of the plane before.
func almanac(systems int) (satellites []orbit) {
	rng := rand.New(rand.NewPCG(31, 6))
	off := func(most float64) float64 { return most * radian * (2*rng.Float64() - 1) }
	for plane := range 6 {
		slots := 5
		if plane == 0 {
			slots = 6
		}
		for slot := range slots {
			o := orbit{
				name:         number("G", len(satellites)+1),
				axis:         26559.86e3,
				eccentricity: .02 * rng.Float64(),
				inclination:  55*radian + off(1),
				node:         float64(60*plane+33)*radian + off(3),
				perigee:      off(180),
			}
			// In the plane, from the node: slots evenly, each plane 24° ahead.
			o.anomaly = float64(360*slot)/float64(slots)*radian + float64(24*plane)*radian + off(8) - o.perigee
			satellites = append(satellites, o)
		}
	}
	if systems < 2 {
		return satellites
	}
	for i := range 24 {
		plane, slot := i/8, i%8
		satellites = append(satellites, orbit{
			name:        number("C", i+1),
			axis:        27906e3,
			inclination: 55 * radian,
			node:        float64(120*plane+20) * radian,
			anomaly:     float64(45*slot+15*plane+11) * radian,
		})
	}
	return satellites
}

// number returns a letter and two digits, as in "G07".
func number(letter string, n int) string { return letter + padded(n, 2) }
