package sky

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/kernel"
)

// wave is a plane wave that travels over the net, with or without an envelope in
// time.
type wave struct {
	amplitude   float64 // TECU
	east, north float64 // of the wave vector k, rad/km
	rate        float64 // ω, rad/s
	phase       float64 // φ
	centre      float64 // of the envelope, seconds of the day
	width       float64 // its standard deviation σ, seconds; 0: always on
}

// travel returns a wave without amplitude: its length in km, speed in m/s,
// azimuth of travel in degrees.
//
//	k = 2π/λ·(sin az, cos az)   ω = 2πv/λ
func drawWave(length, speed, azimuth float64, rng *rand.Rand) wave {
	sin, cos := math.Sincos(azimuth * radian)
	k := 2 * math.Pi / length
	return wave{east: k * sin, north: k * cos, rate: k * speed / 1e3, phase: 2 * math.Pi * rng.Float64()}
}

// The disturbances of a day: medium ones, large ones, and weak ones that are
// always there.
const (
	mediumWaves = 14
	largeWaves  = 3
	weakWaves   = 40
	allWaves    = mediumWaves + largeWaves + weakWaves
)

// newWaves draws a day's disturbances over a net at a latitude and a longitude.
//
// The day's activity is lognormal(.35). Medium-scale ones are 150 to 600 km long
// (log-uniform) and .08·lognormal(.5)·√(λ/250 km) TECU high, travel at 80 to
// 250 m/s, by day (6 to 18 h local time) to 150° ± 25° and by night to
// 225° ± 20°, and last σ = .6 to 1.5 h. Large-scale ones are 1000 to 2000 km long
// and .8·lognormal(.4) TECU high, travel at 400 to 700 m/s to 180° ± 20°, and
// last σ = 1 to 2 h. Weak ones are 100 to 1500 km long, any way, at 120 m/s
// standard deviation, their heights as λ^.8 and together .03 TECU rms.
//
// Azimuths are those north of the equator, towards which the others travel by day.
// South of it all are mirrored: az becomes 180° − az.
func newWaves(lat, lon, scale float64, rng *rand.Rand) (waves [allWaves]wave) {
	activity := scale * math.Exp(.35*rng.NormFloat64())
	for i := range waves[:mediumWaves] {
		hour := 24 * rng.Float64() // local
		length := 150 * math.Pow(4, rng.Float64())
		speed := 80 + 170*rng.Float64()
		azimuth := 225 + 20*rng.NormFloat64()
		if hour >= 6 && hour < 18 {
			azimuth = 150 + 25*(azimuth-225)/20
		}
		w := drawWave(length, speed, azimuth, rng)
		w.amplitude = .08 * activity * math.Exp(.5*rng.NormFloat64()) * math.Sqrt(length/250)
		w.centre = 3600 * (hour - lon/15)
		w.width = 3600 * (.6 + .9*rng.Float64())
		waves[i] = w
	}
	for i := range waves[mediumWaves : mediumWaves+largeWaves] {
		w := drawWave(1000+1000*rng.Float64(), 400+300*rng.Float64(), 180+20*rng.NormFloat64(), rng)
		w.amplitude = .8 * activity * math.Exp(.4*rng.NormFloat64())
		w.centre = 86400 * rng.Float64()
		w.width = 3600 * (1 + rng.Float64())
		waves[mediumWaves+i] = w
	}
	weak := waves[mediumWaves+largeWaves:]
	power := 0.0
	for i := range weak {
		length := 100 * math.Pow(15, rng.Float64())
		w := drawWave(length, 120*rng.NormFloat64(), 360*rng.Float64(), rng)
		w.amplitude = math.Pow(length, .8)
		power += w.amplitude * w.amplitude / 2
		weak[i] = w
	}
	for i := range weak {
		weak[i].amplitude *= .03 * activity / math.Sqrt(power)
	}
	if lat < 0 {
		for i := range waves {
			waves[i].north = -waves[i].north
		}
	}
	return waves
}

// ripple is a wave at one instant.
type ripple struct{ amplitude, east, north, phase float64 }

// ripples are a day's waves at one instant, about a place from which they count
// km: those that are worth a cosine.
type ripples struct {
	lat, lon float64
	n        int
	list     [allWaves]ripple
}

// ripplesAt returns the waves at a second of the day, O(1) a wave. An envelope
//
//	exp(−Δt²/(2σ²))   Δt to the centre, the shorter way round the day
//
// below 10⁻⁸ is none, and so is a wave without height.
func ripplesAt(waves *[allWaves]wave, lat, lon, second float64) (r ripples) {
	r.lat, r.lon = lat, lon
	for i := range waves {
		w := &waves[i]
		amplitude := w.amplitude
		if w.width > 0 {
			d := second - w.centre
			d = (d - 86400*math.Round(d/86400)) / w.width
			amplitude *= math.Exp(-d * d / 2)
		}
		if math.Abs(amplitude) <= 1e-8*math.Abs(w.amplitude) {
			continue
		}
		r.list[r.n] = ripple{amplitude, w.east, w.north, w.phase - w.rate*second}
		r.n++
	}
	return r
}

