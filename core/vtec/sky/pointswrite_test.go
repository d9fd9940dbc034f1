package sky

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASimulatedDayThatIsSavedGivesTheSameSnapshots(t *testing.T) {
	simulator := newSimulator(t, usual())
	text := saved(t, simulator, 3, 60)
	got := source(t, text)
	net, want := got.Network(), simulator.Network()
	assert.Equal(t, want.Edges, net.Edges)
	assert.Equal(t, want.Test, net.Test)
	require.Len(t, net.Stations, len(want.Stations))
	for i, s := range net.Stations {
		assert.Equal(t, want.Stations[i].Name, s.Name)
		// Angles are written to 5e-8°, and their errors averaged.
		assert.InDelta(t, want.Stations[i].Lat, s.Lat, 1e-6)
		assert.InDelta(t, want.Stations[i].Lon, s.Lon, 1e-6)
	}
	require.Len(t, got.Days(), 1)
	assert.Equal(t, "day 1", got.Days()[0].Name)
	require.Len(t, got.Days()[0].Minutes, 24)
	for _, minute := range got.Days()[0].Minutes {
		a, b := snapshot(t, simulator, 3, minute), snapshot(t, got, 0, minute)
		require.Equal(t, a.Satellites, b.Satellites)
		require.Len(t, b.Points, len(a.Points))
		for i := range a.Points {
			p, q := a.Points[i], b.Points[i]
			require.InDelta(t, p.Lat, q.Lat, 5.1e-8)
			require.InDelta(t, p.Lon, q.Lon, 5.1e-8)
			require.InDelta(t, p.Zenith, q.Zenith, 1e-9)
			require.InDelta(t, p.Azimuth, q.Azimuth, 1e-9)
			require.InDelta(t, p.Elevation, q.Elevation, 1e-9)
			require.InDelta(t, p.Delay, q.Delay, 1e-8)
			require.True(t, math.IsNaN(q.Clean), "nobody knows")
		}
	}
	// What was read and is saved again is the same table, but for the last digits.
	same(t, got, source(t, saved(t, got, 0, 1)), 1e-7)
}

func TestASavedTableHasTheWindowsOfItsStride(t *testing.T) {
	s := holes{newSimulator(t, usual())}
	assert.Equal(t, []Day{{"day 1", []int{3, 125, 240, 1439}}}, source(t, saved(t, s, 0, 120)).Days())
	assert.Equal(t, []Day{{"day 1", []int{3, 5, 125, 130, 240, 1439}}}, source(t, saved(t, s, 0, 1)).Days())
}

// holes is a source with few minutes.
type holes struct{ Source }

func (holes) Days() []Day { return []Day{{"a day", []int{3, 5, 125, 130, 240, 1439}}} }

func TestDaysOfASavedTableHaveTheirDates(t *testing.T) {
	text := few(t)
	assert.Contains(t, text, "\n2010-12-04T06:00:00Z,G")
	assert.Contains(t, text, "# unit: TECU, vertical\n")
	r := recording(t, text)
	d := r.describe()
	assert.Equal(t, []string{"2010-12-04"}, d.Days)
	assert.Equal(t, int64(len(text)), d.Bytes)
	assert.Contains(t, d.Facts, [2]string{"minutes", "4"})
	assert.Contains(t, d.Facts, [2]string{"unit", "TECU"})
	assert.Contains(t, d.Facts, [2]string{"direction", "vertical"})
	assert.Contains(t, d.Facts[2][1], "17: S01, S02")
	assert.Empty(t, d.Notices)
	assert.Empty(t, d.Bad)
	next := edit(text, func(f []string) []string {
		f[0] = strings.Replace(f[0], "12-04", "12-31", 1)
		return f
	})
	next = next[strings.Index(next, "vtec_tecu\n")+10:]
	two := source(t, text+strings.ReplaceAll(next, "2010-12-31", "2011-01-01"))
	require.Len(t, two.Days(), 2)
	assert.Equal(t, Day{"2011-01-01", []int{0, 360, 720, 1080}}, two.Days()[1])
	for i, p := range snapshot(t, two, 0, 360).Points {
		require.Equal(t, p.Delay, snapshot(t, two, 1, 360).Points[i].Delay)
	}
}

func TestNothingIsWrittenOfADayThatCannotBeUsed(t *testing.T) {
	assert.ErrorAs(t, WritePoints(&bytes.Buffer{}, empty{}, 0, 1, ""), new(*UnusableError))
	assert.Error(t, WritePoints(&failing{}, newSimulator(t, usual()), 0, 60, ""))
}

// empty is a source that sees nothing.
type empty struct{ field }

func (empty) Days() []Day { return []Day{{"2010-12-04", []int{0, 1}}} }

func TestNamesThatACellCannotHoldAreQuoted(t *testing.T) {
	s := renamed{newSimulator(t, usual()), strings.NewReplacer("S01", `a "b", c`, "S02", "Ünter den Linden")}
	text := saved(t, s, 0, 360)
	assert.Contains(t, text, `,"a ""b"", c",`)
	assert.NotContains(t, text, "# edges")
	got := source(t, text)
	assert.Contains(t, got.recording.stations, `a "b", c`)
	assert.Contains(t, got.recording.stations, "Ünter den Linden")
	assert.Equal(t, `a "b", c`, got.Network().Stations[got.Network().Test].Name, "it is in the middle")
}

type renamed struct {
	Source
	names *strings.Replacer
}

func (r renamed) Network() Network {
	net := r.Source.Network()
	net.Stations = slices.Clone(net.Stations)
	for i := range net.Stations {
		net.Stations[i].Name = r.names.Replace(net.Stations[i].Name)
	}
	return net
}
