package vtec

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ifmlab/core/vtec/sky"
)

// fakeSource has three days, of which the second has few minutes, in which things
// go wrong.
type fakeSource struct {
	net  sky.Network
	fail error // of every snapshot of the third day
}

func newFakeSource() fakeSource { return fakeSource{net: fakeNet(9)} }

func (f fakeSource) Network() sky.Network { return f.net }

func (f fakeSource) Days() []sky.Day {
	full := make([]int, 1440)
	for i := range full {
		full[i] = i
	}
	return []sky.Day{{Name: "one", Minutes: full}, {Name: "two", Minutes: []int{7, 8, 67, 130, 131, 1439}}, {Name: "three", Minutes: full}}
}

func (f fakeSource) Snapshot(day, minute int) (sky.Snapshot, error) {
	satellites := 5
	if day == 1 && minute == 67 {
		return sky.Snapshot{}, &sky.UnusableError{Reason: "the maps have a hole"}
	}
	if day == 1 && minute == 130 {
		satellites = 3
	}
	if day == 2 && f.fail != nil {
		return sky.Snapshot{}, f.fail
	}
	s := fakeSnapshot(rand.New(rand.NewPCG(uint64(day), uint64(minute))), f.net, satellites)
	if day == 1 && minute == 1439 {
		for i := range s.Points {
			s.Points[i].Delay *= 1e160
		}
	}
	return s, nil
}

func (f fakeSource) TEC(day int, second float64, lats, lons []float64) []float64 {
	return new(sky.RecordingSource).TEC(day, second, lats, lons) // nothing is known
}

var fakeTuning = Tuning{Ridge: {Penalty: .01}, LASSO: {Penalty: 1e-5}, ElasticNet: {Penalty: 1e-5, Shape: .5}, Kernel: {Penalty: .01, Shape: .01}, FM: {Rank: 2, Penalty: .1, Linear: .01}, IFM: {Rank: 3, Penalty: .1, Linear: .01}}

func fakeExperiment(t testing.TB, source sky.Source, stride, fixes, days int, methods ...Method) *Experiment {
	t.Helper()
	return must(NewExperiment(source, Settings{Seed: 3, Stride: stride, Fixes: fixes, Days: days, Methods: methods, Tuning: fakeTuning, Fixing: fakeTuning}))
}

// all returns what the windows and fixes say, asked for in an order.
func (e *Experiment) all(t testing.TB, windows, fixes []int) ([]Result, []Fix) {
	t.Helper()
	r, f := make([]Result, len(e.windows)), make([]Fix, len(e.fixes))
	for _, i := range windows {
		r[i] = must(e.Window(i))
	}
	for _, i := range fixes {
		f[i] = must(e.Fix(i))
	}
	return r, f
}

func ordered(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func TestAWindowIsTheFirstMinuteOfEachStride(t *testing.T) {
	e := fakeExperiment(t, newFakeSource(), 60, 720, 2, Ridge)
	want := []sky.Instant{}
	for hour := range 24 {
		want = append(want, sky.Instant{Day: 0, Minute: 60 * hour})
	}
	want = append(want, sky.Instant{Day: 1, Minute: 7}, sky.Instant{Day: 1, Minute: 67}, sky.Instant{Day: 1, Minute: 130}, sky.Instant{Day: 1, Minute: 1439})
	assert.Equal(t, want, e.Windows())
	assert.Equal(t, []sky.Instant{{Day: 0, Minute: 0}, {Day: 0, Minute: 720}, {Day: 1, Minute: 7}, {Day: 1, Minute: 1439}}, e.Fixes())
	assert.Empty(t, fakeExperiment(t, newFakeSource(), 60, 0, 2, Ridge).Fixes())
}

func TestTheOrderOfWindowsChangesNoBit(t *testing.T) {
	e := fakeExperiment(t, newFakeSource(), 240, 480, 3, Ridge, LASSO, ElasticNet, Kernel, FM, IFM)
	windows, fixes := ordered(len(e.Windows())), ordered(len(e.Fixes()))
	results, tried := e.all(t, windows, fixes)
	want := e.Tabulate(results, tried)
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(windows), func(i, j int) { windows[i], windows[j] = windows[j], windows[i] })
	rng.Shuffle(len(fixes), func(i, j int) { fixes[i], fixes[j] = fixes[j], fixes[i] })
	again := fakeExperiment(t, newFakeSource(), 240, 480, 3, Ridge, LASSO, ElasticNet, Kernel, FM, IFM)
	shuffled, triedToo := again.all(t, windows, fixes)
	assert.Equal(t, results, shuffled)
	assert.Equal(t, tried, triedToo)
	assert.Equal(t, want, again.Tabulate(shuffled, triedToo))
}

