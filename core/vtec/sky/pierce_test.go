package sky

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
