package sky

// Background returns the content of a quiet day with these three draws.
func Background(night, active, crests, second, lat, lon float64) float64 {
	b := background{night, active, crests}
	return b.tec(second, lat, lon)
}

// OtherSkies returns the simulator with n days that it draws no experiment of, all
// under the satellites of its first.
func OtherSkies(s *Simulator, n int) *Simulator {
	other := *s
	other.days = nil
	for i := range n {
		d := s.drawDay(1000+i, "")
		d.start = s.days[0].start
		other.days = append(other.days, d)
	}
	return &other
}
