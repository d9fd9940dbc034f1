package sky

import "math"

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
