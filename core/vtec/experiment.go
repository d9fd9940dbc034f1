package vtec

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"ifmlab/core/message"
	"ifmlab/core/vtec/sky"
)

// purpose is what random numbers of a window are for. Each has a stream of its own,
// which is the same for every method.
type purpose uint64

const (
	forStarts purpose = iota // of FM and iFM
	forNoise                 // of code and phase
)

// random returns the random numbers of a window for a purpose.
func random(at sky.Instant, seed uint64, p purpose) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(at.Day)<<32|uint64(at.Minute)<<16|uint64(p)))
}

// Experiment fits every method to every window and tests it there. Its methods
// change nothing in it and may be called by any number of goroutines at once; what
// they return depends on nothing but the source, the settings and i.
type Experiment struct {
	source   sky.Source
	forFixes sky.Source
	network  sky.Network
	settings Settings
	days     []sky.Day
	windows  []sky.Instant
	stations []int // those that are left out in turn
	fixes    []sky.Instant
	tuning   sky.Source
	tunings  []sky.Instant
}

// Result is what one window says.
type Result struct {
	Satellites  int
	Train, Test int       // differences
	Zero        float64   // Σ y² over those of the test, m²: what it costs to predict 0
	Squares     []float64 // Σ (y − ŷ)², m², a method each
	Bands       [Elevations]Band
	Unusable    string // why the window cannot be used, as a sentence; "" where it can
}

// SettingError says which of the Settings no experiment can have.
type SettingError struct{ Message string }

func (e *SettingError) Error() string { return "vtec: " + e.Message }

func (*SettingError) Kind() string { return "SettingError" }

// NewExperiment returns the experiment on a source. It returns a [*SettingError]
// without methods or where the days hold no window.
func NewExperiment(source sky.Source, s Settings) (*Experiment, error) {
	if len(s.Methods) == 0 {
		return nil, &SettingError{"no method is chosen, want at least one"}
	}
	if s.Stride < 1 || s.Fixes < 0 {
		return nil, &SettingError{message.Sprintf("windows are %d minutes apart and fixes %d, want at least 1 and 0", s.Stride, s.Fixes)}
	}
	e := &Experiment{source: source, forFixes: forFixes(source), network: source.Network(), settings: s, days: source.Days()}
	e.days = e.days[:max(0, min(len(e.days), s.Days))]
	e.stations = []int{e.network.Test}
	if s.All {
		e.stations = leftOut(&e.network)
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
			return nil, &SettingError{message.Sprintf("%d windows leave no first part to tune on, want three at least; take one more often", all)}
		}
	}
	for _, at := range minutes {
		for range e.stations {
			e.windows = append(e.windows, at)
		}
	}
	if len(e.stations) == 0 {
		return nil, &SettingError{"no station can be left out: want two edges at least that do not share it"}
	}
	if len(e.windows) == 0 {
		return nil, &SettingError{message.Sprintf("%d days hold no minute with pierce points, want at least one", len(e.days))}
	}
	return e, nil
}

// part sets what the methods are tuned on, and returns what they are tested on.
func (e *Experiment) part(minutes []sky.Instant) []sky.Instant {
	e.tuning = e.settings.Before
	if e.tuning != nil {
		e.tunings = thin(sky.Every(e.settings.Stride, e.tuning.Days()), mostTunings)
		return minutes
	}
	first, rest := firstPart(minutes, len(e.days))
	e.tuning, e.tunings = e.source, thin(first, mostTunings)
	if len(rest) > 0 {
		from := rest[0]
		e.fixes = slices.DeleteFunc(e.fixes, func(at sky.Instant) bool { return at.Day < from.Day || at.Day == from.Day && at.Minute < from.Minute })
	}
	return rest
}

// leftOut returns the stations that can be left out: joined to another, and not an end
// of every edge.
func leftOut(net *sky.Network) (stations []int) {
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

// Windows returns when the windows are, in the order of days and minutes. Those of
// any stride are among those of stride 1. Where every station is left out in turn
// there are as many windows of a minute, one after the other.
func (e *Experiment) Windows() []sky.Instant { return e.windows }

// Stations returns which stations are left out in turn, in the order of a minute's
// windows.
func (e *Experiment) Stations() []int { return e.stations }

// Station returns which station is left out in the i-th of Windows.
func (e *Experiment) Station(i int) int { return e.stations[i%len(e.stations)] }

// Fixes returns when positions are tried, likewise.
func (e *Experiment) Fixes() []sky.Instant { return e.fixes }

// Window fits every method to the i-th of Windows and tests it. A window that
// cannot be used, or that a method cannot be fitted to, is a Result that says why;
// Window returns the other errors of the source, which concern more than one
// window.
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

// window returns that of a snapshot, with the angles or without.
func (e *Experiment) window(net *sky.Network, s *sky.Snapshot) (*Window, error) {
	if e.settings.Blind {
		return NewBlindWindow(net, s)
	}
	return NewWindow(net, s)
}

// Fix tries to fix the position of the test station in the i-th of Fixes, as
// [Window.fix] does on delays along the signals. Its errors are those of Window.
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

// Table is the paper's Table 1, of as many windows as there are results.
type Table struct {
	Methods  []Method
	Days     []Row
	Average  Row // of the rows of days that have windows, as in the paper
	Groups   Groups
	Fixed    Fixed
	Unusable []*sky.UnusableError // windows, then fixes, that cannot be used, in their order
}

// Row is a line of it. Its root mean squares are over all test differences of all
// windows of a day, metres; NaN where there are none.
type Row struct {
	Day                            string
	Windows, Unusable, Differences int
	Zero                           float64   // of predicting 0
	RMSE                           []float64 // a method each
}

// Tabulate sums up results, one for each of Windows and Fixes or for the first of
// them, the zero Result and Fix standing for those that are not there yet. It adds
// in the order of Windows, and the average in that of days, so that any order of
// work gives the same bits. The page does the same in web/src/lesson/vtec/tally.ts, to the
// bit: testdata/tally.json is an example for both.
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
