package vtec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/vtec/position"
	"ifmlab/core/vtec/sky"
)

// slantWindow is a window of the simulator as positions are fixed with.
func slantWindow(t *testing.T, day, minute int) (*sky.Network, *sky.Snapshot, *Window) {
	t.Helper()
	s := must(sky.NewSimulator(sky.Config{Seed: 1, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}))
	snapshot := must(forFixes(s).Snapshot(day, minute))
	snapshot = slant(snapshot)
	net := s.Network()
	w := must(NewWindow(&net, &snapshot))
	return &net, &snapshot, w
}

// Predictions to try: the truth, with an error of what size gives for a method and
// a difference of Test.
func (w *Window) off(size func(m Method, j int) float64) func(dst []float64, m Method) error {
	return func(dst []float64, m Method) error {
		for j := range dst {
			dst[j] = w.truth(j) + size(m, j)
		}
		return nil
	}
}

func mustFix(t *testing.T, w *Window, net *sky.Network, methods []Method, predict func(dst []float64, m Method) error) Fix {
	t.Helper()
	f := must(w.fix(net, methods, new(Settings).believed, predict, rand.New(rand.NewPCG(1, 4))))
	require.Zero(t, f.Unfinished)
	return f
}

func TestPositionsAreFixedWithBothSystemsAndNothingElseChanges(t *testing.T) {
	one := must(sky.NewSimulator(sky.Config{Seed: 1, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}))
	two := forFixes(one)
	assert.Same(t, two, forFixes(two), "it has both")
	a := must(one.Snapshot(2, 600))
	b := must(two.Snapshot(2, 600))
	assert.Greater(t, len(b.Satellites), len(a.Satellites)+3)
	stations := len(one.Network().Stations)
	for i, name := range a.Satellites {
		k := slices.Index(b.Satellites, name)
		require.GreaterOrEqual(t, k, 0, name)
		assert.Equal(t, a.Points[i*stations:(i+1)*stations], b.Points[k*stations:(k+1)*stations], "to the bit, noise included")
	}
}

func TestASlantDelayIsTheVerticalOneOverTheCosineOfItsZenithAngle(t *testing.T) {
	s := sky.Snapshot{Satellites: []string{"G01"}, Points: []sky.Point{{Zenith: math.Pi / 3, Delay: 2, Clean: 3}, {Delay: 4, Clean: math.NaN()}}}
	slant := slant(s)
	assert.InDelta(t, 4, slant.Points[0].Delay, 1e-14)
	assert.InDelta(t, 6, slant.Points[0].Clean, 1e-14)
	assert.Equal(t, 4.0, slant.Points[1].Delay)
	assert.Equal(t, 2.0, s.Points[0].Delay, "the snapshot itself stays")
}

func TestTheTruthIsWithoutNoiseOrElseWhatWasObserved(t *testing.T) {
	_, snapshot, w := slantWindow(t, 0, 0)
	at := func(p int32) float64 { return w.points[p].Clean }
	for j, d := range w.Test {
		p := d.Points
		assert.InDelta(t, at(p[0])-at(p[1])-at(p[2])+at(p[3]), w.truth(j), 1e-12)
		assert.NotEqual(t, w.YTest[j], w.truth(j))
	}
	for i := range snapshot.Points {
		snapshot.Points[i].Clean = math.NaN()
	}
	for j := range w.Test {
		assert.Equal(t, w.YTest[j], w.truth(j))
	}
}

func TestMethodsThatPredictTheSameFixTheSamePositions(t *testing.T) {
	net, _, w := slantWindow(t, 1, 840)
	for j := range w.YTest {
		w.YTest[j] += float64(j) // what was observed is not asked where the truth is known
	}
	// LASSO and the elastic net err alike, Ridge not at all, Kernel by metres.
	f := mustFix(t, w, net, []Method{LASSO, Ridge, ElasticNet, Kernel}, w.off(func(m Method, j int) float64 {
		return map[Method]float64{Ridge: 0, Kernel: 5}[m] + map[Method]float64{LASSO: .02, ElasticNet: .02}[m]*math.Sin(float64(j*j))
	}))
	assert.Equal(t, 20*6, f.Tried, "twenty times from each of six neighbours")
	assert.Equal(t, w.M, f.Satellites)
	assert.Equal(t, f.Fixed[0], f.Fixed[2])
	assert.Greater(t, f.Fixed[1], f.Fixed[0])
	assert.Greater(t, f.Fixed[0], int32(0))
	assert.LessOrEqual(t, f.Fixed[3], int32(2))
	assert.Equal(t, f.Fixed[1], f.Perfect, "Ridge is told the truth here")
	require.NotZero(t, w.Reference)
	var directions []position.Direction
	for i := range w.M {
		at := &w.points[i*w.stations+w.test]
		directions = append(directions, position.Direction{Azimuth: at.Azimuth, Elevation: at.Elevation})
	}
	b, right, noise := must(position.NewBaseline(directions, w.Reference, commonError)), int32(0), rand.New(rand.NewPCG(1, 4))
	for range f.Tried {
		if success, _ := b.Try(b.Noise(b.Draw(noise)), b.Delays(make([]float64, w.M-1))); success {
			right++
		}
	}
	assert.Equal(t, right, f.Perfect, "by hand, against the window's reference")
	zero := mustFix(t, w, net, []Method{Ridge}, w.off(func(_ Method, j int) float64 { return -w.truth(j) }))
	assert.Equal(t, zero.Fixed[0], f.None, "no correction is to predict 0")
	assert.Less(t, f.None, f.Perfect)
	alone := mustFix(t, w, net, []Method{ElasticNet}, w.off(func(m Method, j int) float64 { return .02 * math.Sin(float64(j*j)) }))
	assert.Equal(t, f.Fixed[2:3], alone.Fixed, "whichever other methods are tried")
}

