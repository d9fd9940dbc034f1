// Package sky provides the ionosphere over a net of stations, minute by minute. A [Source]
// is a simulator, IONEX maps, maps with simulated disturbances, or a table of pierce points
// or of line-of-sight TEC. The package reads and writes both kinds of files.
//
// A source returns [Snapshot]s: the points at which the signals of all satellites to all
// stations pierce the shell, and their delays.
//
// # Units
//
// Delays are metres at L1; 1 TECU is .162372 m. Latitudes and longitudes are degrees, all
// other angles radians. Times are days and minutes of a day, UT.
package sky

// metresPerTECU is the delay at L1 of one TEC unit, 10¹⁶ electrons per m²:
// 40.3·10¹⁶/f₁², f₁ = 1575.42 MHz.
const metresPerTECU = 0.162372

// Station is a receiver on the ground.
type Station struct {
	Name     string
	Lat, Lon float64 // for a table without them, derived from its pierce points
}

// Network is a net of stations, with its edges and its test station.
type Network struct {
	Stations []Station
	Edges    [][2]int // pairs whose signals are differenced, each once, the lower first
	Test     int      // the station that no method learns from
}

// Point is a pierce point, at which the signal of a satellite to a station passes the shell.
type Point struct {
	Lat, Lon  float64
	Zenith    float64 // θ, at the shell
	Azimuth   float64 // γ in [0, 2π), from north by east, at the station
	Elevation float64 // at the station
	Delay     float64 // observed, vertical, metres
	Clean     float64 // Delay without noise; NaN if unknown
	Unseen    bool    // by its station: the other fields are another station's
}

// Snapshot has the pierce points of one instant: of every satellite that is high enough at
// every station. In a table, the test station may miss some.
type Snapshot struct {
	Satellites []string
	Points     []Point // len(Satellites)·stations, a satellite's stations side by side
}

// FewestSatellites is the least number of satellites in a usable snapshot. A position takes
// as many.
const FewestSatellites = 4

// Day is a day of a Source.
type Day struct {
	Name    string // "TestDay1", "2010-12-04"
	Minutes []int  // at which there are snapshots, ascending; all 1440 of a simulated day
}

// Source provides snapshots. Its methods may be called in any order, and the same arguments
// give the same results.
type Source interface {
	Network() Network
	Days() []Day // that methods are tested on
	// Snapshot returns the snapshot of a minute of a day, counted from 0 in Days, or an
	// [*UnusableError].
	Snapshot(day, minute int) (Snapshot, error)
	// TEC returns the content at a second of a day on a grid, TECU, row-major with a row
	// for each latitude. It is NaN if unknown.
	TEC(day int, second float64, lats, lons []float64) []float64
}

// Instant is the time of a snapshot: a day of the source, counted from 0, and its minute.
type Instant struct{ Day, Minute int }

// Every returns the first instant in each span of stride minutes, from midnight on. stride is
// at least 1. O(minutes).
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
