package sky

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newLattice(t *testing.T, lat, lon, spacing, edge float64, seed uint64) Network {
	net := must(lattice(lat, lon, spacing, edge, rand.New(rand.NewPCG(seed, 0))))
	require.Len(t, net.Stations, 17)
	return net
}

// haversine is the distance on the sphere by the formula of navigators, km.
func haversine(a, b Station) float64 {
	sin := func(degrees float64) float64 { return math.Sin(degrees * radian / 2) }
	h := sin(b.Lat-a.Lat)*sin(b.Lat-a.Lat) + math.Cos(a.Lat*radian)*math.Cos(b.Lat*radian)*sin(b.Lon-a.Lon)*sin(b.Lon-a.Lon)
	return 2 * 6371 * math.Asin(math.Sqrt(h))
}

func TestTheTestStationStandsInTheMiddleOf16Others(t *testing.T) {
	net := newLattice(t, 30, 115, 75, 90, 1)
	assert.Zero(t, net.Test)
	assert.Equal(t, Station{"S01", 30, 115}, net.Stations[0])
	assert.Equal(t, "S17", net.Stations[16].Name)
	var lat, lon float64
	for i, s := range net.Stations[1:] {
		lat += s.Lat / 16
		lon += s.Lon / 16
		// 4.5 km of irregularity each way; none of the 32 is off by five of them.
		want := []float64{75, 75 * math.Sqrt(3), 150}[i/6]
		assert.InDelta(t, want, haversine(net.Stations[0], s), 22)
		for _, side := range []float64{-1, 1} { // left out: the net is wider than high otherwise
			assert.Greater(t, haversine(Station{"", 30, 115 + side*150/degree/math.Cos(30*radian)}, s), 50.)
		}
	}
	// The mean of 16 irregularities is 1.1 km, .01°.
	assert.InDelta(t, 30, lat, .05)
	assert.InDelta(t, 115, lon, .05)
}

