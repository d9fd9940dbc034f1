package sky

import "math"

// mask is the elevation, 15°, that a satellite must have at all stations.
const mask = 15 * radian

// pierce returns where the signal of a satellite to the receiver goes through the
// shell, without its delays, and whether the satellite is above the mask there.
// Longitude is within 180° of another, so that a net on the date line is in one
// piece.
//
// With u the direction to the satellite, ε its elevation and γ its azimuth, R the
// Earth's radius and H the shell's height:
//
//	sin ε = u·up    γ = atan2(u·east, u·north)
//	pierce point = R·up + s·u,   s = −R·sin ε + √(R²·sin² ε + 2RH + H²)
//	sin θ = R/(R + H)·cos ε
//
// 1/cos θ is how many times longer the signal is in a thin shell than a vertical
// one, by which a vertical delay becomes a slant one.
func (r *receiver) pierce(satellite vector, near float64) (p Point, ok bool) {
	u := satellite.along(r.up, -earth)
	u = vector{}.along(u, 1/math.Sqrt(u.dot(u)))
	sin := u.dot(r.up)
	if sin < math.Sin(mask) {
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
