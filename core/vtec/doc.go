// Package vtec is the paper's experiment on the ionosphere: six methods learn,
// every minute anew, the vertical total electron content (vTEC) over a net of
// stations, and are tested on the station that they have not seen.
//
// A [Source] says what the net sees: the simulator, IONEX maps, maps with
// simulated disturbances on top, or a reader's own table of pierce points. One
// [Snapshot] of it becomes one [Window]: the encodings of its pierce points and
// their double differences. A [Method] is fitted to those of the training
// stations and predicts those of the test station. An [Experiment] does that for
// every window and every method; windows share nothing, so any number of them
// may run at once, in any order, and give the same bits.
//
// # Units
//
// Delays are metres at L1, 1 TECU being [MetresPerTECU] of them. Latitudes and
// longitudes are degrees, all other angles radians. Times are days and minutes
// of a day, UT; windows begin with a minute.
package vtec

// MetresPerTECU is the delay at L1 of one TEC unit, 10¹⁶ electrons per m²:
// 40.3·10¹⁶/f₁², f₁ = 1575.42 MHz.
const MetresPerTECU = 0.162372

// Station is a receiver on the ground.
type Station struct {
	Name     string
	Lat, Lon float64 // of a table of pierce points what follows from these
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
}

// Snapshot is what the net sees at one instant: every satellite that is high
// enough at every station.
type Snapshot struct {
	Satellites []string
	Points     []Point // len(Satellites)·stations, a satellite's stations side by side
}

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

// Method is one of the six that the paper compares.
type Method int

// The methods, in the order of the paper's Table 1.
const (
	Ridge Method = iota
	LASSO
	ElasticNet
	Kernel
	FM
	IFM
	Methods // how many there are
)

// String returns the name that a link has for the method.
func (m Method) String() string {
	return [Methods]string{"ridge", "lasso", "elasticnet", "kernel", "fm", "ifm"}[m]
}

// Tuning is what is chosen for each method on the first five days.
type Tuning struct {
	Ridge      float64 // λ of ‖Zw − y‖² + λ‖w‖²
	LASSO      float64 // α of ‖Zw − y‖²/(2n) + α‖w‖₁
	ElasticNet float64 // α of ‖Zw − y‖²/(2n) + αρ‖w‖₁ + α(1−ρ)‖w‖²/2
	NetRatio   float64 // ρ
	Kernel     float64 // α of (K + αI)c = y
	Gamma      float64 // of K = exp(−γ‖z − z′‖²)
	FMRank     int
	FM         float64 // λ of the factors
	FMLinear   float64 // λ of w
	IFMRank    int
	IFM        float64
	IFMLinear  float64
}

// Settings are those of an [Experiment].
type Settings struct {
	Seed    uint64
	Stride  int // minutes between two windows
	Fixes   int // minutes between two attempts to fix a position, 0 for none
	Days    int // at most, from the first of the source's
	Methods []Method
	Tuning  Tuning
	Fixing  Tuning // of the windows in which positions are tried
}
