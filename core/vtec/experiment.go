package vtec

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"ifmlab/core/message"
	"ifmlab/core/vtec/sky"
)

// purpose says what a window's random numbers are for. Each purpose has its own stream, the
// same for every method.
type purpose uint64

const (
	forStarts purpose = iota // of FM and iFM
	forNoise                 // of code and phase
)

// random returns the random numbers of a window for a purpose.
func random(at sky.Instant, seed uint64, p purpose) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(at.Day)<<32|uint64(at.Minute)<<16|uint64(p)))
}

// Experiment fits every method to every window and tests it there. Its methods do not change
// it, so any number of goroutines may call them. Their results depend only on the source,
// the settings and i.
type Experiment struct {
	source   sky.Source
	forFixes sky.Source
	network  sky.Network
	settings Settings
	days     []sky.Day
	windows  []sky.Instant
	stations []int // to leave out in turn
	fixes    []sky.Instant
	tuning   sky.Source
	tunings  []sky.Instant
}

// Result has the errors of the methods in one window.
type Result struct {
	Satellites  int
	Train, Test int       // differences
	Zero        float64   // Σ y² over the test differences, m², the error of predicting 0
	Squares     []float64 // Σ (y − ŷ)², m², of each method
	Bands       [Elevations]Band
	Unusable    string // why the window is of no use, as a sentence; or ""
}

// SettingError says which of the Settings is of no use.
type SettingError struct{ Message string }

func (e *SettingError) Error() string { return "vtec: " + e.Message }

func (*SettingError) Kind() string { return "SettingError" }

// NewExperiment returns the experiment on a source. It returns a [*SettingError] if there is
// no method or no window.
func NewExperiment(source sky.Source, s Settings) (*Experiment, error) {
	if len(s.Methods) == 0 {
		return nil, &SettingError{"no method is chosen. Choose at least one"}
	}
	if s.Stride < 1 || s.Fixes < 0 {
		return nil, &SettingError{message.Sprintf("windows are %d minutes apart and fixes %d, expected at least 1 and at least 0", s.Stride, s.Fixes)}
	}
	e := &Experiment{source: source, forFixes: forFixes(source), network: source.Network(), settings: s, days: source.Days()}
	e.days = e.days[:max(0, min(len(e.days), s.Days))]
	e.stations = []int{e.network.Test}
	if s.All {
		e.stations = testStations(&e.network)
	}
	minutes := sky.Every(s.Stride, e.days)
	if s.Fixes > 0 {
		e.fixes = sky.Every(s.Fixes, e.days)
	}
	if s.Own {
		all := len(minutes)
		if minutes = e.part(minutes); len(e.tunings) == 0 {
			if e.settings.Before != nil {
				return nil, &SettingError{message.Sprintf("the days before the test days have no window %d minutes apart to tune on; take one more often", s.Stride)}
			}
			return nil, &SettingError{message.Sprintf("%d windows are too few to set some aside for tuning, expected at least three. Shorten the time between windows", all)}
		}
	}
	for _, at := range minutes {
		for range e.stations {
			e.windows = append(e.windows, at)
		}
	}
	if len(e.stations) == 0 {
		return nil, &SettingError{"no station can be left out, expected at least two edges that do not share it"}
	}
	if len(e.windows) == 0 {
		return nil, &SettingError{message.Sprintf("%d days have no minute with pierce points, expected at least one", len(e.days))}
	}
	return e, nil
}

// part sets the instants for tuning and returns those for testing.
func (e *Experiment) part(minutes []sky.Instant) []sky.Instant {
	e.tuning = e.settings.Before
	if e.tuning != nil {
		e.tunings = evenlySpread(sky.Every(e.settings.Stride, e.tuning.Days()), mostTunings)
		return minutes
	}
	first, rest := splitForTuning(minutes, len(e.days))
	e.tuning, e.tunings = e.source, evenlySpread(first, mostTunings)
	if len(rest) > 0 {
		from := rest[0]
		e.fixes = slices.DeleteFunc(e.fixes, func(at sky.Instant) bool { return at.Day < from.Day || at.Day == from.Day && at.Minute < from.Minute })
	}
	return rest
}

// testStations returns the stations that can be left out. They are joined to another, and
// not part of every edge.
func testStations(net *sky.Network) (stations []int) {
	for i := range net.Stations {
		joined := 0
		for _, e := range net.Edges {
			if e[0] == i || e[1] == i {
				joined++
			}
		}
		if joined > 0 && joined < len(net.Edges) {
			stations = append(stations, i)
		}
	}
	return stations
}

// Windows returns the instants of the windows, in order. Those of any stride are among those
// of stride 1. If stations are left out in turn, each minute has a window for each, one
// after the other.
func (e *Experiment) Windows() []sky.Instant { return e.windows }

// Stations returns the stations that are left out in turn, in the order of a minute's
// windows.
func (e *Experiment) Stations() []int { return e.stations }

// Station returns the station that is left out in the i-th of Windows.
func (e *Experiment) Station(i int) int { return e.stations[i%len(e.stations)] }

// Fixes returns the instants at which positions are tried.
func (e *Experiment) Fixes() []sky.Instant { return e.fixes }

