package sky

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// Config says what a [Simulator] simulates.
type Config struct {
	Seed      uint64
	Systems   int     // of satellites: 1, or 2 for more of them
	Latitude  float64 // of the test station, degrees
	Longitude float64
	Spacing   float64  // of neighbouring stations, km
	Edge      float64  // how far apart joined stations are at most, km
	Waves     float64  // amplitude of the travelling disturbances, in units of the simulator's own; 0 for none
	Phase     float64  // standard deviation of the noise of a slant delay at the zenith, mm
	Maps      []MapDay // days whose maps take the place of the simulated background; nil for none
}

// Days that the paper's experiment has: those for tuning come first.
const (
	tuningDays = 5
	testDays   = 9
)

// Simulator is a simulated [Source]: satellites on their orbits, stations on a lattice, and a
// background of TEC, or maps of it, with travelling disturbances. All of it follows from
// the seed. A day, a minute or a link does not depend on which others are used.
type Simulator struct {
	config     Config
	network    Network
	receivers  []receiver
	satellites []orbit
	days       []simulatedDay
}

// simulatedDay has the random draws of a day.
type simulatedDay struct {
	name       string
	stream     int     // its number among all that are drawn
	start      float64 // of the satellites' time, seconds
	background background
	maps       Field // or nil
	waves      [allWaves]wave
}

// NewSimulator returns a simulator of nine test days, or of the days of the maps.
// It returns an [*EdgeError] if no station is joined to the test station, and a
// [*CoverageError] if the maps have no values above any station.
func NewSimulator(c Config) (*Simulator, error) {
	network, err := lattice(c.Latitude, c.Longitude, c.Spacing, c.Edge, rand.New(rand.NewPCG(c.Seed, stationStream)))
	if err != nil {
		return nil, err
	}
	s := &Simulator{config: c, network: network, satellites: almanac(c.Systems)}
	for _, station := range network.Stations {
		s.receivers = append(s.receivers, newReceiver(station.Lat, station.Lon))
	}
	if c.Maps == nil {
		s.addDays(tuningDays+1, testDays, "TestDay")
		return s, nil
	}
	for i, m := range c.Maps {
		day := s.drawDay(tuningDays+1+i, m.Date)
		if date, ok := parseDate(m.Date); ok {
			day.start = secondsPerDay * float64(date)
		}
		day.maps = m.Field
		s.days = append(s.days, day)
	}
	if err := s.checkCoverage(); err != nil {
		return nil, err
	}
	return s, nil
}

// TuningDays returns the source of the five days before the test days of a
// simulator without maps: same net, same satellites, other days.
func (s *Simulator) TuningDays() *Simulator {
	t := *s
	t.addDays(1, tuningDays, "TuningDay")
	return &t
}

// Both returns the same simulator with both systems of satellites, s itself if it has them.
func (s *Simulator) Both() *Simulator {
	if s.config.Systems == 2 {
		return s
	}
	both := *s
	both.config.Systems = 2
	both.satellites = almanac(2)
	return &both
}

func (s *Simulator) addDays(first, days int, name string) {
	s.days = nil
	for i := range days {
		s.days = append(s.days, s.drawDay(first+i, name+strconv.Itoa(i+1)))
	}
}

// draw returns a day by its number. O(1).
func (s *Simulator) drawDay(number int, name string) simulatedDay {
	rng := rand.New(rand.NewPCG(s.config.Seed, dayStream|uint64(number)))
	return simulatedDay{
		name:   name,
		stream: number,
		start:  secondsPerDay * float64(number),
		background: background{
			night:  math.Exp(.1 * rng.NormFloat64()),
			active: math.Exp(.22 * rng.NormFloat64()),
			crests: math.Exp(.25 * rng.NormFloat64()),
		},
		waves: newWaves(s.config.Latitude, s.config.Longitude, s.config.Waves, rng),
	}
}

