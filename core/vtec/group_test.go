package vtec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ifmlab/core/vtec/sky"
)

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
