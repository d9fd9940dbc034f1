package sky

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// field is a Source of nothing but TEC.
type field func(second, lat, lon float64) (float64, bool)

func (f field) Network() Network { return Network{Stations: []Station{{"A", 30, 115}}} }

func (f field) Days() []Day { return []Day{{Name: "2010-12-04"}} }

func (f field) Snapshot(day, minute int) (Snapshot, error) {
	return Snapshot{}, &UnusableError{Reason: "there are no stations"}
}

func (f field) TEC(_ int, second float64, lats, lons []float64) (grid []float64) {
	for _, lat := range lats {
		for _, lon := range lons {
			v, ok := f(second, lat, lon)
			if !ok {
				v = math.NaN()
			}
			grid = append(grid, v)
		}
	}
	return grid
}

// smooth is a field with all that maps have: it follows the Sun and has two crests.
func smooth(second, lat, lon float64) (float64, bool) {
	hour := second/3600 + lon/15
	return 30 + 20*math.Cos((hour-14)*math.Pi/12)*math.Cos(lat/57) + 9*math.Sin(lat/9), true
}

// world is the grid of the maps of the IGS.
var world = Grid{-87.5, 87.5, -180, 180, 2.5, 5, 120}

// small is a grid that can be looked through.
var small = Grid{South: 20, North: 25, West: 110, East: 120, DLat: 2.5, DLon: 5, Minutes: 360}

func written(t testing.TB, s Source, g Grid) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteIONEX(&b, s, 0, g, ""))
	return b.String()
}

func TestMapsThatWeWriteAreReadBackToHalfAUnit(t *testing.T) {
	for name, c := range map[string]struct {
		grid  Grid
		scale float64 // of the field
		half  float64 // of the last place
	}{
		"the world, in hundredths":   {world, 1, .005},
		"the world, in tenths":       {world, 10, .05},
		"a region, in hundredths":    {GridAround(field(smooth).Network()), 1, .005},
		"a region over the dateline": {Grid{-10, 10, 170, 200, .5, .5, 360}, 1, .005},
	} {
		t.Run(name, func(t *testing.T) {
			source := field(func(second, lat, lon float64) (float64, bool) {
				v, ok := smooth(second, lat, lon)
				return c.scale * v, ok
			})
			text := written(t, source, c.grid)
			assert.Contains(t, text, pad(right(strconv.Itoa(int(math.Round(math.Log10(2*c.half)))), 6), labelExponent))
			for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
				require.LessOrEqual(t, len(line), 80, "line %d", i+1)
				if strings.Trim(line, " -0123456789.") != "" {
					require.Len(t, line, 80, "line %d", i+1)
					require.NotEqual(t, byte(' '), line[60], "line %d", i+1)
				}
			}
			m := readMaps(t, text)
			day := m.Days()[0]
			assert.Equal(t, "2010-12-04", day.Date)
			for minute := 0; minute <= 1440; minute += c.grid.Minutes {
				for lat := c.grid.South; lat <= c.grid.North; lat += c.grid.DLat {
					for lon := c.grid.West; lon <= c.grid.East; lon += c.grid.DLon {
						got, ok := day.TEC(float64(60*minute), lat, lon)
						want, _ := source(float64(60*minute), lat, lon)
						if !ok || math.Abs(got-want) > c.half+1e-9 || got != got {
							t.Fatalf("minute %d at %g, %g: %g, %v, want %g", minute, lat, lon, got, ok, want)
						}
					}
				}
			}
		})
	}
}

func TestWhatTheSourceDoesNotKnowIsWrittenAsNoValue(t *testing.T) {
	source := field(func(second, lat, lon float64) (float64, bool) { return 12, lat != 22.5 || lon != 115 })
	text := written(t, source, small)
	assert.Contains(t, text, " 1200 9999 1200\n")
	day := readMaps(t, text).Days()[0]
	_, ok := day.TEC(0, 22.5, 115)
	assert.False(t, ok, "at the hole")
	_, ok = day.TEC(0, 23, 114)
	assert.False(t, ok, "beside it")
	v, ok := day.TEC(0, 22.5, 110)
	assert.True(t, ok, "a node whose neighbour is missing")
	assert.Equal(t, 12., v)
	v, ok = day.TEC(0, 25, 113)
	assert.True(t, ok, "an edge of the cell that has the hole at another corner")
	assert.InDelta(t, 12, v, 1e-12)
	assert.Contains(t, readMaps(t, text).describe().Facts, [2]string{"values missing", "5"})
}

func TestADayWithoutADateIsWrittenWithOneAndSaysSo(t *testing.T) {
	s := newSimulator(t, usual())
	var b bytes.Buffer
	require.NoError(t, WriteIONEX(&b, s, 2, GridAround(s.Network()), ""))
	assert.Contains(t, b.String(), "The day has no date: 2000-01-03 stands for it")
	m := readMaps(t, b.String())
	require.Equal(t, "2000-01-03", m.Days()[0].Date)
	for _, hour := range []float64{0, 6, 14, 24} {
		want, _ := above(s, 2, 3600*hour, 30, 115)
		got, ok := m.Days()[0].TEC(3600*hour, 30, 115)
		require.True(t, ok)
		assert.InDelta(t, want, got, .005+1e-9)
	}
}

func TestAGridThatTheFormatCannotHoldIsRefused(t *testing.T) {
	for _, g := range []Grid{{0, 10, 0, 10, 3, 5, 60}, {0, 10, 0, 10, .25, 5, 60}, {0, 10, 0, 10, 5, 0, 60}, {10, 0, 0, 10, 5, 5, 60}, {0, 10, 0, 10, 5, 5, 50}, {0, 10, 0, 10, 5, 5, 0}} {
		assert.ErrorAs(t, WriteIONEX(io.Discard, field(smooth), 0, g, ""), new(*GridError), "%v", g)
	}
	var nothing *GridError
	require.ErrorAs(t, WriteIONEX(io.Discard, field(func(_, _, _ float64) (float64, bool) { return 0, false }), 0, small, ""), &nothing)
	assert.Contains(t, nothing.Error(), "save the pierce points instead")
	assert.Error(t, WriteIONEX(&failing{}, field(smooth), 0, small, ""))
}

type failing struct{}

func (*failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }
