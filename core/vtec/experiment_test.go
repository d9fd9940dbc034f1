package vtec

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	e := must(NewExperiment(source, Settings{Seed: 3, Stride: stride, Fixes: fixes, Days: days, Methods: methods, Tuning: fakeTuning, Fixing: fakeTuning}))
	return e
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

func TestAWindowHasTheSquaresOfEachMethodAlone(t *testing.T) {
	source := newFakeSource()
	e := fakeExperiment(t, source, 360, 0, 3, Ridge, IFM)
	for i, at := range e.Windows() {
		got := must(e.Window(i))
		if got.Unusable != "" {
			assert.Equal(t, 1, at.Day)
			continue
		}
		s := must(source.Snapshot(at.Day, at.Minute))
		w := must(NewWindow(&source.net, &s))
		assert.Equal(t, []int{len(w.Train), len(w.Test)}, []int{got.Train, got.Test})
		assert.InEpsilon(t, squared(w.YTest), got.Zero, 1e-13)
		for k, m := range []Method{Ridge, IFM} {
			dst := make([]float64, len(w.Test))
			require.NoError(t, w.Predict(dst, m, fakeTuning[m], rand.New(rand.NewPCG(3, uint64(at.Day)<<32|uint64(at.Minute)<<16))))
			for j, y := range w.YTest {
				dst[j] -= y
			}
			assert.InEpsilon(t, squared(dst), got.Squares[k], 1e-13)
		}
	}
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