func TestWindowsThatCannotBeUsedAreListedWithDayMinuteAndReason(t *testing.T) {
	e := fakeExperiment(t, newFakeSource(), 60, 60, 2, Ridge, IFM)
	results, fixes := e.all(t, []int{0, 24, 25, 26, 27}, []int{24, 25})
	table := e.Tabulate(results, fixes)
	assert.Equal(t, []*sky.UnusableError{
		{Day: "two", Minute: 67, Reason: "the maps have a hole"},
		{Day: "two", Minute: 130, Reason: "satellites in view of every station: 3, expected at least 4"},
		{Day: "two", Minute: 1439, Reason: "vtec: ifm predicts NaN or ±Inf, expected delays below 1e100 m"},
		{Day: "two", Minute: 67, Reason: "the maps have a hole"},
	}, table.Unusable)
	assert.Equal(t, []int{1, 3, 1, 0}, []int{table.Days[1].Windows, table.Days[1].Unusable, table.Days[0].Windows, table.Days[0].Unusable}, "the others are not there yet")
	assert.Equal(t, 1, table.Fixed.Windows)
	// All of a day's windows unusable: no number, and the average is of the others.
	table = e.Tabulate(append(make([]Result, 25), results[25:]...), nil)
	assert.True(t, math.IsNaN(table.Days[1].RMSE[0]))
	assert.True(t, math.IsNaN(table.Average.RMSE[0]))
	table = e.Tabulate(append(append([]Result{}, results[0]), make([]Result, 27)...), nil)
	assert.Equal(t, table.Days[0].RMSE, table.Average.RMSE)
}

func TestAnErrorOfTheWholeSourceIsNoResult(t *testing.T) {
	source := newFakeSource()
	source.fail = errors.New("the disk is gone")
	e := fakeExperiment(t, source, 720, 720, 3, Ridge)
	_, err := e.Window(len(e.Windows()) - 1)
	assert.Equal(t, source.fail, err)
	_, err = e.Fix(len(e.Fixes()) - 1)
	assert.Equal(t, source.fail, err)
}

func TestAnExperimentWithoutMethodsOrWindowsIsRefused(t *testing.T) {
	for message, s := range map[string]Settings{
		"vtec: no method is chosen. Choose at least one":                                    {Stride: 1, Days: 1},
		"vtec: windows are 0 minutes apart and fixes 0, expected at least 1 and at least 0": {Days: 1, Methods: []Method{Ridge}},
		"vtec: 0 days have no minute with pierce points, expected at least one":             {Stride: 1, Methods: []Method{Ridge}},
	} {
		_, err := NewExperiment(newFakeSource(), s)
		require.ErrorAs(t, err, new(*SettingError))
		assert.EqualError(t, err, message)
	}
}

// tallied is testdata/tally.json, which testdata/tally.py wrote.
type tallied struct {
	Methods, Days []string
	Stations      []string
	Left          []int
	Windows       []struct {
		Day, Minute int
		Result      Result
	}
	Fixes []struct {
		Day, Minute int
		Result      Fix
	}
	Table struct {
		Rows []struct {
			Day                         string
			Of, Over, Used, Differences int
			Zero                        *float64
			RMSE                        []*float64
		}
		Zero      float64
		Average   []float64
		Groups    Groups
		Positions struct {
			Used, Tried        int
			None, Perfect      float64
			Share, Error, Lead []float64
		}
		Unusable []struct {
			Day    string
			Minute int
			Reason string
		}
	}
}

