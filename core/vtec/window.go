package vtec

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/message"
	"ifmlab/core/vtec/sky"
)

// mostSatellites bounds the satellites of a window. All systems together have some fifty
// above 15° at once. FM and iFM take ten seconds for 100, and minutes for a thousand.
const mostSatellites = 100

// mostDifferences bounds the training differences. For 4000, kernel ridge takes twenty
// seconds and 128 MB in a browser. Forty stations, joined to their neighbours, have that
// many of 35 satellites. The paper's net has 430 of two systems.
const mostDifferences = 4000

// Difference is a double difference of two satellites at two stations,
//
//	y = v₀ − v₁ − v₂ + v₃
//
// of the values v at four points: of the satellite at the first and the second station of
// an edge, then of the reference at the same two.
type Difference struct {
	Points    [4]int32
	Edge      int32 // of the Network
	Satellite int32 // of the Snapshot
}

// Window is a snapshot prepared for fits. All its matrices are row-major. Only one goroutine
// may use it at a time.
type Window struct {
	M, D      int          // clusters, one a satellite, and columns: D = 2M+8
	X         []float64    // len(points)×D: encodings
	Cluster   []int32      // g of each point; columns 2g, 2g+1 and 2M to 2M+7 may differ from 0
	Train     []Difference // on edges between training stations
	Test      []Difference // on edges to the test station
	Reference int          // the reference satellite, with the highest mean elevation
	Z, ZTest  []float64    // len(Train)×D and len(Test)×D: double differences of encodings
	Y, YTest  []float64    // double differences of observed delays, metres

	points          []sky.Point
	stations        int
	edges           [][2]int         // of the network
	normalEquations *normalEquations // nil until used
	test            int              // station
	slant           bool             // delays are along the signals
	delayValues     []float64
	reduction       *reduction
}

// NewWindow encodes a snapshot and takes its double differences: for each satellite except
// the reference, along the edges in the order of the network. Edges to the test station
// are for testing, the others for training. A satellite that a training station does not
// see is left out. One that the test station does not see is used for training only.
//
// It returns a [*sky.UnusableError], without a day, if
//   - fewer than four or more than 100 satellites are in view,
//   - the test station sees fewer than two of them,
//   - a number of a pierce point is not finite,
//   - no edge remains for training or for testing,
//   - there are more than 4000 training differences.
//
// It costs O(points·M + differences·D).
func NewWindow(net *sky.Network, s *sky.Snapshot) (*Window, error) {
	return newWindow(net, s, false)
}

// NewBlindWindow is NewWindow with all columns of angles 0. So methods that use encodings
// learn from places only.
func NewBlindWindow(net *sky.Network, s *sky.Snapshot) (*Window, error) {
	return newWindow(net, s, true)
}

