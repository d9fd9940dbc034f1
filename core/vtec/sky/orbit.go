package sky

import "math"

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

// nodeRate returns how fast the Earth's bulge turns the plane, rad/s (the secular
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