func TestAnAttemptSuffersFromTheErrorsOnItsOwnWay(t *testing.T) {
	net, _, w := slantWindow(t, 3, 300)
	all := mustFix(t, w, net, []Method{Ridge}, w.off(func(Method, int) float64 { return 0 })).Fixed[0]
	require.Greater(t, all, int32(60), "otherwise there is little to spoil")
	var edges []int32
	for _, d := range w.Test {
		if !slices.Contains(edges, d.Edge) {
			edges = append(edges, d.Edge)
		}
	}
	lost := int32(0)
	for _, edge := range edges {
		spoilt := mustFix(t, w, net, []Method{Ridge}, w.off(func(_ Method, j int) float64 {
			if w.Test[j].Edge == edge && w.Test[j].Satellite%2 == 0 {
				return 1.5
			}
			return 0
		})).Fixed[0]
		assert.Less(t, spoilt, all)
		lost += all - spoilt
	}
	assert.Equal(t, all, lost)
}

func TestPositionsDoNotDependOnTheOrderOfTheStations(t *testing.T) {
	net, snapshot, w := slantWindow(t, 4, 720)
	last := len(net.Stations) - 1
	back := sky.Network{Stations: slices.Clone(net.Stations), Test: last - net.Test}
	slices.Reverse(back.Stations)
	for _, e := range net.Edges {
		back.Edges = append(back.Edges, [2]int{last - e[1], last - e[0]})
	}
	turned := sky.Snapshot{Satellites: snapshot.Satellites, Points: slices.Clone(snapshot.Points)}
	for first := 0; first < len(turned.Points); first += last + 1 {
		slices.Reverse(turned.Points[first : first+last+1])
	}
	v := must(NewWindow(&back, &turned))
	methods := []Method{Ridge, LASSO, ElasticNet}
	size := func(m Method, j int) float64 { return .015 * float64(m) * math.Cos(float64(j*j)) }
	f := mustFix(t, w, net, methods, w.off(size))
	g := mustFix(t, v, &back, methods, v.off(func(m Method, j int) float64 { return -size(m, j) }))
	assert.Equal(t, f, g)
	assert.Greater(t, f.Fixed[0], f.Fixed[2])
	assert.Greater(t, f.Fixed[2], int32(0))
}

func TestTheRowAboutPositionsCountsAttemptsAndSaysHowSureItIs(t *testing.T) {
	row := TabulateFixes(3, []Fix{
		{Tried: 100, Fixed: []int32{50, 60, 50}},
		{Unusable: "why"},
		{Tried: 100, Fixed: []int32{70, 80, 30}},
	})
	assert.Equal(t, 2, row.Windows)
	assert.Equal(t, 200, row.Tried)
	assert.InDeltaSlice(t, []float64{60, 70, 40}, row.Percent, 1e-12)
	// Of 50 and 70 the mean has a standard error of √(2·10²/(2·1)) = 10.
	assert.InDeltaSlice(t, []float64{10, 10, 10}, row.Error, 1e-12)
	assert.InDeltaSlice(t, []float64{0, 0, 20}, row.Lead, 1e-12)
	row = TabulateFixes(1, []Fix{{Tried: 100, Fixed: []int32{10}}, {Tried: 300, Fixed: []int32{90}}})
	assert.InDelta(t, 25, row.Percent[0], 1e-12, "every attempt counts, not every window")
	for _, none := range [][]Fix{nil, {{Unusable: "why"}}} {
		row = TabulateFixes(2, none)
		assert.True(t, math.IsNaN(row.Percent[1]) && math.IsNaN(row.Error[1]) && math.IsNaN(row.Lead[1]))
	}
}

func TestAMethodThatIsBelievedLessDoesLessHarm(t *testing.T) {
	net, _, w := slantWindow(t, 1, 840)
	tried := func(believed func(m Method) float64, size float64) Fix {
		return must(w.fix(net, []Method{Ridge, IFM}, believed, w.off(func(_ Method, j int) float64 { return size * math.Sin(float64(j*j)) }), rand.New(rand.NewPCG(1, 4))))
	}
	all := tried(new(Settings).believed, .03)
	assert.Equal(t, all.Fixed[0], all.Fixed[1], "alike")
	one := tried(func(m Method) float64 { return map[Method]float64{Ridge: commonError, IFM: .05}[m] }, .03)
	assert.Equal(t, all.Fixed[0], one.Fixed[0], "noise and what is believed of another method change nothing")
	assert.Equal(t, []int32{all.None, all.Perfect}, []int32{one.None, one.Perfect})
	assert.Greater(t, one.Fixed[1], all.Fixed[1])
}

