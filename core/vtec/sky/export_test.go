package sky

// Background returns the content of a quiet day with these three draws.
func Background(night, active, crests, second, lat, lon float64) float64 {
	b := background{night, active, crests}
	return b.tec(second, lat, lon)
}
