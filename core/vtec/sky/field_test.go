package sky

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

var average = background{night: 1, active: 1, crests: 1}

// magnetic returns the place with a magnetic latitude on the meridian of the
// dipole's poles that is at 107.32°E, where both latitudes are 9.35° apart.
func magnetic(phi float64) (lat, lon float64) { return phi + 9.35, 107.32 }

// second returns the time of the day at which a place has a local time in hours.
func second(hour, lon float64) float64 { return 3600 * (hour - lon/15) }

func TestMagneticLatitudeIsTheAngleToTheDipolesEquator(t *testing.T) {
	pole := newReceiver(80.65, -72.68).up
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		lat, lon := 180*rng.Float64()-90, 720*rng.Float64()-360
		assert.InDelta(t, 90-angle(newReceiver(lat, lon).up, pole)/radian, magneticLatitude(lat, lon), 1e-6)
	}
	lat, lon := magnetic(15)
	assert.InDelta(t, 15, magneticLatitude(lat, lon), 1e-6, "30°N 115°E, where the net is, is 20° from the magnetic equator")
}

func TestTheBackgroundIsHighestInTheEarlyAfternoon(t *testing.T) {
	for _, at := range []struct{ phi, hour, tolerance float64 }{
		{60, 14.2, .01}, // no crest there
		{-60, 14.2, .01},
		{15, 15, .5}, // between what the Sun makes, at 14.2 h, and the crest, at 15.7 h
		{-15, 15, .5},
	} {
		lat, lon := magnetic(at.phi)
		best, most := 0., 0.
		for hour := 0.; hour < 24; hour += .005 {
			if v := average.tec(second(hour, lon), lat, lon); v > most {
				best, most = hour, v
			}
		}
		assert.InDelta(t, at.hour, best, at.tolerance, "φ = %g°", at.phi)
	}
}

func TestTwoCrestsRiseOnBothSidesOfTheMagneticEquator(t *testing.T) {
	profile := func(phi, hour float64) float64 {
		lat, lon := magnetic(phi)
		return average.tec(second(hour, lon), lat, lon)
	}
	for _, side := range []float64{1, -1} {
		best, most := 0., 0.
		for phi := 0.; phi < 60; phi += .05 {
			if v := profile(side*phi, 15.7); v > most {
				best, most = phi, v
			}
		}
		// The slope of the rest, which is highest at the equator, shifts a crest of
		// 18 TECU with σ = 7° by 7²/18·.084 TECU/° = .23°.
		assert.InDelta(t, 14.77, best, .06)
		assert.Greater(t, most, profile(0, 15.7)+10)
	}
	assert.InDelta(t, profile(0, 4), profile(15, 4), .2, "none at night")
}

func TestTheBackgroundIsTheFormula(t *testing.T) {
	b := background{night: .9, active: 1.2, crests: 1.1}
	lat, lon := magnetic(22)
	crest := 18 * 1.2 * 1.1 * math.Exp(-.5) // 7° from 15°
	assert.InDelta(t, 8*.9*math.Cos(13.2*radian)+22*1.2*math.Cos(19.8*radian)*math.Exp(1.6*(math.Cos(1.5*math.Pi/12)-1))+crest,
		b.tec(second(15.7, lon), lat, lon), 1e-9)
	assert.InDelta(t, 8*.9*math.Cos(13.2*radian)+22*1.2*math.Cos(19.8*radian)+crest*math.Exp(2.2*(math.Cos(1.5*math.Pi/12)-1)),
		b.tec(second(14.2, lon), lat, lon), 1e-9)
	assert.InDelta(t, b.tec(1000, lat, lon), b.tec(1000+86400, lat, lon), 1e-9, "the next day is alike")
	assert.InDelta(t, b.tec(1000, lat, lon), b.tec(1000, lat, lon-360), 1e-9, "once round the globe")
}