// The numbers in own are those of four seeds; two windows a day of one are enough to
// see that they are in metres of slant delays, and of which method: they vary by a
// third, most from seed to seed.
func TestMethodsAreBelievedAsFarAsTheyWereRightBefore(t *testing.T) {
	seeds, stride, tolerance := uint64(4), 240, .005 // own has three digits
	if testing.Short() {
		seeds, stride, tolerance = 1, 720, .4
	}
	tuning := Tuning{Ridge: {Penalty: 1e-6}, LASSO: {Penalty: 1e-6}, ElasticNet: {Penalty: 1e-6, Shape: .9}, Kernel: {Penalty: 1e-6, Shape: 1e-4}, FM: {Rank: 9, Penalty: .1, Linear: 1e-6}, IFM: {Rank: 3, Penalty: 1e-5, Linear: 1e-6}, GFM: {Rank: 6, Penalty: 1e-5, Linear: 1e-6}, Kriging: {Shape: 1000, Penalty: .01}}
	var squares [Methods]float64
	n := 0
	for seed := uint64(1); seed <= seeds; seed++ {
		s := must(sky.NewSimulator(sky.Config{Seed: seed, Systems: 2, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}))
		before := s.TuningDays()
		net := before.Network()
		for _, at := range sky.Every(stride, before.Days()) {
			snapshot := must(before.Snapshot(at.Day, at.Minute))
			snapshot = slant(snapshot)
			w := must(NewWindow(&net, &snapshot))
			w.slant = true
			dst := make([]float64, len(w.Test))
			for m := range Methods {
				require.NoError(t, w.Predict(dst, m, tuning[m], random(at, seed, forStarts)))
				for j := range dst {
					squares[m] += (dst[j] - w.truth(j)) * (dst[j] - w.truth(j))
				}
			}
			n += len(w.Test)
		}
	}
	for m := range Methods {
		assert.InEpsilon(t, ownErrors[m], math.Sqrt(squares[m]/float64(n)), tolerance, m.String())
	}
}

func TestAWindowWhoseSatellitesLeaveThePositionOpenSaysSo(t *testing.T) {
	net, _, w := slantWindow(t, 0, 0)
	endless := w.off(func(Method, int) float64 { return 1e300 })
	f := must(w.fix(net, []Method{Ridge}, new(Settings).believed, endless, rand.New(rand.NewPCG(1, 4))))
	assert.Equal(t, [2]int{f.Tried, 0}, [2]int{int(f.Unfinished), int(f.Fixed[0])}, "such a number has no nearest integer")
	for i := range w.points {
		w.points[i].Azimuth, w.points[i].Elevation = 1, .5
	}
	_, err := w.fix(net, []Method{Ridge}, new(Settings).believed, w.off(func(Method, int) float64 { return 0 }), rand.New(rand.NewPCG(1, 4)))
	var cannot *sky.UnusableError
	require.ErrorAs(t, err, &cannot)
	assert.Contains(t, cannot.Reason, "13 satellites")
}

func TestAnExperimentFixesPositionsWithMoreSatellitesThanItsWindowsHave(t *testing.T) {
	s := must(sky.NewSimulator(sky.Config{Seed: 2, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}))
	methods := []Method{Ridge, LASSO}
	e := must(NewExperiment(s, Settings{Seed: 2, Stride: 720, Fixes: 720, Days: 1, Methods: methods, Tuning: Tuning{Ridge: {Penalty: .01}, LASSO: {Penalty: 1}}, Fixing: Tuning{Ridge: {Penalty: .01}, LASSO: {Penalty: 1}}}))
	for i, at := range e.Fixes() {
		window := must(e.Window(i))
		f := must(e.Fix(i))
		assert.Greater(t, f.Satellites, window.Satellites+3)
		assert.Greater(t, f.Fixed[0], f.Fixed[1], "a penalty of 1 leaves LASSO nothing but 0 to predict")

		// By hand, from the same noise.
		snapshot := must(forFixes(s).Snapshot(at.Day, at.Minute))
		snapshot = slant(snapshot)
		net := s.Network()
		w := must(NewWindow(&net, &snapshot))
		predicted := make([]float64, len(w.Test))
		require.NoError(t, w.Predict(predicted, Ridge, Parameters{Penalty: .01}, nil))
		g := must(w.fix(&net, []Method{Ridge}, new(Settings).believed, func(dst []float64, _ Method) error { copy(dst, predicted); return nil }, random(at, 2, forNoise)))
		assert.Equal(t, g.Fixed[0], f.Fixed[0])
	}
}