// tec returns the sum of the waves at a place, in TECU, of a background of 30
// TECU:
//
//	Σ amplitude·cos(k·x − ω·t + φ)
//
// with x in km on the plane that touches the sphere's parallel and meridian of
// the net: east 111.2·cos lat₀ a degree, north 111.2.
func (r *ripples) tec(lat, lon float64) (sum float64) {
	east, north := r.east(lon), r.north(lat)
	for i := range r.list[:r.n] {
		w := &r.list[i]
		sum += w.amplitude * math.Cos(w.east*east+w.north*north+w.phase)
	}
	return sum
}

// Kilometres of a degree on that plane.
const degreeKm = earth / 1e3 * radian

// east and north return how far a place is from the net's middle on that plane, km.
func (r *ripples) east(lon float64) float64 {
	return wrapDegrees(lon-r.lon) * degreeKm * math.Cos(r.lat*radian)
}

func (r *ripples) north(lat float64) float64 { return (lat - r.lat) * degreeKm }

// grid returns what tec does for each latitude and each longitude, row-major, but
// for rounding:
//
//	cos(α + β) = cos α·cos β − sin α·sin β
//
// with α of the latitude and β of the longitude, so that a wave takes as many sines
// as there are rows and columns.
func (r *ripples) grid(lats, lons []float64) []float64 {
	n := len(lons)
	sum, cosines, sines := make([]float64, len(lats)*n), make([]float64, n), make([]float64, n)
	for i := range r.list[:r.n] {
		w := &r.list[i]
		for j, lon := range lons {
			sines[j], cosines[j] = math.Sincos(w.east*r.east(lon) + w.phase)
		}
		for k, lat := range lats {
			sin, cos := math.Sincos(w.north * r.north(lat))
			kernel.Axpy(w.amplitude*cos, cosines, sum[k*n:][:n])
			kernel.Axpy(-w.amplitude*sin, sines, sum[k*n:][:n])
		}
	}
	return sum
}

// background is the TEC of a quiet day.
type background struct {
	night  float64 // lognormal, σ .1
	active float64 // a: lognormal, σ .22
	crests float64 // b: lognormal, σ .25
}

// tec returns the content above a place, TECU: what is left at night, what the
// Sun makes by day, and the two crests that the fountain over the magnetic
// equator feeds in the afternoon,
//
//	8·night·cos(.6φ) + 22·a·cos(.9φ)·D + 18·a·b·Dₑ·exp(−(|φ| − 15)²/(2·7²))
//	D  = exp(1.6·(cos(2π(LT − 14.2)/24) − 1))
//	Dₑ = exp(2.2·(cos(2π(LT − 15.7)/24) − 1))
//
// with φ the magnetic latitude in degrees and LT the local mean time in hours.
func (b *background) tec(second, lat, lon float64) float64 {
	phi := magneticLatitude(lat, lon)
	hour := second/3600 + lon/15
	day := func(peak, sharp float64) float64 {
		return math.Exp(sharp * (math.Cos(2*math.Pi*(hour-peak)/24) - 1))
	}
	far := (math.Abs(phi) - 15) / 7
	return 8*b.night*math.Cos(.6*phi*radian) +
		22*b.active*math.Cos(.9*phi*radian)*day(14.2, 1.6) +
		18*b.active*b.crests*day(15.7, 2.2)*math.Exp(-far*far/2)
}

// magneticLatitude returns the latitude with respect to a dipole in the Earth's
// centre whose north pole is at 80.65°N 72.68°W (IGRF-13, 2020), degrees:
//
//	sin φ = sin lat·sin lat₀ + cos lat·cos lat₀·cos(lon − lon₀)
func magneticLatitude(lat, lon float64) float64 {
	const poleLat, poleLon = 80.65 * radian, -72.68 * radian
	sin, cos := math.Sincos(lat * radian)
	s := sin*math.Sin(poleLat) + cos*math.Cos(poleLat)*math.Cos(lon*radian-poleLon)
	return math.Asin(max(-1, min(1, s))) / radian
}

// memory is how many minutes of innovations make the noise of a link.
const memory = 30

// noise draws what the receivers add to the signals of one satellite in one
// minute: a number for each station, of variance 1. It is the autoregressive
// process with a time constant of 180 s,
//
//	n(t) = φ·n(t − 1 min) + √(1 − φ²)·z(t)   φ = exp(−60/180)
//
// written out as the sum of its last 30 innovations, weights φᵏ, so that a minute
// has the same noise whichever others were asked for. What is cut off has e⁻²⁰ of
// the variance; the rest is scaled to 1. Innovations of a day, a satellite and a
// minute have a stream of their own. O(30·len(dst)).
func noise(dst []float64, seed uint64, day, satellite, minute int) {
	phi := math.Exp(-60. / 180)
	weight := math.Sqrt((1 - phi*phi) / (1 - math.Pow(phi, 2*memory)))
	clear(dst)
	var pcg rand.PCG
	rng := rand.New(&pcg)
	for k := range memory {
		pcg.Seed(seed, noiseStream|uint64(day)<<32|uint64(satellite)<<16|uint64(minute-k+memory))
		for i := range dst {
			dst[i] += weight * rng.NormFloat64()
		}
		weight *= phi
	}
}

// Streams of random numbers that the simulator draws from, each with a place for
// what it is about below. Days differ much in their disturbances: over 40 seeds
// ridge is off by .0162 m, nine days' average, with a standard deviation of
// .0017. The 2 of the days' streams is among several the one under which the
// first seed is an ordinary one, .0167.
const (
	stationStream = 1 << 62
	dayStream     = 2<<62 | 2<<32
	noiseStream   = 3 << 62
)
