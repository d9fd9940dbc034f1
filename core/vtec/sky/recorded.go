package sky

import (
	"math"
	"slices"

	"ifmlab/core/data"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Reading says what a [Recording] leaves open. The zero value leaves it so, but
// for Edge.
type Reading struct {
	Station string  // the test station; "": what the file says, else the one in the middle
	Unit    string  // "tecu" or "metres"; "" or "auto": what the file says
	Mapping string  // "vertical" or "slant"; "" or "auto": what the file says
	Edge    float64 // how far apart joined stations are at most, km, where the file lists no edges
}

// Recorded is a [Source] of a [Recording]. It does not change.
type Recorded struct {
	Notices []string // what was assumed, beyond the recording's

	recording *Recording
	network   Network
	place     []int // of each station of the recording in the network, −1 where it is left out
	metres    float64
	slant     bool
}

// mostStations is how many stations are used: windows of more take seconds.
const mostStations = 40

// Source returns a source of the recording. The net is made of all stations that
// are there in half the minutes or more of the one that is there most; of more
// than 40, of those next to the test station. Where a station stands follows from
// its pierce points, azimuths and elevations.
//
// It returns a [*data.FileError] where unit or mapping stay open, where the test
// station or an edge names no station, and where no minute has four satellites
// above 15° at all stations; and an [*EdgeError] when no station is joined to the
// test station. O(points).
func (r *Recording) Source(o Reading) (*Recorded, error) {
	s := &Recorded{recording: r, metres: metresPerTECU}
	unit, mapping := choice(o.Unit, r.unit), choice(o.Mapping, r.mapping)
	if unit == "" || mapping == "" {
		return nil, r.undeclared(unit, mapping)
	}
	for _, c := range [...][2]string{{unit, r.unit}, {mapping, r.mapping}} {
		if c[1] != "" && c[0] != c[1] {
			s.notice("the TEC is taken as %s, as was chosen; the file says %s", c[0], c[1])
		}
	}
	if unit == "metres" {
		s.metres = 1
	}
	s.slant = mapping == "slant"
	if err := s.choose(o); err != nil {
		return nil, err
	}
	return s, s.check()
}

func (s *Recorded) notice(format string, args ...any) {
	s.Notices = append(s.Notices, message.Sprintf(format, args...))
}

// choice returns what was chosen, or what the file says.
func choice(chosen, declared string) string {
	if chosen == "" || chosen == "auto" {
		return declared
	}
	return chosen
}

// fail returns an error about the file as a whole; line is 0 where none is to blame.
func (r *Recording) fail(problem data.FileProblem, line int, field, found, format string, args ...any) error {
	return &data.FileError{Problem: problem, File: r.Name, Line: line, Field: field, Found: shorten(found), Message: message.Sprintf(format, args...)}
}

func (r *Recording) undeclared(unit, mapping string) error {
	what, want, name := "the unit of the TEC", "TECU or metres", "vtec_tecu"
	switch {
	case unit == "" && mapping == "":
		what, want = "the unit of the TEC, nor whether it is vertical or along the signal", "TECU or metres, and vertical or slant"
	case unit == "" && mapping == "slant":
		name = "stec_tecu"
	case mapping == "":
		what, want = "whether the TEC is vertical or along the signal", "vertical or slant"
		if unit == "metres" {
			name = "vtec_m"
		}
	}
	return r.fail(data.Undeclared, r.preamble.lines+1, r.column, r.column, "the column %s does not say %s, want %s; call it %s or the like, write # unit: TECU, vertical (or metres, slant) above the header, or choose it here", shorten(r.column), what, want, name)
}

// choose makes the network.
func (s *Recorded) choose(o Reading) error {
	r := s.recording
	all := r.locate()
	here := r.present()
	most := slices.Max(here)
	if most == 0 {
		return r.fail(data.Damaged, 0, "elevation", "", "no station sees %d satellites above 15° in any minute, want that many; see whether the angles are in degrees", FewestSatellites)
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
	if len(left) > 0 {
		s.notice("stations left out, because they are there in less than half of the minutes: %s", list(left, 10))
	}
	test, err := s.test(o.Station, all, kept)
	if err != nil {
		return err
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
	if len(kept) < fewestMap {
		return r.fail(data.Damaged, 0, "station", message.Sprintf("%d", len(kept)), "stations that are there in half of the minutes: %d, want at least %d; open a file in which more stations are there at the same time", len(kept), fewestMap)
	}
	s.place = make([]int, len(all))
	for i := range s.place {
		s.place[i] = -1
	}
	for i, station := range kept {
		s.place[station] = i
		s.network.Stations = append(s.network.Stations, all[station])
	}
	s.network.Test = s.place[test]
	if len(r.preamble.edges) > 0 {
		err = s.listed()
	} else {
		err = s.near(o.Edge)
	}
	return err
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

// present returns in how many minutes each station is there with four satellites
// or more that are high enough.
func (r *Recording) present() []int {
	here, high := make([]int, len(r.stations)), make([]int, len(r.stations))
	for _, d := range r.days {
		for i := range d.minutes {
			clear(high)
			for _, p := range r.points[d.starts[i]:d.starts[i+1]] {
				if p.elevation >= mask {
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

// locate returns the stations with the places that follow from their pierce
// points: ψ = 90° − ε − θ away from one, seen from the station towards the azimuth
// γ, so that the station's latitude φ solves
//
//	sin φ′ = sin φ·cos ψ + cos φ·sin ψ·cos γ
//
// and its longitude is that of the pierce point less asin(sin ψ·sin γ/cos φ′). All
// that are high enough are averaged, of at most some 20 000, those near the zenith
// more than the others. NaN where there are none.
func (r *Recording) locate() []Station {
	stations := make([]Station, len(r.stations))
	weights := make([]float64, len(stations))
	first := math.NaN() // longitude that others are near to
	step := uint32(max(1, len(r.points)/20000))
	for i := range r.points {
		p := &r.points[i]
		// Here and there, whatever the order of rows: bits of a golden ratio.
		if p.elevation < mask || uint32(i)*0x9e3779b9>>8%step != 0 {
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
		s.Lon += w * wrap(lon-first)
	}
	for i := range stations {
		s := &stations[i]
		s.Name = r.stations[i]
		s.Lat /= weights[i] // NaN for 0
		s.Lon = first + s.Lon/weights[i]
	}
	return stations
}

// test returns the test station: the one that was chosen, else the one that the
// file names, else the one that is nearest to all others.
func (s *Recorded) test(chosen string, all []Station, kept []int) (int, error) {
	r := s.recording
	line := 0
	if chosen == "" {
		chosen, line = r.preamble.test, r.preamble.testOn
	}
	if chosen != "" {
		i := slices.Index(r.stations, chosen)
		if i < 0 {
			return 0, r.fail(data.Undeclared, line, "station", chosen, "there is no station %s to test on; choose one of %s", shorten(chosen), list(r.stations, 40))
		}
		if !slices.Contains(kept, i) {
			return 0, r.fail(data.Undeclared, line, "station", chosen, "the test station %s is there in less than half of the minutes; choose another", shorten(chosen))
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
		return 0, r.fail(data.Damaged, 0, "lat", "", "where stations stand does not follow from their pierce points; see whether lat, lon, zenith and azimuth are what they should be")
	}
	s.notice("the test station is %s, the one in the middle, as neither you nor the file chose one", shorten(r.stations[best]))
	return best, nil
}

// listed joins the stations as the file says.
func (s *Recorded) listed() error {
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
			return r.fail(data.Undeclared, e.line, "edges", e.text, "the edge %s does not join two stations, as no row that can be used is of a station %s; correct it, or delete the edge", shorten(e.text), shorten(absent))
		}
		if a < 0 || b < 0 || a == b {
			return r.fail(data.Undeclared, e.line, "edges", e.text, "the edge %s does not join two stations, want two of their names with a hyphen, as in %s-%s; correct it", shorten(e.text), shorten(r.stations[0]), shorten(r.stations[1]))
		}
		a, b = s.place[a], s.place[b]
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
	return r.fail(data.Undeclared, line, "edges", "", "no edge joins the test station %s, want one at least; add it to the list, or choose another test station", shorten(name))
}

// near joins the stations that are at most edge km apart.
func (s *Recorded) near(edge float64) error {
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
	var alone []string
	for i, yes := range joined {
		if !yes {
			alone = append(alone, shorten(stations[i].Name))
		}
	}
	if len(alone) > 0 {
		s.notice("joined to no other, as none is within %g km, and so of no use: %s", edge, list(alone, 10))
	}
	s.notice("the file lists no edges, so stations up to %g km apart are joined: %d pairs; where they stand follows from pierce points, azimuths and elevations", edge, len(s.network.Edges))
	return nil
}

// check returns an error if no minute can be used, and looks at the values.
func (s *Recorded) check() error {
	r := s.recording
	minutes, usable, most := 0, 0, 0
	count, sum := 0, 0.0
	for _, d := range r.days {
		for i := range d.minutes {
			points := r.points[d.starts[i]:d.starts[i+1]]
			common, _ := s.common(points)
			minutes++
			if common >= FewestSatellites {
				usable++
			}
			most = max(most, common)
			for j := range points {
				count++
				sum += math.Abs(s.delay(&points[j]))
			}
		}
	}
	if usable == 0 {
		return r.fail(data.Damaged, 0, "sat", message.Sprintf("%d", most), "in no minute are there %d satellites above 15° at all %d stations, at most %d are; open a file in which stations see the same satellites at the same time", FewestSatellites, len(s.network.Stations), most)
	}
	if usable < minutes {
		s.notice("in %d of %d minutes fewer than %d satellites are above 15° at all stations", minutes-usable, minutes, FewestSatellites)
	}
	const high, low = 200 * metresPerTECU, .5 * metresPerTECU
	if mean := sum / float64(count); !(mean < high) || mean < low {
		s.notice("the TEC is %.3g TECU on average, and the ionosphere's is 5 to 100: see whether its unit is right", mean/metresPerTECU)
	}
	return nil
}

// delay returns a point's vertical delay in metres.
func (s *Recorded) delay(p *recorded) float64 {
	v := p.tec * s.metres
	if s.slant {
		v *= math.Cos(p.zenith)
	}
	return v
}

// common returns how many satellites stand above 15° at all stations, and how many
// do at each.
func (s *Recorded) common(points []recorded) (all int, each []int) {
	seen := make([]int, len(s.recording.satellites))
	each = make([]int, len(s.network.Stations))
	for i := range points {
		p := &points[i]
		if at := s.place[p.station]; at >= 0 && p.elevation >= mask {
			seen[p.satellite]++
			each[at]++
		}
	}
	for _, n := range seen {
		if n == len(each) {
			all++
		}
	}
	return all, each
}

// Network returns the net.
func (s *Recorded) Network() Network { return s.network }

// Days returns the days of the file, with the minutes that have rows.
func (s *Recorded) Days() []Day {
	days := make([]Day, len(s.recording.days))
	for i, d := range s.recording.days {
		days[i] = Day{d.name, d.minutes}
	}
	return days
}

// Snapshot returns the satellites that stand 15° high or more at every station,
// in the order of their names. A satellite that a station does not see is left
// out; it returns an [*UnusableError] where fewer than four remain. Nobody knows
// the delays without noise. O(points).
func (s *Recorded) Snapshot(day, minute int) (Snapshot, error) {
	d := &s.recording.days[day]
	at, found := slices.BinarySearch(d.minutes, minute)
	if !found {
		return Snapshot{}, &UnusableError{d.name, minute, "the file has no row in this minute"}
	}
	points := s.recording.points[d.starts[at]:d.starts[at+1]]
	all, each := s.common(points)
	if all < FewestSatellites {
		worst := 0
		for i, n := range each {
			if n < each[worst] {
				worst = i
			}
		}
		return Snapshot{}, &UnusableError{d.name, minute, message.Sprintf("satellites above 15° at all %d stations: %d, want at least %d; %s sees %d", len(each), all, FewestSatellites, shorten(s.network.Stations[worst].Name), each[worst])}
	}
	stations := len(each)
	near := s.network.Stations[s.network.Test].Lon
	// Where the points of a satellite begin, and how many it has.
	begin, count := make([]int, len(s.recording.satellites)), make([]int, len(s.recording.satellites))
	for i := range points {
		if p := &points[i]; s.place[p.station] >= 0 && p.elevation >= mask {
			count[p.satellite]++
		}
	}
	shot := Snapshot{Points: make([]Point, all*stations)}
	for satellite, n := range count {
		begin[satellite] = -1
		if n == stations {
			begin[satellite] = len(shot.Satellites) * stations
			shot.Satellites = append(shot.Satellites, s.recording.satellites[satellite])
		}
	}
	for i := range points {
		p := &points[i]
		at := s.place[p.station]
		if at < 0 || begin[p.satellite] < 0 {
			continue
		}
		lon := p.lon // as it is written, unless the net is across the date line
		for lon > near+180 {
			lon -= 360
		}
		for lon < near-180 {
			lon += 360
		}
		shot.Points[begin[p.satellite]+at] = Point{Lat: p.lat, Lon: lon, Zenith: p.zenith, Azimuth: p.azimuth, Elevation: p.elevation, Delay: s.delay(p), Clean: math.NaN()}
	}
	return shot, nil
}

// TEC is not known but at pierce points.
func (s *Recorded) TEC(_ int, _ float64, lats, lons []float64) []float64 {
	grid := make([]float64, len(lats)*len(lons))
	for i := range grid {
		grid[i] = math.NaN()
	}
	return grid
}
