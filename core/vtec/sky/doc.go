// Package sky is what a net of stations sees of the ionosphere, minute by minute:
// the simulator, IONEX maps, maps with simulated disturbances on top, or a reader's
// own table of pierce points or of line-of-sight TEC; and the two kinds of files,
// which it reads and writes.
//
// A [Source] is any of these. It returns [Snapshot]s: where the signals of all
// satellites to all stations go through the shell, and how far they are delayed.
//
// # Units
//
// Delays are metres at L1, 1 TECU being .162372 of them. Latitudes and
// longitudes are degrees, all other angles radians. Times are days and minutes
// of a day, UT.
package sky

// metresPerTECU is the delay at L1 of one TEC unit, 10¹⁶ electrons per m²:
// 40.3·10¹⁶/f₁², f₁ = 1575.42 MHz.
const metresPerTECU = 0.162372

// Station is a receiver on the ground.
type Station struct {
	Name     string
	Lat, Lon float64 // of a table of pierce points what follows from these, where it does not say
}

// Network is a net of stations: which are joined, and which is kept for the test.
type Network struct {
	Stations []Station
	Edges    [][2]int // pairs whose signals are differenced, each once, the lower first
	Test     int      // the station that no method learns from
}

// Point is a pierce point: where the signal of one satellite to one station goes
// through the shell.
type Point struct {
	Lat, Lon  float64
	Zenith    float64 // θ, at the shell
	Azimuth   float64 // γ in [0, 2π), from north by east, at the station
	Elevation float64 // at the station
	Delay     float64 // observed, vertical, metres
	Clean     float64 // the same without noise; NaN where nobody knows
	Unseen    bool    // by its station: all else is another station's
}

// Snapshot is what the net sees at one instant: every satellite that is high
// enough at every station, and of a table those that are so at all but the test
// station, too.
type Snapshot struct {
	Satellites []string
	Points     []Point // len(Satellites)·stations, a satellite's stations side by side
}

// FewestSatellites is how many a snapshot needs to be of use: with fewer nobody
// positions.
const FewestSatellites = 4

// Day is a day of a Source.
type Day struct {
	Name    string // "TestDay1", "2010-12-04"
	Minutes []int  // at which there are snapshots, ascending; all 1440 of a simulated day
}

// Source is where snapshots come from. Its methods may be called at any time in
// any order and answer alike for the same arguments.
type Source interface {
	Network() Network
	Days() []Day // that methods are tested on
	// Snapshot returns what the net sees in a minute of a day, counted from 0 in
	// Days, or an [*UnusableError] that says why it cannot be used.
	Snapshot(day, minute int) (Snapshot, error)
	// TEC returns the content at a second of a day above the places of a grid, TECU:
	// row-major, a row for each latitude; NaN where the source does not know it.
	TEC(day int, second float64, lats, lons []float64) []float64
}

// At is when a snapshot is: a day of the source, counted from 0, and a minute of it.
type Instant struct{ Day, Minute int }

// Every returns the first minute that each day has in each stride of it, which is in
// minutes and at least 1, from midnight on. O(minutes).
func Every(stride int, days []Day) (all []Instant) {
	for d, day := range days {
		last := -1
		for _, minute := range day.Minutes {
			if slot := minute / stride; slot > last {
				all = append(all, Instant{d, minute})
				last = slot
			}
		}
	}
	return all
}