func TestNeighboursAreJoined(t *testing.T) {
	for seed := range uint64(50) {
		net := newLattice(t, 30, 115, 75, 90, seed)
		var near [][2]int // in order, each pair once
		for i := range net.Stations {
			for j := i + 1; j < 17; j++ {
				if haversine(net.Stations[i], net.Stations[j]) <= 90 {
					near = append(near, [2]int{i, j})
				}
			}
		}
		assert.ElementsMatch(t, near, net.Edges)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 2000 { // to the other side of the Earth, of which √ε of rounding is .1 m
		a := Station{"", 180*rng.Float64() - 90, 360 * rng.Float64()}
		assert.InDelta(t, 6371*math.Pi, distance(&a, &Station{"", -a.Lat, a.Lon - 180}), 1e-3)
	}
	// 36 lie side by side. At 100 km none is too far, and none behind it, at 130 km, near enough.
	assert.Len(t, newLattice(t, 30, 115, 75, 100, 1).Edges, 36)
}

func TestStationsAreOffTheirNodesBySixPerCent(t *testing.T) {
	var sum, mean float64
	var n int
	for seed := range uint64(400) {
		net := newLattice(t, 0, 0, 75, 90, seed)
		for _, s := range net.Stations[7:13] { // √3 away, first at 30°
			off := haversine(net.Stations[0], s) - 75*math.Sqrt(3)
			sum += off * off
			mean += off
			n++
		}
	}
	// What is across the distance adds (4.5 km)²/(2·130 km) = .08 km. The standard
	// error of the mean is 4.5 km/√2400 = .09 km, of a standard deviation 1/√(2n) = 1.4 %.
	assert.InDelta(t, .08, mean/float64(n), .45)
	assert.InEpsilon(t, .06*75, math.Sqrt(sum/float64(n)), .05)
}

func TestANetHasTheSameShapeEverywhere(t *testing.T) {
	home := newLattice(t, 0, 0, 75, 90, 3)
	for _, at := range [][2]float64{{70, 20}, {-70, 100}, {30, 180}, {30, -180}, {-45, 179.9}} {
		net := newLattice(t, at[0], at[1], 75, 90, 3)
		assert.Equal(t, home.Edges, net.Edges)
		for i := range net.Stations {
			assert.InDelta(t, at[1], net.Stations[i].Lon, 10, "in one piece, on the date line too")
			for j := range i {
				// On a sphere, from the centre: the same to rounding, 6371 km·√ε at the worst.
				assert.InDelta(t, haversine(home.Stations[i], home.Stations[j]), haversine(net.Stations[i], net.Stations[j]), 1e-4)
			}
		}
	}
}

func TestANetWithoutAnEdgeToItsTestStationIsRefused(t *testing.T) {
	_, err := lattice(30, 115, 120, 90, rand.New(rand.NewPCG(1, 0)))
	var far *EdgeError
	require.ErrorAs(t, err, &far)
	assert.Greater(t, far.Nearest, 100.)
	assert.Regexp(t, `^no station is within 90 km of the test station; join stations up to 1[23]\d km apart \(the nearest is at 1[01]\d\.\d km\), or set them closer$`, err.Error())
}

func TestOtherEdgesDoNotStandInForTheTestStations(t *testing.T) {
	others := 0
	for seed := range uint64(200) {
		net, err := lattice(30, 115, 75, 68, rand.New(rand.NewPCG(seed, 0)))
		own := slices.ContainsFunc(net.Edges, func(e [2]int) bool { return e[0] == net.Test })
		assert.Equal(t, own, err == nil)
		if !own && len(net.Edges) > 0 {
			others++
		}
	}
	assert.Greater(t, others, 10)
}

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

// angle is that between two directions, precise where they are nearly the same.
func angle(a, b vector) float64 {
	cross := vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	return math.Atan2(norm(cross), a.dot(b))
}

// placed is where latitude, longitude and distance from the centre say.
func placed(lat, lon, radius float64) vector {
	return vector{}.along(newReceiver(lat, lon).up, radius)
}

func TestAPiercePointLiesOnTheShellAndOnTheSignal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := 0
	for range 20000 {
		lat, lon := 180*rng.Float64()-90, 360*rng.Float64()-180
		r := newReceiver(lat, lon)
		station := placed(lat, lon, earth)
		satLat, satLon := math.Asin(2*rng.Float64()-1)/radian, 360*rng.Float64()-180
		satellite := placed(satLat, satLon, 26.5e6)
		signal := satellite.along(station, -1)
		elevation := math.Pi/2 - angle(station, signal)
		p, ok := r.pierce(satellite, lon)
		if math.Abs(elevation-leastElevation) > 1e-9 {
			assert.Equal(t, elevation > leastElevation, ok, "above 15°, and only there")
		}
		if !ok {
			continue
		}
		seen++
		// The shell is where the point is, and the angle at the station between the
		// point and the satellite is 0. Angles are good to 1e-15 and √ of that at 90°.
		point := placed(p.Lat, p.Lon, earth+shell)
		assert.Less(t, angle(point.along(station, -1), signal), 1e-8)
		assert.InDelta(t, elevation, p.Elevation, 3e-8)
		// The zenith angle is that between the signal and the vertical there.
		assert.InDelta(t, angle(point, signal), p.Zenith, 3e-8)
		assert.InDelta(t, math.Sin(p.Zenith), earth/(earth+shell)*math.Cos(p.Elevation), 3e-8)
		// The azimuth is the great circle's to the place below the satellite.
		dLon := (satLon - lon) * radian
		sinP, cosP := math.Sincos(lat * radian)
		sinQ, cosQ := math.Sincos(satLat * radian)
		east, north := math.Sin(dLon)*cosQ, cosP*sinQ-sinP*cosQ*math.Cos(dLon)
		assert.True(t, p.Azimuth >= 0 && p.Azimuth < 2*math.Pi)
		if elevation < 89*radian && math.Abs(lat) < 89 {
			assert.InDelta(t, 0, angle(vector{east, north}, vector{math.Sin(p.Azimuth), math.Cos(p.Azimuth)}), 1e-8)
		}
		assert.True(t, math.Abs(p.Lon-lon) <= 180+1e-9)
	}
	// Of a sphere of 26.5·10⁶ m, a cap of cos⁻¹(R/r·cos 15°) − 15° = 61.6° is above
	// 15°: 26.2 % of its surface, give or take 1.6 % (five standard errors).
	assert.InDelta(t, 20000*.262, float64(seen), 20000*.016)
}

func TestASatelliteInTheZenithHasNoAngles(t *testing.T) {
	for _, lat := range []float64{-90, -30, 0, 30, 90} {
		r := newReceiver(lat, 40)
		p, ok := r.pierce(placed(lat, 40, 26e6), 40)
		assert.True(t, ok)
		assert.InDelta(t, lat, p.Lat, 1e-6)
		assert.InDelta(t, 0, p.Zenith, 1e-7)
		assert.InDelta(t, math.Pi/2, p.Elevation, 1e-7)
		assert.True(t, p.Azimuth >= 0 && p.Azimuth < 2*math.Pi)
	}
	r := newReceiver(30, 115)
	p, _ := r.pierce(placed(40, 115-1e-15, 26e6), 115)
	assert.True(t, p.Azimuth >= 0 && p.Azimuth < 2*math.Pi, "a hair west of north is not 2π")
}

func TestAPiercePointIsOnTheNetsSideOfTheDateLine(t *testing.T) {
	for _, near := range []float64{179, -181, 539} {
		r := newReceiver(10, 179)
		p, ok := r.pierce(placed(10, -175, 26e6), near)
		assert.True(t, ok)
		assert.True(t, p.Lon > near && p.Lon < near+6, "%g is east of %g", p.Lon, near)
	}
}
