package sky

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/message"
)

const (
	earth = 6371e3 // radius, metres
	shell = 400e3  // height at which all electrons are taken to be
)

// EdgeError says that no station is near enough to the test station to be joined
// with it, so that nothing could be tested.
type EdgeError struct {
	Edge    float64 // km, how far apart joined stations are at most
	Nearest float64 // km
}

func (e *EdgeError) Error() string {
	return message.Sprintf("no station is within %g km of the test station; join stations up to %g km apart (the nearest is at %.1f km), or set them closer", e.Edge, math.Ceil(1.2*e.Nearest), e.Nearest)
}

func (*EdgeError) Kind() string { return "EdgeError" }

// lattice returns a net of 17 stations: the test station at lat and lon, degrees,
// and the 16 nearest of a triangular lattice round it. Neighbours are spacing km
// apart but for the irregularity of the ground: each of the 16 is off its place
// by 6 % of that, standard deviation, to the north and to the east. Joined are
// those that are at most edge km apart, on the sphere: 36 pairs for 90 km at
// 75 km, give or take one, six of them with the test station.
//
//	 · · ·
//	· · · ·     The lattice has 6 nodes at 1 spacing from its centre, 6 at √3
//	 · T ·      and 6 at 2; the last would make 18, so the two on the test
//	· · · ·     station's parallel are left out.
//	 · · ·
func lattice(lat, lon, spacing, edge float64, rng *rand.Rand) (Network, error) {
	net := Network{Stations: []Station{{satelliteName("S", 1), lat, lon}}}
	centre := newReceiver(lat, lon)
	for _, ring := range [3]struct{ radius, first float64 }{{1, 0}, {math.Sqrt(3), 30}, {2, 0}} {
		for k := range 6 {
			if ring.radius == 2 && k%3 == 0 {
				continue
			}
			sin, cos := math.Sincos((ring.first + float64(60*k)) * radian)
			east := spacing * (ring.radius*cos + .06*rng.NormFloat64())
			north := spacing * (ring.radius*sin + .06*rng.NormFloat64())
			// On the sphere, at that distance in that direction from the centre.
			far := math.Hypot(east, north)
			sin, cos = math.Sincos(far * 1e3 / earth)
			var zero vector
			p := zero.along(centre.up, cos).along(centre.east, sin*east/far).along(centre.north, sin*north/far)
			lat, lon := geographic(p, lon)
			net.Stations = append(net.Stations, Station{satelliteName("S", len(net.Stations)+1), lat, lon})
		}
	}
	nearest := math.Inf(1)
	joined := false
	for i := range net.Stations {
		for j := i + 1; j < len(net.Stations); j++ {
			d := distance(&net.Stations[i], &net.Stations[j])
			if d <= edge {
				net.Edges = append(net.Edges, [2]int{i, j})
				joined = joined || i == net.Test
			}
			if i == net.Test {
				nearest = min(nearest, d)
			}
		}
	}
	if !joined {
		return net, &EdgeError{edge, nearest}
	}
	return net, nil
}

// distance returns how far apart two stations are on the sphere, km.
func distance(a, b *Station) float64 {
	p, q := newReceiver(a.Lat, a.Lon).up, newReceiver(b.Lat, b.Lon).up
	d := p.along(q, -1)
	return 2 * earth / 1e3 * math.Asin(min(1, math.Sqrt(d.dot(d))/2))
}

// receiver is where a station stands: its directions, each of length 1. It is
// earth·up from the centre.
type receiver struct{ east, north, up vector }

func newReceiver(lat, lon float64) receiver {
	sinP, cosP := math.Sincos(lat * radian)
	sinL, cosL := math.Sincos(lon * radian)
	return receiver{
		east:  vector{-sinL, cosL, 0},
		north: vector{-sinP * cosL, -sinP * sinL, cosP},
		up:    vector{cosP * cosL, cosP * sinL, sinP},
	}
}

// geographic returns the latitude and the longitude of a place, degrees, the
// latter within 180° of another.
func geographic(p vector, near float64) (lat, lon float64) {
	lat = math.Atan2(p[2], math.Hypot(p[0], p[1])) / radian
	return lat, near + wrapDegrees(math.Atan2(p[1], p[0])/radian-near)
}

// wrap returns degrees in [−180, 180).
func wrapDegrees(degrees float64) float64 {
	return degrees - 360*math.Floor((degrees+180)/360)
}