func newWindow(net *sky.Network, s *sky.Snapshot, blind bool) (*Window, error) {
	s = complete(net, s)
	w := &Window{M: len(s.Satellites), D: 2*len(s.Satellites) + angles, points: s.Points, stations: len(net.Stations), edges: net.Edges, test: net.Test}
	if w.M < sky.FewestSatellites {
		return nil, unusable("satellites in view of every station: %d, expected at least %d", w.M, sky.FewestSatellites)
	}
	if w.M > mostSatellites {
		return nil, unusable("satellites in view of every station: %d, expected at most %d. Leave some out, or check that each satellite keeps the same name", w.M, mostSatellites)
	}
	training, testing := 0, 0
	for _, e := range net.Edges {
		if e[0] == net.Test || e[1] == net.Test {
			testing++
		} else {
			training++
		}
	}
	if training == 0 {
		return nil, unusable("no two training stations are joined, so there is nothing to learn from. Join stations that are further apart")
	}
	if testing == 0 {
		return nil, unusable("no training station is joined to the test station %s, so there is nothing to test on. Join stations that are further apart", net.Stations[net.Test].Name)
	}
	if n := training * (w.M - 1); n > mostDifferences {
		return nil, unusable("%d pairs of training stations see %d satellites: %d differences, expected at most %d. Join only stations that are closer to each other", training, w.M, n, mostDifferences)
	}
	highest, seen := math.Inf(-1), 0 // by the test station
	for i := range w.M {
		sum := 0.0
		for k, p := range s.Points[i*w.stations:][:w.stations] {
			for _, v := range [...]float64{p.Lat, p.Lon, p.Zenith, p.Azimuth, p.Elevation, p.Delay} {
				if v-v != 0 {
					return nil, unusable("satellite %s at station %s has a coordinate, an angle or a TEC of %g, expected finite numbers", s.Satellites[i], net.Stations[k].Name, v)
				}
			}
			sum += p.Elevation
		}
		if w.seenByTest(i) {
			if seen++; sum > highest {
				highest, w.Reference = sum, i
			}
		}
	}
	if seen < 2 {
		return nil, unusable("satellites in view of the test station %s: %d, expected at least 2", net.Stations[net.Test].Name, seen)
	}
	w.encode(blind)
	w.Train = make([]Difference, 0, training*(w.M-1))
	w.Test = make([]Difference, 0, testing*(w.M-1))
	for i := range w.M {
		if i == w.Reference {
			continue
		}
		for k, e := range net.Edges {
			at, reference := i*w.stations, w.Reference*w.stations
			d := Difference{
				Points:    [4]int32{int32(at + e[0]), int32(at + e[1]), int32(reference + e[0]), int32(reference + e[1])},
				Edge:      int32(k),
				Satellite: int32(i),
			}
			switch {
			case e[0] != net.Test && e[1] != net.Test:
				w.Train = append(w.Train, d)
			case w.seenByTest(i):
				w.Test = append(w.Test, d)
			}
		}
	}
	w.Z, w.Y = w.difference(w.Train)
	w.ZTest, w.YTest = w.difference(w.Test)
	return w, nil
}

// complete returns the snapshot without satellites that some training station does not
// see. If there are none, it returns s itself.
func complete(net *sky.Network, s *sky.Snapshot) *sky.Snapshot {
	n := len(net.Stations)
	unseen := func(i int) bool {
		for k, p := range s.Points[i*n:][:n] {
			if p.Unseen && k != net.Test {
				return true
			}
		}
		return false
	}
	var kept sky.Snapshot
	for i, name := range s.Satellites {
		if !unseen(i) {
			kept.Satellites = append(kept.Satellites, name)
			kept.Points = append(kept.Points, s.Points[i*n:][:n]...)
		}
	}
	if len(kept.Satellites) == len(s.Satellites) {
		return s
	}
	return &kept
}

// seenByTest reports whether the test station sees a satellite.
func (w *Window) seenByTest(satellite int) bool { return !w.points[satellite*w.stations+w.test].Unseen }

func unusable(format string, args ...any) *sky.UnusableError {
	return &sky.UnusableError{Reason: message.Sprintf(format, args...)}
}

// Predict fits a method to the training differences and sets dst to the predicted test
// differences, metres. FM, iFM and gFM draw their starts from rng.
//
// It returns an [*invalid.NotFiniteError], or for invalid parameters a [*TuningError],
// [*linear.PenaltyError], [*linear.RatioError], [*linear.GammaError],
// [*linear.SingularKernelError] or [*linear.UnsettledError].
func (w *Window) Predict(dst []float64, m Method, p Parameters, rng *rand.Rand) error {
	switch m {
	case Ridge, LASSO, ElasticNet:
		clear(w.normals().weights)
		return w.net(dst, m, p)
	case Kernel:
		return w.kernelRidge(dst, p.Penalty, p.Shape)
	case FM, IFM, GFM:
		return w.factors(dst, m, p, rng)
	default:
		return w.kriging(dst, p.Shape, p.Penalty)
	}
}

// signs are the signs of the four points of a double difference.
var signs = [4]float64{1, -1, -1, 1}

// difference returns the double differences of encodings and of observed delays.
func (w *Window) difference(of []Difference) (z, y []float64) {
	z, y = make([]float64, len(of)*w.D), make([]float64, len(of))
	for i, d := range of {
		row := z[i*w.D:][:w.D]
		for k, p := range d.Points {
			x := w.X[int(p)*w.D:][:w.D]
			for j := range width {
				c := w.column(int(p), j)
				row[c] += signs[k] * x[c]
			}
			y[i] += signs[k] * w.points[p].Delay
		}
	}
	return z, y
}
