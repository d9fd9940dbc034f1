package sky

import (
	"math"
	"slices"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// RecordingOptions complete what a [Recording] does not say. The zero value adds nothing,
// except Edge.
type RecordingOptions struct {
	Station string  // the test station; "": that of the file, else the one in the middle
	Unit    string  // "tecu" or "metres"; "" or "auto": that of the file
	Mapping string  // "vertical" or "slant"; "" or "auto": that of the file
	Edge    float64 // the largest distance of joined stations, km, if the file lists no edges
}

// RecordingSource is the [Source] of a [Recording]. It does not change.
type RecordingSource struct {
	Notices []string // assumptions, in addition to the recording's

	recording    *Recording
	network      Network
	stationIndex []int // of each station of the recording in the network, −1 if it is left out
	metres       float64
	slant        bool
	changes      []float64 // with arcs: the change at each point since its reference
}

// mostStations bounds the stations of a net. Windows of more take seconds.
const mostStations = 40

// Source returns a source of the recording. Its net has the stations that are present in at
// least half as many minutes as the most frequent one, and at most the 40 nearest to the
// test station. The place of a station follows from its pierce points, azimuths and
// elevations.
//
// It returns a [*fault.FileError] if unit or mapping are unknown, if the test station or an
// edge names no station, or if no minute has four satellites above 15° at all stations. It
// returns an [*EdgeError] if no station is joined to the test station. O(points).
func (r *Recording) Source(o RecordingOptions) (*RecordingSource, error) {
	s := &RecordingSource{recording: r, metres: metresPerTECU}
	unit, mapping := choice(o.Unit, r.unit), choice(o.Mapping, r.mapping)
	if unit == "" || mapping == "" {
		return nil, r.undeclaredError(unit, mapping)
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
	if err := s.makeNetwork(o); err != nil {
		return nil, err
	}
	if r.arcs != nil {
		s.setReferences()
		s.notice("levels differ by a bias of each receiver, so what is predicted is the change of the TEC along each signal, made vertical, since the first minute in which all %d stations see the satellite without a gap or a slip", len(s.network.Stations))
	}
	return s, s.check()
}

func (s *RecordingSource) notice(format string, args ...any) {
	s.Notices = append(s.Notices, message.Sprintf(format, args...))
}

// choice returns the user's choice, or else the file's.
func choice(chosen, declared string) string {
	if chosen == "" || chosen == "auto" {
		return declared
	}
	return chosen
}

// fail returns an error about the file as a whole; line is 0 if no line is at fault.
func (r *Recording) fail(problem fault.FileProblem, line int, field, found, format string, args ...any) error {
	return &fault.FileError{Problem: problem, File: r.Name, Line: line, Field: field, Found: shorten(found), Message: message.Sprintf(format, args...)}
}

func (r *Recording) undeclaredError(unit, mapping string) error {
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
	return r.fail(fault.Undeclared, r.preamble.lines+1, r.column, r.column, "the column %s does not say %s, expected %s. Call it %s or the like, write # unit: TECU, vertical (or metres, slant) above the header, or choose it here", shorten(r.column), what, want, name)
}

// check returns an error if no minute is of use, and checks the values.
func (s *RecordingSource) check() error {
	r := s.recording
	minutes, usable, fewer, most := 0, 0, 0, 0
	count, sum := 0, 0.0
	for _, d := range r.days {
		for i := range d.minutes {
			from, to := d.starts[i], d.starts[i+1]
			common, tested, _ := s.countCommon(from, to)
			if s.changes != nil && common == 0 && tested == 0 {
				continue // a reference
			}
			minutes++
			if common >= FewestSatellites && tested >= fewestTested {
				usable++
			}
			if tested < common {
				fewer++
			}
			most = max(most, common)
			for j := from; j < to; j++ {
				count++
				sum += math.Abs(s.delay(j))
			}
		}
	}
	if usable == 0 && most >= FewestSatellites {
		return r.fail(fault.Damaged, 0, "station", s.network.Stations[s.network.Test].Name, "in no minute does the test station %s see %d of the satellites that all other stations see; choose another", shorten(s.network.Stations[s.network.Test].Name), fewestTested)
	}
	if usable == 0 && s.changes != nil {
		return r.fail(fault.Damaged, 0, "sat_id", message.Sprintf("%d", most), "in no minute do all %d stations see %d satellites above 15° in arcs that they have shared for a minute, at most %d; join stations up to fewer km, or choose another test station, so that the net is smaller, or open a file of a longer time or with fewer gaps and slips", len(s.network.Stations), FewestSatellites, most)
	}
	if usable == 0 {
		return r.fail(fault.Damaged, 0, "sat", message.Sprintf("%d", most), "in no minute are there %d satellites above 15° at all %d stations, at most %d are; open a file in which stations see the same satellites at the same time", FewestSatellites, len(s.network.Stations), most)
	}
	if usable < minutes {
		s.notice("in %d of %d minutes fewer than %d satellites are above 15° at all stations", minutes-usable, minutes, FewestSatellites)
	}
	if fewer > 0 {
		s.notice("in %d of %d minutes the test station %s sees fewer satellites than all others do; it is tested on those that it sees", fewer, minutes, shorten(s.network.Stations[s.network.Test].Name))
	}
	if s.changes != nil {
		return nil // the size of a change is not known beforehand
	}
	const high, low = 200 * metresPerTECU, .5 * metresPerTECU
	if mean := sum / float64(count); !(mean < high) || mean < low {
		s.notice("the TEC is %.3g TECU on average, and the ionosphere's is 5 to 100: see whether its unit is right", mean/metresPerTECU)
	}
	return nil
}

// isUsed reports whether a point belongs to the net, is high enough, and has a delay.
func (s *RecordingSource) isUsed(i int) bool {
	p := &s.recording.points[i]
	return s.stationIndex[p.station] >= 0 && p.elevation >= leastElevation && (s.changes == nil || s.changes[i] == s.changes[i])
}

// delay returns a point's vertical delay in metres, or its change.
func (s *RecordingSource) delay(i int) float64 {
	p := &s.recording.points[i]
	v := p.tec
	if s.changes != nil {
		v = s.changes[i]
	}
	v *= s.metres
	if s.slant {
		v *= math.Cos(p.zenith)
	}
	return v
}

// fewestTested is the number of satellites that the test station must see: the reference and
// one more.
const fewestTested = 2

// countCommon counts, among the points from … to−1, the satellites used at all stations
// except the test station, those of them used there too, and those used at each station.
func (s *RecordingSource) countCommon(from, to int) (all, tested int, each []int) {
	seen, there := make([]int, len(s.recording.satellites)), make([]int, len(s.recording.satellites))
	each = make([]int, len(s.network.Stations))
	for i := from; i < to; i++ {
		if s.isUsed(i) {
			p := &s.recording.points[i]
			at := s.stationIndex[p.station]
			each[at]++
			if at == s.network.Test {
				there[p.satellite]++
			} else {
				seen[p.satellite]++
			}
		}
	}
	for satellite, n := range seen {
		if n == len(each)-1 {
			all++
			tested += there[satellite]
		}
	}
	return all, tested, each
}

// Network returns the net.
func (s *RecordingSource) Network() Network { return s.network }

// Days returns the days of the file, with the minutes that have rows, or for line-of-sight
// TEC those with a change since a reference.
func (s *RecordingSource) Days() []Day {
	days := make([]Day, len(s.recording.days))
	for i, d := range s.recording.days {
		days[i] = Day{d.name, d.minutes}
		if s.changes == nil {
			continue
		}
		days[i].Minutes = nil
		for m, minute := range d.minutes {
			if slices.ContainsFunc(s.changes[d.starts[m]:d.starts[m+1]], func(v float64) bool { return v == v }) {
				days[i].Minutes = append(days[i].Minutes, minute)
			}
		}
	}
	return days
}

// Snapshot returns the satellites at 15° or more above every station, in the order of their
// names. A satellite that a station does not see is left out, unless it is the test
// station. Delays of line-of-sight TEC are changes since the satellite's reference. Delays
// without noise are unknown. Snapshot returns an [*UnusableError] if fewer than four
// satellites remain, or if the test station sees fewer than two of them. O(points).
func (s *RecordingSource) Snapshot(day, minute int) (Snapshot, error) {
	d := &s.recording.days[day]
	at, found := slices.BinarySearch(d.minutes, minute)
	if !found {
		return Snapshot{}, &UnusableError{d.name, minute, "the file has no row in this minute"}
	}
	from, to := d.starts[at], d.starts[at+1]
	all, tested, each := s.countCommon(from, to)
	if all >= FewestSatellites && tested < fewestTested {
		return Snapshot{}, &UnusableError{d.name, minute, message.Sprintf("of the %d satellites above 15° at all others, the test station %s sees %d, expected at least %d", all, shorten(s.network.Stations[s.network.Test].Name), tested, fewestTested)}
	}
	if all < FewestSatellites {
		worst := 0
		for i, n := range each {
			if n < each[worst] {
				worst = i
			}
		}
		return Snapshot{}, &UnusableError{d.name, minute, message.Sprintf("satellites above 15° at all %d stations: %d, expected at least %d; %s sees %d", len(each), all, FewestSatellites, shorten(s.network.Stations[worst].Name), each[worst])}
	}
	stations := len(each)
	near := s.network.Stations[s.network.Test].Lon
	// The first point of each satellite, and its number of points.
	begin, count := make([]int, len(s.recording.satellites)), make([]int, len(s.recording.satellites))
	for i := from; i < to; i++ {
		if p := &s.recording.points[i]; s.isUsed(i) && s.stationIndex[p.station] != s.network.Test {
			count[p.satellite]++
		}
	}
	shot, seen := Snapshot{Points: make([]Point, all*stations)}, make([]bool, all*stations)
	for satellite, n := range count {
		begin[satellite] = -1
		if n == stations-1 {
			begin[satellite] = len(shot.Satellites) * stations
			shot.Satellites = append(shot.Satellites, s.recording.satellites[satellite])
		}
	}
	for i := from; i < to; i++ {
		p := &s.recording.points[i]
		at := s.stationIndex[p.station]
		if !s.isUsed(i) || begin[p.satellite] < 0 {
			continue
		}
		lon := p.lon // as in the file, unless the net crosses the date line
		for lon > near+180 {
			lon -= 360
		}
		for lon < near-180 {
			lon += 360
		}
		shot.Points[begin[p.satellite]+at] = Point{Lat: p.lat, Lon: lon, Zenith: p.zenith, Azimuth: p.azimuth, Elevation: p.elevation, Delay: s.delay(i), Clean: math.NaN()}
		seen[begin[p.satellite]+at] = true
	}
	for i := range shot.Satellites {
		if own := i*stations + s.network.Test; !seen[own] {
			shot.Points[own] = shot.Points[i*stations+(s.network.Test+1)%stations]
			shot.Points[own].Unseen = true
		}
	}
	return shot, nil
}

// TEC returns NaN, because it is known at pierce points only.
func (s *RecordingSource) TEC(_ int, _ float64, lats, lons []float64) []float64 {
	grid := make([]float64, len(lats)*len(lons))
	for i := range grid {
		grid[i] = math.NaN()
	}
	return grid
}