// The page's test on the same file is web/src/lesson/vtec/tally.test.ts.
func TestTheTableIsThatOfTheExampleToTheBit(t *testing.T) {
	text := must(os.ReadFile("testdata/tally.json"))
	var want tallied
	require.NoError(t, json.Unmarshal(text, &want))

	e := &Experiment{stations: want.Left}
	for _, name := range want.Stations {
		e.network.Stations = append(e.network.Stations, sky.Station{Name: name})
	}
	of := make([]int, len(want.Days))
	for _, name := range want.Days {
		e.days = append(e.days, sky.Day{Name: name})
	}
	for _, name := range want.Methods {
		for m := range Methods {
			if m.String() == name {
				e.settings.Methods = append(e.settings.Methods, m)
			}
		}
	}
	require.Len(t, e.settings.Methods, len(want.Methods))
	var results []Result
	for _, w := range want.Windows {
		of[w.Day]++
		e.windows, results = append(e.windows, sky.Instant{Day: w.Day, Minute: w.Minute}), append(results, w.Result)
	}
	var fixes []Fix
	for _, f := range want.Fixes {
		e.fixes, fixes = append(e.fixes, sky.Instant{Day: f.Day, Minute: f.Minute}), append(fixes, f.Result)
	}

	got := e.Tabulate(results, fixes)
	require.Len(t, got.Days, len(want.Table.Rows))
	for d, row := range want.Table.Rows {
		have := got.Days[d]
		assert.Equal(t, row.Day, have.Day)
		assert.Equal(t, []int{row.Of, row.Over, row.Used, row.Differences}, []int{of[d], have.Windows + have.Unusable, have.Windows, have.Differences}, row.Day)
		sameBits(t, row.Zero, have.Zero)
		require.Len(t, have.RMSE, len(row.RMSE))
		for k := range row.RMSE {
			sameBits(t, row.RMSE[k], have.RMSE[k])
		}
	}
	assert.Equal(t, want.Table.Zero, got.Average.Zero)
	assert.Equal(t, want.Table.Average, got.Average.RMSE)
	assert.Equal(t, want.Table.Groups, got.Groups)
	positions := want.Table.Positions
	assert.Equal(t, Fixed{positions.Used, positions.Tried, percent(positions.Share), 100 * positions.None, 100 * positions.Perfect, percent(positions.Error), percent(positions.Lead)}, got.Fixed)
	require.Len(t, got.Unusable, len(want.Table.Unusable))
	for i, u := range want.Table.Unusable {
		assert.Equal(t, sky.UnusableError{Day: u.Day, Minute: u.Minute, Reason: u.Reason}, *got.Unusable[i])
	}
}

// sameBits compares with a number of the file, where null is NaN.
func sameBits(t *testing.T, want *float64, got float64) {
	t.Helper()
	if want == nil {
		assert.True(t, math.IsNaN(got), "%g, want NaN", got)
	} else {
		assert.Equal(t, *want, got)
	}
}

func percent(shares []float64) (all []float64) {
	for _, s := range shares {
		all = append(all, 100*s)
	}
	return all
}

// grouped is an experiment whose results are given.
func grouped(days int, stations []int, at ...sky.Instant) *Experiment {
	e := &Experiment{stations: stations, settings: Settings{Methods: []Method{Ridge, Kriging}}}
	for range 3 {
		e.network.Stations = append(e.network.Stations, sky.Station{Name: string(rune('A' + len(e.network.Stations)))})
	}
	for d := range days {
		e.days = append(e.days, sky.Day{Name: string(rune('1' + d))})
	}
	for _, a := range at {
		for range stations {
			e.windows = append(e.windows, a)
		}
	}
	return e
}

func result(low, high, a, b float64) Result {
	r := Result{Test: 4, Zero: 1, Squares: []float64{low + high, a + b}}
	r.Bands[0], r.Bands[2] = Band{1, []float64{low, a}}, Band{3, []float64{high, b}}
	r.Bands[1].Squares = []float64{0, 0}
	return r
}