// Window fits every method to the i-th of Windows and tests it. If the window is of no use,
// or a method cannot be fitted to it, the Result says why. Window returns other errors of
// the source, which concern more than one window.
func (e *Experiment) Window(i int) (Result, error) {
	at := e.windows[i]
	s, err := e.source.Snapshot(at.Day, at.Minute)
	if err != nil {
		if u, ok := errors.AsType[*sky.UnusableError](err); ok {
			return Result{Unusable: u.Reason}, nil
		}
		return Result{}, err
	}
	net := e.network
	net.Test = e.Station(i)
	w, err := e.window(&net, &s)
	if err != nil {
		return Result{Satellites: len(s.Satellites), Unusable: reason(err)}, nil
	}
	r := Result{Satellites: w.M, Train: len(w.Train), Test: len(w.Test), Squares: make([]float64, len(e.settings.Methods))}
	dst := make([]float64, len(w.Test))
	for _, y := range w.YTest {
		r.Zero += float64(y * y)
	}
	for b := range r.Bands {
		r.Bands[b].Squares = make([]float64, len(e.settings.Methods))
	}
	for k := range w.Test {
		r.Bands[w.elevation(&w.Test[k])].Test++
	}
	for k, m := range e.settings.Methods {
		if err := w.Predict(dst, m, e.settings.Tuning[m], random(at, e.settings.Seed, forStarts)); err != nil {
			return Result{Satellites: w.M, Unusable: reason(err)}, nil
		}
		for i, y := range w.YTest {
			square := float64((y - dst[i]) * (y - dst[i]))
			r.Squares[k] += square
			r.Bands[w.elevation(&w.Test[i])].Squares[k] += square
		}
	}
	return r, nil
}

// window returns the window of a snapshot, with or without angles.
func (e *Experiment) window(net *sky.Network, s *sky.Snapshot) (*Window, error) {
	if e.settings.Blind {
		return NewBlindWindow(net, s)
	}
	return NewWindow(net, s)
}

// Fix tries to fix the position of the test station in the i-th of Fixes, by [Window.fix] on
// delays along the signals. Its errors are those of Window.
func (e *Experiment) Fix(i int) (Fix, error) {
	at := e.fixes[i]
	s, err := e.forFixes.Snapshot(at.Day, at.Minute)
	if err != nil {
		if u, ok := errors.AsType[*sky.UnusableError](err); ok {
			return Fix{Unusable: u.Reason}, nil
		}
		return Fix{}, err
	}
	s = slant(s)
	w, err := e.window(&e.network, &s)
	if err != nil {
		return Fix{Satellites: len(s.Satellites), Unusable: reason(err)}, nil
	}
	w.slant = true
	f, err := w.fix(&e.network, e.settings.Methods, e.settings.believed, func(dst []float64, m Method) error {
		return w.Predict(dst, m, e.settings.Fixing[m], random(at, e.settings.Seed, forStarts))
	}, random(at, e.settings.Seed, forNoise))
	if err != nil {
		return Fix{Satellites: w.M, Unusable: reason(err)}, nil
	}
	return f, nil
}

// reason returns the sentence of an error of one window.
func reason(err error) string {
	if u, ok := errors.AsType[*sky.UnusableError](err); ok {
		return u.Reason
	}
	return err.Error()
}

// Table is the paper's Table 1, over the windows that have results.
type Table struct {
	Methods  []Method
	Days     []Row
	Average  Row // over the days with windows, as in the paper
	Groups   Groups
	Fixed    Fixed
	Unusable []*sky.UnusableError // windows, then fixes, in order
}

// Row is a row of the table. Its root mean squares are over all test differences of a day,
// metres; NaN if there are none.
type Row struct {
	Day                            string
	Windows, Unusable, Differences int
	Zero                           float64   // of predicting 0
	RMSE                           []float64 // a method each
}

// Tabulate sums up results, one for each of Windows and Fixes or for the first of them. A
// zero Result or Fix stands for one that is not computed yet. It adds in the order of
// Windows, and averages in the order of days. So any order of work gives the same bits.
// web/src/lesson/vtec/tally.ts does the same, to the bit; testdata/tally.json is an
// example for both.
func (e *Experiment) Tabulate(results []Result, fixes []Fix) Table {
	methods := len(e.settings.Methods)
	t := Table{Methods: e.settings.Methods, Days: make([]Row, len(e.days))}
	for d := range t.Days {
		t.Days[d] = Row{Day: e.days[d].Name, RMSE: make([]float64, methods)}
	}
	for i, r := range results {
		at := e.windows[i]
		row := &t.Days[at.Day]
		switch {
		case r.Unusable != "":
			row.Unusable++
			t.Unusable = append(t.Unusable, &sky.UnusableError{Day: row.Day, Minute: at.Minute, Reason: r.Unusable})
		case r.Test > 0:
			row.Windows++
			row.Differences += r.Test
			row.Zero += r.Zero
			for k, s := range r.Squares {
				row.RMSE[k] += s
			}
		}
	}
	t.Average = Row{Day: "Average", RMSE: make([]float64, methods)}
	used := 0.0
	for d := range t.Days {
		row := &t.Days[d]
		t.Average.Windows += row.Windows
		t.Average.Unusable += row.Unusable
		t.Average.Differences += row.Differences
		n := float64(row.Differences)
		row.Zero = math.Sqrt(row.Zero / n)
		for k := range row.RMSE {
			row.RMSE[k] = math.Sqrt(row.RMSE[k] / n)
		}
		if row.Windows > 0 {
			used++
			t.Average.Zero += row.Zero
			for k, v := range row.RMSE {
				t.Average.RMSE[k] += v
			}
		}
	}
	t.Average.Zero /= used
	for k := range t.Average.RMSE {
		t.Average.RMSE[k] /= used
	}
	t.Groups = e.group(results)
	tried := make([]Fix, 0, len(fixes))
	for i, f := range fixes {
		if f.Unusable != "" {
			at := e.fixes[i]
			t.Unusable = append(t.Unusable, &sky.UnusableError{Day: e.days[at.Day].Name, Minute: at.Minute, Reason: f.Unusable})
		} else if f.Tried > 0 {
			tried = append(tried, f)
		}
	}
	t.Fixed = TabulateFixes(methods, tried)
	return t
}