// checkCoverage returns a CoverageError if the maps have no values above any station at any
// hour.
func (s *Simulator) checkCoverage() error {
	e := CoverageError{South: math.Inf(1), North: math.Inf(-1), West: math.Inf(1), East: math.Inf(-1)}
	for i, d := range s.days {
		b := d.maps.Bounds()
		if i == 0 {
			e.Maps = b
		}
		e.Maps.South, e.Maps.North = min(e.Maps.South, b.South), max(e.Maps.North, b.North)
		e.Maps.West, e.Maps.East = min(e.Maps.West, b.West), max(e.Maps.East, b.East)
		e.Maps.First, e.Maps.Last = min(e.Maps.First, b.First), max(e.Maps.Last, b.Last)
		for _, p := range s.network.Stations {
			// Hour by hour, which is shorter than maps are apart.
			for second := b.First; second <= b.Last; second += max(1, min(3600, b.Last-b.First)) {
				if _, ok := d.maps.TEC(second, p.Lat, wrapDegrees(p.Lon)); ok {
					return nil
				}
			}
		}
	}
	for _, p := range s.network.Stations {
		e.South, e.North = min(e.South, p.Lat), max(e.North, p.Lat)
		e.West, e.East = min(e.West, p.Lon), max(e.East, p.Lon)
	}
	return &e
}

// Network returns the net: 17 stations, the test station first.
func (s *Simulator) Network() Network { return s.network }

// Days returns the days, each with all its minutes.
func (s *Simulator) Days() (days []Day) {
	minutes := make([]int, 1440)
	for i := range minutes {
		minutes[i] = i
	}
	for i := range s.days {
		days = append(days, Day{s.days[i].name, minutes})
	}
	return days
}

// Snapshot returns the satellites at 15° or more above every station in the first second of
// a minute, in the order of the almanac. There may be few. A point's vertical delay is
//
//	Clean = .162·TEC    Delay = Clean + noise·cos θ/sin ε
//
// because the noise, [Config].Phase at the zenith, is that of the slant delay. With maps it
// returns an [*UnusableError] if they have no value above a point. It takes a third of a
// millisecond, mostly for the cosines of 57 waves.
func (s *Simulator) Snapshot(day, minute int) (Snapshot, error) {
	d := &s.days[day]
	second := 60 * float64(minute)
	waves := ripplesAt(&d.waves, s.config.Latitude, s.config.Longitude, second)
	stations := len(s.receivers)
	errors := make([]float64, stations)
	var shot Snapshot
satellites:
	for i := range s.satellites {
		place := s.satellites[i].at(d.start + second)
		first := len(shot.Points)
		for k := range s.receivers {
			point, ok := s.receivers[k].pierce(place, s.config.Longitude)
			if !ok {
				shot.Points = shot.Points[:first]
				continue satellites
			}
			shot.Points = append(shot.Points, point)
		}
		shot.Satellites = append(shot.Satellites, s.satellites[i].name)
		noise(errors, s.config.Seed, d.stream, i, minute)
		for k := range s.receivers {
			p := &shot.Points[first+k]
			tec, ok := d.tec(&waves, second, p.Lat, p.Lon)
			if !ok {
				return Snapshot{}, &UnusableError{d.name, minute, d.maps.Bounds().reason(second, p.Lat, p.Lon)}
			}
			p.Clean = metresPerTECU * tec
			p.Delay = p.Clean + s.config.Phase/1e3*errors[k]*math.Cos(p.Zenith)/math.Sin(p.Elevation)
		}
	}
	return shot, nil
}

// TEC returns the content on a grid at a second of a day, TECU. It is continuous in time and
// place within the day, and NaN if maps have no value. Each wave costs two multiplications
// a place.
func (s *Simulator) TEC(day int, second float64, lats, lons []float64) []float64 {
	d := &s.days[day]
	waves := ripplesAt(&d.waves, s.config.Latitude, s.config.Longitude, second)
	grid := waves.grid(lats, lons)
	for i, wave := range grid {
		v, ok := d.undisturbed(second, lats[i/len(lons)], lons[i%len(lons)])
		if grid[i] = addWaves(v, wave); !ok {
			grid[i] = math.NaN()
		}
	}
	return grid
}

// undisturbed returns the content without disturbances.
func (d *simulatedDay) undisturbed(second, lat, lon float64) (tec float64, ok bool) {
	if d.maps != nil {
		return d.maps.TEC(second, lat, wrapDegrees(lon))
	}
	return d.background.tec(second, lat, lon), true
}

// tec returns the content of the quiet field and the waves above a place.
func (d *simulatedDay) tec(waves *ripples, second, lat, lon float64) (tec float64, ok bool) {
	v, ok := d.undisturbed(second, lat, lon)
	if !ok {
		return math.NaN(), false
	}
	return addWaves(v, waves.tec(lat, lon)), true
}

// addWaves returns the content v of the quiet field with waves, which grow with the content:
//
//	v + (.5 + v/60)·waves
//
// but at least 0, or v if maps are below 0.
func addWaves(v, waves float64) float64 { return max(min(0, v), v+(.5+v/60)*waves) }