func TestOfOneDayTheHoursAreTheBlocks(t *testing.T) {
	e := grouped(1, []int{1}, sky.Instant{Minute: 0}, sky.Instant{Minute: 59}, sky.Instant{Minute: 60}, sky.Instant{Minute: 700})
	g := e.Tabulate([]Result{result(1, 3, 1, 0), result(1, 3, 1, 0), result(0, 4, 0, 0), {}}, nil).Groups
	assert.True(t, g.Hourly)
	assert.Equal(t, [][]float64{{1, .5}, {1, 0}}, g.All.Blocks)
}

func TestALeadHasStudentsInterval(t *testing.T) {
	g := Group{Blocks: [][]float64{{3, 1}, {5, 2}, {4, 4}, {9, 2}}}
	mean, half := new(Groups).Lead(&g, 0, 1)
	d := []float64{2, 3, 0, 7}
	assert.Equal(t, 3., mean)
	exact := distuv.StudentsT{Sigma: 1, Nu: 3}.Quantile(.975) * stat.StdErr(stat.StdDev(d, nil), 4)
	assert.InEpsilon(t, exact, half, 1e-3)
	_, half = new(Groups).Lead(&Group{Blocks: d2()}, 0, 1)
	assert.True(t, math.IsNaN(half), "one block has no interval")
	for degrees := 1; degrees < 60; degrees++ {
		assert.InDelta(t, distuv.StudentsT{Sigma: 1, Nu: float64(degrees)}.Quantile(.975), student(degrees), .01, degrees)
	}
}

// Hours remember: of differences 2, 1, −1, −2 the correlation with the last is .3, by which
// the interval of the mean widens as √(1.3/.7). That of none or of a negative one does not.
func TestTheIntervalOfHoursAllowsForTheirMemory(t *testing.T) {
	half := func(hourly bool, values ...float64) float64 {
		var of Group
		for _, v := range values {
			of.Blocks = append(of.Blocks, []float64{v, 0})
		}
		_, half := (&Groups{Hourly: hourly}).Lead(&of, 0, 1)
		return half
	}
	assert.InEpsilon(t, math.Sqrt(1.3/.7), half(true, 7, 6, 4, 3)/half(false, 7, 6, 4, 3), 1e-12)
	assert.Equal(t, half(false, 7, 3, 6, 4), half(true, 7, 3, 6, 4))
	long := make([]float64, 60)
	for i := range long {
		long[i] = float64(i)
	}
	assert.InEpsilon(t, math.Sqrt((1+mostCorrelation)/(1-mostCorrelation)), half(true, long...)/half(false, long...), 1e-12, "at most")
	assert.Zero(t, half(true, 5, 5, 5))
}

func d2() [][]float64 { return [][]float64{{1, 2}} }

func TestEveryStationIsLeftOutInTurn(t *testing.T) {
	source := newFakeSource()
	net := source.Network()
	settings := Settings{Seed: 3, Stride: 720, Days: 1, Methods: []Method{Ridge, IFM}, Tuning: fakeTuning, All: true}
	e := must(NewExperiment(source, settings))
	assert.Equal(t, ordered(9), e.Stations())
	require.Len(t, e.Windows(), 2*9)
	for _, i := range []int{0, 12, 17} {
		alone := source
		alone.net.Test = e.Station(i)
		assert.Equal(t, i%9, e.Station(i))
		settings.All = false
		one := must(NewExperiment(alone, settings))
		want := must(one.Window(i / 9))
		got := must(e.Window(i))
		assert.Equal(t, want, got)
		test, sum := 0, make([]float64, 2)
		for _, b := range got.Bands {
			test += b.Test
			for k, v := range b.Squares {
				sum[k] += v
			}
		}
		assert.Equal(t, got.Test, test)
		assert.InDeltaSlice(t, got.Squares, sum, 1e-12)
	}
	// A station that is joined to none is not left out, nor one that all edges end at.
	net.Edges = [][2]int{{0, 1}, {1, 2}}
	assert.Equal(t, []int{0, 2}, testStations(&net))
}

