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

func TestTheBackgroundIsTheFormula(t *testing.T) {
	b := background{night: .9, active: 1.2, crests: 1.1}
	lat, lon := magnetic(22)
	crest := 18 * 1.2 * 1.1 * math.Exp(-.5) // 7° from 15°
	assert.InDelta(t, 8*.9*math.Cos(13.2*radian)+22*1.2*math.Cos(19.8*radian)*math.Exp(1.6*(math.Cos(1.5*math.Pi/12)-1))+crest,
		b.tec(second(15.7, lon), lat, lon), 1e-9)
	assert.InDelta(t, 8*.9*math.Cos(13.2*radian)+22*1.2*math.Cos(19.8*radian)+crest*math.Exp(2.2*(math.Cos(1.5*math.Pi/12)-1)),
		b.tec(second(14.2, lon), lat, lon), 1e-9)
	south, east := magnetic(-22)
	night := 8*.9*math.Cos(13.2*radian) + 22*1.2*math.Cos(19.8*radian)*math.Exp(1.6*(math.Cos(10.2*math.Pi/12)-1))
	late := crest * math.Exp(2.2*(math.Cos(11.7*math.Pi/12)-1))
	assert.InDelta(t, night+late, b.tec(second(4, east), south, east), 1e-9, "a crest in the south")
	assert.InDelta(t, b.tec(1000, lat, lon), b.tec(1000+86400, lat, lon), 1e-9, "the next day is alike")
	assert.InDelta(t, b.tec(1000, lat, lon), b.tec(1000, lat, lon-360), 1e-9, "once round the globe")
}
