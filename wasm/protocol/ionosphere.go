package protocol

import "ifmlab/core/vtec"

// Ionosphere are the calls of the ionosphere experiment.
type Ionosphere interface {
	// Survey prepares the experiment.
	Survey(OnSky) (Survey, error)
	// Window fits every method to one window and tests it.
	Window(OfSurvey) (Window, error)
	// Tune fits every method with all its candidates to one of the windows to tune on.
	Tune(OfSurvey) (Tuned, error)
	// Choose returns the settings with the candidates whose sums of squares over all
	// windows to tune on are least.
	Choose(Choose) (Query, error)
	// Fix tries positions in one of the survey's windows for them.
	Fix(OfSurvey) (Fix, error)
	// Scene returns the map of one instant.
	Scene(Instant) (Scene, error)
	// Write returns one of the survey's days as a file.
	Write(Day) (ModelFile, error)
}

// OnSky is the experiment's settings and its file.
type OnSky struct {
	Query string
	Sky   int // the handle; 0 for the simulator
}

// OfSurvey names one window of a survey.
type OfSurvey struct {
	Survey int // the handle
	Window int // from 0
}

// Choose has the sums over all windows to tune on.
type Choose struct {
	Survey int       // the handle
	Sums   []float64 // of squares, for each candidate of each method, as in Tuned
}

// Instant is an instant of a survey, and the grid to draw it on.
type Instant struct {
	Survey  int // the handle
	Day     int // from 0
	Second  int
	Rows    int
	Columns int
	Whole   bool // all that signals reach, not the net alone
}

// Day names a day of a survey, and the kind of file to write.
type Day struct {
	Survey int // the handle
	Day    int // from 0
	What   SkyKind
}

// SkyKind is the content of a file: maps, as IONEX, or pierce points, as CSV.
type SkyKind string

// The kinds.
const (
	Maps   SkyKind = "maps"
	Points SkyKind = "points"
)

// Sky describes a file for the ionosphere experiment.
type Sky struct {
	Sky       int // the handle
	Name      string
	Kind      SkyKind
	Bytes     int64
	Simulated bool        // the simulator has written it
	Days      []string    // such as "2010-12-04"
	Facts     [][2]string // to show: what, and what was found; maps, grid, height, stations, satellites, unit
	Bad       []Place     // lines that could not be used, the first 100
	BadCount  int
	Notices   []string // what was assumed
}

// Survey is the ionosphere experiment under some settings, ready to be run window by window.
type Survey struct {
	Survey    int // the handle
	Kind      SurveyKind
	Stations  []string
	Latitude  []float64 // of the stations, degrees; for a table what follows from its pierce points
	Longitude []float64
	Test      int      // the station that no method learns from
	Edges     []int    // pairs of stations, one after the other
	Methods   []string // as in the query, in the order of Table 1
	Days      []string
	Day       []int // of each window, in the order in which they count
	Minute    []int
	Station   []int // that is left out in each window
	Tunings   int   // windows to tune on; 0 unless the settings ask for it
	FixDay    []int // of each window in which positions are tried
	FixMinute []int
	Notices   []string
}

// SurveyKind is where a survey's delays come from.
type SurveyKind string

// The kinds.
const (
	Simulated SurveyKind = "simulated"
	OfMaps    SurveyKind = "maps"
	Disturbed SurveyKind = "disturbed"
	OfPoints  SurveyKind = "points"
)

// Window is the result of one window. Sums of squares are in m², over the double
// differences of the test station.
type Window struct {
	Satellites  int
	Train       int       // double differences
	Test        int       // double differences; 0 if the window cannot be used
	Zero        float64   // sum of squares of the double differences themselves
	Squares     []float64 // of the errors, one a method; none if the window cannot be used
	BandTest    []int     // double differences in each band of elevations, low to high
	BandSquares []float64 // of the errors: for each band, one a method; none if the window cannot be used
	Unusable    string    // why the window cannot be used, as a sentence; "" if it can
}

// Tuned has the errors of all candidates in one window to tune on.
type Tuned = vtec.Tuned

// Fix has the positions of the test station that were computed in one window.
type Fix = vtec.Fix

// Scene is the sky above the net at one instant. A grid is row-major, its rows from south
// to north.
type Scene struct {
	Latitude       []float64 // of the grid's rows
	Longitude      []float64 // of its columns
	TEC            []float64 // TECU; NaN if the source does not know it
	Bend           []float64 // the same less the plane through a square as large as the net around each place, TECU
	Satellites     []string  // in use
	Satellite      []int     // of each pierce point: an index into satellites
	Station        []int     // of each pierce point
	PointLatitude  []float64
	PointLongitude []float64
	Delay          []float64 // vertical, metres
	Unusable       string    // why there are no points
}