func TestElevationsAreThoseAtTheTestStation(t *testing.T) {
	w := fakeWindow(t, 1, 5, 9)
	for k := range w.Test {
		d := &w.Test[k]
		at := &w.points[int(d.Satellite)*w.stations+w.test]
		for degrees, want := range map[float64]int{15: 0, 29.9: 0, 30.1: 1, 49.9: 1, 50.1: 2, 90: 2} {
			at.Elevation = degrees * math.Pi / 180
			assert.Equal(t, want, w.elevation(d), degrees)
		}
	}
}

func TestTheFirstPartIsAThirdOfTheDaysOrOfTheMinutes(t *testing.T) {
	var all []sky.Instant
	for day := range 7 {
		for _, minute := range []int{0, 30} {
			all = append(all, sky.Instant{Day: day, Minute: minute})
		}
	}
	first, rest := splitForTuning(all, 7)
	assert.Equal(t, all[:4], first, "two of seven days")
	assert.Equal(t, all[4:], rest)
	first, _ = splitForTuning(all[:4], 2)
	assert.Equal(t, all[:1], first)
	first, _ = splitForTuning(all[:2], 1)
	assert.Empty(t, first)
	assert.Equal(t, []sky.Instant{all[0], all[2], all[4]}, evenlySpread(all[:6], 3))
	assert.Equal(t, all[:2], evenlySpread(all[:2], 30))
}

func TestWindowsThatTuneAreNotTestedOn(t *testing.T) {
	settings := Settings{Seed: 3, Stride: 60, Fixes: 120, Days: 1, Methods: []Method{Ridge}, Tuning: fakeTuning, Fixing: fakeTuning, Own: true}
	e := must(NewExperiment(newFakeSource(), settings))
	assert.Len(t, e.Tunings(), 8)
	assert.Len(t, e.Windows(), 16)
	assert.Len(t, e.Fixes(), 8)
	for _, at := range e.Tunings() {
		assert.NotContains(t, e.Windows(), at)
		assert.Less(t, at.Minute, e.Windows()[0].Minute)
		assert.NotContains(t, e.Fixes(), at)
	}
	settings.Before = newFakeSource()
	e = must(NewExperiment(newFakeSource(), settings))
	assert.Len(t, e.Windows(), 24, "it has windows of its own to tune on")
	assert.Len(t, e.Tunings(), mostTunings)
	settings.Before, settings.Stride = nil, 720
	_, err := NewExperiment(newFakeSource(), settings)
	assert.EqualError(t, err, "vtec: 2 windows are too few to set some aside for tuning, expected at least three. Shorten the time between windows")
}

