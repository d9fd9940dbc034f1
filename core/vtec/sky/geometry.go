package sky

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/message"
)

// gravity is the Earth's gravitational constant μ, m³/s², and turn its rate of
// rotation ω, rad/s, both as GPS has them (IS-GPS-200, table 30-II: WGS 84).
const (
	gravity = 3.986005e14
	turn    = 7.2921151467e-5
)

// vector is a place or a direction in three dimensions, Earth-centred and
// Earth-fixed: x to 0°N 0°E, y to 0°N 90°E, z to the north pole. Places are metres.
type vector [3]float64

func (a vector) dot(b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// along returns a + s·b.
func (a vector) along(b vector, s float64) vector {
	return vector{a[0] + s*b[0], a[1] + s*b[1], a[2] + s*b[2]}
}

// orbit is a satellite's: an ellipse of Kepler's whose plane turns slowly about
// the Earth's axis. Angles are those at time 0, when the meridian of Greenwich
// points to the vernal equinox.
type orbit struct {
	name         string
	axis         float64 // a, half the major one, metres
	eccentricity float64 // e
	inclination  float64 // i
	node         float64 // Ω₀, right ascension of the ascending node
	perigee      float64 // ω, from the node
	anomaly      float64 // M₀, mean
}

// rate returns the mean motion, rad/s:
//
//	n = √(μ/a³)
func (o *orbit) rate() float64 { return math.Sqrt(gravity / (o.axis * o.axis * o.axis)) }

// nodeRate returns the rate at which the Earth's bulge turns the plane, rad/s (the secular
// term; J₂ = 1.08263·10⁻³, Rₑ = 6378137 m):
//
//	Ω̇ = −(3/2)·n·J₂·(Rₑ/a)²·cos i / (1 − e²)²
//
// For GPS that is −8·10⁻⁹ rad/s, .04° a day.
func (o *orbit) nodeRate() float64 {
	p := 6378137 / (o.axis * (1 - o.eccentricity*o.eccentricity))
	return -1.5 * 1.08263e-3 * o.rate() * p * p * math.Cos(o.inclination)
}

// at returns the satellite's place at a time in seconds:
//
//	M = M₀ + n·t          E − e·sin E = M
//	r = a·(1 − e·cos E)   ν = atan2(√(1 − e²)·sin E, cos E − e)
//
// turned in its plane by ν + ω, with the plane by i, and about the Earth's axis
// by Ω₀ + (Ω̇ − ω_Earth)·t.
func (o *orbit) at(t float64) vector {
	e := o.eccentricity
	anomaly := eccentricAnomaly(math.Mod(o.anomaly+o.rate()*t, 2*math.Pi), e)
	sin, cos := math.Sincos(anomaly)
	r := o.axis * (1 - e*cos)
	sinU, cosU := math.Sincos(math.Atan2(math.Sqrt(1-e*e)*sin, cos-e) + o.perigee)
	sinI, cosI := math.Sincos(o.inclination)
	sinO, cosO := math.Sincos(o.node + (o.nodeRate()-turn)*t)
	x, y := r*cosU, r*sinU
	return vector{x*cosO - y*cosI*sinO, x*sinO + y*cosI*cosO, y * sinI}
}

// eccentricAnomaly solves Kepler's equation for E by Newton's method:
//
//	E − e·sin E = M
//
// For e ≤ .9 it ends within rounding of the root: from E = M + e·sin M for the
// nearly round orbits of satellites, in two or three steps.
func eccentricAnomaly(m, e float64) float64 {
	x := m + e*math.Sin(m)
	for range 50 {
		sin, cos := math.Sincos(x)
		step := (x - e*sin - m) / (1 - e*cos)
		x -= step
		if math.Abs(step) < 1e-14 {
			break
		}
	}
	return x
}

// leastElevation, 15°, is the elevation that a satellite must have at all stations.
const leastElevation = 15 * radian

// pierce returns the pierce point of a satellite's signal to the receiver, without its
// delays. ok reports whether the satellite is high enough. The longitude is within 180° of
// near, so a net on the date line is in one piece.
//
// With u the direction to the satellite, ε its elevation and γ its azimuth, R the
// Earth's radius and H the shell's height:
//
//	sin ε = u·up    γ = atan2(u·east, u·north)
//	pierce point = R·up + s·u,   s = −R·sin ε + √(R²·sin² ε + 2RH + H²)
//	sin θ = R/(R + H)·cos ε
//
// 1/cos θ is the ratio of the signal's path in a thin shell to a vertical one, and so of the
// slant delay to the vertical one.
func (r *receiver) pierce(satellite vector, near float64) (p Point, ok bool) {
	u := satellite.along(r.up, -earth)
	u = vector{}.along(u, 1/math.Sqrt(u.dot(u)))
	sin := u.dot(r.up)
	if sin < math.Sin(leastElevation) {
		return p, false
	}
	p.Elevation = math.Asin(min(1, sin))
	east, north := u.dot(r.east), u.dot(r.north)
	p.Azimuth = math.Atan2(east, north)
	if p.Azimuth < 0 {
		p.Azimuth += 2 * math.Pi
	}
	if p.Azimuth >= 2*math.Pi { // −10⁻¹⁷ + 2π
		p.Azimuth = 0
	}
	s := math.Sqrt(earth*earth*sin*sin+2*earth*shell+shell*shell) - earth*sin
	p.Lat, p.Lon = geographic(vector{}.along(r.up, earth).along(u, s), near)
	p.Zenith = math.Asin(earth / (earth + shell) * math.Hypot(east, north))
	return p, true
}

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
				name:         satelliteName("G", len(satellites)+1),
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
			name:        satelliteName("C", i+1),
			axis:        27906e3,
			inclination: 55 * radian,
			node:        float64(120*plane+20) * radian,
			anomaly:     float64(45*slot+15*plane+11) * radian,
		})
	}
	return satellites
}

// number returns a letter and two digits, as in "G07".
func satelliteName(letter string, n int) string { return letter + padded(n, 2) }

const (
	earth = 6371e3 // radius, metres
	shell = 400e3  // height at which all electrons are taken to be
)

// EdgeError says that no station is near enough to the test station to join it.
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

// distance returns the distance of two stations on the sphere, km.
func distance(a, b *Station) float64 {
	p, q := newReceiver(a.Lat, a.Lon).up, newReceiver(b.Lat, b.Lon).up
	d := p.along(q, -1)
	return 2 * earth / 1e3 * math.Asin(min(1, math.Sqrt(d.dot(d))/2))
}

// receiver has the local directions of a station, each of length 1. The station is at
// earth·up.
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

// geographic returns the latitude and the longitude of a place, degrees. The longitude is
// within 180° of near.
func geographic(p vector, near float64) (lat, lon float64) {
	lat = math.Atan2(p[2], math.Hypot(p[0], p[1])) / radian
	return lat, near + wrapDegrees(math.Atan2(p[1], p[0])/radian-near)
}

// wrapDegrees returns degrees in [−180, 180).
func wrapDegrees(degrees float64) float64 {
	return degrees - 360*math.Floor((degrees+180)/360)
}
