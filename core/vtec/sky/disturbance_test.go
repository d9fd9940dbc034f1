package sky

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
)

// one returns the waves of a day on which there is but one.
func one(w wave) *[allWaves]wave {
	var waves [allWaves]wave
	waves[7] = w
	return &waves
}

// degree is how long one is on a meridian, km.
const degree = math.Pi / 180 * 6371

func TestACrestTravelsWithItsSpeedInItsDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		length, speed, azimuth := 100+900*rng.Float64(), 50+400*rng.Float64(), 360*rng.Float64()
		w := drawWave(length, speed, azimuth, rng)
		w.amplitude = .3
		const lat, lon = 30., 115.
		value := func(second, east, north float64) float64 {
			r := ripplesAt(one(w), lat, lon, second)
			return r.tec(lat+north/degree, lon+east/degree/math.Cos(lat*radian))
		}
		second, east, north := 86400*rng.Float64(), 500*rng.Float64(), 500*rng.Float64()
		here := value(second, east, north)
		assert.True(t, math.Abs(here) <= .3)
		for _, minutes := range []float64{1, 20, 300} {
			far := speed * 60 * minutes / 1e3
			sin, cos := math.Sincos(azimuth * radian)
			// Phases are thousands of radians at the worst, rounded at 1e-12.
			assert.InDelta(t, here, value(second+60*minutes, east+far*sin, north+far*cos), 1e-9, "who travels along sees no change")
			assert.InDelta(t, here, value(second, east+far*cos, north-far*sin), 1e-9, "nor who looks along the crest")
		}
		sin, cos := math.Sincos(azimuth * radian)
		assert.InDelta(t, here, value(second, east+length*sin, north+length*cos), 1e-9, "the next crest is a wavelength on")
		assert.InDelta(t, -here, value(second, east+length/2*sin, north+length/2*cos), 1e-9, "the trough half of one")
	}
}

func TestAWaveComesAndGoes(t *testing.T) {
	w := wave{amplitude: 2, centre: 80000, width: 3000}
	height := func(second float64) float64 { r := ripplesAt(one(w), 0, 0, second); return r.tec(0, 0) }
	assert.InDelta(t, 2, height(80000), 1e-12)
	assert.InDelta(t, 2*math.Exp(-.5), height(83000), 1e-12, "after σ")
	assert.InDelta(t, 2*math.Exp(-2), height(74000), 1e-12)
	assert.InDelta(t, 2*math.Exp(-.5*math.Pow(8400./3000, 2)), height(2000), 1e-12, "what is left at midnight is there in the morning")
	assert.Zero(t, height(40000), "long before and long after")
	w.centre -= 5 * 86400
	assert.InDelta(t, 2, height(80000), 1e-12, "days are alike")
	w.width = 0
	assert.Equal(t, 2., height(40000), "or it is always there")
}

// draws are the disturbances of many days.
func draws(days int) (all [][allWaves]wave) {
	for day := range days {
		all = append(all, newWaves(30, 115, 1, rand.New(rand.NewPCG(9, uint64(day)))))
	}
	return all
}

// logMoments returns the mean and the standard deviation of logarithms.
func logMoments(x []float64) (mean, sd float64) {
	logs := slices.Clone(x)
	for i, v := range x {
		logs[i] = math.Log(v)
	}
	return stat.PopMeanStdDev(logs, nil)
}