func TestTuningChoosesTheLeastSquaresOfEachMethod(t *testing.T) {
	methods := []Method{Ridge, IFM, Kriging}
	e := must(NewExperiment(newFakeSource(), Settings{Seed: 3, Stride: 240, Days: 1, Methods: methods, Tuning: fakeTuning, Own: true, All: true}))
	require.Len(t, e.Tunings(), 2)
	var sums []float64
	for i := range e.Tunings() {
		tuned := must(e.Tune(i))
		if sums == nil {
			sums = make([]float64, len(tuned.Squares))
		}
		for k, v := range tuned.Squares {
			sums[k] += v
		}
	}
	got := must(e.Choose(sums))
	// The same from windows made by hand: of the first station, then the fifth.
	want := fakeTuning
	source := newFakeSource()
	for _, m := range methods {
		least := math.Inf(1)
		for _, c := range Candidates(m) {
			sum := 0.0
			for i, at := range e.Tunings() {
				net := source.Network()
				net.Test = 4 * i // of nine stations every fourth
				s := must(source.Snapshot(at.Day, at.Minute))
				w := must(NewWindow(&net, &s))
				dst := make([]float64, len(w.Test))
				require.NoError(t, w.Predict(dst, m, c, random(at, 3, forStarts)))
				for k, y := range w.YTest {
					sum += (y - dst[k]) * (y - dst[k])
				}
			}
			if sum < least*(1-1e-9) { // of equals the first
				least = sum
				want[m] = c
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Equal(t, fakeTuning[FM], got[FM], "FM is not in the experiment")

	for k := range sums {
		sums[k] = math.NaN()
	}
	_, err := e.Choose(sums)
	assert.EqualError(t, err, "vtec: ridge has no tuning that fits each of 2 windows of the first part; choose other methods, or a file with more of it")
	_, err = e.Choose(nil)
	assert.Error(t, err)
}

func TestCandidatesAreThePapersButForFactorizationMachines(t *testing.T) {
	for m, want := range [Methods]int{13, 13, 13 * 3, 13 * 6, 45, 45, 45, 9 * 8} {
		m := Method(m)
		all, seen := Candidates(m), map[Parameters]bool{}
		require.Len(t, all, want, m)
		for _, p := range all {
			assert.False(t, seen[p], "%s: %+v is there twice", m, p)
			seen[p] = true
			switch m {
			case Kriging:
				assert.Contains(t, []float64{100, 150, 200, 300, 450, 700, 1000, 1500, 2500}, p.Shape)
				assert.Contains(t, []float64{1, .3, .1, .06, .03, .02, .01, .003}, p.Penalty)
			case FM, IFM, GFM:
				assert.Contains(t, []int{1, 3, 10}, p.Rank)
				assert.Contains(t, []float64{10, 1, .1, 1e-3, 1e-5}, p.Penalty)
				assert.Contains(t, []float64{1, 1e-3, 1e-6}, p.Linear)
			default:
				assert.Contains(t, []float64{1e-6, 1e-5, 1e-4, 1e-3, .01, .1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6}, p.Penalty)
				assert.Contains(t, map[Method][]float64{Kernel: {1e-4, 1e-3, .01, .1, 1, 10}, ElasticNet: {.1, .5, .9}, Ridge: {0}, LASSO: {0}}[m], p.Shape)
			}
		}
	}
}

func TestAWindowThatCannotBeTunedOnSaysWhy(t *testing.T) {
	source := newFakeSource()
	e := must(NewExperiment(source, Settings{Stride: 1, Days: 1, Methods: []Method{Ridge}, Own: true, Before: source}))
	e.tunings = []sky.Instant{{Day: 1, Minute: 67}, {Day: 1, Minute: 130}}
	for i, says := range []string{"the maps have a hole", "satellites in view of every station: 3, expected at least 4"} {
		tuned := must(e.Tune(i))
		assert.Equal(t, Tuned{Unusable: says}, tuned)
	}
}

func TestSquaresAreThoseOfEachCandidateAlone(t *testing.T) {
	w := fakeWindow(t, 11, 6, 13)
	start := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	for m := range Methods {
		all := Candidates(m)
		if m == FM || m == IFM || m == GFM {
			all = append(all[5:10:10], all[20:22]...)
		}
		got := w.Squares(m, all, start)
		for i := range all {
			p, want := make([]float64, len(w.Test)), 0.0
			require.NoError(t, w.Predict(p, m, all[i], start()))
			for k := range p {
				want += (p[k] - w.YTest[k]) * (p[k] - w.YTest[k])
			}
			// The order of the penalties is the only difference: starts are warm.
			assert.InEpsilon(t, want, got[i], 1e-7, "%s: %+v", m, all[i])
		}
	}
}

func TestACandidateWithoutAFitHasNoSquares(t *testing.T) {
	w := fakeWindow(t, 12, 5, 13)
	copy(w.Z[w.D:2*w.D], w.Z[:w.D])
	got := w.Squares(Kernel, []Parameters{{Penalty: 1, Shape: 1}, {Shape: 1}, {Penalty: 1, Shape: 1}}, nil)
	assert.True(t, math.IsNaN(got[1]))
	assert.Equal(t, got[0], got[2], "and leaves the next one as it would be")
	got = w.Squares(IFM, []Parameters{{}}, func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) })
	assert.True(t, math.IsNaN(got[0]))
}
