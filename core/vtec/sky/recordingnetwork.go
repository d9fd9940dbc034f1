package sky

import (
	"math"
	"slices"

	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// makeNetwork chooses the stations and edges.
func (s *RecordingSource) makeNetwork(o RecordingOptions) error {
	r := s.recording
	all := r.stationPlaces()
	here := r.minutesPresent()
	most := slices.Max(here)
	if most == 0 {
		return r.fail(fault.Damaged, 0, "elevation", "", "no station sees %d satellites above 15° in any minute. Check whether the angles are in degrees", FewestSatellites)
	}
	var kept []int
	var left []string
	for i, n := range here {
		if 2*n >= most && all[i].Lat == all[i].Lat {
			kept = append(kept, i)
		} else {
			left = append(left, shorten(r.stations[i]))
		}
	}
	test, err := s.testStation(o.Station, all, kept)
	if err != nil {
		return err
	}
	if !slices.Contains(kept, test) { // chosen by the user: tested on the satellites that it sees
		kept = append(kept, test)
		order.Sort(kept, func(i, j int) int { return i - j })
		left = slices.DeleteFunc(left, func(name string) bool { return name == shorten(r.stations[test]) })
	}
	if len(left) > 0 {
		s.notice("stations left out, because they are there in less than half of the minutes: %s", joinNames(left, 10))
	}
	edge := o.Edge // the largest distance of neighbours
	if len(r.preamble.edges) > 0 {
		edge = math.Inf(1)
	}
	if r.arcs != nil {
		if kept = s.dropTwins(all, kept, test, edge); len(kept) < fewestStations {
			return s.isolatedError(all, test, edge)
		}
	}
	if len(kept) > mostStations {
		nearest := order.Of(len(kept), func(i, j int) int {
			a, b := distance(&all[test], &all[kept[i]]), distance(&all[test], &all[kept[j]])
			return compare(a, b)
		})
		far := make([]bool, len(all))
		for _, i := range nearest[mostStations:] {
			far[kept[i]] = true
		}
		s.notice("of %d stations, the %d next to the test station %s are used", len(kept), mostStations, shorten(r.stations[test]))
		kept = slices.DeleteFunc(kept, func(i int) bool { return far[i] })
	}
	if r.arcs != nil {
		kept = s.dropCostly(all, kept, test, edge)
	}
	if len(kept) < fewestStations {
		return r.fail(fault.Damaged, 0, "station", message.Sprintf("%d", len(kept)), "only %d stations have data in at least half of the minutes, expected at least %d. Open a file with more simultaneous stations", len(kept), fewestStations)
	}
	s.stationIndex = make([]int, len(all))
	for i := range s.stationIndex {
		s.stationIndex[i] = -1
	}
	for i, station := range kept {
		s.stationIndex[station] = i
		s.network.Stations = append(s.network.Stations, all[station])
	}
	s.network.Test = s.stationIndex[test]
	if len(r.preamble.edges) > 0 {
		return s.joinListed()
	}
	return s.joinNear(o.Edge)
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// minutesPresent returns the number of minutes in which each station sees at least four
// satellites high enough.
func (r *Recording) minutesPresent() []int {
	here, high := make([]int, len(r.stations)), make([]int, len(r.stations))
	for _, d := range r.days {
		for i := range d.minutes {
			clear(high)
			for _, p := range r.points[d.starts[i]:d.starts[i+1]] {
				if p.elevation >= leastElevation {
					high[p.station]++
				}
			}
			for station, n := range high {
				if n >= FewestSatellites {
					here[station]++
				}
			}
		}
	}
	return here
}

// stationPlaces returns the stations with their places from the file, or else from their
// pierce points.
func (r *Recording) stationPlaces() []Station {
	if r.places == nil {
		return r.locate()
	}
	all, first := slices.Clone(r.places), math.NaN() // the longitude of the first that has one
	for i := range all {
		if lon := all[i].Lon; first != first {
			first = lon
		} else {
			all[i].Lon = first + wrapDegrees(lon-first)
		}
	}
	return all
}

// isolatedError returns the error of a net with too few neighbouring stations.
func (s *RecordingSource) isolatedError(all []Station, test int, edge float64) error {
	e := &EdgeError{edge, math.Inf(1)}
	for i := range all {
		if d := distance(&all[i], &all[test]); i != test && d >= twinDistance {
			e.Nearest = min(e.Nearest, d)
		}
	}
	switch {
	case math.IsInf(e.Nearest, 1):
		return s.recording.fail(fault.Damaged, 0, "gps_site", "", "all stations are within %d km of the test station %s, expected at least %d separate places, because neighbouring receivers measure the same. Open a file of a station network", twinDistance, shorten(all[test].Name), fewestStations)
	case e.Nearest > edge:
		return e
	case math.IsInf(edge, 1):
		return s.recording.fail(fault.Damaged, 0, "gps_site", "", "stations that stand apart from each other: less than %d; open a file of a net of stations", fewestStations)
	}
	return s.recording.fail(fault.Damaged, 0, "gps_site", "", "no two stations are within %g km of each other, apart from the test station %s and its neighbours, expected at least %d. Join stations that are further apart", edge, shorten(all[test].Name), fewestStations)
}

// locate returns the stations with places from their pierce points. A pierce point is
// ψ = 90° − ε − θ away from its station in the direction of the azimuth γ. So the station's
// latitude φ solves
//
//	sin φ′ = sin φ·cos ψ + cos φ·sin ψ·cos γ
//
// and its longitude is that of the pierce point less asin(sin ψ·sin γ/cos φ′). It averages
// about 20 000 high enough points at most, with larger weights near the zenith. NaN if
// there are none.
func (r *Recording) locate() []Station {
	stations := make([]Station, len(r.stations))
	weights := make([]float64, len(stations))
	first := math.NaN() // a longitude; others are within 180° of it
	step := uint32(max(1, len(r.points)/20000))
	for i := range r.points {
		p := &r.points[i]
		// A sample that does not depend on the order of rows: bits of the golden ratio.
		if p.elevation < leastElevation || uint32(i)*0x9e3779b9>>8%step != 0 {
			continue
		}
		sinPsi, cosPsi := math.Sincos(math.Pi/2 - p.elevation - p.zenith)
		sinA, cosA := math.Sincos(p.azimuth)
		sinP, cosP := math.Sincos(p.lat * radian)
		lat := math.Asin(max(-1, min(1, sinP/math.Hypot(cosPsi, sinPsi*cosA)))) - math.Atan2(sinPsi*cosA, cosPsi)
		lon := p.lon - math.Asin(max(-1, min(1, sinPsi*sinA/cosP)))/radian
		if lat-lat != 0 || lon-lon != 0 {
			continue
		}
		if first != first {
			first = lon
		}
		w := math.Sin(p.elevation)
		w *= w
		s := &stations[p.station]
		weights[p.station] += w
		s.Lat += w * lat / radian
		s.Lon += w * wrapDegrees(lon-first)
	}
	for i := range stations {
		s := &stations[i]
		s.Name = r.stations[i]
		s.Lat /= weights[i] // NaN for 0
		s.Lon = first + s.Lon/weights[i]
	}
	return stations
}

// testStation returns the user's choice, else the station that the file names, else the one
// nearest to all others.
func (s *RecordingSource) testStation(chosen string, all []Station, kept []int) (int, error) {
	r := s.recording
	line := 0
	if chosen == "" {
		chosen, line = r.preamble.test, r.preamble.testLine
	}
	if chosen != "" {
		i := slices.Index(r.stations, chosen)
		if i < 0 {
			return 0, r.fail(fault.Undeclared, line, "station", chosen, "there is no station %s to test on; choose one of %s", shorten(chosen), joinNames(r.stations, 40))
		}
		if all[i].Lat != all[i].Lat {
			return 0, r.fail(fault.Undeclared, line, "station", chosen, "the test station %s sees no satellite above 15° in any minute; choose another", shorten(chosen))
		}
		return i, nil
	}
	best, least := -1, math.Inf(1)
	for _, i := range kept {
		sum := 0.0
		for _, j := range kept {
			sum += distance(&all[i], &all[j])
		}
		if sum < least {
			best, least = i, sum
		}
	}
	if best < 0 {
		return 0, r.fail(fault.Damaged, 0, "lat", "", "where stations stand does not follow from their pierce points; see whether lat, lon, zenith and azimuth are what they should be")
	}
	s.notice("the test station is %s, the one in the middle, as neither you nor the file chose one", shorten(r.stations[best]))
	return best, nil
}

// joinListed joins stations by the file's list of edges.
func (s *RecordingSource) joinListed() error {
	r := s.recording
	left := 0
	for _, e := range r.preamble.edges {
		a, b, absent := -1, -1, ""
		for i := range len(e.text) { // a name may have a hyphen in it
			if c := e.text[i]; c != '-' && c != ':' {
				continue
			}
			if a, b = slices.Index(r.stations, e.text[:i]), slices.Index(r.stations, e.text[i+1:]); a >= 0 && b >= 0 {
				absent = ""
				break
			}
			if a >= 0 {
				absent = e.text[i+1:]
			} else if b >= 0 {
				absent = e.text[:i]
			}
		}
		if absent != "" {
			return r.fail(fault.Undeclared, e.line, "edges", e.text, "the edge %s does not join two stations, as no row that can be used is of a station %s; correct it, or delete the edge", shorten(e.text), shorten(absent))
		}
		if a < 0 || b < 0 || a == b {
			return r.fail(fault.Undeclared, e.line, "edges", e.text, "the edge %s does not join two stations, expected two station names with a hyphen, such as %s-%s. Correct it", shorten(e.text), shorten(r.stations[0]), shorten(r.stations[1]))
		}
		a, b = s.stationIndex[a], s.stationIndex[b]
		if a < 0 || b < 0 {
			left++
			continue
		}
		if edge := [2]int{min(a, b), max(a, b)}; !slices.Contains(s.network.Edges, edge) {
			s.network.Edges = append(s.network.Edges, edge)
		}
	}
	if left > 0 {
		s.notice("edges left out with their stations: %d", left)
	}
	for _, e := range s.network.Edges {
		if e[0] == s.network.Test || e[1] == s.network.Test {
			return nil
		}
	}
	line, name := r.preamble.edges[0].line, s.network.Stations[s.network.Test].Name
	return r.fail(fault.Undeclared, line, "edges", "", "no edge joins the test station %s. Add one to the list, or choose another test station", shorten(name))
}

// joinNear joins stations at most edge km apart.
func (s *RecordingSource) joinNear(edge float64) error {
	stations := s.network.Stations
	joined := make([]bool, len(stations))
	nearest := math.Inf(1)
	for i := range stations {
		for j := range i {
			d := distance(&stations[i], &stations[j])
			if i == s.network.Test || j == s.network.Test {
				nearest = min(nearest, d)
			}
			if d <= edge {
				joined[i], joined[j] = true, true
			}
		}
	}
	for i := range stations {
		for j := i + 1; j < len(stations); j++ {
			if distance(&stations[i], &stations[j]) <= edge {
				s.network.Edges = append(s.network.Edges, [2]int{i, j})
			}
		}
	}
	if !joined[s.network.Test] {
		return &EdgeError{Edge: edge, Nearest: nearest}
	}
	where := "; where they stand follows from pierce points, azimuths and elevations"
	if s.recording.places != nil {
		where = ""
	}
	var alone []string
	for i, yes := range joined {
		if !yes {
			alone = append(alone, shorten(stations[i].Name))
		}
	}
	if len(alone) > 0 {
		s.notice("joined to no other, as none is within %g km, and so of no use: %s", edge, joinNames(alone, 10))
	}
	s.notice("the file lists no edges, so stations up to %g km apart are joined: %d pairs%s", edge, len(s.network.Edges), where)
	return nil
}