func TestDisturbancesAreAsLongAsFastAndAsHighAsTheyShouldBe(t *testing.T) {
	var lengths, heights, large []float64
	var day, night []float64 // azimuths
	for _, waves := range draws(500) {
		for i, w := range waves {
			k := math.Hypot(w.east, w.north)
			length, speed := 2*math.Pi/k, w.rate/k*1e3
			azimuth := math.Mod(math.Atan2(w.east, w.north)/radian+360, 360)
			assert.True(t, w.phase >= 0 && w.phase < 2*math.Pi)
			switch {
			case i < mediumWaves:
				assert.True(t, length >= 150-1e-9 && length <= 600+1e-9)
				assert.True(t, speed >= 80-1e-9 && speed <= 250+1e-9)
				assert.True(t, w.width >= .6*3600 && w.width <= 1.5*3600)
				lengths = append(lengths, length)
				heights = append(heights, w.amplitude/math.Sqrt(length/250))
				if hour := w.centre/3600 + 115./15; hour >= 6 && hour < 18 {
					day = append(day, azimuth)
				} else {
					night = append(night, azimuth)
				}
			case i < mediumWaves+largeWaves:
				assert.True(t, length >= 1000-1e-9 && length <= 2000+1e-9)
				assert.True(t, speed >= 400-1e-9 && speed <= 700+1e-9)
				assert.True(t, w.width >= 3600 && w.width <= 2*3600)
				large = append(large, w.amplitude)
			default:
				assert.True(t, length >= 100-1e-9 && length <= 1500+1e-9)
				assert.Zero(t, w.width)
			}
		}
	}
	// 7000 medium waves of 500 days. A day's activity is common to its 14, so the
	// mean logarithm of heights has the standard error .35/√500 = .016 above all,
	// and its standard deviation, √(.5² + .35²), one of about 1.3 %.
	mean, sd := logMoments(lengths)
	assert.InDelta(t, (math.Log(150)+math.Log(600))/2, mean, .02) // .4/√7000 = .005
	assert.InEpsilon(t, math.Log(4)/math.Sqrt(12), sd, .03)
	mean, sd = logMoments(heights)
	assert.InDelta(t, math.Log(.08), mean, .06)
	assert.InEpsilon(t, math.Hypot(.5, .35), sd, .05)
	mean, sd = logMoments(large)
	assert.InDelta(t, math.Log(.8), mean, .07)
	assert.InEpsilon(t, math.Hypot(.4, .35), sd, .08) // 1500 of them
	// Half of the waves are the day's: 3500 ± 42.
	assert.InDelta(t, 3500, len(day), 170)
	for _, half := range []struct {
		azimuths []float64
		mean, sd float64
	}{{day, 150, 25}, {night, 225, 20}} {
		mean, sd := stat.PopMeanStdDev(half.azimuths, nil)
		assert.InDelta(t, half.mean, mean, 5*25/math.Sqrt(3400))
		assert.InEpsilon(t, half.sd, sd, 5/math.Sqrt(2*3400))
	}
}

func TestWeakWavesHaveTheirPower(t *testing.T) {
	var sum, speeds float64
	for _, waves := range draws(300) {
		weak := waves[mediumWaves+largeWaves:]
		for _, w := range weak {
			sum += w.amplitude * w.amplitude / 2 / 300 // by Parseval
			k := math.Hypot(w.east, w.north)
			speeds += math.Pow(w.rate/k*1e3, 2) / float64(300*len(weak))
			assert.InEpsilon(t, weak[0].amplitude*math.Pow(k/math.Hypot(weak[0].east, weak[0].north), -.8), w.amplitude, 1e-9, "as λ^.8")
		}
	}
	// 12 000 speeds: five standard errors are 5/√24000 = 3 %.
	assert.InEpsilon(t, 120, math.Sqrt(speeds), .032)
	activity := math.Exp(2 * .35 * .35) // E of the square of lognormal(.35)
	// Its relative standard deviation is √(exp(4·.35²) − 1) = .8, /√300 = 4.6 %.
	assert.InEpsilon(t, .03*.03*activity, sum, .2)
}

func TestDisturbancesAreMirroredSouthOfTheEquator(t *testing.T) {
	north, south := newWaves(30, 115, 1, rand.New(rand.NewPCG(1, 1))), newWaves(-30, 115, 1, rand.New(rand.NewPCG(1, 1)))
	for i := range north {
		if i >= mediumWaves && i < mediumWaves+largeWaves {
			assert.Negative(t, north[i].north, "large ones come from the pole and travel to the equator")
			assert.Positive(t, south[i].north)
		}
		north[i].north *= -1
	}
	assert.Equal(t, north, south, "all else is the same")
	there := usual()
	there.Latitude = -30
	here, far := newSimulator(t, usual()).days[0].waves, newSimulator(t, there).days[0].waves
	for i := range here {
		here[i].north *= -1
	}
	assert.Equal(t, here, far, "and so are the simulator's")
}

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

// The recursion, run over the same innovations from long before.
func TestNoiseIsTheAutoregressiveProcess(t *testing.T) {
	phi := math.Exp(-1. / 3)
	const seed, day, satellite = 5, 6, 7
	var state, now [17]float64
	for minute := -memory + 1; minute < 200; minute++ {
		rng := rand.New(rand.NewPCG(seed, noiseStream|day<<32|satellite<<16|uint64(minute+memory)))
		for i := range state {
			state[i] = phi*state[i] + math.Sqrt(1-phi*phi)*rng.NormFloat64()
		}
		if minute < 0 {
			continue
		}
		noise(now[:], seed, day, satellite, minute)
		for i := range state {
			// The recursion remembers what is older than half an hour, φ³⁰ = 5e-5 of it.
			assert.InDelta(t, state[i], now[i], 4e-4)
		}
	}
}
